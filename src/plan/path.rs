//! Resolves a path in a reply to a file. A model wrote the reply, so no path may lead outside the
//! folder or into `.git`.

use std::path::{Path, PathBuf};

use super::Reason;
use crate::edit::naming::is_invisible;
use crate::world::{EntryKind, ReadError, World};

/// The journal of `agentmd apply`, in the root.
pub const JOURNAL: &str = ".agentmd-apply";
/// The prefix of temporary files, which are next to the files being changed.
pub const BESIDE: &str = ".agentmd-";

/// Why a path is rejected: the reason, and a message for the author.
pub type Refused = (Reason, String);

/// Whether a path, as a reply writes it, names a file below `root`.
pub fn is_file(world: &dyn World, root: &Path, written: &str) -> bool {
    inside(world, root, written).is_ok_and(|path| world.kind(&path) == Some(EntryKind::File))
}

/// The file that `written` means below `root`.
///
/// # Errors
/// If it isn't a relative path below `root`, or leads elsewhere.
pub fn inside(world: &dyn World, root: &Path, written: &str) -> Result<PathBuf, Refused> {
    let relative = below_root(world, root, written);
    let written = relative.as_deref().unwrap_or(written);
    let path = below(root, written)?;
    // Models write `\` on every system; it is a separator unless a file name contains it.
    let divided = written.contains('\\') && world.kind(&path).is_none();
    let path = if divided { below(root, &written.replace('\\', "/"))? } else { path };
    // A mark of Markdown or an invisible character, unless a file name contains it.
    let shown = as_shown(written).map(|shown| below(root, &shown)).transpose()?;
    let path = shown.filter(|_| world.kind(&path).is_none()).unwrap_or(path);
    let real_root = world.real(root).map_err(|error| {
        (Reason::Unreadable, format!("the folder `{}` {error}", root.display()))
    })?;
    // A missing path can't be a symlink: the deepest existing folder decides.
    let mut known = path.as_path();
    loop {
        match world.real(known) {
            // Not every system reports that a path goes through a file: some report that it doesn't
            // exist.
            Ok(_) if known != path && world.kind(known) == Some(EntryKind::File) => {
                return Err((
                    Reason::NotAFile,
                    format!(
                        "`{written}` can't be reached: a part of the path is a file, not a folder"
                    ),
                ));
            }
            Ok(real) => return within(&real_root, &real, written).map(|()| path),
            Err(ReadError::Missing) => {
                known = known.parent().filter(|parent| parent.starts_with(root)).unwrap_or(root)
            }
            Err(error) => {
                return Err((
                    Reason::NotAFile,
                    format!("`{written}` can't be reached: a part of the path {}", plain(&error)),
                ));
            }
        }
    }
}

/// The file at such a path, if there is one.
pub fn file(world: &dyn World, root: &Path, written: &str) -> Option<PathBuf> {
    // One lookup on the disk is enough to reject most paths without a file.
    let missing = |path: PathBuf| world.kind(&path).is_none();
    if !written.contains('\\')
        && !written.contains(is_invisible)
        && below(root, written).is_ok_and(missing)
    {
        return None;
    }
    let path = inside(world, root, written).ok()?;
    (world.kind(&path)? == EntryKind::File).then_some(path)
}

/// A path as Markdown shows it, if it's written differently: `src/my\_file.py`
fn as_shown(written: &str) -> Option<String> {
    let escaped = written.contains("\\_")
        && written
            .match_indices('\\')
            .all(|(at, _)| written.get(at..).is_some_and(|rest| rest.starts_with("\\_")));
    if !escaped && !written.contains(is_invisible) {
        return None;
    }
    let shown = if escaped { written.replace("\\_", "_") } else { written.to_owned() };
    Some(shown.replace(is_invisible, ""))
}

/// The part of an absolute path below the root, judged by its text.
fn below_root(world: &dyn World, root: &Path, written: &str) -> Option<String> {
    let path = Path::new(written);
    if !path.is_absolute() {
        return None;
    }
    let rest = path
        .strip_prefix(root)
        .ok()
        .map(Path::to_owned)
        .or_else(|| path.strip_prefix(world.real(root).ok()?).ok().map(Path::to_owned))?;
    rest.to_str().map(str::to_owned)
}

