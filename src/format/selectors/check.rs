//! Finds mistakes in the selectors of a document.

use super::names::note;
use super::rules::{MOST_SEARCHES, malformed, unknown_document, unresolved};
use super::target::targets;
use crate::format::Context;
use crate::rule::Report;
use crate::selector::mention;
use crate::text::Span;

/// Reports every selector that doesn't resolve. `skipped` lists the spans that aren't Markdown.
pub fn check(cx: &Context, skipped: &dyn Fn(&Span) -> bool, report: &mut Report) {
    let mut searches = MOST_SEARCHES;
    let mut is_noted = false;
    for mention in mention::all(cx.source) {
        if (cx.cancelled)() {
            return;
        }
        if skipped(&mention.span) {
            continue;
        }
        let selector = match &mention.selector {
            Ok(selector) => selector,
            Err(problem) => {
                malformed::report(cx, &mention, problem, &mut searches, report);
                continue;
            }
        };
        if selector.namespace.is_none() && mention.files.is_empty() {
            // The document is unknown.
            continue;
        }
        if selector.namespace.is_some() && !std::mem::replace(&mut is_noted, true) {
            note(cx);
        }
        let targets = targets(cx, &mention);
        if !targets.sure {
            continue;
        }
        if targets.list.is_empty() {
            unknown_document::report(cx, &mention, selector, report);
        } else {
            unresolved::report(cx, &mention, selector, &targets.list, &mut searches, report);
        }
    }
}
