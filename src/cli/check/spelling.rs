//! Spells paths as the call does, so that an answer spells each file in only one way.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::files::{File, shown};
use super::report::relative;
use crate::world::{canonicalize, slashed};

#[derive(Debug, Default)]
pub struct Spelling {
    /// The files of the call.
    files: HashMap<PathBuf, String>,
    /// Folders of the call and how it names them, the longest first.
    folders: Vec<(PathBuf, PathBuf)>,
    /// The call names only absolute paths.
    absolute: bool,
}

impl Spelling {
    /// Paths as given: folders, and files in theirs.
    pub fn new<'a>(paths: impl Iterator<Item = &'a PathBuf> + Clone) -> Self {
        let absolute =
            paths.clone().next().is_some() && paths.clone().all(|path| path.is_absolute());
        let mut folders: Vec<(PathBuf, PathBuf)> = paths
            .filter_map(|path| {
                let folder = if path.is_dir() { path } else { path.parent()? };
                let full = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
                Some((canonicalize(full).ok()?, folder.to_owned()))
            })
            .collect();
        folders.sort_by_key(|(folder, _)| std::cmp::Reverse(folder.as_os_str().len()));
        folders.dedup_by(|next, first| next.0 == first.0);
        Self { files: HashMap::new(), folders, absolute }
    }

    /// Adds files with their names.
    pub fn know(&mut self, files: &[File]) {
        self.files.extend(files.iter().map(|file| (file.path.clone(), file.shown.clone())));
    }

    /// The path of a file: as given, or below a folder as given, or relative to the current folder,
    /// or absolute.
    pub fn of(&self, path: &Path) -> String {
        if let Some(known) = self.files.get(path) {
            return known.clone();
        }
        let below = self
            .folders
            .iter()
            .find_map(|(folder, given)| Some(given.join(path.strip_prefix(folder).ok()?)));
        match below {
            Some(path) => shown(&path),
            None if self.absolute => slashed(path),
            None => relative(path),
        }
    }
}
