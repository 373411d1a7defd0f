//! Highlights of markers and of values with a fixed meaning.

use std::borrow::Cow;

use super::Response;
use super::mark::{Mark, MarkKind};
use super::vocabulary::{ParameterKind, action_type, parameter};
use crate::answer::Highlight;
use crate::format::Context;
use crate::text::Span;

/// The highlights that touch `span`, in order.
pub(super) fn highlights(response: &Response, cx: &Context, span: &Span) -> Vec<Highlight> {
    let layout = response.layout();
    let mut found = Vec::new();
    let first = layout.marks.partition_point(|mark| mark.line.end < span.start);
    for (mark, inside) in layout.marks.iter().zip(&layout.inside).skip(first) {
        if mark.line.start > span.end || (cx.cancelled)() {
            break;
        }
        if inside.is_none() {
            marker(mark, cx, &mut found);
        }
    }
    found
}

fn marker(mark: &Mark, cx: &Context, found: &mut Vec<Highlight>) {
    let mut push = |span: Span, kind: &'static str| {
        if span.start < span.end {
            found.push(Highlight { span, kind });
        }
    };
    let line = cx.source.slice(mark.line.clone());
    let slice = |span: &Span| {
        let inside =
            span.start.checked_sub(mark.line.start).zip(span.end.checked_sub(mark.line.start));
        match inside.and_then(|(start, end)| line.get(start..end)) {
            Some(text) => Cow::Borrowed(text),
            None => cx.source.slice(span.clone()),
        }
    };
    match &mark.kind {
        MarkKind::Section(_) | MarkKind::UnknownSection => push(mark.span.clone(), "class"),
        MarkKind::Vital(_) | MarkKind::ExtraVital => {
            push(mark.span.clone(), "keyword");
            let value = slice(&mark.value);
            let digits = value.len()
                - value
                    .trim_start_matches(|character: char| {
                        character.is_ascii_digit() || matches!(character, '.' | '-' | '+')
                    })
                    .len();
            push(mark.value.start..mark.value.start + digits, "number");
        }
        MarkKind::Action { digits, key, is_type, .. } => {
            push(mark.span.start..digits.start, "keyword");
            push(digits.clone(), "number");
            push(digits.end..key.start, "keyword");
            push(key.clone(), "property");
            push(key.end..mark.span.end, "keyword");
            if let Some(kind) = value_kind(&slice(key), *is_type, &slice(&mark.value)) {
                push(mark.value.clone(), kind);
            }
        }
        MarkKind::ContentStart { digits, .. } | MarkKind::ContentEnd { digits, .. } => {
            push(mark.span.start..digits.start, "keyword");
            push(digits.clone(), "number");
            push(digits.end..mark.span.end, "keyword");
        }
        MarkKind::Malformed | MarkKind::LookAlike | MarkKind::Inline => {}
    }
}

/// How a parameter's value is highlighted.
fn value_kind(key: &str, is_type: bool, value: &str) -> Option<&'static str> {
    if is_type {
        return action_type(value).map(|_| "function");
    }
    match parameter(&key.to_ascii_uppercase())?.kind {
        ParameterKind::Path => Some("string"),
        ParameterKind::Number | ParameterKind::Integer => {
            value.parse::<f64>().is_ok().then_some("number")
        }
        ParameterKind::Text => None,
    }
}
