//! Writes the new file, and reads it back the way its client does.

use serde_json::{Map, Value};

use super::{Refusal, Work};
use crate::client::Reading;
use crate::format::agent::reading::{self, Front, Read};
use crate::yaml;

/// Longer lists are written with one item per line.
const WIDTH: usize = 90;

/// The whole file.
///
/// # Errors
/// If there's no way to write a value so that the client reads it back unchanged.
pub fn print(
    work: &Work,
    values: &Map<String, Value>,
    body: &str,
    comments: &[(Option<String>, String)],
    line_break: &str,
) -> Result<String, Refusal> {
    let reads = work.to.reads;
    if let Some(key) = &reads.text_key {
        return toml(work, values, key, body, comments);
    }
    let body = body.trim_start_matches(['\n', '\r']);
    // Text that begins with `---` would be read as front matter.
    let nothing = values.is_empty() && comments.is_empty() && !body.starts_with("---");
    if nothing || !work.to.has_front_matter() {
        return Ok(body.to_owned());
    }
    let mut front = String::new();
    for (key, comment) in comments {
        if key.as_ref().is_none_or(|key| !values.contains_key(key)) {
            front.push_str(&format!("{comment}\n"));
        }
    }
    for (key, value) in values {
        let above = comments.iter().filter(|(of, _)| of.as_deref() == Some(key));
        above.for_each(|(_, comment)| front.push_str(&format!("{comment}\n")));
        let mut entries = entries(reads.reading, key, value).into_iter();
        let right = entries.find(|entry| reads_back(reads.reading, entry, key, value));
        let Some(right) = right else {
            let client = work.to.client.title.clone();
            return Err(Refusal::Differs { client, key: key.clone() });
        };
        front.push_str(&right);
    }
    // Each entry on its own was read back; check all of them together.
    let read = reading::read(
        reads.reading,
        Front { mark: false, yaml: &front, tree: &yaml::parse(&front) },
    );
    let all = match &read {
        Read::Keys(keys) => !keys.partly && same(&keys.values, values),
        _ => values.is_empty(),
    };
    if !all {
        let client = work.to.client.title.clone();
        let key = values.keys().next().cloned().unwrap_or_default();
        return Err(Refusal::Differs { client, key });
    }
    let front = format!("---\n{front}---\n\n").replace('\n', line_break);
    Ok(format!("{front}{body}"))
}

/// Whether the values that were read are the wanted ones.
fn same(read: &Map<String, Value>, wanted: &Map<String, Value>) -> bool {
    read.len() == wanted.len()
        && wanted.iter().all(|(key, value)| read.get(key).is_some_and(|other| equal(other, value)))
}

fn equal(read: &Value, wanted: &Value) -> bool {
    match (read, wanted) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => same(a, b),
        (a, b) => a == b,
    }
}

fn reads_back(reading: Reading, entry: &str, key: &str, value: &Value) -> bool {
    match reading::read(reading, Front { mark: false, yaml: entry, tree: &yaml::parse(entry) }) {
        Read::Keys(keys) => keys.values.get(key).is_some_and(|read| equal(read, value)),
        _ => false,
    }
}

/// The ways to write a key, the most readable first.
fn entries(reading: Reading, key: &str, value: &Value) -> Vec<String> {
    let yaml = || [false, true].map(|quotes| entry(key, value, quotes));
    let literal = || {
        let text = value.as_str().unwrap_or_default();
        format!("{key}: {text}").trim_end().to_owned() + "\n"
    };
    match reading {
        Reading::CursorLines => vec![literal()],
        // Other programs read these as YAML.
        Reading::CodexLines => yaml().into_iter().chain([literal()]).collect(),
        _ => yaml().to_vec(),
    }
}

