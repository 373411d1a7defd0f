//! OpenCode: gray-matter, and if that fails, again with every value that contains a colon as a
//! block scalar.

use super::{Keys, Read, js_yaml};
use crate::yaml::{self, Tree};

pub(super) fn read(text: &str, tree: &Tree) -> Read {
    match js_yaml::read(tree) {
        Read::Refused => match js_yaml::read(&yaml::parse(&sanitized(text))) {
            Read::Keys(keys) => Read::Keys(Keys { partly: true, ..keys }),
            other => other,
        },
        read => read,
    }
}

/// The text with each one-line value that contains a colon as a block scalar.
fn sanitized(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let Some((key, value)) = entry(line) else { return line.to_owned() };
        let left = value.is_empty()
            || matches!(value, ">" | "|")
            || value.starts_with(['"', '\''])
            || !value.contains(':');
        if left { line.to_owned() } else { format!("{key}: |-\n  {value}") }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The key and value of a line at column 0; a key is a word without hyphens.
fn entry(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim_end();
    let word = key.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && key.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    word.then(|| (key, value.trim()))
}
