//! Finds the text being typed at an offset, from the lines before it rather than from the tree:
//! text under a cursor is usually incomplete. Indentation and open brackets determine the parents;
//! the tree only provides the siblings.

use super::line::{self, Bracket, Line};
use super::node::{Kind, Node, Span, Tree};

/// A key or a list index on the way from the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    Key(String),
    Index(usize),
}

/// What the cursor's place expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A key of the mapping at `path`.
    Key,
    /// The value of `key` in the mapping at `path`.
    Value,
    /// After `- ` or between `[` and `]`: a value, or the first key of a mapping. `path` ends with
    /// its index.
    Item,
    /// A place where another `- ` can begin; `path` ends at the sequence.
    NewItem,
    Comment,
}

/// The text being typed, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CursorContext {
    /// From the root to the collection being written.
    pub path: Vec<Segment>,
    pub place: Place,
    /// The key whose value is being typed.
    pub key: Option<String>,
    /// The word or value around the cursor, including quotes; empty between words.
    pub partial: Span,
    /// Inside `[…]` or `{…}`.
    pub flow: bool,
    /// The innermost collection is a sequence, or a mapping that is a list item.
    pub in_sequence: bool,
    /// The quote around the cursor.
    pub quote: Option<char>,
    /// The keys of the mapping at `path`, without the one under the cursor.
    pub siblings: Vec<String>,
    /// The indentation of keys in this mapping.
    pub column: usize,
}

/// The limit of lines that a quoted or bracketed value is followed for.
const LOOKAHEAD: usize = 400;

/// An entry or item that is open on the current line.
#[derive(Debug, Clone)]
struct Level {
    column: usize,
    segment: Segment,
    /// The line has content after the colon or dash.
    inline: bool,
    /// A key was seen in this item.
    keyed: bool,
    /// Column and number of the items below, if it contains items.
    items: Option<(usize, usize)>,
}

struct Reader<'a> {
    text: &'a str,
    offset: usize,
    levels: Vec<Level>,
    root_items: Option<(usize, usize)>,
}

/// Where to continue after a line's content.
enum Next {
    Line,
    /// The value reaches to here.
    Skip(usize),
    /// A block scalar of a key at this column.
    Block(usize),
    Found(CursorContext),
}

/// Returns the text being typed at `offset`. Total, and correct in broken text as far as
/// indentation and brackets allow.
pub fn position_context(tree: &Tree, text: &str, offset: usize) -> CursorContext {
    let offset = text.floor_char_boundary(offset);
    let mut reader = Reader { text, offset, levels: Vec::new(), root_items: None };
    let mut context = reader.run();
    reader.siblings(tree, &mut context);
    context
}

