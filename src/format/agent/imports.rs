//! Imports of memory files: where they lead, cycles, and chains longer than a client follows.

use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};

use super::file::File;
use super::names::relative;
use super::subject::Subject;
use super::{body, files};
use crate::answer::Insertion;
use crate::client::{Client, Role, catalog};
use crate::format::Context;
use crate::markdown::BlockKind;
use crate::source::{Placed, Source};
use crate::text::{Edit, Span};
use crate::world::resolve;

/// An import: its place in the document, and the path as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    pub span: Span,
    pub path: String,
    /// It is in an HTML comment.
    pub comment: bool,
    /// Punctuation follows without a space, so it isn't the name of a file.
    pub glued: bool,
}

/// A mention as the path of an import: it needs a folder or the extension `.md`, because `@name`
/// alone may be a user or a decorator, as may `@name/@other.name`.
pub fn path(written: &str) -> Option<String> {
    let name = written.rsplit('/').next().unwrap_or_default();
    let file = name.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && (1..=5).contains(&ending.len())
            && ending.chars().all(char::is_alphanumeric)
    });
    let shaped = file && !name.starts_with('@') && (written.contains('/') || name.ends_with(".md"));
    files::relative(written).filter(|path| shaped && !path.starts_with('~'))
}

/// The imports of a document, in order.
pub fn of(source: &Source) -> Vec<Import> {
    let mut all = Vec::new();
    for (placed, found) in body::mentions(source) {
        for body::Imported { span, path: written, glued } in &found.imports {
            if let Some(path) = path(written) {
                let comment = is_comment(source, placed, span);
                let span = placed.start + span.start..placed.start + span.end;
                all.push(Import { span, path, comment, glued: *glued });
            }
        }
    }
    all
}

/// Whether a place in a section is in a block that is an HTML comment.
pub fn is_comment(source: &Source, placed: Placed, span: &Span) -> bool {
    let blocks = source.blocks(placed).blocks.iter();
    let mut html = blocks.filter(|block| block.kind == BlockKind::Html);
    html.any(|block| {
        let text = source.slice(placed.start + block.span.start..placed.start + span.start);
        block.span.contains(&span.start)
            && text.trim_start().starts_with("<!--")
            && !text.contains("-->")
    })
}

/// The judged client that follows the fewest levels of imports, and their number.
pub fn reader<'s, 'a>(subject: &'s Subject<'a>) -> Option<(&'s Role<'a>, u32)> {
    let roles = subject.file.judged.iter();
    roles.filter_map(|role| Some((role, role.reads.imports?))).min_by_key(|(_, most)| *most)
}

/// Whether the imports of a document are followed because a memory file in its folder or above
/// imports it: `@AGENTS.md` in `CLAUDE.md`.
pub fn is_imported(subject: &Subject) -> bool {
    let cx = subject.cx;
    let (own, root) = (subject.file.path, cx.root());
    let named = &cx.config.options().clients;
    let judged = |client: &Client| {
        let is = |name: &String| *name == client.name || client.aliases.contains(name);
        named.is_empty() || named.iter().any(is)
    };
    let clients = catalog().clients.iter().filter(|client| judged(client));
    let files: Vec<&String> = clients
        .flat_map(|client| &client.reads)
        .filter(|reads| reads.imports.is_some())
        .flat_map(|reads| &reads.places)
        .collect();
    let folders = own.ancestors().skip(1);
    let inside =
        folders.take_while(|folder| root.as_ref().is_none_or(|root| folder.starts_with(root)));
    inside.take(DEEPEST).any(|folder| {
        files.iter().map(|file| folder.join(file)).any(|file| {
            let source = cx.world.read(&file).ok().filter(|_| file != own);
            let imports = source.as_ref().map(of).unwrap_or_default();
            let mut imports = imports.iter().filter(|import| !import.comment && !import.glued);
            imports.any(|import| resolve(&file, &import.path) == own)
        })
    })
}

/// Memory files in folders further up aren't read.
const DEEPEST: usize = 8;

