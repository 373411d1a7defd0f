//! Paths of imports: programs first, then other Markdown files, then the folders that lead to more.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::typing::Typing;
use crate::answer::{Completion, CompletionKind};
use crate::format::Context;
use crate::format::markdownlang::{header, recognise};
use crate::world::{self, Entry, EntryKind};

/// At most this many files of a folder are read, to tell programs from other files.
const MOST_READ: usize = 200;

/// An item of `imports`.
pub fn item(typing: &Typing) -> Vec<Completion> {
    let Some(from) = typing.cx.path else { return Vec::new() };
    let imported: HashSet<PathBuf> = typing
        .listed(typing.node(&["imports"]))
        .iter()
        .map(|text| world::resolve(from, text))
        .collect();
    let importable = Importable { typing, from, imported };
    let typed = typing.typed.as_str();
    match typed.rsplit_once('/') {
        Some((folder, _)) => importable
            .folder(if folder.is_empty() { "/" } else { folder }, Some(&format!("{folder}/"))),
        None => {
            let mut found = importable.folder(".", None);
            let up = typing.cx.world.list(&world::resolve(from, "..")).len() > 1;
            if up && (typed.is_empty() || typed.starts_with('.')) {
                let mut item = typing.value("../", CompletionKind::Folder, 300);
                item.more = true;
                item.detail = Some("parent folder".to_owned());
                found.push(item);
            }
            found
        }
    }
}

/// The value of `imports`, on the line of the key: a list in brackets.
pub fn list(typing: &Typing) -> Vec<Completion> {
    if typing.context.quote.is_some() || !typing.typed.is_empty() {
        return Vec::new();
    }
    let mut found = item(typing);
    found.retain(|item| item.kind == CompletionKind::File);
    for item in &mut found {
        let path = item.edit.text.trim_start().to_owned();
        let lead = item.edit.text.len() - path.len();
        item.edit.text = format!("{}[{path}]", " ".repeat(lead));
    }
    found
}

/// The files that an import can name.
struct Importable<'a> {
    typing: &'a Typing<'a>,
    from: &'a Path,
    /// The existing imports.
    imported: HashSet<PathBuf>,
}

impl Importable<'_> {
    /// The entries of a folder; `typed` is its path as far as it is typed.
    fn folder(&self, folder: &str, typed: Option<&str>) -> Vec<Completion> {
        let path = world::resolve(self.from, folder);
        let entries = self.typing.cx.world.list(&path).into_iter();
        let entries = entries
            .filter(|entry| !entry.name.starts_with('.') && !entry.name.contains(['\n', '\r']));
        let mut files = 0;
        let mut found = Vec::new();
        for entry in entries {
            if (self.typing.cx.cancelled)() {
                break;
            }
            let file = path.join(&entry.name);
            let kept = match entry.kind {
                EntryKind::Folder => true,
                EntryKind::File => {
                    is_program_name(&entry.name)
                        && file != self.from
                        && !self.imported.contains(&file)
                }
            };
            if kept {
                files += usize::from(entry.kind == EntryKind::File);
                found.push(self.entry(&entry, &file, typed, files <= MOST_READ));
            }
        }
        found
    }

    fn entry(&self, entry: &Entry, file: &Path, folder: Option<&str>, look: bool) -> Completion {
        let typing = self.typing;
        let is_folder = entry.kind == EntryKind::Folder;
        let name = format!("{}{}", entry.name, if is_folder { "/" } else { "" });
        let about = if look && !is_folder { about(typing.cx, file) } else { None };
        let rank = match (&about, is_folder) {
            (Some(_), _) => 0,
            (None, false) => 100,
            (None, true) => 200,
        };
        let kind = if is_folder { CompletionKind::Folder } else { CompletionKind::File };
        let mut item = typing.value(&format!("{}{name}", folder.unwrap_or("./")), kind, rank);
        // Without `./`, the typed text is compared with the name alone.
        let bare = !typing.typed.is_empty() && !typing.typed.starts_with('.');
        match folder {
            Some(folder) => {
                if let Some(rest) = typing.continued(folder.len(), &name) {
                    item.edit = rest;
                    item.label = name;
                }
            }
            None if bare => item.label = name,
            None => {}
        }
        item.more = is_folder;
        if let Some(About { name, description }) = about {
            item.documentation = Some(format!("**{name}**\n\n{description}"));
            item.detail =
                Some(description).filter(|description| !description.is_empty()).or(Some(name));
        }
        item
    }
}

fn is_program_name(name: &str) -> bool {
    let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("md"))
}

struct About {
    name: String,
    description: String,
}

/// The description of a program; `None` for a file that isn't one.
fn about(cx: &Context, file: &Path) -> Option<About> {
    let source = cx.world.read(file).ok()?;
    if !recognise::recognise(Some(file), &source) {
        return None;
    }
    let program = header(&source);
    let text = |text: Option<&super::super::program::Text>| {
        text.map(|text| text.text.split_whitespace().collect::<Vec<_>>().join(" "))
            .unwrap_or_default()
    };
    let name = text(program.name.as_ref());
    let name = if name.is_empty() { file.file_stem()?.to_str()?.to_owned() } else { name };
    Some(About { name, description: text(program.description.as_ref()) })
}
