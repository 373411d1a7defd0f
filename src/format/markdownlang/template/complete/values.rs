//! Literal values: members of an `enum` in a comparison, keys of an object, names of templates.

use serde_json::Value;

use super::action_cursor::ActionCursor;
use crate::answer::{Completion, CompletionKind};
use crate::format::markdownlang::template::rename::go_string;
use crate::template::types::{Field, Type};
use crate::template::typing::{Place, WordKind};

/// After `eq .kind`: the values that the schema allows for the field.
pub fn constants(cursor: &ActionCursor) -> Vec<Completion> {
    if cursor.typing.place != Place::Argument
        || cursor.written(&cursor.typing.word).starts_with('$')
    {
        return Vec::new();
    }
    let items = allowed(cursor).into_iter().zip(0..).filter_map(|(value, rank)| {
        let text = match &value {
            Value::String(text) => go_string(text),
            Value::Number(_) | Value::Bool(_) => value.to_string(),
            Value::Null => "nil".to_owned(),
            _ => return None,
        };
        Some(cursor.item(
            &text,
            CompletionKind::EnumMember,
            cursor.typing.word.start,
            &text,
            false,
            rank,
        ))
    });
    items.collect()
}

/// Inside quotes: the same without them, or the keys of the object after `index`.
pub fn strings(cursor: &ActionCursor) -> Vec<Completion> {
    let raw = matches!(cursor.typing.place, Place::String { raw: true, .. });
    let mut found = Vec::new();
    let texts = allowed(cursor).into_iter().filter_map(|value| value.as_str().map(str::to_owned));
    found.extend(
        texts.zip(0..).filter_map(|(text, rank)| {
            quoted(cursor, &text, raw, CompletionKind::EnumMember, rank)
        }),
    );
    if let [function, object, keys @ ..] = cursor.typing.before.as_slice()
        && function.kind == WordKind::Function
        && cursor.written(&function.span) == "index"
    {
        let mut of = cursor.kind_of(object);
        for key in keys {
            let name = cursor.written(&key.span).trim_matches(['"', '`']);
            of = match cursor.types().field(&of, name) {
                Field::Declared { kind, .. } => kind,
                _ => Type::any(),
            };
        }
        for ((name, field), rank) in cursor.types().fields(&of).into_iter().zip(0..) {
            let Field::Declared { kind, .. } = field else { continue };
            let item = quoted(cursor, &name, raw, CompletionKind::Key, rank);
            found.extend(
                item.map(|item| Completion { detail: Some(cursor.types().summary(&kind)), ..item }),
            );
        }
    }
    found
}

/// After `template`: the defined templates.
pub fn templates(cursor: &ActionCursor) -> Vec<Completion> {
    if !cursor.typing.before.is_empty() || cursor.keyword() == Some("block") {
        return Vec::new();
    }
    let mut definitions: Vec<_> = cursor.program.body.definitions().iter().collect();
    definitions.sort_by_key(|definition| (definition.unit, definition.name_span.start));
    let items = definitions.into_iter().zip(0..).filter_map(|(definition, rank)| {
        match cursor.typing.place {
            Place::String { raw, .. } => {
                quoted(cursor, &definition.name, raw, CompletionKind::Value, rank)
            }
            _ => {
                let text = go_string(&definition.name);
                Some(cursor.item(
                    &text,
                    CompletionKind::Value,
                    cursor.typing.word.start,
                    &text,
                    true,
                    rank,
                ))
            }
        }
    });
    items.collect()
}

/// A string with existing quotes; adds the second one if it is missing.
fn quoted(
    cursor: &ActionCursor,
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
    let closing = match cursor.typing.place {
        Place::String { closed: false, raw: true } => "`",
        Place::String { closed: false, .. } => "\"",
        _ => "",
    };
    Some(cursor.item(
        text,
        kind,
        cursor.typing.word.start,
        &format!("{inside}{closing}"),
        false,
        rank,
    ))
}

/// The values that the schema allows for the other operands.
fn allowed(cursor: &ActionCursor) -> Vec<Value> {
    let Some((function, others)) = cursor.typing.before.split_first() else { return Vec::new() };
    if function.kind != WordKind::Function || !matches!(cursor.written(&function.span), "eq" | "ne")
    {
        return Vec::new();
    }
    let mut kinds: Vec<Type> = others.iter().map(|word| cursor.kind_of(word)).collect();
    kinds.extend(cursor.piped());
    let values = kinds.iter().find_map(|kind| cursor.types().values(kind)).unwrap_or_default();
    let written: Vec<&str> = others.iter().map(|word| cursor.written(&word.span)).collect();
    // Existing operands are not offered again.
    let free = |value: &&&Value| !written.contains(&value.to_string().as_str());
    values.iter().filter(free).map(|value| (*value).clone()).collect()
}
