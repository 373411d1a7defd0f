//! Completion in the body: names of tools, of the built-in interpreter and of imported programs.
//! Prose is left alone: a name is only offered once it is begun, or in a code span.

use std::collections::BTreeMap;

use super::hover::package;
use super::scan::Actions;
use super::thing::imported;
use super::{MentionKind, PYTHON, Servers, all};
use crate::answer::{Completion, CompletionKind};
use crate::format::Context;
use crate::format::markdownlang::Program;
use crate::format::markdownlang::program::Server;
use crate::markdown::SectionKind;
use crate::text::{Edit, Span};

/// Sorts after all other completions.
const RANK: u32 = 500;
/// Fewer letters match too many words.
const LEAST: usize = 2;

/// The names to complete at `offset` of the body.
pub fn complete(program: &Program, cx: &Context, offset: usize) -> Vec<Completion> {
    let Some(word) = word(cx, offset) else { return Vec::new() };
    let mut found = Vec::new();
    let begun =
        |name: &str| name.starts_with(&word.typed) && (word.in_code || word.typed.len() >= LEAST);
    if word.typed.starts_with("mcp__") {
        for server in servers(program) {
            let prefix = format!("mcp__{}__", name(server));
            if word.typed.starts_with(&prefix) {
                tools(program, cx, server, &prefix, &word, &mut found);
            }
        }
    }
    if found.is_empty() {
        for server in servers(program) {
            let label = format!("mcp__{}__", name(server));
            if begun(&label) || label.starts_with(&word.typed) && word.typed.starts_with("mcp") {
                let detail = package(name(server), Some(server))
                    .map_or("tools of this server", |known| known.about);
                found.push(Completion {
                    more: true,
                    detail: Some(detail.to_owned()),
                    ..word.item(&label, CompletionKind::Variable, RANK)
                });
            }
        }
        if begun(PYTHON) {
            found.push(Completion {
                detail: Some("built-in interpreter".to_owned()),
                ..word.item(PYTHON, CompletionKind::Function, RANK + 1)
            });
        }
        if !program.imports.is_empty() && (word.in_code || word.typed.len() >= LEAST) {
            for (import, name) in imported(program, cx).into_iter().filter(|(_, name)| begun(name))
            {
                found.push(Completion {
                    detail: Some(import.text.clone()),
                    ..word.item(&name, CompletionKind::Function, RANK + 2)
                });
            }
        }
    }
    found.retain(|item| item.edit.text != word.written);
    found
}

fn servers(program: &Program) -> impl Iterator<Item = &Server> {
    program.servers.iter().filter(|server| !server.disabled && !name(server).is_empty())
}

fn name(server: &Server) -> &str {
    server.name.as_ref().map_or("", |name| name.text.as_str())
}

/// The tools of a server: those that its package is known to have, and those that the body already
/// mentions.
fn tools(
    program: &Program,
    cx: &Context,
    server: &Server,
    prefix: &str,
    word: &Word,
    found: &mut Vec<Completion>,
) {
    let mut tools: BTreeMap<String, Option<&str>> = BTreeMap::new();
    let servers = Servers::new(&program.servers);
    for mention in all(cx.source).filter(|mention| mention.span != word.span) {
        let MentionKind::Tool { name, .. } = &mention.kind else { continue };
        let parts = servers.resolve(name).filter(|parts| parts.server == Some(server));
        if let Some(tool) = parts.and_then(|parts| parts.tool) {
            tools.insert(tool.to_owned(), None);
        }
    }
    for (tool, does) in package(name(server), Some(server)).map_or(&[][..], |known| &known.tools) {
        tools.insert((*tool).to_owned(), Some(does));
    }
    for (tool, does) in tools {
        let label = format!("{prefix}{tool}");
        found.push(Completion {
            detail: does.map(str::to_owned),
            ..word.item(&label, CompletionKind::Function, RANK)
        });
    }
}

/// The word around the cursor.
struct Word {
    span: Span,
    written: String,
    /// The part of it before the cursor.
    typed: String,
    /// It begins a code span.
    in_code: bool,
}

impl Word {
    fn item(&self, label: &str, kind: CompletionKind, rank: u32) -> Completion {
        Completion {
            label: label.to_owned(),
            kind,
            detail: None,
            documentation: None,
            edit: Edit::replace(self.span.clone(), label),
            snippet: None,
            rank,
            more: false,
        }
    }
}

fn word(cx: &Context, offset: usize) -> Option<Word> {
    let placed = cx.source.section_at(offset)?;
    if matches!(placed.section.kind, SectionKind::Front(_)) {
        return None;
    }
    let line = cx.source.line_span(offset);
    let text = cx.source.slice(line.clone());
    let (before, behind) = text.split_at_checked(offset.checked_sub(line.start)?)?;
    let is_part =
        |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    let typed = before.len() - before.trim_end_matches(is_part).len();
    let rest = behind.len() - behind.trim_start_matches(is_part).len();
    let (lead, typed) = before.split_at_checked(before.len() - typed)?;
    // Paths, links, fields and variables contain unrelated names.
    let mark = lead.chars().next_back();
    if mark.is_some_and(|mark| {
        mark.is_alphanumeric() && mark < '\u{2e80}'
            || matches!(mark, '(' | '/' | '\\' | '.' | '#' | '[' | '<' | '@' | '$' | '{' | '|')
    }) {
        return None;
    }
    let in_code = mark == Some('`') && lead.matches('`').count() % 2 == 1;
    if typed.is_empty() && !in_code {
        return None;
    }
    let open = cx.source.slice(placed.start..offset).rfind("{{").map(|open| placed.start + open);
    let unclosed = open.is_some_and(|open| !cx.source.slice(open..offset).contains("}}"));
    if unclosed || Actions::read(&cx.source.section_text(placed)).hold(offset - placed.start) {
        return None;
    }
    let span = offset - typed.len()..offset + rest;
    Some(Word {
        written: cx.source.slice(span.clone()).into_owned(),
        typed: typed.to_owned(),
        span,
        in_code,
    })
}
