//! How lines make up packs (AQ-7, AQ-8). Content isn't escaped, so its lines can look like part of
//! the frame. The end of each item is therefore decided for the whole document, by the
//! interpretation that leaves the least unexplained.

pub(super) mod passage;

use super::header::Header;
use super::line::{Fence, Gap, Line, LineKind, Naming};
use crate::text::Span;

/// The packs of a document. All spans are bytes of the document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Layout {
    pub items: Vec<Item>,
    pub packs: Vec<Pack>,
    /// The text below the first `## Request` after a pack.
    pub request: Option<Span>,
}

/// A pack: its heading, and the range of its items.
#[derive(Debug, Clone, PartialEq)]
pub struct Pack {
    /// The line `## Context` or `<context>`.
    pub heading: Span,
    pub items: std::ops::Range<usize>,
    /// Written by the chat, which overwrites it every time.
    pub chat: bool,
    pub end: usize,
}

/// An item of a pack.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub header: Header,
    pub naming: Naming,
    /// The line of the header.
    pub line: Span,
    /// The line that opens the fence.
    pub opener: Span,
    pub fence: Fence,
    /// Blank lines separate header and fence.
    pub apart: bool,
    /// The content, byte for byte, without the break before the closing fence.
    pub content: Span,
    /// The line that closes the fence.
    pub closer: Option<Span>,
    /// A line in the content closes the fence for other parsers.
    pub short: Option<Span>,
    /// A header in the content where the item could have ended as well.
    pub ambiguous: Option<Span>,
    /// In a pack of the chat, the type is written differently.
    pub chat: bool,
    pub end: usize,
}

/// A line of the document, with the start of its section and the text before it.
#[derive(Debug, Clone, Copy)]
pub struct Set<'a> {
    pub base: usize,
    pub line: &'a Line,
    pub gap: Gap,
}

impl Item {
    /// The same in a document that has `by` bytes before this one.
    #[must_use]
    pub fn shifted(&self, by: usize) -> Self {
        let shift = |span: &Span| span.start + by..span.end + by;
        Self {
            header: self.header.shifted(by),
            line: shift(&self.line),
            opener: shift(&self.opener),
            content: shift(&self.content),
            closer: self.closer.as_ref().map(shift),
            short: self.short.as_ref().map(shift),
            ambiguous: self.ambiguous.as_ref().map(shift),
            end: self.end + by,
            ..*self
        }
    }
}

impl Set<'_> {
    pub(super) fn span(&self) -> Span {
        self.line.span.start + self.base..self.line.span.end + self.base
    }

    pub(super) fn next(&self) -> usize {
        self.line.next + self.base
    }

    fn fence(&self) -> Option<Fence> {
        match self.line.kind {
            LineKind::Fence(fence) => Some(fence),
            _ => None,
        }
    }
}

/// The costs of what an interpretation leaves unexplained. Content is always read as it was written
/// if it has no line like a header outside its own fences, and its fences are balanced (AQ-13).
mod cost {
    /// Content with unbalanced fences.
    pub const UNBALANCED: u32 = 10;
    /// Text between two items.
    pub const STRAY: u32 = 3;
    /// An unclosed item before the next header.
    pub const UNCLOSED: u32 = 9;
    /// An unclosed item before the end of the document.
    pub const CUT_OFF: u32 = 14;
    /// Content without a single line, which no program writes.
    pub const NO_LINE: u32 = 2;
    /// A header directly after a line that closes the fence counts as content.
    pub const HIDDEN: u32 = 25;
    /// The same, but a fence of the content continues around it.
    pub const QUOTED: u32 = 1;
    /// The same, with other text between.
    pub const PASSED: u32 = 6;
    /// A pack ends at a heading that isn't its own.
    pub const LEFT: u32 = 2;
    /// A word that isn't a known type counts as one.
    pub const WORD: u32 = 5;
    /// An unknown type that names a file.
    pub const ANNOTATED: u32 = 1;
}

/// At most this many interpretations are followed at once; the worst is dropped.
const MOST_READINGS: usize = 6;

