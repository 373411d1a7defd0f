//! Writes packs as Agent-Q does, byte for byte (AQ-1 to AQ-6).

use super::kind;
use super::layout::{Item, Layout};
use super::line::{Line, LineKind, Lines};
use super::read;
use crate::source::Source;

/// An item as a value, for writing and as the result of reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its JSON name: `repl-history`.
    pub kind: String,
    pub filename: Option<String>,
    /// The printed first and last line, counted from 1.
    pub lines: Option<(String, String)>,
    pub content: String,
}

/// How to write packs. The default is Agent-Q's style.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Style {
    /// The fence has the language of the item; otherwise always `lisp`.
    pub languages: bool,
    /// The fence is longer than any in the content.
    pub safe: bool,
}

/// The heading of a pack.
pub const HEADING: &str = "## Context";

impl Entry {
    /// The header without the hashes: `Code (from a.lisp:1-2)`.
    pub fn title(&self) -> String {
        let mut out = kind::capitalize(&self.kind);
        if let Some(filename) = &self.filename {
            out.push_str(" (from ");
            out.push_str(filename);
            if let Some((start, end)) = &self.lines {
                out.push_str(&format!(":{start}-{end}"));
            }
            out.push(')');
        }
        out
    }

    /// The lines of the item, without the last line break.
    pub fn write(&self, style: Style) -> String {
        let language = if style.languages {
            kind::language(&self.kind, self.filename.as_deref())
        } else {
            "lisp"
        };
        let fence = if style.safe { safe_fence(&self.content) } else { "```".to_owned() };
        format!("### {}\n{fence}{language}\n{}\n{fence}", self.title(), self.content)
    }

    /// The parts of the item that a pack can express: lines without a file are not written.
    #[must_use]
    fn said(&self) -> Self {
        Self {
            kind: kind::capitalize(&self.kind).to_lowercase(),
            lines: self.lines.clone().filter(|_| self.filename.is_some()),
            ..self.clone()
        }
    }
}

/// A whole pack.
pub fn write(entries: &[Entry], style: Style) -> String {
    let mut out = format!("{HEADING}\n\n");
    for entry in entries {
        out.push_str(&entry.write(style));
        out.push_str("\n\n");
    }
    out
}

/// A fence that the content can't close: longer than every run of backticks in it. If the content
/// contains fences, or lines like the frame of a pack, it has at least four: that marks the inner
/// fences as content.
pub fn safe_fence(content: &str) -> String {
    let frame = |line: &Line| {
        matches!(line.kind, LineKind::Header(..) | LineKind::Request | LineKind::Fence(_))
    };
    let least = if Lines::read(content, false).lines.iter().any(frame) { 4 } else { 3 };
    "`".repeat((longest_run(content) + 1).max(least))
}

fn longest_run(content: &str) -> usize {
    let (mut longest, mut run) = (0, 0);
    for byte in content.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// The items of a document as values.
pub fn entries(source: &Source, layout: &Layout) -> Vec<Entry> {
    layout.items.iter().map(|item| entry(source, item)).collect()
}

/// An item as a value.
pub fn entry(source: &Source, item: &Item) -> Entry {
    let text = |span: &crate::text::Span| source.slice(span.clone()).into_owned();
    let shown = text(&item.header.kind);
    let lines = item.header.range.as_ref().map(|range| text(&range.span)).and_then(|range| {
        let (start, end) = range.split_once('-')?;
        Some((start.to_owned(), end.to_owned()))
    });
    Entry {
        kind: kind::named(&shown).map_or_else(|| shown.to_lowercase(), str::to_owned),
        filename: item.header.file.as_ref().map(text),
        lines,
        content: text(&item.content),
    }
}

/// The indices of the items that a parser wouldn't read back from the written pack (AQ-6).
pub fn unreadable(entries: &[Entry], style: Style) -> Vec<usize> {
    let said: Vec<Entry> = entries.iter().map(Entry::said).collect();
    let back = |entries: &[Entry]| {
        let source = Source::new(&write(entries, style));
        self::entries(&source, &read::read(&source))
    };
    let whole = back(entries);
    if whole == said {
        return Vec::new();
    }
    let alone = |index: &usize| {
        entries.get(*index..index + 1).is_some_and(|entry| {
            back(entry).as_slice() != said.get(*index..index + 1).unwrap_or_default()
        })
    };
    let bad: Vec<usize> = (0..entries.len()).filter(alone).collect();
    if bad.is_empty() {
        // Each one reads back correctly alone, so its neighbours cause the change.
        let first = said
            .iter()
            .zip(&whole)
            .position(|(said, read)| said != read)
            .unwrap_or(whole.len().min(said.len().saturating_sub(1)));
        return vec![first];
    }
    bad
}
