//! Updates imports when files move, so that they lead to the same programs.

use std::path::{Component, Path, PathBuf};

use super::graph::Graph;
use super::program::{Import, ImportKind, Program};
use super::read;
use super::rules::RuleContext;
use crate::answer::FileEdit;
use crate::config::Config;
use crate::format::Context;
use crate::text::Edit;
use crate::world::{self, World};

/// The edits of every importer, and of the moved files themselves, in terms of the old paths.
/// Imports that still work are unchanged; quotes stay, and a path keeps its form: relative,
/// absolute, with `./` or without.
pub fn edits(
    world: &dyn World,
    moves: &[(PathBuf, PathBuf)],
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Vec<FileEdit> {
    let moves: Vec<(PathBuf, PathBuf)> =
        moves.iter().filter(|(old, new)| old != new).cloned().collect();
    if moves.is_empty() {
        return Vec::new();
    }
    let files = Graph::of(world).touching(world, |path| moved(&moves, path).is_some(), cancelled);
    let found = files.into_iter().take_while(|_| !cancelled()).filter_map(|path| {
        let source = world.look(&path).ok()?;
        let program = read(&source, None);
        let config = Config::default();
        let cx = Context { cancelled, ..Context::new(&source, Some(&path), world, &config) };
        let edits = file(&program, &cx, &path, &moves);
        (!edits.is_empty()).then_some(FileEdit { path: Some(path.clone()), edits })
    });
    found.collect()
}

/// The new path of a file, if it changes. Of several moves, the innermost is used.
fn moved(moves: &[(PathBuf, PathBuf)], path: &Path) -> Option<PathBuf> {
    let found =
        moves.iter().filter_map(|(old, new)| Some((old, new, path.strip_prefix(old).ok()?)));
    let (_, new, rest) = found.max_by_key(|(old, ..)| old.components().count())?;
    Some(if rest.as_os_str().is_empty() { new.clone() } else { new.join(rest) })
}

fn file(program: &Program, cx: &Context, path: &Path, moves: &[(PathBuf, PathBuf)]) -> Vec<Edit> {
    let new = moved(moves, path).unwrap_or_else(|| path.to_owned());
    let context = RuleContext::new(program, cx);
    let mut edits: Vec<Edit> = Vec::new();
    for import in &program.imports {
        // The target of an alias is edited at its anchor.
        if cx.source.slice(import.span.clone()).starts_with('*') {
            continue;
        }
        if let Some(text) = rewritten(import, path, &new, moves) {
            edits.push(Edit::replace(import.span.clone(), context.print(&import.span, &text)));
        }
    }
    edits
}

/// The new text of an import; `None` if it can stay.
fn rewritten(
    import: &Import,
    old: &Path,
    new: &Path,
    moves: &[(PathBuf, PathBuf)],
) -> Option<String> {
    let target = import.path(old)?;
    let target = moved(moves, &target).unwrap_or(target);
    if world::resolve(new, &import.text) == target {
        return None;
    }
    if import.kind == ImportKind::Absolute {
        return target.to_str().map(|path| path.replace('\\', "/"));
    }
    let path = relative(new.parent()?, &target)?;
    Some(match import.kind {
        ImportKind::Bare => path.strip_prefix("./").map(str::to_owned).unwrap_or(path),
        _ => path,
    })
}

/// The path that leads from a folder to a file, with `/` between its parts.
fn relative(folder: &Path, file: &Path) -> Option<String> {
    let (from, to): (Vec<Component>, Vec<Component>) =
        (folder.components().collect(), file.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if shared == 0 && !from.is_empty() {
        // Another drive.
        return file.to_str().map(str::to_owned);
    }
    let up = from.len() - shared;
    let names: Option<Vec<&str>> =
        to.get(shared..)?.iter().map(|part| part.as_os_str().to_str()).collect();
    let start = if up == 0 { "./".to_owned() } else { "../".repeat(up) };
    Some(start + &names?.join("/"))
}
