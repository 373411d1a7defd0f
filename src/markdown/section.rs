//! Sections, and how a document is cut into them.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use memchr::memmem;

use super::block::Blocks;
use super::front::{self, Delimiters, Known, Top};
use super::line::{first_line, is_delimiter};
use super::memo::Memo;
use super::scanner::Scanner;
use super::trace::{Trace, Traces};
use crate::text::{LineBreaks, Span};
use crate::yaml;

/// A piece of a document that reads the same in every position. Immutable; derived data is computed
/// once.
#[derive(Debug)]
pub struct Section {
    pub kind: SectionKind,
    /// Length in bytes.
    pub length: usize,
    pub(crate) breaks: LineBreaks,
    pub(crate) ascii: bool,
    /// It contains a line that is exactly `---`.
    pub(crate) has_delimiter: bool,
    traces: Traces,
    /// Comments that suppress findings, in order.
    pub directives: Box<[Directive]>,
    pub(crate) blocks: OnceLock<Blocks>,
    pub(crate) front: OnceLock<Arc<yaml::Tree>>,
    /// Data cached by formats.
    pub(crate) memo: Memo,
}

/// The start of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SectionKind {
    Front(Delimiters),
    /// An ATX heading at column 0, with its level.
    Heading(u8),
    /// Any other start: the document's, or a paragraph.
    Text,
}

/// A comment such as `<!-- agentmd-disable-line code -->`: its span in the section, and the text
/// after `agentmd-`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directive {
    pub span: Span,
    pub text: String,
}

impl Section {
    fn new(kind: SectionKind, text: &str, finder: &memmem::Finder) -> Self {
        let traces = Traces::read(text);
        let directives = match traces.has(Trace::Directive) {
            true => read_directives(finder, kind, text),
            false => Box::default(),
        };
        Self {
            kind,
            length: text.len(),
            breaks: LineBreaks::read(text),
            ascii: text.is_ascii(),
            has_delimiter: false,
            traces,
            directives,
            blocks: OnceLock::new(),
            front: OnceLock::new(),
            memo: Memo::default(),
        }
    }

    /// Whether it may contain something. If not, nothing that leaves this trace is in it.
    pub fn may_have(&self, trace: Trace) -> bool {
        self.traces.has(trace)
    }

    /// All that it may contain.
    pub fn traces(&self) -> Traces {
        self.traces
    }

    /// Equal in everything visible to readers; caches don't count.
    pub fn same_as(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.length == other.length
            && self.breaks == other.breaks
            && self.ascii == other.ascii
            && self.has_delimiter == other.has_delimiter
            && self.traces == other.traces
            && self.directives == other.directives
    }
}

/// The prefix of directives.
pub(crate) const DIRECTIVE: &str = "agentmd-disable";

/// Only comments count, not text that mentions directives. Directives in code are found when the
/// blocks are parsed.
fn read_directives(finder: &memmem::Finder, kind: SectionKind, text: &str) -> Box<[Directive]> {
    let opening = if matches!(kind, SectionKind::Front(_)) { "#" } else { "<!--" };
    let found = finder.find_iter(text.as_bytes()).filter_map(|start| {
        let before = text.get(..start)?;
        let before = before.get(before.rfind(['\n', '\r']).map_or(0, |end| end + 1)..)?;
        if !before.trim_end().ends_with(opening) {
            return None;
        }
        let line = text.get(start..)?.lines().next()?;
        let end = line.find("-->").unwrap_or(line.len());
        let body = line.get(..end)?.trim_end();
        Some(Directive {
            span: start..start + body.len(),
            text: body.get("agentmd-".len()..)?.to_owned(),
        })
    });
    found.collect()
}

/// What follows the text being cut: the sections of the previous cut.
pub(crate) trait Following {
    /// The first line of the next section, without its line break; `None` at the document's end.
    fn first_line(&self) -> Option<String>;
    /// Appends the next section to `text`.
    fn take(&mut self, text: &mut String);
    /// Whether one of the sections contains a line that is exactly `---`.
    fn has_delimiter(&self) -> bool;
}

/// The result of [`cut`].
#[derive(Debug)]
pub(crate) struct Cut {
    pub sections: Vec<Arc<Section>>,
    /// The number of bytes read.
    pub read: usize,
    /// If the cut began at the document's start: an edit before this offset may change the top of
    /// the document.
    pub top_reach: usize,
    /// In the same case: line 1 is an unclosed `---`.
    pub unclosed: bool,
}

