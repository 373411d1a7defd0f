//! The other files of a skill's folder, which go with it.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use crate::world::{self, Disk, World, read_text};

/// The limit of files to copy.
const MOST_FILES: usize = 500;
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// Files next to a `SKILL.md` and below it.
#[derive(Debug, Default)]
pub struct Bundle {
    /// Paths relative to the folder, with the text and whether it can be run.
    pub files: Vec<(PathBuf, String, bool)>,
    /// Files that can't be copied as text, with the reason.
    pub left: Vec<(PathBuf, String)>,
}

/// The bundled files of a skill.
pub fn read(skill: &Path) -> Bundle {
    let mut bundle = Bundle::default();
    let Some(folder) = skill.parent() else { return bundle };
    let walk = WalkBuilder::new(folder).standard_filters(false).follow_links(false).build();
    let disk = Disk::default();
    let mut bytes = 0;
    for entry in walk {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let (path, why) = world::unread(&error);
                let below = path.and_then(|path| path.strip_prefix(folder).ok());
                bundle.left.push((below.unwrap_or(Path::new(".")).to_owned(), why));
                continue;
            }
        };
        let path = entry.path();
        let Ok(below) = path.strip_prefix(folder) else { continue };
        let kind = entry.file_type();
        if path == skill || kind.is_none_or(|kind| kind.is_dir()) {
            continue;
        }
        let below = below.to_owned();
        if kind.is_some_and(|kind| !kind.is_file()) {
            bundle.left.push((below, "it's a link".to_owned()));
            continue;
        }
        let length = entry.metadata().map_or(0, |metadata| metadata.len());
        bytes += length;
        if bundle.files.len() >= MOST_FILES || bytes > MOST_BYTES {
            bundle.left.push((below, "the folder has too many files".to_owned()));
            continue;
        }
        match read_text(path) {
            Ok(text) => bundle.files.push((below, text, disk.protection(path).executable)),
            Err(error) => bundle.left.push((below, error.to_string())),
        }
    }
    bundle.files.sort();
    bundle.left.sort();
    bundle
}
