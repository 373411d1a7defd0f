//! Highlights of a body: the words of its actions.

use crate::answer::Highlight;
use crate::format::Context;
use crate::format::markdownlang::Program;
use crate::template::part::{Part, PartKind};
use crate::text::Span;

/// The highlights of the actions that touch `span`, in order and disjoint.
pub fn highlights(program: &Program, cx: &Context, span: &Span) -> Vec<Highlight> {
    let mut painter = Painter { cx, found: Vec::new() };
    for piece in program.pieces(span) {
        if (cx.cancelled)() {
            break;
        }
        let local = span.start.saturating_sub(piece.start)..span.end.saturating_sub(piece.start);
        let mut inside = None;
        for Part { span, kind } in piece.template.parts(&local) {
            let span = piece.absolute(&span);
            if let Some(gap) = inside.filter(|start| *start < span.start) {
                painter.operators(gap..span.start);
            }
            let closes =
                kind == PartKind::Delimiter && !cx.source.slice(span.clone()).starts_with("{{");
            inside = (!closes).then_some(span.end);
            painter.part(&span, &kind);
        }
    }
    let mut end = 0;
    painter.found.retain(|highlight| {
        let free = highlight.span.start >= end && !highlight.span.is_empty();
        end = if free { highlight.span.end } else { end };
        free && highlight.span.start < span.end && span.start < highlight.span.end
    });
    painter.found
}

struct Painter<'a> {
    cx: &'a Context<'a>,
    found: Vec<Highlight>,
}

impl Painter<'_> {
    fn part(&mut self, span: &Span, kind: &PartKind) {
        let style = match kind {
            PartKind::Delimiter => "macro",
            PartKind::Comment => "comment",
            PartKind::Keyword | PartKind::Constant => "keyword",
            PartKind::Variable(..) | PartKind::Dot => "variable",
            PartKind::Field(_) => "property",
            PartKind::Function(_) => "function",
            PartKind::String(_) | PartKind::Template(..) => "string",
            PartKind::Number => "number",
        };
        // A field is highlighted with its dot, which is in the gap before it.
        let dot = matches!(kind, PartKind::Field(_))
            && span.start > 0
            && self.cx.source.text().get_byte(span.start - 1) == Some(b'.');
        // A trim mark has a space next to it.
        let blank = matches!(kind, PartKind::Delimiter | PartKind::Comment)
            .then(|| self.cx.source.slice(span.clone()));
        let (before, behind) = blank.map_or((0, 0), |text| {
            (text.len() - text.trim_start().len(), text.len() - text.trim_end().len())
        });
        let (start, end) =
            (span.start + before - usize::from(dot), span.end.saturating_sub(behind));
        if start < end {
            self.found.push(Highlight { span: start..end, kind: style });
        }
    }

    /// The text between the parts of one action: pipes, parentheses, commas.
    fn operators(&mut self, gap: Span) {
        let text = self.cx.source.slice(gap.clone());
        let mut run: Option<Span> = None;
        for (at, character) in text.char_indices() {
            let place = gap.start + at..gap.start + at + character.len_utf8();
            run = match (run, matches!(character, '|' | '(' | ')' | ',' | ':' | '=')) {
                (Some(run), true) => Some(run.start..place.end),
                (None, true) => Some(place),
                (done, false) => {
                    self.found.extend(done.map(|span| Highlight { span, kind: "operator" }));
                    None
                }
            };
        }
        self.found.extend(run.map(|span| Highlight { span, kind: "operator" }));
    }
}
