//! Takes over what was changed in a copy: the changes go to the source, which keeps everything that
//! the copy has no place for.

use serde_json::{Map, Value};

use crate::format::agent::convert::{Dropped, Origin, Refusal, assemble, convert, items, parts};
use crate::format::agent::tools::base;
use crate::text;

/// A source with the changes of its copy.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    pub text: String,
    /// What the source has no counterpart for.
    pub dropped: Vec<Dropped>,
    /// What the source said where the copy says something else now.
    pub replaced: Vec<String>,
}

/// The source with the changes of its copy. The copy is compared with what the source converts to.
///
/// # Errors
/// If one of them can't be read.
pub fn take(
    source: &str,
    origin: &Origin,
    copy: &str,
    copy_origin: &Origin,
) -> Result<Taken, Refusal> {
    let there = convert(source, origin, copy_origin.place)?;
    let unchanged = convert(&there.text, copy_origin, origin.place)?;
    let changed = convert(copy, copy_origin, origin.place)?;
    let own = parts(source, origin.place)?;
    let before = parts(&unchanged.text, origin.place)?;
    let after = parts(&changed.text, origin.place)?;
    let mut lost = Vec::new();
    let mut values = Map::new();
    for (key, value) in &own.values {
        let merged = match (before.values.get(key), after.values.get(key)) {
            // The copy has no place for it.
            (None, _) => value.clone(),
            (Some(old), Some(new)) => {
                let schema = origin.place.reads.key(key);
                together(schema, [old, value, new], &mut lost)
            }
            // It was removed.
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
    Ok(Taken { text, dropped: changed.dropped, replaced: lost })
}

/// A value of the source with what was changed in the copy. Of what a value is before and after the
/// change, each went through the conversion.
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
        return after.clone();
    };
    let merged = text::merge(old, text, new);
    lost.extend(merged.lost);
    Value::String(merged.text)
}
