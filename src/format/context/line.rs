//! The lines that can belong to the frame of a pack. Each is classified on its own; `layout`
//! decides what it is in its place.

use std::sync::{Arc, LazyLock};

use super::header::{self, Header};
use super::kind;
use crate::source::{Placed, Source};
use crate::text::Span;

/// A line, excluding its break. Spans count from the start of the searched text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub span: Span,
    /// After the break.
    pub next: usize,
    pub kind: LineKind,
    /// The text between the previous such line and this one.
    pub gap: Gap,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineKind {
    /// Can open a fence, or close one if it has no info string.
    Fence(Fence),
    Header(Header, Naming),
    /// `## Context`
    Context,
    /// `## Request`
    Request,
    /// Another level-1 or level-2 heading.
    Heading,
    /// `<context>`
    Open,
    /// `</context>`
    Close,
    /// `### a.lisp (:file)`
    Chat(Header),
}

/// How likely a line is meant as the header of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// Its type is known.
    Known,
    /// It names a file.
    Annotated,
    /// It is one word.
    Word,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fence {
    pub mark: u8,
    pub length: usize,
    /// It has no info string: it can close another.
    pub bare: bool,
    pub indented: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Gap {
    #[default]
    None,
    Blank,
    Text,
}

/// The lines of a section, and the text after the last one.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::format) struct Lines {
    pub lines: Box<[Line]>,
    pub tail: Gap,
    /// One of them can start a pack.
    pub begins: bool,
}

/// What most sections have: no line of a pack, and one kind of gap.
static NONE: LazyLock<[Arc<Lines>; 3]> = LazyLock::new(|| {
    [Gap::None, Gap::Blank, Gap::Text].map(|tail| Arc::new(Lines { tail, ..Lines::default() }))
});

impl Lines {
    /// The lines of a section, with offsets from its start, which is the start of a line.
    pub(super) fn of(source: &Source, placed: Placed) -> Arc<Self> {
        placed.section.memo.share(|| {
            let read = Self::read(&source.section_text(placed), placed.start == 0);
            match NONE.iter().find(|none| ***none == read) {
                Some(none) => Arc::clone(none),
                None => Arc::new(read),
            }
        })
    }

    /// `first`: the text is at the start of the document.
    pub(in crate::format) fn read(text: &str, first: bool) -> Self {
        let (mut lines, mut gap) = (Vec::new(), Gap::None);
        let mut at = if first && text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        while at < text.len() {
            let rest = text.get(at..).unwrap_or_default();
            let length = memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
            let pair = rest.as_bytes().get(length..length + 2) == Some(b"\r\n");
            let span = at..at + length;
            let next = (span.end + 1 + usize::from(pair)).min(text.len());
            let line = rest.get(..length).unwrap_or_default();
            match read(line) {
                Some(kind) => lines.push(Line {
                    kind: shifted(kind, at),
                    span,
                    next,
                    gap: std::mem::take(&mut gap),
                }),
                None if line.bytes().all(|byte| byte.is_ascii_whitespace()) => {
                    gap = gap.max(Gap::Blank)
                }
                None => gap = Gap::Text,
            }
            at = next;
        }
        let begins =
            lines.iter().any(|line| matches!(line.kind, LineKind::Context | LineKind::Open));
        Self { lines: lines.into(), tail: gap, begins }
    }
}

fn shifted(kind: LineKind, by: usize) -> LineKind {
    match kind {
        LineKind::Header(header, naming) => LineKind::Header(header.shifted(by), naming),
        LineKind::Chat(header) => LineKind::Chat(header.shifted(by)),
        other => other,
    }
}

impl Line {
    /// The same in a document that has `by` bytes before this one.
    #[must_use]
    pub fn shifted(&self, by: usize) -> Self {
        Self {
            span: self.span.start + by..self.span.end + by,
            next: self.next + by,
            kind: shifted(self.kind.clone(), by),
            gap: self.gap,
        }
    }
}

/// The kind of a line.
fn read(line: &str) -> Option<LineKind> {
    let content = line.trim_start_matches(' ');
    match content.bytes().next()? {
        mark @ (b'`' | b'~') => fence(line, content, mark).map(LineKind::Fence),
        b'#' if content.len() == line.len() => heading(line),
        b'<' if content.len() == line.len() => match line.trim_end() {
            "<context>" => Some(LineKind::Open),
            "</context>" => Some(LineKind::Close),
            _ => None,
        },
        _ => None,
    }
}

fn fence(line: &str, content: &str, mark: u8) -> Option<Fence> {
    let indent = line.len() - content.len();
    let length = content.bytes().take_while(|byte| *byte == mark).count();
    let rest = content.get(length..)?;
    if indent > 3 || length < 3 || mark == b'`' && rest.contains('`') {
        return None;
    }
    Some(Fence {
        mark,
        length,
        bare: rest.trim_matches([' ', '\t']).is_empty(),
        indented: indent > 0,
    })
}

fn heading(line: &str) -> Option<LineKind> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let rest = line.get(level..)?;
    if !rest.is_empty() && !rest.starts_with([' ', '\t']) {
        return None;
    }
    match (level, rest.trim()) {
        (2, "Context") => Some(LineKind::Context),
        (2, "Request") => Some(LineKind::Request),
        (1 | 2, _) => Some(LineKind::Heading),
        (3, _) => match header::read(line) {
            Some(header) => Some(LineKind::Header(header.clone(), naming(line, &header))),
            None => header::read_chat(line).map(LineKind::Chat),
        },
        _ => None,
    }
}

fn naming(line: &str, header: &Header) -> Naming {
    let known = line.get(header.kind.clone()).and_then(kind::named).is_some();
    match (known, &header.file) {
        (true, _) => Naming::Known,
        (false, Some(_)) => Naming::Annotated,
        (false, None) => Naming::Word,
    }
}
