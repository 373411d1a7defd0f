//! Editors and coding agents whose configuration starts agentmd. Their files are data, in
//! `editors.json`; nothing is started to find out.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The limit of a configuration file, in bytes.
const MOST_BYTES: u64 = 4 << 20;
/// The limit of entries to look at in a folder.
const MOST_ENTRIES: usize = 10_000;

/// Where an editor keeps its configuration.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Places {
    editor: String,
    /// Files whose text names the program.
    #[serde(default)]
    files: Vec<String>,
    /// Folders of such files, or of installed extensions.
    #[serde(default)]
    folders: Vec<String>,
    /// How the name of the installed extension begins in `folders`.
    prefix: Option<String>,
}

/// An editor that is configured to start agentmd.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Configured {
    pub editor: String,
    pub path: PathBuf,
    /// The first line that names agentmd, from 1; `None` for an installed extension.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

/// The folders that places are relative to.
#[derive(Debug)]
pub struct Roots {
    pub home: PathBuf,
    pub config: PathBuf,
    pub data: PathBuf,
    pub project: PathBuf,
}

impl Roots {
    /// Those of this user: `XDG_CONFIG_HOME` and `XDG_DATA_HOME` are honoured.
    pub fn new(home: PathBuf, project: PathBuf) -> Self {
        let folder = |name: &str, usual: &str| {
            std::env::var_os(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
                .unwrap_or_else(|| home.join(usual))
        };
        let config = folder("XDG_CONFIG_HOME", ".config");
        let data = folder("XDG_DATA_HOME", ".local/share");
        Self { config, data, home, project }
    }

    fn resolve(&self, place: &str) -> PathBuf {
        let (root, rest) = place.split_once('/').unwrap_or((place, ""));
        let folder = match root {
            "$CONFIG" => &self.config,
            "$DATA" => &self.data,
            "$PROJECT" => &self.project,
            _ => &self.home,
        };
        folder.join(rest)
    }
}

/// The editors that are configured, in the order of the data.
pub fn find(roots: &Roots) -> Vec<Configured> {
    let mut found = Vec::new();
    for places in all() {
        let mut add = |path: PathBuf, line| {
            let configured = Configured { editor: places.editor.clone(), path, line };
            if !found.contains(&configured) {
                found.push(configured);
            }
        };
        for path in places.files.iter().map(|file| roots.resolve(file)) {
            if let Some(line) = line_of(&path) {
                add(path, Some(line));
            }
        }
        for folder in places.folders.iter().map(|folder| roots.resolve(folder)) {
            for path in entries(&folder) {
                match &places.prefix {
                    Some(prefix) => {
                        let name = path.file_name().unwrap_or_default().to_string_lossy();
                        if path.is_dir() && name.starts_with(prefix.as_str()) {
                            add(path, None);
                        }
                    }
                    None => {
                        if let Some(line) = line_of(&path) {
                            add(path, Some(line));
                        }
                    }
                }
            }
        }
    }
    found
}

fn all() -> Vec<Places> {
    serde_json::from_str(include_str!("editors.json")).unwrap_or_default()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> =
        entries.take(MOST_ENTRIES).flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// The first line of a file that names agentmd, from 1.
fn line_of(path: &Path) -> Option<usize> {
    let file = std::fs::metadata(path).ok()?;
    if !file.is_file() || file.len() > MOST_BYTES {
        return None;
    }
    let text = std::fs::read(path).ok()?;
    let text = String::from_utf8_lossy(&text);
    text.lines().position(|line| line.contains("agentmd")).map(|line| line + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_is_complete() {
        let all = all();
        assert!(all.len() > 5);
        for places in &all {
            let paths = places.files.iter().chain(&places.folders);
            for path in paths {
                let root = path.split('/').next().unwrap_or_default();
                assert!(["~", "$CONFIG", "$DATA", "$PROJECT"].contains(&root), "{path}");
            }
            assert!(!places.files.is_empty() || !places.folders.is_empty(), "{}", places.editor);
        }
    }
}
