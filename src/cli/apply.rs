//! `agentmd apply`: does to files what a reply says. Commands in it are never executed.

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;
use serde_json::{Value, json};

use super::change::change_files;
use super::input::Input;
use super::{Global, Status, complain, count, note};
use crate::config::Config;
use crate::document::Document;
use crate::format::duckflow::{self, Response, plan, reply};
use crate::plan::{FileChange, Plan, Planner, Strategy};
use crate::world::Disk;

#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools)]
pub struct Arguments {
    /// The reply; `-` is stdin
    #[arg(value_name = "DOCUMENT", value_hint = clap::ValueHint::FilePath)]
    document: PathBuf,
    /// What the reply is applied to
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    to: Target,
    /// The folder that the paths in the reply are relative to; nothing outside it is touched
    #[arg(long, value_name = "DIR", default_value = ".", value_hint = clap::ValueHint::DirPath)]
    root: PathBuf,
    /// Write nothing, print what would change as a unified diff
    #[arg(long, conflicts_with_all = ["json", "check"])]
    dry_run: bool,
    /// Write nothing, only say whether all of it could be applied
    #[arg(long)]
    check: bool,
    /// Print what was done as JSON
    #[arg(long)]
    json: bool,
    /// Apply what can be applied, even if something else cannot
    #[arg(long)]
    partial: bool,
    /// Let `create_file` replace files that are there already, with another text
    #[arg(long)]
    overwrite: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Target {
    /// The files below the root
    #[default]
    Workspace,
}

pub fn run(arguments: &Arguments, global: &Global) -> anyhow::Result<Status> {
    let input = Input::read(&arguments.document)?;
    if let Some(offset) = input.broken {
        anyhow::bail!("{} is not UTF-8: the byte at offset {offset} begins no character", input.shown);
    }
    anyhow::ensure!(arguments.root.is_dir(), "{} is no folder", arguments.root.display());
    let Target::Workspace = arguments.to;
    let plan = read(arguments, &input)?;
    let refused = !plan.refusals.is_empty();
    let idle = arguments.dry_run || arguments.check;
    let stopped = refused && !arguments.partial;
    if !idle && !stopped {
        change_files(&plan.changes)?;
    }
    let written = if idle || stopped { &[][..] } else { &plan.changes };
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", answer(&plan, written, stopped))?;
    } else if arguments.dry_run && !stopped {
        for change in &plan.changes {
            write!(out, "{}", change.diff())?;
        }
    }
    out.flush()?;
    for refusal in &plan.refusals {
        let file = refusal.file.as_ref().map(|file| format!(" ({file})")).unwrap_or_default();
        complain(&format!("action {}{file}: {} [{}]", refusal.block, refusal.message, refusal.reason.name()));
    }
    if !global.quiet {
        written.iter().for_each(|change| note(&said(change)));
        if stopped && !plan.changes.is_empty() && !idle {
            note("nothing was written; `--partial` applies the rest");
        } else if plan.changes.is_empty() && !refused {
            note("there is nothing to apply");
        } else if arguments.check {
            note(&format!("{} would change", count(plan.changes.len(), "file")));
        }
    }
    Ok(if refused { Status::Found } else { Status::Fine })
}

/// The plan of a reply, however it is written.
fn read(arguments: &Arguments, input: &Input) -> anyhow::Result<Plan> {
    let root = std::path::absolute(&arguments.root)?;
    let world = Disk::default();
    let planner = Planner::new(&world, &root).keeping_files(!arguments.overwrite);
    let document = Document::new(&input.text, input.path.as_deref(), &Config::default());
    if let Some(response) = document.model().as_any().downcast_ref::<Response>() {
        let blocks: Vec<u64> = plan::blocks(response, document.source()).into_iter().map(|(block, _)| block).collect();
        return Ok(plan::of_response(response, document.source(), planner, &blocks, &|| false));
    }
    let reply = reply::read(&input.text);
    let is_reply = document.format().name == duckflow::FORMAT.name || reply.source == reply::ReplySource::Json;
    anyhow::ensure!(is_reply, "{} is no reply: it has neither `[REASONING]` nor actions", input.shown);
    Ok(plan::of_reply(&reply, planner))
}

fn said(change: &FileChange) -> String {
    let what = match (&change.before, &change.after) {
        (None, _) => "created",
        (_, None) => "deleted",
        _ => "changed",
    };
    format!("{what} {}", change.name)
}

fn answer(plan: &Plan, written: &[FileChange], stopped: bool) -> Value {
    let applied = plan.applied.iter().filter(|applied| !stopped || applied.strategy == Strategy::AlreadyApplied);
    let applied = applied
        .map(|applied| json!({ "block": applied.block, "file": applied.file, "strategy": applied.strategy.name(), "line": 1, "similarity": 1.0 }));
    let failed = plan.refusals.iter().map(|refusal| {
        json!({
            "block": refusal.block, "file": refusal.file, "reason": refusal.reason.name(), "message": refusal.message,
            "nearest": null, "candidates": [],
        })
    });
    let written = written.iter().map(|change| &change.name);
    json!({ "applied": applied.collect::<Vec<_>>(), "failed": failed.collect::<Vec<_>>(), "written": written.collect::<Vec<_>>() })
}
