//! A name in a schema with all its references: a property with its keys, `required` and the uses in
//! the body, or a definition with its `$ref`s.

use std::collections::BTreeSet;

use super::Program;
use super::read::entries;
use super::spot::{self, What};
use super::template::uses::{self, Used};
use crate::format::Context;
use crate::schema::{Companions, References, Target, pointer};
use crate::text::Span;
use crate::yaml::{Anchors, Entry, Kind, Mapping, Node, Style};

/// A property or a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// `input` or `output`.
    pub field: &'static str,
    pub name: String,
    pub kind: SubjectKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubjectKind {
    /// A key of the object that these schemas describe: their pointers.
    Property(BTreeSet<String>),
    /// An entry of `$defs`: its own pointer.
    Definition(String),
}

/// A reference to a subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// In the document; for a quoted name, including its quotes.
    pub span: Span,
    pub kind: MentionKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MentionKind {
    /// A scalar in YAML; between brackets, if it is `flow`. `declares` if it is the key of a
    /// schema.
    Scalar { declares: bool, style: Style, flow: bool },
    /// A YAML alias of a name, which can't be edited here.
    Alias,
    /// A `$ref` with its text, its target pointer, and the step of the pointer that is the name.
    Reference { text: String, target: String, depth: usize, style: Style, flow: bool },
    /// In the body, after a dot or in quotes. The span is the name alone.
    Use { quoted: bool },
}

/// The subject at an offset, and the span of its name there, including quotes.
pub fn at(program: &Program, cx: &Context, offset: usize) -> Option<(Subject, Span)> {
    if let Some(used) = uses::at(program, cx, offset) {
        let (holder, name) = used.places.iter().find_map(|place| property_of(place))?;
        return Some((Subject::property(program, cx, "input", holder, &name)?, used.span));
    }
    let spot = spot::at(program, offset)?;
    let (field, at) = match spot.what {
        What::Property { field, pointer, .. } | What::PropertyName { field, pointer, .. } => {
            (field, pointer)
        }
        What::Reference { text, field, pointer } => {
            match References::new(program.schema_value(field)?).resolve(&pointer, text) {
                Target::Found { pointer, .. } => (field, pointer),
                _ => return None,
            }
        }
        _ => return None,
    };
    let (map, name) = pointer::split_last(&at)?;
    let (holder, keyword) = pointer::split_last(map)?;
    let subject = match keyword.as_str() {
        "properties" | "dependentSchemas" | "dependencies" => {
            Subject::property(program, cx, field, holder, &name)?
        }
        "$defs" | "definitions" => Subject { field, name, kind: SubjectKind::Definition(at) },
        _ => return None,
    };
    Some((subject, spot.span))
}

/// The schema that declares a property, and its name; `None` for pointers to anything else.
pub fn property_of(at: &str) -> Option<(&str, String)> {
    let (map, name) = pointer::split_last(at)?;
    let (holder, keyword) = pointer::split_last(map)?;
    (keyword == "properties").then_some((holder, name))
}

impl Subject {
    /// The property with this name in the schema `holder`, in all schemas of the same object, and
    /// in those that the same words of the body read.
    fn property(
        program: &Program,
        cx: &Context,
        field: &'static str,
        holder: &str,
        name: &str,
    ) -> Option<Self> {
        let companions = Companions::new(program.schema_value(field)?);
        let mut holders = companions.of(holder);
        let mut unions: Vec<BTreeSet<String>> = Vec::new();
        if field == "input" {
            for used in uses::all(program, cx) {
                let here = used
                    .places
                    .iter()
                    .filter_map(|place| property_of(place))
                    .filter(|(_, other)| other == name);
                let set: BTreeSet<String> =
                    here.flat_map(|(holder, _)| companions.of(holder)).collect();
                if !set.is_empty() && !unions.contains(&set) {
                    unions.push(set);
                }
            }
        }
        // If one word reads two objects, they share the property; each may add further schemas.
        while let Some(index) = unions.iter().position(|union| !union.is_disjoint(&holders)) {
            holders.extend(unions.swap_remove(index));
        }
        (!holders.is_empty()).then(|| Self {
            field,
            name: name.to_owned(),
            kind: SubjectKind::Property(holders),
        })
    }

