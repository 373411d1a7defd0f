//! Applies many blocks to one file's contents: all of them, or as many as possible.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::block::{Block, Dialect, Extent, LAST_LINE, Operation, Split};
use super::choose::{Chosen, find};
use super::fresh::{Allowance, Fresh};
use super::hidden::{Hidden, hidden};
use super::lines::{Level, Lines};
use super::listing::{self, Judgement, at_lines, holds_edits, judge, marks_changes};
use super::locate::Tier;
use super::nearest::{Nearest, nearest};
use super::origin::Origin;
use super::pending::Pending;
use super::places::Places;
use super::reason::{Reason, Warning};
use super::repeated::Repeated;
use super::settled::{settle_deletions, supersede};
use super::{addition, elision, hashline, lazy};
use crate::text::{Edit, Span};

/// The byte order mark.
const MARK: char = '\u{feff}';

/// A larger target is not searched.
const LARGEST: usize = 16 << 20;

/// How to apply the blocks of one file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Request {
    /// Places that need the author's consent are treated as confirmed.
    pub confirmed: bool,
    /// Search for each block in the result of the blocks before it, without trying the original
    /// contents first.
    pub sequential: bool,
    /// LLMD's rules: only whole lines match, each block is located in the result of the blocks
    /// before it, and an empty SEARCH appends its lines.
    pub strict: bool,
    /// A block that creates a file may replace an existing one with different content.
    pub overwrites: bool,
}

impl Request {
    /// The request for the blocks of LLMD documents.
    pub fn strict(confirmed: bool) -> Self {
        Self { confirmed, sequential: true, strict: true, overwrites: false }
    }
}

/// A block that was applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    pub tier: Tier,
    pub score: f64,
    /// The line, counted from 0, in the contents that were searched.
    pub line: usize,
    pub warnings: Vec<Warning>,
}

/// A block that wasn't applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    pub reason: Reason,
    /// The candidate lines, counted from 0.
    pub candidates: Vec<usize>,
    pub nearest: Option<Nearest>,
    /// The place that the author can consent to.
    pub offered: Option<Box<Offered>>,
}

/// A place that needs the author's consent.
#[derive(Debug, Clone, PartialEq)]
pub struct Offered {
    pub applied: Applied,
    /// The lines, counted from 0, of the original contents.
    pub lines: Span,
}

/// The result of applying blocks.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch<Text = String> {
    /// In block order.
    pub results: Vec<Result<Applied, Refused>>,
    /// For each block with a place, its lines in the original contents; for lines that earlier
    /// blocks wrote, the place where they wrote them.
    pub places: Vec<Option<Span>>,
    /// The contents after all applied blocks; `None` if the file doesn't exist, or no longer
    /// exists.
    pub text: Option<Text>,
}

impl<Text> Batch<Text> {
    /// Every block was applied, had been applied before, or changes nothing.
    pub fn is_complete(&self) -> bool {
        self.results.iter().all(|result| result.as_ref().map_or_else(Refused::is_settled, |_| true))
    }
}

impl Refused {
    /// Nothing to do: reported, but it doesn't stop other blocks.
    pub fn is_settled(&self) -> bool {
        matches!(self.reason, Reason::AlreadyApplied | Reason::NoOp)
    }

    pub fn because(reason: Reason) -> Self {
        Self { reason, candidates: Vec::new(), nearest: None, offered: None }
    }
}

/// Applies the blocks of one file to its contents; `None` if the file doesn't exist.
pub fn apply(text: Option<&str>, blocks: &[&Block], request: Request) -> Batch {
    let lines = text.map(|text| Arc::new(Lines::new(text)));
    let Batch { results, places, text } = apply_to(lines, blocks, request);
    let owned = |lines| match Arc::try_unwrap(lines) {
        Ok(lines) => Lines::into_text(lines),
        Err(lines) => lines.text().to_owned(),
    };
    Batch { results, places, text: text.map(owned) }
}

