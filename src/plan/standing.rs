//! The standing of edit blocks: where each one fits now, whether it's already applied, or why it
//! fits nowhere. A block sees the effects of earlier blocks on its file. Results are cached with
//! the text that they were computed for.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use rustc_hash::FxHasher;

use super::{Planner, Reason, describe, path, planner};
use crate::edit::Lines;
use crate::edit::batch::{self, Batch, Refused, Request};
use crate::edit::nearest::Nearest;
use crate::edit::{self, Block, Operation, Subject, Tier, Warning};
use crate::markdown::memo::Memo;
use crate::source::Source;
use crate::text::Span;
use crate::world::{EntryKind, World};

/// A block and its number in the document.
#[derive(Debug, Clone, Copy)]
pub struct Numbered<'a> {
    pub number: u64,
    pub block: &'a Block,
    pub entry: Option<usize>,
}

/// The standing of a block.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    pub number: u64,
    /// The block, in the document that contains it.
    pub span: Span,
    /// The file that it names.
    pub name: Option<String>,
    /// Where the block names it; `None` if an earlier block does.
    pub named: Option<Span>,
    /// The conversation entry that contains it.
    pub entry: Option<usize>,
    /// The path of that file, existing or not; `None` for a part of the document itself, or a
    /// forbidden path.
    pub path: Option<PathBuf>,
    /// The span of that part of the document.
    pub part: Option<Span>,
    pub state: State,
}

#[derive(Debug, Clone, PartialEq)]
pub enum State {
    /// Can be applied.
    Fits(Fit),
    /// Can be applied with the author's consent.
    Likely(Fit),
    /// The file already has the block's result.
    Done,
    Refused(Refusal),
}

/// Where a block fits, and how exactly.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    pub kind: FitKind,
    pub tier: Tier,
    /// From 0 to 1.
    pub score: f64,
    /// The lines of the old text, counted from 0.
    pub lines: Span,
    pub warnings: Vec<Warning>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FitKind {
    Edit,
    Create,
    Delete,
    /// An edit with a new name.
    Move,
}

/// Why a block doesn't fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    pub reason: Reason,
    /// One clause, without a full stop.
    pub message: String,
    /// The candidate lines, counted from 0.
    pub candidates: Vec<usize>,
    pub nearest: Option<Nearest>,
}

/// The standing of blocks against the files below `root`; blocks about the document itself are
/// skipped.
pub fn standings(
    world: &dyn World,
    root: &Path,
    blocks: &[Numbered],
    request: Request,
    cancelled: &dyn Fn() -> bool,
) -> Vec<Standing> {
    let mut found: Vec<Standing> = Vec::new();
    let mut places: HashMap<&str, Result<PathBuf, path::Refused>> = HashMap::new();
    let mut files: Vec<(PathBuf, Vec<(usize, Numbered)>)> = Vec::new();
    let mut known: HashMap<PathBuf, usize> = HashMap::new();
    let moves = moves(blocks);
    for numbered in blocks.iter().filter(|numbered| numbered.block.subject == Subject::File) {
        let block = numbered.block;
        let name = planner::named(block, request.strict);
        let place = match (block.error, name) {
            (Some(reason), _) => Err((reason.into(), planner::why(reason, block))),
            (None, None) => Err((Reason::MissingPath, Reason::MissingPath.message().to_owned())),
            (None, Some(name)) => {
                places.entry(name).or_insert_with(|| path::inside(world, root, name)).clone()
            }
        };
        let path = place.as_ref().ok().cloned();
        let state = match place {
            Ok(_) if matches!(block.operation, Operation::Move(_)) => moved(
                world,
                root,
                moves.get(&(name, &block.operation)).map(Vec::as_slice).unwrap_or_default(),
            ),
            Ok(path) => {
                let index = match known.entry(path.clone()) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(vacant) => {
                        files.push((path, Vec::new()));
                        *vacant.insert(files.len() - 1)
                    }
                };
                files
                    .get_mut(index)
                    .into_iter()
                    .for_each(|(_, blocks)| blocks.push((found.len(), *numbered)));
                State::Done
            }
            Err((reason, message)) => State::Refused(Refusal::because(reason, message)),
        };
        found.push(Standing { path, ..Standing::new(*numbered, state) });
    }
    for (path, blocks) in files {
        if cancelled() {
            return Vec::new();
        }
        let states = of_file(
            world,
            &path,
            &blocks.iter().map(|(_, numbered)| numbered.block).collect::<Vec<_>>(),
            request,
        );
        for ((index, _), state) in blocks.iter().zip(states) {
            found.get_mut(*index).into_iter().for_each(|standing| standing.state = state.clone());
        }
    }
    found
}

