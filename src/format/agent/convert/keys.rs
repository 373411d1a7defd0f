//! Front matter, key by key.

use serde_json::{Map, Value};

use super::{Work, is_empty, scope, tools};
use crate::client::{Client, Kind, Reads};

/// What the value of a key names, such as `tool` or `glob`.
pub fn names(schema: &Value) -> Option<&str> {
    schema.get("x-names").and_then(Value::as_str)
}

/// The word for the purpose of a key.
fn purpose(key: &str, schema: &Value) -> String {
    let means = schema.get("x-means").and_then(Value::as_str).unwrap_or(key);
    means
        .chars()
        .filter(|letter| !matches!(letter, '-' | '_'))
        .flat_map(char::to_lowercase)
        .collect()
}

fn is_read(schema: &Value) -> bool {
    schema.get("x-ignored").is_none() && schema.get("x-renamed").is_none()
}

/// Whether a list in front matter denies rather than allows.
fn denies(key: &str) -> bool {
    key.to_lowercase().starts_with("disallowed")
}

/// The key of the other kind for the same purpose.
fn counterpart<'r>(from: &Reads, key: &str, to: &'r Reads) -> Option<(&'r str, &'r Value)> {
    let schema = from.key(key)?;
    let all = || to.properties().filter(|(_, schema)| is_read(schema));
    let mistaken = |schema: &Value, word: &str| {
        let words = schema.get("x-mistaken").and_then(Value::as_array);
        words.is_some_and(|words| words.iter().any(|other| other == word))
    };
    let wanted = purpose(key, schema);
    all()
        .find(|(name, other)| *name == key && purpose(name, other) == wanted)
        .or_else(|| all().find(|(name, other)| purpose(name, other) == wanted))
        .or_else(|| all().find(|(name, other)| mistaken(other, key) || mistaken(schema, name)))
        .filter(|(_, other)| {
            names(schema).is_none_or(|what| names(other).is_none_or(|it| it == what))
        })
}

/// Converts the values of the front matter.
pub fn convert(
    work: &mut Work,
    before: &Map<String, Value>,
    arguments: &[String],
) -> Map<String, Value> {
    let (from, to) = (work.from.reads, work.to.reads);
    let mut values = Map::new();
    if !work.to.has_front_matter() {
        return nothing(work, before);
    }
    let rule = matches!(to.kind, Kind::Rule | Kind::Instructions);
    let done = if rule { scope::convert(work, before, &mut values) } else { Vec::new() };
    let scoped = std::mem::take(&mut values);
    let named = from.substitutes.as_ref().and_then(|substitutes| substitutes.named.clone());
    for (written, value) in before {
        if done.contains(written) || is_empty(value) && !allows_nothing(from, written, value) {
            continue;
        }
        if named.as_ref() == Some(written) {
            if arguments.is_empty() {
                let to = &work.to.client.title;
                work.note(format!("`{written}` isn't needed: {to} doesn't name arguments"));
            }
            continue;
        }
        let renamed = from.key(written).and_then(|schema| schema.get("x-renamed"));
        let key = renamed.and_then(Value::as_str).unwrap_or(written);
        one(work, (written, key), value, &mut values);
    }
    if let Some(key) = to.substitutes.as_ref().and_then(|substitutes| substitutes.named.clone())
        && !arguments.is_empty()
    {
        let list = arguments.iter().cloned().map(Value::String).collect();
        values.insert(key, Value::Array(list));
    }
    values.extend(scoped);
    for (key, value) in before {
        deny(work, key, value, &mut values);
    }
    defaults(work, &mut values);
    if to.reading.is_by_line() {
        for (key, value) in &mut values {
            let text = line(value);
            let one = text.split_whitespace().collect::<Vec<_>>().join(" ");
            if text.contains('\n') {
                work.note(format!("`{key}` became one line"));
            }
            *value = Value::String(if text.contains('\n') { one } else { text.trim().to_owned() });
        }
    }
    values
}

/// Whether a value lists the tools of an agent, so that an empty list gives it none.
fn allows_nothing(reads: &Reads, key: &str, value: &Value) -> bool {
    let lists_tools = reads.key(key).and_then(names) == Some("tool") && !denies(key);
    lists_tools && reads.kind == Kind::Agent && value.is_array()
}

