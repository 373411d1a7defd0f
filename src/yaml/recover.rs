//! Reads around errors: cuts a block that granit refuses into its entries or items, by indentation,
//! until only the broken lines are left. All other lines keep their meaning and their offsets.

use super::build::{self, Piece};
use super::line::{self, Line};
use super::messages::{self, error};
use super::node::{Entry, Error, ErrorKind, Kind, Mapping, Node, Sequence, Span};
use super::tabs;

/// How deep to follow an error before giving up the block around it.
const DEPTH: usize = 48;

/// Reads text that granit refused as a whole.
pub(super) fn recover(
    text: &str,
    range: Span,
    errors: &mut Vec<Error>,
) -> (Option<Node>, Vec<Span>) {
    let mut work = text.as_bytes().to_vec();
    // Reads a `---` before content as whitespace.
    for byte in work.get_mut(range.start.saturating_sub(3)..range.start).unwrap_or_default() {
        *byte = b' ';
    }
    let mut lines = line::lines(text, range.clone());
    if let Some(first) = lines.first_mut() {
        let content = first.content;
        first.indent = content - line::start_of_line(text, content);
    }
    tabs::resolve(text, &mut lines);
    let size = range.len();
    let mut recovery = Recovery {
        text,
        work,
        lines,
        errors,
        comments: Vec::new(),
        fuel: 24 * size + (1 << 16),
        depth: 0,
        exhausted: false,
    };
    let all = 0..recovery.lines.len();
    let root = recovery.split(all);
    (root, recovery.comments)
}

/// The lines of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Mapping,
    Sequence,
    /// A scalar or flow collection, maybe over several lines.
    Value,
}

pub(super) struct Recovery<'a> {
    pub text: &'a str,
    /// The text with dashes and tabs already handled replaced by spaces.
    work: Vec<u8>,
    pub lines: Vec<Line>,
    pub errors: &'a mut Vec<Error>,
    pub comments: Vec<Span>,
    /// The remaining bytes that granit may read, which keeps the time linear.
    fuel: usize,
    depth: usize,
    exhausted: bool,
}