/// The blocks that rename a file, by its old and new name.
type Moves<'a> = HashMap<(Option<&'a str>, &'a Operation), Vec<(u64, &'a Block)>>;

fn moves<'a>(blocks: &[Numbered<'a>]) -> Moves<'a> {
    let mut found = Moves::new();
    for Numbered { number, block, .. } in
        blocks.iter().filter(|numbered| matches!(numbered.block.operation, Operation::Move(_)))
    {
        let name = block.path.as_ref().map(|path| path.text.as_str());
        found.entry((name, &block.operation)).or_default().push((*number, block));
    }
    found
}

/// The standing of blocks that rename a file, decided together.
fn moved(world: &dyn World, root: &Path, all: &[(u64, &Block)]) -> State {
    let mut planner = Planner::new(world, root);
    planner.take_blocks(all);
    let plan = planner.finish();
    match (plan.refusals.into_iter().next(), plan.changes.is_empty()) {
        (Some(refusal), _) => {
            let super::Refusal { reason, message, candidates, nearest, .. } = refusal;
            State::Refused(Refusal { reason, message, candidates, nearest })
        }
        (None, true) => State::Done,
        (None, false) => State::Fits(Fit {
            kind: FitKind::Move,
            tier: Tier::Exact,
            score: 1.0,
            lines: 0..0,
            warnings: Vec::new(),
        }),
    }
}

/// The standing of the blocks of one file.
fn of_file(world: &dyn World, path: &Path, blocks: &[&Block], request: Request) -> Vec<State> {
    let name =
        blocks.first().and_then(|block| block.path.as_ref()).map_or("", |path| path.text.as_str());
    let refused = |reason: Reason, message: String| {
        vec![State::Refused(Refusal::because(reason, message)); blocks.len()]
    };
    let source = match world.kind(path) {
        None => return of_text(None, blocks, name, request),
        Some(EntryKind::Folder) => {
            return refused(Reason::NotAFile, format!("`{name}` is a folder, not a file"));
        }
        Some(EntryKind::File) => match world.read(path) {
            Ok(source) => source,
            Err(error) => {
                return refused(
                    Reason::Unreadable,
                    format!("`{name}` can't be changed: the file {error}"),
                );
            }
        },
    };
    let decided = decided(&source, blocks, request);
    let states = decided
        .states
        .get_or_init(|| states(Some(&source.slice(0..source.len())), blocks, name, &decided));
    states.clone()
}

/// The results of applying blocks to one text, in order. Findings, lenses and hints are based on
/// this.
#[derive(Debug)]
pub struct Decided {
    pub results: Vec<Result<batch::Applied, Refused>>,
    places: Vec<Option<Span>>,
    states: OnceLock<Vec<State>>,
}

impl Decided {
    /// Applies the blocks to the contents, `None` if the file doesn't exist.
    pub fn new(text: Option<&str>, blocks: &[&Block], request: Request) -> Self {
        let Batch { results, places, .. } = edit::apply(text, blocks, request);
        Self { results, places, states: OnceLock::new() }
    }
}

/// The same, cached with the file's text.
pub fn decided(source: &Source, blocks: &[&Block], request: Request) -> Arc<Decided> {
    remembered(source.memo(), blocks, request, || {
        Decided::new(Some(&source.slice(0..source.len())), blocks, request)
    })
}

/// The standing of blocks against the contents, `None` if the file doesn't exist.
pub fn of_text(text: Option<&str>, blocks: &[&Block], name: &str, request: Request) -> Vec<State> {
    states(text, blocks, name, &Decided::new(text, blocks, request))
}

fn states(text: Option<&str>, blocks: &[&Block], name: &str, decided: &Decided) -> Vec<State> {
    let text = text.map(|text| Arc::new(Lines::new(text)));
    let mut there = text.is_some();
    let states =
        blocks.iter().zip(&decided.results).zip(&decided.places).map(|((block, result), lines)| {
            let state = state(text.as_ref(), block, result.clone(), lines.clone(), name, there);
            if let State::Fits(fit) = &state {
                there = fit.kind != FitKind::Delete;
            }
            state
        });
    states.collect()
}

