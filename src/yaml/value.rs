//! Explains the mistake in one entry or value, and what its author meant.

use super::build::{self, absent, plain};
use super::line::{self, Bracket};
use super::messages;
use super::node::{Entry, ErrorKind, Kind, Node, Scalar, Span, Style};
use super::recover::Recovery;

/// Characters that a plain scalar can't start with.
const RESERVED: &[u8] = b"@`%*&!|>,";

impl Recovery<'_> {
    /// Reads an entry that granit refuses: `lines` is its key's line and the lines indented below.
    pub(super) fn entry(&mut self, lines: Span, entries: &mut Vec<Entry>) {
        let head = self.line(lines.start);
        let Some(key) = self.key(lines.start) else { return self.keyless(lines, entries) };
        let key_node = self.key_node(key.span.clone());
        let (properties, start) = self.properties(key.value, head.end);
        let end = line::end_of_content(self.text, start..head.end);
        let below = lines.start + 1..lines.end;

        let last = self.content(lines.clone()).last().unwrap_or(lines.start);
        self.collect_comments_outside(last + 1..lines.end, head.indent);
        let mut adopted = None;
        let mut value = if end > start {
            self.value(start, lines, &mut adopted)
        } else {
            self.collect_comment_after(start, head.end);
            match self.block(below) {
                Some(node) => node,
                None => absent(if properties.0.is_some() || properties.1.is_some() {
                    end
                } else {
                    key.colon + 1
                }),
            }
        };
        if value.is_absent() && properties == (None, None) {
            value = absent(key.colon + 1);
        }
        value.tag = value.tag.or(properties.0);
        value.anchor = value.anchor.or(properties.1);
        let mut entry = build::entry(key_node, Some(value));
        entry.span.end = entry.span.end.max(key.colon + 1);
        entries.push(entry);
        if let Some(Node { kind: Kind::Mapping(mapping), .. }) = adopted {
            entries.extend(mapping.entries);
        }
    }

    /// A line in a mapping without a key.
    fn keyless(&mut self, lines: Span, entries: &mut Vec<Entry>) {
        let head = self.line(lines.start);
        let end = line::end_of_content(self.text, head.content..head.end);
        let written = self.text.get(head.content..end).unwrap_or_default();
        let below = lines.start + 1..lines.end;
        self.collect_comment_after(end, head.end);
        if self.is_dash(lines.start) {
            return self.report(head.content..end, ErrorKind::Syntax, messages::STRAY_ITEM);
        }
        if let Some(bracket @ (']' | '}')) = written.chars().next() {
            return self.report(
                head.content..head.content + 1,
                ErrorKind::Syntax,
                messages::extra_bracket(bracket),
            );
        }
        if let Some(bracket @ ('[' | '{')) = written.chars().next()
            && !matches!(line::close_bracket(self.text, head.content..head.end), Bracket::Closed(_))
        {
            return self.report(
                head.content..end,
                ErrorKind::Unclosed,
                messages::unclosed(bracket),
            );
        }
        if let Some(quote @ ('"' | '\'')) = written.chars().next()
            && line::close_quote(self.text, head.content..head.end).is_none()
        {
            return self.report(head.content..end, ErrorKind::Unclosed, messages::unclosed(quote));
        }
        // `name:value`: only a space is missing.
        let colon = memchr::memchr(b':', written.as_bytes()).filter(|&colon| {
            let (name, value) = written.split_at(colon);
            colon > 0
                && !value.starts_with("://")
                && name.chars().all(|character| {
                    character.is_alphanumeric()
                        || matches!(character, '-' | '_' | '.' | '"' | '\'' | '$' | ' ')
                })
        });
        if let Some(colon) = colon.map(|colon| head.content + colon) {
            let name = head.content..line::trim_end(self.text, head.content..colon);
            self.report(name.start..end, ErrorKind::MissingColon, messages::SPACE_AFTER_COLON);
            let key = self.key_node(name);
            let value = plain(
                colon + 1..end,
                self.text.get(colon + 1..end).unwrap_or_default().to_string(),
            );
            return entries.push(build::entry(key, Some(value)));
        }
        self.report(head.content..end, ErrorKind::MissingColon, messages::MISSING_COLON);
        let nested = self
            .content(below.clone())
            .next()
            .is_some_and(|index| self.key(index).is_some() || self.is_dash(index));
        if nested {
            let key = self.key_node(head.content..end);
            let value = self.block(below);
            entries.push(build::entry(key, value));
        } else {
            self.collect_comments(below);
        }
    }

    /// A key as granit reads it alone, or as written if granit refuses it.
    fn key_node(&mut self, span: Span) -> Node {
        let piece = self.read_span(span.clone());
        // An alias as key needs a space before the colon, otherwise the colon is part of its name.
        let starred = self.text.as_bytes().get(span.start) == Some(&b'*')
            && self.text.as_bytes().get(span.end) == Some(&b':');
        match (piece.refusal, piece.root) {
            (None, Some(node))
                if !starred && matches!(node.kind, Kind::Scalar(_) | Kind::Alias(_)) =>
            {
                node
            }
            _ => {
                self.report(
                    span.clone(),
                    ErrorKind::NeedsQuotes,
                    "YAML doesn't accept this as a key; put it in quotes",
                );
                self.mask(span.clone());
                plain(span.clone(), self.text.get(span).unwrap_or_default().to_string())
            }
        }
    }

    /// The tag and anchor at the start of a value, and where the rest begins.
    #[allow(clippy::type_complexity)]
    pub(super) fn properties(
        &self,
        start: usize,
        end: usize,
    ) -> ((Option<(String, Span)>, Option<(String, Span)>), usize) {
        let (mut tag, mut anchor, mut at) = (None, None, start);
        loop {
            let word = at..line::end_of_word(self.text, at).min(end);
            let text = self.text.get(word.clone()).unwrap_or_default();
            let name = |text: &str| {
                text.len() > 1
                    && text.chars().skip(1).all(|character| {
                        character.is_alphanumeric() || "-_!./:".contains(character)
                    })
            };
            if text.starts_with('&') && anchor.is_none() && name(text) {
                anchor = Some((text.get(1..).unwrap_or_default().to_string(), word.clone()));
            } else if text.starts_with('!')
                && tag.is_none()
                && name(text)
                && !text.get(1..).unwrap_or_default().trim_start_matches('!').contains('!')
            {
                tag = Some((text.to_string(), word.clone()));
            } else {
                return ((tag, anchor), at);
            }
            at = line::skip_blanks(self.text, word.end..end);
        }
    }

    /// Lines that are one value with nothing before it: a list item, or the whole text.
    pub(super) fn value_block(&mut self, lines: Span) -> Option<Node> {
        let head = self.line(lines.start);
        let ((tag, anchor), start) = self.properties(head.content, head.end);
        let mut adopted = None;
        if start >= line::end_of_content(self.text, start..head.end) {
            let mut node = self.block(lines.start + 1..lines.end).unwrap_or_else(|| absent(start));
            (node.tag, node.anchor) = (node.tag.or(tag), node.anchor.or(anchor));
            return Some(node);
        }
        let mut node = self.value(start, lines, &mut adopted);
        (node.tag, node.anchor) = (node.tag.or(tag), node.anchor.or(anchor));
        Some(node)
    }

    /// A broken value that starts at `start` in the first of `lines`. Entries below a complete
    /// value are added to `adopted`.
    fn value(&mut self, start: usize, lines: Span, adopted: &mut Option<Node>) -> Node {
        let head = self.line(lines.start);
        let end = line::end_of_content(self.text, start..head.end);
        let below = lines.start + 1..lines.end;
        let last = self.content(lines.clone()).last().map_or(end, |index| self.line(index).end);
        let first = self.text.as_bytes().get(start).copied().unwrap_or_default();

        // If the first line is valid by itself, only the lines below are wrong.
        let alone = self.read(lines.start..lines.start + 1);
        if alone.refusal.is_none() && !matches!(first, b'|' | b'>') {
            self.collect_comment_after(end, head.end);
            let node = only_value(alone.root).unwrap_or_else(|| self.raw(start..end));
            return self.below(node, below, adopted);
        }
        match first {
            b'"' | b'\'' => self.quoted(start, end, last, below, adopted),
            b'[' | b'{' => self.bracketed(start, end, last, lines, adopted),
            b'|' | b'>' => self.block_scalar(start, end, lines, adopted),
            b']' | b'}' => {
                self.report(
                    start..start + 1,
                    ErrorKind::Syntax,
                    messages::extra_bracket(char::from(first)),
                );
                let rest =
                    self.text.get(start..end).unwrap_or_default().trim_matches([']', '}', ' ']);
                if rest.is_empty() { absent(start) } else { self.raw(start..end) }
            }
            _ => {
                let colon = line::colon(self.text, start..end).is_some();
                let misread = RESERVED.contains(&first)
                    || line::is_dash(self.text, start..end)
                    || first == b'?'
                    || first == b':';
                if !colon && !misread {
                    return self.refused(start, end, lines);
                }
                let message = if misread { messages::NEEDS_QUOTES } else { messages::COLON_SPACE };
                self.needs_quotes(start, end, below, message, adopted)
            }
        }
    }

    /// The lines below a complete value.
    pub(super) fn below(&mut self, node: Node, below: Span, adopted: &mut Option<Node>) -> Node {
        let content: Vec<usize> = self.content(below.clone()).collect();
        let Some(&first) = content.first() else { return node };
        let plain_text = matches!(&node.kind, Kind::Scalar(scalar) if scalar.style == Style::Plain);
        let is_prose = |recovery: &Self, index: usize| {
            let words = recovery
                .key(index)
                .map(|key| recovery.text.get(key.span).unwrap_or_default().contains(' '));
            words.unwrap_or(!recovery.is_dash(index))
        };
        let commented = self
            .text
            .get(node.span.end..line::end_of_line(self.text, node.span.end))
            .is_some_and(|rest| rest.contains('#'));
        if plain_text && is_prose(self, first) && !commented {
            let last = content.last().map_or(node.span.end, |&index| {
                let line = self.line(index);
                line::end_of_content(self.text, line.content..line.end)
            });
            let span = node.span.start..last;
            if content.iter().all(|&index| self.key(index).is_none())
                && self.report_tab(span.clone())
            {
                return self.raw(span);
            }
            self.report(span.clone(), ErrorKind::NeedsQuotes, messages::COLON_SPACE);
            return self.raw(span);
        }
        let message = match (self.is_dash(first), self.key(first).is_some()) {
            (true, _) => messages::STRAY_ITEM,
            (false, true) => messages::OVER_INDENTED,
            (false, false) => {
                "this line is not part of a value; remove it, or put the whole value in quotes"
            }
        };
        self.report_line(first, ErrorKind::Indentation, message);
        if self.key(first).is_some() {
            *adopted = self.block(below);
        }
        node
    }

    /// Reads a value as plain text, with the prose that continues it.
    pub(super) fn needs_quotes(
        &mut self,
        start: usize,
        end: usize,
        below: Span,
        message: &str,
        adopted: &mut Option<Node>,
    ) -> Node {
        let content: Vec<usize> = self.content(below.clone()).collect();
        let prose = content.iter().all(|&index| self.key(index).is_none() && !self.is_dash(index));
        let mut end = end;
        if prose && let Some(&last) = content.last() {
            let line = self.line(last);
            end = line::end_of_content(self.text, line.content..line.end);
        } else if !prose {
            *adopted = self.block(below);
        }
        let stop = line::end_of_line(self.text, end);
        self.collect_comment_after(end, stop);
        self.report(start..end, ErrorKind::NeedsQuotes, message);
        self.raw(start..end)
    }

    fn block_scalar(
        &mut self,
        start: usize,
        end: usize,
        lines: Span,
        adopted: &mut Option<Node>,
    ) -> Node {
        let below = lines.start + 1..lines.end;
        let head = self.line(lines.start);
        let header = line::end_of_word(self.text, start).min(end);
        let valid = self.text.get(start + 1..header).is_some_and(|text| {
            text.len() <= 2 && text.bytes().all(|byte| b"+-123456789".contains(&byte))
        });
        if self.content(below.clone()).next().is_none() {
            self.collect_comment_after(end, head.end);
            self.report(start..end, ErrorKind::NeedsQuotes, messages::NEEDS_QUOTES);
            return self.raw(start..end);
        }
        let style = if self.text.as_bytes().get(start) == Some(&b'|') {
            Style::Literal
        } else {
            Style::Folded
        };
        let stop = self
            .content(below.clone())
            .last()
            .map_or(end, |index| line::trim_end(self.text, start..self.line(index).end));
        if header < end || !valid {
            let junk = if valid { line::skip_blanks(self.text, header..end) } else { start };
            let message = messages::explain(&granit_parser::ErrorKind::InvalidBlockScalarHeader).1;
            self.report(junk..end, ErrorKind::Syntax, message);
        } else if let Some(refusal) = self.read(lines.clone()).refusal {
            // The lines before the wrong one are text, as intended.
            let wrong = self
                .lines
                .partition_point(|line| line.end < refusal.at)
                .clamp(lines.start, lines.end);
            let before = self.read(lines.start..wrong);
            if before.refusal.is_none()
                && let Some(node) = only_value(before.root).filter(|node| node.span.start == start)
                && self.content(wrong..lines.end).next() == Some(wrong)
            {
                self.comments.extend(before.comments);
                self.report_line(wrong, ErrorKind::Indentation, messages::UNALIGNED);
                if self.key(wrong).is_some() {
                    *adopted = self.block(wrong..lines.end);
                }
                return node;
            }
            let at = build::Refusal {
                at: refusal.at.max(header),
                kind: messages::in_block_scalar(refusal.kind),
            };
            self.refusal(&at, start..stop);
        }
        let from = self.line(below.start).start;
        let text = self
            .text
            .get(from..stop)
            .unwrap_or_default()
            .lines()
            .map(str::trim)
            .collect::<Vec<_>>()
            .join("\n");
        Node { kind: Kind::Scalar(Scalar { text: text + "\n", style }), ..absent_over(start..stop) }
    }

    /// A value that granit refuses for another reason.
    fn refused(&mut self, start: usize, end: usize, lines: Span) -> Node {
        let line = self.line(lines.start);
        let piece = self.read(lines.start..lines.start + 1);
        if let Some(refusal) = piece.refusal {
            self.refusal(&refusal, start..line.end);
        }
        self.collect_comment_after(end, line.end);
        only_value(piece.root)
            .filter(|node| node.span.start >= start && !node.is_absent())
            .unwrap_or_else(|| self.raw(start..end))
    }

    /// Reports the tabs of the first line in `span` that is indented with tabs.
    fn report_tab(&mut self, span: Span) -> bool {
        let start = line::start_of_line(self.text, span.start);
        for line in line::lines(self.text, start..span.end) {
            let lead = self.text.get(line.start..line.content).unwrap_or_default();
            if let (Some(first), Some(last)) = (lead.find('\t'), lead.rfind('\t')) {
                self.report(
                    line.start + first..line.start + last + 1,
                    ErrorKind::Tab,
                    messages::TAB,
                );
                return true;
            }
        }
        false
    }

    /// Reports an error on its word.
    pub(super) fn refusal(&mut self, refusal: &build::Refusal, within: Span) {
        let (kind, message) = messages::explain(&refusal.kind);
        let end = line::trim_end(self.text, within.clone());
        let tabs = line::start_of_line(self.text, refusal.at).max(within.start)..within.end;
        if kind == ErrorKind::Tab && self.report_tab(tabs) {
            return;
        }
        let mut at = line::skip_space(self.text, refusal.at.clamp(within.start, end));
        if at >= end {
            at = self.text.floor_char_boundary(end.saturating_sub(1)).max(within.start);
        }
        if self.text.as_bytes().get(at) == Some(&b':') {
            let word = self.text.get(within.start..at).unwrap_or_default();
            at = word
                .rfind([' ', '\t', '\n', '\r', ',', '[', '{'])
                .map_or(within.start, |blank| within.start + blank + 1);
        }
        let stop = if kind == ErrorKind::Limit {
            at + 1
        } else {
            line::end_of_word(self.text, at).min(end)
        };
        let word = self.text.get(at..stop).unwrap_or_default();
        let trimmed = word.trim_end_matches([',', ']', '}']);
        let stop = if trimmed.is_empty() { stop } else { at + trimmed.len() };
        self.report(at..stop, kind, message);
    }

    /// The source as a plain scalar.
    pub(super) fn raw(&self, span: Span) -> Node {
        plain(span.clone(), line::fold(self.text.get(span).unwrap_or_default()))
    }
}

/// A node with this span; the caller sets its kind.
pub(super) fn absent_over(span: Span) -> Node {
    plain(span, String::new())
}

/// The value of the only entry, or the node itself: a head line read alone.
fn only_value(root: Option<Node>) -> Option<Node> {
    let node = root?;
    match node.kind {
        Kind::Mapping(mut mapping) if !mapping.flow => {
            mapping.entries.pop().map(|entry| entry.value)
        }
        Kind::Sequence(mut sequence) if !sequence.flow => sequence.items.pop(),
        kind => Some(Node { kind, ..node }),
    }
}
