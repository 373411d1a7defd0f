//! Selects the nodes of a selector, as printed by `select` (SEL-13 to SEL-16).

use serde::Serialize;

use super::content::{Content, contents};
use super::failure::{Failure, failure, namespace_failure, page_failure};
use super::grammar::{Index, Problem, Segment, Selector};
use super::page::pages;
use super::resolve::{counts, reach, resolve};
use super::suggest::suggestions;
use super::tree::{Node, Tree};
use super::{Match, Pagination, SegmentKind};

/// A selected node, or a page of it.
#[derive(Debug, Serialize)]
pub struct Selected<'t> {
    pub selector: String,
    pub r#type: SegmentKind,
    pub content: &'t str,
    pub truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pagination: Option<Pagination>,
    pub children_available: Vec<Child>,
}

/// The children of a selected node.
#[derive(Debug, Serialize)]
pub struct Child {
    pub selector: String,
    pub r#type: SegmentKind,
    /// Its first characters.
    pub preview: String,
}

/// A selector that selects nothing.
#[derive(Debug, Serialize)]
pub struct Unresolved {
    /// As written.
    pub selector: String,
    pub reason: String,
    pub suggestions: Vec<String>,
    pub code: &'static str,
    /// The wrong part, in bytes.
    pub position: Position,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Position {
    pub start: usize,
    pub end: usize,
}

/// How far a selector that selects nothing matches.
#[derive(Debug, Serialize)]
pub struct Partial {
    pub selector: String,
    pub r#type: SegmentKind,
    /// The selector as written.
    pub unresolved: String,
}

/// Whether a selector refers to a document with this name.
pub fn speaks_of(selector: &Selector, namespace: &str) -> bool {
    selector.namespace.as_ref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(namespace))
}

/// Selects nodes in a document.
///
/// # Errors
/// If nodes match, but none has the requested pages: the number of pages of the first one.
pub fn select<'t>(
    namespace: &str,
    text: &'t str,
    tree: &Tree,
    selector: &Selector,
    max_words: usize,
) -> Result<Vec<Selected<'t>>, usize> {
    let mut selected = Vec::new();
    let mut too_few = None;
    for found in resolve(tree, selector) {
        let node = text.get(tree.span(found.node)).unwrap_or_default();
        match contents(tree, node, &found, &selector.query, max_words) {
            Ok(contents) => selected.extend(
                contents.into_iter().map(|content| shown(namespace, text, tree, &found, content)),
            ),
            Err(pages) => too_few = too_few.or(Some(pages)),
        }
    }
    match too_few {
        Some(pages) if selected.is_empty() => Err(pages),
        _ => Ok(selected),
    }
}

/// Whether a selector selects anything in a document.
///
/// # Errors
/// Like [`select`].
pub fn selects(
    text: &str,
    tree: &Tree,
    selector: &Selector,
    max_words: usize,
) -> Result<bool, usize> {
    let found = resolve(tree, selector);
    if found.first().is_none_or(|found| found.pages.is_none()) {
        return Ok(!found.is_empty());
    }
    let pages = found.iter().map(|found| {
        contents(
            tree,
            text.get(tree.span(found.node)).unwrap_or_default(),
            found,
            &selector.query,
            max_words,
        )
    });
    let mut too_few = None;
    for page in pages {
        match page {
            Ok(_) => return Ok(true),
            Err(pages) => too_few = too_few.or(Some(pages)),
        }
    }
    too_few.map_or(Ok(false), Err)
}

/// How many nodes, and how many pages, the lists of a selector select among: the most for each
/// segment. Empty for a selector without a list.
pub fn amounts(text: &str, tree: &Tree, selector: &Selector, max_words: usize) -> Vec<usize> {
    let listed = |segment: &Segment| segment.index.as_ref().is_some_and(Index::is_list);
    if !selector.segments.iter().any(listed) {
        return Vec::new();
    }
    let mut amounts = counts(tree, selector);
    if selector.segments.last().is_some_and(|last| last.kind == SegmentKind::Page && listed(last)) {
        let of = |found: &Match| {
            pages(text.get(tree.span(found.node)).unwrap_or_default(), max_words).len()
        };
        amounts.push(resolve(tree, selector).iter().map(of).max().unwrap_or_default());
    }
    amounts
}

