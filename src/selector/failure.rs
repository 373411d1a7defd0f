//! Why a selector doesn't match (SEL-15).

use super::grammar::{Index, Segment, SegmentKind, Selector};
use super::parser::short;
use super::resolve::{counts, reach};
use super::tree::Tree;
use crate::text::Span;

/// The failing part of a selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub kind: FailureKind,
    /// The span in bytes of the selector's source.
    pub span: Span,
    pub message: String,
    /// The number of segments that match.
    pub reached: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// Unknown document.
    Namespace,
    /// The index is out of range.
    Index,
    /// There are none of this type.
    Nothing,
    /// The node has fewer pages.
    Page,
}

impl FailureKind {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Namespace => "NAMESPACE_NOT_FOUND",
            Self::Index => "INDEX_OUT_OF_RANGE",
            Self::Nothing => "SELECTOR_NOT_FOUND",
            Self::Page => "PAGE_OUT_OF_RANGE",
        }
    }
}

/// Why a selector matches nothing in a document.
pub fn failure(tree: &Tree, selector: &Selector) -> Failure {
    let (reached, contexts) = reach(tree, selector);
    let Some(failed) = selector.segments.get(reached) else {
        return Failure {
            kind: FailureKind::Nothing,
            span: 0..0,
            message: "the document is empty".to_owned(),
            reached,
        };
    };
    let context = contexts.first().copied().filter(|_| reached > 0);
    let place = context
        .map_or_else(|| "in the document".to_owned(), |node| format!("in `{}`", tree.path(node)));
    let count = tree.below(context, failed.kind).len();
    let several = contexts.len() > 1;
    let (kind, message) = match (&failed.index, count) {
        (Some(index), 1..) if !several => {
            let kind = failed.kind;
            let there = if count == 1 {
                format!("there is one `{kind}` {place}, `{kind}[0]`")
            } else {
                format!("`{kind}` goes from 0 to {} {place}", count - 1)
            };
            (
                FailureKind::Index,
                format!("index {} is out of range: {there}", short(&index.to_string())),
            )
        }
        (Some(index), 1..) => (
            FailureKind::Index,
            format!(
                "no match of the path before it has a `{}` with index {}",
                failed.kind,
                short(&index.to_string())
            ),
        ),
        _ if failed.kind == SegmentKind::Root => (
            FailureKind::Nothing,
            "no content precedes the first heading, so `root` doesn't exist".to_owned(),
        ),
        _ => (FailureKind::Nothing, format!("no `{}` {place}", failed.kind)),
    };
    Failure { kind, span: failed.span.clone(), message, reached }
}

/// Why items of a list select nothing in a document, for a selector that selects something.
pub fn excess(tree: &Tree, selector: &Selector) -> Option<Failure> {
    let listed = |segment: &Segment| segment.index.as_ref().is_some_and(Index::is_list);
    if !selector.segments.iter().any(listed) {
        return None;
    }
    let segments = selector.segments.iter().zip(counts(tree, selector)).enumerate();
    segments.into_iter().find_map(|(at, (segment, count))| {
        let beyond = segment.index.as_ref()?.beyond(count)?;
        let mut alone = selector.clone();
        alone.segments.get_mut(at)?.index = Some(beyond);
        Some(failure(tree, &alone))
    })
}

/// Why a page doesn't exist in a node with this many pages.
pub fn page_failure(selector: &Selector, pages: usize) -> Failure {
    let last = selector.segments.last();
    let index = last
        .and_then(|last: &Segment| last.index.as_ref())
        .map(ToString::to_string)
        .unwrap_or_default();
    let there = if pages == 1 {
        "there is one page, `page[0]`".to_owned()
    } else {
        format!("pages go from 0 to {}", pages.saturating_sub(1))
    };
    let span = last.map_or(0..0, |last| last.span.clone());
    Failure {
        kind: FailureKind::Page,
        span,
        message: format!("page {} is out of range: {there}", short(&index)),
        reached: selector.segments.len(),
    }
}

/// Why a document's namespace is unknown.
pub fn namespace_failure(selector: &Selector, known: &[&str]) -> Failure {
    const SHOWN: usize = 5;
    let name = selector.namespace.as_deref().unwrap_or_default();
    let listed: Vec<String> =
        known.iter().take(SHOWN).map(|name| format!("`{}`", short(name))).collect();
    let there = match (known.len(), listed.as_slice()) {
        (0, _) => "no document was given".to_owned(),
        (1, [only]) => format!("the document is {only}"),
        (2..=SHOWN, [rest @ .., last]) => {
            format!("the documents are {} and {last}", rest.join(", "))
        }
        (count, listed) => {
            format!("the documents are {} and {} more", listed.join(", "), count - listed.len())
        }
    };
    Failure {
        kind: FailureKind::Namespace,
        span: 0..name.len(),
        message: match &selector.namespace {
            Some(name) => format!("unknown document `{}`: {there}", short(name)),
            None => there,
        },
        reached: 0,
    }
}
