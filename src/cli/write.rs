//! Writes files atomically.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::Context;
use tempfile::Builder;

use crate::world::{self, canonicalize};

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
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut builder = Builder::new();
    if let Some(permissions) = world::usual_permissions() {
        builder.permissions(permissions);
    }
    let mut file = builder.tempfile_in(folder).context("cannot create a file next to it")?;
    file.write_all(text.as_bytes())?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    file.persist(&target)?;
    Ok(())
}

/// Checks that the folder of a file exists.
///
/// # Errors
/// If it doesn't.
pub fn folder_exists(path: &Path) -> anyhow::Result<()> {
    let folder =
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    anyhow::ensure!(
        folder.is_dir(),
        "cannot write {}: folder {} does not exist",
        path.display(),
        folder.display()
    );
    Ok(())
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
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let (new, usual) = (folder.path().join("new.md"), folder.path().join("usual.md"));
        write_atomically(&new, "one").unwrap();
        fs::write(&usual, "one").unwrap();
        assert_eq!(mode(&new), mode(&usual));
        write_atomically(&link, "two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(mode(&path), 0o640);
    }
}
