//! The folder that a server answers about.

use std::path::{Component, Path, PathBuf};

use anyhow::Context;

use crate::world::canonicalize;

#[derive(Debug, Clone)]
pub struct Root(PathBuf);

impl Root {
    /// # Errors
    /// If the path isn't a folder.
    pub fn new(path: &Path) -> anyhow::Result<Self> {
        let folder = canonicalize(path).with_context(|| path.display().to_string())?;
        anyhow::ensure!(folder.is_dir(), "{} is not a folder", path.display());
        Ok(Self(folder))
    }

    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// A path below the root, relative to it. Links are followed; the path may not exist.
    ///
    /// # Errors
    /// If the path is outside of the root.
    pub fn inside(&self, path: &str) -> anyhow::Result<PathBuf> {
        anyhow::ensure!(!path.contains('\0'), "a path can't contain a zero byte");
        let full = self.0.join(path);
        let below = self.resolve(&full).with_context(|| {
            format!("`{path}` is outside of the root {}; name a path below it", self.0.display())
        })?;
        Ok(if below.as_os_str().is_empty() { PathBuf::from(".") } else { below })
    }

    /// Resolves links as far as the path exists. `..` in the rest of it has no meaning.
    fn resolve(&self, full: &Path) -> Option<PathBuf> {
        let (exists, real) =
            full.ancestors().find_map(|path| Some((path, canonicalize(path).ok()?)))?;
        let rest = full.strip_prefix(exists).ok()?;
        let plain = rest.components().all(|part| matches!(part, Component::Normal(_)));
        let below = real.strip_prefix(&self.0).ok().filter(|_| plain)?;
        // An empty rest would add a slash.
        Some(below.components().chain(rest.components()).collect())
    }

    /// # Errors
    /// If a path is outside of the root.
    pub fn all_inside(&self, paths: &[String]) -> anyhow::Result<Vec<PathBuf>> {
        match paths {
            [] => Ok(vec![PathBuf::from(".")]),
            paths => paths.iter().map(|path| self.inside(path)).collect(),
        }
    }
}
