//! Globs in front matter: how many files of the workspace each matches, and suggestions.

use std::collections::{BTreeMap, VecDeque};

use globset::GlobBuilder;

use super::subject::Subject;
use crate::world::{EntryKind, slashed};

/// At most this many files and folders are counted; more would make typing slow.
const MOST_FILES: usize = 20_000;
const MOST_FOLDERS: usize = 1_500;
/// Folders whose files don't get rules.
const ASIDE: &[&str] =
    &["node_modules", "target", "dist", "build", "vendor", "__pycache__", "venv"];

/// Whether a glob matches every file, or is meant to: `*.*`.
pub fn is_everything(glob: &str) -> bool {
    let glob = glob.strip_prefix("./").or(glob.strip_prefix('/')).unwrap_or(glob);
    let name = glob.trim_start_matches("**/");
    matches!(name, "*" | "**" | "*.*")
}

/// Files of the workspace, as paths from its root with `/`, and whether these are all.
pub struct Files {
    pub paths: Vec<String>,
    pub all: bool,
}

/// Files of the workspace; hidden folders are left out.
pub fn files(subject: &Subject) -> Files {
    let mut files = Files { paths: Vec::new(), all: true };
    let Some(root) = subject.cx.root() else { return files };
    let mut open = VecDeque::from([root.clone()]);
    let mut count = 0;
    while let Some(folder) = open.pop_front() {
        count += 1;
        if count > MOST_FOLDERS || files.paths.len() > MOST_FILES || (subject.cx.cancelled)() {
            files.all = false;
            break;
        }
        for entry in subject.cx.world.list(&folder).iter() {
            let path = folder.join(&entry.name);
            if entry.kind == EntryKind::File {
                let short = path.strip_prefix(&root).unwrap_or(&path);
                files.paths.push(slashed(short));
            } else if !entry.name.starts_with('.') && !ASIDE.contains(&entry.name.as_str()) {
                // A link may lead back to a folder that contains it.
                let real = subject.cx.world.identity(&path);
                if real.starts_with(&root) && real.ends_with(&entry.name) {
                    open.push_back(path);
                }
            }
        }
    }
    files
}

impl Files {
    /// How many files a glob matches, in words; `None` for one that isn't a glob.
    pub fn count(&self, glob: &str) -> Option<String> {
        let glob = glob.trim_start_matches("./");
        let matcher =
            GlobBuilder::new(glob).literal_separator(true).build().ok()?.compile_matcher();
        let count = self.paths.iter().filter(|path| matcher.is_match(path)).count();
        let more = if self.all { "" } else { "at least " };
        Some(format!("{more}{count} file{}", if count == 1 { "" } else { "s" }))
    }

    /// Globs that match something, the likeliest first: one for each extension, and one for each
    /// folder below the typed one.
    pub fn suggestions(&self, typed: &str) -> Vec<String> {
        let folder = typed.rsplit_once('/').map_or("", |(folder, _)| folder);
        let folder = if folder.contains(['*', '{', '[', '?']) { "" } else { folder };
        let inside = |path: &&String| {
            folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
        };
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let mut endings: BTreeMap<&str, usize> = BTreeMap::new();
        let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
        for path in self.paths.iter().filter(inside) {
            let name = path.rsplit('/').next().unwrap_or(path);
            if let Some((stem, ending)) = name.rsplit_once('.')
                && !stem.is_empty()
                && ending.chars().all(char::is_alphanumeric)
            {
                *endings.entry(ending).or_default() += 1;
            }
            let rest = path.get(prefix.len()..).unwrap_or_default();
            if let Some((first, _)) = rest.split_once('/') {
                *folders.entry(first).or_default() += 1;
            }
        }
        let by_count = |counts: BTreeMap<&str, usize>| {
            let mut sorted: Vec<(String, usize)> =
                counts.into_iter().map(|(word, count)| (word.to_owned(), count)).collect();
            sorted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            sorted.truncate(25);
            sorted
        };
        let mut found = vec![format!("{prefix}**")];
        found.extend(
            by_count(endings).into_iter().map(|(ending, _)| format!("{prefix}**/*.{ending}")),
        );
        found.extend(by_count(folders).into_iter().map(|(name, _)| format!("{prefix}{name}/**")));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_are_counted_and_suggested() {
        let paths = ["src/a.ts", "src/b/c.ts", "src/日本.tsx", "README.md", "docs/x.md"];
        let files = Files { paths: paths.map(str::to_owned).to_vec(), all: true };
        assert_eq!(files.count("**/*.ts").as_deref(), Some("2 files"));
        assert_eq!(files.count("*.ts").as_deref(), Some("0 files"));
        assert_eq!(files.count("./src/{a,b/*}.ts").as_deref(), Some("2 files"));
        assert_eq!(files.count("[").as_deref(), None);
        let found = files.suggestions("");
        assert!(
            ["**", "**/*.md", "**/*.ts", "src/**", "docs/**"]
                .iter()
                .all(|glob| found.iter().any(|other| other == glob)),
            "{found:?}"
        );
        assert_eq!(
            files.suggestions("src/"),
            ["src/**", "src/**/*.ts", "src/**/*.tsx", "src/b/**"]
        );
    }
}
