//! Findings: what the rules say, as the settings and the author's own comments leave it.

use crate::document::Document;
use crate::format::{Context, selectors};
use crate::ide::opaque;
use crate::rule::suppression::suppress;
use crate::rule::{Diagnostic, Report};

/// Every finding of a document that is to be shown, in the order of the text.
pub fn diagnostics(document: &Document, cx: &Context) -> Vec<Diagnostic> {
    let mut report = Report::default();
    document.model().check(cx, &mut report);
    selectors::check::check(cx, &|span| opaque::touches(document, span), &mut report);
    let mut found = report.diagnostics;
    found.retain_mut(|diagnostic| match cx.config.severity(diagnostic.rule, cx.path) {
        Some(severity) => {
            if severity != diagnostic.rule.severity {
                diagnostic.severity = severity;
            }
            true
        }
        None => false,
    });
    suppress(cx.source, &mut found);
    found.sort_by(|a, b| (a.span.start, a.span.end, a.rule.code, &a.message).cmp(&(b.span.start, b.span.end, b.rule.code, &b.message)));
    found.dedup_by(|a, b| a.span == b.span && a.rule == b.rule && a.message == b.message);
    found
}
