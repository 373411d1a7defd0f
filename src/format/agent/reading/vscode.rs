//! VS Code's own parser: a subset of YAML that keeps the keys before the first unexpected token. A
//! value ends at the first `: ` in it, and the keys after it are lost.

use serde_json::{Map, Value};

use super::scalar::{self, Dialect};
use super::{Keys, Read};
use crate::yaml::{self, ErrorKind, Tree};

const DIALECT: Dialect = Dialect { plain: |_| None, unique: |_| false, tags: false, merges: false };

pub(super) fn read(text: &str, tree: &Tree) -> Read {
    // A backslash that doesn't begin an escape is text.
    if tree.errors.iter().all(|error| error.kind == ErrorKind::Escape) {
        return scalar::read_on(tree, DIALECT);
    }
    match scalar::read(tree, DIALECT) {
        Read::Refused => Read::Keys(Keys { values: begun(text, tree), partly: true }),
        read => read,
    }
}

/// The entries before the first broken one, and the text before the colon in that one.
fn begun(text: &str, tree: &Tree) -> Map<String, Value> {
    let Some(first) = tree.errors.first().map(|error| error.span.start) else { return Map::new() };
    let broken = text.get(..first).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let mut start = broken;
    while start > 0 && text.get(start..).is_some_and(|rest| rest.starts_with([' ', '\t', '-'])) {
        start = text.get(..start - 1).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    }
    let mut values =
        match scalar::read(&yaml::parse(text.get(..start).unwrap_or_default()), DIALECT) {
            Read::Keys(keys) => keys.values,
            _ => Map::new(),
        };
    let line = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    if let Some((key, value)) = line.split_once(':')
        && !key.trim().is_empty()
    {
        let kept = value.find(": ").map_or(value, |colon| value.get(..colon).unwrap_or_default());
        let kept = kept.trim().trim_end_matches(':');
        values.insert(key.trim().to_owned(), Value::String(kept.to_owned()));
    }
    values
}
