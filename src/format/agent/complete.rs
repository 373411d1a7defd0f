//! Completion in front matter: the keys and values of the judged clients, from the catalog.

use std::collections::BTreeMap;

use serde_json::Value;

use super::file::File;
use super::hover::key_page;
use super::subject::Subject;
use super::{globs, mentioned, names, nested, skeleton};
use crate::answer::{Completion, CompletionKind};
use crate::client::{Kind, Reading, Role};
use crate::format::Context;
use crate::markdown::front::Delimiters;
use crate::source::Source;
use crate::text::{Edit, Span};
use crate::yaml::{self, CursorContext, Place, Segment, print_flow_scalar, print_scalar};

/// The completions at `offset`.
pub fn complete(subject: &Subject, offset: usize) -> Vec<Completion> {
    let found = skeleton::complete(subject, offset);
    if !found.is_empty() {
        return found;
    }
    if let Some(source) = begun(subject, offset) {
        let cx = Context { source: &source, ..*subject.cx };
        let file = File::of(&cx);
        return file.map_or_else(Vec::new, |file| complete(&Subject::new(&cx, file), offset));
    }
    if offset >= subject.body()
        && subject.front.as_ref().is_none_or(|front| front.delimiters == Delimiters::Complete)
    {
        let found = mentioned::complete(subject, offset);
        return if found.is_empty() { names::complete(subject, offset) } else { found };
    }
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
    let mut found = match (context.path.as_slice(), context.place, context.key.as_deref()) {
        ([], Place::Key, _) if is_indented(subject, &context) => {
            continued(subject, at).map_or_else(Vec::new, |key| values(subject, &context, at, &key))
        }
        ([], Place::Key, _) => keys(subject, &context),
        ([], Place::Value, Some(key)) => values(subject, &context, at, key),
        ([Segment::Key(key), Segment::Index(_)], Place::Item, _) => {
            values(subject, &context, at, key)
        }
        (path @ [_, ..], place, key) => nested::complete(subject, &context, path, place, key),
        _ => Vec::new(),
    };
    found.iter_mut().for_each(|item| fit(subject, item));
    found
}

/// Adds the whitespace that YAML needs around an item.
fn fit(subject: &Subject, item: &mut Completion) {
    if item.edit.text.starts_with(['\n', '\r']) {
        return;
    }
    let source = subject.cx.source;
    let span = item.edit.span.clone();
    let line = source.line_span(span.start);
    let before = source.slice(line.start..span.start);
    let is_dash = before.strip_suffix('-').is_some_and(|before| before.trim().is_empty());
    if before.ends_with(':') || is_dash {
        item.edit.text.insert(0, ' ');
    }
    let after = source.slice(span.end..source.line_span(span.end).end);
    if after.starts_with('#') {
        item.edit.text.push(' ');
    } else if before.is_empty() && after.trim_end() == "---" {
        item.edit.text.push_str(source.line_break());
    }
}

/// Whether a key here would be part of the value of another key.
fn is_indented(subject: &Subject, context: &CursorContext) -> bool {
    let at = subject.place(&context.partial).start;
    let line = subject.cx.source.line_span(at);
    at > line.start && subject.cx.source.slice(line.start..at).trim().is_empty()
}

/// The key whose list continues in the line of an offset, after a comma.
fn continued(subject: &Subject, at: usize) -> Option<String> {
    let before = subject.yaml.get(..at)?;
    let mut above = before.lines().rev().skip(1).skip_while(|line| line.trim().is_empty());
    let last = above.next()?;
    let owner = std::iter::once(last).chain(above).find(|line| !line.starts_with([' ', '\t']))?;
    let (key, value) = owner.split_once(':')?;
    let is_list =
        last.trim_end().ends_with(',') && !value.trim_start().starts_with(['[', '"', '\'']);
    is_list.then(|| key.to_owned())
}

fn roles<'s, 'a>(subject: &'s Subject<'a>) -> impl Iterator<Item = &'s Role<'a>> {
    subject.file.judged.iter().filter(|role| role.reads.properties().next().is_some())
}

/// Front matter of which only the first line and a word have been typed isn't parsed as such.
/// Returns the text up to the cursor's line, with a closing line.
fn begun(subject: &Subject, offset: usize) -> Option<Source> {
    let source = subject.cx.source;
    if source.front_matter().is_some() || offset > LONGEST_BEGINNING {
        return None;
    }
    let text = source.slice(0..source.line_span(offset).end.max(offset));
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    let opens = lines.next()?.trim_end() == "---";
    let inside = offset > source.line_span(0).end;
    if !opens || !inside || lines.any(|line| line.trim_end() == "---") {
        return None;
    }
    let end = source.line_break();
    let closed = Source::new(&format!("{}{end}---{end}", text.trim_end_matches(['\n', '\r'])));
    closed.front_matter().is_some().then_some(closed)
}