/// One interpretation of the text so far.
#[derive(Debug, Clone)]
struct Reading {
    cost: u32,
    place: Place,
    last: Last,
}

/// The last step of an interpretation.
#[derive(Debug, Clone, Copy)]
enum Last {
    /// That of an interpretation before these lines.
    Before(usize),
    /// A step in these lines.
    Here(usize),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    /// `lost`: a pack has ended here without a good reason, so headers below may belong to it.
    Outside {
        fence: Option<(u8, usize)>,
        lost: bool,
    },
    /// The next line opens the fence of an item, or is a header.
    Opening {
        chat: bool,
        begins: bool,
    },
    Inside(Inside),
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Inside {
    fence: Fence,
    chat: bool,
    /// The open fence of the content.
    inner: Option<(u8, usize)>,
    closer: Option<Closer>,
    /// Text follows the closer.
    stray: bool,
    /// No line has been read.
    fresh: bool,
}

/// The last line that can close the item.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Closer {
    /// Counted from the first of the lines that are read: negative before them.
    line: isize,
    /// Before it, no fence of the content is open.
    balanced: bool,
    empty: bool,
}

/// A decision of an interpretation, at the line `at`.
#[derive(Debug, Clone)]
struct Step {
    previous: Last,
    at: usize,
    /// The line that closes the item that ends here.
    closer: Option<isize>,
    /// An item ends here.
    ends: bool,
    what: What,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum What {
    Begin { chat: bool },
    Item,
    Leave,
}

/// Of interpretations with the same future, only the best is kept.
fn prune(readings: &mut Vec<Reading>) {
    if readings.len() < 2 {
        return;
    }
    readings.sort_by_key(|reading| reading.cost);
    let mut kept: Vec<Reading> = Vec::with_capacity(readings.len());
    for reading in readings.drain(..) {
        if kept.len() < MOST_READINGS && !kept.iter().any(|other| other.place == reading.place) {
            kept.push(reading);
        }
    }
    *readings = kept;
}

/// Reads some lines, looking at two after them.
struct Reader<'a> {
    lines: &'a [Set<'a>],
    steps: Vec<Step>,
}

