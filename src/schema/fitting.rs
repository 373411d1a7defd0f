//! The type that the rest of a schema implies.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::type_name::Type;

/// The types that fit the other keywords of a schema, and the values in it; empty if they say
/// nothing.
pub(super) fn fitting(schema: &Value) -> Vec<Type> {
    let mut kinds: BTreeSet<Type> = values(schema).into_iter().map(Type::of).collect();
    if kinds.contains(&Type::Number) {
        kinds.remove(&Type::Integer);
    }
    match implied(schema) {
        Some(Type::Number) if kinds.is_subset(&BTreeSet::from([Type::Integer, Type::Number])) => {
            vec![Type::Number]
        }
        Some(kind) => {
            kinds.insert(kind);
            kinds.into_iter().collect()
        }
        None => kinds.into_iter().collect(),
    }
}

/// Types as the value of `type`.
pub(super) fn value(kinds: &[Type]) -> Value {
    match kinds {
        [kind] => json!(kind.name()),
        kinds => json!(kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>()),
    }
}

/// Types as they are written in YAML.
pub(super) fn written(kinds: &[Type]) -> String {
    let name = |kind: &Type| match kind {
        Type::Null => "\"null\"",
        kind => kind.name(),
    };
    match kinds {
        [kind] => name(kind).to_owned(),
        kinds => format!("[{}]", kinds.iter().map(name).collect::<Vec<_>>().join(", ")),
    }
}

/// The values that a schema lists.
fn values(schema: &Value) -> Vec<&Value> {
    let one = ["default", "const"].into_iter().filter_map(|key| schema.get(key));
    let several = ["enum", "examples"].into_iter().filter_map(|key| schema.get(key)?.as_array());
    one.chain(several.flatten()).collect()
}

/// The only type to which the other keywords of a schema apply.
fn implied(schema: &Value) -> Option<Type> {
    let about = schema.as_object()?.keys().filter_map(|key| super::keyword(key));
    let kinds: BTreeSet<Type> =
        about.filter_map(|keyword| keyword.applies_to.first()).copied().collect();
    if kinds.len() == 1 { kinds.into_iter().next() } else { None }
}
