//! Keys and values below the top level of front matter, as the schemas of kinds describe them.

use serde_json::Value;

use super::names;
use super::subject::Subject;
use crate::answer::{Completion, CompletionKind};
use crate::client::Reads;
use crate::text::Edit;
use crate::yaml::{CursorContext, Kind, Node, Place, Segment, print_scalar};

/// The schema at a path.
pub fn schema_at<'s>(reads: &'s Reads, path: &[Segment]) -> Option<&'s Value> {
    Some(reads.resolved(declared_at(reads, path)?))
}

/// The schema at a path as written, which may be a reference to another one.
pub fn declared_at<'s>(reads: &'s Reads, path: &[Segment]) -> Option<&'s Value> {
    let mut schema = &reads.keys;
    for segment in path {
        let at = reads.resolved(schema);
        schema = match segment {
            Segment::Key(key) => below(at, key)?,
            Segment::Index(_) => at.get("items")?,
        };
    }
    Some(schema)
}

/// The schema of a key below another one.
fn below<'s>(schema: &'s Value, key: &str) -> Option<&'s Value> {
    let named = schema.get("properties").and_then(|keys| keys.get(key));
    named.or_else(|| schema.get("additionalProperties").filter(|other| other.is_object()))
}

/// The values that a schema allows, possibly in place of a mapping.
pub fn choices(schema: &Value) -> Option<&Vec<Value>> {
    let choices = schema.get("enum").or_else(|| schema.get("then")?.get("enum"));
    choices.and_then(Value::as_array)
}

/// A value of an `enum` in YAML.
pub fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(print_scalar(text)),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        _ => None,
    }
}

/// The keys or values that the schemas have at a path.
pub fn complete(
    subject: &Subject,
    context: &CursorContext,
    path: &[Segment],
    place: Place,
    key: Option<&str>,
) -> Vec<Completion> {
    let mut found: Vec<Completion> = Vec::new();
    let span = subject.place(&context.partial);
    let mut add = |label: String, text: String, kind, documentation: Option<String>, more| {
        if found.iter().all(|item| item.label != label) {
            let rank = u32::try_from(found.len()).unwrap_or(u32::MAX);
            let edit = Edit::replace(span.clone(), text);
            let detail = None;
            found.push(Completion {
                label,
                kind,
                detail,
                documentation,
                edit,
                snippet: None,
                rank,
                more,
            });
        }
    };
    for role in &subject.file.judged {
        let Some(schema) = schema_at(role.reads, path) else { continue };
        let schema = match (place, key) {
            (Place::Key, _) => {
                let keys = schema.get("properties").and_then(Value::as_object);
                for (key, schema) in keys.into_iter().flatten() {
                    if context.siblings.iter().any(|sibling| sibling == key) {
                        continue;
                    }
                    let page = description(schema);
                    add(key.clone(), format!("{key}: "), CompletionKind::Key, page, true);
                }
                continue;
            }
            (Place::Value, Some(key)) => match below(schema, key) {
                Some(schema) => role.reads.resolved(schema),
                None => continue,
            },
            _ => schema,
        };
        if schema.get("type").and_then(Value::as_str) == Some("boolean") {
            for word in ["true", "false"] {
                add(word.to_owned(), word.to_owned(), CompletionKind::Value, None, false);
            }
        }
        let kind = match schema.get("x-names").and_then(Value::as_str) {
            Some("agent") => Some(crate::client::Kind::Agent),
            Some("skill") => Some(crate::client::Kind::Skill),
            _ => None,
        };
        for name in kind.into_iter().flat_map(|kind| names::known(subject, role, kind)) {
            add(name.clone(), print_scalar(&name), CompletionKind::Value, None, false);
        }
        let values = choices(schema).into_iter().flatten();
        for word in values.chain(schema.get("const")).filter_map(word) {
            add(word.clone(), word, CompletionKind::EnumMember, None, false);
        }
    }
    found
}

fn description(schema: &Value) -> Option<String> {
    schema.get("description").and_then(Value::as_str).map(str::to_owned)
}

/// The path to the key at an offset of the YAML, including that key, if there is one.
pub fn key_at(node: &Node, at: usize, path: &mut Vec<Segment>) -> Option<crate::text::Span> {
    match &node.kind {
        Kind::Mapping(mapping) => {
            for entry in &mapping.entries {
                let Some(key) = entry.key.as_str() else { continue };
                let here = entry.key.span.start <= at && at <= entry.key.span.end;
                let inside = entry.value.span.start <= at && at <= entry.value.span.end;
                if here || inside {
                    path.push(Segment::Key(key.to_owned()));
                    return if here {
                        Some(entry.key.span.clone())
                    } else {
                        key_at(&entry.value, at, path)
                    };
                }
            }
            None
        }
        Kind::Sequence(sequence) => {
            let (index, item) = sequence
                .items
                .iter()
                .enumerate()
                .find(|(_, item)| item.span.start <= at && at <= item.span.end)?;
            path.push(Segment::Index(index));
            key_at(item, at, path)
        }
        _ => None,
    }
}
