//! Resolves `$ref` inside a schema. Nothing is fetched.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::walk::{Place, places};

/// The target of a reference.
#[derive(Debug, Clone, PartialEq)]
pub enum Target<'a> {
    /// A schema inside this one.
    Found { pointer: String, schema: &'a Value },
    /// A value inside this schema that is neither a mapping nor a boolean.
    NotASchema { pointer: String },
    /// The meta-schema of a draft, which every validator knows.
    MetaSchema,
    /// The target doesn't exist.
    Missing,
    /// The target is outside of this schema: a file or a server.
    Remote,
}

/// The identifiers, anchors and schemas of a schema, for following references.
#[derive(Debug)]
pub struct References<'a> {
    root: &'a Value,
    pub(super) places: Vec<Place<'a>>,
    by_pointer: HashMap<String, usize>,
    /// For each place, the place whose `$id` is the base of its references.
    resources: Vec<usize>,
    /// The URIs of places with an identifier.
    bases: HashMap<usize, String>,
    identifiers: HashMap<String, usize>,
    anchors: HashMap<(usize, &'a str), usize>,
}

impl<'a> References<'a> {
    pub fn new(root: &'a Value) -> Self {
        let places = places(root);
        let mut references = Self {
            root,
            by_pointer: places
                .iter()
                .enumerate()
                .map(|(index, place)| (place.pointer.clone(), index))
                .collect(),
            resources: Vec::with_capacity(places.len()),
            bases: HashMap::new(),
            identifiers: HashMap::new(),
            anchors: HashMap::new(),
            places: Vec::new(),
        };
        for (index, place) in places.iter().enumerate() {
            references.enter(index, place);
        }
        references.places = places;
        references
    }

    fn enter(&mut self, index: usize, place: &Place<'a>) {
        let outer =
            place.parent.and_then(|parent| self.resources.get(parent)).copied().unwrap_or_default();
        let identifier = place
            .value
            .get("$id")
            .and_then(Value::as_str)
            .map(|identifier| identifier.trim_end_matches('#'))
            .filter(|identifier| !identifier.is_empty());
        let resource = match identifier {
            Some(identifier) => {
                let uri = absolute(self.bases.get(&outer).map_or("", String::as_str), identifier);
                self.identifiers.entry(uri.clone()).or_insert(index);
                self.bases.insert(index, uri);
                index
            }
            None => outer,
        };
        self.resources.push(resource);
        for keyword in ["$anchor", "$dynamicAnchor"] {
            if let Some(name) = place.value.get(keyword).and_then(Value::as_str) {
                self.anchors.entry((resource, name)).or_insert(index);
            }
        }
    }

    /// The target of a reference in the schema at the pointer `from`.
    pub fn resolve(&self, from: &str, reference: &str) -> Target<'a> {
        let from = self.by_pointer.get(from).copied().unwrap_or_default();
        let resource = self.resources.get(from).copied().unwrap_or_default();
        let (address, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let resource = match address {
            "" => resource,
            _ => {
                let uri = absolute(self.bases.get(&resource).map_or("", String::as_str), address);
                match self.identifiers.get(&uri) {
                    Some(resource) => *resource,
                    None if is_meta_schema(&uri) => return Target::MetaSchema,
                    None => return Target::Remote,
                }
            }
        };
        let Some(base) = self.places.get(resource) else { return Target::Missing };
        let fragment = percent_encoding::percent_decode_str(fragment).decode_utf8_lossy();
        let pointer = match fragment.starts_with('/') {
            true => format!("{}{fragment}", base.pointer),
            false if fragment.is_empty() => base.pointer.clone(),
            false => match self
                .anchors
                .get(&(resource, fragment.as_ref()))
                .and_then(|index| self.places.get(*index))
            {
                Some(place) => place.pointer.clone(),
                None => return Target::Missing,
            },
        };
        match self.root.pointer(&pointer) {
            Some(schema @ (Value::Object(_) | Value::Bool(_))) => Target::Found { pointer, schema },
            Some(_) => Target::NotASchema { pointer },
            None => Target::Missing,
        }
    }

