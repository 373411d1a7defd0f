//! Texts that a client has made of files and not saved: of files that it opens without telling the
//! server, the disk says what they were. Until it says something else, the text that was made
//! counts, and nothing more is changed in it: nobody knows whether it has been taken back.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use crate::cache::{Held, Limit, Share};
use crate::plan::FileChange;
use crate::source::Source;
use crate::world;

#[derive(Debug)]
pub(super) struct Unsaved {
    texts: Mutex<HashMap<PathBuf, Text>>,
    share: Share,
}

/// These texts may take this part of what the server remembers.
const PART: u64 = 8;

#[derive(Debug)]
struct Text {
    /// The file as it was when the client had changed it.
    stamp: Option<Stamp>,
    source: Source,
    _held: Held,
}

/// What changes when a file does.
pub(super) type Stamp = (Option<SystemTime>, u64);

pub(super) fn stamp(path: &Path) -> Option<Stamp> {
    std::fs::metadata(path).ok().map(|metadata| (metadata.modified().ok(), metadata.len()))
}

/// With more texts than these, or more bytes than its share, the server forgets them all.
const MOST: usize = 256;

impl Unsaved {
    pub(super) fn new(limit: &Limit) -> Self {
        Self { texts: Mutex::default(), share: Share::new(limit, PART) }
    }

    fn texts(&self) -> MutexGuard<'_, HashMap<PathBuf, Text>> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A client has made these changes; of files that it has saved already there is nothing to
    /// remember.
    pub(super) fn take(&self, changes: &[FileChange]) {
        let mut texts = self.texts();
        if texts.len() + changes.len() > MOST {
            texts.clear();
        }
        for change in changes {
            let saved =
                |after: &String| world::read_text(&change.path).is_ok_and(|text| text == *after);
            texts.remove(&change.path);
            let Some(after) = change.after.as_ref().filter(|after| !saved(after)) else { continue };
            let held = self.share.hold(after.len() as u64).or_else(|| {
                texts.clear();
                self.share.hold(after.len() as u64)
            });
            let Some(_held) = held else { continue };
            let (stamp, source) = (stamp(&change.path), Source::new(after));
            texts.insert(change.path.clone(), Text { stamp, source, _held });
        }
    }

    /// The text that a client has made of a file and not saved.
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