/// The state that follows from a block's result. `there`: the file exists at that point.
pub fn state(
    text: Option<&Arc<Lines>>,
    block: &Block,
    result: Result<batch::Applied, Refused>,
    lines: Option<Span>,
    name: &str,
    there: bool,
) -> State {
    match result {
        Ok(applied) => {
            let kind = match block.operation {
                Operation::Delete => FitKind::Delete,
                Operation::Create => FitKind::Create,
                _ if !there => FitKind::Create,
                _ => FitKind::Edit,
            };
            State::Fits(fit(applied, lines, kind))
        }
        Err(refused) if refused.reason == edit::Reason::AlreadyApplied => State::Done,
        Err(refused)
            if matches!(
                refused.reason,
                edit::Reason::NeedsConfirmation | edit::Reason::SplitAmbiguous
            ) =>
        {
            if let Some(offered) = refused.offered {
                return State::Likely(fit(offered.applied, Some(offered.lines), FitKind::Edit));
            }
            let request = Request { confirmed: true, ..Request::default() };
            let mut batch = edit::apply_to(text.cloned(), &[block], request);
            match batch.results.pop() {
                Some(Ok(applied)) => {
                    State::Likely(fit(applied, batch.places.pop().flatten(), FitKind::Edit))
                }
                _ => State::Refused(Refusal::of(refused, name)),
            }
        }
        Err(refused) => State::Refused(Refusal::of(refused, name)),
    }
}

fn fit(applied: batch::Applied, lines: Option<Span>, kind: FitKind) -> Fit {
    let lines = lines.unwrap_or(applied.line..applied.line);
    Fit { kind, tier: applied.tier, score: applied.score, lines, warnings: applied.warnings }
}

impl Standing {
    pub fn new(numbered: Numbered, state: State) -> Self {
        let Numbered { number, block, entry } = numbered;
        let named =
            block.path.as_ref().filter(|path| !path.inherited).map(|path| path.span.clone());
        let name = block.path.as_ref().map(|path| path.text.clone());
        Self { number, span: block.span.clone(), name, named, entry, path: None, part: None, state }
    }

    /// The block's place, once confirmed.
    pub fn fit(&self) -> Option<&Fit> {
        match &self.state {
            State::Fits(fit) | State::Likely(fit) => Some(fit),
            State::Done | State::Refused(_) => None,
        }
    }

    /// The lines, counted from 0, to show to the author.
    pub fn lines(&self) -> Option<Span> {
        match &self.state {
            State::Fits(fit) | State::Likely(fit) => {
                (fit.kind == FitKind::Edit).then(|| fit.lines.clone())
            }
            State::Refused(refusal) => {
                let candidate = refusal.candidates.first().map(|line| *line..*line + 1);
                candidate.or_else(|| refusal.nearest.as_ref().map(|nearest| nearest.lines.clone()))
            }
            State::Done => None,
        }
    }
}

impl Refusal {
    pub fn because(reason: Reason, message: String) -> Self {
        Self { reason, message, candidates: Vec::new(), nearest: None }
    }

    pub fn of(refused: Refused, name: &str) -> Self {
        Self {
            reason: refused.reason.into(),
            message: describe(&refused, name),
            candidates: refused.candidates,
            nearest: refused.nearest,
        }
    }
}

/// Decisions about blocks in one file's contents, by the hash of the blocks. Edited contents start
/// without any.
#[derive(Debug, Default)]
struct Remembered(Mutex<Vec<(u64, Arc<Decided>)>>);

/// Few documents depend on one file at the same time.
const MOST: usize = 8;

/// The cached result for blocks and contents, or the result of `find`.
fn remembered(
    memo: &Memo,
    blocks: &[&Block],
    request: Request,
    find: impl FnOnce() -> Decided,
) -> Arc<Decided> {
    let memo = memo.get::<Remembered>();
    let key = key(blocks, request);
    let known = || memo.0.lock();
    if let Some((_, decided)) = known().iter().find(|(known, _)| *known == key) {
        return Arc::clone(decided);
    }
    let decided = Arc::new(find());
    let mut known = known();
    if known.len() >= MOST {
        known.remove(0);
    }
    known.push((key, Arc::clone(&decided)));
    decided
}

