//! Unsaved content that a client has created in files that it hasn't opened with the server, by
//! applying an edit. The disk has the old content, so the client's content counts until the file
//! changes, and the file is not edited again: the user may have undone the edit.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use crate::plan::FileChange;
use crate::source::Source;
use crate::world;

#[derive(Debug, Default)]
pub(super) struct Unsaved {
    texts: Mutex<HashMap<PathBuf, Text>>,
}

#[derive(Debug)]
struct Text {
    /// The file's state when the client changed it.
    stamp: Option<Stamp>,
    source: Source,
}

/// The properties that change with a file.
pub(super) type Stamp = (Option<SystemTime>, u64);

pub(super) fn stamp(path: &Path) -> Option<Stamp> {
    std::fs::metadata(path).ok().map(|metadata| (metadata.modified().ok(), metadata.len()))
}

/// With more entries than this, the server forgets them all.
const MOST: usize = 256;

impl Unsaved {
    fn texts(&self) -> MutexGuard<'_, HashMap<PathBuf, Text>> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records changes by the client; files that it has already saved are not recorded.
    pub(super) fn take(&self, changes: &[FileChange]) {
        let mut texts = self.texts();
        if texts.len() + changes.len() > MOST {
            texts.clear();
        }
        for change in changes {
            let saved =
                |after: &String| world::read_text(&change.path).is_ok_and(|text| text == *after);
            match change.after.as_ref().filter(|after| !saved(after)) {
                Some(after) => {
                    texts.insert(
                        change.path.clone(),
                        Text { stamp: stamp(&change.path), source: Source::new(after) },
                    );
                }
                None => {
                    texts.remove(&change.path);
                }
            }
        }
    }

    /// The client's unsaved content of a file.
    pub(super) fn text(&self, path: &Path) -> Option<Source> {
        let mut texts = self.texts();
        let text = texts.get(path)?;
        if text.stamp == stamp(path) {
            return Some(text.source.clone());
        }
        texts.remove(path);
        None
    }
}
