//! Many blocks on one text: all or nothing, or as many as can be.

use std::collections::HashMap;

use super::block::{Block, Dialect, Operation, Split};
use super::elision;
use super::lines::{Level, Lines};
use super::locate::{Clues, Failure, Found, Place, Tier, locate};
use super::merge::merge;
use super::nearest::{Nearest, nearest};
use super::occurrences::occurrences;
use super::reason::{Reason, Warning};
use super::repair::repairs;
use crate::text::{self, Edit};

/// A larger target is not searched.
const LARGEST: usize = 16 << 20;

/// What is to be done with the blocks of one file.
#[derive(Debug, Clone, Copy, Default)]
pub struct Request {
    /// Places that an author would be asked about are taken as confirmed.
    pub confirmed: bool,
    /// Each block is looked for in the text that the ones before it made, not first in the text as it was.
    pub sequential: bool,
}

/// A block that was applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    pub tier: Tier,
    pub score: f64,
    /// The line, counted from 0, of the text that the block was looked for in.
    pub line: usize,
    pub warnings: Vec<Warning>,
}

/// A block that was not.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    pub reason: Reason,
    /// The lines, counted from 0, where it could go.
    pub candidates: Vec<usize>,
    pub nearest: Option<Nearest>,
}

/// What blocks made of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// In the order of the blocks.
    pub results: Vec<Result<Applied, Refused>>,
    /// The text after all blocks that were applied; `None` where there is no file any more, or none yet.
    pub text: Option<String>,
}

impl Batch {
    /// Every block did what it says, or had done so before.
    pub fn is_complete(&self) -> bool {
        self.results.iter().all(|result| result.as_ref().map_or_else(|refused| refused.reason == Reason::AlreadyApplied, |_| true))
    }
}

impl Refused {
    fn because(reason: Reason) -> Self {
        Self { reason, candidates: Vec::new(), nearest: None }
    }
}

/// Applies blocks of one file to its text, `None` where there is no file.
pub fn apply(text: Option<&str>, blocks: &[&Block], request: Request) -> Batch {
    let mut run = Run { text: text.map(str::to_owned), pending: Vec::new(), request, ends: HashMap::new() };
    // Blocks that look for the same text share its occurrences, in order.
    let mut twins: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, block) in blocks.iter().enumerate() {
        if let Some(split) = block.splits.first() {
            twins.entry(split.search.as_str()).or_default().push(index);
        }
    }
    let mut results = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let twins = block.splits.first().and_then(|split| twins.get(split.search.as_str()));
        let rank = twins.map_or((0, 1), |twins| (twins.iter().position(|twin| *twin == index).unwrap_or_default(), twins.len()));
        results.push(run.block(block, rank));
    }
    run.settle();
    Batch { results, text: run.text }
}

struct Run {
    /// The text that blocks are looked for in.
    text: Option<String>,
    /// Edits of it that are decided: they do not overlap.
    pending: Vec<Edit>,
    request: Request,
    /// Behind the last block of each dialect that reads a file from top to bottom.
    ends: HashMap<Dialect, usize>,
}

/// A place, and the edits there.
struct Chosen {
    found: Found,
    edits: Vec<Edit>,
    line: usize,
    end: usize,
    warnings: Vec<Warning>,
}

impl Run {
    /// The pending edits are made; blocks after this see their result.
    fn settle(&mut self) {
        if let Some(text) = &self.text
            && !self.pending.is_empty()
        {
            self.pending.sort_by_key(|edit| (edit.span.start, edit.span.end));
            self.text = text::apply(text, &self.pending).ok().or_else(|| self.text.clone());
            self.pending.clear();
            self.ends.clear();
        }
    }

    fn block(&mut self, block: &Block, rank: (usize, usize)) -> Result<Applied, Refused> {
        if let Some(reason) = block.error {
            return Err(Refused::because(reason));
        }
        if self.text.as_ref().is_some_and(|text| text.len() > LARGEST) {
            return Err(Refused::because(Reason::TooLarge));
        }
        match &block.operation {
            Operation::Create => return self.create(block),
            Operation::Delete => {
                self.settle();
                return self.text.take().map(|_| applied_whole()).ok_or(Refused::because(Reason::FileMissing));
            }
            Operation::Edit | Operation::Move(_) => {}
        }
        if block.splits.iter().all(|split| split.search.trim().is_empty()) {
            return self.without_search(block);
        }
        if self.request.sequential {
            self.settle();
        }
        match self.find(block, rank) {
            Ok(chosen) => self.accept(block, chosen),
            Err(refused) if refused.reason == Reason::NotFound && !self.pending.is_empty() => {
                // What is not in the text as it was may be in the one that the blocks before made.
                let before = (self.text.clone(), self.pending.clone(), self.ends.clone());
                self.settle();
                match self.find(block, rank) {
                    Ok(chosen) => self.accept(block, chosen),
                    Err(again) => {
                        let old = before.0.clone().unwrap_or_default();
                        let overlaps = self.overlaps_pending(block, &old, &before.1);
                        (self.text, self.pending, self.ends) = before;
                        Err(if overlaps { Refused::because(Reason::Overlap) } else { again })
                    }
                }
            }
            Err(refused) => Err(refused),
        }
    }

