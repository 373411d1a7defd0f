//! How markers make up a reply, with the location of every part (DUCK-3 to DUCK-10). Nothing is
//! lost: text that belongs to no part is kept as stray text.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use super::mark::{Mark, MarkKind};
use crate::text::Span;

/// A reply written with markers. All spans are bytes of the document; a mark is identified by its
/// index in `marks`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Layout {
    pub marks: Vec<Mark>,
    /// For every mark, the content block that contains it as text.
    pub inside: Vec<Option<usize>>,
    /// `[REASONING]` and other sections, including unknown and duplicate ones, in document order.
    pub sections: Vec<FreeText>,
    /// Vitals, including extra and duplicate ones, in document order.
    pub vitals: Vec<Vital>,
    pub actions: BTreeMap<u64, Action>,
    pub contents: Vec<Content>,
    /// Unmatched `CONTENT_END` marks.
    pub unopened: Vec<usize>,
    /// Text that belongs to no part, trimmed.
    pub stray: Vec<Span>,
    /// The lines of a fence around the whole reply: opening, closing.
    pub fence: Option<(Span, Span)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FreeText {
    pub mark: usize,
    /// The pieces of the text, in order: see [`join`]. A malformed marker between two pieces is
    /// left out.
    pub pieces: SmallVec<[Span; 1]>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Vital {
    pub mark: usize,
    /// The decimal number at the start of the value, and its span.
    pub number: Option<(f64, Span)>,
    /// The rest of the value after the number, unless it is a comment.
    pub rest: Span,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Action {
    /// `TYPE` marks; the last one is used.
    pub types: SmallVec<[usize; 1]>,
    /// In document order, including duplicates.
    pub parameters: SmallVec<[Parameter; 1]>,
    /// Indices into [`Layout::contents`]; the last one is used.
    pub contents: SmallVec<[usize; 1]>,
    /// Its first mark.
    pub first: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    pub mark: usize,
    /// The pieces of the value, in order: see [`join`].
    pub pieces: SmallVec<[Span; 1]>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Content {
    /// The action that it belongs to.
    pub index: u64,
    /// The `CONTENT_START` mark.
    pub start: usize,
    pub end: End,
    /// The content, byte for byte, without the line break before the end marker.
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The `CONTENT_END` mark.
    Mark(usize),
    /// A `CONTENT_END` with another index.
    WrongIndex(usize),
    /// The `TYPE` mark of the next action, or the end of the document.
    Missing(Option<usize>),
}

/// The part that text after a marker belongs to.
enum Slot {
    Nothing,
    Section,
    /// The last parameter of the last action that was added to.
    Parameter,
}

/// Actions by their first marker. Nearly all markers belong to the same action as the one before.
#[derive(Default)]
struct Actions {
    list: Vec<(u64, Action)>,
    places: FxHashMap<u64, usize>,
    /// The place of the action that was added to last.
    last: usize,
}

impl Actions {
    fn last_number(&self) -> Option<u64> {
        self.list.get(self.last).map(|(number, _)| *number)
    }

    fn last(&mut self) -> Option<&mut Action> {
        self.list.get_mut(self.last).map(|(_, action)| action)
    }

    /// Adds something that `mark` means to an action.
    fn add(&mut self, number: u64, mark: usize, add: impl FnOnce(&mut Action)) {
        if self.list.get(self.last).is_none_or(|(last, _)| *last != number) {
            self.last = *self.places.entry(number).or_insert(self.list.len());
            if self.last == self.list.len() {
                self.list.push((number, Action { first: mark, ..Action::default() }));
            }
        }
        if let Some(action) = self.last() {
            add(action);
        }
    }
}

/// The characters at a location in the document.
pub type Reader<'a> = &'a dyn Fn(Span) -> Cow<'a, str>;

/// Assembles marks. Only reads the text outside content; the document is `length` bytes long.
pub fn layout(text: Reader, length: usize, marks: Vec<Mark>) -> Layout {
    let fence = fence_around(text, length, &marks);
    let body = fence.as_ref().map_or(0..length, |(open, close)| open.end..close.start);
    let inside = vec![None; marks.len()];
    let mut builder = Builder {
        text,
        out: Layout { inside, fence, ..Layout::default() },
        actions: Actions::default(),
        slot: Slot::Nothing,
        from: body.start,
    };
    let ends = ends(&marks);
    let mut index = 0;
    while let Some(mark) = marks.get(index) {
        index = builder.mark(index, mark, &marks, &ends, body.end);
    }
    builder.text(body.end);
    let around = builder.out.fence.as_ref().map(|(open, close)| [0..open.start, close.end..length]);
    builder.slot = Slot::Nothing;
    for outside in around.into_iter().flatten() {
        builder.from = outside.start;
        builder.text(outside.end);
    }
    let mut out = builder.out;
    out.actions = builder.actions.list.into_iter().collect();
    out.stray.sort_by_key(|span| span.start);
    out.marks = marks;
    out
}

/// The `CONTENT_END` marks of each index, in order.
type Ends = FxHashMap<u64, SmallVec<[usize; 1]>>;

fn ends(marks: &[Mark]) -> Ends {
    let mut found = Ends::with_capacity_and_hasher(marks.len() / 4, FxBuildHasher);
    for (at, mark) in marks.iter().enumerate() {
        if let MarkKind::ContentEnd { index, .. } = mark.kind {
            found.entry(index).or_default().push(at);
        }
    }
    found
}

struct Builder<'a> {
    text: Reader<'a>,
    out: Layout,
    actions: Actions,
    slot: Slot,
    /// The start of the text that belongs to the slot.
    from: usize,
}

impl Builder<'_> {
    /// Adds the mark at `index`; returns the index of the next one.
    fn mark(
        &mut self,
        index: usize,
        mark: &Mark,
        marks: &[Mark],
        ends: &Ends,
        end: usize,
    ) -> usize {
        match &mark.kind {
            // Ordinary text.
            MarkKind::LookAlike | MarkKind::Inline => return index + 1,
            // The line is left out; the text that it interrupts continues.
            MarkKind::Malformed => {
                self.text(mark.line.start);
                self.from = mark.line.end;
                return index + 1;
            }
            _ => self.text(mark.line.start),
        }
        self.slot = Slot::Nothing;
        self.from = mark.line.end;
        match mark.kind {
            MarkKind::Section(_) | MarkKind::UnknownSection => {
                self.out.sections.push(FreeText { mark: index, pieces: SmallVec::new() });
                self.slot = Slot::Section;
                self.from = mark.value.start;
            }
            MarkKind::Vital(_) | MarkKind::ExtraVital => {
                self.out.vitals.push(vital(self.text, index, mark))
            }
            MarkKind::Action { index: number, is_type, .. } => {
                if is_type {
                    self.actions.add(number, index, |action| action.types.push(index));
                } else {
                    let parameter = Parameter { mark: index, pieces: SmallVec::new() };
                    self.actions.add(number, index, |action| action.parameters.push(parameter));
                    self.slot = Slot::Parameter;
                    self.from = mark.value.start;
                }
            }
            MarkKind::ContentStart { index: number, .. } => {
                return self.content(index, number, marks, ends, end);
            }
            MarkKind::ContentEnd { .. } => self.out.unopened.push(index),
            MarkKind::Malformed | MarkKind::LookAlike | MarkKind::Inline => {}
        }
        index + 1
    }

    /// Adds the content that begins at mark `start`; returns the index of the mark after it.
    fn content(
        &mut self,
        start: usize,
        number: u64,
        marks: &[Mark],
        ends: &Ends,
        document: usize,
    ) -> usize {
        let own = ends
            .get(&number)
            .and_then(|ends| ends.get(ends.partition_point(|end| *end <= start)).copied());
        let end = match own {
            Some(end) => End::Mark(end),
            None => later(start, number, marks),
        };
        // If the marker before the content has the index of its end, the start has the wrong one.
        let last = self.actions.last_number();
        let number = match end {
            End::WrongIndex(end) => marks
                .get(end)
                .and_then(|mark| match mark.kind {
                    MarkKind::ContentEnd { index, .. } => Some(index),
                    _ => None,
                })
                .filter(|index| Some(*index) == last)
                .unwrap_or(number),
            _ => number,
        };
        let (until, next) = match end {
            End::Mark(end) | End::WrongIndex(end) => {
                (marks.get(end).map_or(document, |mark| mark.line.start), end + 1)
            }
            End::Missing(Some(next)) => {
                (marks.get(next).map_or(document, |mark| mark.line.start), next)
            }
            End::Missing(None) => (document, marks.len()),
        };
        let from = after_break(
            self.text,
            marks.get(start).map_or(document, |mark| mark.line.end),
            document,
        )
        .min(until);
        let block = self.out.contents.len();
        let last = if matches!(end, End::Missing(_)) { next } else { next - 1 };
        for inside in self.out.inside.get_mut(start + 1..last).unwrap_or_default() {
            *inside = Some(block);
        }
        self.out.contents.push(Content {
            index: number,
            start,
            end,
            span: from..before_break(self.text, from, until),
        });
        self.actions.add(number, start, |action| action.contents.push(block));
        self.from = match end {
            End::Mark(end) | End::WrongIndex(end) => {
                marks.get(end).map_or(document, |mark| mark.line.end)
            }
            End::Missing(_) => until,
        };
        next
    }

    /// Text up to `end` belongs to the slot.
    fn text(&mut self, end: usize) {
        let span = self.from.min(end)..end;
        self.from = end;
        match self.slot {
            Slot::Section => self
                .out
                .sections
                .last_mut()
                .into_iter()
                .for_each(|section| section.pieces.push(span.clone())),
            Slot::Parameter => {
                let parameter = self.actions.last().and_then(|action| action.parameters.last_mut());
                parameter.into_iter().for_each(|parameter| parameter.pieces.push(span.clone()));
            }
            Slot::Nothing if span.is_empty() => {}
            Slot::Nothing => {
                let text = (self.text)(span.clone());
                if !text.trim_start_matches('\u{feff}').trim().is_empty() {
                    self.out.stray.push(trimmed(&text, span.start));
                }
            }
        }
    }
}

/// The pieces joined in order and trimmed.
pub fn join(text: Reader, pieces: &[Span]) -> String {
    let joined: String = pieces.iter().map(|piece| text(piece.clone())).collect();
    joined.trim().to_owned()
}

/// The trimmed span of the text that begins at `start`.
fn trimmed(text: &str, start: usize) -> Span {
    let lead = text.len() - text.trim_start().len();
    start + lead..start + lead + text.trim().len()
}

/// The position after the line break at `at`, if there is one. Asks for single bytes, because two
/// may split a character.
fn after_break(text: Reader, at: usize, length: usize) -> usize {
    let byte = |at: usize| if at < length { text(at..at + 1) } else { Cow::Borrowed("") };
    match &*byte(at) {
        "\r" if byte(at + 1) == "\n" => at + 2,
        "\n" | "\r" => at + 1,
        _ => at,
    }
}

/// The position before the line break that ends at `at`, but not before `from`.
fn before_break(text: Reader, from: usize, at: usize) -> usize {
    let byte = |back: usize| {
        if at >= from + back { text(at - back..at - back + 1) } else { Cow::Borrowed("") }
    };
    match &*byte(1) {
        "\n" if byte(2) == "\r" => at - 2,
        "\n" | "\r" => at - 1,
        _ => at,
    }
}

/// Where content without an end marker ends: at the end marker of another index, at the next
/// action, or at the end of the document. An end marker after others of its index is theirs.
fn later(start: usize, number: u64, marks: &[Mark]) -> End {
    let mut others: FxHashMap<u64, usize> = FxHashMap::default();
    for (at, mark) in marks.iter().enumerate().skip(start + 1) {
        let is_first = mark.span.start == mark.line.start;
        match &mark.kind {
            MarkKind::ContentEnd { index, .. } => {
                let first = others.get(index);
                return first.map_or(End::WrongIndex(at), |first| End::Missing(Some(*first)));
            }
            MarkKind::Action { index, is_type: true, .. } if *index != number && is_first => {
                return End::Missing(Some(at));
            }
            MarkKind::Action { index, .. } | MarkKind::ContentStart { index, .. }
                if *index != number && is_first =>
            {
                others.entry(*index).or_insert(at);
            }
            _ => {}
        }
    }
    End::Missing(None)
}

fn vital(text: Reader, index: usize, mark: &Mark) -> Vital {
    let value = text(mark.value.clone());
    let sign = usize::from(value.starts_with(['-', '+']));
    let length = sign
        + value
            .bytes()
            .skip(sign)
            .take_while(|byte| byte.is_ascii_digit() || *byte == b'.')
            .count();
    let number = value
        .get(..length)
        .and_then(|number| number.parse::<f64>().ok())
        .filter(|number| number.is_finite());
    let number = number.map(|number| (number, mark.value.start..mark.value.start + length));
    let rest = if number.is_some() {
        mark.value.start + length..mark.value.end
    } else {
        mark.value.clone()
    };
    let left = text(rest.clone());
    let comment = left.starts_with(char::is_whitespace) && left.trim_start().starts_with('#');
    let rest =
        if comment || left.is_empty() { rest.end..rest.end } else { trimmed(&left, rest.start) };
    Vital { mark: index, number, rest }
}

/// The lines of a fence that contains all markers, regardless of the text around it.
fn fence_around(text: Reader, length: usize, marks: &[Mark]) -> Option<(Span, Span)> {
    let (first, last) = (marks.first()?, marks.last()?);
    let head = text(0..first.line.start);
    let above = head.trim_end();
    let line = above
        .get(above.rfind(['\n', '\r']).map_or(0, |end| end + 1)..)?
        .trim_start_matches('\u{feff}');
    let (tick, width) = opens_fence(line)?;
    let open = above.len() - line.len()..above.len();
    let tail = text(last.line.end..length);
    let closes =
        |line: &str| line.len() >= width && line.chars().all(|character| character == tick);
    // A value of several lines may contain fences: try the last line of the document first, then
    // the first line that fits.
    let mut lines = tail.split_inclusive(['\n', '\r']).scan(last.line.end, |at, line| {
        *at += line.len();
        Some(*at - line.len()..*at - line.len() + line.trim_end().len())
    });
    let closing = lines.by_ref().skip(1).filter(|span| {
        closes(tail.get(span.start - last.line.end..span.end - last.line.end).unwrap_or_default())
    });
    let closing: Vec<Span> = closing.collect();
    let end = last.line.end + tail.trim_end().len();
    let close = closing.last().filter(|span| span.end == end).or(closing.first())?;
    Some((open, close.clone()))
}

/// The fence that a line opens: its character and length.
fn opens_fence(line: &str) -> Option<(char, usize)> {
    let tick = line.chars().next().filter(|first| matches!(first, '`' | '~'))?;
    let width = line.len() - line.trim_start_matches(tick).len();
    (width >= 3 && !line.get(width..)?.contains(tick)).then_some((tick, width))
}

/// The lines of a fence that contains the whole reply.
pub fn outer_fence(text: Reader, length: usize, marks: &[Mark]) -> Option<(Span, Span)> {
    let (first, last) = (marks.first()?, marks.last()?);
    let head = text(0..first.line.start);
    let open = trimmed(
        head.trim_start_matches('\u{feff}'),
        head.len() - head.trim_start_matches('\u{feff}').len(),
    );
    let line = head.get(open.clone())?;
    if line.contains(['\n', '\r']) {
        return None;
    }
    let (tick, width) = opens_fence(line)?;
    let tail = text(last.line.end..length);
    let body = tail.trim_end();
    let closing = body.get(body.rfind(['\n', '\r'])? + 1..)?;
    let start = last.line.end + body.len() - closing.len();
    let closes = closing.len() >= width && closing.chars().all(|character| character == tick);
    closes.then_some((open, start..start + closing.len()))
}
