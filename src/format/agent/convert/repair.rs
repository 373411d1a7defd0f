//! Repairs values that the other client would reject: they are cut, cleaned or dropped until it
//! accepts all of them.

use serde_json::{Map, Value};

use super::{Refusal, Work, effect, is_empty, scope};
use crate::client::{Occasion, Outcome};
use crate::format::agent::conditions;
use crate::format::agent::rules::slug;
use crate::schema;

/// The maximum number of repairs in a file.
const MOST: usize = 64;

/// Repairs the values.
///
/// # Errors
/// If the client can't load the file without a key, and no value for it can be found.
pub fn repair(work: &mut Work, values: &mut Map<String, Value>, body: &str) -> Result<(), Refusal> {
    let reads = work.to.reads;
    if let Some(key) = &reads.text_key {
        // The key is that of the text itself.
        values.remove(key);
    }
    let Some(schema) = reads.compiled() else { return Ok(()) };
    for _ in 0..MOST {
        let mut whole = values.clone();
        if let Some(key) = &reads.text_key {
            whole.insert(key.clone(), Value::String(body.to_owned()));
        }
        let whole = Value::Object(whole);
        let errors = schema.errors_in_document(&whole);
        let wrong = errors.iter().find_map(|error| {
            let keyword = error.kind.as_str();
            let key = error
                .pointer
                .split('/')
                .nth(1)
                .map(|key| key.replace("~1", "/").replace("~0", "~"));
            match key {
                None => missing(work, &whole).map(|key| (key, "required")),
                Some(key) => (!effect_is_loaded(work, &key, keyword)).then_some((key, keyword)),
            }
        });
        let Some((key, keyword)) = wrong else { break };
        match keyword {
            "required" | "minLength" => required(work, values, &key, body)?,
            _ => broken(work, values, &key, keyword),
        }
    }
    let whole = Value::Object(values.clone());
    let keys: Vec<String> = values.keys().cloned().collect();
    for key in keys {
        let unmet =
            reads.key(&key).and_then(|schema| conditions::unmet(schema, &|key| whole.get(key)));
        if let Some(unmet) = unmet.filter(|unmet| unmet.outcome > Outcome::Loaded)
            && let Some(value) = values.shift_remove(&key)
        {
            work.drop_key(
                &key,
                &value,
                format!("{}: {}", work.to.client.title.clone(), unmet.text),
            );
        }
    }
    Ok(())
}

fn effect_is_loaded(work: &Work, key: &str, keyword: &str) -> bool {
    effect(work.to.reads, key, keyword).outcome == Outcome::Loaded
}

/// The first required key without a value whose absence matters.
fn missing(work: &Work, whole: &Value) -> Option<String> {
    // Without globs, such a rule isn't loaded more often than before.
    let rare = matches!(work.loaded, Some(Occasion::Choice | Occasion::Manual));
    let globs = scope::glob_key(work.to.reads).filter(|_| rare).map(|(key, _)| key);
    let key = schema::required(&work.to.reads.keys).find(|key| {
        whole.get(key).is_none_or(is_empty)
            && !effect_is_loaded(work, key, "required")
            && globs != Some(*key)
    });
    key.map(str::to_owned)
}

fn required(
    work: &mut Work,
    values: &mut Map<String, Value>,
    key: &str,
    body: &str,
) -> Result<(), Refusal> {
    let schema = work.to.reads.key(key);
    let value = match key {
        "description" => described(body),
        "name" => Some(slug(work.name.rsplit('/').next().unwrap_or(work.name))),
        _ => {
            schema.and_then(|schema| schema.get("x-new")).and_then(Value::as_str).map(str::to_owned)
        }
    };
    match value.filter(|value| !value.is_empty()) {
        Some(value) => {
            work.note(match key {
                "description" => format!("`description` was taken from the text: {value}"),
                _ => format!("added `{key}: {value}`"),
            });
            values.insert(key.to_owned(), Value::String(value));
            Ok(())
        }
        None if effect(work.to.reads, key, "required").outcome >= Outcome::NotLoaded => {
            let client = work.to.client.title.clone();
            Err(Refusal::Missing { client, key: key.to_owned() })
        }
        None => {
            // A placeholder value, so that this isn't reported again.
            let why = format!(
                "{}: {}",
                work.to.client.title.clone(),
                effect(work.to.reads, key, "required").text
            );
            work.drop_key(key, &Value::String(String::new()), why);
            values.insert(key.to_owned(), Value::String("-".to_owned()));
            Ok(())
        }
    }
}