    /// The place is in the old text, where another block has been already.
    fn overlaps_pending(&self, block: &Block, old: &str, pending: &[Edit]) -> bool {
        let target = Lines::new(old);
        block.splits.iter().any(|split| {
            let (search, replace) = (Lines::new(&split.search), Lines::new(&split.replace));
            let found = locate(&target, &search, &replace, Clues::default());
            found.is_ok_and(|found| overlap(&merge(&target, &search, &replace, &found), pending))
        })
    }

    fn accept(&mut self, block: &Block, chosen: Chosen) -> Result<Applied, Refused> {
        if chosen.found.confirm && !self.request.confirmed {
            return Err(Refused { reason: Reason::NeedsConfirmation, candidates: vec![chosen.line], nearest: None });
        }
        if overlap(&chosen.edits, &self.pending) {
            return Err(Refused { reason: Reason::Overlap, candidates: vec![chosen.line], nearest: None });
        }
        self.ends.insert(block.dialect, chosen.end);
        self.pending.extend(chosen.edits);
        let mut warnings = block.warnings.clone();
        warnings.extend(chosen.warnings);
        Ok(Applied { tier: chosen.found.tier, score: chosen.found.score, line: chosen.line, warnings })
    }

    fn create(&mut self, block: &Block) -> Result<Applied, Refused> {
        self.settle();
        let content = block.splits.first().map(|split| split.replace.clone()).unwrap_or_default();
        match &self.text {
            Some(text) if *text == content => Err(Refused::because(Reason::AlreadyApplied)),
            Some(text) if !text.trim().is_empty() => Err(Refused::because(Reason::FileExists)),
            _ => {
                self.text = Some(content);
                Ok(applied_whole())
            }
        }
    }

    /// Nothing is looked for: a file is made, or lines are put where the block says.
    fn without_search(&mut self, block: &Block) -> Result<Applied, Refused> {
        let Some(split) = block.splits.first() else { return Err(Refused::because(Reason::MissingDivider)) };
        if split.replace.is_empty() && split.search.is_empty() {
            return Err(Refused::because(Reason::NoOp));
        }
        if self.text.as_ref().is_none_or(|text| text.trim().is_empty()) {
            self.settle();
            self.text = Some(split.replace.clone());
            return Ok(applied_whole());
        }
        let ordered = matches!(block.dialect, Dialect::UnifiedDiff | Dialect::ApplyPatch);
        if !ordered || !split.search.is_empty() {
            let lines = |text: &str| Lines::new(text).keys(Level::Trailing).to_vec();
            if self.text.as_deref().map(lines) == Some(lines(&split.replace)) {
                return Err(Refused::because(Reason::AlreadyApplied));
            }
            let reason = if split.search.is_empty() { Reason::EmptySearchOnNonemptyFile } else { Reason::WhitespaceOnlySearch };
            return Err(Refused::because(reason));
        }
        let text = self.text.clone().unwrap_or_default();
        let target = Lines::new(&text);
        let line = match (anchored(&target, block, 0), block.hint) {
            (Some(line), _) => line,
            (None, _) if !block.anchors.is_empty() => return Err(Refused::because(Reason::NotFound)),
            (None, Some(hint)) => hint.min(target.len()),
            (None, None) => target.len(),
        };
        let nothing = Lines::new("");
        let alignment = super::locate::Alignment { lines: line..line, partners: Vec::new() };
        let found = Found::new(Tier::Exact, Place::Lines(alignment));
        let edits = merge(&target, &nothing, &Lines::new(&split.replace), &found);
        self.accept(block, Chosen { found, edits, line, end: line, warnings: Vec::new() })
    }