impl Reader<'_> {
    fn step(&mut self, reading: &Reading, at: usize, closer: Option<isize>, what: What) -> Last {
        let ends = matches!(reading.place, Place::Inside(_));
        self.steps.push(Step { previous: reading.last, at, closer, ends, what });
        Last::Here(self.steps.len() - 1)
    }

    /// Reads the line `at` in every way that continues an interpretation.
    fn take(&mut self, at: usize, reading: Reading, out: &mut Vec<Reading>) {
        match reading.place {
            Place::Outside { fence, lost } => self.outside(at, reading, fence, lost, out),
            Place::Opening { chat, begins } => self.opening(at, reading, chat, begins, out),
            Place::Inside(inside) => self.inside(at, reading, inside, out),
        }
    }

    fn outside(
        &mut self,
        at: usize,
        mut reading: Reading,
        fence: Option<(u8, usize)>,
        lost: bool,
        out: &mut Vec<Reading>,
    ) {
        let Some(set) = self.lines.get(at) else { return };
        match &set.line.kind {
            LineKind::Fence(found) => {
                reading.place = Place::Outside { fence: after(fence, *found), lost }
            }
            LineKind::Context | LineKind::Open if fence.is_none() && self.begins(at) => {
                reading.last = self.begin(at, &reading, None);
                reading.place =
                    Place::Opening { chat: set.line.kind == LineKind::Open, begins: true };
            }
            LineKind::Header(_, Naming::Known) if lost && self.is_item(at, false) => {
                reading.cost += cost::HIDDEN
            }
            _ => {}
        }
        out.push(reading);
    }

    fn begin(&mut self, at: usize, reading: &Reading, closer: Option<isize>) -> Last {
        let chat = self.lines.get(at).is_some_and(|set| set.line.kind == LineKind::Open);
        self.step(reading, at, closer, What::Begin { chat })
    }

    fn opening(
        &mut self,
        at: usize,
        reading: Reading,
        chat: bool,
        begins: bool,
        out: &mut Vec<Reading>,
    ) {
        let Some(set) = self.lines.get(at) else { return };
        if begins {
            let last = self.step(&reading, at, None, What::Item);
            out.push(Reading { place: Place::Opening { chat, begins: false }, last, ..reading });
        } else if let Some(fence) = set.fence() {
            let inside =
                Inside { fence, chat, inner: None, closer: None, stray: false, fresh: true };
            out.push(Reading { place: Place::Inside(inside), ..reading });
        }
    }

    fn inside(
        &mut self,
        at: usize,
        mut reading: Reading,
        mut inside: Inside,
        out: &mut Vec<Reading>,
    ) {
        let Some(set) = self.lines.get(at) else { return };
        inside.stray |= set.gap == Gap::Text && inside.closer.is_some();
        let empty = inside.fresh && set.gap == Gap::None;
        inside.fresh = false;
        reading.place = Place::Inside(inside);
        match &set.line.kind {
            LineKind::Fence(fence) => {
                self.fence(at, *fence, empty, &mut inside);
                out.push(Reading { place: Place::Inside(inside), ..reading });
                return;
            }
            LineKind::Header(_, naming) if !inside.chat && self.is_item(at, false) => {
                self.header(at, &reading, &inside, *naming, out)
            }
            LineKind::Chat(_) if inside.chat && self.is_item(at, true) => {
                self.header(at, &reading, &inside, Naming::Known, out)
            }
            LineKind::Request if !inside.chat => self.terminator(at, &reading, &inside, out),
            LineKind::Close if inside.chat => self.terminator(at, &reading, &inside, out),
            LineKind::Context | LineKind::Heading if !inside.chat => {
                self.heading(at, &reading, &inside, out)
            }
            _ => {}
        }
        reading.cost += self.price_of_content(at, &inside);
        inside.stray |= inside.closer.is_some();
        out.push(Reading { place: Place::Inside(inside), ..reading });
    }

    /// The cost of treating the line as content.
    fn price_of_content(&self, at: usize, inside: &Inside) -> u32 {
        let frame = match self.lines.get(at).map(|set| &set.line.kind) {
            Some(LineKind::Header(_, Naming::Known | Naming::Annotated)) => {
                !inside.chat && self.is_item(at, false)
            }
            Some(LineKind::Chat(_)) => inside.chat && self.is_item(at, true),
            Some(LineKind::Request) => !inside.chat,
            Some(LineKind::Close) => inside.chat,
            _ => false,
        };
        match inside.closer {
            Some(closer) if frame => match (inside.stray, inside.inner) {
                (false, Some(_)) if !closer.balanced => cost::QUOTED,
                (false, _) => cost::HIDDEN,
                (true, None) => cost::PASSED,
                (true, Some(_)) => cost::QUOTED,
            },
            _ => 0,
        }
    }

    fn fence(&self, at: usize, fence: Fence, empty: bool, inside: &mut Inside) {
        let own = inside.fence;
        let same = fence.mark == own.mark;
        let balanced = inside.inner.is_none();
        // A fence line shorter than the item's fence can't close the item, whatever it does in the
        // content.
        if own.length == 3 || same && fence.length >= own.length {
            inside.inner = after(inside.inner, fence);
        }
        if same && fence.bare && !fence.indented && fence.length == own.length {
            inside.closer = Some(Closer { line: at.cast_signed(), balanced, empty });
            inside.stray = false;
        } else {
            inside.stray |= inside.closer.is_some();
        }
    }

    /// The cost of ending the item with its current content, and the line that closes it.
    fn end(inside: &Inside) -> (u32, Option<isize>) {
        let Some(closer) = inside.closer else { return (cost::UNCLOSED, None) };
        let prices = [
            (!closer.balanced, cost::UNBALANCED),
            (inside.stray, cost::STRAY),
            (closer.empty, cost::NO_LINE),
        ];
        (prices.iter().filter(|(holds, _)| *holds).map(|(_, price)| price).sum(), Some(closer.line))
    }

    fn header(
        &mut self,
        at: usize,
        reading: &Reading,
        inside: &Inside,
        naming: Naming,
        out: &mut Vec<Reading>,
    ) {
        let extra = match naming {
            Naming::Known => 0,
            Naming::Annotated => cost::ANNOTATED,
            Naming::Word if inside.closer.is_none() => return,
            Naming::Word => cost::WORD,
        };
        let (price, closer) = Self::end(inside);
        let last = self.step(reading, at, closer, What::Item);
        out.push(Reading {
            cost: reading.cost + price + extra,
            place: Place::Opening { chat: inside.chat, begins: false },
            last,
        });
    }

    fn terminator(
        &mut self,
        at: usize,
        reading: &Reading,
        inside: &Inside,
        out: &mut Vec<Reading>,
    ) {
        let (price, closer) = Self::end(inside);
        let last = self.step(reading, at, closer, What::Leave);
        out.push(Reading {
            cost: reading.cost + price,
            place: Place::Outside { fence: None, lost: false },
            last,
        });
    }

    fn heading(&mut self, at: usize, reading: &Reading, inside: &Inside, out: &mut Vec<Reading>) {
        if inside.closer.is_none() || inside.stray {
            return;
        }
        let (price, closer) = Self::end(inside);
        let cost = reading.cost + price + cost::LEFT;
        let again = self.lines.get(at).is_some_and(|set| set.line.kind == LineKind::Context)
            && self.begins(at);
        if again {
            let last = self.begin(at, reading, closer);
            out.push(Reading { cost, place: Place::Opening { chat: false, begins: true }, last });
        } else {
            let last = self.step(reading, at, closer, What::Leave);
            out.push(Reading { cost, place: Place::Outside { fence: None, lost: true }, last });
        }
    }

    /// Whether the line is a header with a fence below it.
    fn is_item(&self, at: usize, chat: bool) -> bool {
        let Some(fence) = self.lines.get(at + 1).filter(|next| next.gap < Gap::Text) else {
            return false;
        };
        matches!(fence.fence(), Some(found) if !found.indented && (!chat || fence.gap == Gap::None))
    }

    /// Whether a pack begins with the heading at this line: the first thing below it is an item
    /// (AQ-7). Below a lone `### Code`, a blank line makes it an ordinary heading.
    fn begins(&self, at: usize) -> bool {
        let (Some(heading), Some(header)) = (self.lines.get(at), self.lines.get(at + 1)) else {
            return false;
        };
        let attached = self.lines.get(at + 2).is_some_and(|fence| fence.gap == Gap::None);
        let chat = heading.line.kind == LineKind::Open;
        header.gap < Gap::Text
            && match &header.line.kind {
                LineKind::Header(header, Naming::Known) => {
                    !chat && self.is_item(at + 1, false) && (attached || header.file.is_some())
                }
                LineKind::Chat(_) => chat && self.is_item(at + 1, true),
                _ => false,
            }
    }
}

