//! The changes when files and folders move: in the names that they give to skills, agents and
//! commands, in the mentions of these names, and in paths.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::declared::Declaration;
use super::index::Index;
use super::mentions::Mention;
use super::references;
use super::rename;
use super::{linked, mentions, paths, settings, variables};
use crate::answer::Renaming;
use crate::client;
use crate::config::Config;
use crate::format::Context;
use crate::source::Source;
use crate::text::Edit;
use crate::world::World;

/// The edits that keep names and paths working, in terms of the old paths.
pub fn edits(
    world: &dyn World,
    moves: &[(PathBuf, PathBuf)],
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Renaming {
    let moves: Vec<(PathBuf, PathBuf)> =
        moves.iter().filter(|(old, new)| old != new).cloned().collect();
    let mut renaming = Renaming::default();
    let Some((first, _)) = moves.first() else { return renaming };
    let config = Config::default();
    let nothing = Source::new("");
    // A document in the place of the first move, which determines the workspace folder.
    let here = first.join("-");
    let cx = Context { cancelled, ..Context::new(&nothing, Some(&here), world, &config) };
    let outside = Context { path: None, ..cx };
    // Waits until all files are known.
    references::each(&outside, &[], &mut |_, _, _| {});
    let moves = linked::all(world, &moves);
    let index = Index::of(world);
    let all = index.all(world);
    let mut known: Vec<Arc<Declaration>> = Vec::new();
    for (old, new) in &moves {
        for declared in all.iter().filter(|declared| declared.path.starts_with(old)) {
            known.push(Arc::clone(declared));
            if let Some(name) = new_name(declared, old, new) {
                let one = [Arc::clone(declared)];
                let inside = Context { path: Some(&here), ..cx };
                let found = rename::edits(&inside, &one, &declared.stem, &name, &moves);
                renaming.extend(found);
            }
        }
    }
    let mut words: Vec<String> = moves.iter().filter_map(|(old, _)| rename::last(old)).collect();
    words.sort();
    words.dedup();
    let mut path_edits = |own: &Context, mention: &Mention| {
        let Some(path) = own.path.map(Path::to_owned) else { return };
        if let Some(text) = paths::rewritten_mention(own, mention, &moves) {
            renaming.add(Some(path), Edit::replace(mention.span.clone(), text), false);
        }
    };
    references::each(&outside, &words, &mut |own, _, mention| {
        path_edits(own, mention);
    });
    // Paths in files that move may lead out of their folder.
    for path in Index::files(world) {
        if cancelled() || !moves.iter().any(|(old, _)| path.starts_with(old)) {
            continue;
        }
        let Ok(source) = world.look(&path) else { continue };
        let own = Context { source: &source, path: Some(&path), ..cx };
        for mention in mentions::of(&source, &client::roles_at(world, &path)) {
            path_edits(&own, &mention);
        }
    }
    rename::manifests(&cx, &known, &moves, &mut renaming);
    variables::edits(&cx, &moves, &mut renaming);
    settings::path_edits(&cx, &moves, &mut renaming);
    renaming.sorted()
}

/// The new name that a move gives to a file; for a skill, the name of its folder.
fn new_name(declared: &Declaration, old: &Path, new: &Path) -> Option<String> {
    let moved = declared.folder().unwrap_or(&declared.path);
    if moved != old {
        return None;
    }
    let file = new.file_name()?.to_str()?;
    let name = match declared.folder() {
        Some(_) => file,
        None => crate::client::stem(file),
    };
    (name != declared.stem && !name.is_empty()).then(|| name.to_owned())
}
