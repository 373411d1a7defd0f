//! The entry point: one document, read by granit or by recovery, then checked for errors that
//! granit lets pass.

use std::collections::HashSet;

use super::build::{self, plain};
use super::line;
use super::messages::{self, error};
use super::node::{Entry, Error, ErrorKind, Kind, Mapping, Node, Tree};
use super::recover;

/// Parses `text` as one YAML document. Total: unreadable parts are in the tree's errors, everything
/// else in the tree.
pub fn parse(text: &str) -> Tree {
    let mut errors = Vec::new();
    let (start, end) = document(text, &mut errors);
    let readable = without_nul(text, &mut errors);
    let readable = readable.as_deref().unwrap_or(text);

    let piece = build::build(readable.get(..end).unwrap_or_default(), 0);
    let (mut root, mut comments) = match piece.refusal {
        None if !line::is_tabbed(readable, start..end) => (piece.root, piece.comments),
        _ => recover::recover(readable, start..end, &mut errors),
    };
    // `---` alone is an empty document.
    root = root.filter(|root| !root.is_absent() || root.tag.is_some() || root.anchor.is_some());
    let mut review = Review { text, errors: &mut errors, anchors: HashSet::new() };
    if let Some(root) = &mut root {
        review.node(root);
    }
    errors.sort_by_key(|error| (error.span.start, error.span.end));
    errors.dedup_by(|next, first| next.span == first.span || follows(text, first, next));
    comments.sort_by_key(|span| span.start);
    comments.dedup();
    Tree { root, errors, comments }
}

/// Whether a wrong indentation is only a consequence of the error on the same line or the one
/// before it.
fn follows(text: &str, first: &Error, next: &Error) -> bool {
    let line = line::start_of_line(text, next.span.start);
    next.kind == ErrorKind::Indentation
        && first.kind != ErrorKind::Tab
        && line::next_line(text, first.span.end) >= line
}

/// Where the first document's content starts (after `---`) and ends (before `...` or a second
/// `---`).
fn document(text: &str, errors: &mut Vec<Error>) -> (usize, usize) {
    let mut start = 0;
    let mut seen = false;
    let mut ended = None;
    for line in line::lines(text, 0..text.len()) {
        let content = text.get(line.start..line.end).unwrap_or_default();
        let marker = |name: &str| {
            content
                .strip_prefix(name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
        };
        let (dashes, dots) = (marker("---"), marker("..."));
        if ended.is_some() {
            if line.is_content(text) && !dots {
                errors.push(error(
                    line.content..line::end_of_content(text, line.content..line.end),
                    ErrorKind::Syntax,
                    messages::SECOND_DOCUMENT,
                ));
                break;
            }
        } else if dashes && !seen {
            seen = true;
            start = line.start + 3;
        } else if dashes {
            errors.push(error(
                line.start..line.start + 3,
                ErrorKind::Syntax,
                messages::SECOND_DOCUMENT,
            ));
            return (start, line.start);
        } else if dots {
            ended = Some(line.start);
        } else if line.is_content(text) {
            // A directive belongs to the `---` that follows it.
            seen |= !content.starts_with('%');
        }
    }
    (start, ended.unwrap_or(text.len()))
}

/// granit treats NUL as the end of the text, so replace it with `_`.
fn without_nul(text: &str, errors: &mut Vec<Error>) -> Option<String> {
    let first = memchr::memchr(0, text.as_bytes())?;
    errors.push(error(first..first + 1, ErrorKind::Syntax, messages::NUL));
    Some(text.replace('\0', "_"))
}

/// Finds aliases without anchor and templates read as mappings, and turns them into what the author
/// meant.
struct Review<'a> {
    text: &'a str,
    errors: &'a mut Vec<Error>,
    anchors: HashSet<String>,
}

impl Review<'_> {
    fn node(&mut self, node: &mut Node) {
        if let Some((name, _)) = &node.anchor {
            self.anchors.insert(name.clone());
        }
        let written = self.text.get(node.span.clone()).unwrap_or_default();
        match &mut node.kind {
            Kind::Alias(name) if !self.anchors.contains(name) => {
                let word = name
                    .chars()
                    .all(|character| character.is_alphanumeric() || matches!(character, '-' | '_'));
                let (kind, message) = match word {
                    true => (ErrorKind::UndefinedAlias, messages::undefined_alias(name)),
                    false => (ErrorKind::NeedsQuotes, messages::NEEDS_QUOTES.to_string()),
                };
                self.errors.push(error(node.span.clone(), kind, message));
                if !word {
                    *node = plain(node.span.clone(), written.to_string());
                }
            }
            Kind::Mapping(mapping) if is_template(mapping, written) => {
                self.errors.push(error(
                    node.span.clone(),
                    ErrorKind::NeedsQuotes,
                    messages::TEMPLATE,
                ));
                *node = plain(node.span.clone(), written.to_string());
            }
            Kind::Mapping(mapping) => {
                for entry in &mut mapping.entries {
                    self.node(&mut entry.key);
                    self.node(&mut entry.value);
                }
            }
            Kind::Sequence(sequence) => {
                for item in &mut sequence.items {
                    self.node(item);
                }
            }
            _ => {}
        }
    }
}

/// `{{ .name }}` reads as a flow mapping whose only key is a flow mapping.
fn is_template(mapping: &Mapping, written: &str) -> bool {
    let nested = |entry: &Entry| {
        entry.value.is_absent() && matches!(&entry.key.kind, Kind::Mapping(inner) if inner.flow)
    };
    mapping.flow
        && written.starts_with("{{")
        && written.ends_with("}}")
        && mapping.entries.first().is_some_and(nested)
}

impl Tree {
    /// The entries of the root mapping; none if the root isn't a mapping.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.root
            .as_ref()
            .and_then(Node::as_mapping)
            .map(|mapping| mapping.entries.as_slice())
            .unwrap_or_default()
            .iter()
    }

    /// The last top-level entry with this key.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries().rev().find(|entry| entry.key.as_str() == Some(key))
    }
}
