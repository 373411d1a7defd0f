//! Writes files atomically.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::world::canonicalize;

/// Replaces the content of a file: readers see the old or the new content, never a part, even after
/// a crash. Keeps permissions; for a link, writes its target.
///
/// # Errors
/// If the file can't be written; it is unchanged then.
pub fn write_atomically(path: &Path, text: &str) -> anyhow::Result<()> {
    let target = match canonicalize(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => path.to_owned(),
        target => target?,
    };
    let permissions = fs::metadata(&target).ok().map(|metadata| metadata.permissions());
    if permissions.as_ref().is_some_and(fs::Permissions::readonly) {
        anyhow::bail!("the file is read-only");
    }
    let (temporary, mut file) = create_beside(&target)?;
    let written = (|| {
        file.write_all(text.as_bytes())?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        file.sync_all()?;
        drop(file);
        fs::rename(&temporary, &target)
    })();
    if written.is_err() {
        // The failure was already reported.
        let _ = fs::remove_file(&temporary);
    }
    Ok(written?)
}

/// A new file in the same folder, so that it can be renamed.
pub fn create_beside(target: &Path) -> anyhow::Result<(PathBuf, fs::File)> {
    let name = target.file_name().context("is not a file")?.to_string_lossy();
    let mut number = 0;
    loop {
        let temporary =
            target.with_file_name(format!(".{name}.{}-{number}.tmp", std::process::id()));
        match fs::File::create_new(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && number < 100 => number += 1,
            Err(error) => return Err(error).context("cannot create a file next to it"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_without_leftovers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        write_atomically(&path, "one").unwrap();
        write_atomically(&path, "two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write_atomically(&folder.path().join("none/a.md"), "").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a.md"), folder.path().join("link.md"));
        fs::write(&path, "one").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("a.md", &link).unwrap();
        write_atomically(&link, "two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
