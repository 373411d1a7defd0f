//! `--recover`: completes an interrupted run. Its journal may come from anyone, so changes to files
//! are shown, and need the same consent as a reply.

use std::io::Write;
use std::path::Path;

use super::{Arguments, report};
use crate::cli::transaction::{self, Journal};
use crate::cli::{Global, Status, complain, note};
use crate::plan::Plan;
use crate::plan::gate::Gate;
use crate::world::Disk;

/// The message of any other run that finds a journal.
pub const UNFINISHED: &str = "an earlier run was interrupted and left `.agentmd-apply`; `agentmd \
    apply --recover --dry-run` shows the remaining work, and `agentmd apply --recover` does it";

pub fn run(arguments: &Arguments, root: &Path, global: &Global) -> anyhow::Result<Status> {
    match recover(arguments, root, global) {
        Ok(status) => Ok(status),
        Err(error)
            if error
                .downcast_ref::<std::io::Error>()
                .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe) =>
        {
            Err(error)
        }
        Err(error) => {
            complain(&format!("{error:#}"));
            Ok(Status::Found)
        }
    }
}

fn recover(arguments: &Arguments, root: &Path, global: &Global) -> anyhow::Result<Status> {
    if arguments.dry_run && !Journal::is_left(root)? {
        nothing(global);
        return Ok(Status::Fine);
    }
    let mut journal = Journal::open(root)?;
    let Some(changes) = transaction::preview(&mut journal, root)? else {
        journal.close()?;
        nothing(global);
        if arguments.json {
            writeln!(std::io::stdout(), "{}", report::recovery(None))?;
        }
        return Ok(Status::Fine);
    };
    let mut plan = Plan { changes, ..Plan::default() };
    let world = Disk::default();
    Gate { world: &world, root, consent: &arguments.consent(), refuses_links: false }
        .keep(&mut plan);
    if !plan.refusals.is_empty() {
        if arguments.json {
            writeln!(std::io::stdout(), "{}", report::unrecovered(&plan))?;
        }
        report::refusals(&plan, global);
        if !global.quiet {
            note("nothing was recovered");
        }
        return Ok(Status::Found);
    }
    if arguments.dry_run {
        let mut out = std::io::stdout().lock();
        for change in &plan.changes {
            write!(out, "{}", change.diff())?;
        }
        out.flush()?;
        if !global.quiet && plan.changes.is_empty() {
            note("no file would change; only leftovers of the run would be removed");
        }
        return Ok(Status::Fine);
    }
    if !global.quiet {
        report::outlook(&plan.changes);
    }
    let recovery = transaction::recover(&mut journal)?;
    journal.close()?;
    if arguments.json {
        writeln!(std::io::stdout(), "{}", report::recovery(recovery.as_ref()))?;
    }
    let Some(recovery) = recovery else { return Ok(Status::Fine) };
    report::recovered(&recovery, global);
    Ok(if recovery.left.is_empty() { Status::Fine } else { Status::Found })
}

fn nothing(global: &Global) {
    if !global.quiet {
        note("nothing to recover");
    }
}
