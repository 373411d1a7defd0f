//! Findings: what the rules say, as the settings and the author's own comments leave it.

use crate::document::Document;
use crate::format::Context;
use crate::markdown::BlockKind;
use crate::rule::{Diagnostic, Report};
use crate::source::Source;
use crate::text::Span;

/// Every finding of a document that is to be shown, in the order of the text.
pub fn diagnostics(document: &Document, cx: &Context) -> Vec<Diagnostic> {
    let mut report = Report::default();
    document.model().check(cx, &mut report);
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

/// What a comment switches off: `agentmd-disable-file`, `agentmd-disable-line` and `agentmd-disable-next-line`, followed
/// by codes or groups, or by nothing for all.
fn suppress(source: &Source, found: &mut Vec<Diagnostic>) {
    if found.is_empty() {
        return;
    }
    for placed in source.sections().filter(|placed| !placed.section.directives.is_empty()) {
        let in_code = |span: &Span| {
            let read = source.blocks(placed);
            let blocks = read.blocks.iter().filter(|block| matches!(block.kind, BlockKind::Code { .. })).map(|block| &block.span);
            blocks.chain(&read.quoted).any(|code| code.start <= span.start && span.end <= code.end)
        };
        for directive in placed.section.directives.iter().filter(|directive| !in_code(&directive.span)) {
            let mut words = directive.text.split([' ', '\t', ',']).filter(|word| !word.is_empty());
            let scope = words.next();
            let codes: Vec<&str> = words.take_while(|word| *word != "--").collect();
            let line = source.line_span(placed.start + directive.span.start);
            let lines = match scope {
                Some("disable-file") => 0..source.len(),
                Some("disable-line") => line,
                Some("disable-next-line") => source.line_span(next_line(source, line.end)),
                _ => continue,
            };
            found.retain(|diagnostic| {
                let here = lines.start <= diagnostic.span.start && diagnostic.span.start <= lines.end;
                let named = codes.is_empty() || codes.iter().any(|code| *code == diagnostic.rule.code || *code == diagnostic.rule.group());
                !(here && named)
            });
        }
    }
}

/// The start of the line behind the one that ends at `end`.
fn next_line(source: &Source, end: usize) -> usize {
    let pair = source.slice(end..(end + 2).min(source.len())) == "\r\n";
    (end + 1 + usize::from(pair)).min(source.len())
}
