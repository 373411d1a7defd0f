//! When a rule is loaded, and for which files.

use serde_json::{Map, Value};

use super::globs::{self, Translated, translate};
use super::{Work, is_empty, keys};
use crate::client::{Loads, Occasion, Reads, dialect};

/// Whether the front matter meets the conditions of `loads`.
fn holds(loads: &Loads, values: &Map<String, Value>) -> bool {
    let same = |(key, wanted): (&String, &Value)| {
        values.get(key).is_some_and(|value| plain(value) == plain(wanted))
    };
    loads.with.iter().all(same)
        && loads.needs.as_ref().is_none_or(|key| values.get(key).is_some_and(|v| !is_empty(v)))
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim().to_owned(),
        value => value.to_string(),
    }
}

/// The globs of a value: a list, or a string with commas.
pub fn globs(value: &Value) -> Vec<String> {
    listed(value).iter().map(|glob| globs::relative(glob).to_owned()).collect()
}

/// The globs of a value as written.
fn listed(value: &Value) -> Vec<String> {
    let one = |glob: &str| unquoted(glob).to_owned();
    let split = |text: &str| dialect::separated(text).into_iter().map(one).collect::<Vec<_>>();
    match value {
        Value::Array(items) => items.iter().filter_map(Value::as_str).flat_map(split).collect(),
        Value::String(text) => split(text),
        _ => Vec::new(),
    }
}

/// The text without quotes around it.
pub fn unquoted(text: &str) -> &str {
    let inside = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}

/// Globs in the form that a key accepts: a list or a string.
pub fn written(globs: &[String], schema: &Value) -> Value {
    let list = match schema.get("type") {
        Some(Value::String(one)) => one == "array",
        Some(Value::Array(many)) => many.iter().any(|one| one == "array"),
        _ => true,
    };
    match list {
        true => Value::Array(globs.iter().cloned().map(Value::String).collect()),
        false => Value::String(globs.join(",")),
    }
}

/// The key for globs in files of this kind.
pub fn glob_key(reads: &Reads) -> Option<(&str, &Value)> {
    reads.properties().find(|(_, schema)| keys::names(schema) == Some("glob"))
}

/// Adds the keys that determine when the rule is loaded; returns the keys of this client for it.
pub fn convert(
    work: &mut Work,
    before: &Map<String, Value>,
    values: &mut Map<String, Value>,
) -> Vec<String> {
    let (from, to) = (work.from.reads, work.to.reads);
    let mut done: Vec<String> = Vec::new();
    for loads in &from.loads {
        for key in loads.with.keys().chain(loads.set.keys()) {
            // The key of the globs is handled below.
            let globs = from.key(key).and_then(keys::names) == Some("glob");
            if !done.contains(key) && !globs {
                done.push(key.clone());
            }
        }
    }
    let when = match from.loads.iter().find(|loads| holds(loads, before)) {
        Some(loads) => loads.when,
        None if from.loads.is_empty() => return Vec::new(),
        None => Occasion::Always,
    };
    let source = glob_key(from);
    let written_globs = source.and_then(|(key, _)| before.get(key));
    if let Some((key, _)) = source {
        done.push(key.to_owned());
    }
    let found = written_globs.map(globs).unwrap_or_default();
    let client = &work.to.client.title;
    // A client without conditions loads all of its rules.
    let chosen = to.loads.iter().find(|loads| loads.when == when);
    let chosen = chosen.or_else(|| to.loads.iter().find(|loads| loads.when == Occasion::Always));
    let loaded = chosen.map_or(Occasion::Always, |loads| loads.when);
    if loaded != when {
        let (key, value) = match (source, written_globs, when) {
            (Some((key, _)), Some(value), Occasion::Match) => (key.to_owned(), value.clone()),
            _ => stated(from, before, when),
        };
        let why = match when {
            Occasion::Never => {
                format!("{client} can't switch a rule off: it always loads the rule")
            }
            _ => format!("{client} always loads the rule, not only {}", words(when)),
        };
        work.drop_key(&key, &value, why);
    } else if when != Occasion::Match && !found.is_empty() && !is_everything(&found) {
        // The globs are ignored, because another key takes precedence.
        let from = &work.from.client.title;
        let key = source.map_or("", |(key, _)| key).to_owned();
        let value = written_globs.cloned().unwrap_or_default();
        work.drop_key(
            &key,
            &value,
            format!("{from} doesn't use it: the rule is loaded {}", words(when)),
        );
    }
    if let Some(chosen) = chosen {
        work.loaded = Some(chosen.when);
        for (key, value) in chosen.with.iter().chain(&chosen.set) {
            values.insert(key.clone(), value.clone());
        }
    }
    if let (Occasion::Match, Some((key, schema))) = (loaded, glob_key(to)) {
        let own = source.zip(written_globs);
        let new = own.map(|((own, _), value)| translated(work, own, value)).unwrap_or_default();
        values.insert(key.to_owned(), written(&new, schema));
    }
    done
}

/// The globs of a value for the other client. A glob that doesn't match the same files there is
/// reported. If all are lost, they are kept: without globs, a rule is always loaded.
fn translated(work: &mut Work, key: &str, value: &Value) -> Vec<String> {
    let (from, to) = (&work.from.reads.globs, &work.to.reads.globs);
    let client = &work.to.client.title;
    let mut new: Vec<String> = Vec::new();
    for glob in &listed(value) {
        match translate(from, to, glob) {
            Translated::Globs { globs, wider } => {
                let words = globs.join("`, `");
                if globs.as_slice() != [globs::relative(glob).to_owned()] {
                    work.note(format!("`{glob}` became `{words}`"));
                }
                if wider {
                    work.note(format!("`{words}` matches more files for {client}"));
                }
                for glob in globs {
                    if !new.contains(&glob) {
                        new.push(glob);
                    }
                }
            }
            Translated::Lost => {
                // A glob that excludes files in one client matches all other files in another.
                let why = if glob.starts_with('!') {
                    format!("{client} can't leave files out that other globs match")
                } else {
                    new.push(globs::relative(glob).to_owned());
                    format!("{client} may match other files with it")
                };
                work.drop_key(key, &Value::String(glob.clone()), why);
            }
        }
    }
    if new.is_empty() { globs(value) } else { new }
}

/// Globs that match every file.
fn is_everything(globs: &[String]) -> bool {
    globs.iter().any(|glob| crate::format::agent::globs::is_everything(glob))
}

/// The key that determines when a rule is loaded, with its value.
fn stated(reads: &Reads, before: &Map<String, Value>, when: Occasion) -> (String, Value) {
    let loads = reads.loads.iter().filter(|loads| loads.when == when);
    let mut keys =
        loads.flat_map(|loads| loads.with.keys().chain(loads.set.keys()).chain(&loads.needs));
    let known = keys.find_map(|key| Some((key.clone(), before.get(key)?.clone())));
    known.unwrap_or_else(|| ("loaded".to_owned(), Value::String(words(when).to_owned())))
}

fn words(when: Occasion) -> &'static str {
    match when {
        Occasion::Always => "always",
        Occasion::Match => "with files that the globs match",
        Occasion::Choice => "when the model asks for it",
        Occasion::Manual => "when you ask for it",
        Occasion::Never => "never",
    }
}
