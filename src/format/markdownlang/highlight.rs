//! Highlights of front matter: the meanings of its words, which a YAML grammar doesn't know.

use super::Program;
use super::field::{CONFIG_FIELDS, FIELDS, SERVER_FIELDS, find};
use crate::answer::Highlight;
use crate::schema::{self, Shape};
use crate::text::Span;
use crate::yaml::{Kind, Node, ScalarType, scalar_type};

/// Deeper nodes are not highlighted.
const DEEPEST: usize = 128;

/// The highlights of the front matter that touch `span`, in order and disjoint.
pub fn highlights(program: &Program, span: &Span) -> Vec<Highlight> {
    if program.front.as_ref().is_none_or(|front| front.span.end <= span.start) {
        return Vec::new();
    }
    let tree = program.tree();
    let mut painter = Painter { program, found: Vec::new() };
    for comment in &tree.comments {
        painter.paint(comment, "comment");
    }
    if let Some(root) = &tree.root {
        painter.node(root, Meaning::Front, 0);
    }
    let mut found = painter.found;
    found.sort_by_key(|highlight| (highlight.span.start, highlight.span.end));
    let mut end = 0;
    found.retain(|highlight| {
        let free = highlight.span.start >= end;
        end = if free { highlight.span.end } else { end };
        free && highlight.span.start < span.end && span.start < highlight.span.end
    });
    found
}

/// The role of a node, by its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// The front matter itself.
    Front,
    Name,
    /// Words that readers skim for: paths, models, commands.
    Text,
    Texts,
    Servers,
    Server,
    /// Names and their values: environment variables.
    Pairs,
    Config,
    Schema(Shape),
    /// A value of `enum` or `const`.
    Member,
    Other,
}

struct Painter<'a> {
    program: &'a Program,
    found: Vec<Highlight>,
}

impl Painter<'_> {
    fn paint(&mut self, span: &Span, kind: &'static str) {
        if !span.is_empty() {
            self.found.push(Highlight { span: self.program.absolute(span), kind });
        }
    }

    fn node(&mut self, node: &Node, meaning: Meaning, depth: usize) {
        for (_, span) in node.anchor.iter().chain(&node.tag) {
            self.paint(span, "macro");
        }
        if depth > DEEPEST {
            return;
        }
        match &node.kind {
            Kind::Alias(_) => self.paint(&node.span, "macro"),
            Kind::Scalar(_) => {
                if let Some(kind) = scalar(node, meaning) {
                    self.paint(&node.span, kind);
                }
            }
            Kind::Sequence(sequence) => {
                for item in &sequence.items {
                    self.node(item, item_of(meaning), depth + 1);
                }
            }
            Kind::Mapping(mapping) => {
                for entry in &mapping.entries {
                    let name = entry.key.as_str().unwrap_or_default();
                    let (kind, below) = entry_of(meaning, name);
                    match (&entry.key.kind, kind) {
                        (Kind::Scalar(_), Some(kind)) => self.paint(&entry.key.span, kind),
                        _ => self.node(&entry.key, Meaning::Other, depth + 1),
                    }
                    self.node(&entry.value, below, depth + 1);
                }
            }
        }
    }
}

/// The highlight of a key, and the role of its value.
fn entry_of(meaning: Meaning, name: &str) -> (Option<&'static str>, Meaning) {
    match meaning {
        _ if name == "<<" => (Some("operator"), meaning),
        Meaning::Front => {
            let value = match name {
                "name" => Meaning::Name,
                "model" => Meaning::Text,
                "imports" => Meaning::Texts,
                "input" | "output" => Meaning::Schema(Shape::Schema),
                "mcp_servers" => Meaning::Servers,
                "config" => Meaning::Config,
                _ => Meaning::Other,
            };
            (find(FIELDS, name).map(|_| "property"), value)
        }
        Meaning::Server => {
            let value = match name {
                "name" => Meaning::Name,
                "command" | "url" => Meaning::Text,
                "args" => Meaning::Texts,
                "env" | "headers" => Meaning::Pairs,
                "transport" => Meaning::Member,
                _ => Meaning::Other,
            };
            (find(SERVER_FIELDS, name).map(|_| "property"), value)
        }
        Meaning::Config => (find(CONFIG_FIELDS, name).map(|_| "property"), Meaning::Member),
        Meaning::Pairs => (Some("variable"), Meaning::Text),
        Meaning::Schema(shape) => {
            let kind = match shape {
                Shape::Schema => schema::keyword(name).map(|_| "keyword"),
                Shape::PatternMap => Some("string"),
                Shape::SchemaMap | Shape::NamesMap | Shape::Dependencies => Some("variable"),
                _ => None,
            };
            let value = match (shape, name) {
                (Shape::Schema, "enum" | "const") => Meaning::Member,
                _ => shape.step(name).map_or(Meaning::Other, Meaning::Schema),
            };
            (kind, value)
        }
        _ => (None, Meaning::Other),
    }
}

fn item_of(meaning: Meaning) -> Meaning {
    match meaning {
        Meaning::Texts => Meaning::Text,
        Meaning::Servers => Meaning::Server,
        Meaning::Schema(shape) => shape.step("0").map_or(Meaning::Other, Meaning::Schema),
        Meaning::Member => Meaning::Member,
        _ => Meaning::Other,
    }
}

fn scalar(node: &Node, meaning: Meaning) -> Option<&'static str> {
    let plain = match scalar_type(node) {
        ScalarType::Bool(_) | ScalarType::Null => Some("keyword"),
        ScalarType::Int | ScalarType::Float => Some("number"),
        ScalarType::Str => None,
    };
    match meaning {
        Meaning::Name => Some("function"),
        Meaning::Text => Some("string"),
        Meaning::Member => Some("enumMember"),
        Meaning::Schema(Shape::Types | Shape::TypeName) => {
            node.as_str().and_then(schema::Type::named).map(|_| "type")
        }
        Meaning::Schema(Shape::Format) => Some("type"),
        Meaning::Schema(Shape::Name) => Some("variable"),
        Meaning::Schema(
            Shape::Reference | Shape::Regex | Shape::Dialect | Shape::Identifier | Shape::Anchor,
        ) => Some("string"),
        _ => plain,
    }
}
