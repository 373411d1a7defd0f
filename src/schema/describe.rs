//! Describes a schema in words.

use std::collections::HashSet;

use serde_json::Value;

use super::finding::brief;
use super::pointer;
use super::reference::References;
use super::type_name::Type;

const DEEPEST: usize = 3;
const MOST_PROPERTIES: usize = 8;
const MOST_VALUES: usize = 6;
const LONGEST: usize = 600;

/// A schema in one line:
/// `object { url: string (uri, required), format?: "json" | "xml" = "json" }`.
///
/// Follows references; replaces deep or long parts by `…`.
pub fn summary(schema: &Value) -> String {
    let references = References::new(schema);
    let line = Writer { references: &references }.write("", schema, 0);
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// A property of an object schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Property {
    pub name: String,
    /// The pointer of its schema.
    pub pointer: String,
    pub required: bool,
    /// Its schema in one line, without default and `required`.
    pub summary: String,
    pub description: Option<String>,
    pub default: Option<Value>,
    /// The values of its `enum` or its `const`; empty if any value is allowed.
    pub allowed: Vec<Value>,
    pub deprecated: bool,
}

impl Property {
    /// One line of Markdown: `` `url`: string (uri), required. The page to fetch ``
    pub fn line(&self) -> String {
        let mut line = format!("`{}`: {}", self.name, self.summary);
        match (&self.default, self.required) {
            (Some(default), _) => line.push_str(&format!(", default `{}`", brief(default))),
            (None, true) => line.push_str(", required"),
            (None, false) => line.push_str(", optional"),
        }
        if self.deprecated {
            line.push_str(", deprecated");
        }
        if let Some(description) =
            self.description.as_deref().map(one_line).filter(|description| !description.is_empty())
        {
            line.push_str(&format!(". {description}"));
        }
        line
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The properties of an object schema in source order, followed by those from `$ref` and `allOf`.
pub fn properties(schema: &Value) -> Vec<Property> {
    properties_at(schema, "")
}

/// The same for a subschema.
pub fn properties_at(root: &Value, at: &str) -> Vec<Property> {
    Describer::new(root).properties(at)
}

/// Describes properties anywhere in a schema, which is prepared once for all of them.
pub struct Describer<'a> {
    root: &'a Value,
    references: References<'a>,
}

impl<'a> Describer<'a> {
    pub fn new(root: &'a Value) -> Self {
        Self { root, references: References::new(root) }
    }

    /// The properties of the object schema at a pointer.
    fn properties(&self, at: &str) -> Vec<Property> {
        let writer = self.writer();
        let (named, required) = self.named(at);
        let described = named.into_iter().map(|(name, at, schema)| Property {
            required: required.contains(name),
            ..writer.property(name, at, schema)
        });
        described.collect()
    }

    /// The names of these properties.
    pub fn names(&self, at: &str) -> Vec<&'a str> {
        self.named(at).0.into_iter().map(|(name, _, _)| name).collect()
    }

    /// The properties of the object schema at a pointer: the name, pointer and schema of each; and
    /// the names of required ones.
    fn named(&self, at: &str) -> (Vec<(&'a str, String, &'a Value)>, HashSet<&'a str>) {
        let mut found = Vec::new();
        let mut names: HashSet<&str> = HashSet::new();
        let mut required: HashSet<&str> = HashSet::new();
        let mut open: Vec<(String, &Value)> = Vec::new();
        open.extend(self.root.pointer(at).map(|schema| (at.to_owned(), schema)));
        let mut seen: Vec<String> = Vec::new();
        while let Some((at, schema)) = open.pop() {
            let (at, schema) = self.writer().enter(&at, schema);
            if seen.len() > 64 || seen.contains(&at) {
                continue;
            }
            required.extend(super::required(schema));
            let named = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
            for (name, property) in named {
                if names.insert(name) {
                    let at = pointer::join(&pointer::join(&at, "properties"), name);
                    found.push((name.as_str(), at, property));
                }
            }
            let parts = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
            let mut parts: Vec<_> = parts
                .enumerate()
                .map(|(index, part)| (pointer::item(&pointer::join(&at, "allOf"), index), part))
                .collect();
            parts.reverse();
            open.extend(parts);
            seen.push(at);
        }
        (found, required)
    }