/// Checks that a path is below a root and that replies may write there. Both must have their links
/// resolved.
///
/// # Errors
/// If it's somewhere else, or in `.git`.
pub fn within(real_root: &Path, real: &Path, written: &str) -> Result<(), Refused> {
    let Ok(rest) = real.strip_prefix(real_root) else {
        return Err((
            Reason::PathOutsideRoot,
            format!("`{written}` leaves the workspace through a link"),
        ));
    };
    let forbidden = rest.to_string_lossy().split(['/', '\\']).any(is_git);
    if forbidden { Err(git(written)) } else { Ok(()) }
}

fn plain(error: &ReadError) -> String {
    match error {
        ReadError::Io(text)
            if text.contains("Not a directory") || text.contains("not a directory") =>
        {
            "is a file, not a folder".to_owned()
        }
        error => error.to_string(),
    }
}

fn git(written: &str) -> Refused {
    (Reason::PathForbidden, format!("`{written}` leads into `.git`, which replies may not change"))
}

/// Whether a part of a path is a variable of a shell or a client: `$PWD`, `${workspaceFolder}`,
/// `%CD%`. A folder such as `$id` isn't.
fn is_variable(part: &str) -> bool {
    let name = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_') && !text.is_empty()
    };
    let braces = part.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
    braces.is_some()
        || part.strip_prefix('$').is_some_and(name)
        || part.strip_prefix('%').and_then(|rest| rest.strip_suffix('%')).is_some_and(name)
}

/// The path, judged by its text alone.
///
/// # Errors
/// If it isn't a relative path, or is one that replies may not change.
pub fn below(root: &Path, written: &str) -> Result<PathBuf, Refused> {
    if written.is_empty() {
        return Err((
            Reason::MissingPath,
            "the path is missing; write it above the block".to_owned(),
        ));
    }
    let forbidden = |message: &str| Err((Reason::PathForbidden, message.to_owned()));
    if written.chars().any(|character| {
        character.is_control()
            || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    }) {
        return forbidden("the path contains a line break or another control character");
    }
    let drive = written.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
        && written.as_bytes().get(1) == Some(&b':');
    if drive || written.starts_with(['/', '\\', '~']) {
        let message = format!(
            "`{written}` isn't below the workspace; write it relative to the workspace folder"
        );
        return Err((Reason::PathOutsideRoot, message));
    }
    if let Some((first, _)) = written.split_once('/').filter(|(first, _)| is_variable(first)) {
        let message = format!(
            "`{first}` is a variable, which isn't replaced; write the path relative to the workspace folder"
        );
        return Err((Reason::PathForbidden, message));
    }
    if cfg!(windows) && written.contains(':') {
        return forbidden("the path contains a `:`");
    }
    let mut path = root.to_owned();
    let mut parts = 0;
    // `\` is a separator on some systems only, but `..\` is rejected on all.
    for part in written.split(|character| character == '/' || cfg!(windows) && character == '\\') {
        match part {
            "" | "." => continue,
            part if part.split('\\').any(|part| part.trim_end_matches(' ') == "..") => {
                return Err((
                    Reason::PathOutsideRoot,
                    format!("`{written}` contains `..`; a path may not lead upwards"),
                ));
            }
            part if part.split('\\').any(is_git) => return Err(git(written)),
            part if part
                .get(..BESIDE.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(BESIDE)) =>
            {
                return forbidden(
                    "the path begins like the names that `agentmd apply` uses itself",
                );
            }
            part if part.ends_with(['.', ' ']) => {
                return forbidden(
                    "a part of the path ends with a dot or a space, which isn't possible on every system",
                );
            }
            part => path.push(part),
        }
        parts += 1;
    }
    if parts == 0 || written.ends_with('/') || cfg!(windows) && written.ends_with('\\') {
        return Err((Reason::NotAFile, format!("`{written}` is a folder, not a file")));
    }
    Ok(path)
}

