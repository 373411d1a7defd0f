//! Semantic tokens: what the queries find in the body, and what the format knows of the rest.

use crate::answer::Highlight;
use crate::document::Document;
use crate::format::Context;
use crate::text::Span;

/// The highlights that touch `range`, in order, on one line each, none over another.
pub fn highlights(document: &Document, cx: &Context, range: Span) -> Vec<Highlight> {
    let own = document.model().highlights(cx);
    let mut found: Vec<Highlight> = own.iter().filter(|highlight| touches(&highlight.span, &range)).cloned().collect();
    for placed in cx.source.sections().filter(|placed| touches(&placed.span(), &range)) {
        if (cx.cancelled)() {
            break;
        }
        for highlight in cx.source.highlights(placed) {
            let span = placed.start + highlight.span.start..placed.start + highlight.span.end;
            let next = own.partition_point(|other| other.span.end <= span.start);
            let covered = own.get(next).is_some_and(|other| other.span.start < span.end);
            if touches(&span, &range) && !covered {
                found.push(Highlight { span, kind: highlight.kind });
            }
        }
    }
    found.sort_by_key(|highlight| highlight.span.start);
    found.into_iter().flat_map(|highlight| lines(cx, highlight)).collect()
}

fn touches(a: &Span, b: &Span) -> bool {
    a.start < b.end && b.start < a.end
}

/// One highlight per line: most editors know no longer ones.
fn lines(cx: &Context, highlight: Highlight) -> Vec<Highlight> {
    let first = cx.source.line_span(highlight.span.start);
    if highlight.span.end <= first.end {
        return vec![highlight];
    }
    let text = cx.source.slice(highlight.span.clone());
    let mut found = Vec::new();
    let mut start = highlight.span.start;
    for line in text.split_inclusive(['\n', '\r']) {
        let kept = line.trim_end_matches(['\n', '\r']);
        if !kept.trim().is_empty() {
            found.push(Highlight { span: start..start + kept.len(), kind: highlight.kind });
        }
        start += line.len();
    }
    found
}