    fn writer(&self) -> Writer<'a, '_> {
        Writer { references: &self.references }
    }

    /// The property at a pointer; required if its object requires it.
    pub fn property(&self, at: &str) -> Option<Property> {
        let (properties, name) = pointer::split_last(at)?;
        let (parent, keyword) = pointer::split_last(properties)?;
        if keyword != "properties" {
            return None;
        }
        let mut property = self.writer().property(&name, at.to_owned(), self.root.pointer(at)?);
        property.required =
            super::required(self.root.pointer(parent)?).any(|required| required == name);
        Some(property)
    }
}

struct Writer<'a, 'r> {
    references: &'r References<'a>,
}

impl<'a> Writer<'a, '_> {
    /// Follows `$ref` unless it has siblings with more information.
    fn enter(&self, at: &str, schema: &'a Value) -> (String, &'a Value) {
        match schema.get("properties").is_some() || schema.get("type").is_some() {
            true => (at.to_string(), schema),
            false => self.references.follow(at, schema),
        }
    }

    fn property(&self, name: &str, at: String, schema: &'a Value) -> Property {
        let (target, meant) = self.references.follow(&at, schema);
        let find = |keyword: &str| schema.get(keyword).or_else(|| meant.get(keyword));
        Property {
            name: name.to_string(),
            required: false,
            summary: self.write(&target, meant, 1),
            description: find("description")
                .or_else(|| find("title"))
                .and_then(Value::as_str)
                .map(str::to_string),
            default: find("default").cloned(),
            allowed: match (find("enum"), find("const")) {
                (Some(Value::Array(values)), _) => values.clone(),
                (_, Some(value)) => vec![value.clone()],
                _ => Vec::new(),
            },
            deprecated: find("deprecated") == Some(&Value::Bool(true)),
            pointer: at,
        }
    }

    fn write(&self, at: &str, schema: &'a Value, depth: usize) -> String {
        let (target, schema) = self.enter(at, schema);
        let (target, entries) = match schema {
            Value::Bool(false) => return "nothing".into(),
            Value::Object(entries) => (target.as_str(), entries),
            _ => return "any".into(),
        };
        if let Some(value) = entries.get("const") {
            return literal(value);
        }
        if let Some(Value::Array(values)) = entries
            .get("enum")
            .filter(|values| values.as_array().is_some_and(|values| !values.is_empty()))
        {
            let shown = values.iter().take(MOST_VALUES).map(literal);
            let more = (values.len() > MOST_VALUES).then(|| "…".to_string());
            return shown.chain(more).collect::<Vec<_>>().join(" | ");
        }
        let kinds = Type::declared(schema);
        let mut parts: Vec<String> =
            kinds.iter().map(|kind| self.write_type(*kind, target, schema, depth)).collect();
        if kinds.is_empty() {
            if entries.contains_key("properties") {
                parts.push(self.write_type(Type::Object, target, schema, depth));
            } else if entries.contains_key("items") {
                parts.push(self.write_type(Type::Array, target, schema, depth));
            }
        }
        if let (true, Some(name)) = (parts.is_empty(), entries.get("$ref").and_then(Value::as_str))
        {
            return name
                .rsplit(['/', '#'])
                .next()
                .filter(|name| !name.is_empty())
                .unwrap_or("any")
                .to_string();
        }
        if parts.is_empty() {
            for (keyword, separator) in [("anyOf", " | "), ("oneOf", " | "), ("allOf", " & ")] {
                if let Some(Value::Array(items)) = entries.get(keyword) {
                    return self.combine(&pointer::join(target, keyword), items, separator, depth);
                }
            }
            return "any".into();
        }
        parts.join(" | ")
    }

    fn combine(&self, at: &str, items: &'a [Value], separator: &str, depth: usize) -> String {
        if depth >= DEEPEST {
            return "…".into();
        }
        let mut parts: Vec<String> = Vec::new();
        for (index, item) in items.iter().enumerate().take(MOST_VALUES) {
            let part = self.write(&pointer::item(at, index), item, depth + 1);
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        if items.len() > MOST_VALUES {
            parts.push("…".into());
        }
        parts.join(separator)
    }

    fn write_type(&self, kind: Type, at: &str, schema: &'a Value, depth: usize) -> String {
        match kind {
            Type::Object => self.object(at, schema, depth),
            Type::Array => match schema.get("items") {
                Some(items) if depth < DEEPEST => {
                    let items = self.write(&pointer::join(at, "items"), items, depth + 1);
                    let items = if items.contains(" | ") && !items.ends_with('}') {
                        format!("({items})")
                    } else {
                        items
                    };
                    format!("array of {items}")
                }
                Some(_) => "array of …".into(),
                None => "array".into(),
            },
            _ => match notes(kind, schema) {
                notes if notes.is_empty() => kind.to_string(),
                notes => format!("{kind} ({})", notes.join(", ")),
            },
        }
    }

    fn object(&self, at: &str, schema: &'a Value, depth: usize) -> String {
        let Some(Value::Object(named)) = schema
            .get("properties")
            .filter(|named| named.as_object().is_some_and(|named| !named.is_empty()))
        else {
            return match schema.get("additionalProperties") {
                Some(values @ Value::Object(_)) if depth < DEEPEST => {
                    format!(
                        "object of {}",
                        self.write(&pointer::join(at, "additionalProperties"), values, depth + 1)
                    )
                }
                _ => "object".into(),
            };
        };
        if depth >= DEEPEST {
            return "object { … }".into();
        }
        let required: Vec<&str> = super::required(schema).collect();
        let below = pointer::join(at, "properties");
        let shown = named.iter().take(MOST_PROPERTIES).map(|(name, property)| {
            let written = self.write(&pointer::join(&below, name), property, depth + 1);
            let required = required.contains(&name.as_str());
            let written = match (required, written.strip_suffix(')')) {
                (true, Some(noted))
                    if !noted.contains(" | ")
                        && !noted.contains('{')
                        && noted.matches('(').count() == 1 =>
                {
                    format!("{noted}, required)")
                }
                (true, _) => format!("{written} (required)"),
                (false, _) => written,
            };
            let default = property
                .get("default")
                .map_or(String::new(), |value| format!(" = {}", literal(value)));
            format!("{name}{}: {written}{default}", if required { "" } else { "?" })
        });
        let more = (named.len() > MOST_PROPERTIES).then(|| "…".to_string());
        format!("object {{ {} }}", shown.chain(more).collect::<Vec<_>>().join(", "))
    }
}