impl Reading {
    /// Before the first line.
    fn start() -> Self {
        Self { cost: 0, place: Place::Outside { fence: None, lost: false }, last: Last::Before(0) }
    }

    /// The total cost if the document ends here, after `tail`; and, if an item ends with it, the
    /// line that closes the item.
    fn finish(&self, tail: Gap) -> (u32, Option<Option<isize>>) {
        match self.place {
            Place::Inside(mut inside) => {
                inside.stray |= tail == Gap::Text && inside.closer.is_some();
                let (price, closer) = Reader::end(&inside);
                let price = if closer.is_none() { cost::CUT_OFF } else { price };
                (self.cost + price, Some(closer))
            }
            Place::Outside { fence: Some(_), lost: true } => (self.cost + cost::UNBALANCED, None),
            _ => (self.cost, None),
        }
    }
}

/// The fence that is open after a line, according to CommonMark.
fn after(open: Option<(u8, usize)>, fence: Fence) -> Option<(u8, usize)> {
    match open {
        None => Some((fence.mark, fence.length)),
        Some((mark, length)) if fence.bare && fence.mark == mark && fence.length >= length => None,
        open => open,
    }
}

/// Makes items of lines.
pub(super) struct Builder<'a> {
    pub lines: &'a [Set<'a>],
    /// The byte at an offset, to look at line breaks.
    pub byte: &'a dyn Fn(usize) -> Option<u8>,
}