    fn find(&self, block: &Block, rank: (usize, usize)) -> Result<Chosen, Refused> {
        let Some(text) = &self.text else { return Err(Refused::because(Reason::FileMissing)) };
        let target = Lines::new(text);
        let mut best: Option<(Chosen, usize)> = None;
        let mut failure = Refused::because(Reason::NotFound);
        for split in &block.splits {
            match self.find_split(&target, block, split, rank) {
                Ok(chosen) => {
                    let length = split.search.len();
                    let better = best
                        .as_ref()
                        .is_none_or(|(old, known)| (chosen.found.tier, std::cmp::Reverse(length)) < (old.found.tier, std::cmp::Reverse(*known)));
                    if better {
                        best = Some((chosen, length));
                    }
                }
                Err(refused) if failure.reason == Reason::NotFound => failure = refused,
                Err(_) => {}
            }
        }
        match best {
            Some((chosen, _)) => Ok(chosen),
            None => {
                if failure.reason == Reason::NotFound {
                    failure.nearest = block.splits.first().and_then(|split| nearest(&target, &Lines::new(&split.search)));
                }
                Err(failure)
            }
        }
    }

    fn find_split(&self, target: &Lines, block: &Block, split: &Split, rank: (usize, usize)) -> Result<Chosen, Refused> {
        let (search, replace) = (Lines::new(&split.search), Lines::new(&split.replace));
        if split.search.trim().is_empty() {
            return Err(Refused::because(Reason::NotFound));
        }
        if split.search == split.replace {
            return Err(Refused::because(Reason::NoOp));
        }
        if elides(&search, &replace) {
            return Err(Refused::because(Reason::ElisionInReplace));
        }
        let ordered = matches!(block.dialect, Dialect::ApplyPatch);
        let from = if ordered { self.ends.get(&block.dialect).copied().unwrap_or_default() } else { 0 };
        let from = anchored(target, block, from).unwrap_or(from);
        let any_text = block.dialect == Dialect::Strings;
        let clues = Clues { line: block.hint.map(|hint| hint.saturating_sub(1)), at_end: split.at_end, any_text, from };
        let attempt = |search: &Lines, replace: &Lines, clues: Clues| match locate(target, search, replace, clues) {
            // A patch names the lines above where that matters: of several places the first is meant.
            Err(Failure::Ambiguous(mut found)) if ordered && !block.anchors.is_empty() => Ok(found.swap_remove(0)),
            Err(Failure::Ambiguous(mut found)) if found.len() == rank.1 && rank.0 < found.len() => Ok(found.swap_remove(rank.0)),
            Err(Failure::NotFound) if clues.from > 0 => locate(target, search, replace, Clues { from: 0, ..clues }),
            other => other,
        };
        let mut outcome = attempt(&search, &replace, clues);
        if outcome == Err(Failure::NotFound) {
            for repaired in repairs(&split.search, &split.replace) {
                let (search, replace) = (Lines::new(&repaired.search), Lines::new(&repaired.replace));
                let clues = Clues { line: repaired.line.map(|line| line.saturating_sub(1)).or(clues.line), ..clues };
                if repaired.search.trim().is_empty() {
                    continue;
                }
                match attempt(&search, &replace, clues) {
                    Ok(found) if found.tier < Tier::Elision => {
                        return self.chosen(target, block, (&search, &replace), split.final_break, found, vec![Warning::Repaired]);
                    }
                    Err(Failure::Ambiguous(found)) => outcome = Err(Failure::Ambiguous(found)),
                    _ => {}
                }
            }
        }
        match outcome {
            Err(Failure::Ambiguous(found)) if block.all => Ok(everywhere(target, &search, &replace, found)),
            Ok(found) => self.chosen(target, block, (&search, &replace), split.final_break, found, Vec::new()),
            Err(Failure::Ambiguous(found)) => {
                if is_there(target, &search, &replace) {
                    return Err(Refused::because(Reason::AlreadyApplied));
                }
                let candidates = found.iter().map(|found| found.line(target)).collect();
                Err(Refused { reason: Reason::Ambiguous, candidates, nearest: None })
            }
            Err(Failure::NotFound) if is_there(target, &search, &replace) => Err(Refused::because(Reason::AlreadyApplied)),
            Err(Failure::NotFound) if elision::count(&search) != elision::count(&replace) => Err(Refused::because(Reason::ElisionUnpaired)),
            Err(Failure::NotFound) => Err(Refused::because(Reason::NotFound)),
        }
    }