/// The same for shared contents: lookups for one block are reused for the next. If nothing changes,
/// the result is the same contents.
pub fn apply_to<'t>(
    text: Option<Arc<Lines<'t>>>,
    blocks: &[&Block],
    request: Request,
) -> Batch<Arc<Lines<'t>>> {
    let added = text.as_ref().is_some_and(|text| addition::are_there(text, blocks));
    let mut run = Run {
        existed: text.is_some(),
        text,
        pending: Pending::default(),
        fresh: Fresh::default(),
        allowance: Allowance::default(),
        request,
        ends: HashMap::new(),
        origin: Origin::default(),
        place: None,
        done: HashSet::new(),
        repeated: Repeated::default(),
        sought: Places::default(),
        missing: HashMap::new(),
        changes: 0,
        added,
    };
    // Blocks of one dialect with the same SEARCH text share its occurrences, in order.
    let search = |block: &Block| {
        let text = block.splits.first().map(|split| split.search.clone()).unwrap_or_default();
        (block.dialect, text)
    };
    let mut ranks: HashMap<(Dialect, String), (usize, usize)> = HashMap::new();
    for block in blocks {
        ranks.entry(search(block)).or_default().1 += 1;
    }
    let (mut results, mut places) = (Vec::new(), Vec::new());
    for block in blocks {
        let rank = ranks.get_mut(&search(block)).map_or((0, 1), |rank| {
            rank.0 += 1;
            (rank.0 - 1, rank.1)
        });
        // Sequential requests don't count the blocks that follow.
        let result = run.block(block, if request.strict { (0, 1) } else { rank });
        run.changes += usize::from(result.is_ok());
        results.push(result);
        places.push(run.place.take());
    }
    run.settle();
    supersede(blocks, &mut results);
    settle_deletions(blocks, &mut results);
    Batch { results, places, text: run.text }
}

/// What a block looks for.
type Sought<'b> = (Dialect, &'b [Split], &'b [String], Option<usize>);

struct Run<'t, 'b> {
    /// The contents that blocks are located in.
    text: Option<Arc<Lines<'t>>>,
    /// Decided edits of these contents.
    pending: Pending,
    /// The text that these edits insert.
    fresh: Fresh,
    /// Searches of the edited contents.
    allowance: Allowance,
    request: Request,
    /// The file existed before all blocks.
    existed: bool,
    /// The line after the last block, for each dialect that reads a file from top to bottom.
    ends: HashMap<Dialect, usize>,
    origin: Origin,
    /// The place of the current block.
    place: Option<Span>,
    /// The old and the new text of applied blocks.
    done: HashSet<&'b [Split]>,
    /// The edits of the contents so far, to recognise repeated ones.
    repeated: Repeated,
    /// The places of SEARCH text that several blocks share.
    sought: Places,
    /// Blocks that weren't found, and the number of changes at that time.
    missing: HashMap<Sought<'b>, (usize, Refused)>,
    changes: usize,
    /// The file already has all lines that blocks add at a number.
    added: bool,
}

