//! How a file changes when blocks are applied to it in order (LLMD-14). Each step is cached by its
//! inputs, so a key press only recomputes the blocks that it may affect.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use super::identity::digest;
use super::repair::{self, Repair};
use crate::cache::Cache;
use crate::edit::batch::{Applied, Refused, Request};
use crate::edit::fresh::{Allowance, Fresh};
use crate::edit::{self, Block, Lines, Operation, Reason, Tier};
use crate::source::Source;
use crate::text::{self, Edit, Span};
use crate::world::World;

/// How strictly blocks are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Manner {
    /// By LLMD's specification: whole lines, its markers, a path for every block.
    Llmd,
    /// As models write in practice.
    Reply,
}

/// The contents that blocks change.
#[derive(Debug, Clone)]
pub enum Place {
    /// Part of the same document.
    Own(Source, Span),
    File(PathBuf, Source),
    /// The file doesn't exist yet.
    Nowhere,
}

/// One block, applied to the text after the blocks before it.
#[derive(Debug)]
pub struct Step {
    pub result: Result<Applied, Refused>,
    /// It was appended, because nothing determines its place.
    pub appended: bool,
    /// The number of ways to divide it in which it fits.
    pub fitting: usize,
    /// The changed text; for a new file, all of it.
    edit: Option<Edit>,
    creates: bool,
    /// The lines that it adds.
    fresh: Fresh,
    /// Its places refer to the original text, before all blocks.
    pub from_start: bool,
    repairs: OnceLock<Vec<Repair>>,
}

/// The decision about one block, from all the blocks of a file together.
pub type Decision = Result<Applied, Refused>;

/// The blocks of one file, step by step.
#[derive(Debug)]
pub struct Chain {
    pub place: Place,
    manner: Manner,
    key: u64,
    exists: bool,
    /// The changes of the steps so far, each to the text after the one before it.
    edits: Vec<Edit>,
    /// Blocks whose places all the blocks of the file together have confirmed. Their changes are
    /// computed when a later block needs them: in most replies, none does.
    waiting: Vec<Block>,
    /// How many edits there were before the last step.
    before: usize,
    /// The original text, for every chain on the same place.
    start: Arc<OnceLock<Arc<Text>>>,
    /// The text before and after the last step, if known.
    found: Option<Arc<Text>>,
    text: Option<Arc<Text>>,
    /// The lines that the steps so far have added.
    fresh: Fresh,
    allowance: Allowance,
    /// The length of the text in bytes.
    length: usize,
}

/// The text in which block after block is located.
type Text = Lines<'static>;

#[derive(Debug)]
struct Steps {
    steps: Cache<u64, Arc<Step>>,
    /// The changes of waiting blocks, by the key of the chain.
    settled: Cache<u64, Arc<(Vec<Edit>, Fresh)>>,
}

impl Steps {
    fn of(world: &dyn World) -> Arc<Self> {
        let limit = world.limit();
        let make = || Self { steps: Cache::new(&limit), settled: Cache::new(&limit) };
        world.memo().get_or(make)
    }
}

/// The size of an edit, in bytes.
fn cost(edit: &Edit) -> u64 {
    (size_of::<Edit>() + edit.text.len()) as u64
}

impl Chain {
    /// A chain on the text at a place, identified by `identity`.
    pub fn new(place: Place, identity: u64, manner: Manner) -> Self {
        let exists = !matches!(place, Place::Nowhere);
        let length = match &place {
            Place::Own(_, span) => span.len(),
            Place::File(_, source) => source.len(),
            Place::Nowhere => 0,
        };
        Self {
            place,
            manner,
            key: digest((identity, manner)),
            exists,
            edits: Vec::new(),
            waiting: Vec::new(),
            before: 0,
            start: Arc::default(),
            found: None,
            text: None,
            fresh: Fresh::default(),
            allowance: Allowance::default(),
            length,
        }
    }

    /// The text after the steps so far.
    pub fn text(&mut self) -> &Arc<Text> {
        let text = self.text.take().unwrap_or_else(|| {
            let start = Arc::clone(self.start());
            self.edits.iter().fold(start, |text, edit| after(&text, edit))
        });
        self.text.insert(text)
    }

    /// The original text.
    fn start(&self) -> &Arc<Text> {
        self.start.get_or_init(|| {
            let text = match &self.place {
                Place::Own(source, span) => source.slice(span.clone()),
                Place::File(_, source) => source.slice(0..source.len()),
                Place::Nowhere => Cow::default(),
            };
            Arc::new(Lines::new(text.into_owned()))
        })
    }

    /// The chain before the last step, or before all steps with `at_start`.
    #[must_use]
    pub fn rewound(&self, at_start: bool) -> Self {
        let length = if at_start { 0 } else { self.before };
        Self {
            place: self.place.clone(),
            edits: self.edits.iter().take(length).cloned().collect(),
            waiting: Vec::new(),
            start: Arc::clone(&self.start),
            found: None,
            text: self.found.clone().filter(|_| !at_start),
            fresh: Fresh::default(),
            allowance: Allowance::default(),
            ..*self
        }
    }

