//! Takes over what was changed in a copy: the changes go to the source, which keeps everything that
//! the copy has no place for.

use serde_json::{Map, Value};

use crate::format::agent::convert::{Conversion, Origin, Refusal, assemble, convert, parts};

/// The source with the changes of its copy. The copy is compared with what the source converts to.
///
/// # Errors
/// If one of them can't be read.
pub fn take(
    source: &str,
    origin: &Origin,
    copy: &str,
    copy_origin: &Origin,
) -> Result<Conversion, Refusal> {
    let there = convert(source, origin, copy_origin.place)?;
    let unchanged = convert(&there.text, copy_origin, origin.place)?;
    let changed = convert(copy, copy_origin, origin.place)?;
    let own = parts(source, origin.place)?;
    let before = parts(&unchanged.text, origin.place)?;
    let after = parts(&changed.text, origin.place)?;
    let mut values = Map::new();
    for (key, value) in &own.values {
        match (before.values.get(key), after.values.get(key)) {
            // The copy has no place for it, or didn't change it.
            (None, _) => {
                values.insert(key.clone(), value.clone());
            }
            (Some(old), Some(new)) if old == new => {
                values.insert(key.clone(), value.clone());
            }
            (Some(_), Some(new)) => {
                values.insert(key.clone(), new.clone());
            }
            // It was removed.
            (Some(_), None) => {}
        }
    }
    let added = after.values.iter().filter(|(key, value)| {
        !own.values.contains_key(*key) && before.values.get(*key) != Some(*value)
    });
    values.extend(added.map(|(key, value): (&String, &Value)| (key.clone(), value.clone())));
    let same = before.body.trim() == after.body.trim();
    let body = if same { own.body.as_str() } else { after.body.as_str() };
    let text = assemble(origin, &values, body, &own)?;
    Ok(Conversion { path: unchanged.path, text, dropped: changed.dropped, notes: changed.notes })
}