/// A value on one line.
fn line(value: &Value) -> String {
    match value {
        Value::Array(items) => items.iter().map(line).collect::<Vec<_>>().join(","),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

/// A kind without front matter.
fn nothing(work: &mut Work, before: &Map<String, Value>) -> Map<String, Value> {
    let mut values = Map::new();
    let rule = matches!(work.to.reads.kind, Kind::Rule | Kind::Instructions);
    let done = if rule { scope::convert(work, before, &mut values) } else { Vec::new() };
    let client = &work.to.client.title;
    let why = format!("{client} reads no front matter here");
    for (key, value) in before {
        if !done.contains(key) && !is_empty(value) && !is_path(work, key, value) {
            work.drop_key(key, value, &why);
        }
    }
    Map::new()
}

fn one(
    work: &mut Work,
    (written, key): (&str, &str),
    value: &Value,
    values: &mut Map<String, Value>,
) {
    let (from, to) = (work.from.reads, work.to.reads);
    let (this, other) = (&work.from.client.title, &work.to.client.title);
    let Some(schema) = from.key(key) else {
        // Skills may have keys that no client reads. They are dropped only if the other client
        // would read them.
        let skills = from.kind == Kind::Skill && to.kind == Kind::Skill;
        if skills && tolerates(to) && to.key(key).is_none() {
            values.insert(written.to_owned(), value.clone());
            return work.note(format!("`{written}` was kept; neither client reads it"));
        }
        return work.drop_key(written, value, format!("{this} doesn't know the key"));
    };
    if is_path(work, key, value) && counterpart(from, key, to).is_none() {
        return;
    }
    if schema.get("x-ignored").is_some() {
        return work.drop_key(written, value, format!("{this} ignores it"));
    }
    if let Some((_, left)) = switched(work, key, value) {
        if let Some(left) = left {
            work.drop_key(written, &left, format!("{other} has no such key"));
        }
        return;
    }
    let found = counterpart(from, key, to);
    let usual = schema.get("x-new") == Some(value);
    let Some((new, target)) = found else {
        if usual {
            return work.note(format!("`{written}: {}` is the default", line(value)));
        }
        if kept(work, key, value) {
            values.insert(key.to_owned(), value.clone());
            return work.note(format!("`{key}` was kept; {other} doesn't read it"));
        }
        return work.drop_key(written, value, format!("{other} has no such key"));
    };
    let target = to.resolved(target);
    match names(schema).or(names(target)) {
        Some("tool") if !denies(key) || denies(new) => {
            let denied = to.properties().find(|(name, _)| denies(name) && !denies(new));
            tools::convert(work, (written, value), (new, target), denied, values);
        }
        Some("glob") => {
            // It's unknown how clients match the globs of skills.
            let globs = scope::globs(value);
            values.insert(new.to_owned(), scope::written(&globs, target));
        }
        Some("model") => model(work, written, value, (new, target), values),
        _ => match fitting(&meant(value, schema), target) {
            Some(new_value) => {
                if new != written {
                    work.note(format!("`{written}` became `{new}`"));
                }
                values.insert(new.to_owned(), new_value);
            }
            None => work.drop_key(written, value, format!("{other} takes other values")),
        },
    }
}

/// The tools that a value denies, if the other client denies tools with another kind of key, and
/// the rest of the value.
fn switched(work: &Work, key: &str, value: &Value) -> Option<(Vec<String>, Option<Value>)> {
    let (from, to) = (work.from.reads, work.to.reads);
    let schema = from.key(key)?;
    if let Some(several) = schema.get("x-denies") {
        to.properties().find(|(name, _)| denies(name))?;
        let rules = value.as_object()?;
        // `*` matches all tools, and the last matching rule applies.
        let from = rules.iter().rposition(|(name, _)| name == "*").map_or(0, |at| at + 1);
        let (mut denied, mut left) = (Vec::new(), Map::new());
        for (index, (name, how)) in rules.iter().enumerate() {
            if index < from || !denies_all(how) {
                left.insert(name.clone(), how.clone());
                continue;
            }
            match several.get(name).and_then(Value::as_array) {
                Some(tools) => {
                    denied.extend(tools.iter().filter_map(Value::as_str).map(str::to_owned));
                }
                None if is_tool(work.from.client, name) => denied.push(name.clone()),
                None => _ = left.insert(name.clone(), how.clone()),
            }
        }
        let left = (!left.is_empty()).then_some(Value::Object(left));
        return (!denied.is_empty()).then_some((denied, left));
    }
    if !denies(key) || counterpart(from, key, to).is_some() {
        return None;
    }
    tools::switches(to)?;
    Some((tools::listed(value)?, None))
}

/// Whether a name is that of a tool, or of all tools of a server.
fn is_tool(client: &Client, name: &str) -> bool {
    client.tools.names.contains_key(name) || name.ends_with("_*")
}

/// Whether a rule denies every use of a tool.
fn denies_all(how: &Value) -> bool {
    let all = |cases: &Map<String, Value>| {
        cases.contains_key("*") && cases.values().all(|case| case == "deny")
    };
    how == "deny" || how.as_object().is_some_and(all)
}

/// Adds the tools that a value denies.
fn deny(work: &mut Work, key: &str, value: &Value, values: &mut Map<String, Value>) {
    let Some((tools, _)) = switched(work, key, value) else { return };
    let to = work.to.reads;
    let list = to.properties().find(|(name, _)| denies(name));
    if let Some(place) = list.or_else(|| tools::switches(to)) {
        tools::deny(work, (key, tools), place, values);
    }
}

/// Whether a name is that of the file, or becomes the file's name.
fn is_path(work: &Work, key: &str, value: &Value) -> bool {
    let stem = work.name.rsplit('/').next().unwrap_or(work.name);
    key == "name" && (work.to.reads.kind == Kind::Agent || value.as_str() == Some(stem))
}

/// Whether a client accepts unknown keys.
fn tolerates(reads: &Reads) -> bool {
    let strict = reads.keys.get("additionalProperties") == Some(&Value::Bool(false));
    !strict && reads.unknown.is_some()
}

/// Whether a skill keeps this key: the open specification has it, although the client doesn't read
/// it.
fn kept(work: &Work, key: &str, value: &Value) -> bool {
    let to = work.to.reads;
    let open = super::places().find(|place| {
        place.reads.anywhere && place.reads.kind == to.kind && to.kind == Kind::Skill
    });
    tolerates(to)
        && open.is_some_and(|open| {
            open.reads.key(key).is_some_and(|schema| fitting(value, schema).as_ref() == Some(value))
        })
}

/// Converts the name of a model. Each client has its own names; a model is kept if both have the
/// same name.
fn model(
    work: &mut Work,
    written: &str,
    value: &Value,
    (new, target): (&str, &Value),
    values: &mut Map<String, Value>,
) {
    let (this, other) = (work.from.client, work.to.client);
    let candidates: Vec<&str> = match value {
        Value::String(one) => vec![one.as_str()],
        Value::Array(many) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if candidates == ["inherit"] && !other.models.iter().any(|model| model == "inherit") {
        return work.note(format!("`{written}: inherit` is the default"));
    }
    let known = candidates.iter().find(|name| other.models.iter().any(|model| model == *name));
    match known.and_then(|name| fitting(&Value::String((*name).to_owned()), target)) {
        Some(value) => {
            values.insert(new.to_owned(), value);
        }
        None => {
            let why = format!("{} and {} name models differently", this.title, other.title);
            work.drop_key(written, value, why);
        }
    }
}

/// A value as the client understands it: `yes` can be a boolean.
fn meant(value: &Value, schema: &Value) -> Value {
    let boolean = schema.get("x-boolean").and(value.as_str());
    match boolean.map(|text| text.trim().to_lowercase()).as_deref() {
        Some("true" | "yes" | "on" | "1") => Value::Bool(true),
        Some("false" | "no" | "off" | "0") => Value::Bool(false),
        _ => value.clone(),
    }
}

/// The value in a type that the schema accepts, if that doesn't change its meaning.
pub fn fitting(value: &Value, schema: &Value) -> Option<Value> {
    let fits = |value: &Value| {
        let types: Option<Vec<&str>> = match schema.get("type") {
            Some(Value::String(one)) => Some(vec![one]),
            Some(Value::Array(many)) => Some(many.iter().filter_map(Value::as_str).collect()),
            _ => None,
        };
        let of = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        let whole = value.is_i64() || value.is_u64();
        types.is_none_or(|types| types.contains(&of) || whole && types.contains(&"integer"))
            && schema
                .get("enum")
                .and_then(Value::as_array)
                .is_none_or(|items| items.contains(value))
    };
    if fits(value) {
        return Some(value.clone());
    }
    let other = match value {
        Value::String(text) => match text.trim().to_lowercase().as_str() {
            "true" | "yes" | "on" => Value::Bool(true),
            "false" | "no" | "off" => Value::Bool(false),
            number => match number.parse::<i64>() {
                Ok(number) => Value::from(number),
                Err(_) => Value::Array(vec![value.clone()]),
            },
        },
        Value::Bool(_) | Value::Number(_) => Value::String(value.to_string()),
        Value::Array(items) => {
            let texts: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
            match texts?.as_slice() {
                [one] => Value::String((*one).to_owned()),
                many if many.iter().all(|text| !text.contains(',')) => {
                    Value::String(many.join(", "))
                }
                _ => return None,
            }
        }
        _ => return None,
    };
    fits(&other).then_some(other)
}

/// Adds the values that new files of the kind have by default.
fn defaults(work: &mut Work, values: &mut Map<String, Value>) {
    let to = work.to.reads;
    if !to.loads.is_empty() {
        return;
    }
    for (key, schema) in to.properties() {
        let Some(value) = schema.get("x-new") else { continue };
        if !values.contains_key(key) && !is_empty(value) {
            values.insert(key.to_owned(), value.clone());
            work.note(format!("added `{key}: {}`", line(value)));
        }
    }
}
