//! Completion of files that the body mentions: `@path`, and paths of bundled files in backticks.

use super::body::FOLDERS;
use super::subject::Subject;
use crate::answer::{Completion, CompletionKind};
use crate::client::Kind;
use crate::text::Edit;
use crate::world::{EntryKind, resolve};

/// The files that can be mentioned at `offset`.
pub fn complete(subject: &Subject, offset: usize) -> Vec<Completion> {
    let line = subject.cx.source.line_span(offset).start..offset;
    let text = subject.cx.source.slice(line);
    let start = text
        .rfind(|letter: char| letter.is_whitespace() || matches!(letter, '`' | '(' | '"' | '\''))
        .map_or(0, |at| {
            at + text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
        });
    let word = text.get(start..).unwrap_or_default();
    let in_code = text.matches('`').count() % 2 == 1;
    let reads_files = || {
        subject.file.judged.iter().any(|role| {
            role.reads.imports.is_some()
                || role.reads.substitutes.as_ref().is_some_and(|substitutes| substitutes.files)
        })
    };
    if let Some(path) = word.strip_prefix('@').filter(|_| !in_code && reads_files()) {
        return paths(subject, path, offset);
    }
    let bundled = subject.file.kind == Kind::Skill && in_code;
    // The program that runs a file may be in front of it.
    let path = word.strip_prefix("./").unwrap_or(word);
    if bundled && FOLDERS.iter().any(|folder| path.starts_with(folder)) {
        return paths(subject, path, offset);
    }
    if bundled && !path.is_empty() {
        let begun = FOLDERS.iter().filter(|folder| folder.starts_with(path));
        let there = begun.filter(|folder| super::files::has(subject, folder.trim_end_matches('/')));
        return there.map(|folder| item(folder, path, offset, EntryKind::Folder, 0)).collect();
    }
    Vec::new()
}

/// What is in the folder that a path names so far.
fn paths(subject: &Subject, path: &str, offset: usize) -> Vec<Completion> {
    let (folder, name) = path.rsplit_once('/').unwrap_or((".", path));
    if folder.is_empty() || folder.starts_with('~') {
        return Vec::new();
    }
    let full = resolve(subject.file.path, folder);
    // What is outside of the workspace is not listed.
    if subject.cx.root().is_some_and(|root| !full.starts_with(root)) {
        return Vec::new();
    }
    let entries = subject.cx.world.list(&full).into_iter();
    entries
        .filter(|entry| {
            !entry.name.contains(char::is_whitespace)
                && (!entry.name.starts_with('.') || name.starts_with('.'))
                && full.join(&entry.name) != subject.file.path
        })
        .enumerate()
        .map(|(index, entry)| item(&entry.name, name, offset, entry.kind, index))
        .collect()
}

fn item(name: &str, typed: &str, offset: usize, kind: EntryKind, index: usize) -> Completion {
    let folder = kind == EntryKind::Folder;
    let name = name.trim_end_matches('/');
    let text = if folder { format!("{name}/") } else { name.to_owned() };
    Completion {
        label: text.clone(),
        kind: if folder { CompletionKind::Folder } else { CompletionKind::File },
        detail: None,
        documentation: None,
        edit: Edit::replace(offset - typed.len()..offset, text),
        snippet: None,
        rank: u32::try_from(index).unwrap_or(u32::MAX),
        more: folder,
    }
}
