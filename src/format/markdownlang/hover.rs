//! Hover in front matter: the purpose of a key, the schema of a property, the interface of an
//! import.

use std::path::Path;

use serde_json::Value;

use super::Program;
use super::complete::transport;
use super::field::Key;
use super::mention;
use super::program::{Header, Import, ImportKind, Text};
use super::read::header;
use super::spot::{self, Spot, What};
use super::template;
use crate::answer::Hover;
use crate::format::Context;
use crate::schema::{self, Describer, References};
use crate::yaml::{self, Node};

/// Longer contents are truncated after this many lines.
const MOST_LINES: usize = 20;

/// The hover at `offset`.
pub fn hover(program: &Program, cx: &Context, offset: usize) -> Option<Hover> {
    if program.front.as_ref().is_none_or(|front| front.span.end <= offset) {
        return mention::hover(program, cx, offset)
            .or_else(|| template::hover(program, cx, offset));
    }
    let Spot { span, what } = spot::at(program, offset)?;
    let markdown = match what {
        What::Field(key) => field(program, key),
        What::Name => describe(program),
        What::ServerField(key) => page(key),
        What::ServerName(_) => return mention::hover(program, cx, offset),
        What::Transport(word) => format!("**{word}**: {}", transport(word)?),
        What::Import(own) => import(program, cx, own),
        What::Alias(name, target) => alias(program, cx, name, target),
        What::Keyword(keyword) => keyword.hover(),
        What::OtherKeyword(name) => {
            format!("**{name}** is not a keyword of JSON Schema: {}", schema::retired(name)?.note)
        }
        What::Property { name, field, pointer } => property(program, name, field, &pointer)?,
        What::PropertyName { name, field, pointer } => property(program, name, field, &pointer)
            .unwrap_or_else(|| format!("`{name}` is not among the `properties` of this schema.")),
        What::Type(kind) => format!(
            "**{kind}**: {}\n\n```yaml\n{}\n```\n\n[json-schema.org](https://json-schema.org/understanding-json-schema/reference/type)",
            kind.documentation(),
            kind.example()
        ),
        What::Format(format) => format!(
            "**{}**: {}\n\nFor example `{}`.\n\n[json-schema.org](https://json-schema.org/understanding-json-schema/reference/type#format)",
            format.name, format.documentation, format.example
        ),
        What::Reference { text, field, pointer } => reference(program, text, field, &pointer)?,
    };
    Some(Hover { span, markdown })
}

fn page(key: &Key) -> String {
    format!("**{}**: {}\n\n{}", key.name, key.holds.expected(), key.documentation)
}

/// A top-level key, including the contents of a schema.
fn field(program: &Header, key: &Key) -> String {
    match program.schema_value(key.name) {
        Some(value) => format!("{}\n\n{}", page(key), outline(value)),
        None => page(key),
    }
}

/// A schema: its properties line by line, or itself on one line.
fn outline(value: &Value) -> String {
    let properties = schema::properties(value);
    if properties.is_empty() {
        return format!("```\n{}\n```", schema::summary(value));
    }
    let mut lines: Vec<String> = properties
        .iter()
        .take(MOST_LINES)
        .map(|property| format!("- {}", property.line()))
        .collect();
    if properties.len() > MOST_LINES {
        lines.push(format!("- and {} more", properties.len() - MOST_LINES));
    }
    lines.join("\n")
}

fn words(text: Option<&Text>) -> String {
    text.map(|text| text.text.split_whitespace().collect::<Vec<_>>().join(" ")).unwrap_or_default()
}

/// A program as its importers see it.
fn describe(program: &Header) -> String {
    let (name, description) = (words(program.name.as_ref()), words(program.description.as_ref()));
    let mut page = format!("**{}**", if name.is_empty() { "(no name)" } else { &name });
    if !description.is_empty() {
        page.push_str(&format!("\n\n{description}"));
    }
    for (title, field) in [("Input", "input"), ("Output", "output")] {
        if let Some(value) = program.schema_value(field) {
            page.push_str(&format!("\n\n{title}\n\n{}", outline(value)));
        }
    }
    page
}

/// An imported program as its importer sees it.
pub(super) fn import(program: &Program, cx: &Context, import: &Import) -> String {
    let name = &import.text;
    if import.kind == ImportKind::Stdlib {
        return format!(
            "`{name}`: names that begin with `stdlib:` are reserved; the standard library does not exist yet."
        );
    }
    let Some(path) = cx.path.and_then(|from| import.path(from)) else {
        return format!("`{name}`: the importing file has not been saved yet.");
    };
    if cx.path == Some(&path) {
        return format!("{}\n\nThis program itself: it cannot import itself.", describe(program));
    }
    match cx.world.read(&path) {
        Err(error) => format!("`{name}`: {error}"),
        Ok(source) => {
            let other = header(&source);
            match other.front {
                None => format!("`{name}` is not a program: it has no front matter."),
                Some(_) => {
                    format!("{}\n\n{}\n\n`{name}`", describe(&other), as_tool(cx, &path, &other))
                }
            }
        }
    }
}

