//! Highlights of a body: the words of its actions.

use crate::answer::Highlight;
use crate::format::Context;
use crate::format::markdownlang::Program;
use crate::format::markdownlang::body::{PlacedGroup, Unit};
use crate::template::node::Template;
use crate::template::part::{Part, PartKind};
use crate::text::Span;

/// The highlights of the actions that touch `span`, in order and disjoint.
pub fn highlights(program: &Program, cx: &Context, span: &Span) -> Vec<Highlight> {
    let mut found = Vec::new();
    let units = program.body.groups_in(span).iter().flat_map(PlacedGroup::units);
    let touches = |unit: &Unit| unit.start <= span.end && span.start <= unit.start + unit.length;
    for unit in units.filter(touches) {
        if (cx.cancelled)() {
            break;
        }
        let own = unit.memo.get(Painted, || {
            let text = cx.source.slice(unit.span());
            Painter { text: &text, found: Vec::new() }.paint(&unit.template)
        });
        let own = own
            .iter()
            .map(|own| Highlight { span: unit.absolute(&own.span), kind: own.kind })
            .filter(|own| own.span.start < span.end && span.start < own.span.end);
        found.extend(own);
    }
    found
}

/// The highlights of a unit, from its start. They depend on nothing else.
#[derive(PartialEq)]
struct Painted;

struct Painter<'a> {
    text: &'a str,
    found: Vec<Highlight>,
}

impl Painter<'_> {
    fn paint(mut self, template: &Template) -> Vec<Highlight> {
        let mut inside = None;
        for Part { span, kind } in template.parts(&(0..self.text.len())) {
            if let Some(gap) = inside.filter(|start| *start < span.start) {
                self.operators(gap..span.start);
            }
            let closes = kind == PartKind::Delimiter && !self.slice(&span).starts_with("{{");
            inside = (!closes).then_some(span.end);
            self.part(&span, &kind);
        }
        let mut end = 0;
        self.found.retain(|highlight| {
            let free = highlight.span.start >= end && !highlight.span.is_empty();
            end = if free { highlight.span.end } else { end };
            free
        });
        self.found
    }

    fn slice(&self, span: &Span) -> &str {
        self.text.get(span.clone()).unwrap_or_default()
    }

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
            && self.text.as_bytes().get(span.start - 1) == Some(&b'.');
        // A trim mark has a space next to it.
        let blank =
            matches!(kind, PartKind::Delimiter | PartKind::Comment).then(|| self.slice(span));
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
        let text = self.text.get(gap.clone()).unwrap_or_default();
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
