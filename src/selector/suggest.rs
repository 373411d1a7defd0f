//! Suggestions for a selector that doesn't match (SEL-16): the same type with another index, the
//! same words spelled correctly, a heading's text, and the most similar selectors.

use super::alike::Alike;
use super::grammar::{ProblemKind, SegmentKind, Selector};
use super::parser::parse;
use super::repair::repaired;
use super::resolve::{reach, resolve};
use super::tree::{Node, NodeKind, Tree};

/// The maximum number of suggestions.
pub const MOST: usize = 5;

/// The possible meanings of `text`, in documents with their namespaces; most likely first, each a
/// selector that resolves.
pub fn suggestions(text: &str, documents: &[(&str, &Tree)]) -> Vec<String> {
    let text = text.trim();
    let mut found: Vec<String> = Vec::new();
    let mut add = |selector: String| {
        if found.len() < MOST && !found.contains(&selector) {
            found.push(selector);
        }
    };
    let parsed = parse(text);
    if let Ok(selector) = &parsed {
        neighbours(selector, documents).into_iter().for_each(&mut add);
        if named(selector, documents).next().is_none() {
            // The same path in an existing document.
            let anywhere = Selector { namespace: None, ..selector.clone() };
            resolved(&anywhere, documents, 2).into_iter().for_each(&mut add);
        }
    }
    if let Some(title) = title(text, parsed.as_ref().err().map(|problem| problem.kind)) {
        by_title(&title, documents).into_iter().for_each(&mut add);
    }
    for repair in repaired(text) {
        resolved(&repair, documents, 2).into_iter().for_each(&mut add);
    }
    // Abbreviations and capitals are compared in their canonical form.
    let wanted = parsed.map_or_else(|_| text.to_owned(), |selector| selector.to_string());
    let wanted = wanted.split_once('?').map_or(wanted.as_str(), |(path, _)| path);
    Alike::new(wanted, MOST).search(documents).into_iter().for_each(&mut add);
    found
}

/// The first nodes that match a selector, each by its own selector.
fn resolved(selector: &Selector, documents: &[(&str, &Tree)], most: usize) -> Vec<String> {
    let mut found = Vec::new();
    for (namespace, tree) in named(selector, documents) {
        found.extend(
            resolve(tree, selector)
                .into_iter()
                .take(most)
                .map(|found| shown(namespace, tree, found.node)),
        );
        if found.len() >= most {
            break;
        }
    }
    found.truncate(most);
    found
}

/// The documents that a selector refers to.
fn named<'d>(
    selector: &'d Selector,
    documents: &'d [(&'d str, &'d Tree)],
) -> impl Iterator<Item = &'d (&'d str, &'d Tree)> {
    let wanted = selector.namespace.as_deref();
    documents.iter().filter(move |(namespace, _)| {
        wanted.is_none_or(|wanted| wanted.eq_ignore_ascii_case(namespace))
    })
}

fn shown(namespace: &str, tree: &Tree, node: Node) -> String {
    format!("{namespace}::{}", tree.path(node))
}

/// For an index that is too high: the last existing nodes of the type in the same place.
fn neighbours(selector: &Selector, documents: &[(&str, &Tree)]) -> Vec<String> {
    const EACH: usize = 2;
    let mut found = Vec::new();
    for (namespace, tree) in named(selector, documents) {
        let (reached, contexts) = reach(tree, selector);
        let Some(failed) =
            selector.segments.get(reached).filter(|failed| failed.kind != SegmentKind::Page)
        else {
            continue;
        };
        let contexts =
            if reached == 0 { vec![None] } else { contexts.into_iter().map(Some).collect() };
        for context in contexts.into_iter().take(EACH) {
            found.extend(
                tree.below(context, failed.kind)
                    .iter()
                    .rev()
                    .take(EACH)
                    .map(|node| shown(namespace, tree, node)),
            );
        }
        if found.len() >= EACH {
            break;
        }
    }
    found.truncate(EACH);
    found
}

/// Text that may be a heading's: `#title`, or any invalid selector.
fn title(text: &str, problem: Option<ProblemKind>) -> Option<String> {
    const LONGEST: usize = 400;
    let path = text.rsplit_once("::").map_or(text, |(_, path)| path);
    let plain = path.trim_start_matches('#').trim();
    let is_title = path.starts_with('#')
        || matches!(problem, Some(ProblemKind::UnknownSegment | ProblemKind::BadNamespace));
    (is_title && plain.len() > 1 && plain.len() < LONGEST).then(|| fold(plain))
}

/// Normalized as anchors are compared with headings.
fn fold(text: &str) -> String {
    text.to_lowercase().replace(['-', '_'], " ")
}

/// The headings with this text, exact matches first.
fn by_title(title: &str, documents: &[(&str, &Tree)]) -> Vec<String> {
    const EACH: usize = 2;
    let (mut equal, mut partly) = (Vec::new(), Vec::new());
    for (namespace, tree) in documents {
        for (index, heading) in tree.headings.iter().enumerate() {
            let text = fold(&heading.text);
            let list = if text == title { &mut equal } else { &mut partly };
            if list.len() < EACH && text.contains(title) {
                list.push(shown(namespace, tree, Node { kind: NodeKind::Heading, index }));
            }
        }
    }
    equal.extend(partly);
    equal.truncate(EACH);
    equal
}
