//! Builds nodes with trimmed spans from granit's events. A piece that granit refuses yields the
//! nodes before the error.

use granit_parser::{Event, Parser, ScalarStyle, StructureStyle};

use super::line;
use super::node::{Entry, Kind, Mapping, Node, Scalar, Sequence, Span, Style};

/// The nesting limit of collections, in granit and in the tree.
pub(super) const DEPTH: usize = 128;

/// Why granit stopped, and where.
#[derive(Debug)]
pub(super) struct Refusal {
    pub at: usize,
    pub kind: granit_parser::ErrorKind,
}

/// The result of reading a piece of text.
#[derive(Debug, Default)]
pub(super) struct Piece {
    /// Complete if `refusal` is `None`, otherwise everything before the error.
    pub root: Option<Node>,
    pub comments: Vec<Span>,
    pub refusal: Option<Refusal>,
}

/// A collection whose end wasn't reached yet.
struct Open {
    node: Node,
    /// A mapping's key waiting for its value.
    key: Option<Node>,
}

struct Builder<'t> {
    text: &'t str,
    /// The offset of `text` in the whole text.
    base: usize,
    open: Vec<Open>,
    root: Option<Node>,
    /// The anchored node is in `root`, the last of `open` or the last child of it.
    comments: Vec<Span>,
    /// Everything before this has been read; block scalar headers are looked for from here.
    cursor: usize,
}

/// Reads `text`, which starts at `base` of the whole text, as one document. The spans of the result
/// are offsets in the whole text.
pub(super) fn build(text: &str, base: usize) -> Piece {
    let options = granit_parser::options! {
        emit_anchor_events: true,
        emit_unresolved_aliases: true,
        max_buffered_comment_events: usize::MAX,
        flow_nesting_limit: DEPTH,
        block_nesting_limit: DEPTH,
    };
    let mut builder =
        Builder { text, base, open: Vec::new(), root: None, comments: Vec::new(), cursor: 0 };
    let mut refusal = None;
    for step in Parser::new_from_str_with_options(text, options) {
        match step {
            Ok((event, span)) => {
                let tag = span.tag_span().and_then(|tag| tag.byte_range());
                let Some(range) = span.byte_range() else { continue };
                // The caller cut the text at document markers, so a second document is unexpected
                // content.
                if matches!(event, Event::DocumentStart(..)) && builder.root.is_some() {
                    refusal = Some(Refusal {
                        at: base + range.start,
                        kind: granit_parser::ErrorKind::ExpectedDocumentStart,
                    });
                    break;
                }
                builder.event(event, range, tag);
            }
            Err(error) => {
                let at = error.marker().byte_offset().unwrap_or(0).min(text.len());
                refusal =
                    Some(Refusal { at: base + line::floor(text, at), kind: error.kind().clone() });
                break;
            }
        }
    }
    while !builder.open.is_empty() {
        builder.close(None);
    }
    Piece { root: builder.root, comments: builder.comments, refusal }
}