/// An imported program from its importer's point of view, and its own imports.
fn as_tool(cx: &Context, path: &Path, program: &Header) -> String {
    let named = program.name.as_ref().filter(|name| !name.text.is_empty());
    let mut page = match named {
        Some(name) => format!(
            "Called as the tool `{}`: the input is its parameters, the output its result.",
            name.text
        ),
        None => "It has no name, so it cannot be called as a tool.".to_owned(),
    };
    let name = |import: &Import| {
        let other = cx.world.read(&import.path(path)?).ok()?;
        header(&other).name.as_ref().map(|name| format!("`{}`", name.text))
    };
    let imports: Vec<String> = program
        .imports
        .iter()
        .take(MOST_LINES)
        .map(|import| name(import).unwrap_or_else(|| format!("`{}`", import.text)))
        .collect();
    if !imports.is_empty() {
        let more = if program.imports.len() > MOST_LINES { " and more" } else { "" };
        page.push_str(&format!(
            "\n\nIt imports {}{more}, which are not tools here.",
            imports.join(", ")
        ));
    }
    page
}

fn alias(program: &Header, cx: &Context, name: &str, target: Option<&Node>) -> String {
    let Some(target) = target else {
        return format!("undefined alias `*{name}`: no `&{name}` comes before it.");
    };
    let span = program.absolute(&target.span);
    let line = cx.source.line_span(span.start);
    let indent = " ".repeat(cx.source.slice(line.start..span.start).chars().count());
    let text = cx.source.slice(span);
    let mut lines: Vec<&str> =
        text.lines().map(|line| line.strip_prefix(indent.as_str()).unwrap_or(line)).collect();
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES);
        lines.push("…");
    }
    format!("`*{name}` is\n\n```yaml\n{}\n```", lines.join("\n"))
}

fn property(program: &Header, name: &str, field: &str, at: &str) -> Option<String> {
    let root = program.schema_value(field)?;
    let value = root.pointer(at)?;
    let described = Describer::new(root).property(at);
    let summary = described
        .as_ref()
        .map_or_else(|| schema::summary(value), |property| property.summary.clone());
    let mut page = format!("**{name}**");
    if let Some(property) = &described {
        page.push_str(if property.required { ": required" } else { ": optional" });
        page.push_str(if property.deprecated { ", deprecated" } else { "" });
    }
    page.push_str(&format!("\n\n```\n{summary}\n```"));
    if let Some(description) =
        value.get("description").and_then(Value::as_str).filter(|_| described.is_none())
    {
        page.push_str(&format!("\n\n{}", description.trim()));
    }
    if let Some(property) = &described {
        page.push_str(&details(property));
        let readable =
            field == "input" && at.matches('/').count() == 2 && at.starts_with("/properties/");
        if readable
            && yaml::print_scalar(name) == name
            && name.chars().all(|character| character.is_alphanumeric() || character == '_')
        {
            page.push_str(&format!("\n\nIn the body: `{{{{ .{name} }}}}`"));
        }
    }
    Some(page)
}

/// A property's schema beyond its type: a paragraph per keyword, each after a blank line.
pub(super) fn details(property: &schema::Property) -> String {
    let mut page = String::new();
    if let Some(description) = &property.description {
        page.push_str(&format!("\n\n{}", description.trim()));
    }
    if let Some(default) = &property.default {
        page.push_str(&format!("\n\nDefault: `{}`", short(default)));
    }
    if !property.allowed.is_empty() {
        let values: Vec<String> = property
            .allowed
            .iter()
            .take(MOST_LINES)
            .map(|value| format!("`{}`", short(value)))
            .collect();
        page.push_str(&format!("\n\nAllowed: {}", values.join(", ")));
    }
    page
}

pub(super) fn short(value: &Value) -> String {
    const LONGEST: usize = 80;
    let text = value.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

fn reference(program: &Header, text: &str, field: &str, from: &str) -> Option<String> {
    let root = program.schema_value(field)?;
    Some(match References::new(root).resolve(from, text) {
        schema::Target::Found { schema, pointer } => {
            let place = if pointer.is_empty() { field.to_owned() } else { pointer };
            format!("`{text}` refers to `{place}`\n\n```\n{}\n```", schema::summary(schema))
        }
        schema::Target::NotASchema { .. } => {
            format!("`{text}` leads to something that is not a schema.")
        }
        schema::Target::MetaSchema => format!("`{text}`: the meta-schema."),
        schema::Target::Missing => format!("`{text}` does not exist in `{field}`."),
        schema::Target::Remote => {
            format!("`{text}` leads out of `{field}`, and agentmd does not fetch it.")
        }
    })
}
