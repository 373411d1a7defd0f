//! Unified diffs on stdout, for `git apply` and `patch -p1`.

use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::{printable, warn};
use crate::plan::diff::names;
use crate::text::lines::unified;
use crate::world::{canonicalize, resolve, slashed};

/// A file that would change.
pub struct Change<'a> {
    /// Its path as given.
    pub shown: &'a str,
    /// Its absolute path; `None` for text without a file.
    pub path: Option<&'a Path>,
    pub old: &'a str,
    pub new: &'a str,
}

/// Prints the changes. Neither `git apply` nor `patch` accepts absolute paths or `..`, so the diff
/// names files relative to the current folder, or to the nearest folder with all of them.
pub fn print(changes: &[Change]) -> anyhow::Result<()> {
    let here = std::env::current_dir().and_then(|here| canonicalize(&here)).unwrap_or_default();
    let paths: Vec<Option<PathBuf>> = changes.iter().map(|change| change.path.map(real)).collect();
    let base = base(&here, paths.iter().flatten().map(PathBuf::as_path));
    if base != here {
        let base = printable(&slashed(&base));
        warn(&format!("the diff changes files outside of the current folder: apply it in {base}"));
    }
    // A link and its target are one file.
    let mut seen = BTreeSet::new();
    let mut text = String::new();
    for (change, path) in changes.iter().zip(&paths) {
        let name = match path {
            Some(path) if !seen.insert(path) => continue,
            Some(path) => path.strip_prefix(&base).unwrap_or(path),
            None => Path::new(change.shown),
        };
        text.push_str(&names(name));
        text.push_str(&unified(change.old, change.new));
    }
    let mut out = std::io::stdout().lock();
    out.write_all(for_stdout(text).as_bytes())?;
    Ok(out.flush()?)
}

/// A diff as it is, so that it can be applied, or printable on a terminal.
pub fn for_stdout(diff: String) -> String {
    if !std::io::stdout().is_terminal() {
        return diff;
    }
    diff.split_inclusive('\n')
        .map(|line| printable(line.trim_end_matches(['\r', '\n'])) + "\n")
        .collect()
}

/// The path without links and `..`, also of a file that doesn't exist.
fn real(path: &Path) -> PathBuf {
    canonicalize(path).unwrap_or_else(|_| resolve(path, &path.to_string_lossy()))
}

/// The current folder if it contains all files, otherwise the nearest folder that does.
fn base<'a>(here: &Path, paths: impl Iterator<Item = &'a Path> + Clone) -> PathBuf {
    let holds = |folder: &&Path| paths.clone().all(|path| path.starts_with(folder));
    let first = paths.clone().next().and_then(Path::parent).into_iter();
    let folders = std::iter::once(here).chain(first.flat_map(Path::ancestors));
    folders.into_iter().find(holds).unwrap_or(here).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_begins_at_the_folder_that_contains_all_files() {
        let of = |paths: &[&str]| base(Path::new("/w/here"), paths.iter().map(Path::new));
        assert_eq!(of(&["/w/here/a.md", "/w/here/日本/b.md"]), Path::new("/w/here"));
        assert_eq!(of(&["/w/x/y/a.md", "/w/x/b.md"]), Path::new("/w/x"));
        assert_eq!(of(&["/w/here/a.md", "/v/b.md"]), Path::new("/"));
        assert_eq!(of(&[]), Path::new("/w/here"));
    }
}