impl<'b> Run<'_, 'b> {
    /// Makes the pending edits, so that later blocks see their result.
    fn settle(&mut self) {
        if let Some(text) = &self.text
            && !self.pending.is_empty()
        {
            self.origin.take(text, self.pending.edits());
            let Some(next) = self.pending.take(text) else { return };
            self.text = Some(Arc::new(next));
            self.ends.clear();
            self.repeated.clear();
            self.sought.clear();
            self.changes += 1;
            self.fresh = Fresh::default();
        }
    }

    fn is_blank(&self) -> bool {
        self.text.as_ref().is_none_or(|lines| lines.text().trim().is_empty())
    }

    fn block(&mut self, block: &'b Block, rank: (usize, usize)) -> Result<Applied, Refused> {
        if let Some(reason) = block.error {
            return Err(Refused::because(reason));
        }
        if self.text.as_ref().is_some_and(|lines| lines.text().len() > LARGEST) {
            return Err(Refused::because(Reason::TooLarge));
        }
        match &block.operation {
            Operation::Create => return self.create(block),
            Operation::Replace if self.text.is_none() => {
                return Err(Refused::because(Reason::FileMissing));
            }
            Operation::Write | Operation::Replace => return self.write(block),
            Operation::Listing { extent } => return self.listing(block, *extent),
            Operation::Lines(lines) => return self.at_lines(block, lines),
            Operation::Lazy => return self.lazy(block),
            Operation::Delete => return self.delete(block),
            Operation::Move(_)
                if block
                    .splits
                    .iter()
                    .all(|split| split.search.is_empty() && split.replace.is_empty()) =>
            {
                return self
                    .text
                    .as_ref()
                    .map(|_| applied_whole())
                    .ok_or(Refused::because(Reason::FileMissing));
            }
            Operation::Edit | Operation::Move(_) => {}
        }
        let mut splits = block.splits.iter();
        // A file without content has no old text: only an empty one fits.
        if splits.clone().all(|split| split.search.trim().is_empty())
            || self.is_blank() && splits.any(|split| split.search.is_empty())
        {
            return self.without_search(block);
        }
        // All occurrences include those that earlier blocks wrote.
        let all = block.all && block.splits.iter().any(|split| self.fresh.holds(&split.search));
        if self.request.sequential || all {
            self.settle();
        }
        if let (Some(count), Some(text), Some(split)) =
            (block.count, &self.text, block.splits.first())
        {
            // If the count differs from the expected one, the block was written for another version
            // of the file.
            let found = text.text().matches(split.search.as_str()).count();
            if found > 0 && found != count {
                return Err(Refused::because(Reason::Ambiguous));
            }
        }
        let Some(text) = &self.text else { return Err(Refused::because(Reason::FileMissing)) };
        let from = self.ends.get(&block.dialect).copied().unwrap_or_default();
        let same = (block.dialect, block.splits.as_slice(), block.anchors.as_slice(), block.hint);
        if let Some((_, refused)) =
            self.missing.get(&same).filter(|(changes, _)| *changes == self.changes)
        {
            return Err(refused.clone());
        }
        match find(text, block, rank, from, &mut self.sought) {
            Err(refused) if matches!(refused.reason, Reason::NotFound | Reason::AlreadyApplied) => {
                if let Some(found) = self.find_made(block, rank, refused.reason) {
                    let chosen = found?;
                    self.settle();
                    return self.accept(block, chosen);
                }
                if refused.reason == Reason::AlreadyApplied {
                    return Err(refused);
                }
                let Some(text) = &self.text else { return Err(refused) };
                let nearest = block
                    .splits
                    .first()
                    .and_then(|split| nearest(text, &Lines::new(&split.search)));
                let refused = Refused { nearest, ..refused };
                self.missing.insert(same, (self.changes, refused.clone()));
                Err(refused)
            }
            found => self.accept(block, found?),
        }
    }

    /// Text that isn't in the original contents may be in the result of earlier blocks. A block
    /// that seems to be applied already must still be applied if it searches for text that they
    /// wrote.
    fn find_made(
        &mut self,
        block: &Block,
        rank: (usize, usize),
        reason: Reason,
    ) -> Option<Result<Chosen, Refused>> {
        let text = self.text.as_ref().filter(|_| !self.pending.is_empty())?;
        let may = block.splits.iter().any(|split| {
            self.allowance.allows(text.text().len()) || self.fresh.may_hold(&split.search)
        });
        let written = if may { self.pending.written() } else { return None };
        let next = self.pending.next(text)?;
        let found = find(next, block, rank, 0, &mut Places::default());
        if reason == Reason::NotFound {
            return found.ok().map(Ok);
        }
        let made = |lines: Span| {
            let last = next.line(lines.end.max(lines.start + 1) - 1).end;
            let span = next.line(lines.start).start..last;
            written.iter().any(|made| made.start <= span.end && span.start <= made.end)
        };
        match found {
            Ok(chosen) => {
                (!chosen.found.confirm && made(chosen.line..chosen.end)).then_some(Ok(chosen))
            }
            Err(refused) => (refused.reason == Reason::Ambiguous
                && refused.candidates.iter().all(|line| made(*line..line + 1)))
            .then_some(Err(refused)),
        }
    }

    fn accept(&mut self, block: &'b Block, chosen: Chosen) -> Result<Applied, Refused> {
        let within = self.request.strict && chosen.found.tier >= Tier::Substring;
        let unclear =
            within || chosen.found.confirm || block.warnings.contains(&Warning::UnclearMarker);
        if (unclear || chosen.divided) && !self.request.confirmed {
            let lines = self.origin.of(&(chosen.line..chosen.end.max(chosen.line)));
            let applied = Applied {
                tier: chosen.found.tier,
                score: chosen.found.score,
                line: chosen.line,
                warnings: chosen.warnings,
            };
            let reason = if unclear { Reason::NeedsConfirmation } else { Reason::SplitAmbiguous };
            let offered = Some(Box::new(Offered { applied, lines }));
            return Err(Refused {
                candidates: vec![chosen.line],
                offered,
                ..Refused::because(reason)
            });
        }
        let edits = self.new_edits(block, chosen.edits, chosen.line)?;
        self.place = Some(self.origin.of(&(chosen.line..chosen.end.max(chosen.line))));
        self.ends.insert(block.dialect, chosen.end);
        if let Some(text) = self.text.as_ref().filter(|_| !self.request.sequential) {
            self.fresh.take(text, &edits);
        }
        self.pending.extend(edits);
        self.done.insert(&block.splits);
        let mut warnings = block.warnings.clone();
        warnings.extend(chosen.warnings);
        Ok(Applied {
            tier: chosen.found.tier,
            score: chosen.found.score,
            line: chosen.line,
            warnings,
        })
    }

    /// The edits of a block that no earlier block makes: a reply may show a change twice.
    fn new_edits(
        &mut self,
        block: &'b Block,
        edits: Vec<Edit>,
        line: usize,
    ) -> Result<Vec<Edit>, Refused> {
        let Some(text) = &self.text else { return Ok(edits) };
        let overlap = || Refused { candidates: vec![line], ..Refused::because(Reason::Overlap) };
        let new = match self.repeated.rest(text, &self.pending, block.dialect, &edits) {
            // The same block again.
            None if self.done.contains(block.splits.as_slice()) => Vec::new(),
            None => return Err(overlap()),
            Some(new) => new,
        };
        if new.is_empty() && !edits.is_empty() {
            return Err(Refused::because(Reason::AlreadyApplied));
        }
        self.repeated.take(text, block.dialect, &new);
        Ok(new)
    }

    /// Deletes the file if it contains everything that the block shows of it.
    fn delete(&mut self, block: &Block) -> Result<Applied, Refused> {
        self.settle();
        let Some(text) = &self.text else {
            // An earlier block deleted the file.
            let reason = if self.existed { Reason::AlreadyApplied } else { Reason::FileMissing };
            return Err(Refused::because(reason));
        };
        if let Some(split) = block.splits.first().filter(|split| !split.search.trim().is_empty()) {
            let shown = Lines::new(&split.search);
            if text.keys(Level::Trailing) != shown.keys(Level::Trailing) {
                return Err(Refused {
                    nearest: nearest(text, &shown),
                    ..Refused::because(Reason::NotFound)
                });
            }
        }
        self.text = None;
        self.sought.clear();
        Ok(applied_whole())
    }

    fn create(&mut self, block: &Block) -> Result<Applied, Refused> {
        let content = block.splits.first().map(|split| split.replace.as_str()).unwrap_or_default();
        self.settle();
        match &self.text {
            Some(lines)
                if self.existed && hides(content, lines.text(), block) == Some(Hidden::Surely) =>
            {
                Err(Refused::because(Reason::ElisionInReplace))
            }
            None if leaves_out(content, block) => Err(Refused::because(Reason::ElisionInReplace)),
            // A file that one of these blocks created has no other author.
            Some(lines)
                if self.existed
                    && !self.request.overwrites
                    && !self.is_blank()
                    && lines.text() != self.marked(content) =>
            {
                Err(Refused::because(Reason::FileExists))
            }
            _ => self.become_text(self.marked(content)),
        }
    }

    /// The same content with the file's byte order mark.
    fn marked(&self, content: &str) -> String {
        let marked = self.text.as_ref().is_some_and(|lines| lines.text().starts_with(MARK))
            && !content.starts_with(MARK);
        if marked { format!("{MARK}{content}") } else { content.to_owned() }
    }

    fn become_text(&mut self, content: String) -> Result<Applied, Refused> {
        if self.text.as_ref().is_some_and(|lines| lines.text() == content) {
            return Err(Refused::because(Reason::AlreadyApplied));
        }
        self.text = Some(Arc::new(Lines::new(content)));
        self.sought.clear();
        Ok(applied_whole())
    }

    /// Writes the block's text as the whole file.
    fn write(&mut self, block: &Block) -> Result<Applied, Refused> {
        self.settle();
        let content = block.splits.first().map(|split| split.replace.as_str()).unwrap_or_default();
        let old = self.text.as_ref().map(|lines| lines.text()).unwrap_or_default();
        let hidden = hides(content, old, block).filter(|_| !old.trim().is_empty());
        if hidden == Some(Hidden::Surely) || self.text.is_none() && leaves_out(content, block) {
            return Err(Refused::because(Reason::ElisionInReplace));
        }
        let path = block.path.as_ref().map_or("", |path| &path.text);
        let edits = !old.trim().is_empty()
            && listing::is_edits(content, path)
            && !listing::is_edits(old, path);
        if (hidden.is_some() || edits) && !self.request.confirmed {
            return Err(Refused {
                candidates: vec![0],
                ..Refused::because(Reason::NeedsConfirmation)
            });
        }
        // The file keeps its line endings if they are uniform. Those of text in a reply are the
        // reply's.
        let pairs = |text: &str| {
            text.contains("\r\n") && text.matches('\n').count() == text.matches("\r\n").count()
        };
        let (has, breaks) = (|text: &str| text.contains("\r\n"), old.contains('\n'));
        let copied = matches!(block.dialect, Dialect::WholeFile | Dialect::Xml);
        let content = if pairs(old) && !has(content) {
            content.replace('\n', "\r\n")
        } else if copied && breaks && !has(old) && pairs(content) {
            content.replace("\r\n", "\n")
        } else {
            content.to_owned()
        };
        self.become_text(self.marked(&content))
    }

    /// A listing is the whole of a new file; of an existing one it may be an excerpt.
    fn listing(&mut self, block: &Block, extent: Extent) -> Result<Applied, Refused> {
        self.settle();
        let content = block.splits.first().map(|split| split.replace.as_str()).unwrap_or_default();
        let path = block.path.as_ref().map_or("", |path| &path.text);
        let judgement = match &self.text {
            Some(lines) if !self.is_blank() => judge(lines.text(), content, extent),
            _ => Judgement::Whole,
        };
        // Edits that couldn't be read as such.
        let old = self.text.as_ref().map(|lines| lines.text()).unwrap_or_default();
        let known = holds_edits(old, path);
        let judgement = match judgement {
            Judgement::Whole if !known && holds_edits(content, path) => Judgement::Unclear,
            Judgement::Whole if marks_changes(content, old, path) => Judgement::Unclear,
            judgement => judgement,
        };
        match judgement {
            Judgement::Same | Judgement::Quotation => Err(Refused::because(Reason::AlreadyApplied)),
            Judgement::Unclear if !self.request.confirmed => {
                Err(Refused { candidates: vec![0], ..Refused::because(Reason::NeedsConfirmation) })
            }
            Judgement::Unclear | Judgement::Whole => self.write(block),
        }
    }

    /// Code with gaps, if every piece has a place; the gaps are still a guess.
    fn lazy(&mut self, block: &'b Block) -> Result<Applied, Refused> {
        let content = block.splits.first().map(|split| split.replace.as_str()).unwrap_or_default();
        self.settle();
        let Some(target) = &self.text else {
            return Err(Refused::because(Reason::ElisionInReplace));
        };
        if hides(content, target.text(), block).is_none() {
            return self.listing(block, Extent::Unsaid);
        }
        let Some(edits) = lazy::place(target, &Lines::new(content)) else {
            return Err(Refused::because(Reason::ElisionInReplace));
        };
        let Some(line) = edits.first().map(|edit| target.index_at(edit.span.start)) else {
            return Err(Refused::because(Reason::AlreadyApplied));
        };
        if !self.request.confirmed {
            return Err(Refused {
                candidates: vec![line],
                ..Refused::because(Reason::NeedsConfirmation)
            });
        }
        self.place = Some(self.origin.of(&(line..line + 1)));
        self.pending.extend(edits);
        Ok(Applied { tier: Tier::Elision, score: 1.0, line, warnings: Vec::new() })
    }

    /// Lines by number: they may have changed since the reply was written.
    fn at_lines(&mut self, block: &'b Block, lines: &Span) -> Result<Applied, Refused> {
        let content = block.splits.first().map(|split| split.replace.as_str()).unwrap_or_default();
        let Some(target) = &self.text else { return Err(Refused::because(Reason::FileMissing)) };
        let Some(edit) = at_lines(target, lines, content) else {
            return Err(Refused::because(Reason::LineOutOfRange));
        };
        if target.text().get(edit.span.clone()) == Some(edit.text.as_str()) {
            return Err(Refused::because(Reason::AlreadyApplied));
        }
        if block.dialect == Dialect::Hashline && !hashline::hold(target, &block.anchors) {
            return Err(Refused::because(Reason::NotFound));
        }
        if !self.request.confirmed {
            return Err(Refused {
                candidates: vec![lines.start],
                ..Refused::because(Reason::NeedsConfirmation)
            });
        }
        let edits = self.new_edits(block, vec![edit], lines.start)?;
        self.place = Some(self.origin.of(lines));
        self.pending.extend(edits);
        Ok(Applied { tier: Tier::Exact, score: 1.0, line: lines.start, warnings: Vec::new() })
    }

    /// An empty SEARCH: creates a file, or inserts lines where the block says.
    fn without_search(&mut self, block: &'b Block) -> Result<Applied, Refused> {
        let empty = block.splits.iter().find(|split| split.search.is_empty());
        let Some(split) = empty.or(block.splits.first()) else {
            return Err(Refused::because(Reason::MissingDivider));
        };
        if split.replace.is_empty() && split.search.is_empty() {
            return Err(Refused::because(Reason::NoOp));
        }
        // Inserting lines isn't creating a file, except at its start or end.
        let line =
            block.hint.filter(|line| block.dialect == Dialect::Strings && *line != LAST_LINE);
        let lines = self.text.as_ref().map_or(0, |text| text.len());
        if split.search.is_empty() && line.is_some_and(|line| line > lines) {
            let reason =
                if self.text.is_none() { Reason::FileMissing } else { Reason::LineOutOfRange };
            return Err(Refused::because(reason));
        }
        if self.is_blank() {
            if self.text.is_none() && leaves_out(&split.replace, block) {
                return Err(Refused::because(Reason::ElisionInReplace));
            }
            self.settle();
            let open = split.final_break == Some(false);
            let text = split.replace.strip_suffix('\n').filter(|_| open).unwrap_or(&split.replace);
            self.text = Some(Arc::new(Lines::new(text.to_owned())));
            self.sought.clear();
            return Ok(applied_whole());
        }
        let Some(target) = &self.text else { return Err(Refused::because(Reason::FileMissing)) };
        let replace = Lines::new(&split.replace);
        if target.keys(Level::Trailing) == replace.keys(Level::Trailing) {
            return Err(Refused::because(Reason::AlreadyApplied));
        }
        if !addition::is_placed(block) || !split.search.is_empty() {
            if self.request.strict && split.search.is_empty() {
                return self.append(&split.replace);
            }
            let reason = if split.search.is_empty() {
                Reason::EmptySearchOnNonemptyFile
            } else {
                Reason::WhitespaceOnlySearch
            };
            return Err(Refused::because(reason));
        }
        let chosen = addition::place(target, block, &replace, self.added)?;
        self.accept(block, chosen)
    }

    /// Appends lines, unless the file already ends with them.
    fn append(&mut self, new: &str) -> Result<Applied, Refused> {
        self.settle();
        let Some(target) = &self.text else { return Err(Refused::because(Reason::FileMissing)) };
        let line = target.len();
        let Some(edit) = appended(target.text(), new) else {
            return Err(Refused::because(Reason::AlreadyApplied));
        };
        self.place = Some(self.origin.of(&(line..line)));
        self.pending.extend(vec![edit]);
        Ok(Applied { tier: Tier::Exact, score: 1.0, line, warnings: Vec::new() })
    }
}

/// The edit that appends text; `None` if the file already ends with it.
fn appended(text: &str, new: &str) -> Option<Edit> {
    let plain = |text: &str| text.replace("\r\n", "\n").trim_end().to_owned();
    if format!("\n{}", plain(text)).ends_with(&format!("\n{}", plain(new))) {
        return None;
    }
    let eol = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let lead = if text.is_empty() || text.ends_with('\n') { "" } else { eol };
    let new = new.replace("\r\n", "\n").replace('\n', eol);
    let tail = if new.ends_with('\n') { "" } else { eol };
    Some(Edit::insert(text.len(), format!("{lead}{new}{tail}")))
}

/// Whether new contents have placeholders for lines of the old ones.
fn hides(new: &str, old: &str, block: &Block) -> Option<Hidden> {
    hidden(new, old, block.path.as_ref().map_or("", |path| &path.text), |_| false)
}

/// Whether the contents of a new file have placeholders for lines.
fn leaves_out(new: &str, block: &Block) -> bool {
    elision::leaves_out(new, block.path.as_ref().map_or("", |path| &path.text))
}

fn applied_whole() -> Applied {
    Applied { tier: Tier::Exact, score: 1.0, line: 0, warnings: Vec::new() }
}