impl Reader<'_> {
    fn run(&mut self) -> CursorContext {
        let lines = line::lines(self.text, 0..self.text.len());
        let mut skip = 0;
        let mut block: Option<usize> = None;
        for (index, line) in lines.iter().enumerate() {
            if line.start > self.offset {
                break;
            }
            // The offset between `\r` and `\n` belongs to the line before.
            let here = lines.get(index + 1).is_none_or(|next| self.offset < next.start)
                && (self.offset <= line.end || index + 1 < lines.len());
            if line.start < skip {
                continue;
            }
            if let Some(column) = block {
                let inside = if line.content == line.end {
                    !here || self.offset - line.start > column
                } else {
                    line.indent > column
                };
                if inside && here {
                    return self.value(self.offset..self.offset);
                }
                if inside {
                    continue;
                }
                block = None;
            }
            if here && (line.content == line.end || self.offset < line.content) {
                return self.blank(self.offset.min(line.end) - line.start);
            }
            if !line.is_content(self.text) {
                if here {
                    return CursorContext { place: Place::Comment, ..self.blank(line.indent) };
                }
                continue;
            }
            let marker = self
                .text
                .get(line.start..line.end)
                .is_some_and(|text| matches!(text.trim_end(), "---" | "..."));
            if marker && !here {
                self.levels.clear();
                continue;
            }
            match self.line(line, here, lines.get(index + 1..).unwrap_or_default()) {
                Next::Found(context) => return context,
                Next::Skip(end) => skip = end,
                Next::Block(column) => block = Some(column),
                Next::Line => {}
            }
        }
        // After the last line break the column is 0: outside of any block scalar.
        self.blank(0)
    }

    fn context(&self, place: Place, partial: Span) -> CursorContext {
        let path: Vec<Segment> = self.levels.iter().map(|level| level.segment.clone()).collect();
        let in_sequence = place == Place::NewItem || matches!(path.last(), Some(Segment::Index(_)));
        let column = self.levels.last().map_or(0, |level| level.column + 2);
        CursorContext {
            path,
            place,
            key: None,
            partial,
            flow: false,
            in_sequence,
            quote: None,
            siblings: Vec::new(),
            column,
        }
    }

    /// The value of the innermost key.
    fn value(&mut self, partial: Span) -> CursorContext {
        let Some(level) = self.levels.pop() else { return self.context(Place::Key, partial) };
        let (place, key) = match level.segment.clone() {
            Segment::Key(key) => (Place::Value, Some(key)),
            Segment::Index(_) => {
                self.levels.push(level);
                return self.context(Place::Item, partial);
            }
        };
        let mut context = CursorContext { key, ..self.context(place, partial) };
        context.column = level.column;
        context
    }

    /// A line without content, or the indentation before it: the column decides.
    fn blank(&mut self, column: usize) -> CursorContext {
        self.close(column, false);
        self.free_line(column, self.offset..self.offset)
    }

    /// A line without a key yet, in the levels that are open at its column.
    fn free_line(&mut self, column: usize, partial: Span) -> CursorContext {
        // A key with its value on the same line has no lines below.
        while self.levels.last().is_some_and(|level| level.inline) {
            self.levels.pop();
        }
        let items = self.levels.last().map_or(self.root_items, |level| level.items);
        let place = if items.is_some() { Place::NewItem } else { Place::Key };
        CursorContext {
            column: items.map_or(column, |(column, _)| column),
            ..self.context(place, partial)
        }
    }

    /// Ends the levels that a line at this column isn't part of.
    fn close(&mut self, column: usize, dash: bool) {
        while let Some(level) = self.levels.last() {
            let key = matches!(level.segment, Segment::Key(_));
            if level.column < column || (dash && key && level.column == column && !level.inline) {
                break;
            }
            self.levels.pop();
        }
    }

    fn line(&mut self, line: &Line, here: bool, after: &[Line]) -> Next {
        let (mut at, mut column) = (line.content, line.indent);
        let dash = line::is_dash(self.text, at..line.end);
        self.close(column, dash);
        while line::is_dash(self.text, at..line.end) {
            let items =
                self.levels.last_mut().map_or(&mut self.root_items, |level| &mut level.items);
            let index = items.map_or(0, |(_, count)| count);
            *items = Some((column, index + 1));
            let content = line::skip_blanks(self.text, at + 1..line.end);
            self.levels.push(Level {
                column,
                segment: Segment::Index(index),
                inline: false,
                keyed: false,
                items: None,
            });
            if here && self.offset <= at {
                self.levels.pop();
                return Next::Found(self.context(Place::NewItem, at..at + 1));
            }
            column += content - at;
            at = content;
            if here && (self.offset < at || at == line.end) {
                return Next::Found(self.context(Place::Item, self.offset..self.offset));
            }
        }
        let end = line::end_of_content(self.text, at..line.end);
        if here
            && self.offset > end
            && self.text.as_bytes().get(line::skip_blanks(self.text, end..line.end)) == Some(&b'#')
            && self.offset > line::skip_blanks(self.text, end..line.end)
        {
            return Next::Found(self.context(Place::Comment, self.offset..self.offset));
        }
        let nested = self.levels.last().map_or(0, |level| level.column);
        let Some(key) = line::key(self.text, at..line.end) else {
            return self.keyless(at, end, column, here, after);
        };
        if let Some(level) = self.levels.last_mut() {
            level.keyed = true;
        }
        if here && self.offset <= key.colon {
            let mut context = self.free_key(column, key.span.clone());
            context.column = column.max(nested);
            return Next::Found(context);
        }
        let name = self
            .text
            .get(key.span.clone())
            .unwrap_or_default()
            .trim_matches(['"', '\''])
            .to_string();
        let inline = end > key.value;
        self.levels.push(Level {
            column,
            segment: Segment::Key(name),
            inline,
            keyed: false,
            items: None,
        });
        self.inline(key.value, end, column, here, after)
    }

    fn free_key(&mut self, column: usize, partial: Span) -> CursorContext {
        while self.levels.last().is_some_and(|level| level.inline) {
            self.levels.pop();
        }
        CursorContext { column, ..self.context(Place::Key, partial) }
    }

    /// A line without `key:`: a half-typed key, an item's value, or the continuation of a value.
    fn keyless(
        &mut self,
        at: usize,
        end: usize,
        column: usize,
        here: bool,
        after: &[Line],
    ) -> Next {
        let word = at..end.max(at);
        let first = self.text.as_bytes().get(at).copied();
        if matches!(first, Some(b'[' | b'{' | b'"' | b'\'' | b'|' | b'>')) {
            let Some(level) = self.levels.last_mut() else {
                return self.inline(at, end, column, here, after);
            };
            level.inline = true;
            let column = level.column;
            return self.inline(at, end, column, here, after);
        }
        let is_item = matches!(
            self.levels.last(),
            Some(Level { segment: Segment::Index(_), keyed: false, items: None, .. })
        );
        if !here {
            if let Some(level) = self.levels.last_mut().filter(|_| is_item) {
                level.inline = true;
            }
            return Next::Line;
        }
        let partial = if self.offset <= word.end { word } else { self.offset..self.offset };
        if is_item {
            return Next::Found(self.context(Place::Item, partial));
        }
        if self.levels.last().is_some_and(|level| level.inline) {
            return Next::Found(self.value(partial));
        }
        Next::Found(self.free_line(column, partial))
    }

    /// The content after a colon or dash.
    fn inline(
        &mut self,
        start: usize,
        end: usize,
        column: usize,
        here: bool,
        after: &[Line],
    ) -> Next {
        match self.text.as_bytes().get(start) {
            Some(b'|' | b'>') if end > start => {
                if here {
                    return Next::Found(self.value(start..end));
                }
                return Next::Block(column);
            }
            Some(b'[' | b'{') if end > start => {
                let stop = self.stop(start, column, end, after);
                return match line::close_bracket(self.text, start..stop) {
                    Bracket::Closed(close) if self.offset >= close => {
                        if here && self.offset > start {
                            Next::Found(self.value(start..close.max(self.offset)))
                        } else {
                            Next::Skip(close)
                        }
                    }
                    _ if self.offset > stop => Next::Skip(stop),
                    _ if self.offset <= start => Next::Found(self.value(start..start)),
                    _ => Next::Found(self.flow(start, stop)),
                };
            }
            Some(quote @ (b'"' | b'\'')) if end > start => {
                let stop = self.stop(start, column, end, after);
                let close = line::close_quote(self.text, start..stop);
                let until = close.unwrap_or(line::end_of_line(self.text, start));
                if self.offset > until && !here {
                    return Next::Skip(until);
                }
                if self.offset <= until {
                    let inside =
                        self.offset > start && close.is_none_or(|close| self.offset < close);
                    let mut context = self.value(start..until);
                    context.quote = inside.then_some(char::from(*quote));
                    return Next::Found(context);
                }
            }
            _ => {}
        }
        if !here {
            return Next::Line;
        }
        let partial = if (start..=end).contains(&self.offset) {
            start..end
        } else {
            self.offset..self.offset
        };
        Next::Found(self.value(partial))
    }

    /// The latest possible end of the value at `start`.
    fn stop(&self, start: usize, column: usize, end: usize, after: &[Line]) -> usize {
        let quoted = matches!(self.text.as_bytes().get(start), Some(b'"' | b'\''));
        let closed = match quoted {
            true => line::close_quote(self.text, start..end).is_some(),
            false => matches!(line::close_bracket(self.text, start..end), Bracket::Closed(_)),
        };
        if closed { end } else { self.limit(column, end, after) }
    }

    /// Where an unclosed value is given up: before the next line with a key at its own key's column
    /// or left of it.
    fn limit(&self, column: usize, end: usize, after: &[Line]) -> usize {
        let ahead = after.get(..LOOKAHEAD).unwrap_or(after);
        let next = ahead.iter().find(|line| {
            line.indent <= column
                && line.is_content(self.text)
                && line::key(self.text, line.content..line.end)
                    .is_some_and(|key| key.span.len() < 200)
        });
        next.map(|line| line.start.saturating_sub(1))
            .or(ahead.last().map(|line| line.end))
            .unwrap_or(self.text.len())
            .max(end)
    }

    /// Inside brackets: reads tokens up to the cursor.
    fn flow(&mut self, start: usize, stop: usize) -> CursorContext {
        /// An open bracket, the key whose value is being read, and the index of the item.
        struct Open {
            map: bool,
            key: Option<String>,
            index: usize,
        }
        let bytes = self.text.as_bytes();
        let mut open: Vec<Open> = Vec::new();
        let (mut at, mut token, mut quote) = (start, start, None);
        while at < self.offset {
            let Some(&byte) = bytes.get(at) else { break };
            let fresh = line::skip_blanks(self.text, token..at) == at;
            match byte {
                b'[' | b'{' if fresh || open.is_empty() => {
                    open.push(Open { map: byte == b'{', key: None, index: 0 })
                }
                b']' | b'}' => {
                    open.pop();
                }
                b',' => {
                    if let Some(open) = open.last_mut() {
                        open.key = None;
                        open.index += 1;
                    }
                }
                b':' if bytes.get(at + 1).is_none_or(|next| b" \t\r\n,[]{}".contains(next))
                    || self
                        .text
                        .get(token..at)
                        .is_some_and(|key| key.trim_end().ends_with(['"', '\''])) =>
                {
                    if let Some(open) = open.last_mut() {
                        open.key = Some(
                            self.text
                                .get(token..at)
                                .unwrap_or_default()
                                .trim()
                                .trim_matches(['"', '\''])
                                .to_string(),
                        );
                    }
                }
                b'"' | b'\'' if fresh => {
                    match line::close_quote(self.text, at..stop) {
                        Some(close) if close <= self.offset => at = close,
                        _ => {
                            quote = Some(char::from(byte));
                            token = at;
                            break;
                        }
                    }
                    continue;
                }
                b'\n' | b'\r' if fresh => {}
                _ => {
                    at += 1;
                    continue;
                }
            }
            at += 1;
            token = at;
        }
        let token = line::skip_space(self.text, token).min(self.offset);
        let partial = match quote {
            Some(_) => {
                token
                    ..line::close_quote(self.text, token..line::end_of_line(self.text, self.offset))
                        .unwrap_or(self.offset)
            }
            None => {
                let rest = self
                    .text
                    .get(self.offset..line::end_of_line(self.text, self.offset))
                    .unwrap_or_default();
                let word = rest.find([',', ']', '}', ':', ' ', '\t', '#']).unwrap_or(rest.len());
                token..self.offset + word
            }
        };
        let mut path: Vec<Segment> =
            self.levels.iter().map(|level| level.segment.clone()).collect();
        let last = open.pop();
        for outer in open {
            path.extend(match outer.key {
                Some(key) => vec![Segment::Key(key)],
                None if outer.map => vec![],
                None => vec![Segment::Index(outer.index)],
            });
        }
        let (place, key, in_sequence) = match last {
            Some(Open { map: true, key: None, .. }) => {
                (Place::Key, None, matches!(path.last(), Some(Segment::Index(_))))
            }
            Some(Open { map: false, key: None, index }) => {
                path.push(Segment::Index(index));
                (Place::Item, None, true)
            }
            Some(Open { map, key, index }) => {
                if !map {
                    path.push(Segment::Index(index));
                }
                (Place::Value, key, !map || matches!(path.last(), Some(Segment::Index(_))))
            }
            None => (Place::Value, None, false),
        };
        let column = self.levels.last().map_or(0, |level| level.column);
        CursorContext {
            path,
            place,
            key,
            partial,
            flow: true,
            in_sequence,
            quote,
            siblings: Vec::new(),
            column,
        }
    }

    /// Takes the keys of the mapping at the path from the tree, and the column from its first key.
    fn siblings(&self, tree: &Tree, context: &mut CursorContext) {
        if matches!(context.place, Place::Comment | Place::NewItem) {
            return;
        }
        let mut node = tree.root.as_ref();
        for segment in &context.path {
            node = match (node.map(|node| &node.kind), segment) {
                (Some(Kind::Mapping(mapping)), Segment::Key(key)) => {
                    mapping.get(key).map(|entry| &entry.value)
                }
                (Some(Kind::Sequence(sequence)), Segment::Index(index)) => {
                    sequence.items.get(*index)
                }
                _ => None,
            };
        }
        let Some(mapping) = node.and_then(Node::as_mapping) else { return };
        let typed = |span: &Span| {
            span.start <= self.offset && self.offset <= span.end && context.place != Place::Value
        };
        let current = context.key.as_deref();
        let others = mapping.entries.iter().filter(|entry| !typed(&entry.key.span));
        let keys =
            others.filter_map(|entry| entry.key.as_str()).filter(|key| Some(*key) != current);
        context.siblings = keys.map(str::to_string).collect();
        if let (Some(first), false, Place::Key) = (
            mapping.entries.iter().find(|entry| !typed(&entry.key.span)),
            context.flow || mapping.flow,
            context.place,
        ) {
            let start = first.key.span.start;
            context.column = start - line::start_of_line(self.text, start);
        }
    }
}
