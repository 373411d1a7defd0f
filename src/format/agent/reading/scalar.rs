//! The common part of all YAML readers: converts a tree without errors to values, and resolves
//! plain scalars as each reader does.

use serde_json::{Map, Number, Value};

use super::{Keys, Read};
use crate::yaml::resolve::Anchors;
use crate::yaml::{Kind, Mapping, Node, Scalar, ScalarType, Style, Tree, scalar_type};

/// The differences between readers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dialect {
    /// The value of a plain scalar without a tag, if it differs from YAML 1.2.
    pub plain: fn(&str) -> Option<Value>,
    /// Whether a duplicate of this key is an error; otherwise the last one is used.
    pub unique: fn(&str) -> bool,
    /// An unknown tag is an error.
    pub tags: bool,
    /// `<<` adds the keys of another mapping.
    pub merges: bool,
}

/// Deeper values and more aliases are rejected: they aren't written by hand.
pub const DEPTH: usize = 64;
pub const MOST: usize = 20_000;

/// Reads YAML that must be a mapping. Empty text has no keys.
pub(super) fn read(tree: &Tree, dialect: Dialect) -> Read {
    if tree.errors.is_empty() { read_on(tree, dialect) } else { Read::Refused }
}

/// The same for a reader that continues after errors in a tree.
pub(super) fn read_on(tree: &Tree, dialect: Dialect) -> Read {
    let anchors = tree.anchors();
    let Some(root) = &tree.root else { return Read::Keys(Keys::default()) };
    let mut reader = Reader { dialect, anchors: &anchors, left: MOST };
    match reader.value(root, 0) {
        Some(Value::Object(values)) => Read::Keys(Keys { values, partly: false }),
        Some(Value::Null) => Read::Keys(Keys::default()),
        _ => Read::Refused,
    }
}

struct Reader<'a, 't> {
    dialect: Dialect,
    anchors: &'a Anchors<'t>,
    left: usize,
}

impl Reader<'_, '_> {
    fn value(&mut self, node: &Node, depth: usize) -> Option<Value> {
        self.left = self.left.checked_sub(1)?;
        let known = |tag: &str| tag.starts_with("!!") || tag == "!";
        if depth > DEPTH
            || self.dialect.tags && node.tag.as_ref().is_some_and(|(tag, _)| !known(tag))
        {
            return None;
        }
        match &node.kind {
            Kind::Scalar(scalar) => Some(self.scalar(node, scalar)),
            Kind::Sequence(sequence) => sequence
                .items
                .iter()
                .map(|item| self.value(item, depth + 1))
                .collect::<Option<_>>()
                .map(Value::Array),
            Kind::Mapping(mapping) => self.mapping(mapping, depth).map(Value::Object),
            Kind::Alias(name) => {
                let target = self.anchors.get(name, node.span.start)?;
                if target.span.start <= node.span.start && node.span.end <= target.span.end {
                    return None;
                }
                self.value(target, depth + 1)
            }
        }
    }

    fn mapping(&mut self, mapping: &Mapping, depth: usize) -> Option<Map<String, Value>> {
        let mut map = Map::new();
        let mut merged = Vec::new();
        for entry in &mapping.entries {
            let value = self.value(&entry.value, depth + 1)?;
            let plain =
                matches!(&entry.key.kind, Kind::Scalar(scalar) if scalar.style == Style::Plain);
            let key = match self.value(&entry.key, depth + 1)? {
                Value::String(key) => key,
                Value::Null => "null".to_owned(),
                Value::Array(_) | Value::Object(_) => return None,
                _ => entry.key.as_str()?.to_owned(),
            };
            if self.dialect.merges && plain && key == "<<" {
                merged.push(value);
            } else if map.insert(key.clone(), value).is_some() && (self.dialect.unique)(&key) {
                return None;
            }
        }
        for value in merged {
            let sources = if let Value::Array(items) = value { items } else { vec![value] };
            for source in sources {
                let Value::Object(entries) = source else { return None };
                for (key, value) in entries {
                    map.entry(key).or_insert(value);
                }
            }
        }
        Some(map)
    }

    fn scalar(&self, node: &Node, scalar: &Scalar) -> Value {
        if scalar.style == Style::Plain
            && node.tag.is_none()
            && let Some(value) = (self.dialect.plain)(&scalar.text)
        {
            return value;
        }
        match scalar_type(node) {
            ScalarType::Null => Value::Null,
            ScalarType::Bool(value) => Value::Bool(value),
            ScalarType::Str => Value::String(scalar.text.clone()),
            ScalarType::Int | ScalarType::Float => number(&scalar.text),
        }
    }
}

/// A number. Those that JSON can't represent become 0, because only the type matters.
fn number(text: &str) -> Value {
    let plain = text.strip_prefix('+').unwrap_or(text);
    let integer = match (plain.strip_prefix("0x"), plain.strip_prefix("0o")) {
        (Some(hex), _) => i64::from_str_radix(hex, 16).ok(),
        (_, Some(octal)) => i64::from_str_radix(octal, 8).ok(),
        _ => plain.parse().ok(),
    };
    let float = || plain.parse::<f64>().ok().and_then(Number::from_f64);
    integer.map(Number::from).or_else(float).map_or_else(|| Value::Number(0.into()), Value::Number)
}

/// `2026-11-22`, with or without a time: a date for readers that support dates.
pub(super) fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = |range: std::ops::Range<usize>| {
        bytes.get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit))
    };
    let short = bytes.len() == 10;
    let long = bytes.len() > 10
        && matches!(bytes.get(10), Some(b'T' | b't' | b' ' | b'\t'))
        && text.get(11..).is_some_and(|time| time.contains(':'));
    (short || long)
        && digits(0..4)
        && bytes.get(4) == Some(&b'-')
        && digits(5..7)
        && bytes.get(7) == Some(&b'-')
        && digits(8..10)
}

/// `10:30`: a base-60 number in YAML 1.1.
pub(super) fn is_sexagesimal(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = text.trim_start_matches(['+', '-']).split(':');
    let first = parts.next().is_some_and(|first| digits(first) && !first.starts_with('0'));
    let mut rest = parts.peekable();
    first
        && rest.peek().is_some()
        && rest.all(|part| digits(part) && part.len() <= 2 && part < "60")
}
