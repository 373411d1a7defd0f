//! Follows edits: selectors count headings and blocks, so adding one above their target makes them
//! point elsewhere. They are rewritten to select what they selected in the saved version: the one
//! on disk, or the one of the last rewrite.

use std::collections::HashMap;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use rustc_hash::{FxHashMap, FxHasher};

use super::names::name;
use super::references::speakers;
use crate::answer::FileEdit;
use crate::cache::{Held, Share};
use crate::format::Context;
use crate::selector::mention::{self, Mention};
use crate::selector::{Node, NodeKind, Segment, SegmentKind, Selector, Tree};
use crate::source::Source;
use crate::text::{Edit, Span};
use crate::world::World;

/// The versions that selectors were rewritten for. Each is used until its file is saved.
#[derive(Debug)]
struct Baselines {
    known: Mutex<HashMap<PathBuf, Baseline>>,
    share: Share,
}

/// The saved version when the selectors of a document were rewritten, and the version that they
/// were rewritten for; `None` if that was too large to keep, so their targets are unknown.
#[derive(Debug)]
struct Baseline {
    saved: u64,
    text: Option<(Source, Held)>,
}

/// Baselines may take one part in this many of a world's memory.
const PART: u64 = 16;

impl Baselines {
    fn of(world: &dyn World) -> Arc<Self> {
        let limit = world.limit();
        let make = || Self { known: Mutex::default(), share: Share::new(&limit, PART) };
        world.memo().get_or(make)
    }

    fn known(&self) -> MutexGuard<'_, HashMap<PathBuf, Baseline>> {
        self.known.lock()
    }
}

/// A hash of the text.
fn fingerprint(source: &Source) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(source.slice(0..source.len()).as_bytes());
    hasher.finish()
}

/// The edits to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewriting {
    /// The number of selectors.
    pub count: usize,
    pub files: Vec<FileEdit>,
}

/// The version that selectors were written for, and whether they were rewritten for it.
fn baseline(cx: &Context, path: &Path) -> Option<(Source, bool)> {
    let saved = cx.world.saved(path).ok()?;
    let baselines = Baselines::of(cx.world);
    let known = baselines.known();
    let now = || fingerprint(&saved);
    match known.get(path).filter(|then| then.saved == now()) {
        Some(then) => then.text.as_ref().map(|(rewritten, _)| (rewritten.clone(), true)),
        None => {
            drop(known);
            Some((saved, false))
        }
    }
}

/// Records that all selectors are right for the current document.
pub fn rewritten(cx: &Context) {
    let Some(path) = cx.path else { return };
    let Ok(saved) = cx.world.saved(path) else { return };
    let saved = fingerprint(&saved);
    let baselines = Baselines::of(cx.world);
    let mut known = baselines.known();
    known.remove(path);
    let held = baselines.share.hold((cx.source.len() + path.as_os_str().len()) as u64);
    let text = held.map(|held| (cx.source.clone(), held));
    known.insert(path.to_owned(), Baseline { saved, text });
}

/// The selectors of all files that selected something else before the document was edited; `None`
/// if there are none.
pub fn rewriting(cx: &Context) -> Option<Rewriting> {
    let path = cx.path?;
    let (old, again) = baseline(cx, path)?;
    if old.text() == cx.source.text() {
        return None;
    }
    let mut before = Vec::new();
    let mut after = Vec::new();
    speakers(cx, path, &mut |file, own, mention| {
        // Only selectors of this document, not of another one with the same name.
        let only = super::target::targets(own, mention).list;
        let meant =
            only.first().is_some_and(|target| target.path.as_deref().unwrap_or(file) == path);
        if meant && mention.selector.is_ok() && (again || is_saved(own, file, mention)) {
            before.push((
                file.to_owned(),
                mention.clone(),
                own.source.slice(mention.span.clone()).into_owned(),
            ));
        }
    });
    if before.is_empty() {
        return None;
    }
    let moves = Moves::new(&old, cx.source);
    for (file, mention, text) in before {
        let Ok(selector) = &mention.selector else { continue };
        if let Some(edits) =
            moves.edits(selector, &text, mention.span.start).filter(|edits| !edits.is_empty())
        {
            after.push((file, edits));
        }
    }
    let count = after.len();
    let mut files: Vec<FileEdit> = Vec::new();
    for (file, edits) in after {
        let file = Some(file).filter(|file| file != path);
        match files.iter_mut().find(|known| known.path == file) {
            Some(known) => known.edits.extend(edits),
            None => files.push(FileEdit { path: file, edits }),
        }
    }
    (count > 0).then_some(Rewriting { count, files })
}