    /// Computes the changes of waiting blocks.
    fn settle(&mut self, steps: &Steps) {
        if self.waiting.is_empty() {
            return;
        }
        let settled = steps.settled.get(&self.key).unwrap_or_else(|| {
            let there = !matches!(self.place, Place::Nowhere) || !self.edits.is_empty();
            let old = Arc::clone(self.text());
            let blocks: Vec<&Block> = self.waiting.iter().collect();
            let target = there.then(|| Arc::clone(&old));
            let new = edit::apply_to(target, &blocks, Request::default()).text;
            let new = new.as_ref().map(|new| new.text()).unwrap_or_default();
            // From last to first, so that none moves another.
            let edits: Vec<Edit> = text::hunks(old.text(), new).into_iter().rev().collect();
            let mut fresh = Fresh::default();
            fresh.take(&old, &edits);
            let cost = edits.iter().map(cost).sum::<u64>() + fresh.cost() as u64;
            let settled = Arc::new((edits, fresh));
            steps.settled.insert(self.key, Arc::clone(&settled), cost);
            settled
        });
        self.waiting.clear();
        settled.0.iter().for_each(|edit| self.change(edit, None));
        self.fresh.join(&settled.1);
    }

    /// Applies an edit; `made` is the resulting text, if known.
    fn change(&mut self, edit: &Edit, made: Option<Arc<Text>>) {
        self.text = made.or_else(|| self.text.take().map(|text| after(&text, edit)));
        self.length = (self.length + edit.text.len()).saturating_sub(edit.span.len());
        self.edits.push(edit.clone());
    }

    /// Applies a block; `decided` is what all the blocks of the file together have decided about
    /// it.
    pub fn step(
        &mut self,
        world: &dyn World,
        block: &Block,
        decided: Option<&Decision>,
    ) -> Arc<Step> {
        let key = digest((self.key, block_digest(block), decided.map(sign)));
        if let Some(Ok(applied)) = decided.filter(|_| self.manner == Manner::Reply)
            && applied.tier <= Tier::TrailingBlanks
            && let [_] = block.splits.as_slice()
        {
            let creates = !self.exists;
            (self.key, self.exists) = (key, true);
            self.waiting.push(block.clone());
            return Arc::new(Step { creates, from_start: true, ..Step::made(Ok(applied.clone())) });
        }
        let memo = Steps::of(world);
        self.settle(&memo);
        self.before = self.edits.len();
        // Locating many blocks in a file that each of them changes is slow. Beyond the allowance,
        // blocks that neither the original file nor an earlier block contains are only looked up
        // in the original file.
        let many = !self.edits.is_empty() && !self.allowance.allows(self.length);
        let key = if many { digest((key, "many")) } else { key };
        let (step, made) = memo.steps.get(&key).map_or_else(
            || {
                let (step, made) = self.absent(block).filter(|_| many).unwrap_or_else(|| {
                    let text = Arc::clone(self.text());
                    Step::of(self.exists.then_some(&text), block, self.manner)
                });
                let step = Arc::new(match decided {
                    Some(decided) => step.decided(decided),
                    None => step,
                });
                memo.steps.insert(key, Arc::clone(&step), step.cost(block));
                (step, made)
            },
            |step| (step, None),
        );
        self.found.clone_from(&self.text);
        if let Some(edit) = &step.edit {
            (self.key, self.exists) = (key, true);
            self.change(edit, made);
            self.fresh.join(&step.fresh);
        }
        step
    }

    /// The step of a block that is neither in the original text nor written by any step.
    fn absent(&self, block: &Block) -> Option<(Step, Option<Arc<Text>>)> {
        if block.splits.iter().any(|split| self.fresh.may_hold(&split.search)) {
            return None;
        }
        let (step, _) = Step::of(Some(self.start()), block, self.manner);
        let absent = matches!(&step.result, Err(refused) if refused.reason == Reason::NotFound);
        absent.then(|| (Step { from_start: true, ..step }, None))
    }

    /// The repair of a block whose SEARCH text isn't in the current contents.
    pub fn repairs<'s>(&mut self, step: &'s Step, block: &Block) -> &'s [Repair] {
        step.repairs.get_or_init(|| repair::repairs(self.text(), block))
    }

    /// Converts lines of the current text (counted from 0) to a place in the original text.
    pub fn original(&mut self, lines: Span) -> Span {
        let lines_now = Arc::clone(self.text());
        let text = lines_now.text();
        let mut starts =
            std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
        let start = starts.nth(lines.start).unwrap_or(text.len());
        let end =
            if lines.len() > 1 { starts.nth(lines.len() - 2).unwrap_or(text.len()) } else { start };
        let end = memchr::memchr(b'\n', text.as_bytes().get(end..).unwrap_or_default())
            .map_or(text.len(), |length| end + length);
        let end = if text.get(start..end).is_some_and(|line| line.ends_with('\r')) {
            end - 1
        } else {
            end
        };
        let back = |offset: usize| {
            self.edits.iter().rev().fold(offset, |offset, edit| {
                let new = edit.span.start + edit.text.len();
                if offset >= new {
                    offset - edit.text.len() + edit.span.len()
                } else {
                    offset.min(edit.span.start)
                }
            })
        };
        let own = if let Place::Own(_, span) = &self.place { span.start } else { 0 };
        let start = back(start);
        own + start..own + back(end).max(start)
    }
}

