//! What a program would read from a pack, as JSON: the shape is a contract.

use serde_json::{Value, json};

use super::layout::Layout;
use super::{Packs, rules, write};
use crate::format::Context;
use crate::rule::{Report, Severity};

/// The items of a document. Mistakes in their frame are errors; the current files are not compared.
pub fn parse(cx: &Context) -> Value {
    let packs = Packs::new(super::read::read(cx.source));
    let layout: &Layout = &packs.layout;
    let items = layout.items.iter().map(|item| {
        let entry = write::entry(cx.source, item);
        json!({
            "type": entry.kind,
            "filename": entry.filename,
            "start_line": item.header.range.as_ref().map(|range| range.start),
            "end_line": item.header.range.as_ref().map(|range| range.end),
            "content": entry.content,
        })
    });
    let request =
        layout.request.as_ref().map(|span| cx.source.slice(span.clone()).trim().to_owned());
    json!({ "format": "context", "items": items.collect::<Vec<_>>(), "request": request, "errors": errors(&packs, cx) })
}

fn errors(packs: &Packs, cx: &Context) -> Vec<Value> {
    let mut report = Report::default();
    rules::check_frame(packs, cx, &mut report);
    report.diagnostics.retain(|finding| finding.severity >= Severity::Warning);
    report.diagnostics.sort_by_key(|finding| (finding.span.start, finding.span.end));
    let found = report.diagnostics.iter();
    found
        .map(|finding| {
            crate::format::parse::error(
                finding.rule.code,
                &finding.message,
                cx.source,
                &finding.span,
            )
        })
        .collect()
}
