//! The outline of a program: its schemas with their properties, its imports, its servers.

use serde_json::Value;

use super::Program;
use super::field::{FIELDS, Holds, find};
use super::program::Field;
use crate::answer::{Symbol, SymbolKind};
use crate::format::Context;
use crate::schema::{self, pointer};
use crate::text::Span;
use crate::yaml::{Entry, Kind, Node};

/// Deeper properties are not shown.
const DEEPEST: usize = 32;
const LONGEST: usize = 80;

/// One symbol: the program.
pub fn symbols(program: &Program, cx: &Context) -> Vec<Symbol> {
    let Some(front) = &program.front else { return Vec::new() };
    let text = cx.source.slice(front.span.clone());
    let span = front.span.start..front.span.start + text.trim_end().len();
    let outline = Outline { program, cx };
    let children = outline.children(&span);
    let name = program.name.as_ref().map(|name| line(&name.text)).filter(|name| !name.is_empty());
    let file = || {
        cx.path
            .and_then(|path| path.file_stem())
            .map(|stem| stem.to_string_lossy().into_owned())
            .filter(|name| !name.trim().is_empty())
    };
    let selection =
        program.name.as_ref().map_or_else(|| front.opening.clone(), |name| name.span.clone());
    let selection = if holds(&span, &selection) { selection } else { span.start..span.start };
    vec![Symbol {
        name: name.or_else(file).unwrap_or_else(|| "program".to_owned()),
        detail: program.description.as_ref().map(|description| line(&description.text)),
        kind: SymbolKind::Program,
        span,
        selection,
        children,
    }]
}

fn holds(outer: &Span, inner: &Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Text on one line of bounded length.
fn line(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", words.get(..end).unwrap_or_default()),
        None => words,
    }
}

fn key(
    name: &str,
    detail: Option<String>,
    span: Span,
    selection: Span,
    children: Vec<Symbol>,
) -> Symbol {
    let name = line(name);
    let name = if name.is_empty() { "(no name)".to_owned() } else { name };
    Symbol {
        name,
        detail: detail.filter(|detail| !detail.is_empty()),
        kind: SymbolKind::Key,
        span,
        selection,
        children,
    }
}

struct Outline<'a> {
    program: &'a Program,
    cx: &'a Context<'a>,
}

impl Outline<'_> {
    fn children(&self, within: &Span) -> Vec<Symbol> {
        let fields = self
            .program
            .fields
            .iter()
            .filter(|field| holds(within, &field.span) && holds(&field.span, &field.key.span));
        let found = fields.filter_map(|field| {
            let name = field.key.text.as_str();
            let (children, schema) = match find(FIELDS, name)?.holds {
                Holds::Schema => (self.schema(field, name), self.program.schema_value(name)),
                Holds::Imports => (self.imports(field), None),
                Holds::Servers => (self.servers(field), None),
                _ => return None,
            };
            let detail =
                schema.filter(|_| children.is_empty()).map(|value| line(&schema::summary(value)));
            Some(key(&field.key.text, detail, field.span.clone(), field.key.span.clone(), children))
        });
        found.collect()
    }

    fn schema(&self, field: &Field, name: &str) -> Vec<Symbol> {
        let (Some(entry), Some(root)) = (self.program.entry(name), self.program.schema_value(name))
        else {
            return Vec::new();
        };
        // If keys are duplicated, the last one is used; the target of an alias is elsewhere.
        if self.program.absolute(&entry.span) != field.span {
            return Vec::new();
        }
        self.properties(&entry.value, root, "", 0)
    }

    /// The properties of the schema at `node`, and those of its items.
    fn properties(&self, node: &Node, root: &Value, at: &str, depth: usize) -> Vec<Symbol> {
        if depth > DEEPEST || (self.cx.cancelled)() {
            return Vec::new();
        }
        let Kind::Mapping(mapping) = &node.kind else { return Vec::new() };
        let mut found = Vec::new();
        for entry in &mapping.entries {
            match (entry.key.as_str(), &entry.value.kind) {
                (Some("properties"), Kind::Mapping(properties)) => {
                    let below = pointer::join(at, "properties");
                    found.extend(
                        properties
                            .entries
                            .iter()
                            .filter_map(|entry| self.property(entry, root, &below, depth)),
                    );
                }
                (Some("items"), Kind::Mapping(_)) => found.extend(self.properties(
                    &entry.value,
                    root,
                    &pointer::join(at, "items"),
                    depth + 1,
                )),
                _ => {}
            }
        }
        found
    }

    fn property(&self, entry: &Entry, root: &Value, below: &str, depth: usize) -> Option<Symbol> {
        let name = entry.key.as_str()?;
        let at = pointer::join(below, name);
        let detail = root.pointer(&at).map(|value| line(&schema::summary(value)));
        let children = self.properties(&entry.value, root, &at, depth + 1);
        let (span, selection) =
            (self.program.absolute(&entry.span), self.program.absolute(&entry.key.span));
        Some(key(name, detail, span, selection, children))
    }

    fn imports(&self, field: &Field) -> Vec<Symbol> {
        let imports =
            self.program.imports.iter().filter(|import| holds(&field.value, &import.span));
        imports
            .map(|import| {
                key(&import.text, None, import.span.clone(), import.span.clone(), Vec::new())
            })
            .collect()
    }

    fn servers(&self, field: &Field) -> Vec<Symbol> {
        let servers =
            self.program.servers.iter().filter(|server| holds(&field.value, &server.span));
        let found = servers.map(|server| {
            let selection = server
                .name
                .as_ref()
                .map(|name| name.span.clone())
                .filter(|name| holds(&server.span, name));
            let selection = selection.unwrap_or(server.span.start..server.span.start);
            let detail =
                server.url.as_ref().or(server.command.as_ref()).map(|text| line(&text.text));
            let name = server.name.as_ref().map_or("", |name| name.text.as_str());
            key(name, detail, server.span.clone(), selection, Vec::new())
        });
        found.collect()
    }
}
