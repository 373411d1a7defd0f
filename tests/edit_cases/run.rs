//! Runs a case.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use agentmd::edit::{self, Batch, Block, Dialect, Lines, Place};
use agentmd::plan::Planner;
use agentmd::world::Memory;
use serde_json::Value;

use super::case::Case;

/// The result of a case.
#[derive(Debug)]
pub enum Outcome {
    /// Blocks applied to one file.
    Text { blocks: Vec<Block>, batch: Batch },
    /// Blocks applied to several files: the files afterwards, and the reasons for refusals.
    Files { files: BTreeMap<String, String>, reasons: Vec<String> },
    /// Blocks that are only parsed.
    Blocks(Vec<Block>),
    /// The matching text.
    Place(Result<String, &'static str>),
}

impl Outcome {
    /// The reasons for refusals, or `no_block`.
    pub fn reasons(&self) -> Vec<&str> {
        match self {
            Self::Text { blocks, .. } if blocks.is_empty() => vec!["no_block"],
            Self::Text { batch, .. } => batch
                .results
                .iter()
                .filter_map(|result| result.as_ref().err())
                .map(|refused| refused.reason.name())
                .collect(),
            Self::Files { reasons, .. } => reasons.iter().map(String::as_str).collect(),
            Self::Blocks(blocks) if blocks.is_empty() => vec!["no_block"],
            Self::Blocks(blocks) => {
                blocks.iter().filter_map(|block| block.error).map(edit::Reason::name).collect()
            }
            Self::Place(found) => found.as_ref().err().copied().into_iter().collect(),
        }
    }
}

pub fn run(case: &Case) -> Outcome {
    let reply = case.block_text.as_deref().unwrap_or_default();
    match case.kind.as_str() {
        "parse" => Outcome::Blocks(edit::read(reply)),
        "locate-substring" | "locate" => place(case),
        "apply-multi" => files(case, reply),
        "apply-document" => document(case),
        kind => {
            let blocks =
                if !case.edits.is_empty() || kind == "apply-substring" && case.search.is_some() {
                    strings(case)
                } else {
                    edit::read(reply)
                };
            match absolute(&blocks) {
                Some(reason) => Outcome::Files { files: BTreeMap::new(), reasons: vec![reason] },
                None => text(case, blocks, kind == "apply-substring"),
            }
        }
    }
}

/// The reason for refusing a path outside the folder, which a plan checks first.
fn absolute(blocks: &[Block]) -> Option<String> {
    let world = Memory::default().in_folder("/w").with("/w/other", "");
    let mut planner = Planner::new(&world, Path::new("/w"));
    let outside = blocks
        .iter()
        .filter(|block| block.path.as_ref().is_some_and(|path| path.text.starts_with("/etc")));
    planner.take_blocks(&outside.map(|block| (0, block)).collect::<Vec<_>>());
    planner.finish().refusals.first().map(|refusal| refusal.reason.name().to_owned())
}

fn text(case: &Case, mut blocks: Vec<Block>, sequential: bool) -> Outcome {
    let path = case.path.as_deref().unwrap_or_default();
    let names = |block: &Block| block.path.as_ref().map(|path| path.text.clone());
    // If the reply is about several files, keep only the blocks for this one.
    if blocks.iter().any(|block| names(block).as_deref() == Some(path)) {
        blocks.retain(|block| names(block).is_none_or(|named| named == path));
    }
    for block in &mut blocks {
        block.hint =
            block.hint.or(case.option("start_line").and_then(|line| usize::try_from(line).ok()));
    }
    let mine: Vec<&Block> = blocks.iter().collect();
    let batch = edit::apply(
        case.file_before.as_deref(),
        &mine,
        edit::batch::Request { confirmed: true, sequential, ..edit::batch::Request::default() },
    );
    Outcome::Text { batch, blocks }
}

/// The edits with old and new text.
fn strings(case: &Case) -> Vec<Block> {
    let one =
        |old: &str, new: &str, all: bool| Block { all, ..Block::of(Dialect::Strings, old, new) };
    if !case.edits.is_empty() {
        return case.edits.iter().map(|edit| one(&edit.old, &edit.new, edit.all)).collect();
    }
    let all = case.options["replace_all"].as_bool().unwrap_or_default();
    case.search.iter().zip(&case.replace).map(|(old, new)| one(old, new, all)).collect()
}

fn files(case: &Case, reply: &str) -> Outcome {
    let world = case
        .files_before
        .iter()
        .fold(Memory::default(), |world, (path, text)| world.with(format!("/w/{path}"), text))
        .with("/w/-", "");
    let blocks = edit::read(reply);
    let mut planner = Planner::new(&world, Path::new("/w"));
    planner.take_blocks(&(1..).zip(&blocks).collect::<Vec<_>>());
    let plan = planner.finish();
    let mut files = case.files_before.clone();
    for change in &plan.changes {
        let name = change.path.strip_prefix("/w").unwrap().to_str().unwrap().to_owned();
        match &change.after {
            Some(text) => files.insert(name, text.clone()),
            None => files.remove(&name),
        };
    }
    let mut reasons: Vec<String> =
        plan.refusals.iter().map(|refusal| refusal.reason.name().to_owned()).collect();
    if blocks.is_empty() {
        reasons.push("no_block".to_owned());
    }
    Outcome::Files { files, reasons }
}

/// Documents that contain blocks for themselves, which only the command line applies.
fn document(case: &Case) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let name = case.path.as_deref().unwrap();
    std::fs::write(folder.path().join(name), case.before()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_agentmd"))
        .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .args(["apply", "--json", name])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    let reasons = said["failed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|refusal| refusal["reason"].as_str().unwrap().to_owned())
        .collect();
    let after = std::fs::read_to_string(folder.path().join(name)).unwrap();
    Outcome::Files { files: BTreeMap::from([(name.to_owned(), after)]), reasons }
}

fn place(case: &Case) -> Outcome {
    let (target, search) =
        (Lines::new(case.before()), Lines::new(case.search.as_deref().unwrap_or_default()));
    let clues = edit::locate::Clues { any_text: true, ..edit::locate::Clues::default() };
    let found = edit::locate(&target, &search, &Lines::new(""), clues);
    Outcome::Place(match found {
        Ok(found) => Ok(match found.place {
            Place::Text { span, .. } => target.text()[span].to_owned(),
            Place::Lines(alignment) => target.text()[target.span(alignment.lines)].to_owned(),
        }),
        Err(edit::locate::Failure::NotFound) => Err("not_found"),
        Err(edit::locate::Failure::Ambiguous(_)) => Err("ambiguous"),
    })
}
