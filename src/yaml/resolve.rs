//! Resolves nodes: YAML 1.2 core types, aliases and merge keys.
//!
//! `yes`, `no`, `on` and `off` are strings; `0755` is the integer 755.

use std::collections::HashMap;

use super::node::{Entry, Kind, Mapping, Node, Scalar, Style, Tree};

/// The type of a scalar in the YAML 1.2 core schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScalarType {
    Null,
    Bool(bool),
    Int,
    Float,
    Str,
}

/// The type of a scalar by its tag, otherwise its quotes, otherwise its text. Collections and
/// aliases have none: `Str`.
pub fn scalar_type(node: &Node) -> ScalarType {
    let Kind::Scalar(scalar) = &node.kind else { return ScalarType::Str };
    let plain = plain_type(&scalar.text);
    let Some((tag, _)) = &node.tag else {
        return if scalar.style == Style::Plain { plain } else { ScalarType::Str };
    };
    let name = tag.strip_prefix("!!").or_else(|| {
        tag.strip_prefix("!<tag:yaml.org,2002:").and_then(|rest| rest.strip_suffix('>'))
    });
    match (name, plain) {
        (Some("null"), _) => ScalarType::Null,
        (Some("bool"), ScalarType::Bool(value)) => ScalarType::Bool(value),
        (Some("int"), ScalarType::Int) => ScalarType::Int,
        (Some("float"), ScalarType::Int | ScalarType::Float) => ScalarType::Float,
        _ => ScalarType::Str,
    }
}

/// The type of a plain scalar without tag.
pub fn plain_type(text: &str) -> ScalarType {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => ScalarType::Null,
        "true" | "True" | "TRUE" => ScalarType::Bool(true),
        "false" | "False" | "FALSE" => ScalarType::Bool(false),
        _ if is_int(text) => ScalarType::Int,
        _ if is_float(text) => ScalarType::Float,
        _ => ScalarType::Str,
    }
}

fn digits(text: &str, valid: impl Fn(&u8) -> bool) -> bool {
    !text.is_empty() && text.as_bytes().iter().all(valid)
}

fn is_int(text: &str) -> bool {
    match (text.strip_prefix("0x"), text.strip_prefix("0o")) {
        (Some(hex), _) => digits(hex, u8::is_ascii_hexdigit),
        (_, Some(octal)) => digits(octal, |byte| (b'0'..=b'7').contains(byte)),
        _ => digits(text.strip_prefix(['+', '-']).unwrap_or(text), u8::is_ascii_digit),
    }
}

fn is_float(text: &str) -> bool {
    if matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        return true;
    }
    let (mantissa, exponent) = unsigned
        .split_once(['e', 'E'])
        .map_or((unsigned, None), |(mantissa, exponent)| (mantissa, Some(exponent)));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let numeric = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let exponent = exponent.is_none_or(|exponent| {
        digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent), u8::is_ascii_digit)
    });
    numeric(whole) && numeric(fraction) && !(whole.is_empty() && fraction.is_empty()) && exponent
}

/// The definitions of anchors in a tree.
#[derive(Debug, Clone, Default)]
pub struct Anchors<'t> {
    by_name: HashMap<&'t str, Vec<&'t Node>>,
}

impl<'t> Anchors<'t> {
    /// The anchors in and below `root`.
    pub fn of(root: &'t Node) -> Self {
        let mut anchors = Self::default();
        anchors.collect(root);
        anchors
    }

    fn collect(&mut self, node: &'t Node) {
        if let Some((name, _)) = &node.anchor {
            self.by_name.entry(name).or_default().push(node);
        }
        match &node.kind {
            Kind::Sequence(sequence) => sequence.items.iter().for_each(|item| self.collect(item)),
            Kind::Mapping(mapping) => {
                for entry in &mapping.entries {
                    self.collect(&entry.key);
                    self.collect(&entry.value);
                }
            }
            _ => {}
        }
    }

    /// The node that an alias at `offset` refers to: the last definition before it.
    pub fn get(&self, name: &str, offset: usize) -> Option<&'t Node> {
        let place =
            |node: &Node| node.anchor.as_ref().map_or(node.span.start, |(_, span)| span.start);
        let definitions = self.by_name.get(name)?;
        let after = definitions.partition_point(|node| place(node) < offset);
        definitions.get(after.checked_sub(1)?).copied()
    }

    /// Every definition, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (&'t str, &'t Node)> + '_ {
        self.by_name.iter().flat_map(|(name, nodes)| nodes.iter().map(move |node| (*name, *node)))
    }

    /// The node itself, or the target of an alias, over several steps.
    pub fn follow(&self, mut node: &'t Node) -> Option<&'t Node> {
        for _ in 0..64 {
            match &node.kind {
                Kind::Alias(name) => node = self.get(name, node.span.start)?,
                _ => return Some(node),
            }
        }
        None
    }

    /// The mappings that a mapping's `<<` keys refer to, highest precedence first.
    pub fn merged(&self, mapping: &'t Mapping) -> Vec<&'t Node> {
        let mut sources = Vec::new();
        for entry in mapping.entries.iter().filter(|entry| is_merge(entry)) {
            match self.follow(&entry.value) {
                Some(Node { kind: Kind::Sequence(sequence), .. }) => {
                    sources.extend(sequence.items.iter().filter_map(|item| self.follow(item)))
                }
                Some(node) => sources.push(node),
                None => {}
            }
        }
        sources
    }
}

impl Tree {
    /// The anchors of this document, for reading a part of it separately.
    pub fn anchors(&self) -> Anchors<'_> {
        self.root.as_ref().map(Anchors::of).unwrap_or_default()
    }
}

/// The key that merges another mapping.
pub(super) const MERGE: &str = "<<";

/// Whether an entry is a merge key: `<<`, not in quotes.
pub fn is_merge(entry: &Entry) -> bool {
    matches!(&entry.key.kind, Kind::Scalar(Scalar { text, style: Style::Plain }) if text == MERGE)
        && entry.key.tag.is_none()
}
