//! A source is the text of a document and its sections, updated incrementally. An edit makes a new
//! source that shares all untouched sections; data derived from a section is computed once and kept
//! with it.

pub mod parts;
mod sections;

use std::borrow::Cow;
use std::sync::Arc;

use crate::markdown::block::{self, Blocks};
use crate::markdown::front::{self, Delimiters};
use crate::markdown::highlight::{self, Highlight, Highlights};
use crate::markdown::memo::Memo;
use crate::markdown::section::{self, Cut, Following};
use crate::markdown::{Section, SectionKind};
use crate::text::{self, Edit, Encoding, Position, Rope, Span};
use crate::yaml;
use sections::Sections;
pub use sections::{Line, Stretch};

/// Text cut into sections. Cloning only copies a few reference counts.
#[derive(Debug, Clone, Default)]
pub struct Source {
    text: Rope,
    sections: Sections,
    /// An edit before this offset may change the top of the document.
    top_reach: usize,
    /// Line 1 is an unclosed `---`: any later `---` would close it.
    unclosed: bool,
    reread: usize,
    memo: Arc<Memo>,
}

/// A section and its start.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'a> {
    pub index: usize,
    /// The byte offset of its start in the document.
    pub start: usize,
    pub section: &'a Arc<Section>,
}

impl Placed<'_> {
    pub fn span(&self) -> Span {
        self.start..self.start + self.section.length
    }
}

/// A part with fewer bytes is copied.
const FEW: usize = 8 << 10;

impl Source {
    /// Reads a whole text.
    pub fn new(text: &str) -> Self {
        let cut = section::cut(Cow::Borrowed(text), true, &mut Nothing);
        Self {
            text: Rope::from_str(text),
            sections: Sections::new(cut.sections),
            top_reach: cut.top_reach,
            unclosed: cut.unclosed,
            reread: cut.read,
            memo: Arc::default(),
        }
    }

    /// The source after `edit`. A span outside the text is clamped; one that splits a character
    /// moves to its start.
    #[must_use]
    pub fn edit(&self, edit: &Edit) -> Self {
        let start = text::floor(&self.text, edit.span.start);
        let end = text::floor(&self.text, edit.span.end).max(start);
        let mut rope = self.text.clone();
        let (from, to) = (rope.byte_to_char(start), rope.byte_to_char(end));
        rope.remove(from..to);
        rope.insert(from, &edit.text);

        let inside = if end > start { end - 1 } else { end };
        let mut first = self.sections.index_at(start);
        if first > 0 && self.touches_first_line(first, start) {
            first -= 1;
        }
        if start <= self.top_reach {
            first = 0;
        }
        let growth = edit.text.len().cast_signed() - (end - start).cast_signed();
        let last = self.sections.index_at(inside);
        let (mut cut, mut behind) = self.cut(&rope, first, last, growth);
        if first > 0 && self.unclosed && cut.sections.iter().any(|section| section.has_delimiter) {
            first = 0;
            (cut, behind) = self.cut(&rope, first, last, growth);
        }
        let (top_reach, unclosed) = if first == 0 {
            (cut.top_reach, cut.unclosed)
        } else {
            (self.top_reach, self.unclosed)
        };
        Self {
            text: rope,
            sections: self.sections.splice(first..behind, cut.sections),
            top_reach,
            unclosed,
            reread: cut.read,
            memo: Arc::default(),
        }
    }

    /// Cuts the new text from section `first` through the end of section `last`, and further until
    /// sections begin as before; also returns the index after the last replaced section.
    fn cut(&self, rope: &Rope, first: usize, last: usize, growth: isize) -> (Cut, usize) {
        let start = self.sections.start_of(first);
        let old_end = self.sections.start_of(last + 1);
        let end = old_end.saturating_add_signed(growth);
        let mut following = Rest { source: self, next: (last + 1).min(self.sections.len()) };
        let cut = section::cut(text::slice(rope, start..end), first == 0, &mut following);
        (cut, following.next)
    }

    fn touches_first_line(&self, index: usize, offset: usize) -> bool {
        let start = self.sections.start_of(index);
        let first_break = self
            .sections
            .get(index)
            .and_then(|placed| placed.section.breaks.starts().first().copied());
        first_break.is_none_or(|length| offset <= start + length as usize)
    }

    /// The number of bytes read for this source: after an edit, for that edit alone.
    pub fn reread(&self) -> usize {
        self.reread
    }