impl Builder<'_> {
    /// The item with its header at line `at`; `limit` is the start of line `next`, or the end of
    /// the document.
    pub fn item(
        &self,
        at: usize,
        closer: Option<usize>,
        next: usize,
        limit: usize,
    ) -> Option<Item> {
        let (line, opener) = (self.lines.get(at)?, self.lines.get(at + 1)?);
        let fence = opener.fence()?;
        let (header, naming, chat) = match &line.line.kind {
            LineKind::Header(header, naming) => (header.shifted(line.base), *naming, false),
            LineKind::Chat(header) => (header.shifted(line.base), Naming::Known, true),
            _ => return None,
        };
        let closing = closer.and_then(|closer| self.lines.get(closer));
        let from = opener.next();
        let content = match closing {
            Some(closing) => {
                from..self.before_break(from, closing.span().start, from - opener.span().end)
            }
            None => from.min(limit)..self.before_blanks(from.min(limit), limit),
        };
        let end = closing.map_or(content.end.max(opener.span().end), |closing| closing.span().end);
        let inside = self.lines.get(at + 2..closer.unwrap_or(next)).unwrap_or_default();
        let short = inside.iter().find(|set| {
            set.fence().is_some_and(|found| {
                found.bare && found.mark == fence.mark && found.length >= fence.length
            })
        });
        let (short, ambiguous) = (short.map(Set::span), ambiguous(inside, fence));
        let apart = opener.gap != Gap::None;
        let (line, opener, closer) = (line.span(), opener.span(), closing.map(Set::span));
        Some(Item {
            header,
            naming,
            line,
            opener,
            fence,
            apart,
            content,
            closer,
            short,
            ambiguous,
            chat,
            end,
        })
    }

    /// The position before the line break that ends at `at`, but not before `from`. The break is
    /// like that of the opening fence, `length` bytes; any more belongs to the content.
    fn before_break(&self, from: usize, at: usize, length: usize) -> usize {
        let byte =
            |back: usize| at.checked_sub(back).filter(|place| *place >= from).and_then(self.byte);
        match (byte(2), byte(1)) {
            (Some(b'\r'), Some(b'\n')) if length == 2 => at - 2,
            (_, Some(b'\n' | b'\r')) => at - 1,
            _ => at,
        }
    }

    /// The position before the blank lines that end at `at`, but not before `from`.
    fn before_blanks(&self, from: usize, at: usize) -> usize {
        let mut end = at;
        while end > from && (self.byte)(end - 1).is_some_and(|byte| byte.is_ascii_whitespace()) {
            end -= 1;
        }
        // Whitespace after the last line belongs to it.
        while end < at && matches!((self.byte)(end), Some(b' ' | b'\t')) {
            end += 1;
        }
        end
    }
}

/// The first line of some content that is a header after a line that closes the fence.
fn ambiguous(inside: &[Set], fence: Fence) -> Option<Span> {
    let closes = |set: &Set| {
        set.fence().is_some_and(|found| {
            found.bare
                && !found.indented
                && found.mark == fence.mark
                && found.length == fence.length
        })
    };
    let frame = |set: &Set| {
        matches!(
            set.line.kind,
            LineKind::Header(_, Naming::Known | Naming::Annotated) | LineKind::Request
        )
    };
    let opens = |set: Option<&Set>| {
        set.is_some_and(|set| {
            set.fence().is_some_and(|found| !found.indented) && set.gap < Gap::Text
        })
    };
    let found = inside.iter().enumerate().skip(1).find(|(index, set)| {
        let behind = inside.get(index - 1).is_some_and(closes) && set.gap < Gap::Text;
        behind && frame(set) && (set.line.kind == LineKind::Request || opens(inside.get(index + 1)))
    });
    found.map(|(_, set)| set.span())
}
