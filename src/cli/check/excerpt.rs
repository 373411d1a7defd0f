//! The lines around a finding, small enough to print: long lines are truncated.

use crate::source::Source;
use crate::text::{Encoding, Position, Span, is_unprintable};

/// Longer lines are truncated to the parts around the marked spans.
const LONGEST_LINE: usize = 600;
/// How much of a truncated line to keep before the first span and after the last one.
const MARGIN: (usize, usize) = (80, 200);

/// Whole lines of a document, as a separate text.
pub struct Excerpt {
    pub text: String,
    /// The number of its first line, from 1.
    pub line: usize,
    /// A line was truncated: columns of the text differ from those of the document.
    pub cut: bool,
    /// The parts kept: the start in the document, the start in `text`, and the length.
    pieces: Vec<(usize, usize, usize)>,
}

impl Excerpt {
    /// The lines from the first of `spans` to the last.
    pub fn of(source: &Source, spans: &[Span]) -> Self {
        let spans: Vec<Span> = spans.iter().map(|span| shown(source, span)).collect();
        Self::exactly(source, &spans)
    }

    /// Like [`Excerpt::of`]; the line after a line break at the end of a span belongs to it.
    pub fn exactly(source: &Source, spans: &[Span]) -> Self {
        let start = spans.iter().map(|span| span.start).min().unwrap_or_default();
        let end = spans.iter().map(|span| span.end).max().unwrap_or_default();
        let lines =
            source.position(start, Encoding::Utf8).line..=source.position(end, Encoding::Utf8).line;
        let mut excerpt = Self {
            text: String::new(),
            line: *lines.start() as usize + 1,
            cut: false,
            pieces: Vec::new(),
        };
        for line in lines {
            let start = source.offset(Position { line, column: 0 }, Encoding::Utf8);
            excerpt.push(source, &(start..source.line_end(line as usize)), spans);
        }
        excerpt
    }

    fn push(&mut self, source: &Source, line: &Span, spans: &[Span]) {
        let mut kept = line.clone();
        if line.len() > LONGEST_LINE {
            let marks = || {
                spans
                    .iter()
                    .flat_map(|span| [span.start, span.end])
                    .filter(|mark| line.contains(mark))
            };
            let first = marks().min().unwrap_or(line.start);
            let last = marks().max().unwrap_or(line.start).min(first + LONGEST_LINE);
            kept.start = if first - line.start <= MARGIN.0 {
                line.start
            } else {
                floor(source, first - MARGIN.0)
            };
            kept.end = floor(source, (last + MARGIN.1).min(line.end));
        }
        self.cut |= kept != *line;
        if kept.start > line.start {
            self.text.push('…');
        }
        let text = source.slice(kept.clone());
        let mut from = 0;
        for (at, char) in text.char_indices().filter(|(_, char)| is_hidden(*char)) {
            self.piece(kept.start + from, text.get(from..at).unwrap_or_default(), at - from);
            self.piece(kept.start + at, "\u{fffd}", char.len_utf8());
            from = at + char.len_utf8();
        }
        let rest = text.get(from..).unwrap_or_default();
        self.piece(kept.start + from, rest, rest.len());
        if kept.end < line.end {
            self.text.push('…');
        }
        self.text.push('\n');
    }

    /// Adds the text for a part of the document.
    fn piece(&mut self, start: usize, text: &str, length: usize) {
        self.pieces.push((start, self.text.len(), length));
        self.text.push_str(text);
    }

    /// A span of the document in the text, without its final line break.
    pub fn place(&self, source: &Source, span: &Span) -> Span {
        self.place_exactly(&shown(source, span))
    }

    /// A span of the document in the text.
    pub fn place_exactly(&self, span: &Span) -> Span {
        let (start, end) = (self.offset(span.start), self.offset(span.end));
        start..end.max(start)
    }

    fn offset(&self, offset: usize) -> usize {
        let index = self.pieces.partition_point(|(start, ..)| *start <= offset).saturating_sub(1);
        let Some((start, new, length)) = self.pieces.get(index) else { return 0 };
        new + offset.saturating_sub(*start).min(*length)
    }
}

/// Whether a character must not be printed, and the renderer would: it replaces ASCII controls and
/// the usual marks that reorder text.
fn is_hidden(char: char) -> bool {
    is_unprintable(char)
        && !char.is_ascii()
        && !matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with these characters replaced.
pub fn visible(text: &str) -> String {
    text.replace(is_hidden, "\u{fffd}")
}

/// A span as displayed: without its final line break.
fn shown(source: &Source, span: &Span) -> Span {
    let mut end = span.end.min(source.len());
    while end > span.start && matches!(source.text().get_byte(end - 1), Some(b'\n' | b'\r')) {
        end -= 1;
    }
    span.start.min(end)..end
}

fn floor(source: &Source, offset: usize) -> usize {
    crate::text::floor(source.text(), offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, span: Span, line: usize, excerpt: &str, marked: &str) {
        let source = Source::new(text);
        let found = Excerpt::of(&source, std::slice::from_ref(&span));
        assert_eq!((found.line, found.text.as_str()), (line, excerpt));
        assert_eq!(&found.text[found.place(&source, &span)], marked);
    }

    #[test]
    fn an_excerpt_is_the_lines_of_its_spans() {
        check("one\ntwo\nthree", 4..7, 2, "two\n", "two");
        check("one\r\ntwo\rthree\r\n", 5..13, 2, "two\nthree\n", "two\nthre");
        check("one\ntwo\n", 4..8, 2, "two\n", "two");
        check("one\n", 4..4, 2, "\n", "");
        check("one\n\ntwo", 4..5, 2, "\n", "");
        check("", 0..0, 1, "\n", "");
    }

    #[test]
    fn characters_that_the_renderer_would_print_are_replaced() {
        check("日\u{9b}31m🦆\u{2028}b\n", 8..12, 1, "日\u{fffd}31m🦆\u{fffd}b\n", "🦆");
        check("a\u{9b}b\n", 1..3, 1, "a\u{fffd}b\n", "\u{fffd}");
        check("a\u{85}b\n", 3..4, 1, "a\u{fffd}b\n", "b");
        assert_eq!(visible("a\u{9b}\u{200e}b\u{1b}"), "a\u{fffd}\u{fffd}b\u{1b}");
    }

    #[test]
    fn a_long_line_is_truncated_around_the_span() {
        let text = format!("{}é🦆x{}\nnext", "日".repeat(1000), "本".repeat(100_000));
        let source = Source::new(&text);
        let found = Excerpt::of(&source, std::slice::from_ref(&(3000..3006)));
        assert_eq!(&found.text[found.place(&source, &(3000..3006))], "é🦆");
        assert!(
            found.text.len() < 400
                && found.text.starts_with("…日")
                && found.text.ends_with("本…\n"),
            "{}",
            found.text
        );
        let all = Excerpt::of(&source, std::slice::from_ref(&(0..source.len())));
        assert!(all.text.len() < 1000 && all.text.ends_with("…\nnext\n"), "{}", all.text);
    }
}
