//! `agentmd apply`: does to files what a reply says. Commands in it are never executed.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::{Value, json};

use super::change::change_files;
use super::input::Input;
use super::{Global, Status, complain, count, note};
use crate::config::Config;
use crate::document::Document;
use crate::edit::nearest::Nearest;
use crate::edit::{self, Block};
use crate::format::duckflow::{self, Response, plan, reply};
use crate::format::llmd::{self, Project};
use crate::plan::{FileChange, Plan, Planner, Strategy};
use crate::world::Disk;

#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools)]
pub struct Arguments {
    /// The reply; `-` is stdin
    #[arg(value_name = "DOCUMENT", value_hint = clap::ValueHint::FilePath)]
    document: PathBuf,
    /// What is changed; `context` for an LLMD document, else `workspace`, unless this says otherwise
    #[arg(long, value_enum, value_name = "WHAT")]
    to: Option<Target>,
    /// Of an LLMD document, the entry whose blocks are applied; the last one otherwise
    #[arg(long, value_name = "N")]
    entry: Option<u64>,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Target {
    /// The files below the root
    Workspace,
    /// The document's own Code Context, Mission and Changelog
    Context,
}

pub fn run(arguments: &Arguments, global: &Global) -> anyhow::Result<Status> {
    let input = Input::read(&arguments.document)?;
    if let Some(offset) = input.broken {
        anyhow::bail!("{} is not UTF-8: the byte at offset {offset} begins no character", input.shown);
    }
    anyhow::ensure!(arguments.root.is_dir(), "{} is no folder", arguments.root.display());
    let root = std::path::absolute(&arguments.root)?;
    let (plan, root) = read(arguments, &input, &root)?;
    let refused = !plan.refusals.is_empty();
    let idle = arguments.dry_run || arguments.check;
    let stopped = refused && !arguments.partial;
    if !idle && !stopped {
        change_files(&plan.changes, root)?;
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
        complain(&format!("block {}{file}: {} [{}]", refusal.block, refusal.message, refusal.reason.name()));
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

/// The plan of a reply, however it is written, and the folder that it may not leave; the document itself is where it is.
fn read<'a>(arguments: &Arguments, input: &Input, root: &'a Path) -> anyhow::Result<(Plan, Option<&'a Path>)> {
    let world = Disk::default();
    let planner = Planner::new(&world, root).keeping_files(!arguments.overwrite);
    let document = Document::new(&input.text, input.path.as_deref(), &Config::default());
    if let Some(response) = document.model().as_any().downcast_ref::<Response>() {
        let blocks: Vec<u64> = plan::blocks(response, document.source()).into_iter().map(|(block, _)| block).collect();
        return Ok((plan::of_response(response, document.source(), planner, &blocks, &|| false), Some(root)));
    }
    if let Some(project) = document.model().as_any().downcast_ref::<Project>() {
        let blocks = llmd::plan::live(&project.layout, arguments.entry);
        if let Some(entry) = arguments.entry.filter(|_| blocks.is_empty()) {
            anyhow::bail!("{} has no entry {entry} with blocks", input.shown);
        }
        return match arguments.to.unwrap_or(Target::Context) {
            Target::Workspace => Ok((llmd::plan::to_workspace(&project.layout, &blocks, planner), Some(root))),
            Target::Context => {
                let path = input.path.as_deref().filter(|_| !input.shown.is_empty());
                let path = path.ok_or_else(|| anyhow::anyhow!("a document on stdin cannot be rewritten; name its file"))?;
                Ok((llmd::plan::of_document(&input.text, &project.layout, &blocks, path, &input.shown), None))
            }
        };
    }
    anyhow::ensure!(arguments.to != Some(Target::Context), "{} is no LLMD document: it has no Code Context", input.shown);
    let reply = reply::read(&input.text);
    if document.format().name == duckflow::FORMAT.name || reply.source == reply::ReplySource::Json {
        return Ok((plan::of_reply(&reply, planner), Some(root)));
    }
    let blocks = edit::read(&input.text);
    anyhow::ensure!(!blocks.is_empty(), "{} is no reply: it has neither actions nor edit blocks", input.shown);
    Ok((of_blocks(&blocks, planner), Some(root)))
}

/// What the edit blocks of a bare reply make of files.
fn of_blocks(blocks: &[Block], mut planner: Planner) -> Plan {
    planner.take_blocks(&(1..).zip(blocks).collect::<Vec<_>>());
    planner.finish()
}

fn said(change: &FileChange) -> String {
    let what = match (&change.before, &change.after) {
        (None, _) => "created",
        (_, None) => "deleted",
        _ => "changed",
    };
    format!("{what} {}", change.name)
}

/// The lines that come nearest to what a block looks for, and how they differ.
fn shown(nearest: &Nearest) -> Value {
    let differences = nearest
        .differences
        .iter()
        .map(|difference| json!({ "line": difference.line + 1, "want": difference.want, "have": difference.have, "kind": difference.kind.name() }));
    let similarity = (nearest.similarity * 1000.0).round() / 1000.0;
    json!({ "line": nearest.lines.start + 1, "line_end": nearest.lines.end, "similarity": similarity, "diff": differences.collect::<Vec<_>>() })
}

fn answer(plan: &Plan, written: &[FileChange], stopped: bool) -> Value {
    let applied = plan.applied.iter().filter(|applied| !stopped || applied.strategy == Strategy::AlreadyApplied);
    let applied = applied.map(|applied| {
        let (line, similarity) = (applied.line + 1, applied.similarity);
        json!({ "block": applied.block, "file": applied.file, "strategy": applied.strategy.name(), "line": line, "similarity": similarity })
    });
    let failed = plan.refusals.iter().map(|refusal| {
        let candidates: Vec<usize> = refusal.candidates.iter().map(|line| line + 1).collect();
        json!({
            "block": refusal.block, "file": refusal.file, "reason": refusal.reason.name(), "message": refusal.message,
            "nearest": refusal.nearest.as_ref().map(shown), "candidates": candidates,
        })
    });
    let written = written.iter().map(|change| &change.name);
    json!({ "applied": applied.collect::<Vec<_>>(), "failed": failed.collect::<Vec<_>>(), "written": written.collect::<Vec<_>>() })
}
