//! What the disk answered to the checks of a document, for half a second: a pack or a reply may name
//! hundreds of files, and every key press asks about all of them.
//!
//! A check records what it depends on. When one of these files changes, whether the client reports it
//! or a poll finds it, the answers are dropped and the document is checked again.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::source::Source;
use crate::world::{EntryKind, ReadError};

/// Answers that are older are asked for again.
const LONGEST: Duration = Duration::from_millis(500);
/// The maximum number of answers of each kind; a check asks for more each time.
const MOST: usize = 8192;

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

/// What the disk answered, by paths as spelled. A check that is still running when they are dropped
/// goes on with them.
#[derive(Debug, Default)]
pub(super) struct Answers {
    pub kinds: Table<Option<EntryKind>>,
    /// With all links resolved.
    pub targets: Table<Result<PathBuf, ReadError>>,
    /// In bytes.
    pub lengths: Table<Option<u64>>,
    read: Mutex<FxHashSet<OsString>>,
}

#[derive(Debug)]
pub(super) struct Table<A>(Mutex<FxHashMap<OsString, A>>);

impl<A> Default for Table<A> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<A: Clone> Table<A> {
    /// The answer about a path, from the disk the first time.
    pub(super) fn get(&self, path: &Path, ask: impl FnOnce() -> A) -> A {
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

impl Answers {
    /// The text of a file, as the disk keeps it if it was read before.
    ///
    /// # Errors
    /// Those of `ask`.
    pub(super) fn text(
        &self,
        path: &Path,
        kept: impl FnOnce() -> Option<Source>,
        ask: impl FnOnce() -> Result<Source, ReadError>,
    ) -> Result<Source, ReadError> {
        if self.read.lock().contains(path.as_os_str())
            && let Some(text) = kept()
        {
            return Ok(text);
        }
        let text = ask()?;
        let mut read = self.read.lock();
        if read.len() < MOST {
            read.insert(path.as_os_str().to_owned());
        }
        Ok(text)
    }
}

impl Recent {
    /// The answers to use for a check that begins after so many events on disk.
    pub(super) fn answers(&self, disk_events: usize) -> Arc<Answers> {
        let mut moment = self.0.lock();
        let known = moment
            .as_ref()
            .filter(|moment| moment.disk_events == disk_events && moment.since.elapsed() < LONGEST);
        if let Some(known) = known {
            return Arc::clone(&known.answers);
        }
        let answers = Arc::<Answers>::default();
        let since = Instant::now();
        *moment = Some(Moment { since, disk_events, answers: Arc::clone(&answers) });
        answers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_kept_until_something_happens_on_disk() {
        let (recent, path) = (Recent::default(), Path::new("a"));
        let length = |answers: &Answers, now: u64| answers.lengths.get(path, || Some(now));
        let first = recent.answers(0);
        assert_eq!(length(&first, 1), Some(1));
        assert_eq!(length(&recent.answers(0), 2), Some(1));
        assert_eq!(length(&recent.answers(1), 3), Some(3));
        // A check that began before doesn't bring old answers back.
        assert_eq!(length(&first, 5), Some(1));
        assert_eq!(length(&recent.answers(1), 6), Some(3));
        if let Some(moment) = &mut *recent.0.lock() {
            moment.since -= 2 * LONGEST;
        }
        assert_eq!(length(&recent.answers(1), 4), Some(4));
    }

    #[test]
    fn a_text_is_taken_from_the_cache_of_the_disk_once_it_was_read() {
        let (answers, path) = (Answers::default(), Path::new("a"));
        let read = |kept: Option<&str>, now: Result<&str, ReadError>| {
            let text = answers.text(path, || kept.map(Source::new), || now.map(Source::new));
            text.map(|text| text.text().to_string())
        };
        let missing = || Err(ReadError::Missing);
        assert_eq!(read(Some("old"), missing()), Err(ReadError::Missing));
        assert_eq!(read(Some("old"), Ok("new")), Ok("new".to_owned()));
        assert_eq!(read(Some("new"), missing()), Ok("new".to_owned()));
        // The cache is full.
        assert_eq!(read(None, Ok("new")), Ok("new".to_owned()));
    }

    #[test]
    fn the_number_of_answers_is_bounded() {
        let answers = Answers::default();
        for number in 0..2 * MOST {
            answers.kinds.get(Path::new(&number.to_string()), || None);
        }
        assert_eq!(answers.kinds.0.lock().len(), MOST);
    }
}