/// The messages for items of lists that select nothing, for a selector that selects something;
/// `amounts`: what its lists select among.
pub fn excess(
    text: &str,
    selector: &Selector,
    amounts: &[usize],
    documents: &[(&str, &Tree)],
    names: &[&str],
) -> Vec<Unresolved> {
    let segments = selector.segments.iter().zip(amounts).enumerate();
    let missing = segments.filter_map(|(at, (segment, amount))| {
        let beyond = segment.index.as_ref()?.beyond(*amount)?;
        let pages = (segment.kind == SegmentKind::Page).then_some(*amount);
        let mut alone = selector.clone();
        alone.segments.get_mut(at)?.index = Some(beyond);
        let (found, _) = unresolved(&alone.to_string(), &alone, pages, documents, names);
        Some(Unresolved { selector: text.to_owned(), ..found })
    });
    missing.collect()
}

fn shown<'t>(
    namespace: &str,
    text: &'t str,
    tree: &Tree,
    found: &Match,
    content: Content,
) -> Selected<'t> {
    let path = tree.path(found.node);
    let within =
        |child: &Node| content.page.is_none() || content.span.contains(&tree.span(*child).start);
    let children = tree.children(found.node).into_iter().filter(within).map(|child| Child {
        selector: format!("{namespace}::{}", tree.path(child)),
        r#type: tree.segment(child),
        preview: preview(text.get(tree.span(child)).unwrap_or_default()),
    });
    Selected {
        selector: content.page.map_or_else(
            || format!("{namespace}::{path}"),
            |page| format!("{namespace}::{path}/page[{page}]"),
        ),
        r#type: tree.segment(found.node),
        content: text.get(content.span.clone()).unwrap_or_default(),
        truncated: content.truncated,
        pagination: content.pagination,
        children_available: children.collect(),
    }
}

/// The first 80 characters.
pub fn preview(text: &str) -> String {
    text.chars().take(80).collect()
}

/// The message for a syntax error.
pub fn malformed(text: &str, problem: Problem, documents: &[(&str, &Tree)]) -> Unresolved {
    Unresolved {
        selector: text.to_owned(),
        reason: problem.message,
        suggestions: suggestions(text, documents),
        code: problem.kind.name(),
        position: Position { start: problem.span.start, end: problem.span.end },
    }
}

/// The message for a selector that selects nothing; `pages`: the number of pages of its node. Also
/// returns how far it matches.
pub fn unresolved(
    text: &str,
    selector: &Selector,
    pages: Option<usize>,
    documents: &[(&str, &Tree)],
    names: &[&str],
) -> (Unresolved, Vec<Partial>) {
    let spoken_of = || documents.iter().filter(|(namespace, _)| speaks_of(selector, namespace));
    let furthest = spoken_of()
        .map(|document| (document, reach(document.1, selector)))
        .max_by(|a, b| a.1.0.cmp(&b.1.0).then(std::cmp::Ordering::Greater));
    let known = names.iter().any(|name| speaks_of(selector, name));
    let failure: Failure = match (pages, &furthest) {
        (Some(pages), _) => page_failure(selector, pages),
        (None, Some(((_, tree), _))) => failure(tree, selector),
        (None, None) if known => failure(&Tree::default(), selector),
        (None, None) => namespace_failure(selector, names),
    };
    let partial =
        furthest.filter(|(_, (reached, _))| *reached > 0).map(|((namespace, tree), (_, nodes))| {
            const MOST: usize = 5;
            let each = nodes.into_iter().take(MOST).map(|node| Partial {
                selector: format!("{namespace}::{}", tree.path(node)),
                r#type: tree.segment(node),
                unresolved: text.to_owned(),
            });
            each.collect()
        });
    let unresolved = Unresolved {
        selector: text.to_owned(),
        reason: failure.message,
        suggestions: suggestions(text, documents),
        code: failure.kind.name(),
        position: Position { start: failure.span.start, end: failure.span.end },
    };
    (unresolved, partial.unwrap_or_default())
}
