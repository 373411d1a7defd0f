//! Hover: verdicts on the first line, what each client does with a key, and the meaning of
//! placeholders in the body.

use serde_json::Value;

use super::file::File;
use super::subject::Subject;
use super::verdict;
use super::{globs, highlight, loaded, nested};
use crate::answer::Hover;
use crate::client::{self, Role};
use crate::format::Context;
use crate::markdown::front::Delimiters;
use crate::yaml::{Kind, Segment};

/// What to show at `offset`.
pub fn hover(cx: &Context, offset: usize) -> Option<Hover> {
    let file = File::of(cx)?;
    let subject = Subject::new(cx, file);
    let first = subject.first_line();
    let line = cx.source.line_span(first.start);
    if line.start <= offset && offset <= line.end && !subject.file.guess {
        let verdicts = verdict::of(&subject);
        let mut markdown = verdict::list(subject.file.kind, &verdicts);
        if subject.file.kind == client::Kind::Memory {
            let roles = subject.file.judged.iter();
            let clients: Vec<_> =
                roles.filter_map(|role| client::catalog().named(&role.client.name)).collect();
            let loads = loaded::list(&loaded::memory(cx, &clients));
            if !loads.is_empty() {
                markdown.push_str(&format!("\n\n{loads}"));
            }
        }
        return (!verdicts.is_empty()).then_some(Hover { span: first, markdown });
    }
    if offset >= subject.body()
        && let Some((span, markdown)) = highlight::page(&subject, offset)
    {
        return Some(Hover { span, markdown });
    }
    let front = subject.front.as_ref().filter(|front| {
        front.delimiters != Delimiters::Unopened && front.yaml_span.contains(&offset)
    })?;
    let at = offset - front.yaml_span.start;
    if let Some(hover) = glob(&subject, at) {
        return Some(hover);
    }
    let mut path = Vec::new();
    let span = nested::key_at(front.tree.root.as_ref()?, at, &mut path)?;
    let markdown = match path.as_slice() {
        [Segment::Key(key)] => key_page(&subject.file.judged, key)?,
        path => nested_page(&subject.file.judged, path)?,
    };
    Some(Hover { span: subject.place(&span), markdown })
}

/// How many files each glob of a value matches.
fn glob(subject: &Subject, at: usize) -> Option<Hover> {
    let names_globs = |key: &str| {
        let mut schemas = subject.file.judged.iter().filter_map(|role| role.reads.key(key));
        schemas.any(|schema| schema.get("x-names").and_then(Value::as_str) == Some("glob"))
    };
    let entry = subject.entries().find(|entry| {
        entry.value.span.start <= at && at <= entry.value.span.end && !entry.value.span.is_empty()
    })?;
    entry.key.as_str().filter(|key| names_globs(key))?;
    let values: Vec<&str> = match &entry.value.kind {
        Kind::Sequence(list) => list.items.iter().filter_map(|item| item.as_str()).collect(),
        _ => vec![entry.value.as_str()?],
    };
    let files = globs::files(subject);
    let lines: Vec<String> = values
        .iter()
        .flat_map(|value| client::dialect::separated(value))
        .filter_map(|glob| Some(format!("- `{glob}`: {}", files.count(glob)?)))
        .collect();
    let markdown = lines.join("\n");
    (!lines.is_empty()).then(|| Hover { span: subject.place(&entry.value.span), markdown })
}

/// What a key below the top level means.
fn nested_page(roles: &[Role], path: &[Segment]) -> Option<String> {
    let Some(Segment::Key(key)) = path.last() else { return None };
    let mut texts: Vec<String> = Vec::new();
    for role in roles {
        let Some(schema) = nested::declared_at(role.reads, path) else { continue };
        let text = format!("{}: {}", role.client.title, meaning(role, key, schema));
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    (!texts.is_empty()).then(|| format!("`{key}`\n\n{}", texts.join("\n\n")))
}

/// What a key means to each client: clients with the same answer share a line.
pub fn key_page(roles: &[Role], key: &str) -> Option<String> {
    let mut texts: Vec<(String, Vec<String>)> = Vec::new();
    let mut silent = Vec::new();
    for role in roles.iter().filter(|role| role.reads.properties().next().is_some()) {
        let Some(schema) = role.reads.key(key) else {
            silent.push(role.client.title.as_str());
            continue;
        };
        let source = role
            .client
            .sources
            .get(schema.get("x-source").and_then(Value::as_str).unwrap_or(&role.reads.source));
        let title = source.map_or_else(
            || role.client.title.clone(),
            |source| format!("[{}]({})", role.client.title, source.url),
        );
        let text = meaning(role, key, schema);
        match texts.iter_mut().find(|(other, _)| *other == text) {
            Some((_, clients)) => clients.push(title),
            None => texts.push((text, vec![title])),
        }
    }
    if texts.is_empty() {
        return None;
    }
    let mut parts: Vec<String> =
        texts.iter().map(|(text, clients)| format!("{}: {text}", clients.join(", "))).collect();
    if !silent.is_empty() {
        parts.push(format!("{}: the key is not read", silent.join(", ")));
    }
    Some(format!("`{key}`\n\n{}", parts.join("\n\n")))
}

fn meaning(role: &Role, key: &str, schema: &Value) -> String {
    let mut text = schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut add = |words: String| {
        text.push_str(if text.is_empty() { "" } else { " " });
        text.push_str(&words);
    };
    let resolved = role.reads.resolved(schema);
    if !std::ptr::eq(schema, resolved) && text_is_elsewhere(schema, resolved) {
        add(resolved.get("description").and_then(Value::as_str).unwrap_or_default().to_owned());
    }
    if let Some(values) = resolved.get("enum").and_then(Value::as_array)
        && schema.get("x-boolean").is_none()
    {
        let values: Vec<String> =
            values.iter().filter_map(nested::word).map(|value| format!("`{value}`")).collect();
        add(format!("One of {}.", values.join(", ")));
    }
    if let Some(most) = schema.get("maxLength").and_then(Value::as_u64) {
        let effect = role
            .effect(key, "maxLength")
            .map(|effect| format!(" ({} beyond that)", effect.text))
            .unwrap_or_default();
        add(format!("At most {most} characters{effect}."));
    }
    if let Some(since) = schema.get("x-since").and_then(Value::as_str) {
        add(format!("Since {since}."));
    }
    if let Some(effect) = role.ignored(key) {
        let mut words = effect.text;
        words.push('.');
        add(words);
    }
    text
}

/// Whether only the schema that a reference names describes the key.
fn text_is_elsewhere(schema: &Value, resolved: &Value) -> bool {
    schema.get("description").is_none() && resolved.get("description").is_some()
}
