//! The entries of a conversation, each read on its own. Most have nothing wrong with them: a check
//! leaves these out, so a key press looks at the entry that it touches.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Project;
use super::event::events;
use super::layout::{Border, Layout, Role, placed, read};
use super::read::{Whole, extent};
use crate::edit::Subject;
use crate::format::blocks::written::{self, Written};
use crate::source::parts::{self, Division, Part};
use crate::source::{Placed, Source};

/// How projects are divided: each part but the first begins with the heading of an entry.
#[derive(Debug)]
pub struct Entries;

pub type Parts = parts::Parts<Entries>;
type PlacedPart = parts::PlacedPart<Said>;
type PlacedGroup = parts::PlacedGroup<Said, Summary>;

impl Division for Entries {
    type Part = Said;
    type Group = Summary;

    fn begins(source: &Source, placed: Placed) -> bool {
        super::event::begins_entry(source, placed)
    }
}

/// A part, read on its own.
#[derive(Debug)]
pub struct Said {
    layout: Layout,
    /// The parts after it are read the same way without it.
    is_closed: bool,
    /// The number of its only entry, if the entry has no findings.
    quiet: Option<u64>,
}

/// What a check needs to know about a group of parts.
#[derive(Debug)]
pub struct Summary {
    is_closed: bool,
    /// The parts that a check looks at, by their indices.
    matters: Box<[usize]>,
    /// The parts with blocks for a file, by its path.
    blocks: FxHashMap<Box<str>, Vec<usize>>,
}

/// At most this many parts with blocks for a file are included if a block depends on earlier ones.
const MOST_BEFORE: usize = 64;

impl Said {
    fn new(part: &Part<Self>) -> Self {
        let source = &part.source;
        let mut passage =
            |span: &crate::text::Span| Arc::new(written::read(&source.slice(span.clone())));
        let extent = if part.is_head { extent(source) } else { 0..source.len() };
        let (layout, border) = read(&events(source).list(), extent, !part.is_head, &mut passage);
        let whole = part.is_head || layout.sections.len() == 1 && layout.files.is_empty();
        let is_closed = whole && border == Border { talks: true, open: false };
        let quiet = Self::quiet(&layout).filter(|_| !part.is_head && is_closed);
        Self { layout, is_closed, quiet }
    }

    fn quiet(layout: &Layout) -> Option<u64> {
        let [entry] = layout.entries.as_slice() else { return None };
        let in_order = entry.human.as_ref()?.start < entry.assistant.as_ref()?.start;
        let plain = layout.parts.iter().all(|part| {
            part.role == Role::Live
                && part.passage.strays.is_empty()
                && part.passage.blocks.iter().all(|written| is_quiet(written))
        });
        let alone = layout.includes.is_empty() && layout.strays.is_empty();
        entry.number.filter(|_| in_order && plain && alone && entry.title.is_empty())
    }
}

/// Whether a block has no findings, as long as it isn't live.
fn is_quiet(written: &Written) -> bool {
    let block = &written.block;
    let own = match block.subject {
        Subject::File => {
            block.path.as_ref().is_some_and(|path| !path.inherited)
                && block.splits.iter().any(|split| split.search != split.replace)
        }
        Subject::Changelog => {
            written.dividers.is_empty()
                && block.splits.iter().any(|split| !split.replace.trim().is_empty())
        }
        Subject::Mission => false,
    };
    own && written.plain && block.error.is_none()
}