/// A value as JSON, truncated to a readable length.
fn literal(value: &Value) -> String {
    match value {
        Value::String(text) if text.chars().count() <= 40 => value.to_string(),
        Value::String(text) => format!("\"{}…\"", text.chars().take(40).collect::<String>()),
        _ => brief(value),
    }
}

/// The constraints of a scalar: its format and its limits.
fn notes(kind: Type, schema: &Value) -> Vec<String> {
    let number =
        |name: &str| schema.get(name).filter(|value| value.is_number()).map(Value::to_string);
    let text = |name: &str| schema.get(name).and_then(Value::as_str);
    let mut notes = Vec::new();
    match kind {
        Type::String => {
            notes.extend(text("format").map(str::to_string));
            notes.extend(
                text("pattern")
                    .map(|pattern| format!("/{}/", pattern.chars().take(40).collect::<String>())),
            );
            notes.extend(
                range(number("minLength"), number("maxLength"))
                    .map(|range| format!("{range} characters")),
            );
        }
        Type::Integer | Type::Number => {
            notes.extend(range(number("minimum"), number("maximum")));
            notes.extend(number("exclusiveMinimum").map(|limit| format!("> {limit}")));
            notes.extend(number("exclusiveMaximum").map(|limit| format!("< {limit}")));
            notes.extend(number("multipleOf").map(|step| format!("multiple of {step}")));
        }
        _ => {}
    }
    notes
}

fn range(low: Option<String>, high: Option<String>) -> Option<String> {
    match (low, high) {
        (Some(low), Some(high)) => Some(format!("{low} to {high}")),
        (Some(low), None) => Some(format!("at least {low}")),
        (None, Some(high)) => Some(format!("at most {high}")),
        (None, None) => None,
    }
}
