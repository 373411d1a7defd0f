//! Walks folders as git sees them. The `ignore` crate matches the patterns, but the ignore files
//! are read here: the crate follows symlinks and opens FIFOs.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dashmap::DashMap;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::{DirEntry, Match, WalkBuilder};
use parking_lot::Mutex;
use rustc_hash::FxBuildHasher;

use super::regular::read_rules;
use super::{ReadError, slashed};

/// Version control's own folders.
const NEVER: &[&str] = &[".git", ".hg", ".jj", ".svn"];
/// The limit of patterns with wildcards in an ignore file. Each is compiled, and matched against
/// every path below its folder. Plain names are cheap: they are looked up.
const MOST_PATTERNS: usize = 2048;
/// How many names count as one pattern.
const NAMES_PER_PATTERN: usize = 16;
/// The limit of patterns in a whole walk.
const MOST_PATTERNS_OF_A_WALK: usize = 8192;

/// The ignore files that a walk could not use.
#[derive(Debug, Clone, Default)]
pub struct Unused(Arc<Mutex<Vec<String>>>);

impl Unused {
    fn add(&self, file: &Path, why: &str) {
        let line = format!("{} {why}; it is ignored", slashed(file));
        self.0.lock().push(line);
    }

    /// One line for each file.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = self.0.lock().clone();
        lines.sort();
        lines
    }
}

/// Walks everything below `folder` that no ignore file excludes and `keep` accepts, including
/// hidden files. Symlinks are not followed.
pub fn walk(
    folder: &Path,
    keep: impl Fn(&DirEntry) -> bool + Send + Sync + 'static,
) -> (WalkBuilder, Unused) {
    let rules = Rules::new(folder);
    let unused = rules.unused.clone();
    let mut builder = WalkBuilder::new(folder);
    builder.standard_filters(false).follow_links(false).filter_entry(move |entry| {
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        let never = NEVER.iter().any(|name| entry.file_name() == *name);
        entry.depth() == 0 || !never && !rules.exclude(entry.path(), is_folder) && keep(entry)
    });
    (builder, unused)
}

/// What a walk could not read, if known, and why.
pub fn unread(error: &ignore::Error) -> (Option<&Path>, String) {
    match error {
        ignore::Error::WithPath { path, err } => (Some(path), unread(err).1),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            unread(err)
        }
        ignore::Error::Loop { child, .. } => (Some(child), error.to_string()),
        ignore::Error::Io(error) => (None, error.kind().to_string()),
        error => (None, error.to_string()),
    }
}

/// Whether a walk of `folder` reaches a path below it, which must exist and not lead through a
/// symlink.
pub fn reaches(folder: &Path, path: &Path) -> bool {
    Reach::new(folder).includes(path)
}

/// The paths that a walk of a folder reaches. For checking many of them: each ignore file is read
/// once.
pub struct Reach(Rules);

impl Reach {
    pub fn new(folder: &Path) -> Self {
        Self(Rules::new(folder))
    }

    /// Whether the walk reaches a path, which must exist and not lead through a symlink.
    pub fn includes(&self, path: &Path) -> bool {
        let folder = &self.0.folder;
        let mut above: Vec<&Path> = path.ancestors().take_while(|above| above != folder).collect();
        above.reverse();
        above.iter().all(|above| {
            let never =
                above.file_name().is_some_and(|name| NEVER.iter().any(|other| name == *other));
            !never && !self.0.exclude(above, above.is_dir())
        })
    }

    /// Whether a path leads through a symlink in the folder. The walk follows none.
    pub fn is_linked(&self, path: &Path) -> bool {
        let mut above = path.ancestors().take_while(|above| *above != self.0.folder);
        above.any(Path::is_symlink)
    }
}

/// Compiles an ignore file that applies to `folder`.
///
/// # Errors
/// If the file doesn't exist, isn't a regular file, or is too large.
pub(super) fn compile(folder: &Path, file: &Path) -> Result<Gitignore, ReadError> {
    compile_counted(folder, file).map(|(rules, _)| rules)
}

/// The same, with the number of names that the patterns count as.
fn compile_counted(folder: &Path, file: &Path) -> Result<(Gitignore, usize), ReadError> {
    let text = read_rules(file)?;
    let mut builder = GitignoreBuilder::new(folder);
    let patterns = text
        .trim_start_matches('\u{feff}')
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let mut count = 0;
    for pattern in patterns {
        let is_name = !pattern.contains(['*', '?', '[', '\\', '{']);
        count += if is_name { 1 } else { NAMES_PER_PATTERN };
        if count > MOST_PATTERNS * NAMES_PER_PATTERN {
            return Err(ReadError::Io(format!("has more than {MOST_PATTERNS} patterns")));
        }
        // Like git, skip invalid patterns.
        let _ = builder.add_line(None, pattern);
    }
    let rules = builder.build();
    let rules = rules.map_err(|error| ReadError::Io(format!("can't be used: {error}")))?;
    Ok((rules, count))
}

