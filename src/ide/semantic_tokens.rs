//! Semantic tokens: the queries' highlights in the body, and the format's own.

use crate::answer::Highlight;
use crate::document::Document;
use crate::format::Context;
use crate::text::Span;

/// The most highlights of an answer, the first of the range. Editors request the visible lines
/// separately, and few megabytes have as many.
const MOST: usize = 50_000;

/// The highlights that touch `range`, in order, on one line each, without overlap.
pub fn highlights(document: &Document, cx: &Context, range: Span) -> Vec<Highlight> {
    // The format's highlights on the same lines can cut those in the range.
    let lines = cx.source.line_span(range.start).start..cx.source.line_span(range.end).end;
    let own = document.model().highlights(cx, lines);
    let mut found: Vec<Highlight> =
        own.iter().filter(|highlight| touches(&highlight.span, &range)).cloned().collect();
    let own = covers(&own, document.model().opaque());
    for placed in cx.source.sections().filter(|placed| touches(&placed.span(), &range)) {
        if (cx.cancelled)() || found.len() >= MOST {
            break;
        }
        for highlight in cx.source.highlights(placed) {
            let span = placed.start + highlight.span.start..placed.start + highlight.span.end;
            if touches(&span, &range) {
                around(cx, &span, highlight.kind, &own, &mut found);
            }
        }
    }
    found.sort_by_key(|highlight| highlight.span.start);
    found
        .into_iter()
        .flat_map(|highlight| split(cx, highlight))
        .filter(|highlight| touches(&highlight.span, &range))
        .take(MOST)
        .collect()
}

/// Spans where Markdown's highlights give way to the format: its own highlights, and text that
/// isn't Markdown.
fn covers(own: &[Highlight], opaque: &[Span]) -> Vec<Span> {
    let mut found: Vec<Span> =
        own.iter().map(|highlight| highlight.span.clone()).chain(opaque.iter().cloned()).collect();
    found.sort_by_key(|span| span.start);
    found
}

/// Adds the parts of a highlight that `own` doesn't cover.
fn around(cx: &Context, span: &Span, kind: &'static str, own: &[Span], found: &mut Vec<Highlight>) {
    let first = own.partition_point(|other| other.end <= span.start);
    let mut start = span.start;
    let covering =
        own.get(first..).unwrap_or_default().iter().take_while(|other| other.start < span.end);
    let gaps = covering.cloned().chain(std::iter::once(span.end..span.end)).map(|next| {
        let gap = start..next.start;
        start = start.max(next.end);
        gap
    });
    for gap in gaps.filter(|gap| gap.start < gap.end) {
        if gap == *span || !cx.source.slice(gap.clone()).trim().is_empty() {
            found.push(Highlight { span: gap, kind });
        }
    }
}

fn touches(a: &Span, b: &Span) -> bool {
    a.start < b.end && b.start < a.end
}

/// One highlight per line: most editors don't support longer ones.
fn split(cx: &Context, highlight: Highlight) -> Vec<Highlight> {
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
