//! What was meant by a selector that means nothing (SEL-16): the same type with another index, the same words spelt right,
//! a heading's text.

use strsim::levenshtein;

use super::grammar::{self, ProblemKind, Selector};
use super::tree::{NodeKind, Tree};

const MOST: usize = 5;
const LEAST: f64 = 0.4;
/// Larger documents are not compared whole.
const MOST_COMPARED: usize = 20_000;

/// What may be meant by `text`, in documents with their namespaces; the likeliest first, each a selector that resolves.
pub fn suggestions(text: &str, documents: &[(&str, &Tree)]) -> Vec<String> {
    let wanted = text.trim().to_lowercase();
    let parsed = grammar::parse(text);
    let mut found: Vec<String> = Vec::new();
    if let Ok(selector) = &parsed {
        found.extend(neighbours(selector, documents));
    }
    if let Some(title) = title(text, parsed.as_ref().err().map(|problem| problem.kind)) {
        found.extend(by_title(&title, documents));
    }
    let mut ranked: Vec<(f64, usize, String)> = Vec::new();
    let qualified = wanted.contains("::");
    for (namespace, tree) in documents {
        for node in tree.nodes().take(MOST_COMPARED) {
            let path = tree.path(node);
            let full = format!("{namespace}::{path}");
            let compared = if qualified { &full } else { &path };
            let (distance, longest) = (levenshtein(&wanted, compared), wanted.chars().count().max(compared.chars().count()));
            #[allow(clippy::cast_precision_loss)]
            let ratio = 1.0 - distance as f64 / longest.max(1) as f64;
            if ratio >= LEAST && wanted.len() <= 400 {
                ranked.push((ratio, full.len(), full));
            }
        }
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then_with(|| a.2.cmp(&b.2)));
    for (_, _, full) in ranked {
        if found.len() >= MOST {
            break;
        }
        if !found.contains(&full) {
            found.push(full);
        }
    }
    found.truncate(MOST);
    found
}

/// Of an index that is too high: the last nodes of the type that there are.
fn neighbours(selector: &Selector, documents: &[(&str, &Tree)]) -> Vec<String> {
    let mut found = Vec::new();
    let named = |namespace: &str| selector.namespace.as_ref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(namespace));
    for (namespace, tree) in documents.iter().filter(|(namespace, _)| named(namespace)) {
        let mut open = selector.clone();
        if let Some(last) = open.segments.last_mut() {
            last.index = None;
        }
        let matches = super::resolve(tree, &open);
        found.extend(matches.iter().rev().take(2).map(|found| format!("{namespace}::{}", tree.path(found.node))));
    }
    found.truncate(2);
    found
}

/// Text that may be a heading's: `#title`, or anything that is no selector at all.
fn title(text: &str, problem: Option<ProblemKind>) -> Option<String> {
    let path = text.trim().rsplit_once("::").map_or(text.trim(), |(_, path)| path);
    let plain = path.trim_start_matches('#').trim();
    let is_title = path.starts_with('#') || problem == Some(ProblemKind::UnknownSegment);
    (is_title && plain.len() > 1).then(|| plain.to_lowercase().replace(['-', '_'], " "))
}

fn by_title(title: &str, documents: &[(&str, &Tree)]) -> Vec<String> {
    let mut found = Vec::new();
    for (namespace, tree) in documents {
        let named = tree.headings.iter().enumerate().filter(|(_, heading)| heading.text.to_lowercase().replace(['-', '_'], " ").contains(title));
        found.extend(named.take(2).map(|(index, _)| format!("{namespace}::{}", tree.path(super::Node { kind: NodeKind::Heading, index }))));
    }
    found.truncate(2);
    found
}
