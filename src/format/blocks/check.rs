//! The input of rules: the blocks of a document, how they are written, and the outcome of each.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::chain::{Chain, Decision, Manner, Place, Step};
use super::files::{Files, Lookup};
use super::renames::Renames;
use super::written::{BlockOf, Mark, Stray, StrayKind, Written, names};
use crate::edit::batch::Request;
use crate::edit::{self, Block, Operation, Pair, Reason, Subject};
use crate::format::Context;
use crate::plan::standing::{self, Decided};
use crate::source::Source;
use crate::text::Span;

/// The blocks to check.
pub struct RuleContext<'a> {
    pub cx: &'a Context<'a>,
    pub manner: Manner,
    pub items: Vec<Item<'a>>,
    /// Lines that were meant as markers, as places of the document.
    pub strays: Vec<Stray>,
    pub files: &'a dyn Files,
    outcomes: OnceCell<Vec<Option<Outcome>>>,
    candidates: RefCell<HashMap<String, Option<Chain>>>,
    looks_back: Cell<bool>,
}

/// A block and its place.
pub struct Item<'a> {
    pub block: BlockOf<'a>,
    pub written: &'a Written,
    /// Where the places in `written` are counted from.
    pub start: usize,
    /// The text that contains it.
    pub part: Span,
    /// It is quoted by a human, and not applied.
    pub quoted: bool,
    /// It would be applied now; others belong to earlier entries.
    pub current: bool,
}

/// The outcome of a block.
pub struct Outcome {
    pub lookup: Lookup,
    pub step: Arc<Step>,
    /// The file after the blocks before this one; only if it is needed.
    chain: Option<RefCell<Chain>>,
}

/// The outcomes, in the order of the items.
type Decisions = HashMap<usize, Decision>;

/// The maximum number of files in which blocks are located.
const MOST_FILES: usize = 256;
/// The maximum number of failing blocks with an explanation.
const MOST_ODD: usize = 256;
/// The maximum number of blocks of earlier entries that are applied again for a block that depends
/// on them.
const MOST_BEFORE: usize = 64;

impl<'a> RuleContext<'a> {
    pub fn new(
        cx: &'a Context<'a>,
        manner: Manner,
        items: Vec<Item<'a>>,
        strays: Vec<Stray>,
        files: &'a dyn Files,
    ) -> Self {
        let (outcomes, looks_back) = (OnceCell::new(), Cell::new(false));
        let candidates = RefCell::default();
        Self { cx, manner, items, strays, files, outcomes, candidates, looks_back }
    }

    /// Whether blocks of earlier entries made a difference.
    pub fn looks_back(&self) -> bool {
        self.looks_back.get()
    }

