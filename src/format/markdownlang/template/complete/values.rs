//! Literal values: members of an `enum` in a comparison, keys of an object, names of templates.

use serde_json::Value;

use super::desk::Desk;
use crate::answer::{Completion, CompletionKind};
use crate::format::markdownlang::template::rename::go_string;
use crate::template::types::{Field, Type};
use crate::template::typing::{Place, WordKind};

/// After `eq .kind`: the values that the schema allows for the field.
pub fn constants(desk: &Desk) -> Vec<Completion> {
    if desk.typing.place != Place::Argument || desk.written(&desk.typing.word).starts_with('$') {
        return Vec::new();
    }
    let items = allowed(desk).into_iter().zip(0..).filter_map(|(value, rank)| {
        let text = match &value {
            Value::String(text) => go_string(text),
            Value::Number(_) | Value::Bool(_) => value.to_string(),
            Value::Null => "nil".to_owned(),
            _ => return None,
        };
        Some(desk.item(
            &text,
            CompletionKind::EnumMember,
            desk.typing.word.start,
            &text,
            false,
            rank,
        ))
    });
    items.collect()
}

/// Inside quotes: the same without them, or the keys of the object after `index`.
pub fn strings(desk: &Desk) -> Vec<Completion> {
    let raw = matches!(desk.typing.place, Place::String { raw: true, .. });
    let mut found = Vec::new();
    let texts = allowed(desk).into_iter().filter_map(|value| value.as_str().map(str::to_owned));
    found.extend(
        texts
            .zip(0..)
            .filter_map(|(text, rank)| quoted(desk, &text, raw, CompletionKind::EnumMember, rank)),
    );
    if let [function, object, keys @ ..] = desk.typing.before.as_slice()
        && function.kind == WordKind::Function
        && desk.written(&function.span) == "index"
    {
        let mut of = desk.kind_of(object);
        for key in keys {
            let name = desk.written(&key.span).trim_matches(['"', '`']);
            of = match desk.types().field(&of, name) {
                Field::Declared { kind, .. } => kind,
                _ => Type::any(),
            };
        }
        for ((name, field), rank) in desk.types().fields(&of).into_iter().zip(0..) {
            let Field::Declared { kind, .. } = field else { continue };
            let item = quoted(desk, &name, raw, CompletionKind::Key, rank);
            found.extend(
                item.map(|item| Completion { detail: Some(desk.types().summary(&kind)), ..item }),
            );
        }
    }
    found
}

/// After `template`: the defined templates.
pub fn templates(desk: &Desk) -> Vec<Completion> {
    if !desk.typing.before.is_empty() || desk.keyword() == Some("block") {
        return Vec::new();
    }
    let mut definitions: Vec<_> = desk.program.body.definitions().iter().collect();
    definitions.sort_by_key(|definition| (definition.unit, definition.name_span.start));
    let items =
        definitions.into_iter().zip(0..).filter_map(|(definition, rank)| match desk.typing.place {
            Place::String { raw, .. } => {
                quoted(desk, &definition.name, raw, CompletionKind::Value, rank)
            }
            _ => {
                let text = go_string(&definition.name);
                Some(desk.item(
                    &text,
                    CompletionKind::Value,
                    desk.typing.word.start,
                    &text,
                    true,
                    rank,
                ))
            }
        });
    items.collect()
}

/// A string with existing quotes; adds the second one if it is missing.
fn quoted(
    desk: &Desk,
    text: &str,
    raw: bool,
    kind: CompletionKind,
    rank: u32,
) -> Option<Completion> {
    let string = go_string(text);
    let inside = if raw { text } else { string.get(1..string.len().checked_sub(1)?)? };
    if raw && text.contains('`') {
        return None;
    }
    let closing = match desk.typing.place {
        Place::String { closed: false, raw: true } => "`",
        Place::String { closed: false, .. } => "\"",
        _ => "",
    };
    Some(desk.item(text, kind, desk.typing.word.start, &format!("{inside}{closing}"), false, rank))
}

/// The values that the schema allows for the other operands.
fn allowed(desk: &Desk) -> Vec<Value> {
    let Some((function, others)) = desk.typing.before.split_first() else { return Vec::new() };
    if function.kind != WordKind::Function || !matches!(desk.written(&function.span), "eq" | "ne") {
        return Vec::new();
    }
    let mut kinds: Vec<Type> = others.iter().map(|word| desk.kind_of(word)).collect();
    kinds.extend(desk.piped());
    let values = kinds.iter().find_map(|kind| desk.types().values(kind)).unwrap_or_default();
    let written: Vec<&str> = others.iter().map(|word| desk.written(&word.span)).collect();
    // Existing operands are not offered again.
    let free = |value: &&&Value| !written.contains(&value.to_string().as_str());
    values.iter().filter(free).map(|value| (*value).clone()).collect()
}