/// Front matter that isn't closed yet is only parsed up to this length.
const LONGEST_BEGINNING: usize = 4096;

/// The missing keys, those that a client requires first.
fn keys(subject: &Subject, context: &CursorContext) -> Vec<Completion> {
    let mut found: BTreeMap<&str, (u32, Vec<&str>)> = BTreeMap::new();
    for role in roles(subject) {
        for (index, (key, schema)) in role.reads.properties().enumerate() {
            let old = schema.get("x-renamed").is_some() || role.ignored(key).is_some();
            if old || context.siblings.iter().any(|sibling| sibling == key) {
                continue;
            }
            let needed = role.reads.requires(key);
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

/// The values that a key accepts: those of its schema, the tools and models of a client, and for a
/// name, the folder.
fn values(subject: &Subject, context: &CursorContext, at: usize, key: &str) -> Vec<Completion> {
    if is_after_value(subject, context, at) {
        return Vec::new();
    }
    let inside = tool_around(subject, context, at);
    let mut words: Vec<(String, CompletionKind, String)> = Vec::new();
    let mut list = context.place == Place::Item;
    let mut wants_globs = false;
    for role in roles(subject) {
        let Some(own) = role.reads.key(key) else { continue };
        let schema = role.reads.resolved(own);
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
        if own.get("x-boolean").is_some()
            || schema.get("type").and_then(Value::as_str) == Some("boolean")
        {
            ["true", "false"].iter().for_each(|word| add(word, CompletionKind::Value));
        } else if let Some(values) = nested::choices(schema) {
            values
                .iter()
                .filter_map(nested::word)
                .for_each(|word| add(&word, CompletionKind::EnumMember));
        }
        let names = role.reads.key(key).and_then(|schema| schema.get("x-names"));
        match names.and_then(Value::as_str) {
            Some("tool") if inside.is_some() => {
                list = true;
                let tools = &role.client.tools;
                let now = |tool| tools.renamed.get(tool).and_then(|names| names.first());
                let tool = inside.map(|tool| now(tool).map_or(tool, String::as_str));
                let purpose = tool.and_then(|tool| tools.names.get(tool));
                let kind = match purpose.map(String::as_str) {
                    Some("agent") => Kind::Agent,
                    Some("skill") => Kind::Skill,
                    _ => continue,
                };
                names::known(subject, role, kind)
                    .iter()
                    .for_each(|word| add(word, CompletionKind::Value));
            }
            Some("tool") => {
                list = true;
                let tools = &role.client.tools;
                let never = subject.file.kind == Kind::Agent && key == "tools";
                let given = |word: &&String| !(never && tools.withheld.contains(word));
                let words = tools.names.keys().filter(given);
                words.for_each(|word| add(word, CompletionKind::Function));
            }
            Some("model") => {
                role.client.models.iter().for_each(|word| add(word, CompletionKind::Value))
            }
            Some("skill" | "agent") => {
                let skills = names.and_then(Value::as_str) == Some("skill");
                list |= skills || schema.get("type").and_then(Value::as_str) == Some("array");
                let kind = if skills { Kind::Skill } else { Kind::Agent };
                names::known(subject, role, kind)
                    .iter()
                    .for_each(|word| add(word, CompletionKind::Value));
            }
            Some("server") => {
                list = true;
                names::server_names(subject.cx, role)
                    .iter()
                    .for_each(|word| add(word, CompletionKind::Value));
            }
            Some("glob") => wants_globs = true,
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
    let form = form(subject, context, key);
    if wants_globs {
        let found = glob_values(subject, typed_glob(subject, context, at), form != Form::Plain);
        return found.into_iter().map(|item| formed(subject, item, form)).collect();
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
    let words = words.into_iter().filter(|(word, _, _)| !here.contains(word));
    words.enumerate().map(item).map(|item| formed(subject, item, form)).collect()
}

/// How the first of several values is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    /// `[value]`
    List,
    /// Below the key: `value: true`
    Mapping,
}

/// The form of a new value of a key, if no client accepts plain text.
fn form(subject: &Subject, context: &CursorContext, key: &str) -> Form {
    let start = subject.place(&context.partial).start;
    let line = subject.cx.source.line_span(start);
    let before = subject.cx.source.slice(line.start..start);
    let after = subject.cx.source.slice(subject.place(&context.partial).end..line.end);
    let first = before.trim_end().ends_with(':') && after.trim().is_empty();
    if context.place != Place::Value || context.flow || context.quote.is_some() || !first {
        return Form::Plain;
    }
    let schemas = roles(subject).filter_map(|role| Some(role.reads.resolved(role.reads.key(key)?)));
    let mut forms = schemas.map(|schema| {
        let switches = || {
            let below = schema.get("additionalProperties").and_then(|below| below.get("type"));
            below.is_some_and(|below| below == "boolean")
        };
        match schema.get("type").and_then(Value::as_str) {
            Some("array") => Form::List,
            Some("object") if switches() => Form::Mapping,
            _ => Form::Plain,
        }
    });
    let first = forms.next().unwrap_or(Form::Plain);
    if forms.all(|form| form == first) { first } else { Form::Plain }
}

/// A value in its form.
fn formed(subject: &Subject, mut item: Completion, form: Form) -> Completion {
    let text = &mut item.edit.text;
    match form {
        Form::Plain => {}
        Form::List => *text = format!("[{}]", print_flow_scalar(text)),
        Form::Mapping => {
            *text = format!("{}  {}: true", subject.cx.source.line_break(), print_scalar(text));
        }
    }
    item
}

/// Whether the cursor is after a complete value: a closed list, quotes, or an item of a list
/// without a comma.
fn is_after_value(subject: &Subject, context: &CursorContext, at: usize) -> bool {
    if context.quote.is_some() {
        return false;
    }
    if context.flow {
        let before = subject.yaml.get(context.partial.start..at).unwrap_or_default();
        let written = before.trim_end();
        return written.len() < before.len() && !written.is_empty() && !written.contains('(');
    }
    let before = subject.yaml.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let written = line.trim_end();
    written.len() < line.len() && written.ends_with([']', '}', '"', '\''])
}

/// The tool whose parentheses the cursor is in.
fn tool_around<'s>(subject: &'s Subject, context: &CursorContext, at: usize) -> Option<&'s str> {
    // A comma in parentheses ends an item between brackets.
    let start = subject.place(&context.partial).start;
    let line =
        subject.cx.source.line_span(start).start.saturating_sub(subject.place(&(0..0)).start);
    let before = subject.yaml.get(line..at)?;
    let open = before
        .rfind('(')
        .filter(|open| !before.get(*open..).is_some_and(|rest| rest.contains(')')))?;
    let name = before.get(..open)?;
    let from =
        name.rfind(|letter: char| !letter.is_alphanumeric() && letter != '_').map_or(0, |found| {
            found + name.get(found..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
        });
    name.get(from..)
}

/// The glob that the cursor is in.
fn typed_glob(subject: &Subject, context: &CursorContext, at: usize) -> Span {
    let partial = &context.partial;
    let before = subject.yaml.get(partial.start..at).unwrap_or_default();
    let after = subject.yaml.get(at..partial.end).unwrap_or_default();
    let ends = [',', '"', '\'', '[', ']', ' '];
    let start = before.rfind(ends).map_or(partial.start, |found| partial.start + found + 1);
    let end = at + after.find(ends).unwrap_or(after.len());
    subject.place(&(start..end))
}

/// Globs with the number of files that each matches, starting with the typed one.
fn glob_values(subject: &Subject, typed: Span, in_list: bool) -> Vec<Completion> {
    let written = subject.cx.source.slice(typed.clone()).into_owned();
    let files = globs::files(subject);
    let quoted = typed
        .start
        .checked_sub(1)
        .is_some_and(|at| matches!(subject.cx.source.text().get_byte(at), Some(b'"' | b'\'')));
    let raw = subject.file.judged.iter().any(|role| role.reads.reading == Reading::CursorLines);
    let mut words = files.suggestions(&written);
    if !written.is_empty() {
        words.retain(|word| *word != written);
        words.insert(0, written);
    }
    let item = |(rank, word): (usize, String)| {
        let count = files.count(&word)?;
        // YAML reads `*` at the start of a value as an alias.
        let first = subject.value_starts(&typed);
        let plain = quoted || raw || !first || in_list;
        let text = if plain { word.clone() } else { print_scalar(&word) };
        Some(Completion {
            label: word,
            kind: CompletionKind::Glob,
            detail: Some(count),
            documentation: None,
            edit: Edit::replace(typed.clone(), text),
            snippet: None,
            rank: u32::try_from(rank).unwrap_or(u32::MAX),
            more: false,
        })
    };
    words.into_iter().enumerate().filter_map(item).collect()
}

/// The replaced text: the value, or the word of a list that the cursor is in.
fn typed(subject: &Subject, context: &CursorContext, at: usize, list: bool) -> Span {
    let partial = &context.partial;
    if !list {
        return subject.place(partial);
    }
    let separates = |letter: char| {
        letter.is_whitespace() || matches!(letter, ',' | '"' | '\'' | '[' | ']' | '(' | ')')
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
