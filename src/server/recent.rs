//! Answers of the disk that the checks of a document share for a moment. A pack or a reply may name
//! hundreds of files, and every key press asks for them all.
//!
//! No change is missed: a check records what it depends on, and once one of these files is reported
//! or found to have changed, the answers are dropped and the document is checked again.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use crate::source::Source;
use crate::world::{EntryKind, ReadError};

/// How long answers are used.
const MOMENT: Duration = Duration::from_millis(500);
/// The maximum number of answers of each kind.
const MOST: usize = 1024;

/// The answers for one open document, in all of its versions.
#[derive(Debug, Default)]
pub(super) struct Recent(Mutex<Option<Moment>>);

#[derive(Debug)]
struct Moment {
    since: Instant,
    /// The number of events on disk before it.
    disk_events: usize,
    answers: Arc<Answers>,
}

/// What the disk answered, by paths as spelled. A check that runs into the next moment keeps those of
/// its own.
#[derive(Debug, Default)]
pub(super) struct Answers {
    kinds: Kept<Option<EntryKind>>,
    targets: Kept<Result<PathBuf, ReadError>>,
    lengths: Kept<Option<u64>>,
    texts: Kept<Result<Source, ReadError>>,
}

#[derive(Debug)]
struct Kept<A>(Mutex<FxHashMap<OsString, A>>);

impl<A> Default for Kept<A> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<A: Clone> Kept<A> {
    fn get(&self, path: &Path, ask: impl FnOnce() -> A) -> A {
        if let Some(known) = self.0.lock().get(path.as_os_str()) {
            return known.clone();
        }
        // Not under the lock: the file system may take its time.
        let answer = ask();
        let mut known = self.0.lock();
        if known.len() < MOST {
            known.insert(path.as_os_str().to_owned(), answer.clone());
        }
        answer
    }
}

impl Recent {
    /// The answers to use for a check that begins after so many events on disk.
    pub(super) fn answers(&self, disk_events: usize) -> Arc<Answers> {
        let mut moment = self.0.lock();
        let known = moment
            .as_ref()
            .filter(|moment| moment.disk_events == disk_events && moment.since.elapsed() < MOMENT);
        if let Some(known) = known {
            return Arc::clone(&known.answers);
        }
        let answers = Arc::<Answers>::default();
        let since = Instant::now();
        *moment = Some(Moment { since, disk_events, answers: Arc::clone(&answers) });
        answers
    }
}

impl Answers {
    pub(super) fn kind(
        &self,
        path: &Path,
        ask: impl FnOnce() -> Option<EntryKind>,
    ) -> Option<EntryKind> {
        self.kinds.get(path, ask)
    }

    /// The path with all links resolved.
    ///
    /// # Errors
    /// Those of `ask`.
    pub(super) fn target(
        &self,
        path: &Path,
        ask: impl FnOnce() -> Result<PathBuf, ReadError>,
    ) -> Result<PathBuf, ReadError> {
        self.targets.get(path, ask)
    }

    pub(super) fn length(&self, path: &Path, ask: impl FnOnce() -> Option<u64>) -> Option<u64> {
        self.lengths.get(path, ask)
    }

    /// The text of a file.
    ///
    /// # Errors
    /// Those of `ask`.
    pub(super) fn text(
        &self,
        path: &Path,
        ask: impl FnOnce() -> Result<Source, ReadError>,
    ) -> Result<Source, ReadError> {
        self.texts.get(path, ask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_kept_until_something_happens_on_disk() {
        let (recent, path) = (Recent::default(), Path::new("a"));
        let length = |answers: &Answers, now: u64| answers.length(path, || Some(now));
        let first = recent.answers(0);
        assert_eq!(length(&first, 1), Some(1));
        assert_eq!(length(&recent.answers(0), 2), Some(1));
        assert_eq!(length(&recent.answers(1), 3), Some(3));
        // A check that began before doesn't bring old answers back.
        first.text(path, || Err(ReadError::Missing)).unwrap_err();
        assert!(recent.answers(1).text(path, || Ok(Source::default())).is_ok());
        if let Some(moment) = &mut *recent.0.lock() {
            moment.since -= 2 * MOMENT;
        }
        assert_eq!(length(&recent.answers(1), 4), Some(4));
    }

    #[test]
    fn the_number_of_answers_is_bounded() {
        let answers = Answers::default();
        for number in 0..2 * MOST {
            answers.kind(Path::new(&number.to_string()), || None);
        }
        assert_eq!(answers.kinds.0.lock().len(), MOST);
    }
}