    fn chosen(
        &self,
        target: &Lines,
        block: &Block,
        (search, replace): (&Lines, &Lines),
        final_break: Option<bool>,
        found: Found,
        mut warnings: Vec<Warning>,
    ) -> Result<Chosen, Refused> {
        let line = found.line(target);
        if is_there_around(target, search, replace, line) {
            return Err(Refused::because(Reason::AlreadyApplied));
        }
        let mut edits = merge(target, search, replace, &found);
        if let (Some(wanted), Place::Lines(alignment)) = (final_break, &found.place)
            && alignment.lines.end == target.len()
        {
            end_text(target, &mut edits, wanted);
        }
        if edits.is_empty() {
            return Err(Refused::because(Reason::NoOp));
        }
        if block.hint.is_some_and(|hint| hint != line + 1) {
            warnings.push(Warning::HintDrift);
        }
        let end = match &found.place {
            Place::Lines(alignment) => alignment.lines.end,
            Place::Text { span, .. } => target.index_at(span.end),
        };
        Ok(Chosen { found, edits, line, end, warnings })
    }
}

/// The edits at every place; where two overlap, the first counts.
fn everywhere(target: &Lines, search: &Lines, replace: &Lines, places: Vec<Found>) -> Chosen {
    let mut edits: Vec<Edit> = Vec::new();
    for found in &places {
        let new = merge(target, search, replace, found);
        if !overlap(&new, &edits) {
            edits.extend(new);
        }
    }
    let line = places.first().map_or(0, |found| found.line(target));
    let found = places.into_iter().next().unwrap_or_else(|| Found::new(Tier::Exact, Place::Text { span: 0..0, trimmed: false }));
    Chosen { found, edits, line, end: line, warnings: Vec::new() }
}

/// Edits that reach the end of the text leave it with a final line break, or without.
fn end_text(target: &Lines, edits: &mut Vec<Edit>, wanted: bool) {
    let end = target.text().len();
    match edits.last_mut().filter(|edit| edit.span.end == end) {
        Some(edit) if edit.text.ends_with('\n') != wanted && !edit.text.is_empty() => {
            let bare = edit.text.trim_end_matches(['\n', '\r']).len();
            if wanted { edit.text.push_str(target.break_for(target.len())) } else { edit.text.truncate(bare) }
        }
        Some(_) => {}
        None if !wanted && target.text().ends_with('\n') => {
            let last = target.line(target.len().saturating_sub(1));
            edits.push(Edit::delete(last.end..last.next));
        }
        None => {}
    }
}

fn applied_whole() -> Applied {
    Applied { tier: Tier::Exact, score: 1.0, line: 0, warnings: Vec::new() }
}

fn overlap(edits: &[Edit], others: &[Edit]) -> bool {
    edits.iter().any(|edit| {
        others.iter().any(|other| {
            let same_place = edit.span == other.span && edit.span.is_empty();
            same_place || edit.span.start < other.span.end && other.span.start < edit.span.end
        })
    })
}

/// New text says `...` for lines that would be lost, and the old text does not.
fn elides(search: &Lines, replace: &Lines) -> bool {
    if elision::count(search) > 0 {
        return false;
    }
    let mut before = "";
    for line in replace.contents() {
        // The body of a stub: `def f():` and nothing in it.
        let stub = line.trim() == "..." && (before.trim_end().ends_with([':', '"']));
        if elision::is_elision(line) && !stub {
            return true;
        }
        before = if line.trim().is_empty() { before } else { line };
    }
    false
}

/// The new text stands in the target as the only thing of its kind, and the old one does not.
fn is_there(target: &Lines, search: &Lines, replace: &Lines) -> bool {
    let solid = replace.text().chars().filter(|character| !character.is_whitespace()).count();
    let places = occurrences(target.keys(Level::Trailing), replace.keys(Level::Trailing)).len();
    solid > 0 && places == 1 && occurrences(replace.keys(Level::Trailing), search.keys(Level::Trailing)).len() <= 1
}

/// The new text holds the old one, and stands around the place already.
fn is_there_around(target: &Lines, search: &Lines, replace: &Lines, line: usize) -> bool {
    let (new, old) = (replace.keys(Level::Trimmed), search.keys(Level::Trimmed));
    if new.len() <= old.len() {
        return false;
    }
    let keys = target.keys(Level::Trimmed);
    occurrences(new, old).into_iter().any(|offset| {
        let start = line.checked_sub(offset);
        start.and_then(|start| keys.get(start..start + new.len())) == Some(new)
    })
}

/// Behind the lines that a patch names above the place, one within the other.
fn anchored(target: &Lines, block: &Block, from: usize) -> Option<usize> {
    if block.anchors.is_empty() {
        return None;
    }
    let mut at = from;
    for anchor in &block.anchors {
        let wanted = anchor.trim();
        let line = (at..target.len())
            .find(|line| target.content(*line).trim() == wanted)
            .or_else(|| (at..target.len()).find(|line| target.content(*line).trim().starts_with(wanted)));
        at = line? + 1;
    }
    Some(at)
}
