//! Applies the changes in a copy to its source, which keeps everything that the copy can't express.

use std::path::Path;

use serde_json::{Map, Value};

use crate::format::agent::convert::{Dropped, Origin, Refusal, assemble, convert_at, items, parts};
use crate::format::agent::tools::base;
use crate::text;
use crate::world::World;

use super::lock::hash;

/// A source with the changes of its copy.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    pub text: String,
    /// What has no counterpart in the source.
    pub dropped: Vec<Dropped>,
    /// Text of the source that changes in the copy replaced.
    pub replaced: Vec<String>,
    /// Changes in the source since the copy was made that conflict with changes in the copy.
    pub conflicts: Vec<String>,
}

/// One of the two files.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    pub origin: &'a Origin,
    pub path: &'a Path,
}

/// The source with the changes in its copy. `base` is the source that the copy was made from.
///
/// # Errors
/// If one of them can't be read.
pub fn take(
    world: &dyn World,
    (base, source, own): (&str, &str, Side),
    (copy, other): (&str, Side),
) -> Result<Taken, Refusal> {
    let taken = changed(world, (base, own), (copy, other))?;
    let origin = own.origin;
    if hash(base) == hash(source) {
        return Ok(taken);
    }
    let line_break = if source.contains("\r\n") { "\r\n" } else { "\n" };
    let alike = |text: &str| text.replace("\r\n", "\n").replace('\n', line_break);
    let before = parts(&alike(base), origin.place)?;
    let own = parts(source, origin.place)?;
    let after = parts(&alike(&taken.text), origin.place)?;
    let mut conflicts = Vec::new();
    let mut values = Map::new();
    let added = after.values.keys().filter(|key| !own.values.contains_key(*key));
    for key in own.values.keys().chain(added) {
        let sides = [&before, &own, &after].map(|side| side.values.get(key));
        let schema = origin.place.reads.key(key);
        if let Some(value) = both(key, schema, sides, &mut conflicts) {
            values.insert(key.clone(), value);
        }
    }
    let body = text::merge(&before.body, &own.body, &after.body);
    conflicts.extend(body.lost);
    let text = assemble(origin, &values, &body.text, &own)?;
    Ok(Taken { text, conflicts, ..taken })
}

/// A value with the changes of both sides; `None` if one of them removed it.
fn both(
    key: &str,
    schema: Option<&Value>,
    [before, own, after]: [Option<&Value>; 3],
    conflicts: &mut Vec<String>,
) -> Option<Value> {
    if own == after || before == after {
        return own.cloned();
    }
    if before == own {
        return after.cloned();
    }
    if let (Some(before), Some(own), Some(after)) = (before, own, after) {
        let lists = [before, own, after].iter().all(|value| items(schema, value).is_some());
        if lists || [before, own, after].iter().all(|value| value.is_string()) {
            return Some(together(schema, [before, own, after], conflicts));
        }
    }
    conflicts.push(match own {
        Some(Value::String(text)) => format!("{key}: {text}"),
        Some(value) => format!("{key}: {value}"),
        None => format!("{key} was removed"),
    });
    own.cloned()
}

/// The source with the changes in its copy. The copy is compared with the converted source.
fn changed(
    world: &dyn World,
    (source, own): (&str, Side),
    (copy, other): (&str, Side),
) -> Result<Taken, Refusal> {
    let turned = |text: &str, from: Side, to: Side| {
        convert_at(text, from.origin, to.origin.place, Some((world, from.path)))
    };
    let origin = own.origin;
    let there = turned(source, own, other)?;
    let unchanged = turned(&there.text, other, own)?;
    let changed = turned(copy, other, own)?;
    let own = parts(source, origin.place)?;
    let before = parts(&unchanged.text, origin.place)?;
    let after = parts(&changed.text, origin.place)?;
    let mut lost = Vec::new();
    let mut values = Map::new();
    for (key, value) in &own.values {
        let merged = match (before.values.get(key), after.values.get(key)) {
            // The copy can't express it.
            (None, _) => value.clone(),
            (Some(old), Some(new)) => {
                let schema = origin.place.reads.key(key);
                together(schema, [old, value, new], &mut lost)
            }
            // The copy removed it.
            (Some(_), None) => continue,
        };
        values.insert(key.clone(), merged);
    }
    let added = after.values.iter().filter(|(key, value)| {
        !own.values.contains_key(*key) && before.values.get(*key) != Some(*value)
    });
    values.extend(added.map(|(key, value): (&String, &Value)| (key.clone(), value.clone())));
    let body = if before.body.trim() == after.body.trim() {
        own.body.clone()
    } else {
        let merged = text::merge(&before.body, &own.body, &after.body);
        lost.extend(merged.lost);
        match own.line_break {
            "\r\n" => merged.text.replace("\r\n", "\n").replace('\n', "\r\n"),
            _ => merged.text,
        }
    };
    let text = assemble(origin, &values, &body, &own)?;
    // Drops that a conversion there and back causes anyway aren't due to the change.
    let mut dropped = changed.dropped;
    dropped.retain(|one| !unchanged.dropped.contains(one));
    Ok(Taken { text, dropped, replaced: lost, conflicts: Vec::new() })
}

/// A value of the source with the change made in the copy. The values before and after the change
/// have both gone through the conversion.
fn together(
    schema: Option<&Value>,
    [before, own, after]: [&Value; 3],
    lost: &mut Vec<String>,
) -> Value {
    if before == after {
        return own.clone();
    }
    if own == before {
        return after.clone();
    }
    if let (Some(before), Some(items), Some(after)) =
        (items(schema, before), items(schema, own), items(schema, after))
    {
        let has =
            |items: &[String], item: &str| items.iter().any(|other| base(other) == base(item));
        let kept = items.iter().filter(|item| has(&after, item) || !has(&before, item));
        let added = after.iter().filter(|item| !has(&before, item) && !has(&items, item));
        let new: Vec<&str> = kept.chain(added).map(String::as_str).collect();
        return match own {
            Value::String(_) => Value::String(new.join(", ")),
            _ => Value::from(new),
        };
    }
    let (Some(old), Some(text), Some(new)) = (before.as_str(), own.as_str(), after.as_str()) else {
        lost.push(own.to_string());
        return after.clone();
    };
    let merged = text::merge(old, text, new);
    lost.extend(merged.lost);
    Value::String(merged.text)
}
