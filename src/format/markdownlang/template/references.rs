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
        let mut found = in_program(program, cx, &subject);
        for file in subject.elsewhere(program, cx) {
            let own = Context { source: &file.source, path: Some(&file.path), ..*cx };
            found.extend(file.mentions.iter().map(|mention| Occurrence {
                path: Some(file.path.clone()),
                span: bare(&own, mention),
                defines: false,
            }));
        }
        return found;
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

/// The references to a subject in the program itself.
fn in_program(program: &Program, cx: &Context, subject: &subject::Subject) -> Vec<Occurrence> {
    let mentions = subject.mentions(program, cx).into_iter();
    let place = |mention: subject::Mention| {
        let defines = matches!(mention.kind, MentionKind::Scalar { declares: true, .. });
        Occurrence { path: None, span: bare(cx, &mention), defines }
    };
    mentions.map(place).collect()
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
    if let Some((subject, _)) = subject::at(program, cx, offset) {
        return in_program(program, cx, &subject);
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
    let (MentionKind::Scalar { style, .. }
    | MentionKind::Reference { style, .. }
    | MentionKind::Pointer { style, .. }) = &mention.kind
    else {
        return span;
    };
    let quoted = matches!(style, Style::SingleQuoted | Style::DoubleQuoted) && span.len() >= 2;
    let inside = if quoted { span.start + 1..span.end - 1 } else { span };
    if let MentionKind::Pointer { text, depths, .. } = &mention.kind {
        return part(&cx.source.slice(inside.clone()), text, depths)
            .map_or(inside.clone(), |part| inside.start + part.start..inside.start + part.end);
    }
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

/// The span of the first of some steps in a JSON Pointer, if it is written without escapes.
fn part(written: &str, text: &str, depths: &[usize]) -> Option<Span> {
    if written != text || text.contains('~') {
        return None;
    }
    let mut start = 0;
    for (at, part) in text.split('/').enumerate() {
        if depths.first().is_some_and(|depth| at == depth + 1) {
            return Some(start..start + part.len());
        }
        start += part.len() + 1;
    }
    None
}