    /// The blocks that aren't quotations.
    pub fn live(&self) -> impl Iterator<Item = &Item<'a>> {
        self.items.iter().filter(|item| !item.quoted)
    }

    /// Those that aren't written exactly as LLMD writes blocks.
    pub fn odd(&self) -> impl Iterator<Item = &Item<'a>> {
        self.live().filter(|item| !item.written.plain)
    }

    /// The blocks that are located in files, with their outcomes.
    pub fn outcomes(&self) -> impl Iterator<Item = (&Item<'a>, &Outcome)> {
        let outcomes = self.outcomes.get_or_init(|| self.evaluate());
        self.items
            .iter()
            .zip(outcomes)
            .filter_map(|(item, outcome)| Some((item, outcome.as_ref()?)))
    }

    /// The path that a block names. LLMD requires one in every block.
    pub fn path<'b>(&self, block: &'b Block) -> Option<&'b crate::edit::Path> {
        block.path.as_ref().filter(|path| self.manner == Manner::Reply || !path.inherited)
    }

    /// Whether a block would fit another file than the one that it names, or this file if it names
    /// none.
    pub fn fits(&self, item: &Item, path: &str) -> bool {
        self.candidate(path).is_some_and(|mut chain| {
            chain.step(self.cx.world, item.block.get(), None).result.is_ok()
        })
    }

    /// A file that a block may refer to, before all blocks.
    pub fn candidate(&self, path: &str) -> Option<Chain> {
        let mut candidates = self.candidates.borrow_mut();
        let chain =
            candidates.entry(path.to_owned()).or_insert_with(|| match self.files.find(path) {
                Lookup::File(place, identity) => Some(Chain::new(place, identity, self.manner)),
                _ => None,
            });
        chain.as_ref().map(|chain| chain.rewound(true))
    }

    fn evaluate(&self) -> Vec<Option<Outcome>> {
        let mut chains: HashMap<&str, (Lookup, Chain)> = HashMap::new();
        let (mut outcomes, mut odd) = (Vec::with_capacity(self.items.len()), 0);
        let mut decisions: HashMap<&str, Decisions> = HashMap::new();
        let mut earlier: HashMap<&str, Earlier> = HashMap::new();
        let mut renames = Renames::default();
        for (index, item) in self.items.iter().enumerate() {
            let asked = item.current && !item.quoted && item.written.block.subject == Subject::File;
            let asked = asked && item.written.block.error.is_none();
            let path =
                Some(item).filter(|_| asked).and_then(|item| self.path(item.block.somewhere()));
            let path = path.filter(|path| {
                !(self.cx.cancelled)()
                    && (chains.len() < MOST_FILES || chains.contains_key(path.text.as_str()))
            });
            let Some(path) = path else {
                outcomes.push(None);
                continue;
            };
            let block = item.block.somewhere();
            let Some(file) = renames.before(&path.text, &block.operation) else {
                let reason = renames.refuses(&path.text, &block.operation);
                if reason.is_none() {
                    renames.give(&path.text);
                }
                let refused = reason.map(|reason| Outcome {
                    lookup: self.files.find(&path.text),
                    step: Arc::new(Step::refused(reason)),
                    chain: None,
                });
                outcomes.push(refused);
                continue;
            };
            let (lookup, chain) = chains.entry(file).or_insert_with(|| {
                let lookup = self.files.find(file);
                let chain = match &lookup {
                    Lookup::File(place, identity) => {
                        Chain::new(place.clone(), *identity, self.manner)
                    }
                    _ => Chain::new(Place::Nowhere, 0, self.manner),
                };
                (lookup, chain)
            });
            if let Operation::Move(to) = &block.operation {
                let there = matches!(self.files.find(to), Lookup::File(..)) && !renames.is_free(to);
                let again = renames.is_gone(&path.text);
                renames.take(&path.text, to, file);
                if there && !again {
                    // It may have been moved before.
                    let reason = matches!(lookup, Lookup::File(..)).then_some(Reason::FileExists);
                    outcomes.push(reason.map(|reason| Outcome {
                        lookup: lookup.clone(),
                        step: Arc::new(Step::refused(reason)),
                        chain: None,
                    }));
                    continue;
                }
            }
            let decided = decisions
                .entry(path.text.as_str())
                .or_insert_with(|| self.decide(&path.text, lookup))
                .get(&index)
                .filter(|_| file == path.text);
            let step = chain.step(self.cx.world, item.block.get(), decided);
            if step.result.is_ok() {
                renames.set_deleted(&path.text, block.operation == Operation::Delete);
            }
            let lacks = matches!(&step.result, Err(refused) if matches!(refused.reason, Reason::NotFound | Reason::FileMissing | Reason::Ambiguous));
            // Text that isn't in the file may be the result of blocks of earlier entries that
            // haven't been applied yet.
            self.looks_back.set(self.looks_back.get() || lacks);
            let rests = |earlier: &mut Earlier| earlier.bear(self, index, lookup);
            if lacks && rests(earlier.entry(&path.text).or_insert_with(|| self.earlier(path))) {
                outcomes.push(None);
                continue;
            }
            odd += usize::from(step.is_odd());
            let chain = (step.is_odd() && odd <= MOST_ODD)
                .then(|| RefCell::new(chain.rewound(step.from_start)));
            outcomes.push(Some(Outcome { lookup: lookup.clone(), step, chain }));
        }
        outcomes
    }

    /// The decisions from all the blocks of a file together, by the index of the item.
    fn decide(&self, path: &str, lookup: &Lookup) -> Decisions {
        let is_edit = |item: &Item| {
            item.written.block.error.is_none()
                && !matches!(item.written.block.operation, Operation::Move(_))
        };
        let of_file = |item: &Item| {
            item.current
                && !item.quoted
                && item.written.block.subject == Subject::File
                && is_edit(item)
        };
        let named =
            |item: &Item| self.path(item.block.somewhere()).is_some_and(|named| named.text == path);
        let (indexes, blocks): (Vec<usize>, Vec<&Block>) = self
            .items
            .iter()
            .enumerate()
            .filter(|(_, item)| of_file(item) && named(item))
            .map(|(index, item)| (index, item.block.get()))
            .unzip();
        let request =
            if self.manner == Manner::Llmd { Request::strict(false) } else { Request::default() };
        let results = match lookup {
            Lookup::File(Place::File(_, source), _) => {
                standing::decided(source, &blocks, request).results.clone()
            }
            // In order, each by itself: the result is the same, and a key press recomputes only the
            // blocks that it affects.
            _ if self.manner == Manner::Llmd => return Decisions::new(),
            _ => Decided::new(None, &blocks, request).results,
        };
        indexes.into_iter().zip(results).collect()
    }

    /// The blocks of a file, including those of earlier entries.
    fn earlier(&self, path: &edit::Path) -> Earlier {
        let same = |item: &Item| {
            !item.quoted
                && item.written.block.error.is_none()
                && item.block.somewhere().path.as_ref().is_some_and(|other| other.text == path.text)
        };
        let items = self.items.iter().enumerate();
        let items: Vec<usize> =
            items.filter(|(_, item)| same(item)).map(|(index, _)| index).collect();
        let is_past = |index: &&usize| self.items.get(**index).is_some_and(|item| !item.current);
        let first = items.iter().find(is_past).copied();
        Earlier { items, first, next: None, chain: None }
    }

    /// The misspelt line that was meant to end this block.
    pub fn meant_end(&self, item: &Item) -> Option<&Stray> {
        let head = item.head().span.start;
        let inside = |stray: &&Stray| {
            head < stray.span.start
                && stray.span.start <= item.block.span().end
                && stray.block.is_some()
        };
        self.strays.iter().filter(inside).find(|stray| stray.kind == StrayKind::UnknownEnd)
    }

    /// The names of a block's head and of its end.
    pub fn names(&self, item: &Item) -> (&'static str, &'static str) {
        let head = self.text(&item.head().span).to_ascii_uppercase();
        match item.written.pair() {
            Pair::Search if self.manner == Manner::Reply && head.contains("ORIGINAL") => {
                ("ORIGINAL", "UPDATED")
            }
            pair => names(pair),
        }
    }

    /// The line that ends a block.
    pub fn end_line(&self, item: &Item) -> String {
        let head = item.head();
        let sign = if self.text(&head.run()).starts_with('-') { "+" } else { ">" };
        let length = if self.manner == Manner::Llmd { 6 } else { head.marker.length };
        format!("{} {}", sign.repeat(length), self.names(item).1)
    }

    pub fn text(&self, span: &Span) -> String {
        self.cx.source.slice(span.clone()).into_owned()
    }
}

