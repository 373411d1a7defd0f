//! Values that begin with `!`, which YAML reads as a tag: `- !lib/**` is an item without text.

use crate::text::Edit;
use crate::yaml::{self, Node, Tree};

/// Whether YAML reads the start of a value as a tag that no client defines.
pub fn is_one(node: &Node) -> bool {
    node.tag.as_ref().is_some_and(|(tag, _)| tag.len() > 1 && !tag.starts_with("!!"))
}

/// The values with such a tag, in their order.
pub fn find(tree: &Tree) -> Vec<&Node> {
    let mut found = Vec::new();
    let mut open: Vec<&Node> = tree.root.iter().collect();
    while let Some(node) = open.pop() {
        if is_one(node) {
            found.push(node);
        }
        if let Some(mapping) = node.as_mapping() {
            open.extend(mapping.entries.iter().rev().flat_map(|entry| [&entry.value, &entry.key]));
        } else if let Some(list) = node.as_sequence() {
            open.extend(list.items.iter().rev());
        }
    }
    found
}

/// Quotes a value, including the part that YAML reads as its tag.
pub fn quoted(text: &str, node: &Node) -> Option<Edit> {
    node.as_str()?;
    let (_, tag) = node.tag.as_ref()?;
    let span = tag.start..node.span.end.max(tag.end);
    let written = text.get(span.clone())?;
    (!written.contains(['"', '\'', '\n'])).then(|| Edit::replace(span, yaml::quote(written)))
}
