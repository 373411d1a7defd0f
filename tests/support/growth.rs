//! Checks that work is linear in the size of its input. Compares the CPU time of the thread for two
//! sizes, so the load of the machine hardly matters.

use std::time::Duration;

/// Four times the input may take this many times as long. Quadratic work takes sixteen times.
const MOST: u32 = 10;
/// Times below this are too short to compare, and fast enough.
const SHORT: Duration = Duration::from_millis(20);
/// Other programs can only slow down a run, by using caches and memory, so the fastest one counts.
const RUNS: usize = 5;

/// Checks that `work` is linear in the input made by `input`. Only `work` is measured.
#[track_caller]
pub fn is_linear<T>(what: &str, size: usize, input: impl Fn(usize) -> T, work: impl Fn(T)) {
    let time = |size: usize| {
        let input = input(size);
        let before = now();
        work(input);
        now().saturating_sub(before)
    };
    let (mut small, mut large) = (Duration::MAX, Duration::MAX);
    for _ in 0..RUNS {
        large = large.min(time(size));
        if large < SHORT {
            return;
        }
        small = small.min(time(size / 4));
        if large < small * MOST {
            return;
        }
    }
    // Linear work gets slower once the input outgrows a cache, so a third size decides. Quadratic
    // work gets closer to sixteen times with every size.
    let largest = (0..2).map(|_| time(size * 4)).min().unwrap_or(Duration::MAX);
    assert!(
        largest < large * MOST,
        "{what:?}: {small:?} for {}, {large:?} for {size}, {largest:?} for {}",
        size / 4,
        size * 4
    );
}

/// The CPU time of this thread.
#[cfg(unix)]
fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Other systems fall back to wall-clock time.
#[cfg(not(unix))]
fn now() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}