/// The blocks of one file, including those of earlier entries, applied in order.
struct Earlier {
    /// The indices of the items.
    items: Vec<usize>,
    /// The first one of an earlier entry.
    first: Option<usize>,
    /// The next to apply, as an index into `items`.
    next: Option<usize>,
    chain: Option<Chain>,
}

impl Earlier {
    /// Whether a block fits after the blocks before it have been applied. Called in ascending
    /// order.
    fn bear(&mut self, context: &RuleContext, index: usize, lookup: &Lookup) -> bool {
        if self.first.is_none_or(|first| first > index) {
            return false;
        }
        let chain = self.chain.get_or_insert_with(|| match lookup {
            Lookup::File(place, identity) => Chain::new(place.clone(), *identity, context.manner),
            _ => Chain::new(Place::Nowhere, 0, context.manner),
        });
        let before = self.items.partition_point(|other| *other < index);
        let next = self.next.unwrap_or_else(|| before.saturating_sub(MOST_BEFORE));
        let mut step = |index: &usize| {
            let item = context.items.get(*index)?;
            Some(chain.step(context.cx.world, item.block.get(), None))
        };
        self.items.get(next..before).unwrap_or_default().iter().for_each(|index| _ = step(index));
        self.next = Some(before + 1);
        step(&index).is_some_and(|step| step.result.is_ok())
    }
}

impl Item<'_> {
    pub fn head(&self) -> Mark {
        self.written.head.shifted(self.start)
    }

    pub fn end(&self) -> Option<Mark> {
        self.written.end.as_ref().map(|end| end.shifted(self.start))
    }

    pub fn dividers(&self) -> impl Iterator<Item = Mark> + '_ {
        self.written.dividers.iter().map(|mark| mark.shifted(self.start))
    }

    /// The lines between the path and the head.
    pub fn gap(&self) -> Span {
        self.written.gap.start + self.start..self.written.gap.end + self.start
    }

    /// The names of its head and of its end.
    pub fn names(&self) -> (&'static str, &'static str) {
        names(self.written.pair())
    }

    /// The whole lines of its SEARCH and REPLACE texts, if it can be divided in only one way.
    pub fn sides(&self, source: &Source) -> Option<(Span, Span)> {
        let ([divider], Some(end)) = (self.written.dividers.as_slice(), &self.written.end) else {
            return None;
        };
        let (divider, end) = (divider.shifted(self.start), end.shifted(self.start));
        let search = next_line(source, self.head().line.end)..divider.line.start;
        let replace = next_line(source, divider.line.end)..end.line.start;
        (search.start <= search.end && replace.start <= replace.end).then_some((search, replace))
    }
}

impl Outcome {
    /// The reason why the block isn't applied.
    pub fn reason(&self) -> Option<Reason> {
        self.step.result.as_ref().err().map(|refused| refused.reason)
    }

    /// The file after the blocks before this one.
    pub fn chain(&self) -> Option<std::cell::RefMut<'_, Chain>> {
        self.chain.as_ref().map(RefCell::borrow_mut)
    }
}

/// The start of the line after the one that ends at `end`.
pub fn next_line(source: &Source, end: usize) -> usize {
    let byte = |at: usize| source.text().get_byte(at);
    match (byte(end), byte(end + 1)) {
        (Some(b'\r'), Some(b'\n')) => end + 2,
        (Some(b'\n' | b'\r'), _) => end + 1,
        _ => end,
    }
}

/// The whole lines that a span touches, including the last line break.
pub fn whole_lines(source: &Source, span: &Span) -> Span {
    let end = source.line_span(span.end.max(span.start)).end;
    source.line_span(span.start).start..next_line(source, end)
}

/// Each name once, in order.
pub fn distinct<'t>(names: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let mut seen = HashSet::new();
    names.filter(|name| seen.insert(*name)).collect()
}
