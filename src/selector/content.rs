//! The displayed part of a node: its text, a page, or some lines (SEL-6 to SEL-9).

use super::grammar::Query;
use super::page::{first_page, pages, word_count};
use super::resolve::{Match, Pages, resolve_inside};
use super::tree::Tree;
use crate::text::Span;

/// A displayed part of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// Bytes of the document.
    pub span: Span,
    /// The node continues after this part.
    pub truncated: bool,
    /// The requested page.
    pub page: Option<usize>,
    pub pagination: Option<Pagination>,
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Pagination {
    pub current_page: usize,
    pub total_pages: usize,
    /// Of this page.
    pub word_count: usize,
    pub has_more: bool,
}

/// The displayed parts of a match, in order; `text` is that of its node. For `page` without an
/// index this is every page.
///
/// # Errors
/// If none of the pages exists: the number of pages.
pub fn contents(
    tree: &Tree,
    text: &str,
    found: &Match,
    query: &Query,
    max_words: usize,
) -> Result<Vec<Content>, usize> {
    let node = tree.span(found.node);
    let within = |span: Span| node.start + span.start..node.start + span.end;
    let Some(wanted) = &found.pages else {
        let span = lines(tree, text, found, query, 0..text.len());
        let shown = text.get(span.clone()).unwrap_or_default();
        let page = if query.full { 0..shown.len() } else { first_page(shown, max_words) };
        // Pages count from the start of the node.
        let pagination = (page.len() < shown.len() && span.start == 0).then(|| {
            let total_pages = pages(shown, max_words).len();
            Pagination {
                current_page: 0,
                total_pages,
                word_count: max_words.max(1),
                has_more: true,
            }
        });
        let truncated = page.len() < text.len();
        let span = within(span.start + page.start..span.start + page.end);
        return Ok(vec![Content { span, truncated, page: None, pagination }]);
    };
    let all = pages(text, max_words);
    let places = match wanted {
        Pages::All => (0..all.len()).collect(),
        Pages::Some(index) => index.places(all.len()),
    };
    if places.is_empty() {
        return Err(all.len());
    }
    let shown = places.into_iter().filter_map(|place| {
        let page = all.get(place)?;
        let span = lines(tree, text, found, query, page.clone());
        let pagination = (all.len() > 1).then(|| Pagination {
            current_page: place,
            total_pages: all.len(),
            word_count: word_count(text.get(page.clone()).unwrap_or_default()),
            has_more: place + 1 < all.len(),
        });
        Some(Content {
            truncated: span.len() < text.len(),
            span: within(span),
            page: Some(place),
            pagination,
        })
    });
    Ok(shown.collect())
}

/// The lines of a part that the query selects.
fn lines(tree: &Tree, text: &str, found: &Match, query: &Query, part: Span) -> Span {
    let mut span = part;
    if let Some(until) = &query.until {
        let node = tree.span(found.node);
        let stop = resolve_inside(tree, found.node, until)
            .first()
            .map(|stop| tree.span(*stop).start.saturating_sub(node.start));
        span.end = span.end.min(stop.unwrap_or(span.end)).max(span.start);
    }
    let shown = text.get(span.clone()).unwrap_or_default();
    if let Some(count) = query.head {
        span.end = span.start + line_starts(shown).nth(count).unwrap_or(shown.len());
    }
    let shown = text.get(span.clone()).unwrap_or_default();
    if let Some(count) = query.tail {
        let starts: Vec<usize> = line_starts(shown).collect();
        span.start = starts.len().checked_sub(count).map_or(span.start, |first| {
            span.start + starts.get(first).copied().unwrap_or(shown.len())
        });
    }
    span
}

/// The start of each line, except for an empty last one.
fn line_starts(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let behind = memchr::memchr2_iter(b'\n', b'\r', bytes)
        .filter(|at| bytes.get(*at) == Some(&b'\n') || bytes.get(at + 1) != Some(&b'\n'));
    let starts = behind.map(|at| at + 1).filter(|at| *at < bytes.len());
    (!bytes.is_empty()).then_some(0).into_iter().chain(starts)
}