impl Recovery<'_> {
    pub fn report(&mut self, span: Span, kind: ErrorKind, message: impl Into<String>) {
        // An empty mark would be invisible.
        let end = span.end.max(self.text.ceil_char_boundary(span.start + 1));
        let start = if span.start < self.text.len() {
            span.start
        } else {
            self.text.floor_char_boundary(self.text.len().saturating_sub(1))
        };
        self.errors.push(error(start..end, kind, message));
    }

    pub fn line(&self, index: usize) -> Line {
        self.lines.get(index).cloned().unwrap_or(Line {
            start: self.text.len(),
            end: self.text.len(),
            indent: 0,
            content: self.text.len(),
        })
    }

    /// The lines of `range` with more than comments.
    pub fn content(&self, range: Span) -> impl Iterator<Item = usize> {
        range.filter(|&index| self.lines.get(index).is_some_and(|line| line.is_content(self.text)))
    }

    /// granit's result for some lines.
    pub fn read(&mut self, lines: Span) -> Piece {
        let Some(start) = self.lines.get(lines.start).map(|line| line.start) else {
            return Piece::default();
        };
        let end = self
            .lines
            .get(lines.end)
            .map_or_else(|| self.lines.last().map_or(start, |line| line.end), |line| line.start);
        self.read_span(start..end)
    }

    /// Makes granit read a range as a harmless word.
    pub fn mask(&mut self, span: Span) {
        self.work.get_mut(span).unwrap_or_default().fill(b'k');
    }

    fn is_tabbed(&self, span: Span) -> bool {
        let text = std::str::from_utf8(self.work.get(span).unwrap_or_default()).unwrap_or_default();
        line::is_tabbed(text, 0..text.len())
    }

    pub fn read_span(&mut self, span: Span) -> Piece {
        if self.fuel < span.len() {
            self.exhaust(span.start);
            return Piece {
                refusal: Some(build::Refusal {
                    at: span.start,
                    kind: granit_parser::ErrorKind::UnexpectedEof,
                }),
                ..Piece::default()
            };
        }
        self.fuel -= span.len();
        let bytes = self.work.get(span.clone()).unwrap_or_default();
        build::build(std::str::from_utf8(bytes).unwrap_or_default(), span.start)
    }

    fn exhaust(&mut self, at: usize) {
        if !self.exhausted {
            self.exhausted = true;
            self.report(at..at, ErrorKind::Limit, messages::TOO_MANY);
        }
    }

    /// Reads lines as one node: unchanged if granit accepts them, otherwise entry by entry.
    pub fn block(&mut self, lines: Span) -> Option<Node> {
        let piece = self.read(lines.clone());
        let start = self.line(lines.start).start;
        let stop = lines.end.checked_sub(1).map_or(start, |last| self.line(last).end);
        if piece.refusal.is_none() && !self.is_tabbed(start..stop) {
            self.comments.extend(piece.comments);
            return piece.root;
        }
        self.split(lines)
    }

    /// Reads lines together that granit refuses.
    fn split(&mut self, lines: Span) -> Option<Node> {
        if self.exhausted {
            return None;
        }
        if self.depth >= DEPTH {
            let at = self.content(lines.clone()).next().map_or(0, |index| self.line(index).content);
            self.report(at..at, ErrorKind::Limit, messages::TOO_DEEP);
            return None;
        }
        self.depth += 1;
        let node = self.split_block(lines);
        self.depth -= 1;
        node
    }

    fn split_block(&mut self, lines: Span) -> Option<Node> {
        let Some(first) = self.content(lines.clone()).next() else {
            self.collect_comments(lines);
            return None;
        };
        self.untab(lines.clone(), first);
        self.collect_comments(lines.start..first);
        let indent = self.line(first).indent;
        let heads = self.heads(first..lines.end, indent);
        let shape = self.shape(&heads, lines.end);
        let chunks = |heads: &[usize]| -> Vec<Span> {
            heads
                .iter()
                .enumerate()
                .map(|(at, &head)| head..heads.get(at + 1).copied().unwrap_or(lines.end))
                .collect()
        };
        match shape {
            Shape::Value => self.value_block(first..lines.end),
            Shape::Sequence => self.sequence(chunks(&heads), indent),
            Shape::Mapping => {
                // `- x` at the column of a key belongs to that key.
                let mut attached: Vec<usize> = Vec::new();
                for &head in &heads {
                    let open =
                        attached.last().is_some_and(|&last| self.holds(last) || self.is_dash(last));
                    if !open || !self.is_dash(head) || self.line(head).indent < indent {
                        attached.push(head);
                    }
                }
                self.mapping(chunks(&attached), indent)
            }
        }
    }

    /// The lines at which an entry or item of the block can start.
    fn heads(&self, lines: Span, indent: usize) -> Vec<usize> {
        let mut heads = Vec::new();
        let mut level = indent;
        // Brackets opened since the last head.
        let mut open = 0usize;
        for index in self.content(lines) {
            let line = self.line(index);
            let bytes = self.text.as_bytes().get(line.content..line.end).unwrap_or_default();
            let closes = open > 0 && matches!(bytes.first(), Some(b']' | b'}'));
            if line.indent <= level && !closes {
                open = 0;
                // A line with its value on it has no lines below, so the lines below return to
                // their earlier level.
                if self.holds(index) {
                    level = line.indent;
                }
                heads.push(index);
            }
            for byte in bytes {
                match byte {
                    b'[' | b'{' => open += 1,
                    b']' | b'}' => open = open.saturating_sub(1),
                    _ => {}
                }
            }
        }
        heads
    }

    fn shape(&self, heads: &[usize], end: usize) -> Shape {
        let Some(&first) = heads.first() else { return Shape::Value };
        let keys = heads.iter().filter(|&&head| self.key(head).is_some()).count();
        if self.is_dash(first) {
            let dashes = heads.iter().filter(|&&head| self.is_dash(head)).count();
            // Front matter is a mapping, so at its root one key outweighs an item without a key.
            let mapping = keys > dashes || (self.depth == 1 && keys >= self.free_dashes(heads));
            return if mapping { Shape::Mapping } else { Shape::Sequence };
        }
        let keyed = keys > 0;
        let line = self.line(first);
        let opens = matches!(self.text.as_bytes().get(line.content), Some(b'[' | b'{'));
        if opens {
            let last = self.line(end.saturating_sub(1)).end.max(line.end);
            let closes_later = matches!(line::close_bracket(self.text, line.content..last), line::Bracket::Closed(at) if at > line.end);
            if closes_later || !keyed {
                return Shape::Value;
            }
        }
        let nested = self
            .content(first + 1..end)
            .next()
            .is_some_and(|next| self.line(next).indent > line.indent && self.key(next).is_some());
        if keyed || (nested && self.is_word(first)) {
            Shape::Mapping
        } else if heads.iter().any(|&head| self.is_dash(head)) {
            Shape::Sequence
        } else {
            Shape::Value
        }
    }

    /// The number of items that don't belong to a key above them.
    fn free_dashes(&self, heads: &[usize]) -> usize {
        let mut owned = false;
        let free = heads.iter().filter(|&&head| {
            let dash = self.is_dash(head);
            owned = if dash { owned } else { self.key(head).is_some() && self.holds(head) };
            dash && !owned
        });
        free.count()
    }

    /// Whether a line could be a key that lacks its colon.
    pub fn is_word(&self, index: usize) -> bool {
        let line = self.line(index);
        let end = line::end_of_content(self.text, line.content..line.end);
        let word = self.text.get(line.content..end).unwrap_or_default();
        word.chars().all(|character| {
            character.is_alphanumeric() || matches!(character, '-' | '_' | '.' | '$')
        })
    }

    /// Whether a line's value can be on the lines below.
    fn holds(&self, index: usize) -> bool {
        let line = self.line(index);
        if self.is_dash(index) {
            let content = line::skip_blanks(self.text, line.content + 1..line.end)..line.end;
            return content.is_empty()
                || line::is_dash(self.text, content.clone())
                || line::key(self.text, content).is_some();
        }
        self.key(index).is_none_or(|key| {
            let (_, value) = self.properties(key.value, line.end);
            value >= line::end_of_content(self.text, value..line.end)
        })
    }

    pub fn is_dash(&self, index: usize) -> bool {
        let line = self.line(index);
        line::is_dash(self.text, line.content..line.end)
    }

    pub fn key(&self, index: usize) -> Option<line::Key> {
        let line = self.line(index);
        line::key(self.text, line.content..line.end)
    }

    /// Reports tabs before lines of the block itself, and reads them as the indentation that they
    /// replace.
    fn untab(&mut self, lines: Span, first: usize) {
        let indent = self.line(first).indent;
        for index in self.content(lines).collect::<Vec<_>>() {
            let line = self.line(index);
            let lead = self.work.get(line.start..line.content).unwrap_or_default();
            let Some(tab) = lead.iter().position(|&byte| byte == b'\t') else { continue };
            let last = lead.iter().rposition(|&byte| byte == b'\t').unwrap_or(tab);
            if line.indent > indent {
                continue;
            }
            self.report(line.start + tab..line.start + last + 1, ErrorKind::Tab, messages::TAB);
            for byte in self.work.get_mut(line.start..line.content).unwrap_or_default() {
                *byte = b' ';
            }
        }
    }

    pub fn collect_comments(&mut self, lines: Span) {
        for line in self.lines.get(lines).unwrap_or_default() {
            if self.text.as_bytes().get(line.content) == Some(&b'#') && line.content < line.end {
                self.comments.push(line.content..line.end);
            }
        }
    }

    /// Comments that aren't part of a block scalar at this column.
    pub fn collect_comments_outside(&mut self, lines: Span, indent: usize) {
        for index in lines {
            if self.line(index).indent <= indent {
                self.collect_comments(index..index + 1);
            }
        }
    }

    /// The comment after a line's content.
    pub fn collect_comment_after(&mut self, content: usize, end: usize) {
        let hash = line::skip_blanks(self.text, content..end);
        if self.text.as_bytes().get(hash) == Some(&b'#') && hash < end {
            self.comments.push(hash..end);
        }
    }

    fn mapping(&mut self, chunks: Vec<Span>, mut indent: usize) -> Option<Node> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut astray = self.first_is_astray(&chunks, indent);
        if astray && let Some(first) = chunks.first() {
            self.report_line(first.start, ErrorKind::Indentation, messages::UNALIGNED);
        }
        for chunk in chunks {
            if self.exhausted {
                break;
            }
            let column = self.line(chunk.start).indent;
            if column < indent {
                indent = column;
                if !std::mem::take(&mut astray) {
                    self.report_line(chunk.start, ErrorKind::Indentation, messages::UNALIGNED);
                }
            }
            let piece = self.read(chunk.clone());
            match (piece.refusal, piece.root) {
                (None, Some(Node { kind: Kind::Mapping(mapping), .. })) if !mapping.flow => {
                    self.comments.extend(piece.comments);
                    entries.extend(mapping.entries);
                }
                (None, None) => self.comments.extend(piece.comments),
                _ => self.entry(chunk, &mut entries),
            }
        }
        block_mapping(entries)
    }

    /// Whether only the first line is indented wrongly, rather than all others.
    fn first_is_astray(&self, chunks: &[Span], indent: usize) -> bool {
        let Some((_, rest)) = chunks.split_first() else { return false };
        let columns: Vec<usize> = rest.iter().map(|chunk| self.line(chunk.start).indent).collect();
        columns.first().is_some_and(|&column| {
            column < indent
                && columns.iter().all(|&other| other == column)
                && (columns.len() > 1 || column == 0)
        })
    }

    pub fn report_line(&mut self, index: usize, kind: ErrorKind, message: &str) {
        let line = self.line(index);
        let end = line::end_of_content(self.text, line.content..line.end);
        self.report(line.content..end, kind, message);
    }

    fn sequence(&mut self, chunks: Vec<Span>, indent: usize) -> Option<Node> {
        let mut items: Vec<Node> = Vec::new();
        let mut start = None;
        let mut level = indent;
        for chunk in chunks {
            if self.exhausted {
                break;
            }
            let line = self.line(chunk.start);
            start.get_or_insert(line.content);
            let dash = self.is_dash(chunk.start);
            if dash && line.indent < level {
                level = line.indent;
                self.report_line(chunk.start, ErrorKind::Indentation, messages::UNALIGNED);
            }
            if !dash {
                self.stray(chunk, &mut items);
                continue;
            }
            let piece = self.read(chunk.clone());
            if let (None, Some(Node { kind: Kind::Sequence(sequence), .. })) =
                (piece.refusal, piece.root)
            {
                self.comments.extend(piece.comments);
                items.extend(sequence.items);
                continue;
            }
            if let Some(byte) = self.work.get_mut(line.content) {
                *byte = b' ';
            }
            let content = line::skip_blanks(self.text, line.content + 1..line.end);
            if let Some(line) = self.lines.get_mut(chunk.start) {
                line.indent += content - line.content;
                line.content = content;
            }
            let item = self.block(chunk);
            items.push(item.unwrap_or_else(|| build::absent(line.content + 1)));
        }
        let end = items.last().map(|item| item.span.end)?;
        let span = start.unwrap_or(end).min(end)..end;
        Some(Node {
            span,
            kind: Kind::Sequence(Sequence { items, flow: false }),
            tag: None,
            anchor: None,
        })
    }

    /// A line among list items that isn't one: a key that belongs to the item above, or an item
    /// without its dash.
    fn stray(&mut self, chunk: Span, items: &mut Vec<Node>) {
        if self.key(chunk.start).is_none() {
            self.report_line(chunk.start, ErrorKind::Syntax, messages::MISSING_DASH);
            let line = self.line(chunk.start);
            let end = line::end_of_content(self.text, line.content..line.end);
            items.push(build::plain(
                line.content..end,
                self.text.get(line.content..end).unwrap_or_default().to_string(),
            ));
            return;
        }
        self.report_line(chunk.start, ErrorKind::Indentation, messages::UNALIGNED);
        let Some(Node { kind: Kind::Mapping(adopted), span, .. }) = self.block(chunk) else {
            return;
        };
        if let Some(Node { kind: Kind::Mapping(mapping), span: whole, .. }) = items.last_mut()
            && !mapping.flow
        {
            mapping.entries.extend(adopted.entries);
            whole.end = span.end;
        }
    }
}

/// A block mapping that extends from its first to its last entry.
pub(super) fn block_mapping(entries: Vec<Entry>) -> Option<Node> {
    let span = entries.first()?.span.start..entries.iter().map(|entry| entry.span.end).max()?;
    Some(Node { span, kind: Kind::Mapping(Mapping::new(entries, false)), tag: None, anchor: None })
}
