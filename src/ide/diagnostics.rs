//! Findings: the results of the rules, filtered by the settings and by suppression comments.

use crate::document::Document;
use crate::format::{Context, selectors};
use crate::ide::opaque;
use crate::rule::suppression::suppress;
use crate::rule::{Diagnostic, Report};
use crate::text::Span;

/// Every visible finding of a document, in source order.
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
    found.sort_by(|a, b| {
        (a.span.start, a.span.end, a.rule.code, &a.message).cmp(&(
            b.span.start,
            b.span.end,
            b.rule.code,
            &b.message,
        ))
    });
    found.dedup_by(|a, b| a.span == b.span && a.rule == b.rule && a.message == b.message);
    found
}

/// The number of findings over the limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rest {
    /// The span of the first one.
    pub span: Span,
    pub count: usize,
}

/// Keeps the `most` most severe findings, earlier ones first, and returns what was dropped.
pub fn limit(found: &mut Vec<Diagnostic>, most: usize) -> Option<Rest> {
    let count = found.len().checked_sub(most).filter(|count| *count > 0)?;
    let mut by_severity = [0; 4];
    found.iter().for_each(|diagnostic| by_severity[diagnostic.severity as usize] += 1);
    let mut room = most;
    for number in by_severity.iter_mut().rev() {
        *number = room.min(*number);
        room -= *number;
    }
    let mut first = None;
    found.retain(|diagnostic| {
        let left = &mut by_severity[diagnostic.severity as usize];
        let kept = *left > 0;
        *left = left.saturating_sub(1);
        if !kept && first.is_none() {
            first = Some(diagnostic.span.clone());
        }
        kept
    });
    Some(Rest { span: first?, count })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::Severity;

    crate::declare_rule! {
        /// A rule for this test.
        static RULE = "plain/test", Warning, "Test";
    }

    fn found(severities: &[Severity]) -> Vec<Diagnostic> {
        let mut report = Report::default();
        for (at, severity) in severities.iter().enumerate() {
            report.add(&RULE, at..at + 1, "").severity = *severity;
        }
        report.diagnostics
    }

    #[test]
    fn the_most_severe_and_earliest_findings_are_kept() {
        use Severity::{Error, Hint, Warning};
        let all = [Hint, Warning, Error, Warning, Hint, Error, Warning];
        let left = |most: usize| {
            let mut found = found(&all);
            let rest = limit(&mut found, most);
            (found.iter().map(|diagnostic| diagnostic.span.start).collect::<Vec<_>>(), rest)
        };
        assert_eq!(left(3), (vec![1, 2, 5], Some(Rest { span: 0..1, count: 4 })));
        assert_eq!(left(1), (vec![2], Some(Rest { span: 0..1, count: 6 })));
        assert_eq!(left(6), ((0..=3).chain(5..=6).collect(), Some(Rest { span: 4..5, count: 1 })));
        assert_eq!(left(7), ((0..7).collect(), None));
    }
}
