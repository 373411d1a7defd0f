//! Completion of files mentioned in the body: `@path`, `#file:path` and the like, and paths of
//! bundled files in backticks.

use std::path::Path;

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
    let judged = || subject.file.judged.iter();
    let here = subject.file.path;
    // Files that a client inserts into a command or a prompt are relative to the project.
    let root = subject.cx.root().map_or_else(|| here.to_owned(), |root| root.join("_"));
    let at = word.strip_prefix('@').filter(|_| !in_code);
    if let Some(path) = at
        && judged().any(|role| role.reads.imports.is_some())
    {
        return paths(subject, here, path, offset);
    }
    let mut substitutes = judged().filter_map(|role| role.reads.substitutes.as_ref());
    let path = substitutes.find_map(|given| match &given.file_form {
        Some([open, _]) => word.strip_prefix(open.as_str()).filter(|_| !in_code),
        None => at.filter(|_| given.files),
    });
    if let Some(path) = path {
        return paths(subject, &root, path, offset);
    }
    let bundled = subject.file.kind == Kind::Skill && in_code;
    // The path may begin with `./`.
    let path = word.strip_prefix("./").unwrap_or(word);
    if bundled && FOLDERS.iter().any(|folder| path.starts_with(folder)) {
        return paths(subject, here, path, offset);
    }
    if bundled && !path.is_empty() {
        let begun = FOLDERS.iter().filter(|folder| folder.starts_with(path));
        let there = begun.filter(|folder| super::files::has(subject, folder.trim_end_matches('/')));
        return there.map(|folder| item(folder, path, offset, EntryKind::Folder, 0)).collect();
    }
    Vec::new()
}

/// The contents of the folder that a path names so far, relative to a file.
fn paths(subject: &Subject, from: &Path, path: &str, offset: usize) -> Vec<Completion> {
    let (folder, name) = path.rsplit_once('/').unwrap_or((".", path));
    if folder.is_empty() || folder.starts_with('~') {
        return Vec::new();
    }
    let full = resolve(from, folder);
    // Folders outside of the workspace aren't listed.
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
