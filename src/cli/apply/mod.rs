//! `agentmd apply`: applies a reply to files. Commands in it are never executed.

mod recover;
mod report;
mod undo;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::diff::for_stdout;
use super::input::Input;
use super::transaction::{self, Failure, Journal, signal};
use super::{Global, Status, complain, count, note};
use crate::config::Config;
use crate::document::Document;
use crate::format::{self, Context, duckflow};
use crate::plan::choice::Goal;
use crate::plan::doubt::{Consent, Kind};
use crate::plan::order::{Order, Terms};
use crate::plan::{FileChange, Plan, Reason, Refusal, path};
use crate::world::{Disk, World, canonicalize};

#[derive(Debug, Clone, clap::Args)]
#[allow(clippy::struct_excessive_bools)]
pub struct Arguments {
    /// The reply; `-` is stdin
    #[arg(value_name = "DOCUMENT", value_hint = clap::ValueHint::FilePath, required_unless_present = "recover")]
    document: Option<PathBuf>,
    /// What to change [default: `context` for an LLMD document, otherwise `workspace`]
    #[arg(long, value_enum, value_name = "WHAT")]
    to: Option<Target>,
    /// The entry of an LLMD document to apply [default: the last one]
    #[arg(long, value_name = "N")]
    entry: Option<u64>,
    /// The folder that paths in the reply are relative to; files outside of it are never changed
    #[arg(long, value_name = "DIR", default_value = ".", value_hint = clap::ValueHint::DirPath)]
    root: PathBuf,
    /// Write nothing; print the changes as a unified diff
    #[arg(long, conflicts_with_all = ["json", "check"])]
    dry_run: bool,
    /// Write nothing; only report whether everything can be applied
    #[arg(long)]
    check: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Apply what can be applied, even if other parts fail
    #[arg(long)]
    partial: bool,
    /// Let `create_file` replace existing files with different content
    #[arg(long)]
    overwrite: bool,
    /// Allow changes that need this kind of consent; without it they are shown and refused
    #[arg(long, value_enum, value_name = "KIND", value_delimiter = ',')]
    allow: Vec<Allow>,
    /// Allow all changes: consent of every kind
    #[arg(long, short)]
    yes: bool,
    /// Restore the files that the reply changed, byte for byte
    #[arg(long)]
    reverse: bool,
    /// Finish or undo an interrupted run below the root, and apply nothing
    #[arg(long, conflicts_with_all = ["document", "to", "entry", "check", "partial", "overwrite", "reverse"])]
    recover: bool,
}

/// The kinds of `--allow`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Allow {
    /// A likely match that isn't exact
    Fuzzy,
    /// An executable file
    Program,
    /// A git-ignored file
    Ignored,
    /// A file that may contain secrets
    Secret,
    /// A CI workflow, a git hook or a package script: anything that runs by itself
    Ci,
    /// Edits that the user of the conversation declined
    Declined,
}

impl From<Allow> for Kind {
    fn from(allow: Allow) -> Self {
        match allow {
            Allow::Fuzzy => Self::Fuzzy,
            Allow::Program => Self::Program,
            Allow::Ignored => Self::Ignored,
            Allow::Secret => Self::Secret,
            Allow::Ci => Self::Ci,
            Allow::Declined => Self::Declined,
        }
    }
}

impl From<Kind> for Allow {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Fuzzy => Self::Fuzzy,
            Kind::Program => Self::Program,
            Kind::Ignored => Self::Ignored,
            Kind::Secret => Self::Secret,
            Kind::Ci => Self::Ci,
            Kind::Declined => Self::Declined,
        }
    }
}