/// The first sentence of the text that isn't a heading.
fn described(body: &str) -> Option<String> {
    const LONGEST: usize = 200;
    let mut code = false;
    let lines = body.lines().map(str::trim).filter(|line| {
        let fence = line.starts_with("```") || line.starts_with("~~~");
        code ^= fence;
        !code && !fence && !line.is_empty() && !line.starts_with(['<', '|', '!', '-', '*', '>'])
    });
    let lines: Vec<&str> = lines.collect();
    let text = lines.iter().find(|line| !line.starts_with('#'));
    let title = lines.first().map(|line| line.trim_start_matches('#'));
    let text = text.copied().or(title)?.trim();
    let end = text.find(". ").map_or(text.len(), |at| at + 1);
    let sentence = text.get(..end).unwrap_or(text);
    let sentence: String = sentence.chars().take(LONGEST).filter(|letter| *letter != '<').collect();
    (!sentence.is_empty()).then_some(sentence)
}

fn broken(work: &mut Work, values: &mut Map<String, Value>, key: &str, keyword: &str) {
    let client = work.to.client.title.clone();
    let what = effect(work.to.reads, key, keyword).text;
    let schema = work.to.reads.key(key);
    let text = values.get(key).and_then(Value::as_str).map(str::to_owned);
    let new = match (keyword, &text) {
        ("maxLength", Some(text)) => {
            let most = schema.and_then(|schema| schema.get("maxLength")).and_then(Value::as_u64);
            most.and_then(|most| usize::try_from(most).ok()).map(|most| cut(text, most))
        }
        ("pattern", Some(text)) if key == "name" => Some(slug(text)),
        ("pattern", Some(text)) if key == "description" => Some(untagged(text)),
        _ => None,
    };
    let new = new.filter(|new| !new.is_empty() && Some(new) != text.as_ref());
    match (new, text) {
        (Some(new), Some(text)) => {
            match keyword {
                "pattern" if key == "name" => {
                    work.note(format!("`name: {text}` became `{new}`"));
                }
                "pattern" => {
                    let why = format!("tags were removed ({client}: {what})");
                    work.drop_key(key, &Value::String(text), why);
                }
                _ => {
                    let count = text.chars().count();
                    let why = format!(
                        "cut from {count} to {} characters ({client}: {what})",
                        new.chars().count()
                    );
                    work.drop_key(key, &Value::String(text), why);
                }
            }
            values.insert(key.to_owned(), Value::String(new));
        }
        _ => {
            if let Some(value) = values.shift_remove(key) {
                work.drop_key(key, &value, format!("{client}: {what}"));
            }
        }
    }
}

/// The first characters of the text, cut between words.
fn cut(text: &str, most: usize) -> String {
    let start: String = text.chars().take(most.saturating_sub(1)).collect();
    let word = start.rfind(char::is_whitespace).filter(|at| *at > start.len() / 2);
    let kept = word.and_then(|at| start.get(..at)).unwrap_or(&start);
    format!("{}…", kept.trim_end())
}

/// The text without anything that looks like a tag.
fn untagged(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        let tag = after.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '/');
        match after.split_once('>') {
            Some((inside, behind)) if tag && !inside.contains('<') => rest = behind,
            _ => {
                if !tag {
                    out.push('<');
                }
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}