/// `key: value` with its line break, in YAML.
fn entry(key: &str, value: &Value, quotes: bool) -> String {
    let name = yaml::print_scalar(key);
    match value {
        Value::String(text) if text.contains('\n') && !quotes => block(text).map_or_else(
            || format!("{name}: {}\n", yaml::quote(text)),
            |block| format!("{name}: {block}\n"),
        ),
        Value::String(text) if quotes => format!("{name}: {}\n", yaml::quote(text)),
        Value::String(text) => format!("{name}: {}\n", yaml::print_scalar(text)),
        Value::Array(items) => {
            let flow = flow(value, quotes);
            let plain = items.iter().all(|item| !item.is_array() && !item.is_object());
            if plain && name.len() + flow.len() + 2 <= WIDTH {
                return format!("{name}: {flow}\n");
            }
            let mut out = format!("{name}:\n");
            items
                .iter()
                .for_each(|item| out.push_str(&format!("  - {}\n", self::flow(item, quotes))));
            out
        }
        Value::Object(entries) if !entries.is_empty() => {
            let mut out = format!("{name}:\n");
            nested(entries, 1, quotes, &mut out);
            out
        }
        value => format!("{name}: {value}\n"),
    }
}

fn nested(entries: &Map<String, Value>, depth: usize, quotes: bool, out: &mut String) {
    let indent = "  ".repeat(depth);
    for (key, value) in entries {
        let key = yaml::print_scalar(key);
        match value {
            Value::Object(inner) if !inner.is_empty() => {
                out.push_str(&format!("{indent}{key}:\n"));
                nested(inner, depth + 1, quotes, out);
            }
            value => out.push_str(&format!("{indent}{key}: {}\n", flow(value, quotes))),
        }
    }
}

/// A value on one line.
fn flow(value: &Value, quotes: bool) -> String {
    match value {
        Value::String(text) if quotes => yaml::quote(text),
        Value::String(text) => yaml::print_flow_scalar(text),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| flow(item, quotes)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(entries) => {
            let entries = entries.iter().map(|(key, value)| {
                format!("{}: {}", yaml::print_flow_scalar(key), flow(value, quotes))
            });
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        value => value.to_string(),
    }
}

/// Text of several lines as a literal block, if that's possible.
fn block(text: &str) -> Option<String> {
    let body = text.trim_end_matches('\n');
    let breaks = text.len() - body.len();
    let awkward = body.is_empty()
        || breaks > 1
        || body.starts_with([' ', '\t', '\n'])
        || text.chars().any(|letter| letter.is_control() && letter != '\n')
        || body.lines().any(|line| line.trim_end() != line);
    if awkward {
        return None;
    }
    let mut out = (if breaks == 1 { "|" } else { "|-" }).to_owned();
    for line in body.lines() {
        out.push('\n');
        if !line.is_empty() {
            out.push_str("  ");
            out.push_str(line);
        }
    }
    Some(out)
}

/// A TOML file with the text under `text_key`.
fn toml(
    work: &Work,
    values: &Map<String, Value>,
    text_key: &str,
    body: &str,
    comments: &[(Option<String>, String)],
) -> Result<String, Refusal> {
    let differs =
        |key: &str| Refusal::Differs { client: work.to.client.title.clone(), key: key.to_owned() };
    let mut out = String::new();
    for (_, comment) in comments {
        out.push_str(&format!("{}\n", comment.replace(char::is_control, " ")));
    }
    let (mut tables, mut plain) = (String::new(), String::new());
    for (key, value) in values {
        let value = toml::Value::try_from(value).map_err(|_| differs(key))?;
        let is_table = value.is_table();
        let table: toml::Table = [(key.clone(), value)].into_iter().collect();
        let text = toml::to_string(&table).map_err(|_| differs(key))?;
        if is_table { tables.push_str(&text) } else { plain.push_str(&text) }
    }
    out.push_str(&plain);
    let body = body.trim_start_matches(['\n', '\r']).replace("\r\n", "\n");
    let literal = !body.contains("'''")
        && !body.ends_with('\'')
        && !body.chars().any(|letter| letter.is_control() && !matches!(letter, '\n' | '\t'));
    if literal {
        out.push_str(&format!("{text_key} = '''\n{body}'''\n"));
    } else {
        let text = toml::Value::String(body.clone()).to_string();
        out.push_str(&format!("{text_key} = {text}\n"));
    }
    out.push_str(&tables);
    let read: toml::Table = toml::from_str(&out).map_err(|_| differs(text_key))?;
    let read = serde_json::to_value(read).map_err(|_| differs(text_key))?;
    if read.get(text_key).and_then(Value::as_str) != Some(body.as_str()) {
        return Err(differs(text_key));
    }
    match values.iter().find(|(key, value)| !read.get(*key).is_some_and(|it| equal(it, value))) {
        Some((key, _)) => Err(differs(key)),
        None => Ok(out),
    }
}
