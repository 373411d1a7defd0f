//! Finds the references to a subject in schemas.

use std::collections::BTreeSet;

use super::values::Values;
use super::{Mention, MentionKind, Subject, SubjectKind};
use crate::format::markdownlang::Program;
use crate::format::markdownlang::read::entries;
use crate::schema::{Companions, Descent, pointer};
use crate::text::Span;
use crate::yaml::{Anchors, Entry, Kind, Mapping, Node};

/// The places of a name in one YAML document.
pub struct Names<'t> {
    pub name: String,
    pub anchors: Anchors<'t>,
    /// The start of the YAML in its document.
    pub start: usize,
    pub found: Vec<Mention>,
    /// The objects of values that have the name as a key.
    pub objects: Vec<&'t Node>,
}

impl<'t> Names<'t> {
    pub fn new(name: &str, anchors: Anchors<'t>, start: usize) -> Self {
        Self { name: name.to_owned(), anchors, start, found: Vec::new(), objects: Vec::new() }
    }

    /// The keys of a mapping that are the name.
    pub fn keys(&mut self, node: &'t Node, declares: bool) {
        let Kind::Mapping(mapping) = &node.kind else { return };
        for entry in entries(mapping, &self.anchors) {
            let flow = is_flow(mapping, entry, &self.anchors);
            self.name(&entry.key, declares, flow);
        }
    }

    /// The same in an object of a value.
    pub fn object(&mut self, node: &'t Node) {
        let before = self.found.len();
        self.keys(node, false);
        if self.found.len() > before {
            self.objects.push(node);
        }
    }

    pub fn items(&mut self, node: &'t Node) {
        for item in node.as_sequence().into_iter().flat_map(|sequence| &sequence.items) {
            self.name(item, false, node.as_sequence().is_some_and(|sequence| sequence.flow));
        }
    }

    fn name(&mut self, node: &'t Node, declares: bool, flow: bool) {
        if self.anchors.follow(node).and_then(Node::as_str) != Some(&self.name) {
            return;
        }
        let kind = match &node.kind {
            Kind::Scalar(scalar) => MentionKind::Scalar { declares, style: scalar.style, flow },
            _ => MentionKind::Alias,
        };
        self.push(node, kind);
    }

    pub fn push(&mut self, node: &'t Node, kind: MentionKind) {
        let Span { start, end } = node.span;
        self.found.push(Mention { span: start + self.start..end + self.start, kind });
    }

    /// The other names in the objects of values that have the name.
    pub fn others(&self) -> BTreeSet<String> {
        let objects = self.objects.iter().filter_map(|node| node.as_mapping());
        let keys = objects.flat_map(|mapping| entries(mapping, &self.anchors));
        let names = keys.filter_map(|entry| entry.key.as_str().map(str::to_owned));
        names.filter(|name| *name != self.name).collect()
    }
}

/// Finds the references to a subject in the front matter.
pub struct Finder<'a> {
    pub subject: &'a Subject,
    pub program: &'a Program,
    pub names: Names<'a>,
}

impl<'a> Finder<'a> {
    pub fn new(subject: &'a Subject, program: &'a Program) -> Self {
        let start = program.absolute(&(0..0)).start;
        let names = Names::new(&subject.name, program.tree().anchors(), start);
        Self { subject, program, names }
    }