/// `.git`, in every spelling that some file system accepts.
fn is_git(part: &str) -> bool {
    let name = part.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
    // Some file systems ignore these characters.
    let name: String =
        name.chars().filter(|character| !matches!(character, '\u{200b}'..='\u{200f}' | '\u{206a}'..='\u{206f}' | '\u{feff}')).collect();
    name.eq_ignore_ascii_case(".git") || name.eq_ignore_ascii_case("git~1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Memory;

    fn reason(written: &str) -> Option<Reason> {
        let world = Memory::default().with("/w/a.md", "").with("/w/src/b.md", "");
        inside(&world, Path::new("/w"), written).err().map(|(reason, _)| reason)
    }

    #[test]
    fn llmd_20_paths_stay_below_the_root() {
        for good in [
            "a.md",
            "./a.md",
            "src/new.rs",
            "src//b.md",
            "new/deep/x",
            "日本/🦆.md",
            "a b.md",
            ".github/x.yml",
            "..a/x",
            ".gitignore",
        ] {
            assert_eq!(reason(good), None, "{good}");
        }
        for outside in [
            "/etc/passwd",
            "..",
            "../x",
            "a/../../x",
            "a/..",
            "~/x",
            "~",
            "\\\\server\\x",
            "C:\\x",
            "c:x",
            "a\\..\\..\\x",
            "/",
            ".. /x",
        ] {
            assert_eq!(reason(outside), Some(Reason::PathOutsideRoot), "{outside}");
        }
        for forbidden in [
            ".git/config",
            ".GIT/hooks/x",
            "src/.git/x",
            ".git",
            "git~1/x",
            ".git./x",
            ".git::$INDEX/x",
            "a\0b",
            "a\nb",
            ".g\u{200c}it/x",
            "a./b",
        ] {
            assert_eq!(reason(forbidden), Some(Reason::PathForbidden), "{forbidden:?}");
        }
        for own in [".agentmd-apply", ".AGENTMD-apply", "src/.agentmd-1-0.new"] {
            assert_eq!(reason(own), Some(Reason::PathForbidden), "{own:?}");
        }
        assert_eq!(reason(""), Some(Reason::MissingPath));
        assert_eq!(reason("src/"), Some(Reason::NotAFile));
        assert_eq!(reason("a.md/x"), Some(Reason::NotAFile));
        assert_eq!(reason("."), Some(Reason::NotAFile));
    }

    #[cfg(unix)]
    #[test]
    fn llmd_20_links_stay_below_the_root() {
        use std::os::unix::fs::symlink;

        use crate::world::Disk;

        let folder = tempfile::tempdir().unwrap();
        let (root, away) = (folder.path().join("root"), folder.path().join("away"));
        std::fs::create_dir_all(root.join("src")).unwrap();
        std::fs::create_dir_all(root.join(".git")).unwrap();
        std::fs::create_dir_all(&away).unwrap();
        std::fs::write(away.join("x"), "").unwrap();
        std::fs::write(root.join("file"), "").unwrap();
        symlink(&away, root.join("out")).unwrap();
        symlink(away.join("x"), root.join("x")).unwrap();
        symlink(away.join("missing"), root.join("dangling")).unwrap();
        symlink(root.join("src"), root.join("in")).unwrap();
        symlink(root.join(".git"), root.join("repository")).unwrap();
        let reason = |written: &str| {
            inside(&Disk::default(), &root, written).err().map(|(reason, _)| reason)
        };
        for outside in ["out/x", "out/new/y", "x"] {
            assert_eq!(reason(outside), Some(Reason::PathOutsideRoot), "{outside}");
        }
        assert_eq!(reason("dangling"), Some(Reason::NotAFile));
        assert_eq!(reason("file/x"), Some(Reason::NotAFile));
        assert_eq!(reason("repository/config"), Some(Reason::PathForbidden));
        assert_eq!(reason("in/new.rs"), None);
        // A root reached through a symlink is valid.
        symlink(&root, folder.path().join("alias")).unwrap();
        assert_eq!(inside(&Disk::default(), &folder.path().join("alias"), "src/y").err(), None);
    }
}
