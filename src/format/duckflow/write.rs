//! A reply as text: canonical markers, or JSON (DUCK-15). The result is parsed again before it is
//! returned, so that nothing is lost silently.

use serde_json::{Map, Value, json};

use super::layout;
use super::mark::{self, MarkKind};
use super::reply::{self, Action, Reply, ReplySource};
use super::vocabulary::SECTIONS;
use crate::source::Source;
use crate::text::Encoding;

/// The reply in markers: reasoning, sections, vitals, actions, numbered 0, 1, 2, …
///
/// # Errors
/// If markers can't express some part of the reply; the error names it.
pub fn markers(reply: &Reply) -> Result<String, String> {
    let wanted = canonical(reply);
    let mut out = Vec::new();
    if !wanted.reasoning.is_empty() {
        out.push(section("REASONING", "the reasoning", &wanted.reasoning)?);
    }
    for (name, text) in &wanted.sections {
        let upper = name.to_ascii_uppercase();
        if !matches!(mark::named(&upper), Some(MarkKind::Section(1..) | MarkKind::UnknownSection)) {
            return Err(format!(
                "the section `{name}` cannot be a marker: a name has letters, digits and `_`, and begins with a letter"
            ));
        }
        out.push(section(&upper, &format!("the section `{name}`"), text)?);
    }
    let vitals = wanted
        .vitals
        .iter()
        .map(|(name, number)| vital(name, *number))
        .collect::<Result<String, _>>()?;
    if !vitals.is_empty() {
        out.push(vitals);
    }
    for action in &wanted.actions {
        out.push(action_lines(action)?);
    }
    let text = out.join("\n");
    if reply::marked(&text) != wanted {
        return Err("markers cannot express part of the reply".to_owned());
    }
    Ok(text)
}

/// The reply as it would be read from markers: with trimmed values and renumbered actions, unless
/// that would end content too early.
pub fn canonical(reply: &Reply) -> Reply {
    let trim = |list: &[(String, String)]| {
        list.iter().map(|(name, value)| (name.clone(), value.trim().to_owned())).collect()
    };
    let numbered = reply.actions.iter().zip(0..).all(|(action, index)| {
        !action.content.as_deref().is_some_and(|content| holds_end(content, index))
    });
    let actions = reply.actions.iter().zip(0..).map(|(action, index)| Action {
        index: if numbered { index } else { action.index },
        kind: action.kind.trim().to_owned(),
        parameters: trim(&action.parameters),
        content: action.content.clone(),
    });
    Reply {
        reasoning: reply.reasoning.trim().to_owned(),
        sections: trim(&reply.sections),
        actions: actions.collect(),
        vitals: reply.vitals.clone(),
        ..Reply::default()
    }
}

/// A section, with its text below the marker, or after it if the first line looks like a marker
/// itself.
fn section(name: &str, what: &str, text: &str) -> Result<String, String> {
    let first =
        mark::marks(text).first().is_some_and(|mark| mark.line.start == 0 && mark.kind.ends_text());
    free(what, if first { below(text) } else { text })?;
    Ok(match (text.is_empty(), first) {
        (true, _) => format!("[{name}]\n"),
        (false, true) => format!("[{name}] {text}\n"),
        (false, false) => format!("[{name}]\n{text}\n"),
    })
}

/// The text below the first line.
fn below(text: &str) -> &str {
    text.find(['\n', '\r']).and_then(|end| text.get(end..)).unwrap_or_default()
}

fn vital(name: &str, number: f64) -> Result<String, String> {
    let digits = number.to_string();
    let digits = if digits.contains('.') { digits } else { format!("{digits}.0") };
    let line = format!("[{}] {digits}\n", name.to_ascii_uppercase());
    match mark::marks(&line).first().map(|mark| &mark.kind) {
        Some(MarkKind::Vital(_) | MarkKind::ExtraVital) => Ok(line),
        _ => Err(format!("the vital `{name}` with the number {digits} cannot be a marker")),
    }
}

fn action_lines(action: &Action) -> Result<String, String> {
    let index = action.index;
    if action.kind.contains(['\n', '\r']) {
        return Err(format!("the type of action {index} has several lines"));
    }
    let mut out = line(index, "TYPE", &action.kind);
    for (name, value) in &action.parameters {
        let key = name.to_ascii_uppercase();
        let named =
            !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !named || matches!(key.as_str(), "TYPE" | "CONTENT_START" | "CONTENT_END") {
            return Err(format!(
                "the parameter `{name}` of action {index} cannot be a marker: a name has letters, digits and `_`, and is not `type`"
            ));
        }
        // The first line follows the marker.
        free(&format!("the parameter `{name}` of action {index}"), below(value))?;
        out.push_str(&line(index, &key, value));
    }
    if let Some(content) = &action.content {
        let end = format!("[ACTION_{index}_CONTENT_END]");
        if holds_end(content, index) {
            return Err(format!(
                "the content of action {index} has a line `{end}`, where it would end; use JSON instead"
            ));
        }
        // A `\r` at the end would merge with the line break after it.
        let line_break = if content.ends_with('\r') { "\r\n" } else { "\n" };
        let line_break = if content.is_empty() { "" } else { line_break };
        out.push_str(&format!("[ACTION_{index}_CONTENT_START]\n{content}{line_break}{end}\n"));
    }
    Ok(out)
}

