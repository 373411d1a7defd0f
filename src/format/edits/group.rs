//! The blocks of some text that begins and ends between blocks, and which of them are meant.

use crate::edit::{self, Block, Dialect, Subject};
use crate::text::Span;

/// What some sections hold. Places count from their start.
#[derive(Debug, Default, PartialEq)]
pub struct Group {
    pub blocks: Vec<Block>,
    /// A block that no document about blocks would hold.
    pub telling: bool,
}

#[derive(Debug)]
struct Line<'t> {
    /// Its break included.
    span: Span,
    text: &'t str,
}

/// Code between fences.
#[derive(Debug)]
struct Fence<'t> {
    mark: &'t str,
    info: &'t str,
    /// Its lines, those of the fence itself excluded.
    lines: Span,
    closed: bool,
}

/// Reads the blocks of a text; those that only show how blocks are written are left out.
pub(super) fn read(text: &str) -> Group {
    let mut at = 0;
    let lines: Vec<Line> = text
        .split_inclusive('\n')
        .map(|line| {
            at += line.len();
            Line { span: at - line.len()..at, text: line.trim_end_matches(['\n', '\r']) }
        })
        .collect();
    let mut blocks: Vec<Block> =
        edit::read_search_replace(text).into_iter().filter(|block| block.dialect == Dialect::SearchReplace || has_own_path(block)).collect();
    let fences = fences(&lines, &blocks);
    let searched = blocks.len();
    patches(text, &lines, &fences, searched, &mut blocks);
    diffs(text, &lines, &fences, searched, &mut blocks);
    blocks.sort_by_key(|block| block.span.start);
    let shown: Vec<bool> = fences.iter().map(|fence| is_about_blocks(fence, &lines, &blocks)).collect();
    blocks.retain(|block| {
        let line = line_at(&lines, block.span.start);
        let around = fence_at(&fences, line);
        let indented = lines.get(line).is_some_and(|line| edit::lines::indentation(line.text).len() > 3);
        around.map_or(!indented, |fence| shown.get(fence) == Some(&false))
    });
    let telling = blocks.iter().any(is_telling);
    Group { blocks, telling }
}

fn has_own_path(block: &Block) -> bool {
    block.path.as_ref().is_some_and(|path| !path.inherited)
}

fn line_at(lines: &[Line], offset: usize) -> usize {
    lines.partition_point(|line| line.span.end <= offset)
}

/// The fence that a line stands in.
fn fence_at(fences: &[Fence], line: usize) -> Option<usize> {
    let index = fences.partition_point(|fence| fence.lines.start <= line).checked_sub(1)?;
    fences.get(index).filter(|fence| fence.lines.contains(&line)).map(|_| index)
}

/// The first of some spans in order that does not begin before `offset`.
fn first_from(spans: &[Span], offset: usize) -> usize {
    spans.partition_point(|span| span.start < offset)
}

/// The lines that a block covers.
fn lines_of(lines: &[Line], block: &Block) -> Span {
    line_at(lines, block.span.start)..line_at(lines, block.span.end.saturating_sub(1).max(block.span.start)) + 1
}

/// The fences of a text; those in blocks are text of some file.
fn fences<'t>(lines: &[Line<'t>], blocks: &[Block]) -> Vec<Fence<'t>> {
    let mut found: Vec<Fence> = Vec::new();
    let mut open = false;
    let mut blocks = blocks.iter().map(|block| lines_of(lines, block)).peekable();
    let mut index = 0;
    while let Some(line) = lines.get(index) {
        if let Some(block) = blocks.next_if(|block| block.start <= index) {
            index = block.end.max(index + 1);
            continue;
        }
        let text = line.text.trim();
        match found.last_mut().filter(|_| open) {
            Some(fence) => {
                let closes = text.len() >= fence.mark.len()
                    && text.starts_with(fence.mark)
                    && fence.mark.chars().next().is_some_and(|mark| text.chars().all(|other| other == mark));
                if closes {
                    (fence.lines.end, fence.closed, open) = (index, true, false);
                }
            }
            None => {
                if let Some((mark, info)) = opens(text) {
                    found.push(Fence { mark, info, lines: index + 1..lines.len(), closed: false });
                    open = true;
                }
            }
        }
        index += 1;
    }
    found
}

fn opens(text: &str) -> Option<(&str, &str)> {
    let first = text.chars().next().filter(|first| matches!(first, '`' | '~'))?;
    let length = text.bytes().take_while(|byte| char::from(*byte) == first).count();
    let (mark, info) = text.split_at_checked(length)?;
    (length >= 3 && !info.contains('`')).then_some((mark, info.trim()))
}

