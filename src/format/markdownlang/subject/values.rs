//! The keys of values that a schema describes: defaults, examples, the sample, and the inputs and
//! expected outputs of tests.

use std::collections::{BTreeSet, HashSet};

use serde_json::Value;

use super::finder::Names;
use super::{MentionKind, Subject};
use crate::format::markdownlang::suite::expect;
use crate::schema::{Classes, Companions, Descent, pointer};
use crate::yaml::{Entry, Kind, Node};

/// More deeply nested expectations are skipped.
const DEEPEST: usize = 32;

/// Finds the keys of a property in values.
pub struct Values<'s, 'n, 't> {
    /// `input` or `output`.
    field: &'static str,
    descent: &'s Descent<'s>,
    /// The objects that have the property.
    holders: Classes,
    names: &'n mut Names<'t>,
    /// Values with their schemas: aliases may lead to the same ones very often.
    seen: HashSet<(usize, Classes)>,
}

impl<'s, 'n, 't> Values<'s, 'n, 't> {
    pub fn new(
        subject: &Subject,
        field: &'static str,
        descent: &'s Descent<'s>,
        names: &'n mut Names<'t>,
    ) -> Self {
        let holders = subject.holders(field);
        let holders = holders.flat_map(|holder| descent.classes(holder)).collect();
        Self { field, descent, holders, names, seen: HashSet::new() }
    }

    /// The defaults, examples and constants in the schemas of the field. `node` gives the node at a
    /// pointer into them.
    pub fn schemas(&mut self, companions: &Companions, node: impl Fn(&str) -> Option<&'t Node>) {
        for (at, schema) in companions.schemas() {
            for keyword in ["default", "const", "examples", "enum"] {
                let is_collection = |value: &Value| value.is_object() || value.is_array();
                if !schema.get(keyword).is_some_and(is_collection) {
                    continue;
                }
                let Some(value) = node(&pointer::join(at, keyword)) else { continue };
                let classes = self.descent.classes(at);
                if matches!(keyword, "examples" | "enum") {
                    for item in self.items(value) {
                        self.value(item, classes.clone());
                    }
                } else {
                    self.value(value, classes);
                }
            }
        }
    }

    /// The cases of a test file, or in front matter.
    pub fn cases(&mut self, cases: &'t Node) {
        for case in self.items(cases) {
            match self.field {
                "input" => self.root(case, "input"),
                _ => {
                    if let Some(expect) = self.entry(case, "expect") {
                        self.expectation(expect, &self.descent.classes(""), 0);
                    }
                }
            }
        }
    }

    /// The value of a key that the whole schema describes.
    pub fn root(&mut self, node: &'t Node, key: &str) {
        if let Some(value) = self.entry(node, key) {
            self.value(value, self.descent.classes(""));
        }
    }

    fn expectation(&mut self, node: &'t Node, classes: &Classes, depth: usize) {
        // An alias may lead back to the mapping around it.
        if depth > DEEPEST {
            return;
        }
        for entry in self.entries(node) {
            let Some(value) = self.names.anchors.follow(&entry.value) else { continue };
            match entry.key.as_str() {
                Some("equals") => self.value(value, classes.clone()),
                Some("contains") => self.contained(value, classes),
                Some("schema") => self.described(value, classes),
                Some("at") => {
                    for entry in self.entries(value) {
                        self.place(entry, classes, depth + 1);
                    }
                }
                _ => {}
            }
        }
    }

    /// A schema that a value with these schemas must match.
    fn described(&mut self, schema: &'t Node, classes: &Classes) {
        let mut seen = HashSet::new();
        let mut open = vec![(schema, classes.clone())];
        while let Some((node, classes)) = open.pop() {
            let Some(node) = self.names.anchors.follow(node) else { continue };
            if classes.is_empty() || !seen.insert((std::ptr::from_ref(node), classes.clone())) {
                continue;
            }
            let is_holder = !classes.is_disjoint(&self.holders);
            for entry in self.entries(node) {
                let Some(value) = self.names.anchors.follow(&entry.value) else { continue };
                match entry.key.as_str() {
                    Some("properties") => {
                        if is_holder {
                            self.names.keys(value, false);
                        }
                        for entry in self.entries(value) {
                            let Some(name) = entry.key.as_str() else { continue };
                            open.push((&entry.value, self.descent.property(&classes, name)));
                        }
                    }
                    Some("required") if is_holder => self.names.items(value),
                    Some("items") => {
                        open.push((value, self.descent.item(&classes, usize::MAX)));
                    }
                    Some("allOf" | "anyOf" | "oneOf") => {
                        let items = self.items(value);
                        open.extend(items.into_iter().map(|item| (item, classes.clone())));
                    }
                    Some("not" | "if" | "then" | "else") => open.push((value, classes.clone())),
                    _ => {}
                }
            }
        }
    }

