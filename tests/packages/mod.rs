//! The sources of this package's dependencies: real files by many authors, which are the same
//! everywhere, since `Cargo.lock` fixes their versions.

use std::path::{Path, PathBuf};

/// The folder with the sources of a package; `None` if Cargo hasn't downloaded them.
pub fn folder(name: &str) -> Option<PathBuf> {
    let lock =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock")).ok()?;
    let (_, after) = lock.split_once(&format!("\nname = \"{name}\"\nversion = \""))?;
    let (version, _) = after.split_once('"')?;
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(std::env::home_dir()?.join(".cargo")))?;
    let mut registries = std::fs::read_dir(home.join("registry/src")).ok()?.flatten();
    registries.find_map(|registry| {
        Some(registry.path().join(format!("{name}-{version}"))).filter(|folder| folder.is_dir())
    })
}
