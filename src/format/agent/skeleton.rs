//! New agent files: where a client keeps a kind of file, and how such a file begins.

use serde_json::Value;

use super::subject::Subject;
use crate::answer::{Action, ActionKind, Completion, CompletionKind};
use crate::client::{Client, Kind, Reads};
use crate::format::snippet::{escape, plain};
use crate::text::{Edit, Span};
use crate::yaml::print_scalar;

/// The kind of file that a word means for a client: the first of these kinds that it has.
pub fn reads<'a>(client: &'a Client, kinds: &[Kind]) -> Option<&'a Reads> {
    kinds.iter().find_map(|kind| client.reads.iter().find(|reads| reads.kind == *kind))
}

/// The words for new files, each with the kinds that it means, the usual one first.
pub const WORDS: &[(&str, &[Kind])] = &[
    ("skill", &[Kind::Skill]),
    ("agent", &[Kind::Agent]),
    ("command", &[Kind::Command, Kind::Prompt, Kind::Workflow]),
    ("prompt", &[Kind::Prompt, Kind::Command, Kind::Workflow]),
    ("rule", &[Kind::Rule, Kind::Instructions]),
];

/// The words that a client supports. A kind other than the usual one counts only if there's no
/// other word for it.
pub fn words(client: &Client) -> Vec<&'static str> {
    let own = |kind: Kind| WORDS.iter().any(|(_, kinds)| kinds.first() == Some(&kind));
    let meant = |(_, kinds): &&(&'static str, &[Kind])| {
        let kind = reads(client, kinds).map(|reads| reads.kind);
        kind.is_some_and(|kind| kinds.first() == Some(&kind) || !own(kind))
    };
    WORDS.iter().filter(meant).map(|(word, _)| *word).collect()
}

/// The place of new files, as a glob.
pub fn place(reads: &Reads) -> Option<&str> {
    let place = reads.new_place.as_ref().or_else(|| {
        // A place in a folder of the client takes precedence over a file at the root.
        let places = || reads.places.iter();
        places().find(|place| place.contains('/')).or_else(|| places().next())
    });
    place.map(String::as_str)
}

/// The path of a new file, relative to the root of a workspace.
pub fn path(reads: &Reads, name: &str) -> Option<String> {
    place(reads).map(|place| filled(place, name))
}

/// A place with a name filled in. `**` is left out, or becomes the name if there's no other
/// wildcard.
pub fn filled(place: &str, name: &str) -> String {
    let parts: Vec<&str> = place.split('/').collect();
    let stars = parts.iter().filter(|part| part.contains('*') && **part != "**").count();
    let mut written = Vec::new();
    for part in parts {
        match part {
            "**" if stars == 0 => written.push(name.to_owned()),
            "**" => {}
            part => written.push(part.replace('*', name)),
        }
    }
    written.join("/")
}

/// The text of a new file, as a snippet.
pub fn snippet(reads: &Reads, name: &str) -> String {
    let named = matches!(reads.kind, Kind::Skill | Kind::Agent | Kind::Power);
    let what = reads.kind.name().replace('-', " ");
    let mut lines = Vec::new();
    let mut stop = 0;
    for (key, schema) in reads.properties() {
        let needed = reads.requires(key);
        if schema.get("x-ignored").is_some() || schema.get("x-renamed").is_some() {
            continue;
        }
        if key == "name" && (needed || named) {
            lines.push(format!("name: {}", escape(&print_scalar(name))));
        } else if key == "description" {
            stop += 1;
            lines.push(format!(
                "description: ${{{stop}:What this {what} does, and when to use it}}"
            ));
        } else if let Some(value) = schema.get("x-new") {
            let value = match value {
                Value::String(text) if text.is_empty() => String::new(),
                Value::String(text) => format!(" {}", escape(&print_scalar(text))),
                value => format!(" {value}"),
            };
            lines.push(format!("{key}:{value}"));
        } else if needed {
            stop += 1;
            lines.push(format!("{key}: ${stop}"));
        }
    }
    let front = if lines.is_empty() {
        String::new()
    } else {
        format!("---\n{}\n---\n\n", lines.join("\n"))
    };
    let title = title(name);
    format!("{front}# {}\n\n${{{}:Tell the model what to do.}}\n$0", escape(&title), stop + 1)
}

/// The same as plain text.
pub fn text(reads: &Reads, name: &str) -> String {
    plain(&snippet(reads, name))
}

/// `brew-tea` as a heading: `Brew tea`.
fn title(name: &str) -> String {
    let words = name.replace(['-', '_'], " ");
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    format!("{}{}", first.unwrap_or_default(), letters.as_str())
}

