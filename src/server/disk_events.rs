//! Recent changes on disk: an answer in progress may have read a file before or after one.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;

/// The number of paths that are kept.
const MOST: usize = 256;

#[derive(Debug, Default)]
pub(super) struct DiskEvents(Mutex<Events>);

#[derive(Debug, Default)]
struct Events {
    /// The number of all events.
    count: usize,
    /// The paths of the last ones.
    recent: VecDeque<PathBuf>,
}

impl DiskEvents {
    pub(super) fn add(&self, path: &Path) {
        let mut events = self.0.lock();
        events.count += 1;
        if events.recent.len() == MOST {
            events.recent.pop_front();
        }
        events.recent.push_back(path.to_owned());
    }

    /// The number of events so far.
    pub(super) fn count(&self) -> usize {
        self.0.lock().count
    }

    /// The paths of the events after the first `count`; `None` if these were too many.
    pub(super) fn since(&self, count: usize) -> Option<Vec<PathBuf>> {
        let events = self.0.lock();
        let new = events.count - count;
        let skipped = events.recent.len().checked_sub(new)?;
        Some(events.recent.iter().skip(skipped).cloned().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_events_since_a_moment_are_returned() {
        let events = DiskEvents::default();
        assert_eq!(events.since(events.count()), Some(Vec::new()));
        events.add(Path::new("a"));
        let then = events.count();
        events.add(Path::new("b"));
        events.add(Path::new("c"));
        assert_eq!(events.since(then), Some(vec!["b".into(), "c".into()]));
        for number in 0..MOST {
            events.add(Path::new(&number.to_string()));
        }
        assert_eq!(events.since(then), None, "some were dropped");
        assert_eq!(events.since(then + 2).map(|paths| paths.len()), Some(MOST));
    }
}