    /// Data cached by formats for this text. An edited source starts without any.
    pub fn memo(&self) -> &Memo {
        &self.memo
    }

    pub fn text(&self) -> &Rope {
        &self.text
    }

    /// The length in bytes.
    pub fn len(&self) -> usize {
        self.text.len_bytes()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn slice(&self, span: Span) -> Cow<'_, str> {
        text::slice(&self.text, span)
    }

    /// Reads many spans.
    pub fn reader(&self) -> text::Reader<'_> {
        text::Reader::new(&self.text)
    }

    /// All sections, in order; together they are the document, byte for byte.
    pub fn sections(&self) -> impl Iterator<Item = Placed<'_>> {
        self.sections.iter()
    }

    /// The sections that contain characters of `span`.
    pub fn sections_in<'a>(&'a self, span: &Span) -> impl Iterator<Item = Placed<'a>> + use<'a> {
        let (first, end) = (self.sections.index_at(span.start), span.end);
        let all = (first..self.sections.len()).map_while(|index| self.sections.get(index));
        all.take_while(move |placed| placed.start < end)
    }

    /// The same, in runs of a few dozen.
    pub fn stretches(&self) -> impl Iterator<Item = Stretch<'_>> {
        self.sections.runs()
    }

    /// A range of sections as a separate source, which shares them.
    #[must_use]
    pub fn part(&self, sections: std::ops::Range<usize>) -> Self {
        let (start, end) =
            (self.sections.start_of(sections.start), self.sections.start_of(sections.end));
        // Slices of a rope count the characters around them, which takes longer than copying a few.
        let text = match end - start {
            0..FEW => Rope::from_str(&self.slice(start..end)),
            _ => self.text.get_byte_slice(start..end).map(Rope::from).unwrap_or_default(),
        };
        let reach = if sections.start == 0 { (self.top_reach, self.unclosed) } else { (0, false) };
        Self {
            text,
            sections: self.sections.part(sections),
            top_reach: reach.0,
            unclosed: reach.1,
            reread: 0,
            memo: Arc::default(),
        }
    }

    /// Whether `part` consists of exactly the sections at `sections`, so that nothing in it has
    /// changed.
    pub fn holds(&self, sections: std::ops::Range<usize>, part: &Self) -> bool {
        self.sections.are_at(sections, &part.sections)
    }

    /// The number of sections at the start that are shared with `other`, and of the rest at the
    /// end: nothing in them has changed.
    pub fn shared_sections(&self, other: &Self) -> (usize, usize) {
        self.sections.shared(&other.sections)
    }

    /// The number of sections.
    pub fn section_count(&self) -> usize {
        self.sections.len()
    }

    /// The start of a section by its index; the end of the text for an index after the last.
    pub fn section_start(&self, index: usize) -> usize {
        self.sections.start_of(index)
    }

    /// The section that contains the byte at `offset`, or the last one.
    pub fn section_at(&self, offset: usize) -> Option<Placed<'_>> {
        self.sections.get(self.sections.index_at(offset))
    }

    pub fn section_text(&self, placed: Placed) -> Cow<'_, str> {
        self.slice(placed.span())
    }

    /// The blocks of a section, parsed on first use. Offsets are relative to the section's start.
    pub fn blocks<'a>(&self, placed: Placed<'a>) -> &'a Blocks {
        placed.section.blocks.get_or_init(|| match placed.section.kind {
            SectionKind::Front(_) => Blocks::default(),
            _ => {
                let text = self.section_text(placed);
                let mark = if placed.start == 0 { front::mark_length(&text) } else { 0 };
                block::read(&text, mark)
            }
        })
    }

    /// The highlights of a section's Markdown, in order, not nested, each on one line.
    pub fn highlights(&self, placed: Placed) -> impl Iterator<Item = Highlight> {
        let read = || match placed.section.kind {
            SectionKind::Front(_) => Highlights::default(),
            _ => {
                let text = self.section_text(placed);
                let mark = if placed.start == 0 { front::mark_length(&text) } else { 0 };
                highlight::read(&text, mark)
            }
        };
        placed.section.memo.get_or(read).at(placed.start)
    }

    /// The front matter, if the document has any.
    pub fn front_matter(&self) -> Option<FrontMatter<'_>> {
        let placed = self.sections.get(0)?;
        let SectionKind::Front(delimiters) = placed.section.kind else { return None };
        let text = self.section_text(placed);
        let yaml_span = front::yaml_span(&text, delimiters);
        let tree = placed
            .section
            .front
            .get_or_init(|| Arc::new(yaml::parse(text.get(yaml_span.clone()).unwrap_or_default())));
        Some(FrontMatter {
            opening: front::opening_span(&text),
            delimiters,
            span: placed.span(),
            yaml_span,
            tree,
            section: placed.section,
        })
    }

    /// The number of line breaks, plus one.
    pub fn line_count(&self) -> usize {
        self.sections.breaks() + 1
    }

    /// Line (from 0) and column of a byte offset, which is clamped to the end of the text.
    pub fn position(&self, offset: usize, encoding: Encoding) -> Position {
        let offset = offset.min(self.len());
        let line = self.line_at(offset);
        let column = if line.is_ascii() || offset == line.start() {
            offset - line.start()
        } else {
            encoding.column(&self.text, line.start(), offset)
        };
        Position { line: line.number as u32, column: column as u32 }
    }

    /// The line that contains an offset; the last one for offsets after the end.
    pub fn line_at(&self, offset: usize) -> Line {
        self.sections.line_at(offset.min(self.len()))
    }

    /// The byte offset of a position. The column is clamped to the line's end, the line to the end
    /// of the text.
    pub fn offset(&self, position: Position, encoding: Encoding) -> usize {
        let Some(start) = self.sections.start_of_line(position.line as usize) else {
            return self.len();
        };
        encoding.offset(
            &self.text,
            start..self.line_end(position.line as usize),
            position.column as usize,
        )
    }

    /// The end of line `line` (from 0), without its line break.
    pub fn line_end(&self, line: usize) -> usize {
        let Some(next) = self.sections.start_of_line(line + 1) else { return self.len() };
        let byte = |back: usize| next.checked_sub(back).and_then(|at| self.text.get_byte(at));
        match (byte(2), byte(1)) {
            (Some(b'\r'), Some(b'\n')) => next - 2,
            _ => next - 1,
        }
    }

    /// The whole line that contains `offset`, without its line break.
    pub fn line_span(&self, offset: usize) -> Span {
        let line = self.line_at(text::floor(&self.text, offset));
        line.start()..self.line_end(line.number)
    }

    /// The document's line break: that of its first line, or `\n`.
    pub fn line_break(&self) -> &'static str {
        let end = self.line_end(0);
        match (self.text.get_byte(end), self.text.get_byte(end + 1)) {
            (Some(b'\r'), Some(b'\n')) => "\r\n",
            (Some(b'\r'), _) => "\r",
            _ => "\n",
        }
    }

    /// Whether both have the same text, cut into the same sections: the definition of "incremental
    /// equals fresh".
    pub fn same_as(&self, other: &Self) -> bool {
        self.text == other.text
            && self.sections.len() == other.sections.len()
            && self.unclosed == other.unclosed
            && self
                .sections()
                .zip(other.sections())
                .all(|(a, b)| a.start == b.start && a.section.same_as(b.section))
    }
}