/// Snippets for an empty file at an agent's path, each with its clients. Clients with the same text
/// share one.
fn offers(subject: &Subject) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let name =
        if subject.file.kind == Kind::Skill { subject.file.folder() } else { subject.file.stem() };
    let name = name.unwrap_or("new");
    for role in subject.file.judged.iter().filter(|role| !role.reads.plain) {
        let text = snippet(role.reads, name);
        match found.iter_mut().find(|(_, other)| *other == text) {
            Some((clients, _)) => *clients = format!("{clients}, {}", role.client.title),
            None => found.push((role.client.title.clone(), text)),
        }
    }
    found
}

fn word(subject: &Subject) -> String {
    match subject.file.kind {
        Kind::Own => "file".to_owned(),
        kind => kind.name().replace('-', " "),
    }
}

/// A snippet with the line breaks of the document.
fn broken(subject: &Subject, snippet: &str) -> String {
    snippet.replace('\n', subject.cx.source.line_break())
}

/// Whether a document has only whitespace.
fn is_empty(subject: &Subject) -> bool {
    subject.cx.source.len() < 64 && subject.cx.source.text().to_string().trim().is_empty()
}

/// Actions that fill an empty document.
pub fn actions(subject: &Subject) -> Vec<Action> {
    if !is_empty(subject) {
        return Vec::new();
    }
    let word = word(subject);
    let whole = 0..subject.cx.source.len();
    let action = |(clients, snippet): (String, String)| {
        let snippet = broken(subject, &snippet);
        Action {
            title: format!("Write a new {word} for {clients}"),
            kind: ActionKind::Refactor,
            edits: vec![Edit::replace(whole.clone(), plain(&snippet))],
            snippet: Some(snippet),
        }
    };
    offers(subject).into_iter().map(action).collect()
}

/// Completions for the same in a document that contains only the typed word.
pub fn complete(subject: &Subject, offset: usize) -> Vec<Completion> {
    if subject.cx.source.len() > 64 {
        return Vec::new();
    }
    let text = subject.cx.source.text().to_string();
    let typed = text.trim();
    let letters = typed.chars().all(|letter| letter.is_alphabetic() || letter == '-');
    let Some(start) = text.find(typed).filter(|_| letters) else { return Vec::new() };
    let span: Span = if typed.is_empty() { offset..offset } else { start..start + typed.len() };
    if !(span.start <= offset && offset <= span.end) {
        return Vec::new();
    }
    let word = word(subject);
    let item = |(index, (clients, snippet)): (usize, (String, String))| {
        let snippet = broken(subject, &snippet);
        Completion {
            label: format!("new {word}"),
            kind: CompletionKind::Snippet,
            detail: Some(clients),
            documentation: Some(format!("```markdown\n{}\n```", plain(&snippet))),
            edit: Edit::replace(span.clone(), plain(&snippet)),
            snippet: Some(snippet),
            rank: u32::try_from(index).unwrap_or(u32::MAX),
            more: false,
        }
    };
    offers(subject).into_iter().enumerate().map(item).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::client::{catalog, roles};

    #[test]
    fn every_new_file_is_at_a_place_of_its_client() {
        for client in &catalog().clients {
            for reads in client.reads.iter().filter(|reads| !reads.plain) {
                let path = path(reads, "brew-tea").unwrap();
                assert!(
                    !path.contains('*') && path.contains("brew-tea") || reads.kind == Kind::Power,
                    "{path}"
                );
                let found = roles(&Path::new("/w").join(&path));
                let reader = found.iter().find(|role| role.client.name == client.name);
                let kind = reader.map(|role| role.reads.kind);
                assert_eq!(kind, Some(reads.kind), "{} {path}", client.name);
            }
        }
    }

    #[test]
    fn a_new_file_has_the_keys_that_its_client_requires() {
        let text = |client: &str, kind: Kind| {
            text(reads(catalog().named(client).unwrap(), &[kind]).unwrap(), "brew-tea")
        };
        assert!(text("spec", Kind::Skill).starts_with("---\nname: brew-tea\ndescription: What this skill does, and when to use it\n---\n\n# Brew tea\n"));
        assert!(text("claude-code", Kind::Command).starts_with("---\ndescription: "));
        assert!(
            text("copilot", Kind::Instructions).contains("\napplyTo: \"**\"\n")
                || text("copilot", Kind::Instructions).contains("\"**\"")
        );
        assert!(text("cursor", Kind::Rule).contains("\nalwaysApply: false\n"));
        assert_eq!(title("日本 x"), "日本 x");
    }
}