    fn node(&self, field: &str, at: &str) -> Option<&'a Node> {
        let root = self.program.tree().root.as_ref()?;
        Some(crate::yaml::locate(root, &format!("/{field}{at}"), &self.names.anchors)?.node)
    }

    /// The names in the schemas, and in values that they describe.
    pub fn schemas(&mut self) {
        match &self.subject.kind {
            SubjectKind::Property(holders) => {
                for (field, holder) in holders {
                    self.holder(field, holder);
                }
                let fields: BTreeSet<&'static str> =
                    holders.iter().map(|(field, _)| *field).collect();
                fields.into_iter().for_each(|field| self.values(field));
            }
            SubjectKind::Definition(at) => {
                let map = pointer::split_last(at).map(|(map, _)| map);
                let node = map.and_then(|map| self.node(self.subject.field, map));
                node.into_iter().for_each(|node| self.names.keys(node, true));
            }
        }
    }

    /// The references to the property in one schema.
    fn holder(&mut self, field: &str, holder: &str) {
        let Some(Kind::Mapping(mapping)) = self.node(field, holder).map(|node| &node.kind) else {
            return;
        };
        for entry in entries(mapping, &self.names.anchors) {
            let Some(value) = self.names.anchors.follow(&entry.value) else { continue };
            match entry.key.as_str() {
                Some("properties") => self.names.keys(value, true),
                Some("dependentSchemas") => self.names.keys(value, false),
                Some("required") => self.names.items(value),
                Some("dependentRequired" | "dependencies") => {
                    self.names.keys(value, false);
                    let lists = value
                        .as_mapping()
                        .into_iter()
                        .flat_map(|mapping| entries(mapping, &self.names.anchors));
                    let lists: Vec<&Node> =
                        lists.filter_map(|entry| self.names.anchors.follow(&entry.value)).collect();
                    lists.into_iter().for_each(|list| self.names.items(list));
                }
                _ => {}
            }
        }
    }

    /// The keys of the values that a field describes.
    fn values(&mut self, field: &'static str) {
        let Some(root) = self.program.schema_value(field) else { return };
        let companions = Companions::new(root);
        let descent = Descent::new(&companions);
        let tree = self.program.tree().root.as_ref();
        let anchors = self.names.anchors.clone();
        let mut values = Values::new(self.subject, field, &descent, &mut self.names);
        values.schemas(&companions, |at| {
            Some(crate::yaml::locate(tree?, &format!("/{field}{at}"), &anchors)?.node)
        });
        let Some(tree) = tree else { return };
        if field == "input" {
            values.root(tree, "sample");
        }
        let tests = crate::format::markdownlang::suite::FIELD;
        if let Some(cases) =
            self.program.entry(tests).and_then(|entry| anchors.follow(&entry.value))
        {
            values.cases(cases);
        }
    }

    /// The `$ref`s that lead through the name.
    pub fn references(&mut self) {
        let mut names: Vec<(&str, String)> = Vec::new();
        match &self.subject.kind {
            SubjectKind::Definition(at) => names.push((self.subject.field, at.clone())),
            SubjectKind::Property(holders) => {
                names.extend(holders.iter().map(|(field, holder)| {
                    let properties = pointer::join(holder, "properties");
                    (*field, pointer::join(&properties, &self.subject.name))
                }))
            }
        }
        for field in ["input", "output"] {
            let own = || names.iter().filter(|(other, _)| *other == field);
            let Some(root) = self.program.schema_value(field).filter(|_| own().next().is_some())
            else {
                continue;
            };
            for (holder, text, target) in Companions::new(root).references() {
                let through = |name: &&(&str, String)| {
                    target
                        .strip_prefix(name.1.as_str())
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                };
                // `#name` and the like don't contain the name.
                let written =
                    text.split_once('#').is_some_and(|(_, fragment)| fragment.starts_with('/'));
                for (_, name) in own().filter(through).filter(|_| written) {
                    let Some(node) = self.node(field, &pointer::join(holder, "$ref")) else {
                        continue;
                    };
                    let Kind::Scalar(scalar) = &node.kind else { continue };
                    let kind = MentionKind::Reference {
                        text: text.to_owned(),
                        target: target.clone(),
                        depth: pointer::to_path(name).len().saturating_sub(1),
                        style: scalar.style,
                        // A reference begins with `#`, so it is always quoted.
                        flow: true,
                    };
                    self.names.push(node, kind);
                }
            }
        }
    }
}

/// Whether an entry is between brackets: in this mapping, or in one that is merged into it.
fn is_flow(mapping: &Mapping, entry: &Entry, anchors: &Anchors) -> bool {
    let own = |mapping: &Mapping| mapping.entries.iter().any(|other| std::ptr::eq(other, entry));
    let merged = || {
        anchors
            .merged(mapping)
            .into_iter()
            .filter_map(Node::as_mapping)
            .find(|mapping| own(mapping))
            .is_some_and(|mapping| mapping.flow)
    };
    if own(mapping) { mapping.flow } else { merged() }
}
