//! The files that a nonexistent path may have meant: suggested, and never used without asking.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use strsim::normalized_levenshtein;

use super::path;
use crate::world::{EntryKind, World};

/// The maximum number of entries of the workspace to look at.
const MOST_ENTRIES: usize = 5000;
const MOST_OFFERED: usize = 3;
/// Names less similar than this aren't suggested.
const ALIKE: f64 = 0.75;
/// Folders whose files a reply can't mean.
const SKIPPED: &[&str] =
    &[".git", "node_modules", "target", ".venv", "venv", "__pycache__", "dist", "build"];

/// The files below `root` with the same name as `written`, nearest folders first; if none, the
/// files next to it with a similar name. Paths are relative to the root, with `/`.
pub fn nearby(world: &dyn World, root: &Path, written: &str) -> Vec<String> {
    let Ok(wanted) = path::below(root, &written.replace('\\', "/")) else { return Vec::new() };
    let Some(name) = wanted.file_name().map(|name| name.to_string_lossy().into_owned()) else {
        return Vec::new();
    };
    let shown = |path: &Path| {
        let parts: Vec<String> = path
            .strip_prefix(root)
            .unwrap_or(path)
            .components()
            .map(|part| part.as_os_str().to_string_lossy().into_owned())
            .collect();
        parts.join("/")
    };
    let mut same = Vec::new();
    walk(world, root, &mut |folder, file| {
        if file.eq_ignore_ascii_case(&name) {
            same.push(folder.join(file));
        }
    });
    let shared = |path: &PathBuf| {
        path.components().rev().zip(wanted.components().rev()).take_while(|(a, b)| a == b).count()
    };
    same.sort_by_key(|path| (std::cmp::Reverse(shared(path)), path.components().count()));
    if same.is_empty() {
        let folder = wanted.parent().unwrap_or(root);
        let mut alike: Vec<(f64, PathBuf)> = world
            .list(folder)
            .into_iter()
            .filter(|entry| entry.kind == EntryKind::File)
            .map(|entry| (normalized_levenshtein(&entry.name, &name), folder.join(entry.name)))
            .filter(|(score, _)| *score >= ALIKE)
            .collect();
        alike.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        same = alike.into_iter().map(|(_, path)| path).collect();
    }
    same.iter().take(MOST_OFFERED).map(|path| shown(path)).collect()
}

/// The names of the files below `root`, in any folder.
pub fn names(world: &dyn World, root: &Path) -> HashSet<String> {
    let mut names = HashSet::new();
    walk(world, root, &mut |_, file| {
        names.insert(file.to_owned());
    });
    names
}

/// Calls `take` with the folder and the name of each file, nearest folders first.
fn walk(world: &dyn World, root: &Path, take: &mut dyn FnMut(&Path, &str)) {
    let (mut open, mut seen, mut at) = (vec![root.to_owned()], 0_usize, 0);
    while let Some(folder) = open.get(at).cloned() {
        at += 1;
        for entry in world.list(&folder) {
            seen += 1;
            match entry.kind {
                EntryKind::Folder if !SKIPPED.contains(&entry.name.as_str()) => {
                    open.push(folder.join(&entry.name));
                }
                EntryKind::File => take(&folder, &entry.name),
                _ => {}
            }
        }
        if seen > MOST_ENTRIES {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Memory;

    #[test]
    fn a_file_of_the_name_or_one_with_a_similar_name() {
        let world = Memory::default()
            .with("/w/src/app.py", "")
            .with("/w/lib/deep/app.py", "")
            .with("/w/src/tax.py", "")
            .with("/w/node_modules/x/app.py", "");
        let found = |written: &str| nearby(&world, Path::new("/w"), written);
        assert_eq!(found("app.py"), ["src/app.py", "lib/deep/app.py"]);
        assert_eq!(found("deep/app.py"), ["lib/deep/app.py", "src/app.py"]);
        assert_eq!(found("src/taxx.py"), ["src/tax.py"]);
        assert_eq!(found("src/other.py"), [""; 0]);
        assert_eq!(found("../app.py"), [""; 0]);
    }
}