impl Arguments {
    /// The user's consent.
    fn consent(&self) -> Consent {
        if self.yes {
            Consent::to_all()
        } else {
            self.allow.iter().copied().map(Kind::from).collect()
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Target {
    /// The files below the root
    Workspace,
    /// The document's own Code Context, Mission and Changelog
    Context,
}

pub fn run(arguments: &Arguments, global: &Global) -> anyhow::Result<Status> {
    signal::watch();
    let status = apply(arguments, global);
    if signal::came() && !matches!(status, Ok(Status::Fine)) {
        if let Err(error) = &status {
            complain(&format!("{error:#}"));
        }
        signal::obey();
    }
    status
}

fn apply(arguments: &Arguments, global: &Global) -> anyhow::Result<Status> {
    anyhow::ensure!(arguments.root.is_dir(), "{} is not a folder", arguments.root.display());
    let root = std::path::absolute(&arguments.root)?;
    let Some(path) = &arguments.document else { return recover::run(arguments, &root, global) };
    let input = Input::read(path)?;
    if let Some(offset) = input.broken {
        anyhow::bail!("{} is not UTF-8: invalid byte at offset {offset}", input.shown);
    }
    let document = Document::new(&input.text, input.path.as_deref(), &Config::default());
    let own = own_root(arguments, &input, &document)?;
    let root = own.as_deref().unwrap_or(&root);
    let idle = arguments.dry_run || arguments.check;
    // An unwritable root is only reported if there is something to write.
    let mut journal =
        if idle { Err(anyhow::anyhow!("nothing was written")) } else { Journal::open(root) };
    match journal.as_mut().map(Journal::interrupted) {
        Ok(Ok(Some(_))) => return Ok(impossible(arguments, recover::UNFINISHED)),
        Ok(Err(error)) => return Ok(impossible(arguments, &format!("{error:#}"))),
        Ok(Ok(None)) | Err(_) => {}
    }
    match if idle { Journal::is_left(root) } else { Ok(false) } {
        Ok(false) => {}
        Ok(true) => return Ok(impossible(arguments, recover::UNFINISHED)),
        Err(error) => return Ok(impossible(arguments, &format!("{error:#}"))),
    }
    let record = if own.is_none() { undo::place(arguments, &input, root) } else { None };
    let recalled = record
        .as_ref()
        .filter(|_| arguments.reverse)
        .and_then(|record| undo::recall(record, arguments, &input, &document, root));
    let planned = recalled.map_or_else(
        || read(arguments, &input, &document, &Disk::default(), root, own.is_some()),
        Ok,
    );
    let mut plan = match planned {
        Err(error) => {
            let _ = journal.map(Journal::close);
            return Err(error);
        }
        Ok(plan) => plan,
    };
    let stopped = !plan.refusals.is_empty() && !arguments.partial;
    let mut left = Vec::new();
    let mut written = false;
    let tried = !stopped && !idle;
    match journal {
        Ok(journal) if stopped || idle || plan.changes.is_empty() => drop(journal.close()),
        Ok(journal) => {
            let kept = record.as_ref().filter(|_| !arguments.reverse);
            let kept = kept
                .map(|record| undo::remember(record, arguments, &plan.changes, root))
                .transpose();
            match transaction::change_files(journal, &plan.changes, root) {
                Ok(()) => written = true,
                Err(failure) => left = refuse(&mut plan, failure),
            }
            if let Some(record) = record.filter(|_| written == arguments.reverse) {
                record.forget();
            }
            if let (Err(error), true, false) = (kept, written, global.quiet) {
                note(&format!(
                    "cannot keep an undo record ({error}); `--reverse` will have to infer the \
                        previous content"
                ));
            }
        }
        Err(_) if stopped || idle || plan.changes.is_empty() => {}
        Err(error) => left = refuse(&mut plan, Failure::whole(&format!("{error:#}"))),
    }
    let refused = !plan.refusals.is_empty();
    let stopped = refused && !written && !(idle && arguments.partial);
    let done = if written { &plan.changes[..] } else { &[] };
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", report::answer(&plan, done, stopped))?;
    } else if arguments.dry_run && !stopped {
        write!(out, "{}", for_stdout(diff(&plan, root)))?;
    }
    out.flush()?;
    report::refusals(&plan, global);
    if !global.quiet {
        report::no_ops(&plan);
        report::notices(&plan);
    }
    left.iter().for_each(|left| complain(left));
    if !global.quiet {
        report::changes(&plan, done);
        if !stopped {
            report::repeats(&plan);
        }
        if stopped && tried {
            note("nothing was written");
        } else if stopped && !plan.changes.is_empty() {
            report::stopped(&plan, arguments.partial);
        } else if plan.changes.is_empty() && !refused {
            note(match (plan.applied.is_empty(), arguments.reverse) {
                (true, _) => "nothing to apply",
                (_, true) => "already reversed: the files are as they were before the reply",
                _ => "already applied: the files are up to date",
            });
        } else if arguments.check && !stopped {
            note(&format!("{} would change", count(plan.changes.len(), "file")));
        }
    }
    Ok(if refused { Status::Found } else { Status::Fine })
}

/// The changes of a plan as a unified diff.
fn diff(plan: &Plan, root: &Path) -> String {
    let mut out = String::new();
    for change in &plan.changes {
        // Git doesn't follow links.
        let name = transaction::name_below(root, change).unwrap_or_else(|| change.name.clone());
        let named = FileChange { name, ..change.clone() };
        // To delete a link, delete the link itself.
        let link = std::fs::read_link(&change.path).ok().filter(|_| change.after.is_none());
        out.push_str(
            &link.map_or_else(
                || named.diff(),
                |target| named.diff_of_link(&target.to_string_lossy()),
            ),
        );
    }
    out
}

/// What applying a reply below `root` would do, without doing it: the answer of `--check --json`,
/// and the changes as a diff.
///
/// # Errors
/// If the text isn't a reply, or an interrupted run must be finished first.
#[cfg(feature = "mcp")]
pub fn rehearse(
    reply: String,
    root: &Path,
    partial: bool,
) -> anyhow::Result<(serde_json::Value, String)> {
    anyhow::ensure!(!Journal::is_left(root)?, "{}", recover::UNFINISHED);
    let arguments = Arguments {
        document: None,
        to: Some(Target::Workspace),
        entry: None,
        root: root.to_owned(),
        dry_run: true,
        check: false,
        json: false,
        partial,
        overwrite: false,
        allow: Vec::new(),
        yes: false,
        reverse: false,
        recover: false,
    };
    let input = Input { shown: "the text".to_owned(), path: None, text: reply, broken: None };
    let document = Document::new(&input.text, None, &Config::default());
    let plan = read(&arguments, &input, &document, &Disk::default(), root, false)?;
    let stopped = !plan.refusals.is_empty() && !partial;
    let changes = if stopped { String::new() } else { diff(&plan, root) };
    Ok((report::answer(&plan, &[], stopped), changes))
}

/// A write error is a refusal like any other, and cancels the whole plan. Report the other refusals
/// as well.
fn refuse(plan: &mut Plan, failure: Failure) -> Vec<String> {
    let change = failure.change.and_then(|index| plan.changes.get(index));
    let (block, file) = change.map_or((0, None), |change| {
        (change.blocks.first().copied().unwrap_or_default(), Some(change.name.clone()))
    });
    let Failure { reason, message, left, .. } = failure;
    plan.refusals.push(Refusal::new(block, file.as_deref(), reason, message));
    left
}

/// Nothing can be applied.
fn impossible(arguments: &Arguments, message: &str) -> Status {
    let mut plan = Plan::default();
    refuse(&mut plan, Failure::whole(&message));
    if arguments.json {
        // If the output isn't read, the status still is.
        let _ = writeln!(std::io::stdout(), "{}", report::answer(&plan, &[], true));
    }
    complain(message);
    Status::Found
}

/// The folder of a document that is itself rewritten; no other file is changed then.
fn own_root(
    arguments: &Arguments,
    input: &Input,
    document: &Document,
) -> anyhow::Result<Option<PathBuf>> {
    let has_context = document.model().goals().contains(&Goal::Context);
    anyhow::ensure!(
        arguments.entry.is_none() || has_context,
        "{} is not an LLMD document; it has no entries",
        input.shown
    );
    match arguments.to {
        _ if arguments.reverse && has_context && arguments.to != Some(Target::Workspace) => {
            anyhow::bail!(
                "`--reverse` cannot restore a document that rewrote itself; use `--to workspace` \
                    to reverse its changes to files"
            )
        }
        Some(Target::Workspace) => Ok(None),
        None if !has_context => Ok(None),
        Some(Target::Context) if !has_context => {
            anyhow::bail!("{} is not an LLMD document; it has no Code Context", input.shown)
        }
        _ => {
            let path = input.path.as_deref();
            let path = path.ok_or_else(|| {
                anyhow::anyhow!("cannot rewrite a document on stdin; name its file")
            })?;
            Ok(canonicalize(path)?.parent().map(Path::to_owned))
        }
    }
}

/// The plan of a reply in any dialect. `own`: the document itself is rewritten.
fn read(
    arguments: &Arguments,
    input: &Input,
    document: &Document,
    world: &dyn World,
    root: &Path,
    own: bool,
) -> anyhow::Result<Plan> {
    let goal = Some(if own { Goal::Context } else { Goal::Workspace });
    let terms = Terms {
        overwrites: arguments.overwrite,
        backwards: arguments.reverse,
        unattended: true,
        consent: arguments.consent(),
    };
    let order = Order { goal, entry: arguments.entry, root: Some(root), terms, ..Order::default() };
    let path =
        if own { input.path.as_deref().map(canonicalize).transpose()? } else { input.path.clone() };
    let config = Config::default();
    let cx = Context::new(document.source(), path.as_deref(), world, &config);
    let has_entries = document.model().goals().contains(&Goal::Context);
    let found = document.model().apply(&cx, &order).or_else(|| {
        let exists = |written: &str| path::is_file(world, root, written);
        format::reply(document.source(), &exists).filter(|_| !has_entries)?.apply(&cx, &order)
    });
    if let Some(mut plan) = found {
        if let Some(change) =
            plan.changes.first().filter(|change| own && is_read_only(&change.path))
        {
            let (name, block) =
                (change.name.clone(), change.blocks.first().copied().unwrap_or_default());
            plan.refusals.push(Refusal::new(
                block,
                Some(&name),
                Reason::ReadOnly,
                format!("`{name}` is read-only"),
            ));
        }
        return Ok(plan);
    }
    match arguments.entry.filter(|_| has_entries) {
        Some(entry) => anyhow::bail!("{} has no entry {entry} with blocks", input.shown),
        None if duckflow::reply::has_markers(&input.text) => {
            anyhow::bail!(
                "{} is not a reply: there is text around the fence with its markers; keep only \
                    the content of the fence",
                input.shown
            )
        }
        None => {
            let why = format::why_no_edits(document.source(), world, root);
            let why = why.map(|why| format!("; {why}")).unwrap_or_default();
            anyhow::bail!(
                "{} is not a reply: it has neither actions nor edit blocks{why}",
                input.shown
            )
        }
    }
}

fn is_read_only(path: &Path) -> bool {
    Disk::default().protection(path).read_only
}
