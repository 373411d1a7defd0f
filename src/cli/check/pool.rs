//! Parallel work with ordered results.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use super::progress::Progress;

/// The limit of threads worth starting.
pub fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// How many results may wait for earlier ones.
const FARTHEST: usize = 1024;

/// Runs `work` for the numbers below `count` on all cores, and passes the results to `sink` in
/// order, on this thread, as soon as possible. Stops when `sink` breaks.
pub fn ordered<T: Send>(
    count: usize,
    progress: &Progress,
    work: impl Fn(usize) -> T + Sync,
    mut sink: impl FnMut(T) -> ControlFlow<()>,
) {
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (passed, moved) = (Mutex::new(0), Condvar::new());
    let (sender, receiver) = mpsc::channel();
    // Each answer that is passed on wakes a thread.
    let each = (count / threads() / 8).clamp(1, 16);
    thread::scope(|scope| {
        for _ in 0..threads().min(count) {
            let sender = sender.clone();
            let (next, stopped, work, passed, moved) = (&next, &stopped, &work, &passed, &moved);
            scope.spawn(move || {
                while !stopped.load(Ordering::Relaxed) {
                    let first = next.fetch_add(each, Ordering::Relaxed);
                    let last = count.min(first.saturating_add(each));
                    // Don't get too far ahead of a slow file or a slow reader.
                    moved.wait_while(&mut passed.lock(), |passed| {
                        first.min(count) >= *passed + FARTHEST && !stopped.load(Ordering::Relaxed)
                    });
                    let answers = || (first..last).map(work).collect::<Vec<T>>();
                    let answers = catch_unwind(AssertUnwindSafe(answers)).unwrap_or_else(|panic| {
                        stopped.store(true, Ordering::Relaxed);
                        drop(passed.lock());
                        moved.notify_all();
                        resume_unwind(panic)
                    });
                    if answers.is_empty() || sender.send((first, answers)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut expected = 0;
        loop {
            match receiver.recv_timeout(Duration::from_millis(100)) {
                Ok((first, answers)) => {
                    answers.iter().for_each(|_| progress.step());
                    waiting.insert(first, answers);
                }
                Err(mpsc::RecvTimeoutError::Timeout) => progress.tick(),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            while let Some(answers) = waiting.remove(&expected) {
                expected += answers.len();
                let broken = answers.into_iter().any(|answer| sink(answer).is_break());
                stopped.fetch_or(broken, Ordering::Relaxed);
                *passed.lock() = expected;
                moved.notify_all();
                if broken {
                    return;
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_stop() {
        let mut seen = Vec::new();
        let work = |index: usize| {
            thread::sleep(Duration::from_millis(if index.is_multiple_of(3) { 3 } else { 0 }));
            index
        };
        ordered(40, &Progress::hidden(), work, |index| {
            seen.push(index);
            ControlFlow::Continue(())
        });
        assert_eq!(seen, (0..40).collect::<Vec<_>>());
        seen.clear();
        ordered(1000, &Progress::hidden(), work, |index| {
            seen.push(index);
            if index == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(seen, [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn results_wait_in_bounded_number() {
        // The first one takes until all others are blocked.
        let count = FARTHEST * 3;
        let (done, seen) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |index: usize| {
            let mut last = usize::MAX;
            while index == 0 && threads() > 1 && last != done.load(Ordering::Relaxed) {
                last = done.load(Ordering::Relaxed);
                thread::sleep(Duration::from_millis(50));
            }
            done.fetch_add(1, Ordering::Relaxed);
        };
        ordered(count, &Progress::hidden(), work, |()| {
            let ahead = done.load(Ordering::Relaxed) - seen.fetch_add(1, Ordering::Relaxed);
            assert!(ahead <= FARTHEST + 16 * threads() + 16, "{ahead} are ahead");
            ControlFlow::Continue(())
        });
        assert_eq!(seen.into_inner(), count);
    }
}