    /// The expected content of a value: several values, or one.
    fn contained(&mut self, value: &'t Node, classes: &Classes) {
        let several = matches!(value.kind, Kind::Sequence(_));
        let values = if several { self.items(value) } else { vec![value] };
        values.into_iter().for_each(|value| self.walk(value, classes.clone(), true));
    }

    /// An entry of `at`: a JSON Pointer, and the expectations there.
    fn place(&mut self, entry: &'t Entry, classes: &Classes, depth: usize) {
        let Some(written) = entry.key.as_str() else { return };
        let mut classes = classes.clone();
        let mut depths = Vec::new();
        for (index, step) in pointer::to_path(written).iter().enumerate() {
            if *step == self.names.name && !classes.is_disjoint(&self.holders) {
                depths.push(index);
            }
            classes = match step.parse() {
                Ok(index) if self.descent.property(&classes, step).is_empty() => {
                    self.descent.item(&classes, index)
                }
                _ => self.descent.property(&classes, step),
            };
        }
        if !depths.is_empty() {
            let kind = match &entry.key.kind {
                Kind::Scalar(scalar) => {
                    MentionKind::Pointer { text: written.to_owned(), depths, style: scalar.style }
                }
                _ => MentionKind::Alias,
            };
            self.names.push(&entry.key, kind);
        }
        let Some(value) = self.names.anchors.follow(&entry.value) else { return };
        let json = crate::yaml::to_json(value, &self.names.anchors).value;
        if expect::is_expectation(&json) {
            self.expectation(value, &classes, depth);
        } else {
            self.value(value, classes);
        }
    }

    /// The keys in a value with these schemas.
    fn value(&mut self, node: &'t Node, classes: Classes) {
        self.walk(node, classes, false);
    }

    /// The same; in a `part`, an object may represent an item of a list that contains it.
    fn walk(&mut self, node: &'t Node, classes: Classes, part: bool) {
        let mut open = vec![(node, classes)];
        while let Some((node, mut classes)) = open.pop() {
            let Some(node) = self.names.anchors.follow(node) else { continue };
            if part && matches!(node.kind, Kind::Mapping(_)) {
                classes.extend(self.descent.item(&classes, usize::MAX));
            }
            if classes.is_empty()
                || !self.seen.insert((std::ptr::from_ref(node) as usize, classes.clone()))
            {
                continue;
            }
            match &node.kind {
                Kind::Mapping(_) => {
                    if !classes.is_disjoint(&self.holders) {
                        self.names.object(node);
                    }
                    for entry in self.entries(node) {
                        let Some(name) = entry.key.as_str() else { continue };
                        open.push((&entry.value, self.descent.property(&classes, name)));
                    }
                }
                Kind::Sequence(sequence) => {
                    for (index, item) in sequence.items.iter().enumerate() {
                        open.push((item, self.descent.item(&classes, index)));
                    }
                }
                _ => {}
            }
        }
    }

    fn entry(&self, node: &'t Node, key: &str) -> Option<&'t Node> {
        let entries = self.entries(node);
        let entry = entries.into_iter().rev().find(|entry| entry.key.as_str() == Some(key))?;
        self.names.anchors.follow(&entry.value)
    }

    fn entries(&self, node: &'t Node) -> Vec<&'t Entry> {
        let mapping = node.as_mapping();
        mapping.map_or_else(Vec::new, |mapping| {
            crate::format::markdownlang::read::entries(mapping, &self.names.anchors)
        })
    }

    fn items(&self, node: &'t Node) -> Vec<&'t Node> {
        let items = node.as_sequence().map_or(&[][..], |sequence| &sequence.items);
        items.iter().filter_map(|item| self.names.anchors.follow(item)).collect()
    }
}

/// The pointers of the schemas that list a name among their properties or require it.
pub fn naming<'c>(
    companions: &'c Companions<'c>,
    name: &'c str,
) -> impl Iterator<Item = &'c str> + 'c {
    companions.schemas().filter_map(move |(at, schema)| {
        let has = schema.get("properties").and_then(|map| map.get(name)).is_some();
        (has || crate::schema::required(schema).any(|other| other == name)).then_some(at)
    })
}

/// The spans of some mentions, for comparing.
pub fn spans(found: &[super::Mention]) -> BTreeSet<(usize, usize)> {
    found.iter().map(|mention| (mention.span.start, mention.span.end)).collect()
}