fn after(text: &Arc<Text>, edit: &Edit) -> Arc<Text> {
    text.edited(std::slice::from_ref(edit)).map_or_else(|| Arc::clone(text), Arc::new)
}

/// Identifies a decision.
fn sign(decided: &Decision) -> u64 {
    match decided {
        Ok(applied) => digest((applied.tier, applied.line)),
        Err(refused) => digest((refused.reason, &refused.candidates)),
    }
}

/// The inputs of a step besides the contents.
fn block_digest(block: &Block) -> u64 {
    let splits: Vec<_> = block
        .splits
        .iter()
        .map(|split| (&split.search, &split.replace, split.at_end, split.final_break))
        .collect();
    digest((splits, block.hint, block.all, &block.anchors, block.error, block.dialect))
}

impl Step {
    /// The step of a block that isn't applied, regardless of the contents.
    pub fn refused(reason: Reason) -> Self {
        Self { from_start: true, ..Self::made(Err(Refused::because(reason))) }
    }

    fn made(result: Decision) -> Self {
        Self {
            result,
            appended: false,
            fitting: 1,
            edit: None,
            creates: false,
            fresh: Fresh::default(),
            from_start: false,
            repairs: OnceLock::new(),
        }
    }

    /// The step, and the resulting text.
    fn of(text: Option<&Arc<Text>>, block: &Block, manner: Manner) -> (Self, Option<Arc<Text>>) {
        let made = |result, appended, edit: Option<Edit>| {
            let mut fresh = Fresh::default();
            if let Some(edit) = &edit {
                let nothing = Arc::new(Lines::new(""));
                fresh.take(text.unwrap_or(&nothing), std::slice::from_ref(edit));
            }
            Self { appended, edit, creates: text.is_none(), fresh, ..Self::made(result) }
        };
        let refuse = |reason| (made(Err(Refused::because(reason)), false, None), None);
        let blank = block.splits.iter().all(|split| split.search.trim().is_empty());
        let creates = blank || block.splits.iter().any(|split| split.search.is_empty());
        if text.is_none() && !creates && block.error.is_none() {
            return refuse(Reason::FileMissing);
        }
        let request =
            Request { sequential: true, strict: manner == Manner::Llmd, ..Request::default() };
        let mut batch = edit::apply_to(text.cloned(), &[block], request);
        let Some(result) = batch.results.pop() else { return refuse(Reason::NotFound) };
        let filled = text.is_some_and(|text| !text.text().trim().is_empty());
        let appended = request.strict
            && filled
            && blank
            && result.is_ok()
            && block.operation == Operation::Edit;
        let edit = match (&result, text, &batch.text) {
            (Ok(_), Some(old), Some(new)) => text::difference(old.text(), new.text()),
            (Ok(_), None, Some(new)) => Some(Edit::insert(0, new.text())),
            _ => None,
        };
        let fitting = if result.is_ok() && block.splits.len() > 1 {
            fitting(text, block, request)
        } else {
            1
        };
        (Self { fitting, ..made(result, appended, edit) }, batch.text)
    }

    /// The step with this decision, if that differs from what the block would do alone.
    fn decided(self, decided: &Decision) -> Self {
        let kind = |result: &Decision| {
            result.as_ref().map(|applied| applied.tier).map_err(|refused| refused.reason)
        };
        if kind(decided) == kind(&self.result) {
            return self;
        }
        let edit = self.edit.filter(|_| decided.is_ok());
        Self {
            result: decided.clone(),
            edit,
            from_start: true,
            appended: false,
            fitting: 1,
            ..self
        }
    }

    /// The size of the step, with the repairs that may be requested: these repeat its block.
    fn cost(&self, block: &Block) -> u64 {
        let written = |split: &edit::Split| split.search.len() + split.replace.len();
        let repairs = 2 * block.splits.iter().map(written).sum::<usize>();
        (size_of::<Self>() + repairs + self.fresh.cost()) as u64
            + self.edit.as_ref().map_or(0, cost)
    }

    /// Whether the file didn't exist before.
    pub fn creates(&self) -> bool {
        self.creates
    }

    /// Whether there is something to report about it for which the text is needed.
    pub fn is_odd(&self) -> bool {
        self.appended
            || !matches!(&self.result, Ok(applied) if applied.tier <= Tier::TrailingBlanks)
    }
}

/// The number of ways to divide a block in which it fits.
fn fitting(text: Option<&Arc<Text>>, block: &Block, request: Request) -> usize {
    let alone = |split: &&edit::Split| {
        let one = Block { splits: vec![(*split).clone()], ..block.clone() };
        edit::apply_to(text.cloned(), &[&one], request).results.iter().all(Result::is_ok)
    };
    block.splits.iter().filter(alone).count()
}