impl Summary {
    fn new(parts: &[PlacedPart]) -> Self {
        let said: Vec<&Said> = parts.iter().map(|part| part.made(Said::new)).collect();
        let last = parts.len().saturating_sub(1);
        let mut matters = BTreeSet::from([0, last]);
        let (mut number, mut blocks) = (None, 0);
        let mut named: FxHashMap<Box<str>, Vec<usize>> = FxHashMap::default();
        for (index, said) in said.iter().enumerate() {
            // Between two parts that matter, entries are numbered consecutively.
            if said.quiet.is_none() || number != said.quiet {
                matters.extend([index.saturating_sub(1), index]);
            }
            // A finding may mention the file of the last block before it.
            if said.quiet.is_none() {
                matters.insert(blocks);
            }
            if !said.layout.blocks.is_empty() {
                blocks = index;
            }
            for path in said.layout.blocks.iter().filter_map(|own| own.written.block.path.as_ref())
            {
                match named.get_mut(path.text.as_str()) {
                    Some(parts) if parts.last() == Some(&index) => {}
                    Some(parts) => parts.push(index),
                    None => _ = named.insert(path.text.as_str().into(), vec![index]),
                }
            }
            number = said.quiet.and_then(|number| number.checked_add(1));
        }
        matters.insert(blocks);
        let is_closed = said.iter().all(|said| said.is_closed);
        Self { is_closed, matters: matters.into_iter().collect(), blocks: named }
    }
}

/// The parts of a group that a check looks at, with their indices: the last part, those in `more`,
/// and all that matter.
fn matters<'g>(
    group: &'g PlacedGroup,
    more: Option<&BTreeSet<usize>>,
) -> impl Iterator<Item = (usize, &'g PlacedPart)> + use<'g> {
    let own = group.made(Summary::new).matters.iter().copied();
    let all: BTreeSet<usize> = own.chain(more.into_iter().flatten().copied()).collect();
    all.into_iter().filter_map(|index| Some((index, group.own_parts().get(index)?)))
}

/// The parts with the last blocks for some files, by the indices of their groups.
fn with_blocks(groups: &[PlacedGroup], paths: &[String]) -> BTreeMap<usize, BTreeSet<usize>> {
    let mut found: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for path in paths {
        let mut left = MOST_BEFORE;
        for (index, group) in groups.iter().enumerate().rev() {
            let parts = group.made(Summary::new).blocks.get(path.as_str());
            let last = parts.into_iter().flatten().rev().take(left);
            let parts = found.entry(index).or_default();
            let before = parts.len();
            parts.extend(last);
            left = left.saturating_sub(parts.len() - before);
            if left == 0 {
                break;
            }
        }
    }
    found
}

/// A project without the entries that have no findings, for a check. Entries with blocks for these
/// files are kept. `None` if an entry can't be read on its own.
pub(super) fn reduced(project: &Project, source: &Source, paths: &[String]) -> Option<Project> {
    let groups = project.parts.groups();
    if !project.parts.are_several()
        || !groups.iter().all(|group| group.made(Summary::new).is_closed)
    {
        return None;
    }
    let mut layout = Layout::default();
    let (mut skipped, mut elided) = (0, Vec::new());
    let more = with_blocks(groups, paths);
    for (at, group) in groups.iter().enumerate() {
        let mut next = 0;
        for (index, part) in matters(group, more.get(&at)) {
            skipped += index - next;
            next = index + 1;
            let own = &part.made(Said::new).layout;
            if part.is_head {
                layout = own.clone();
                elided.resize(layout.entries.len(), 0);
                continue;
            }
            let (start, before) = (group.start + part.start, layout.entries.len());
            layout.parts.extend(own.parts.iter().map(|said| said.shifted(start, before)));
            layout.entries.extend(own.entries.iter().map(|entry| entry.shifted(start)));
            layout.includes.extend(own.includes.iter().map(|include| include.shifted(start)));
            layout.strays.extend(own.strays.iter().map(|stray| stray.shifted(start, before)));
            elided.resize(layout.entries.len(), 0);
            if let Some(first) = elided.get_mut(before) {
                *first = std::mem::take(&mut skipped);
            }
        }
    }
    layout.extent.end = source.len();
    if let Some(talk) = layout.sections.last_mut() {
        talk.body.end = source.len();
    }
    layout.blocks = placed(&layout.parts);
    Some(Project { layout: Whole::known(layout), elided, ..Project::default() })
}
