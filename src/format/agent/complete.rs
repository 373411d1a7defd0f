//! Completion in front matter: the keys and values of the judged clients, from the catalog.

use std::collections::BTreeMap;

use serde_json::Value;

use super::hover::key_page;
use super::subject::Subject;
use crate::answer::{Completion, CompletionKind};
use crate::client::{Kind, Role};
use crate::markdown::front::Delimiters;
use crate::text::{Edit, Span};
use crate::yaml::{self, CursorContext, Place, Segment, print_scalar};

/// The completions at `offset`.
pub fn complete(subject: &Subject, offset: usize) -> Vec<Completion> {
    let Some(front) =
        subject.front.as_ref().filter(|front| front.delimiters != Delimiters::Unopened)
    else {
        return Vec::new();
    };
    let inside = front.yaml_span.start <= offset && offset <= front.yaml_span.end;
    let Some(at) = offset.checked_sub(front.yaml_span.start).filter(|_| inside) else {
        return Vec::new();
    };
    let context = yaml::position_context(front.tree, &subject.yaml, at);
    match (context.path.as_slice(), context.place, context.key.as_deref()) {
        ([], Place::Key, _) => keys(subject, &context),
        ([], Place::Value, Some(key)) => values(subject, &context, at, key),
        ([Segment::Key(key), Segment::Index(_)], Place::Item, _) => {
            values(subject, &context, at, key)
        }
        _ => Vec::new(),
    }
}

fn roles<'s, 'a>(subject: &'s Subject<'a>) -> impl Iterator<Item = &'s Role<'a>> {
    subject.file.judged.iter().filter(|role| role.reads.properties().next().is_some())
}

/// The missing keys, those that a client requires first.
fn keys(subject: &Subject, context: &CursorContext) -> Vec<Completion> {
    let mut found: BTreeMap<&str, (u32, Vec<&str>)> = BTreeMap::new();
    for role in roles(subject) {
        let required = role.reads.keys.get("required").and_then(Value::as_array);
        for (index, (key, schema)) in role.reads.properties().enumerate() {
            let old = schema.get("x-renamed").is_some() || role.ignored(key).is_some();
            if old || context.siblings.iter().any(|sibling| sibling == key) {
                continue;
            }
            let needed = required.is_some_and(|keys| keys.iter().any(|name| name == key));
            let rank = u32::try_from(index).unwrap_or(u32::MAX / 2) + if needed { 0 } else { 100 };
            let entry = found.entry(key).or_insert((rank, Vec::new()));
            entry.0 = entry.0.min(rank);
            entry.1.push(&role.client.title);
        }
    }
    let span = subject.place(&context.partial);
    let colon = subject
        .cx
        .source
        .slice(span.end..subject.cx.source.line_span(span.end).end)
        .trim_start()
        .starts_with(':');
    let all = roles(subject).count();
    let item = |(key, (rank, clients)): (&str, (u32, Vec<&str>))| Completion {
        label: key.to_owned(),
        kind: CompletionKind::Key,
        detail: (clients.len() < all).then(|| clients.join(", ")),
        documentation: key_page(&subject.file.judged, key),
        edit: Edit::replace(span.clone(), if colon { key.to_owned() } else { format!("{key}: ") }),
        snippet: None,
        rank,
        more: !colon,
    };
    found.into_iter().map(item).collect()
}

/// The values that a key takes: those of its schema, the tools and models of a client, the folder
/// for a name.
fn values(subject: &Subject, context: &CursorContext, at: usize, key: &str) -> Vec<Completion> {
    let mut words: Vec<(String, CompletionKind, String)> = Vec::new();
    let mut list = context.place == Place::Item;
    for role in roles(subject) {
        let Some(schema) = role.reads.key(key) else { continue };
        let title = &role.client.title;
        let mut add = |word: &str, kind: CompletionKind| match words
            .iter_mut()
            .find(|(known, _, _)| known == word)
        {
            Some((_, _, clients)) if !clients.split(", ").any(|client| client == title) => {
                *clients = format!("{clients}, {title}")
            }
            Some(_) => {}
            None => words.push((word.to_owned(), kind, title.clone())),
        };
        if schema.get("x-boolean").is_some()
            || schema.get("type").and_then(Value::as_str) == Some("boolean")
        {
            ["true", "false"].iter().for_each(|word| add(word, CompletionKind::Value));
        } else if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            values
                .iter()
                .filter_map(Value::as_str)
                .for_each(|word| add(word, CompletionKind::EnumMember));
        }
        match schema.get("x-names").and_then(Value::as_str) {
            Some("tool") => {
                list = true;
                role.client.tools.names.keys().for_each(|word| add(word, CompletionKind::Function));
            }
            Some("model") => {
                role.client.models.iter().for_each(|word| add(word, CompletionKind::Value))
            }
            _ => {}
        }
    }
    if key == "name" {
        let name = if subject.file.kind == Kind::Skill {
            subject.file.folder()
        } else {
            subject.file.stem()
        };
        words.extend(name.map(|name| (print_scalar(name), CompletionKind::Value, String::new())));
    }
    let typed = typed(subject, context, at, list);
    let here: Vec<String> = if list {
        subject
            .entry(key)
            .map(|entry| super::tools::named(subject, entry))
            .unwrap_or_default()
            .into_iter()
            .filter(|named| named.span != typed)
            .map(|named| named.name)
            .collect()
    } else {
        Vec::new()
    };
    let item =
        |(rank, (word, kind, clients)): (usize, (String, CompletionKind, String))| Completion {
            label: word.clone(),
            kind,
            detail: Some(clients).filter(|clients| !clients.is_empty()),
            documentation: None,
            edit: Edit::replace(typed.clone(), word),
            snippet: None,
            rank: u32::try_from(rank).unwrap_or(u32::MAX),
            more: false,
        };
    words.into_iter().filter(|(word, _, _)| !here.contains(word)).enumerate().map(item).collect()
}

/// The replaced text: the value, or the word of a list that the cursor is in.
fn typed(subject: &Subject, context: &CursorContext, at: usize, list: bool) -> Span {
    let partial = &context.partial;
    if !list {
        return subject.place(partial);
    }
    let separates = |letter: char| {
        letter.is_whitespace() || matches!(letter, ',' | '"' | '\'' | '[' | ']' | '(')
    };
    let before = subject.yaml.get(partial.start..at).unwrap_or_default();
    let after = subject.yaml.get(at..partial.end).unwrap_or_default();
    let start = at
        - (before.len()
            - before.rfind(separates).map_or(0, |found| {
                found
                    + before
                        .get(found..)
                        .and_then(|rest| rest.chars().next())
                        .map_or(1, char::len_utf8)
            }));
    let end = at + after.find(separates).unwrap_or(after.len());
    subject.place(&(start..end))
}
