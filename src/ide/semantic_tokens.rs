//! Semantic tokens: Markdown's highlights, and the format's own, which take precedence.

use crate::answer::Highlight;
use crate::document::Document;
use crate::format::Context;
use crate::source::{Line, Placed, Stretch};
use crate::text::Span;

/// The limit of highlights in an answer, the first ones of the range. Editors request the visible
/// lines separately, and even documents of several megabytes rarely have more.
pub const MOST: usize = 50_000;

/// The highlights that touch `range`, in order, on one line each, without overlap.
pub fn highlights(document: &Document, cx: &Context, range: Span) -> Vec<Highlight> {
    // The format's highlights on the same lines can cut those in the range.
    let lines = cx.source.line_span(range.start).start..cx.source.line_span(range.end).end;
    let own = Own::read(document, cx, lines);
    let mut found = merge(cx, cx.source.sections_in(&range), &own);
    found.retain(|highlight| touches(&highlight.span, &range));
    found.truncate(MOST);
    found
}

/// What the highlights of a part of a document depend on besides its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Own {
    /// The format's highlights, on one line each.
    highlights: Vec<Highlight>,
    /// Text that isn't Markdown.
    opaque: Vec<Span>,
}

impl Own {
    fn read(document: &Document, cx: &Context, span: Span) -> Self {
        let highlights = by_line(cx, document.model().highlights(cx, span.clone()));
        let opaque = document.model().opaque();
        let first = opaque.partition_point(|other| other.end <= span.start);
        let opaque = opaque.get(first..).unwrap_or_default();
        let opaque = opaque.iter().take_while(|other| other.start < span.end);
        Self { highlights, opaque: opaque.cloned().collect() }
    }

    fn shift(&mut self, by: impl Fn(&Span) -> Span) {
        for span in
            self.highlights.iter_mut().map(|highlight| &mut highlight.span).chain(&mut self.opaque)
        {
            *span = by(span);
        }
    }

    /// The spans that take precedence over Markdown's highlights.
    fn covers(&self) -> Vec<Span> {
        let mut found: Vec<Span> = self
            .highlights
            .iter()
            .map(|highlight| &highlight.span)
            .chain(&self.opaque)
            .cloned()
            .collect();
        found.sort_by_key(|span| span.start);
        // The format's highlights may be in text that isn't Markdown.
        found.dedup_by(|next, last| {
            let joined = next.start <= last.end;
            last.end = if joined { last.end.max(next.end) } else { last.end };
            joined
        });
        found
    }
}

/// The format's part in the highlights of each stretch, with offsets from its start. If that and
/// the text are unchanged, so are the highlights.
pub fn own_of_stretches(document: &Document, cx: &Context) -> Vec<Own> {
    let all = Own::read(document, cx, 0..cx.source.len());
    let mut highlights = all.highlights.into_iter().peekable();
    let mut opaque = all.opaque.as_slice();
    let own_of = |stretch: Stretch| {
        let span = stretch.span();
        let local = |other: Span| {
            other.start.max(span.start) - span.start..other.end.min(span.end) - span.start
        };
        let mut own = Own::default();
        while let Some(next) = highlights.next_if(|next| next.span.start < span.end) {
            own.highlights.push(Highlight { span: local(next.span), kind: next.kind });
        }
        let first = opaque.partition_point(|other| other.end <= span.start);
        opaque = opaque.get(first..).unwrap_or_default();
        let inside = opaque.iter().take_while(|other| other.start < span.end);
        own.opaque = inside.cloned().map(local).collect();
        own
    };
    cx.source.stretches().map(own_of).collect()
}

/// The highlights of a stretch, given the format's part in them.
pub fn of_stretch(cx: &Context, stretch: Stretch, mut own: Own) -> Vec<Highlight> {
    own.shift(|span| span.start + stretch.start..span.end + stretch.start);
    merge(cx, stretch.sections(), &own)
}

/// The highlights of sections, in order. The format's highlights may begin or end outside of them.
fn merge<'a>(
    cx: &Context,
    sections: impl Iterator<Item = Placed<'a>>,
    own: &Own,
) -> Vec<Highlight> {
    let covers = own.covers();
    let mut found = own.highlights.clone();
    let most = found.len() + MOST;
    for placed in sections {
        if (cx.cancelled)() || found.len() >= most {
            break;
        }
        for highlight in cx.source.highlights(placed) {
            around(cx, highlight, &covers, &mut found);
        }
    }
    found.sort_by_key(|highlight| highlight.span.start);
    found
}

/// Adds the parts of a highlight that `covers` doesn't overlap.
fn around(cx: &Context, highlight: Highlight, covers: &[Span], found: &mut Vec<Highlight>) {
    let Highlight { span, kind } = highlight;
    let first = covers.partition_point(|other| other.end <= span.start);
    let covering = covers.get(first..).unwrap_or_default();
    if covering.first().is_none_or(|other| other.start >= span.end) {
        found.push(Highlight { span, kind });
        return;
    }
    let mut start = span.start;
    let covering = covering.iter().take_while(|other| other.start < span.end);
    let gaps = covering.cloned().chain(std::iter::once(span.end..span.end)).map(|next| {
        let gap = start..next.start;
        start = start.max(next.end);
        gap
    });
    for gap in gaps.filter(|gap| gap.start < gap.end) {
        if !cx.source.slice(gap.clone()).trim().is_empty() {
            found.push(Highlight { span: gap, kind });
        }
    }
}

fn touches(a: &Span, b: &Span) -> bool {
    a.start < b.end && b.start < a.end
}

/// One highlight per line: most editors don't support longer ones.
fn by_line(cx: &Context, found: Vec<Highlight>) -> Vec<Highlight> {
    let mut all = Vec::with_capacity(found.len());
    let mut line: Option<Line> = None;
    for highlight in found {
        let mut start = highlight.span.start;
        let line = match &line {
            Some(known) if known.contains(start) => known,
            _ => line.insert(cx.source.line_at(start)),
        };
        if highlight.span.end < line.span().end {
            all.push(highlight);
            continue;
        }
        for line in cx.source.slice(highlight.span).split_inclusive(['\n', '\r']) {
            let kept = line.trim_end_matches(['\n', '\r']);
            if !kept.trim().is_empty() {
                all.push(Highlight { span: start..start + kept.len(), kind: highlight.kind });
            }
            start += line.len();
        }
    }
    all
}