    /// Whether another name exists in the same object or among the same definitions.
    pub fn is_taken(&self, program: &Program, name: &str) -> bool {
        let Some(root) = program.schema_value(self.field) else { return false };
        let has = |at: &str| root.pointer(at).is_some();
        let listed = |at: &str| {
            root.pointer(at)
                .and_then(|list| list.as_array())
                .is_some_and(|list| list.iter().any(|item| item == name))
        };
        match &self.kind {
            SubjectKind::Property(holders) => holders.iter().any(|holder| {
                has(&pointer::join(&pointer::join(holder, "properties"), name))
                    || listed(&pointer::join(holder, "required"))
            }),
            SubjectKind::Definition(at) => {
                pointer::split_last(at).is_some_and(|(map, _)| has(&pointer::join(map, name)))
            }
        }
    }

    /// Whether a use in the body reads the subject.
    fn is_read_by(&self, used: &Used) -> bool {
        let SubjectKind::Property(holders) = &self.kind else { return false };
        let places = used.places.iter().filter_map(|place| property_of(place));
        self.field == "input"
            && places
                .into_iter()
                .any(|(holder, name)| name == self.name && holders.contains(holder))
    }

    /// Every reference to the subject, in order.
    pub fn mentions(&self, program: &Program, cx: &Context) -> Vec<Mention> {
        let tree = program.tree();
        let mut finder =
            Finder { subject: self, program, anchors: tree.anchors(), found: Vec::new() };
        finder.schemas();
        finder.references();
        let mut found = finder.found;
        let read = uses::all(program, cx).into_iter().filter(|used| self.is_read_by(used));
        found.extend(read.map(|used| Mention {
            span: used.span,
            kind: MentionKind::Use { quoted: used.quoted },
        }));
        found.sort_by_key(|mention| (mention.span.start, mention.span.end));
        found.dedup_by(|next, kept| next.span == kept.span);
        found
    }
}

/// A step from a value to one inside it.
enum Step {
    Property(String),
    Items,
}

/// The way to the values of a schema; `None` if it leads through anything but properties and items.
fn steps(holder: &str) -> Option<Vec<Step>> {
    let mut found = Vec::new();
    let mut words = pointer::to_path(holder).into_iter();
    while let Some(word) = words.next() {
        found.push(match word.as_str() {
            "properties" => Step::Property(words.next()?),
            "items" => Step::Items,
            _ => return None,
        });
    }
    Some(found)
}

struct Finder<'a> {
    subject: &'a Subject,
    program: &'a Program,
    anchors: Anchors<'a>,
    found: Vec<Mention>,
}

