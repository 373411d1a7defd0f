//! The sources of the packages that this one is built from: real files that many people wrote, the
//! same ones for everybody, since `Cargo.lock` names their versions.

use std::path::{Path, PathBuf};

/// The folder of a package, where cargo has put its sources; `None` where it has not.
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
