//! Reads a file as its client does: values, text and comments.

use serde_json::{Map, Value};

use super::{Dropped, Place, Refusal, is_empty};
use crate::client::Reading;
use crate::format::agent::reading::{self, Front, Read};
use crate::markdown::front::{Delimiters, mark_length};
use crate::source::Source;
use crate::yaml::{self, Kind as Node, Style, Tree};

/// A file as its client reads it.
pub struct Text {
    pub values: Map<String, Value>,
    /// The text after the front matter.
    pub body: String,
    /// Comments in the front matter, each with the key that it belongs to.
    pub comments: Vec<(Option<String>, String)>,
    pub line_break: &'static str,
    pub dropped: Vec<Dropped>,
    pub notes: Vec<String>,
}

/// Longer front matter is rejected: it isn't written by hand.
const MOST: usize = 256 * 1024;

/// Reads a file.
pub fn read(text: &str, place: Place) -> Result<Text, Refusal> {
    if let Some(key) = &place.reads.text_key {
        return toml(text, place, key);
    }
    let source = Source::new(text);
    let body = |start: usize| source.slice(start..source.len()).into_owned();
    let mut found = Text {
        values: Map::new(),
        body: String::new(),
        comments: Vec::new(),
        line_break: source.line_break(),
        dropped: Vec::new(),
        notes: Vec::new(),
    };
    let start = mark_length(text);
    let marked = text.get(start..).unwrap_or_default();
    let reading = place.reads.reading;
    if reading == Reading::None {
        found.body = marked.to_owned();
        return Ok(found);
    }
    if marked.lines().next().is_some_and(|line| line.trim_end() == "+++") {
        return Err(Refusal::Toml);
    }
    let Some(front) =
        source.front_matter().filter(|front| front.delimiters != Delimiters::Unopened)
    else {
        found.body = marked.to_owned();
        return Ok(found);
    };
    if front.delimiters == Delimiters::Unclosed {
        return Err(Refusal::Unclosed);
    }
    let text = source.slice(front.yaml_span.clone());
    if text.len() > MOST {
        return Err(Refusal::Long { length: text.len(), most: MOST });
    }
    found.body = body(front.span.end);
    let tree = front.tree;
    let broken = || Refusal::Unreadable {
        client: place.client.title.clone(),
        message: tree.errors.first().map_or_else(
            || "it isn't a mapping".to_owned(),
            |error| {
                let line = text.get(..error.span.start).unwrap_or_default().matches('\n').count();
                let message = error.message.trim_end_matches('.');
                format!("line {}: {message}", line + 2)
            },
        ),
    };
    let keys = match reading::read(reading, Front { mark: start > 0, yaml: &text, tree }) {
        Read::Keys(keys) => keys,
        Read::Refused => return Err(broken()),
        Read::Nothing => return Ok(found),
    };
    if keys.partly && reading == Reading::Vscode {
        return Err(broken());
    }
    if keys.partly {
        let client = &place.client.title;
        found.notes.push(format!("the front matter isn't valid YAML; read as {client} does"));
    }
    found.values = keys.values;
    match reading {
        Reading::CursorLines => meant(&mut found, tree, place, &['"', '\'', '[', '|', '>']),
        Reading::CodexLines => meant(&mut found, tree, place, &['|', '>']),
        _ => literal(&mut found.values, tree),
    }
    for (key, line) in lost(&text, &found.values) {
        let why = format!("{} doesn't read it either", place.client.title);
        found.dropped.push(Dropped { key: Some(key), value: line, why, stays: false });
    }
    found.comments = comments(&text, tree);
    Ok(found)
}

/// The keys of lines that the client doesn't read, with their values.
fn lost(text: &str, values: &Map<String, Value>) -> Vec<(String, String)> {
    let line = |line: &str| {
        let (key, value) = line.split_once(':')?;
        let word = key.chars().all(|letter| letter.is_alphanumeric() || "_-".contains(letter));
        let is_key = word && !key.is_empty() && !values.contains_key(key);
        is_key.then(|| (key.to_owned(), value.trim().to_owned()))
    };
    let deep = |line: &&str| line.starts_with([' ', '\t', '#', '-']);
    let mut block = false;
    let mut found = Vec::new();
    for text in text.lines() {
        if block && (text.trim().is_empty() || deep(&text)) {
            continue;
        }
        block = text.trim_end().ends_with(['|', '>', '-', '+']);
        found.extend(line(text).filter(|_| !deep(&text)));
    }
    found
}

