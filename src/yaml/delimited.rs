//! Broken values in quotes or brackets: finds their ends, and reads the valid parts.

use super::build;
use super::line::{self, Bracket};
use super::messages;
use super::node::{ErrorKind, Kind, Node, Scalar, Span, Style};
use super::recover::Recovery;
use super::value::absent_over;

impl Recovery<'_> {
    pub(super) fn quoted(
        &mut self,
        start: usize,
        end: usize,
        last: usize,
        below: Span,
        adopted: &mut Option<Node>,
    ) -> Node {
        let quote =
            self.text.get(start..start + 1).and_then(|text| text.chars().next()).unwrap_or('"');
        let Some(close) = line::close_quote(self.text, start..last) else {
            self.report(start..end, ErrorKind::Unclosed, messages::unclosed(quote));
            *adopted = self.block(below);
            let style = if quote == '"' { Style::DoubleQuoted } else { Style::SingleQuoted };
            let text = self.text.get(start + 1..end).unwrap_or_default().to_string();
            return Node { kind: Kind::Scalar(Scalar { text, style }), ..absent_over(start..end) };
        };
        let line_end = line::end_of_line(self.text, close);
        let rest_end = line::end_of_content(self.text, close..line_end);
        let rest = line::skip_blanks(self.text, close..rest_end);
        if rest < rest_end {
            self.collect_comment_after(rest_end, line_end);
            let message = "unexpected text after the closing quote; use the other kind of quotes \
                around the whole value";
            self.report(start..rest_end, ErrorKind::NeedsQuotes, message);
            return self.raw(start..rest_end);
        }
        // The quotes are fine, so an escape inside them isn't.
        let piece = self.read_span(start..close);
        match piece.refusal {
            None => {
                let node = piece.root.unwrap_or_else(|| self.raw(start..close));
                self.below(node, below, adopted)
            }
            Some(refusal) => {
                let (kind, message) = messages::explain(&refusal.kind);
                let span = self.escape(start..close, refusal.at);
                self.report(span, kind, message);
                let style = if quote == '"' { Style::DoubleQuoted } else { Style::SingleQuoted };
                let text = line::fold(self.text.get(start + 1..close - 1).unwrap_or_default());
                Node { kind: Kind::Scalar(Scalar { text, style }), ..absent_over(start..close) }
            }
        }
    }

    /// The first invalid escape in double quotes, or else the position that granit reports.
    fn escape(&self, within: Span, at: usize) -> Span {
        let mut from = within.start + 1;
        while let Some(found) = self.text.get(from..within.end).and_then(|text| text.find('\\')) {
            let start = from + found;
            let Some(escaped) =
                self.text.get(start + 1..within.end).and_then(|text| text.chars().next())
            else {
                break;
            };
            let digits = match escaped {
                'x' => 2,
                'u' => 4,
                'U' => 8,
                _ => 0,
            };
            let end = start + 1 + escaped.len_utf8();
            let hex = self
                .text
                .as_bytes()
                .get(end..end + digits)
                .is_some_and(|text| text.iter().all(u8::is_ascii_hexdigit));
            if !"0abt\tnvfre \"/\\N_LPxuU\r\n".contains(escaped) || !hex {
                return start..end;
            }
            from = end;
        }
        let at = self.text.floor_char_boundary(at.clamp(within.start, within.end - 1));
        at..self.text.ceil_char_boundary(at + 1)
    }

    pub(super) fn bracketed(
        &mut self,
        start: usize,
        end: usize,
        last: usize,
        lines: Span,
        adopted: &mut Option<Node>,
    ) -> Node {
        let below = lines.start + 1..lines.end;
        let opening =
            self.text.get(start..start + 1).and_then(|text| text.chars().next()).unwrap_or('[');
        if self
            .text
            .get(start..end)
            .is_some_and(|text| text.starts_with("{{") && text.contains("}}"))
        {
            return self.needs_quotes(start, end, below, messages::TEMPLATE, adopted);
        }
        match line::close_bracket(self.text, start..last) {
            Bracket::Open { quote, closers } => {
                let at = quote.unwrap_or(start);
                let opening = self
                    .text
                    .get(at..at + 1)
                    .and_then(|text| text.chars().next())
                    .unwrap_or(opening);
                let line_end = line::end_of_line(self.text, at);
                let stop = line::end_of_content(self.text, at..line_end);
                self.report(at..stop, ErrorKind::Unclosed, messages::unclosed(opening));
                self.salvage(start..last, &closers)
            }
            Bracket::Mismatched { at, open, closers } => {
                let close =
                    self.text.get(at..at + 1).and_then(|text| text.chars().next()).unwrap_or(']');
                let (kind, message) =
                    messages::explain(&granit_parser::ErrorKind::MismatchedFlowCollectionEnd {
                        open,
                        close,
                    });
                self.report(at..at + 1, kind, message);
                self.salvage(start..at, &closers)
            }
            Bracket::Closed(close) => {
                let line_end = line::end_of_line(self.text, close);
                let rest_end = line::end_of_content(self.text, close..line_end);
                let rest = line::skip_blanks(self.text, close..rest_end);
                if rest >= rest_end {
                    let piece = self.read_span(start..close);
                    self.comments.extend(piece.comments.iter().cloned());
                    return match piece.refusal {
                        None => {
                            let node = piece.root.unwrap_or_else(|| self.raw(start..close));
                            let first_below = self.lines.partition_point(|line| line.start < close);
                            self.below(node, first_below.min(lines.end)..lines.end, adopted)
                        }
                        Some(refusal) => {
                            self.refusal(&refusal, start..close);
                            let read =
                                piece.root.filter(|node| !matches!(node.kind, Kind::Scalar(_)));
                            let mut node =
                                match (read, line::close_bracket(self.text, start..refusal.at)) {
                                    (Some(node), _) => node,
                                    (None, Bracket::Open { closers, .. }) => {
                                        self.salvage(start..refusal.at, &closers)
                                    }
                                    (None, _) => self.raw(start..close),
                                };
                            node.span = start..close;
                            node
                        }
                    };
                }
                self.collect_comment_after(rest_end, line_end);
                let written = self.text.get(rest..rest_end).unwrap_or_default();
                if let Some(bracket @ (']' | '}')) = written.chars().next() {
                    self.report(
                        rest..rest + 1,
                        ErrorKind::Syntax,
                        messages::extra_bracket(bracket),
                    );
                    return self.salvage(start..close, "");
                }
                let message = "unexpected text after the closing bracket; put the whole value in \
                    quotes";
                self.report(start..rest_end, ErrorKind::NeedsQuotes, message);
                self.raw(start..rest_end)
            }
        }
    }

    /// The readable part of a flow collection whose error was reported.
    fn salvage(&mut self, span: Span, closers: &str) -> Node {
        let end = line::trim_end(self.text, span.clone());
        let span = span.start..end;
        // A closing bracket directly after a comment would be part of it.
        let text = format!("{}\n{closers}", self.text.get(span.clone()).unwrap_or_default());
        let text = if closers.starts_with(['"', '\'']) {
            text.replacen(&format!("\n{closers}"), closers, 1)
        } else {
            text
        };
        let piece = build::build(&text, span.start);
        self.comments.extend(piece.comments);
        let mut root = piece.root.unwrap_or_else(|| self.raw(span.clone()));
        clamp(&mut root, span.end);
        root
    }
}

/// Moves spans out of closing brackets that aren't in the text.
fn clamp(node: &mut Node, end: usize) {
    let limit = |span: &mut Span| *span = span.start.min(end)..span.end.min(end);
    limit(&mut node.span);
    let properties = [node.tag.as_mut(), node.anchor.as_mut()];
    properties.into_iter().flatten().for_each(|(_, span)| limit(span));
    match &mut node.kind {
        Kind::Sequence(sequence) => sequence.items.iter_mut().for_each(|item| clamp(item, end)),
        Kind::Mapping(mapping) => {
            for entry in &mut mapping.entries {
                limit(&mut entry.span);
                clamp(&mut entry.key, end);
                clamp(&mut entry.value, end);
            }
        }
        _ => {}
    }
}