    /// The schema to which `schema` (at `pointer`) resolves: itself, or the final target of its
    /// `$ref`s.
    pub fn follow(&self, pointer: &str, schema: &'a Value) -> (String, &'a Value) {
        const LONGEST: usize = 32;
        let mut at = (pointer.to_string(), schema);
        for _ in 0..LONGEST {
            let Some(reference) = at.1.get("$ref").and_then(Value::as_str) else { break };
            match self.resolve(&at.0, reference) {
                Target::Found { pointer, schema } => at = (pointer, schema),
                _ => break,
            }
        }
        at
    }

    /// The schema, rewritten for the place `to` (a pointer) in another one, and its definitions,
    /// which belong at the root of the other one.
    pub fn moved(&self, to: &str) -> (Value, Map<String, Value>) {
        const DEFINITIONS: [&str; 2] = ["$defs", "definitions"];
        let mut moved = self.root.clone();
        let has_base = self.root.get("$id").is_some();
        let own = self.places.iter().zip(&self.resources).filter(|(_, of)| **of == 0 && !has_base);
        for (place, _) in own {
            for keyword in ["$ref", "$dynamicRef"] {
                let written = place.value.get(keyword).and_then(Value::as_str);
                let Some(rest) = written.and_then(|text| text.strip_prefix('#')) else { continue };
                let is_defined = || {
                    let first = rest.split('/').nth(1).unwrap_or_default();
                    DEFINITIONS.contains(&first)
                };
                if (rest.is_empty() || rest.starts_with('/'))
                    && !is_defined()
                    && let Some(entry) = moved.pointer_mut(&place.pointer)
                {
                    entry[keyword] = Value::from(format!("#{to}{rest}"));
                }
            }
        }
        let mut definitions = Map::new();
        if let Some(entries) = moved.as_object_mut().filter(|_| !has_base) {
            for keyword in DEFINITIONS {
                let taken = entries.shift_remove(keyword);
                definitions.extend(taken.map(|taken| (keyword.to_owned(), taken)));
            }
        }
        (moved, definitions)
    }

    /// All valid references, as most schemas write them: `#/$defs/name`, `#name`.
    pub fn candidates(&self) -> Vec<String> {
        let named = self
            .places
            .iter()
            .filter(|place| matches!(place.keyword, "$defs" | "definitions"))
            .map(|place| {
                format!("#{}", percent_encoding::utf8_percent_encode(&place.pointer, ESCAPED))
            });
        let mut anchors: Vec<String> = self
            .anchors
            .keys()
            .filter(|(resource, _)| *resource == 0)
            .map(|(_, name)| format!("#{name}"))
            .collect();
        anchors.sort();
        named.chain(anchors).collect()
    }

    pub(super) fn index(&self, pointer: &str) -> Option<usize> {
        self.by_pointer.get(pointer).copied()
    }
}

/// Characters that a fragment can't contain.
pub(super) const ESCAPED: &percent_encoding::AsciiSet = &percent_encoding::CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Whether the URI names a meta-schema.
fn is_meta_schema(uri: &str) -> bool {
    let rest =
        uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://")).unwrap_or_default();
    rest.starts_with("json-schema.org/draft")
}

/// A URI reference, resolved against a base URI. Paths with `..` are not resolved: self-contained
/// schemas don't need them.
fn absolute(base: &str, reference: &str) -> String {
    let scheme = |uri: &str| {
        uri.find(':').filter(|&colon| {
            colon > 0
                && uri
                    .bytes()
                    .take(colon)
                    .all(|byte| byte.is_ascii_alphanumeric() || b"+.-".contains(&byte))
        })
    };
    let reference = reference.strip_prefix("./").unwrap_or(reference);
    if scheme(reference).is_some() || base.is_empty() {
        return reference.to_string();
    }
    let authority = base.find("://").map_or(0, |at| at + 3);
    let path = base
        .get(authority..)
        .and_then(|rest| rest.find('/'))
        .map_or(base.len(), |at| authority + at);
    let kept = match reference.starts_with('/') {
        true => path,
        false => base.rfind('/').filter(|&at| at >= path).map_or(path, |at| at + 1),
    };
    let slash = if kept == base.len()
        && authority > 0
        && !reference.starts_with('/')
        && !base.ends_with('/')
    {
        "/"
    } else {
        ""
    };
    format!("{}{slash}{reference}", base.get(..kept).unwrap_or_default())
}
