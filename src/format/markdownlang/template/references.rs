//! References: a property in the schema and in the body, a variable, a template.

use super::{keywords, templates, variables};
use crate::answer::Occurrence;
use crate::format::Context;
use crate::format::markdownlang::Program;
use crate::format::markdownlang::subject::{self, MentionKind};
use crate::template::binding::Mention;
use crate::template::part::{PartKind, Role};
use crate::text::Span;
use crate::yaml::Style;

/// Every reference to the thing at `offset`, in order.
pub fn references(program: &Program, cx: &Context, offset: usize) -> Vec<Occurrence> {
    let here = |span: Span, defines: bool| Occurrence { path: None, span, defines };
    if let Some((subject, _)) = subject::at(program, cx, offset) {
        let mentions = subject.mentions(program, cx).into_iter();
        let place = |mention: subject::Mention| {
            let declares = matches!(mention.kind, MentionKind::Scalar { declares: true, .. });
            here(bare(cx, &mention), declares)
        };
        return mentions.map(place).collect();
    }
    match program.part_at(offset).map(|found| found.kind) {
        Some(PartKind::Variable(..)) => {
            let defines = |mention: &Mention| mention.role == Role::Declared;
            variables::of(program, cx, offset)
                .into_iter()
                .map(|mention| here(mention.span.clone(), defines(&mention)))
                .collect()
        }
        Some(PartKind::Template(name, _)) => {
            let all = templates::mentions(program, cx, &name.value).into_iter();
            all.map(|(span, defines)| here(templates::inside(&span), defines)).collect()
        }
        _ => Vec::new(),
    }
}

/// The highlights for a cursor at `offset`: the same, with assignments as writes; or the keywords
/// of a block.
pub fn occurrences(program: &Program, cx: &Context, offset: usize) -> Vec<Occurrence> {
    if let Some(PartKind::Variable(..)) = program.part_at(offset).map(|found| found.kind) {
        let mentions = variables::of(program, cx, offset).into_iter();
        return mentions
            .map(|mention| Occurrence {
                path: None,
                span: mention.span,
                defines: mention.role != Role::Read,
            })
            .collect();
    }
    let found = references(program, cx, offset);
    if !found.is_empty() {
        return found;
    }
    keywords::family(program, offset)
        .into_iter()
        .map(|span| Occurrence { path: None, span, defines: false })
        .collect()
}

/// The span of a mention without its quotes.
pub fn bare(cx: &Context, mention: &subject::Mention) -> Span {
    let span = mention.span.clone();
    let (MentionKind::Scalar { style, .. } | MentionKind::Reference { style, .. }) = &mention.kind
    else {
        return span;
    };
    let quoted = matches!(style, Style::SingleQuoted | Style::DoubleQuoted) && span.len() >= 2;
    let inside = if quoted { span.start + 1..span.end - 1 } else { span };
    let MentionKind::Reference { text, target, depth, .. } = &mention.kind else { return inside };
    step(&cx.source.slice(inside.clone()), text, target, *depth)
        .map_or(inside.clone(), |step| inside.start + step.start..inside.start + step.end)
}

/// The span of one step in a reference, if it is written without escapes.
fn step(written: &str, text: &str, target: &str, depth: usize) -> Option<Span> {
    let fragment = written.split_once('#')?.1;
    if written != text || fragment.contains(['%', '~']) {
        return None;
    }
    let steps = fragment.matches('/').count();
    let index = depth.checked_sub(target.matches('/').count().checked_sub(steps)?)?;
    let mut start = written.len() - fragment.len();
    for (at, part) in fragment.split('/').enumerate() {
        if at == index + 1 {
            return Some(start..start + part.len());
        }
        start += part.len() + 1;
    }
    None
}
