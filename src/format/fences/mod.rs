//! Code fences in any Markdown that a model reads. The fences of a stretch of sections are read
//! once and cached with it.

pub mod rules;
#[cfg(test)]
mod tests;

use std::sync::{Arc, LazyLock};

use crate::markdown::{BlockKind, SectionKind};
use crate::source::{Placed, Source};
use crate::text::Span;

/// The closing fences of a stretch that Markdown reads as code, because they are indented too far.
/// Offsets count from its start.
#[derive(Debug, Default, PartialEq)]
struct Indented(Vec<Closing>);

/// A line that was meant to close a fence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Closing {
    /// The line that opens the fence.
    pub opening: Span,
    /// The marks.
    pub marks: Span,
    /// The whitespace before them; `wanted` is the right one.
    pub indent: Span,
    pub wanted: String,
}

/// How many columns a closing fence may be indented more than its surroundings.
const MOST: usize = 3;

/// Shared by most stretches.
static NOTHING: LazyLock<Arc<Indented>> = LazyLock::new(Arc::default);

/// All closing fences of a document that are indented too far.
pub(super) fn indented(source: &Source) -> impl Iterator<Item = Closing> {
    source.stretches().flat_map(move |stretch| {
        let kept = stretch.memo().share(|| {
            let sections = stretch.sections();
            let found: Vec<Closing> = sections
                .flat_map(|placed| {
                    let by = placed.start - stretch.start;
                    read(source, placed).into_iter().map(move |closing| closing.moved(by))
                })
                .collect();
            if found.is_empty() { Arc::clone(&NOTHING) } else { Arc::new(Indented(found)) }
        });
        let moved = |closing: &Closing| closing.clone().moved(stretch.start);
        kept.0.iter().map(moved).collect::<Vec<_>>()
    })
}

impl Closing {
    fn moved(self, by: usize) -> Self {
        let moved = |span: Span| span.start + by..span.end + by;
        Self {
            opening: moved(self.opening),
            marks: moved(self.marks),
            indent: moved(self.indent),
            wanted: self.wanted,
        }
    }
}

fn read(source: &Source, placed: Placed) -> Vec<Closing> {
    if matches!(placed.section.kind, SectionKind::Front(_)) {
        return Vec::new();
    }
    let blocks = source.blocks(placed).blocks.iter();
    let mut fenced =
        blocks.filter(|block| matches!(block.kind, BlockKind::Code { info: Some(_) })).peekable();
    if fenced.peek().is_none() {
        return Vec::new();
    }
    let text = source.section_text(placed);
    fenced.filter_map(|block| closing(&text, &block.span)).collect()
}

/// The line of a fenced block that was meant to close it: only marks, and after it comes the
/// opening line of another fence, or no closing line at all.
fn closing(text: &str, block: &Span) -> Option<Closing> {
    let start = text.get(..block.start)?.rfind('\n').map_or(0, |at| at + 1);
    let before = text.get(start..block.start)?;
    // In a quote, a line that isn't indented could belong to another block.
    if before.contains('>') {
        return None;
    }
    let code = text.get(block.clone())?;
    let mut lines = lines(code, block.start);
    let (first, at) = lines.next()?;
    let own = column(before) + column(first);
    let opening = at..at + first.trim_end().len();
    let lead = first.get(..first.len() - first.trim_start().len())?;
    let wanted = match before.trim().is_empty() {
        true => format!("{before}{lead}"),
        // After the marker of a list item.
        false => " ".repeat(own),
    };
    let (mark, length) = marks(first.trim())?;
    let mut meant: Option<Closing> = None;
    // Two fences at the same column are a nested block that the author indented, and so are one with a language
    // and the next one there.
    let (mut deep, mut count_deep, mut nested) = (0, 0, None);
    for (line, at) in lines {
        let content = line.trim();
        let indent = line.len() - line.trim_start().len();
        let Some((other, count)) = marks(content) else { continue };
        let alone = content.len() == count;
        if other == mark && is_deep(line, own) {
            let inline = || content.get(count..).is_some_and(|rest| rest.contains(mark));
            if !alone && !inline() {
                nested = Some(column(line));
                continue;
            }
            if alone && nested.take_if(|opened| *opened == column(line)).is_some() {
                continue;
            }
        }
        match &meant {
            // Markdown closes the block here.
            _ if other == mark && count >= length && alone && !is_deep(line, own) => {
                // No other fence is in between, so the block is closed correctly.
                return None;
            }
            _ if other == mark && alone && meant.is_some() && column(line) == deep => {
                count_deep += 1;
            }
            None if other == mark && count >= length && alone => {
                (deep, count_deep) = (column(line), 1);
                meant = Some(Closing {
                    opening: opening.clone(),
                    marks: at + indent..at + line.trim_end().len(),
                    indent: at..at + indent,
                    wanted: wanted.clone(),
                });
            }
            Some(_) if !alone && !is_deep(line, own) && !content.get(count..)?.contains(mark) => {
                return meant.filter(|_| count_deep % 2 == 1);
            }
            _ => {}
        }
    }
    meant.filter(|_| count_deep % 2 == 1)
}

/// The lines of some text, and where they start.
fn lines(text: &str, start: usize) -> impl Iterator<Item = (&str, usize)> {
    text.split_inclusive('\n').scan(start, |at, line| {
        let here = *at;
        *at += line.len();
        Some((line, here))
    })
}

/// The mark of a line that begins with a fence, and how often it is repeated.
fn marks(line: &str) -> Option<(char, usize)> {
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let count = line.chars().take_while(|letter| *letter == mark).count();
    (count >= 3).then_some((mark, count))
}

/// Whether a line is indented too far to be a fence in a block at column `own`.
fn is_deep(line: &str, own: usize) -> bool {
    column(line) > own + MOST
}

/// The column of a line's fence, or of its end.
fn column(line: &str) -> usize {
    line.chars().take_while(|letter| !matches!(letter, '`' | '~')).fold(0, |column, letter| {
        match letter {
            '\t' => (column / 4 + 1) * 4,
            _ => column + 1,
        }
    })
}