/// Keeps dates and base-60 numbers as written: some readings turn them into other values.
fn literal(values: &mut Map<String, Value>, tree: &Tree) {
    for (key, value) in values.iter_mut() {
        let Some(entry) = tree.get(key) else { continue };
        if let Node::Scalar(scalar) = &entry.value.kind
            && scalar.style == Style::Plain
            && (value.is_array() || value.as_i64() == Some(0) && scalar.text != "0")
        {
            *value = Value::String(scalar.text.clone());
        }
    }
}

/// Reads values as YAML where their authors meant YAML: a client that reads lines literally
/// includes quotes and brackets in the value, and ignores lists of several lines.
fn meant(found: &mut Text, tree: &Tree, place: Place, signs: &[char]) {
    if !tree.errors.is_empty() {
        return;
    }
    let anchors = tree.anchors();
    let client = &place.client.title;
    for entry in tree.entries() {
        let Some(key) = entry.key.as_str() else { continue };
        let Some(raw) = found.values.get(key).and_then(Value::as_str) else { continue };
        let yaml = yaml::to_json(&entry.value, &anchors).value;
        let wrapped = raw.is_empty() || raw.starts_with(signs);
        if wrapped && !is_empty(&yaml) && yaml != Value::String(raw.to_owned()) {
            found.notes.push(format!("`{key}` was read as YAML, which {client} doesn't do"));
            found.values.insert(key.to_owned(), yaml);
        }
    }
}

/// Comments with the keys that follow them.
fn comments(text: &str, tree: &Tree) -> Vec<(Option<String>, String)> {
    let mut found = Vec::new();
    for span in &tree.comments {
        let Some(comment) = text.get(span.clone()) else { continue };
        // A comment in a value, or after it on the same line, belongs to that key.
        let start = text.get(..span.start).and_then(|before| before.rfind('\n'));
        let line = start.map_or(0, |start| start + 1);
        let own = text.get(line..span.start).is_some_and(|before| before.trim().is_empty());
        let within = tree.entries().find(|entry| entry.span.contains(&span.start));
        let same = tree.entries().find(|entry| (line..span.start).contains(&entry.key.span.start));
        let after = tree.entries().find(|entry| entry.span.start >= span.end);
        let key = if own { within.or(after) } else { same.or(within) };
        let key = key.and_then(|entry| entry.key.as_str()).map(str::to_owned);
        found.push((key, comment.trim_end().to_owned()));
    }
    found
}

fn toml(text: &str, place: Place, key: &str) -> Result<Text, Refusal> {
    let start = mark_length(text);
    let text = text.get(start..).unwrap_or_default();
    let unreadable = |start: usize, message: &str| Refusal::BrokenToml {
        client: place.client.title.clone(),
        line: text.get(..start).unwrap_or_default().matches('\n').count() + 1,
        message: message.lines().next().unwrap_or_default().to_owned(),
    };
    let table: toml::Table = toml::from_str(text)
        .map_err(|error| unreadable(error.span().map_or(0, |span| span.start), error.message()))?;
    let mut values = Map::new();
    let mut body = None;
    for (name, value) in table {
        let value =
            serde_json::to_value(&value).map_err(|error| unreadable(0, &error.to_string()))?;
        match value {
            Value::String(text) if name == key => body = Some(text),
            value => {
                values.insert(name, value);
            }
        }
    }
    let body = body.ok_or_else(|| Refusal::Missing {
        client: place.client.title.clone(),
        key: key.to_owned(),
    })?;
    let comment = |line: &str| line.starts_with('#').then(|| (None, line.trim_end().to_owned()));
    // Lines of a multi-line string can look like comments.
    let comments =
        text.lines().take_while(|line| !line.contains("\"\"\"") && !line.contains("'''"));
    let comments = comments.filter_map(comment).collect();
    Ok(Text {
        values,
        body,
        comments,
        line_break: if text.contains("\r\n") { "\r\n" } else { "\n" },
        dropped: Vec::new(),
        notes: Vec::new(),
    })
}
