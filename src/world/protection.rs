//! Reasons not to change a file without asking.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use ignore::gitignore::Gitignore;

use crate::cache::{Cache, Limit};

/// Facts about a file other than its text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Protection {
    /// The file, or a new one in its folder, isn't writable.
    pub read_only: bool,
    /// The file is executable.
    pub executable: bool,
    /// Git ignores it: no earlier version can be restored.
    pub ignored: bool,
    /// The file has more than one name: a hard link.
    pub linked: bool,
}

/// Facts about a folder that apply to the files in it.
#[derive(Debug, Default)]
pub struct Surroundings {
    /// Nothing can be written there.
    locked: bool,
    /// The ignore rules of git, in order of precedence.
    rules: Vec<Arc<Gitignore>>,
}

/// The `.gitignore` files that were read, by path and time.
#[derive(Debug)]
pub struct Ignores(Cache<PathBuf, Known>);

type Known = (Option<SystemTime>, Arc<Gitignore>);

/// The estimated memory of a compiled ignore file, for each byte of the file.
const EACH_BYTE: u64 = 64;

impl Ignores {
    pub fn new(limit: &Limit) -> Self {
        Self(Cache::new(limit))
    }

    /// The facts about a file, which may not exist.
    pub fn protection(&self, path: &Path) -> Protection {
        protection_in(
            path,
            &path.parent().map(|folder| self.surroundings(folder)).unwrap_or_default(),
        )
    }

    /// The facts about a folder, which may not exist, and about its parents.
    pub fn surroundings(&self, folder: &Path) -> Surroundings {
        let metadata = folder.ancestors().find_map(|folder| fs::metadata(folder).ok());
        Surroundings {
            // On Windows, a read-only folder is one with an icon.
            locked: cfg!(unix)
                && metadata.is_some_and(|metadata| metadata.permissions().readonly()),
            rules: self.rules(folder),
        }
    }

    /// The ignore rules of git for a folder: `.gitignore` files, the innermost first, and
    /// `.git/info/exclude`.
    fn rules(&self, folder: &Path) -> Vec<Arc<Gitignore>> {
        let Some(top) = folder.ancestors().find(|folder| folder.join(".git").exists()) else {
            return Vec::new();
        };
        let folders = folder.ancestors().take_while(|folder| folder.starts_with(top));
        let files = folders
            .map(|folder| (folder, folder.join(".gitignore")))
            .chain([(top, top.join(".git/info/exclude"))]);
        files.filter_map(|(folder, file)| self.read(folder, &file)).collect()
    }

    fn read(&self, folder: &Path, file: &Path) -> Option<Arc<Gitignore>> {
        let metadata = fs::symlink_metadata(file).ok().filter(fs::Metadata::is_file)?;
        let modified = metadata.modified().ok();
        if let Some((_, rules)) = self.0.get(file).filter(|(time, _)| *time == modified) {
            return Some(rules);
        }
        let rules = Arc::new(super::walk::compile(folder, file).ok()?);
        let cost = metadata.len().saturating_mul(EACH_BYTE);
        self.0.insert(file.to_owned(), (modified, Arc::clone(&rules)), cost);
        Some(rules)
    }
}

/// The facts about a file in these surroundings, which may not exist.
pub fn protection_in(path: &Path, around: &Surroundings) -> Protection {
    let found = fs::metadata(path).ok().filter(fs::Metadata::is_file);
    let is = |what: fn(&fs::Metadata) -> bool| found.as_ref().is_some_and(what);
    let mut matches =
        around.rules.iter().map(|rules| rules.matched_path_or_any_parents(path, false));
    Protection {
        read_only: around.locked || is(|metadata| metadata.permissions().readonly()),
        executable: is(is_executable),
        ignored: matches.find(|found| !found.is_none()).is_some_and(|found| found.is_ignore()),
        linked: is(is_linked),
    }
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_metadata: &fs::Metadata) -> bool {
    false
}

/// Whether a shell would run this file.
pub fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.is_file() && (cfg!(not(unix)) || is_executable(&file)))
}

#[cfg(unix)]
fn is_linked(metadata: &fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) > 1
}

/// On other systems, the standard library doesn't provide this.
#[cfg(not(unix))]
fn is_linked(_metadata: &fs::Metadata) -> bool {
    false
}

/// The permissions of a new file before the user's umask applies; `None` where the system chooses
/// them.
pub fn usual_permissions() -> Option<fs::Permissions> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        Some(fs::Permissions::from_mode(0o666))
    }
    #[cfg(not(unix))]
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_disk_reports_why_a_file_should_not_be_changed() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        for path in [".git/info", "src/deep", "target", "locked"] {
            fs::create_dir_all(at.join(path)).unwrap();
        }
        for (name, text) in [
            (".gitignore", "/target\n*.log\n"),
            (".git/info/exclude", "mine\n"),
            ("src/.gitignore", "!keep.log\nown\n"),
            ("a", ""),
            ("run", ""),
        ] {
            fs::write(at.join(name), text).unwrap();
        }
        fs::set_permissions(at.join("run"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::set_permissions(at.join("a"), fs::Permissions::from_mode(0o444)).unwrap();
        fs::set_permissions(at.join("locked"), fs::Permissions::from_mode(0o555)).unwrap();
        let ignores = Ignores::new(&Limit::default());
        for (path, ignored) in [
            ("target/x/y", true),
            ("src/target/x", false),
            ("x.log", true),
            ("src/deep/x.log", true),
            ("src/keep.log", false),
            ("src/deep/own", true),
            ("own", false),
            ("src/mine", true),
            ("a", false),
        ] {
            assert_eq!(ignores.protection(&at.join(path)).ignored, ignored, "{path}");
        }
        let of = |name: &str| ignores.protection(&at.join(name));
        assert!(of("run").executable && !of("a").executable && !of("none").executable);
        assert!(
            of("a").read_only
                && of("locked/new").read_only
                && of("locked/new/x").read_only
                && !of("run").read_only
                && !of("src/new").read_only
        );
        // A changed ignore file is read again.
        fs::write(at.join(".gitignore"), "").unwrap();
        let later = SystemTime::now() + std::time::Duration::from_secs(5);
        fs::File::options()
            .write(true)
            .open(at.join(".gitignore"))
            .unwrap()
            .set_modified(later)
            .unwrap();
        assert!(!of("x.log").ignored);
        fs::set_permissions(at.join("locked"), fs::Permissions::from_mode(0o755)).unwrap();
    }
}
