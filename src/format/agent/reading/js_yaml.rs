//! gray-matter with js-yaml 3, as in Roo Code; and js-yaml's JSON schema, which Cline uses.

use serde_json::Value;

use super::scalar::{self, Dialect, is_date, is_sexagesimal};
use super::{Keys, Read};
use crate::yaml::Tree;

/// The keys that gray-matter reads. A single value without keys isn't an error.
pub(super) fn read(tree: &Tree) -> Read {
    match read_mapping(tree) {
        Read::Refused if is_single(tree) => Read::Keys(Keys::default()),
        other => other,
    }
}

/// The same for a reader that rejects a single value.
pub(super) fn read_mapping(tree: &Tree) -> Read {
    scalar::read(tree, Dialect { plain, unique: |_| true, tags: true, merges: true })
}

/// [`read`] with dates as strings.
pub(super) fn read_json(tree: &Tree) -> Read {
    let dialect = Dialect { plain: |_| None, unique: |_| true, tags: true, merges: false };
    match scalar::read(tree, dialect) {
        Read::Refused if is_single(tree) => Read::Keys(Keys::default()),
        other => other,
    }
}

/// Whether the text is valid YAML, but not a mapping.
fn is_single(tree: &Tree) -> bool {
    tree.errors.is_empty() && tree.root.as_ref().is_some_and(|root| root.as_mapping().is_none())
}

/// A date is an object, neither text nor number. A list represents it here.
fn plain(text: &str) -> Option<Value> {
    if is_sexagesimal(text) {
        return Some(Value::Number(0.into()));
    }
    is_date(text).then(|| Value::Array(vec![Value::String(text.to_owned())]))
}