/// Inserts a file as an import in a memory file, if one of its clients follows imports.
pub fn insertion(cx: &Context, offset: usize, file: &Path) -> Option<Insertion> {
    let own = File::of(cx)?;
    let follows = own.judged.iter().any(|role| role.reads.imports.is_some());
    let in_front = cx.source.front_matter().is_some_and(|front| offset < front.span.end);
    let written = relative(own.path.parent()?, file)?;
    // A space ends the path.
    let usable = path(&written).is_some() && !written.contains(char::is_whitespace);
    (follows && !in_front && usable).then(|| Insertion {
        title: "Insert import".to_owned(),
        kind: "import",
        edit: Edit::insert(offset, format!("@{written}")),
    })
}

/// Where an import leads.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// The files of a cycle of imports; the first one is repeated at the end.
    pub ring: Option<Vec<PathBuf>>,
    /// A file that is imported more than `most` levels deep, and the file that imports it.
    pub deep: Option<(PathBuf, PathBuf)>,
    /// Imports of missing files, with the files that contain them.
    pub missing: Vec<(PathBuf, Import)>,
}

/// At most this many files are read to follow one import.
const MOST_FILES: usize = 64;

/// The imports of a document, in order, and where each leads; empty if no judged client follows
/// them.
pub fn reaches<'s>(subject: &'s Subject) -> &'s [(Import, Reach)] {
    subject.reaches.get_or_init(|| {
        let Some((_, most)) = reader(subject) else { return Vec::new() };
        let all = of(subject.cx.source).into_iter();
        all.map(|import| (import.clone(), reach(subject, &import, most))).collect()
    })
}

/// Follows an import level by level.
fn reach(subject: &Subject, import: &Import, most: u32) -> Reach {
    let start = subject.file.path;
    let mut reach = Reach::default();
    if import.glued {
        return reach;
    }
    let Some(first) = target(subject, start, &import.path) else { return reach };
    if first == start {
        reach.ring = Some(vec![start.to_owned(), start.to_owned()]);
        return reach;
    }
    let mut seen = HashSet::from([first.clone()]);
    let mut open = VecDeque::from([vec![start.to_owned(), first]]);
    while let Some(chain) = open.pop_front() {
        let Some(file) = chain.last() else { continue };
        let Ok(source) = subject.cx.world.read(file) else { continue };
        for import in of(&source).into_iter().filter(|import| !import.comment) {
            let Some(next) = target(subject, file, &import.path) else {
                if is_meant(file, &import) && chain.len() <= most as usize {
                    reach.missing.push((file.clone(), import));
                }
                continue;
            };
            if import.glued {
                continue;
            }
            if let Some(at) = chain.iter().position(|known| *known == next) {
                if reach.ring.is_none() {
                    let ring = chain.iter().skip(at).cloned().chain([next]);
                    reach.ring = Some(ring.collect());
                }
            } else if seen.len() < MOST_FILES && seen.insert(next.clone()) {
                // The chain contains the document itself, which isn't a level.
                if chain.len() > most as usize {
                    if reach.deep.is_none() {
                        reach.deep = Some((next, file.clone()));
                    }
                } else {
                    open.push_back(chain.iter().cloned().chain([next]).collect());
                }
            }
        }
    }
    reach
}

/// Whether a mention in an imported file is certainly meant as an import: other files may be
/// written for people, with `@` before packages and users.
pub fn is_meant(file: &Path, import: &Import) -> bool {
    let path = import.path.as_str();
    crate::world::is_markdown(file)
        && !import.comment
        && (path.ends_with(".md") || path.starts_with("./") || path.starts_with("../"))
}

/// The file that an import names, relative to the file that imports it, if it exists.
fn target(subject: &Subject, from: &Path, path: &str) -> Option<PathBuf> {
    let full = resolve(from, path);
    subject.cx.world.kind(&full).map(|_| full)
}

/// A path as messages show it: from the root of the workspace.
pub fn shown(subject: &Subject, path: &Path) -> String {
    let root = subject.cx.root();
    let short = root.as_ref().and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path);
    format!("`{}`", crate::world::slashed(short))
}
