//! The thing at a location in front matter, for hover, definition and other features.

use serde_json::Value;

use super::field::{CONFIG_FIELDS, FIELDS, Key, SERVER_FIELDS, find};
use super::program::{Header, Import};
use crate::schema::{self, Keyword, Shape, pointer};
use crate::text::Span;
use crate::yaml::{self, Kind, Node, Side, Step};

/// A thing and its span in the document.
pub struct Spot<'a> {
    pub span: Span,
    pub what: What<'a>,
}

/// A thing that has a hover.
pub enum What<'a> {
    /// A top-level key.
    Field(&'static Key),
    /// The value of `name`.
    Name,
    /// A key of a server.
    ServerField(&'static Key),
    /// The name of a server.
    ServerName(&'a str),
    Transport(&'a str),
    Import(&'a Import),
    /// `*name`, and its target.
    Alias(&'a str, Option<&'a Node>),
    Keyword(&'static Keyword),
    /// A key of a schema that isn't a keyword.
    OtherKeyword(&'a str),
    /// A property, pattern or definition: its schema's field and pointer.
    Property {
        name: &'a str,
        field: &'static str,
        pointer: String,
    },
    /// A name in `required` or `dependentRequired`: the same.
    PropertyName {
        name: &'a str,
        field: &'static str,
        pointer: String,
    },
    Type(schema::Type),
    Format(&'static schema::FormatName),
    /// A `$ref`, in the schema at the pointer.
    Reference {
        text: &'a str,
        field: &'static str,
        pointer: String,
    },
}

/// The thing at an offset of the document.
pub fn at(header: &Header, offset: usize) -> Option<Spot<'_>> {
    let start = header.front.as_ref()?.yaml.start;
    let tree = header.tree();
    let steps = yaml::at(tree.root.as_ref()?, offset.checked_sub(start)?);
    let last = steps.last()?;
    let node = last.node();
    let span = header.absolute(&node.span);
    if span.is_empty() || !(span.start..=span.end).contains(&offset) {
        return None;
    }
    if let Kind::Alias(name) = &node.kind {
        let target = tree.anchors().get(name, node.span.start);
        return Some(Spot { span, what: What::Alias(name, target) });
    }
    let what = match last {
        Step::Entry { entry, side: Side::Key } => key(&path(&steps), entry.key.as_str()?)?,
        _ => value(header, &path(&steps), node.as_str()?, &span)?,
    };
    Some(Spot { span, what })
}

/// The keys and indices that lead to the node that the last step touches.
fn path(steps: &[Step]) -> Vec<String> {
    let segment = |step: &Step| match step {
        Step::Entry { entry, .. } => entry.key.as_str().unwrap_or_default().to_owned(),
        Step::Item { index, .. } => index.to_string(),
    };
    steps.iter().map(segment).collect()
}

fn key<'a>(path: &[String], name: &'a str) -> Option<What<'a>> {
    let parts: Vec<&str> = path.iter().map(String::as_str).collect();
    match parts.as_slice() {
        [_] => find(FIELDS, name).map(What::Field),
        ["config", _] => find(CONFIG_FIELDS, name).map(What::Field),
        ["mcp_servers", _, _] => find(SERVER_FIELDS, name).map(What::ServerField),
        [field @ ("input" | "output"), inside @ .., _] => {
            let field = find(FIELDS, field)?.name;
            let position = schema::context(inside)?;
            match position.shape {
                Shape::Schema => {
                    Some(schema::keyword(name).map_or(What::OtherKeyword(name), What::Keyword))
                }
                Shape::SchemaMap | Shape::PatternMap | Shape::Dependencies => {
                    Some(What::Property {
                        name,
                        field,
                        pointer: pointer::join(&pointer::from_path(inside), name),
                    })
                }
                Shape::NamesMap => Some(What::PropertyName {
                    name,
                    field,
                    pointer: pointer::join(&position.properties(), name),
                }),
                _ => None,
            }
        }
        _ => None,
    }
}

fn value<'a>(header: &'a Header, path: &[String], text: &'a str, span: &Span) -> Option<What<'a>> {
    let parts: Vec<&str> = path.iter().map(String::as_str).collect();
    match parts.as_slice() {
        ["name"] => Some(What::Name),
        ["imports", _] => {
            header.imports.iter().find(|import| import.span == *span).map(What::Import)
        }
        ["mcp_servers", _, "name"] => Some(What::ServerName(text)),
        ["mcp_servers", _, "transport"] => Some(What::Transport(text)),
        [field @ ("input" | "output"), inside @ ..] => {
            let field = find(FIELDS, field)?.name;
            let position = schema::context(inside)?;
            match position.shape {
                Shape::Types | Shape::TypeName => schema::Type::named(text).map(What::Type),
                Shape::Format => schema::format_name(text).map(What::Format),
                Shape::Name => Some(What::PropertyName {
                    name: text,
                    field,
                    pointer: pointer::join(&position.properties(), text),
                }),
                Shape::Reference => Some(What::Reference { text, field, pointer: position.schema }),
                _ => None,
            }
        }
        _ => None,
    }
}

impl Header {
    /// `input` or `output` as JSON.
    pub(super) fn schema_value(&self, field: &str) -> Option<&Value> {
        self.schemas().each().find(|(name, _)| *name == field).map(|(_, schema)| &schema.value)
    }

    /// The location of something in `input` or `output` in the document: its key, if it has one,
    /// and its value.
    pub(super) fn locate(&self, field: &str, inside: &str) -> Option<(Option<Span>, Span)> {
        let tree = self.tree();
        let anchors = tree.anchors();
        let target = yaml::locate(tree.root.as_ref()?, &format!("/{field}{inside}"), &anchors)?;
        Some((target.key.map(|key| self.absolute(&key)), self.absolute(&target.value)))
    }
}