/// Whether a line of content would end the content of an action.
fn holds_end(content: &str, action: u64) -> bool {
    mark::marks(content)
        .iter()
        .any(|mark| matches!(mark.kind, MarkKind::ContentEnd { index, .. } if index == action))
}

fn line(index: u64, key: &str, value: &str) -> String {
    let blank = if value.is_empty() { "" } else { " " };
    format!("[ACTION_{index}_{key}]{blank}{value}\n")
}

/// Text that ends at the next marker, so none of its lines may look like one.
fn free(what: &str, text: &str) -> Result<(), String> {
    match mark::marks(text).iter().find(|mark| mark.kind.ends_text()) {
        Some(mark) => Err(format!(
            "{what} has a line that is a marker, `{}`, and would end there; use JSON instead",
            text.get(mark.span.clone()).unwrap_or_default()
        )),
        None => Ok(()),
    }
}

/// The reply in the JSON that came before markers.
///
/// # Errors
/// If JSON can't express some part of the reply; the error names it.
pub fn json(reply: &Reply) -> Result<Value, String> {
    let mut out = Map::new();
    out.insert("reasoning".to_owned(), json!(reply.reasoning));
    let known = |name: &str| SECTIONS.iter().any(|section| section.name.eq_ignore_ascii_case(name));
    let mut others = Map::new();
    for (name, text) in &reply.sections {
        let place = if known(name) { &mut out } else { &mut others };
        place.insert(name.clone(), json!(text));
    }
    if !others.is_empty() {
        out.insert("sections".to_owned(), Value::Object(others));
    }
    let vitals: Map<String, Value> =
        reply.vitals.iter().map(|(name, number)| (name.clone(), json!(number))).collect();
    out.insert("duck_vitals".to_owned(), Value::Object(vitals));
    let actions = reply.actions.iter().map(|action| {
        let mut object = Map::new();
        object.insert("type".to_owned(), json!(action.kind));
        for (name, value) in &action.parameters {
            if matches!(name.as_str(), "type" | "content") {
                return Err(format!(
                    "the parameter `{name}` of action {} would be taken for its {name}",
                    action.index
                ));
            }
            object.insert(name.clone(), json!(value));
        }
        if let Some(content) = &action.content {
            object.insert("content".to_owned(), json!(content));
        }
        Ok(Value::Object(object))
    });
    out.insert("actions".to_owned(), Value::Array(actions.collect::<Result<_, _>>()?));
    Ok(Value::Object(out))
}

/// The form of a written reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    Markers,
    Json,
}

/// Rewrites text that contains a reply; also returns what is not in the result.
///
/// # Errors
/// If the text isn't a reply, or the reply can't be written without loss.
pub fn convert(text: &str, target: Target) -> Result<(String, Vec<String>), String> {
    let reply = reply::read(text);
    let mut left = Vec::new();
    match reply.source {
        ReplySource::Flexible => {
            return Err("it is not a Duckflow reply, neither with markers nor in JSON".to_owned());
        }
        ReplySource::Json => {}
        ReplySource::Markers => left = left_out(text)?,
    }
    let written = match target {
        Target::Markers => markers(&reply)?,
        Target::Json => format!("{:#}\n", json(&reply)?),
    };
    Ok((written, left))
}

/// The parts of a reply with markers that parsers drop.
fn left_out(text: &str) -> Result<Vec<String>, String> {
    let source = Source::new(text);
    let layout = super::read(&source);
    if let Some((index, _)) = layout.actions.iter().find(|(_, action)| action.types.is_empty()) {
        return Err(format!(
            "action {index} has no type, so it would be lost; add `[ACTION_{index}_TYPE]` first"
        ));
    }
    let malformed = layout
        .marks
        .iter()
        .zip(&layout.inside)
        .filter(|(mark, inside)| mark.kind == MarkKind::Malformed && inside.is_none());
    let places = layout
        .stray
        .iter()
        .map(|span| span.start)
        .chain(malformed.map(|(mark, _)| mark.span.start));
    let mut lines: Vec<u32> =
        places.map(|offset| source.position(offset, Encoding::Utf8).line + 1).collect();
    lines.sort_unstable();
    let mut left: Vec<String> = lines
        .iter()
        .map(|line| format!("line {line} belongs to no part, and is left out"))
        .collect();
    let twice = |action: &layout::Action| action.types.len() > 1 || action.contents.len() > 1;
    left.extend(layout.actions.iter().filter(|(_, action)| twice(action)).map(|(index, _)| {
        format!("action {index} has two types or contents; the last one is used")
    }));
    Ok(left)
}