/// The ignore files of the folders seen by a walk, and of those above it.
struct Rules {
    /// The prefix of the walk's paths, and the folder that it refers to.
    folder: PathBuf,
    absolute: PathBuf,
    /// The user's global excludes.
    global: Gitignore,
    folders: DashMap<PathBuf, Arc<Folder>, FxBuildHasher>,
    patterns: AtomicUsize,
    unused: Unused,
}

/// The ignore files of a folder.
struct Folder {
    parent: Option<Arc<Folder>>,
    ignore: Option<Gitignore>,
    gitignore: Option<Gitignore>,
    exclude: Option<Gitignore>,
    /// The top of a repository: the rules of a repository around it don't apply.
    top: bool,
}

#[derive(Clone, Copy)]
enum Verdict {
    Exclude,
    Include,
}

impl Rules {
    fn new(folder: &Path) -> Self {
        let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let (global, _) = GitignoreBuilder::new(&absolute).build_global();
        Self {
            folder: folder.to_owned(),
            absolute,
            global,
            folders: DashMap::default(),
            patterns: AtomicUsize::new(0),
            unused: Unused::default(),
        }
    }

    /// Whether an ignore file excludes a path of the walk. Its folder is not excluded, or the walk
    /// would not have reached it.
    fn exclude(&self, path: &Path, is_folder: bool) -> bool {
        let Ok(below) = path.strip_prefix(&self.folder) else { return false };
        let path = self.absolute.join(below);
        let Some(parent) = path.parent() else { return false };
        let verdict = |rules: &Gitignore| match rules.matched(&path, is_folder) {
            Match::None => None,
            Match::Ignore(_) => Some(Verdict::Exclude),
            Match::Whitelist(_) => Some(Verdict::Include),
        };
        let nearest = self.folder(parent);
        let chain = || std::iter::successors(Some(&*nearest), |folder| folder.parent.as_deref());
        let repository = || {
            let tops = chain().position(|folder| folder.top).map_or(usize::MAX, |at| at + 1);
            chain().take(tops)
        };
        let found = chain()
            .find_map(|folder| folder.ignore.as_ref().and_then(verdict))
            .or_else(|| repository().find_map(|folder| folder.gitignore.as_ref().and_then(verdict)))
            .or_else(|| repository().find_map(|folder| folder.exclude.as_ref().and_then(verdict)))
            .or_else(|| verdict(&self.global));
        matches!(found, Some(Verdict::Exclude))
    }

    fn folder(&self, path: &Path) -> Arc<Folder> {
        let known = self.folders.get(path).map(|known| Arc::clone(&known));
        known.unwrap_or_else(|| {
            let found = self.read(path);
            Arc::clone(&self.folders.entry(path.to_owned()).or_insert(found))
        })
    }

    fn read(&self, path: &Path) -> Arc<Folder> {
        let parent = path.parent().map(|parent| self.folder(parent));
        let top = path.join(".git").symlink_metadata().is_ok();
        let exclude = if top { self.compile(path, ".git/info/exclude") } else { None };
        match (parent, self.compile(path, ".ignore"), self.compile(path, ".gitignore")) {
            // Most folders have no ignore file, and share the rules above them.
            (Some(parent), None, None) if !top => parent,
            (parent, ignore, gitignore) => {
                Arc::new(Folder { parent, ignore, gitignore, exclude, top })
            }
        }
    }

    fn compile(&self, folder: &Path, name: &str) -> Option<Gitignore> {
        let file = folder.join(name);
        // If the folder can't be entered, or `.git` is a file, it doesn't exist.
        file.symlink_metadata().ok()?;
        match compile_counted(folder, &file) {
            Ok((rules, count)) => {
                let before = self.patterns.fetch_add(count, Ordering::Relaxed);
                if before + count > MOST_PATTERNS_OF_A_WALK * NAMES_PER_PATTERN {
                    self.unused.add(&file, "exceeds the limit of patterns");
                    return None;
                }
                Some(rules)
            }
            Err(error) => {
                self.unused.add(&file, &error.to_string());
                None
            }
        }
    }
}