fn key(blocks: &[&Block], request: Request) -> u64 {
    let mut hasher = FxHasher::default();
    request.hash(&mut hasher);
    for block in blocks {
        block.dialect.hash(&mut hasher);
        block.splits.hash(&mut hasher);
        block.operation.hash(&mut hasher);
        (block.hint, block.all, &block.anchors, &block.warnings).hash(&mut hasher);
        block.path.as_ref().map(|path| &path.text).hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::super::Planner;
    use super::*;
    use crate::world::Memory;

    fn shown(world: &Memory, text: &str) -> Vec<String> {
        let blocks = edit::read(text);
        let numbered: Vec<Numbered> = (1..)
            .zip(&blocks)
            .map(|(number, block)| Numbered { number, block, entry: None })
            .collect();
        let said = |state: State| match state {
            State::Fits(fit) => format!("{:?} {} {:?}", fit.kind, fit.tier.name(), fit.lines),
            State::Likely(fit) => format!("likely {} {:?}", fit.tier.name(), fit.lines),
            State::Done => "done".to_owned(),
            State::Refused(refusal) => {
                format!("{} {:?}", refusal.reason.name(), refusal.candidates)
            }
        };
        standings(world, Path::new("/w"), &numbered, Request::default(), &|| false)
            .into_iter()
            .map(|standing| said(standing.state))
            .collect()
    }

    fn block(path: &str, search: &str, replace: &str) -> String {
        format!("{path}\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n\n")
    }

    #[test]
    fn llmd_14_blocks_that_depend_on_earlier_ones_are_found() {
        let world =
            Memory::default().with("/w/a.rs", "one\ntwo\nthree\nfour\n").with("/w/b.rs", "x\n");
        let text = [
            block("a.rs", "two\n", "2\n"),
            block("b.rs", "x\n", "y\n"),
            block("a.rs", "2\n", "zwei\n"),
            block("a.rs", "four\n", "4\n"),
        ]
        .concat();
        assert_eq!(
            shown(&world, &text),
            ["Edit exact 1..2", "Edit exact 0..1", "Edit exact 1..2", "Edit exact 3..4"]
        );
    }

    #[test]
    fn llmd_12_13_14_15_every_state() {
        let world = Memory::default().with(
            "/w/a.rs",
            "one\none\nzwei\nlonger line that is here\nanother one there\nand a third line\n",
        );
        let likely = block(
            "a",
            "longer line that is here\nanothar one thare\nand a third line\n",
            "longer line that is here\nanothar one thare\nand a fourth line\n",
        );
        let text = [
            block("a.rs", "one\n", "1\n"),
            block("a.rs", "two\n", "zwei\n"),
            block("a.rs", "nothing like it\n", "x\n"),
            likely,
            block("new.rs", "", "text\n"),
            block("../out.rs", "a\n", "b\n"),
            block("none.rs", "a\n", "b\n"),
        ]
        .concat();
        let expected = [
            "ambiguous [0, 1]",
            "done",
            "not_found []",
            "likely fuzzy 3..6",
            "Create exact 0..0",
            "path_outside_root []",
            "file_missing []",
        ];
        assert_eq!(shown(&world, &text), expected);
    }

    #[test]
    fn blocks_that_move_a_file_are_decided_together() {
        let world = Memory::default().with("/w/a.rs", "one\ntwo\n");
        let moves = |from: &str, line: &str| {
            format!("*** Update File: {from}\n*** Move to: new/{from}\n@@\n-{line}\n+x\n")
        };
        let input = |count: usize| {
            let missing: String =
                (0..count).map(|number| moves(&format!("{number}.rs"), "one")).collect();
            (
                count,
                format!(
                    "*** Begin Patch\n{}@@\n-two\n+y\n{missing}*** End Patch\n",
                    moves("a.rs", "one")
                ),
            )
        };
        crate::growth::is_linear("moves", 4000, input, |(count, text)| {
            let found = shown(&world, &text);
            assert_eq!(
                found.get(..3).unwrap(),
                ["Move exact 0..0", "Move exact 0..0", "file_missing []"]
            );
            assert_eq!(found.len(), count + 2);
        });
    }

    #[test]
    fn standings_agree_with_plans() {
        let world =
            Memory::default().with("/w/a.rs", "one\ntwo\nthree\n").with("/w/b.rs", "x\nx\n");
        let text = [
            block("a.rs", "two\n", "2\n"),
            block("b.rs", "x\n", "y\n"),
            block("a.rs", "2\n", "zwei\n"),
            block("c.rs", "", "c\n"),
        ]
        .concat();
        let blocks = edit::read(&text);
        let numbered: Vec<(u64, &Block)> = (1..).zip(&blocks).collect();
        let mut planner = Planner::new(&world, Path::new("/w"));
        planner.take_blocks(&numbered);
        let applied: Vec<u64> =
            planner.finish().applied.iter().map(|applied| applied.block).collect();
        let numbered: Vec<Numbered> = numbered
            .into_iter()
            .map(|(number, block)| Numbered { number, block, entry: None })
            .collect();
        let standings =
            standings(&world, Path::new("/w"), &numbered, Request::default(), &|| false);
        let fits: Vec<u64> = standings
            .iter()
            .filter(|standing| matches!(standing.state, State::Fits(_)))
            .map(|standing| standing.number)
            .collect();
        assert_eq!(fits, applied);
        assert_eq!(fits, [1, 3, 4]);
    }

    #[test]
    fn results_are_cached_with_the_text() {
        let source = crate::source::Source::new("one\n");
        let blocks = edit::read(&block("a.rs", "one\n", "two\n"));
        let blocks: Vec<&Block> = blocks.iter().collect();
        let mut times = 0;
        for _ in 0..3 {
            remembered(source.memo(), &blocks, Request::default(), || {
                times += 1;
                Decided::new(Some("one\n"), &blocks, Request::default())
            });
        }
        assert_eq!(times, 1);
    }
}