impl<'a> Finder<'a> {
    fn node(&self, at: &str) -> Option<&'a Node> {
        let root = self.program.tree().root.as_ref()?;
        Some(
            crate::yaml::locate(root, &format!("/{}{at}", self.subject.field), &self.anchors)?.node,
        )
    }

    fn schemas(&mut self) {
        match &self.subject.kind {
            SubjectKind::Property(holders) => {
                for holder in holders {
                    self.holder(holder);
                    self.values(holder);
                }
            }
            SubjectKind::Definition(at) => {
                let node = pointer::split_last(at).and_then(|(map, _)| self.node(map));
                node.into_iter().for_each(|node| self.keys(node, true));
            }
        }
    }

    /// The references to the property in one schema.
    fn holder(&mut self, holder: &str) {
        let Some(Kind::Mapping(mapping)) = self.node(holder).map(|node| &node.kind) else { return };
        for entry in entries(mapping, &self.anchors) {
            let Some(value) = self.anchors.follow(&entry.value) else { continue };
            match entry.key.as_str() {
                Some("properties") => self.keys(value, true),
                Some("dependentSchemas") => self.keys(value, false),
                Some("required") => self.items(value),
                Some("dependentRequired" | "dependencies") => {
                    self.keys(value, false);
                    let lists = value
                        .as_mapping()
                        .into_iter()
                        .flat_map(|mapping| entries(mapping, &self.anchors));
                    let lists: Vec<&Node> =
                        lists.filter_map(|entry| self.anchors.follow(&entry.value)).collect();
                    lists.into_iter().for_each(|list| self.items(list));
                }
                _ => {}
            }
        }
    }

    /// The keys of the values that a schema describes: defaults, examples, the sample, the inputs
    /// of tests.
    fn values(&mut self, holder: &str) {
        let Some(path) = steps(holder) else { return };
        let anchors = &self.anchors;
        let field = |node: &'a Node, key: &str| {
            let entry = entries(node.as_mapping()?, anchors)
                .into_iter()
                .find(|entry| entry.key.as_str() == Some(key))?;
            anchors.follow(&entry.value)
        };
        let items = |node: &'a Node| {
            let items = node.as_sequence().into_iter().flat_map(|sequence| &sequence.items);
            items.filter_map(|item| anchors.follow(item))
        };
        // The values, and the rest of the way to the object.
        let mut found: Vec<(&'a Node, &[Step])> = Vec::new();
        let mut schema = String::new();
        for depth in 0..=path.len() {
            let rest = path.get(depth..).unwrap_or_default();
            if let Some(node) = self.node(&schema) {
                found.extend(field(node, "default").map(|value| (value, rest)));
                let examples = field(node, "examples").into_iter().flat_map(items);
                found.extend(examples.map(|value| (value, rest)));
            }
            match rest.first() {
                Some(Step::Property(name)) => {
                    schema = pointer::join(&pointer::join(&schema, "properties"), name);
                }
                Some(Step::Items) => schema = pointer::join(&schema, "items"),
                None => {}
            }
        }
        if let Some(root) =
            self.program.tree().root.as_ref().filter(|_| self.subject.field == "input")
        {
            found.extend(field(root, "sample").map(|value| (value, path.as_slice())));
            let tests = field(root, super::suite::FIELD).into_iter().flat_map(items);
            let inputs = tests.filter_map(|test| field(test, "input"));
            found.extend(inputs.map(|value| (value, path.as_slice())));
        }
        let mut objects: Vec<&'a Node> = Vec::new();
        while let Some((value, rest)) = found.pop() {
            match rest.split_first() {
                None => objects.push(value),
                Some((Step::Property(name), rest)) => {
                    found.extend(field(value, name).map(|value| (value, rest)));
                }
                Some((Step::Items, rest)) => found.extend(items(value).map(|value| (value, rest))),
            }
        }
        objects.into_iter().for_each(|object| self.keys(object, false));
    }

    /// The keys of a mapping that are the name.
    fn keys(&mut self, node: &'a Node, declares: bool) {
        let Kind::Mapping(mapping) = &node.kind else { return };
        for entry in entries(mapping, &self.anchors) {
            let flow = is_flow(mapping, entry, &self.anchors);
            self.name(&entry.key, declares, flow);
        }
    }

    fn items(&mut self, node: &'a Node) {
        for item in node.as_sequence().into_iter().flat_map(|sequence| &sequence.items) {
            self.name(item, false, node.as_sequence().is_some_and(|sequence| sequence.flow));
        }
    }

    fn name(&mut self, node: &'a Node, declares: bool, flow: bool) {
        if self.anchors.follow(node).and_then(Node::as_str) != Some(&self.subject.name) {
            return;
        }
        let kind = match &node.kind {
            Kind::Scalar(scalar) => MentionKind::Scalar { declares, style: scalar.style, flow },
            _ => MentionKind::Alias,
        };
        self.found.push(Mention { span: self.program.absolute(&node.span), kind });
    }

    /// The `$ref`s that lead through the name.
    fn references(&mut self) {
        let Some(root) = self.program.schema_value(self.subject.field) else { return };
        let names: Vec<String> = match &self.subject.kind {
            SubjectKind::Definition(at) => vec![at.clone()],
            SubjectKind::Property(holders) => holders
                .iter()
                .map(|holder| {
                    pointer::join(&pointer::join(holder, "properties"), &self.subject.name)
                })
                .collect(),
        };
        for (holder, text, target) in Companions::new(root).references() {
            let through = |name: &&String| {
                target
                    .strip_prefix(name.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            // `#name` and the like don't contain the name.
            let written =
                text.split_once('#').is_some_and(|(_, fragment)| fragment.starts_with('/'));
            for name in names.iter().filter(through).filter(|_| written) {
                let Some(node) = self.node(&pointer::join(holder, "$ref")) else { continue };
                let Kind::Scalar(scalar) = &node.kind else { continue };
                let kind = MentionKind::Reference {
                    text: text.to_owned(),
                    target: target.clone(),
                    depth: pointer::to_path(name).len().saturating_sub(1),
                    style: scalar.style,
                    // A reference begins with `#`, so it is always quoted.
                    flow: true,
                };
                self.found.push(Mention { span: self.program.absolute(&node.span), kind });
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