/// Cuts `text` into sections. If its end is not clean (an open fence, a missing line break),
/// continues into the following sections until one begins where one began before: after that,
/// nothing can have changed. `top`: the text begins at the document's start, rather than at a
/// section's.
pub(crate) fn cut(mut text: Cow<str>, top: bool, following: &mut impl Following) -> Cut {
    let mut cutter = Cutter {
        sections: Vec::new(),
        directives: memmem::Finder::new(DIRECTIVE),
        start: 0,
        kind: SectionKind::Text,
        has_delimiter: false,
    };
    let (mut top_reach, mut unclosed, mut read) = (0, false, 0);
    let mut at = 0;
    if top {
        let (front, reach) = find_front_matter(&mut text, following, &mut read);
        top_reach = reach;
        unclosed = front::opens(&text) && !matches!(front, Some((Delimiters::Complete, _)));
        if let Some((delimiters, length)) = front {
            cutter.kind = SectionKind::Front(delimiters);
            cutter.close(&text, length);
            at = length;
        }
    }
    let mut scanner = Scanner::new();
    let mark = if top && at == 0 { front::mark_length(&text) } else { 0 };
    at = at.max(mark);
    loop {
        while at < text.len() {
            let (line, length) = first_line(text.as_bytes().get(at..).unwrap_or_default());
            if at + length == text.len() && is_cut_short(&text, following) {
                following.take(text.to_mut());
                continue;
            }
            if let Some(kind) = scanner.boundary(line) {
                // A byte order mark belongs to the section after it.
                if at != mark {
                    cutter.close(&text, at);
                }
                cutter.kind = kind;
            }
            cutter.has_delimiter |= is_delimiter(line);
            scanner.read(line);
            at += length;
        }
        match following.first_line() {
            None => break,
            Some(line) if !text.is_empty() && scanner.boundary(line.as_bytes()).is_some() => break,
            Some(_) => following.take(text.to_mut()),
        }
    }
    cutter.close(&text, text.len());
    Cut { sections: cutter.sections, read: read + text.len(), top_reach, unclosed }
}

/// The last line doesn't end here: its line break is missing, or is a `\r` whose `
/// ` begins the next section.
fn is_cut_short(text: &str, following: &impl Following) -> bool {
    match following.first_line() {
        None => false,
        Some(next) => !text.ends_with(['\n', '\r']) || text.ends_with('\r') && next.is_empty(),
    }
}

/// `read` counts the bytes read.
fn find_front_matter(
    text: &mut Cow<str>,
    following: &mut impl Following,
    read: &mut usize,
) -> (Option<(Delimiters, usize)>, usize) {
    loop {
        *read += text.len();
        let complete = following.first_line().is_none();
        let (mut top, mut reach) =
            front::read_top(text, if complete { Known::All } else { Known::Part });
        // Only look for a delimiter in the rest of the document if one is needed. The last line may
        // become one with what follows.
        if top == Top::More && !is_cut_short(text, following) && !following.has_delimiter() {
            *read += text.len();
            (top, reach) = front::read_top(text, Known::NoDelimiterBelow);
        }
        match top {
            Top::FrontMatter { delimiters, length } => return (Some((delimiters, length)), reach),
            Top::Other => return (None, reach),
            Top::More => {
                let goal = text.len() * 2;
                while text.len() <= goal && following.first_line().is_some() {
                    following.take(text.to_mut());
                }
            }
        }
    }
}

struct Cutter {
    sections: Vec<Arc<Section>>,
    /// Created once: every section uses it.
    directives: memmem::Finder<'static>,
    start: usize,
    kind: SectionKind,
    has_delimiter: bool,
}

impl Cutter {
    fn close(&mut self, text: &str, end: usize) {
        if let Some(piece) = text.get(self.start..end).filter(|piece| !piece.is_empty()) {
            self.sections.push(Arc::new(Section {
                has_delimiter: self.has_delimiter,
                ..Section::new(self.kind, piece, &self.directives)
            }));
        }
        self.start = end;
        self.kind = SectionKind::Text;
        self.has_delimiter = false;
    }
}
