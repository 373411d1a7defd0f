//! A name in a schema with all its references: a property with its keys, `required` and the uses in
//! the body, or a definition with its `$ref`s.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::spot::{self, What};
use super::template::uses::{self, Used};
use super::{Program, suite};
use crate::format::Context;
use crate::schema::{Companions, Descent, References, Target, pointer};
use crate::source::Source;
use crate::text::Span;
use crate::yaml::{self, Node, Style};
use finder::{Finder, Names};

mod finder;
mod values;

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
    /// A key of the objects that these schemas describe: their fields and pointers.
    Property(BTreeSet<(&'static str, String)>),
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
    /// A JSON Pointer to a part of an output, and its steps that are the name.
    Pointer { text: String, depths: Vec<usize>, style: Style },
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
    /// The property with this name in the schema `holder`, in all schemas of the same object, in
    /// those that the same words of the body read, and in those that share a name through an alias.
    fn property(
        program: &Program,
        cx: &Context,
        field: &'static str,
        holder: &str,
        name: &str,
    ) -> Option<Self> {
        let companions = |field| Some(Companions::new(program.schema_value(field)?));
        let own = companions(field)?;
        let of = |companions: &Companions, field: &'static str, holder: &str| {
            let holders = companions.of(holder).into_iter();
            holders.map(|holder| (field, holder)).collect::<BTreeSet<_>>()
        };
        let mut holders = of(&own, field, holder);
        let mut unions: Vec<BTreeSet<(&'static str, String)>> = Vec::new();
        let input = companions("input");
        if let Some(input) = &input {
            for used in uses::all(program, cx) {
                let here = used
                    .places
                    .iter()
                    .filter_map(|place| property_of(place))
                    .filter(|(_, other)| other == name);
                let set: BTreeSet<(&'static str, String)> =
                    here.flat_map(|(holder, _)| of(input, "input", holder)).collect();
                if !set.is_empty() && !unions.contains(&set) {
                    unions.push(set);
                }
            }
        }
        let mut shared = Vec::new();
        if program.tree().anchors().iter().next().is_some() {
            let output = companions("output");
            let fields = [("input", &input), ("output", &output)];
            for (field, companions) in
                fields.into_iter().filter_map(|(field, known)| Some((field, known.as_ref()?)))
            {
                let mut sets: Vec<BTreeSet<(&'static str, String)>> = Vec::new();
                for holder in values::naming(companions, name) {
                    if !sets.iter().any(|set| set.contains(&(field, holder.to_owned()))) {
                        sets.push(of(companions, field, holder));
                    }
                }
                shared.extend(sets);
            }
        }
        let spans = |holders: &BTreeSet<(&'static str, String)>| {
            let kind = SubjectKind::Property(holders.clone());
            let subject = Self { field, name: name.to_owned(), kind };
            let mut finder = Finder::new(&subject, program);
            finder.schemas();
            values::spans(&finder.names.found)
        };
        let mut shared: Vec<_> = shared.into_iter().map(|set| (spans(&set), set)).collect();
        loop {
            // If one word reads two objects, they share the property; each may add further schemas.
            if let Some(index) = unions.iter().position(|union| !union.is_disjoint(&holders)) {
                holders.extend(unions.swap_remove(index));
                continue;
            }
            shared.retain(|(_, set)| !set.is_subset(&holders));
            if shared.is_empty() {
                break;
            }
            let known = spans(&holders);
            let Some(index) = shared.iter().position(|(spans, _)| !spans.is_disjoint(&known))
            else {
                break;
            };
            holders.extend(shared.swap_remove(index).1);
        }
        (!holders.is_empty()).then(|| Self {
            field,
            name: name.to_owned(),
            kind: SubjectKind::Property(holders),
        })
    }

    /// The pointers of the schemas in a field that describe the objects with the property.
    fn holders(&self, field: &'static str) -> impl Iterator<Item = &str> {
        let holders = match &self.kind {
            SubjectKind::Property(holders) => Some(holders),
            SubjectKind::Definition(_) => None,
        };
        let own = holders.into_iter().flatten().filter(move |(other, _)| *other == field);
        own.map(|(_, holder)| holder.as_str())
    }

    /// Whether another name exists in the same object or among the same definitions.
    pub fn is_taken(&self, program: &Program, name: &str) -> bool {
        let value =
            |field: &str, at: &str| program.schema_value(field).and_then(|root| root.pointer(at));
        let listed = |field: &str, at: &str| {
            value(field, at)
                .and_then(|list| list.as_array())
                .is_some_and(|list| list.iter().any(|item| item == name))
        };
        match &self.kind {
            SubjectKind::Property(holders) => holders.iter().any(|(field, holder)| {
                value(field, &pointer::join(&pointer::join(holder, "properties"), name)).is_some()
                    || listed(field, &pointer::join(holder, "required"))
            }),
            SubjectKind::Definition(at) => pointer::split_last(at)
                .is_some_and(|(map, _)| value(self.field, &pointer::join(map, name)).is_some()),
        }
    }

    /// Whether a use in the body reads the subject.
    fn is_read_by(&self, used: &Used) -> bool {
        let SubjectKind::Property(holders) = &self.kind else { return false };
        let places = used.places.iter().filter_map(|place| property_of(place));
        places.into_iter().any(|(holder, name)| {
            name == self.name && holders.contains(&("input", holder.to_owned()))
        })
    }

    /// Every reference to the subject in the program, in order.
    pub fn mentions(&self, program: &Program, cx: &Context) -> Vec<Mention> {
        let mut finder = Finder::new(self, program);
        finder.schemas();
        finder.references();
        let mut found = finder.names.found;
        let read = uses::all(program, cx).into_iter().filter(|used| self.is_read_by(used));
        found.extend(read.map(|used| Mention {
            span: used.span,
            kind: MentionKind::Use { quoted: used.quoted },
        }));
        in_order(found)
    }

    /// Those in the test files next to the program.
    pub fn elsewhere(&self, program: &Program, cx: &Context) -> Vec<Elsewhere> {
        let Some(path) = cx.path else { return Vec::new() };
        let files = suite::of_program(path).filter_map(|file| {
            let source = cx.world.look(&file).ok()?;
            let tree = yaml::parse(&source.text().to_string());
            let root = tree.root.as_ref()?.as_mapping()?;
            let named = root.get("program").and_then(|entry| entry.value.as_str());
            let anchors = tree.anchors();
            let cases = anchors.follow(&root.get("cases")?.value)?;
            if suite::program_of(&file, named) != path {
                return None;
            }
            let mut names = Names::new(&self.name, anchors.clone(), 0);
            self.in_cases(program, cases, &mut names);
            let others = names.others();
            let mentions = in_order(names.found);
            (!mentions.is_empty()).then(|| Elsewhere { path: file, source, mentions, others })
        });
        files.collect()
    }

    fn in_cases<'t>(&self, program: &Program, cases: &'t Node, names: &mut Names<'t>) {
        for field in ["input", "output"] {
            let Some(root) =
                program.schema_value(field).filter(|_| self.holders(field).next().is_some())
            else {
                continue;
            };
            let companions = Companions::new(root);
            let descent = Descent::new(&companions);
            values::Values::new(self, field, &descent, names).cases(cases);
        }
    }

    /// Whether a value in the program that has the property has another name, too.
    pub fn is_taken_in_values(&self, program: &Program, name: &str) -> bool {
        let mut finder = Finder::new(self, program);
        finder.schemas();
        finder.names.others().contains(name)
    }
}

/// The references in another file.
#[derive(Debug)]
pub struct Elsewhere {
    pub path: PathBuf,
    pub source: Source,
    pub mentions: Vec<Mention>,
    /// The other names in the objects that have the property.
    pub others: BTreeSet<String>,
}

fn in_order(mut found: Vec<Mention>) -> Vec<Mention> {
    found.sort_by_key(|mention| (mention.span.start, mention.span.end));
    found.dedup_by(|next, kept| next.span == kept.span);
    found
}
