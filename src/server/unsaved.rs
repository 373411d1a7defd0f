//! Unsaved content that a client has created in files that it hasn't opened with the server, by
//! applying an edit. The disk has the old content, so the client's content counts until the file
//! changes, and the file is not edited again: the user may have undone the edit.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use parking_lot::{Mutex, MutexGuard};

use crate::cache::{Held, Limit, Share};
use crate::plan::FileChange;
use crate::source::Source;
use crate::world;

#[derive(Debug)]
pub(super) struct Unsaved {
    texts: Mutex<HashMap<PathBuf, Text>>,
    share: Share,
}

/// The share of the limit for unsaved content.
const PART: u64 = 8;

#[derive(Debug)]
struct Text {
    /// The file's state when the client changed it.
    stamp: Option<Stamp>,
    source: Source,
    _held: Held,
}

/// The properties that change with a file.
pub(super) type Stamp = (Option<SystemTime>, u64);

pub(super) fn stamp(path: &Path) -> Option<Stamp> {
    std::fs::metadata(path).ok().map(|metadata| (metadata.modified().ok(), metadata.len()))
}

/// With more entries than this, the server forgets them all.
const MOST: usize = 256;

impl Unsaved {
    pub(super) fn new(limit: &Limit) -> Self {
        Self { texts: Mutex::default(), share: Share::new(limit, PART) }
    }

    fn texts(&self) -> MutexGuard<'_, HashMap<PathBuf, Text>> {
        self.texts.lock()
    }

    /// Records changes by the client; files that it has already saved are not recorded.
    pub(super) fn take(&self, changes: &[FileChange]) {
        // Files are read before locking: a slow file delays no other.
        let unsaved = changes.iter().map(|change| {
            let saved =
                |after: &&String| world::read_text(&change.path).is_ok_and(|text| text == **after);
            let after = change.after.as_ref().filter(|after| !saved(after));
            (&change.path, after.map(|after| (stamp(&change.path), after)))
        });
        let unsaved: Vec<_> = unsaved.collect();
        let mut texts = self.texts();
        if texts.len() + unsaved.len() > MOST {
            texts.clear();
        }
        for (path, after) in unsaved {
            texts.remove(path);
            let Some((stamp, after)) = after else { continue };
            let held = self.share.hold(after.len() as u64).or_else(|| {
                texts.clear();
                self.share.hold(after.len() as u64)
            });
            if let Some(_held) = held {
                let source = Source::new(after);
                texts.insert(path.clone(), Text { stamp, source, _held });
            }
        }
    }

    /// The client's unsaved content of a file.
    pub(super) fn text(&self, path: &Path) -> Option<Source> {
        let known = |text: &Text| (text.stamp, text.source.clone());
        let (then, source) = self.texts().get(path).map(known)?;
        if then == stamp(path) {
            return Some(source);
        }
        let mut texts = self.texts();
        if texts.get(path).is_some_and(|text| text.stamp == then) {
            texts.remove(path);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(path: &Path, after: &str) -> FileChange {
        FileChange::new(path.to_owned(), "", None, Some(after))
    }

    #[test]
    fn unsaved_text_stays_within_its_share() {
        let folder = tempfile::tempdir().unwrap();
        let unsaved = Unsaved::new(&Limit::new(80_000));
        let path = |number: usize| folder.path().join(number.to_string());
        for number in 0..100 {
            unsaved.take(&[change(&path(number), &"x".repeat(1000))]);
            assert_eq!(unsaved.text(&path(number)).map(|text| text.len()), Some(1000));
            assert!(unsaved.share.held() <= 10_000, "{} after {number}", unsaved.share.held());
        }
        unsaved.take(&[change(&path(99), &"x".repeat(2000))]);
        assert_eq!(unsaved.text(&path(99)).map(|text| text.len()), Some(2000));
        unsaved.take(&[change(&path(99), &"x".repeat(20_000))]);
        assert!(unsaved.text(&path(99)).is_none() && unsaved.share.held() == 0);
    }
}