/// Whether a mention is in the saved version of its file, at the same position among the others: a
/// newer one refers to the current document.
fn is_saved(cx: &Context, file: &Path, mention: &Mention) -> bool {
    let Ok(saved) = cx.world.saved(file) else { return false };
    if saved.text() == cx.source.text() {
        return true;
    }
    let texts = |source: &Source| {
        mention::all(source)
            .iter()
            .map(|mention| source.slice(mention.span.clone()).into_owned())
            .collect::<Vec<_>>()
    };
    let place = mention::all(cx.source)
        .iter()
        .position(|other| other.span == mention.span)
        .unwrap_or_default();
    let (old, new) = (texts(&saved), texts(cx.source));
    let same = |a: Option<&String>, b: Option<&String>| a.is_some() && a == b;
    let behind = new.len() - place.min(new.len());
    if old.len() == new.len() {
        return same(old.get(place), new.get(place));
    }
    let prefix = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let suffix = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    place < prefix || behind <= suffix
}

/// The new locations of the headings and blocks of an old version.
struct Moves {
    old: Arc<Tree>,
    new: Arc<Tree>,
    headings: Vec<Option<usize>>,
    blocks: Vec<Option<usize>>,
}

impl Moves {
    fn new(old: &Source, new: &Source) -> Self {
        let (before, after) = (Tree::of(old), Tree::of(new));
        let headings = align(&heading_keys(&before), &heading_keys(&after));
        let blocks = align(&block_keys(old, &before), &block_keys(new, &after));
        Self { old: before, new: after, headings, blocks }
    }

    fn node(&self, node: Node) -> Option<Node> {
        let index = match node.kind {
            NodeKind::Root => Some(0),
            NodeKind::Heading | NodeKind::Section => *self.headings.get(node.index)?,
            NodeKind::Block => *self.blocks.get(node.index)?,
        };
        index.map(|index| Node { kind: node.kind, index })
    }

    /// The edits that make a selector select in the new version what it selects in the old one;
    /// `None` if it selects nothing there, or something that is gone. Only the last of its segments
    /// may select several nodes.
    fn edits(&self, selector: &Selector, text: &str, start: usize) -> Option<Vec<Edit>> {
        let (mut old, mut new) = (None, None);
        let mut edits = Vec::new();
        let mut segments =
            selector.segments.iter().filter(|segment| segment.kind != SegmentKind::Page).peekable();
        while let Some(segment) = segments.next() {
            if segment.kind == SegmentKind::Root {
                return None;
            }
            let index = segment.index.as_ref()?;
            let below = self.old.below(old, segment.kind);
            let places = match index.single() {
                Some(place) => vec![place],
                // A range that ends after the last match means all matches from its start.
                None if segments.peek().is_some() || index.last() >= below.len() => return None,
                None => index.places(below.len()),
            };
            let nodes = places.iter().map(|place| below.get(*place)).collect::<Option<Vec<_>>>()?;
            let moved = nodes.iter().map(|node| self.node(*node)).collect::<Option<Vec<_>>>()?;
            let kind = self.kind(segment.kind, &moved)?;
            let now = self.new.below(new, kind);
            let rank = |node: &Node| now.iter().position(|other| other == *node);
            let mut ranks = moved.iter().map(rank).collect::<Option<Vec<_>>>()?;
            ranks.sort_unstable();
            if kind != segment.kind {
                let (level, digit) = level(kind, segment, text)?;
                edits.push(Edit::replace(start + digit.start..start + digit.end, level));
            }
            if ranks != places {
                let span = index_span(segment, text)?;
                edits.push(Edit::replace(start + span.start..start + span.end, list(&ranks)));
            }
            (old, new) = (nodes.first().copied(), moved.first().copied());
        }
        Some(edits)
    }

    /// The kind that selects some moved nodes: headings may have a new level, if it's the same for
    /// all.
    fn kind(&self, kind: SegmentKind, moved: &[Node]) -> Option<SegmentKind> {
        let SegmentKind::Heading(_) = kind else { return Some(kind) };
        let mut levels = moved.iter().map(|node| Some(self.new.headings.get(node.index)?.level));
        let first = levels.next()??;
        levels.all(|level| level == Some(first)).then_some(SegmentKind::Heading(first))
    }
}

/// Indices as they are written, with ranges.
fn list(ranks: &[usize]) -> String {
    let mut stretches: Vec<(usize, usize)> = Vec::new();
    for rank in ranks {
        match stretches.last_mut() {
            Some((_, last)) if *last + 1 == *rank => *last = *rank,
            _ => stretches.push((*rank, *rank)),
        }
    }
    let written = stretches.iter().map(|(first, last)| match last - first {
        0 => first.to_string(),
        _ => format!("{first}-{last}"),
    });
    written.collect::<Vec<_>>().join(",")
}

