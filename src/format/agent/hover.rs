//! Hover: the verdicts on the first line, on a key what each client does with it, and in the body
//! the meaning of placeholders.

use serde_json::Value;

use super::file::File;
use super::highlight;
use super::subject::Subject;
use super::verdict;
use crate::answer::Hover;
use crate::client::Role;
use crate::format::Context;
use crate::markdown::front::Delimiters;

/// What to show at `offset`.
pub fn hover(cx: &Context, offset: usize) -> Option<Hover> {
    let file = File::of(cx)?;
    let subject = Subject::new(cx, file);
    let first = subject.first_line();
    let line = cx.source.line_span(first.start);
    if line.start <= offset && offset <= line.end && !subject.file.guess {
        let verdicts = verdict::of(&subject);
        let markdown = verdict::list(subject.file.kind, &verdicts);
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
    let entry =
        subject.entries().find(|entry| entry.key.span.start <= at && at <= entry.key.span.end)?;
    let key = entry.key.as_str()?;
    let markdown = key_page(&subject.file.judged, key)?;
    Some(Hover { span: subject.place(&entry.key.span), markdown })
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
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let values: Vec<String> =
            values.iter().filter_map(Value::as_str).map(|value| format!("`{value}`")).collect();
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
