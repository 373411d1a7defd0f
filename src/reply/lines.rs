//! The lines of a reply, with their spans.

use crate::text::Span;

#[derive(Debug, Clone)]
pub(super) struct Line<'t> {
    /// With its break.
    pub span: Span,
    /// Without its break.
    pub text: &'t str,
}

impl Line<'_> {
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Whether the line takes the place of a construct: it has characters that its text lacks.
    pub fn is_construct(&self) -> bool {
        self.text.is_empty() && self.span.len() > "\r\n".len()
    }

    /// Where its break begins.
    pub fn end(&self) -> usize {
        self.span.start + self.text.len()
    }
}

/// The lines after a byte order mark.
pub(super) fn lines(text: &str) -> Vec<Line<'_>> {
    let text_after = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut at = text.len() - text_after.len();
    let line = |line| {
        let start = at;
        at += str::len(line);
        Line { span: start..at, text: line.trim_end_matches(['\n', '\r']) }
    };
    text_after.split_inclusive('\n').map(line).collect()
}

/// The index of the line that contains a byte.
pub(super) fn line_at(lines: &[Line], offset: usize) -> usize {
    lines.partition_point(|line| line.span.end <= offset)
}
