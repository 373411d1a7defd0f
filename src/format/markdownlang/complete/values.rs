//! Values of front matter keys and of server keys.

use super::front_matter_cursor;
use super::typing::Typing;
use crate::answer::{Completion, CompletionKind};
use crate::format::markdownlang::field::{CONFIG_FIELDS, Holds, SERVER_FIELDS, find};
use crate::format::markdownlang::known;

/// Popular models; any other name is allowed.
const MODELS: &[(&str, &str)] = &[
    ("gpt-4o", "the default"),
    ("gpt-4o-mini", "smaller and cheaper"),
    ("gpt-4.1", "long inputs"),
    ("gpt-4.1-mini", "long inputs, cheaper"),
    ("gpt-5", "reasoning"),
    ("gpt-5-mini", "reasoning, cheaper"),
    ("o3", "reasoning"),
    ("o4-mini", "reasoning, cheaper"),
];

const COMMANDS: &[(&str, &str)] = &[
    ("npx", "an npm package"),
    ("uvx", "a PyPI package"),
    ("node", "a script"),
    ("python", "a script or module"),
    ("docker", "a container"),
];

/// The value of a top-level key.
pub fn field(typing: &Typing, key: &str) -> Vec<Completion> {
    match key {
        "model" => suggestions(typing, MODELS),
        "name" => front_matter_cursor::name_of(typing.cx.path)
            .map(|name| Completion {
                detail: Some("the name of the file".to_owned()),
                ..typing.value(&name, CompletionKind::Value, 0)
            })
            .into_iter()
            .collect(),
        _ => Vec::new(),
    }
}

/// The value of a model setting.
pub fn config(typing: &Typing, key: &str) -> Vec<Completion> {
    let Some(Holds::OneOf(words)) = find(CONFIG_FIELDS, key).map(|key| key.holds) else {
        return Vec::new();
    };
    let words = words.iter().zip(0..);
    words.map(|(word, rank)| typing.value(word, CompletionKind::EnumMember, rank)).collect()
}

/// The value of a server's key.
pub fn server(typing: &Typing, key: &str) -> Vec<Completion> {
    match (key, find(SERVER_FIELDS, key).map(|key| key.holds)) {
        (_, Some(Holds::Flag)) => booleans(typing, None),
        ("transport", Some(Holds::OneOf(words))) => words
            .iter()
            .zip(0..)
            .map(|(word, rank)| Completion {
                detail: transport(word).map(str::to_owned),
                ..typing.value(word, CompletionKind::EnumMember, rank)
            })
            .collect(),
        ("name", _) => published(typing),
        ("command", _) => suggestions(typing, COMMANDS),
        ("url", _) => vec![typing.value("http://localhost:3000/mcp", CompletionKind::Value, 0)],
        _ => Vec::new(),
    }
}

/// Published servers, with the command that starts them if the server has none yet.
fn published(typing: &Typing) -> Vec<Completion> {
    let started = ["command", "args", "url"].iter().any(|key| typing.has(key));
    known::SERVERS
        .iter()
        .zip(0..)
        .map(|(known, rank)| {
            let mut item = typing.value(known.name, CompletionKind::Value, rank);
            item.detail = Some(known.about.to_owned());
            if !started {
                typing.continue_with(&mut item, &known.start.entries());
            }
            item
        })
        .collect()
}

/// The meaning of a value of `transport`.
pub fn transport(word: &str) -> Option<&'static str> {
    Some(match word {
        "auto" => "`url` if there is one, else `command`",
        "command" => "stdin and stdout of a process",
        "sse" => "Server-Sent Events over HTTP",
        "http" => "streamable HTTP",
        _ => return None,
    })
}

/// `true` and `false`, with `first` first.
pub fn booleans(typing: &Typing, first: Option<bool>) -> Vec<Completion> {
    if typing.context.quote.is_some() {
        return Vec::new();
    }
    let values = [("true", true), ("false", false)];
    values
        .iter()
        .map(|(label, value)| {
            let rank = u32::from(first.is_some_and(|first| first != *value));
            typing.written_value(label, (*label).to_owned(), CompletionKind::Keyword, rank)
        })
        .collect()
}

fn suggestions(typing: &Typing, values: &[(&str, &str)]) -> Vec<Completion> {
    let items = values.iter().zip(0..);
    items
        .map(|((value, note), rank)| Completion {
            detail: Some((*note).to_owned()),
            ..typing.value(value, CompletionKind::Value, rank)
        })
        .collect()
}
