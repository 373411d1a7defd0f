//! Tests of the whole room; one file for each of its features.

mod cursor;
mod edit;
mod laws;
mod mistakes;
mod places;
mod tree;
mod values;

use super::*;

/// Removes `«…»` from the text and returns their spans.
fn marked(source: &str) -> (String, Vec<Span>) {
    let (mut text, mut spans, mut open) = (String::new(), Vec::new(), Vec::new());
    for character in source.chars() {
        match character {
            '«' => open.push(text.len()),
            '»' => spans.push(open.pop().expect("a « before »")..text.len()),
            other => text.push(other),
        }
    }
    spans.sort_by_key(|span| span.start);
    (text, spans)
}

/// A one-line picture of a node: `{key: value}`, `[item]`, scalars as debug strings unless plain,
/// `~` if absent.
fn picture(node: &Node) -> String {
    match &node.kind {
        Kind::Scalar(_) if node.is_absent() => "~".into(),
        Kind::Scalar(Scalar { text, style: Style::Plain }) => text.clone(),
        Kind::Scalar(scalar) => format!("{:?}", scalar.text),
        Kind::Alias(name) => format!("*{name}"),
        Kind::Sequence(sequence) => {
            format!("[{}]", sequence.items.iter().map(picture).collect::<Vec<_>>().join(", "))
        }
        Kind::Mapping(mapping) => {
            let entries = mapping
                .entries
                .iter()
                .map(|entry| format!("{}: {}", picture(&entry.key), picture(&entry.value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}

fn root(tree: &Tree) -> String {
    tree.root.as_ref().map_or("nothing".into(), picture)
}