/// The front matter of a document. Offsets in `tree` are relative to `yaml_span.start`, all others
/// to the document's start.
#[derive(Debug, Clone)]
pub struct FrontMatter<'a> {
    pub delimiters: Delimiters,
    /// The opening `---`, or the first line if it's missing.
    pub opening: Span,
    /// Including the delimiter lines.
    pub span: Span,
    /// Without them.
    pub yaml_span: Span,
    pub tree: &'a Arc<yaml::Tree>,
    /// Its section: the same section means the same front matter.
    pub section: &'a Arc<Section>,
}

struct Nothing;

impl Following for Nothing {
    fn first_line(&self) -> Option<String> {
        None
    }
    fn take(&mut self, _: &mut String) {}
    fn has_delimiter(&self) -> bool {
        false
    }
}

/// The sections of `source` from `next` on.
struct Rest<'a> {
    source: &'a Source,
    next: usize,
}

impl Following for Rest<'_> {
    fn first_line(&self) -> Option<String> {
        let placed = self.source.sections.get(self.next)?;
        Some(self.source.slice(self.source.line_span(placed.start)).into_owned())
    }

    fn take(&mut self, text: &mut String) {
        if let Some(placed) = self.source.sections.get(self.next) {
            text.push_str(&self.source.section_text(placed));
            self.next += 1;
        }
    }

    fn has_delimiter(&self) -> bool {
        (self.next..self.source.sections.len()).any(|index| {
            self.source.sections.get(index).is_some_and(|placed| placed.section.has_delimiter)
        })
    }
}