/// `*** Begin Patch` to `*** End Patch`, or to the end of its fence.
fn patches(text: &str, lines: &[Line], fences: &[Fence], searched: usize, blocks: &mut Vec<Block>) {
    let taken: Vec<Span> = blocks.iter().take(searched).map(|block| block.span.clone()).collect();
    let mut index = 0;
    while let Some(line) = lines.get(index) {
        index += 1;
        if line.text.trim() != "*** Begin Patch"
            || first_from(&taken, line.span.start + 1)
                .checked_sub(1)
                .and_then(|before| taken.get(before))
                .is_some_and(|span| span.contains(&line.span.start))
        {
            continue;
        }
        let limit = fence_at(fences, index - 1).and_then(|fence| fences.get(fence)).map_or(lines.len(), |fence| fence.lines.end);
        let last = (index..limit).find(|line| lines.get(*line).is_some_and(|line| line.text.trim() == "*** End Patch"));
        let end = last.map_or(limit, |last| last + 1);
        let span = line.span.start..lines.get(end - 1).map_or(text.len(), |line| line.span.end);
        let found = edit::read_patch(text.get(span.clone()).unwrap_or_default());
        blocks.extend(found.into_iter().map(|block| block.shifted(span.start)));
        index = end;
    }
}

/// Unified diffs that fill a fence.
fn diffs(text: &str, lines: &[Line], fences: &[Fence], searched: usize, blocks: &mut Vec<Block>) {
    let taken: Vec<Span> = blocks.iter().take(searched).map(|block| block.span.clone()).collect();
    for fence in fences.iter().filter(|fence| fence.closed && matches!(fence.info, "" | "diff" | "patch" | "udiff")) {
        let inside = lines.get(fence.lines.clone()).unwrap_or_default();
        let header = |line: &[Line]| matches!(line, [old, new, hunk, ..] if old.text.starts_with("--- ") && new.text.starts_with("+++ ") && hunk.text.starts_with("@@"));
        let Some(first) = inside.windows(3).position(header) else { continue };
        let before = inside.get(..first).unwrap_or_default();
        let is_preamble = |line: &Line| {
            line.text.trim().is_empty()
                || ["diff ", "index ", "new file", "deleted file", "similarity"].iter().any(|word| line.text.starts_with(word))
        };
        let (Some(start), Some(last)) = (inside.first(), inside.last()) else { continue };
        let span = start.span.start..last.span.end;
        if !before.iter().all(is_preamble) || taken.get(first_from(&taken, span.start)).is_some_and(|taken| taken.start < span.end) {
            continue;
        }
        let found = edit::read_unified(text.get(span.clone()).unwrap_or_default());
        blocks.extend(found.into_iter().map(|block| block.shifted(span.start)));
    }
}

/// Whether a fence holds anything beside blocks and what names their files: then it shows how blocks are written.
fn is_about_blocks(fence: &Fence, lines: &[Line], blocks: &[Block]) -> bool {
    let start = lines.get(fence.lines.start).map_or(usize::MAX, |line| line.span.start);
    let first = blocks.partition_point(|block| block.span.start < start);
    let end = lines.get(fence.lines.end).map_or(usize::MAX, |line| line.span.start);
    let inside = blocks.get(first..).unwrap_or_default().iter().take_while(|block| block.span.start < end);
    let mut free = vec![true; fence.lines.len()];
    for block in inside {
        let path = block.path.as_ref().filter(|path| !path.inherited).map(|path| line_at(lines, path.span.start));
        let whole = matches!(block.dialect, Dialect::UnifiedDiff | Dialect::ApplyPatch);
        if whole {
            return false;
        }
        for line in lines_of(lines, block).chain(path) {
            if let Some(slot) = line.checked_sub(fence.lines.start).and_then(|line| free.get_mut(line)) {
                *slot = false;
            }
        }
    }
    let said = lines.get(fence.lines.clone()).unwrap_or_default();
    said.iter().zip(&free).any(|(line, free)| *free && !line.text.trim().is_empty())
}

/// Whether a block is one that a model wrote for a file, beyond doubt.
fn is_telling(block: &Block) -> bool {
    let Some(path) = block.path.as_ref().filter(|path| !path.inherited && block.subject == Subject::File) else { return false };
    let shown = ["path/to", "filepath", "file_path", "…", "..."].iter().any(|word| path.text.contains(word)) || path.text.starts_with('[');
    let bracketed = |text: &str| text.trim().starts_with('[') && text.trim().ends_with(']') && text.trim().lines().count() == 1;
    let sample = block.splits.first().is_some_and(|split| bracketed(&split.search) && bracketed(&split.replace));
    !shown && !sample && matches!(block.error, None | Some(edit::Reason::UnterminatedBlock))
}