/// The level of a heading as text, and the span of the former one in the written selector: the last
/// digit of the name.
fn level(kind: SegmentKind, segment: &Segment, text: &str) -> Option<(String, Span)> {
    let SegmentKind::Heading(level) = kind else { return None };
    let written = text.get(segment.span.clone())?;
    let name = written.split(['[', '.']).next()?.trim_end();
    let digit = name.len().checked_sub(1)?;
    let is_digit = name.as_bytes().get(digit).is_some_and(u8::is_ascii_digit);
    let at = segment.span.start + digit;
    is_digit.then(|| (level.to_string(), at..at + 1))
}

/// The span of a segment's index in the written selector.
fn index_span(segment: &Segment, text: &str) -> Option<Span> {
    let written = text.get(segment.span.clone())?;
    let start = written.find(['[', '.'])? + 1;
    let length = written
        .get(start..)?
        .find(|letter: char| !letter.is_ascii_digit() && !matches!(letter, ',' | '-' | ' '))
        .unwrap_or(written.len() - start);
    Some(segment.span.start + start..segment.span.start + start + length)
}

fn heading_keys(tree: &Tree) -> Vec<u64> {
    let key = |level: u8, text: &str| {
        let mut hasher = FxHasher::default();
        hasher.write_u8(level);
        hasher.write(text.as_bytes());
        hasher.finish()
    };
    tree.headings.iter().map(|heading| key(heading.level, &heading.text)).collect()
}

/// A hash of each block's start and end rather than of all its text: blocks may be nested, and this
/// must be fast.
fn block_keys(source: &Source, tree: &Tree) -> Vec<u64> {
    const PART: usize = 200;
    let key = |block: &crate::selector::tree::Block| {
        let mut hasher = FxHasher::default();
        hasher.write_u8(block.kind as u8);
        hasher.write_usize(block.span.len());
        hasher.write(
            source.slice(block.span.start..block.span.end.min(block.span.start + PART)).as_bytes(),
        );
        hasher.write(
            source
                .slice(block.span.end.saturating_sub(PART).max(block.span.start)..block.span.end)
                .as_bytes(),
        );
        hasher.finish()
    };
    tree.blocks.iter().map(key).collect()
}

/// The new position of each old node: first equal beginnings and ends, then nodes that occur
/// equally often in both, then nodes between the same neighbours.
fn align(old: &[u64], new: &[u64]) -> Vec<Option<usize>> {
    let prefix = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - prefix;
    let suffix =
        old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let mut places: Vec<Option<usize>> =
        (0..old.len()).map(|at| (at < prefix).then_some(at)).collect();
    for back in 1..=suffix {
        if let Some(place) = places.get_mut(old.len() - back) {
            *place = Some(new.len() - back);
        }
    }
    let (old_middle, new_middle) = (prefix..old.len() - suffix, prefix..new.len() - suffix);
    let mut seen: FxHashMap<u64, (Vec<usize>, Vec<usize>)> = FxHashMap::default();
    for at in old_middle.clone() {
        seen.entry(old.get(at).copied().unwrap_or_default()).or_default().0.push(at);
    }
    for at in new_middle.clone() {
        seen.entry(new.get(at).copied().unwrap_or_default()).or_default().1.push(at);
    }
    for (before, after) in seen.values().filter(|(before, after)| before.len() == after.len()) {
        for (from, to) in before.iter().zip(after) {
            if let Some(place) = places.get_mut(*from) {
                *place = Some(*to);
            }
        }
    }
    // Nodes edited in place: as many old ones as new ones between two matched nodes.
    let taken: rustc_hash::FxHashSet<usize> = places.iter().flatten().copied().collect();
    let mut from = old_middle.start;
    while from < old_middle.end {
        if places.get(from).copied().flatten().is_some() {
            from += 1;
            continue;
        }
        let end = (from..old_middle.end)
            .find(|at| places.get(*at).copied().flatten().is_some())
            .unwrap_or(old_middle.end);
        let first = from
            .checked_sub(1)
            .map_or(Some(0), |before| places.get(before).copied().flatten().map(|at| at + 1));
        let last =
            if end < old.len() { places.get(end).copied().flatten() } else { Some(new.len()) };
        if let (Some(first), Some(last)) = (first, last)
            && last.checked_sub(first) == Some(end - from)
            && (first..last).all(|at| !taken.contains(&at))
        {
            for (offset, at) in (from..end).enumerate() {
                if let Some(place) = places.get_mut(at) {
                    *place = Some(first + offset);
                }
            }
        }
        from = end;
    }
    places
}

/// Whether the name of a document is mentioned anywhere: only then can an edit affect selectors.
pub fn is_spoken_of(cx: &Context) -> bool {
    cx.path.is_some_and(|path| {
        let wanted = name(path);
        let mut said = !super::names::Names::of(cx.world).speakers(&wanted).is_empty();
        cx.world.unsaved(&mut |_, source| {
            said =
                said || mention::all(source).iter().any(|mention| mention.names().contains(&wanted))
        });
        said
    })
}