impl Builder<'_> {
    fn event(&mut self, event: Event<'_>, range: Span, tag: Option<Span>) {
        let tag = tag.and_then(|span| {
            let text = self.text.get(span.clone())?.to_string();
            Some((text, self.base + span.start..self.base + span.end))
        });
        match event {
            Event::Comment(..) => {
                self.comments.push(self.base + range.start..self.base + range.end)
            }
            Event::Anchor(_, name) => {
                self.cursor = self.cursor.max(range.end);
                let anchor = (name.into_owned(), self.base + range.start..self.base + range.end);
                if let Some(node) = self.latest() {
                    node.anchor = Some(anchor);
                }
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                let name =
                    self.text.get(range.start + 1..range.end).unwrap_or_default().to_string();
                self.leaf(range, Kind::Alias(name), None);
            }
            Event::Scalar(text, style, _, _) => {
                let (span, style) = self.scalar_place(range, style, tag.is_some());
                let absent = span.is_empty() && style == Style::Plain;
                let text = if absent { String::new() } else { text.into_owned() };
                self.leaf(span, Kind::Scalar(Scalar { text, style }), tag);
            }
            Event::SequenceStart(style, ..) => {
                let flow = style == StructureStyle::Flow;
                let start = if flow { range.start } else { self.block_start(range.start) };
                let range = start..range.end.max(start);
                self.start(range, Kind::Sequence(Sequence { items: Vec::new(), flow }), tag);
            }
            Event::MappingStart(style, ..) => {
                let flow = style == StructureStyle::Flow;
                self.start(range, Kind::Mapping(Mapping::new(Vec::new(), flow)), tag);
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(Some(range.end)),
            _ => {}
        }
    }

    fn scalar_place(&self, range: Span, style: ScalarStyle, tagged: bool) -> (Span, Style) {
        match style {
            ScalarStyle::SingleQuoted => (range, Style::SingleQuoted),
            ScalarStyle::DoubleQuoted => (range, Style::DoubleQuoted),
            ScalarStyle::Literal | ScalarStyle::Folded => {
                let style =
                    if style == ScalarStyle::Literal { Style::Literal } else { Style::Folded };
                (self.block_scalar(range), style)
            }
            ScalarStyle::Plain if range.is_empty() && !tagged => {
                // granit puts an absent value before the colon; it belongs right after it.
                let colon = line::skip_space(self.text, range.start);
                let key = self.open.last().and_then(|open| open.key.as_ref());
                let at = match key {
                    Some(_) if self.text.as_bytes().get(colon) == Some(&b':') => colon + 1,
                    Some(key) => {
                        // `? key` without a colon; anything but whitespace would be an anchor.
                        let end = outer_end(key).saturating_sub(self.base);
                        if line::skip_space(self.text, end) >= range.start {
                            end
                        } else {
                            range.start
                        }
                    }
                    None => range.start,
                };
                (at..at, Style::Plain)
            }
            ScalarStyle::Plain => (range, Style::Plain),
        }
    }

    /// The first `-` of a block sequence. If it isn't indented below its key, granit reports the first item.
    fn block_start(&self, first: usize) -> usize {
        let key = self.open.last().and_then(|open| open.key.as_ref());
        let key = key.map(|key| outer_end(key).saturating_sub(self.base));
        let before = self.text.get(..first).unwrap_or_default().trim_end();
        let dash = before.len().saturating_sub(1);
        let line = before.get(..dash).unwrap_or_default();
        let is_first = line.rsplit('\n').next().is_some_and(|line| line.trim().is_empty());
        let found = before.ends_with('-') && is_first && key.is_some_and(|key| key < dash);
        if found { dash } else { first }
    }

    /// granit reports the content of a block scalar; the header is between the previous node and
    /// that.
    fn block_scalar(&self, content: Span) -> Span {
        let bytes = self.text.as_bytes();
        let mut at = self.cursor;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'|' | b'>' => break,
                b'#' => at = line::end_of_line(self.text, at),
                b'&' | b'!' => at = line::end_of_word(self.text, at),
                _ => at += 1,
            }
        }
        if bytes.get(at).is_none() {
            return content;
        }
        let header = line::end_of_word(self.text, at);
        let end = line::trim_end(self.text, at..content.end.max(header));
        at..end.max(header)
    }

    /// The node of the previous event.
    fn latest(&mut self) -> Option<&mut Node> {
        let Some(open) = self.open.last_mut() else { return self.root.as_mut() };
        let empty = match &open.node.kind {
            Kind::Sequence(sequence) => sequence.items.is_empty(),
            Kind::Mapping(mapping) => mapping.entries.is_empty(),
            _ => true,
        };
        if open.key.is_some() {
            return open.key.as_mut();
        }
        if empty {
            return Some(&mut open.node);
        }
        match &mut open.node.kind {
            Kind::Sequence(sequence) => sequence.items.last_mut(),
            Kind::Mapping(mapping) => mapping.entries.last_mut().map(|entry| &mut entry.value),
            _ => None,
        }
    }

    fn leaf(&mut self, range: Span, kind: Kind, tag: Option<(String, Span)>) {
        self.cursor = self.cursor.max(range.end);
        let span = self.base + range.start..self.base + range.end;
        self.place(Node { span, kind, tag, anchor: None });
    }

    fn start(&mut self, range: Span, kind: Kind, tag: Option<(String, Span)>) {
        self.cursor = self.cursor.max(range.end);
        let span = self.base + range.start..self.base + range.end;
        self.open.push(Open { node: Node { span, kind, tag, anchor: None }, key: None });
    }

    /// Ends the innermost collection; `end` is where granit found its end, `None` if it never did.
    fn close(&mut self, end: Option<usize>) {
        let Some(Open { mut node, key }) = self.open.pop() else { return };
        if let (Some(key), Kind::Mapping(mapping)) = (key, &mut node.kind) {
            mapping.entries.push(entry(key, None));
        }
        let (last, bracketed) = match &node.kind {
            Kind::Sequence(sequence) => (sequence.items.last().map(outer_end), sequence.flow),
            Kind::Mapping(mapping) => {
                (mapping.entries.last().map(|entry| entry.span.end), mapping.flow)
            }
            _ => (None, false),
        };
        let opened = self.text.as_bytes().get(node.span.start.saturating_sub(self.base));
        let bracketed = bracketed && matches!(opened, Some(b'[' | b'{')) && !node.span.is_empty();
        node.span.end = match end {
            Some(end) if bracketed => self.base + end,
            _ => last.unwrap_or(node.span.end).max(node.span.end),
        };
        self.cursor = self.cursor.max(node.span.end.saturating_sub(self.base));
        // Most collections are small, and a vector has room for four items from the first on.
        match &mut node.kind {
            Kind::Sequence(sequence) => sequence.items.shrink_to_fit(),
            Kind::Mapping(mapping) => mapping.entries.shrink_to_fit(),
            _ => {}
        }
        self.place(node);
    }

    fn place(&mut self, node: Node) {
        match self.open.last_mut() {
            None => {
                if self.root.is_none() {
                    self.root = Some(node);
                }
            }
            Some(open) => match &mut open.node.kind {
                Kind::Sequence(sequence) => sequence.items.push(node),
                Kind::Mapping(mapping) => match open.key.take() {
                    None => open.key = Some(node),
                    Some(key) => mapping.entries.push(entry(key, Some(node))),
                },
                _ => {}
            },
        }
    }
}

/// The end of a node, including the tag or anchor of an absent one.
fn outer_end(node: &Node) -> usize {
    let tag = node.tag.as_ref().map_or(0, |(_, span)| span.end);
    let anchor = node.anchor.as_ref().map_or(0, |(_, span)| span.end);
    node.span.end.max(tag).max(anchor)
}

/// An entry with a key and its value, or a key without one.
pub(super) fn entry(key: Node, value: Option<Node>) -> Entry {
    let value = value.unwrap_or_else(|| absent(key.span.end));
    let span = key.span.start..outer_end(&value).max(key.span.end);
    Entry { key, value, span }
}

/// A plain scalar with this text and span.
pub(super) fn plain(span: Span, text: String) -> Node {
    Node { span, kind: Kind::Scalar(Scalar { text, style: Style::Plain }), tag: None, anchor: None }
}

/// An absent value.
pub(super) fn absent(at: usize) -> Node {
    plain(at..at, String::new())
}
