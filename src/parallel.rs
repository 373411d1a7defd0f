//! Answers the same question about many items, on all processors.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Fewer items are answered sooner by one thread.
const FEWEST: usize = 32;
/// The number of items that a thread takes at a time.
const EACH: usize = 8;
/// More threads don't help: the disk is the bottleneck.
const MOST: usize = 8;

/// The answers for all items, in order; items without an answer are left out.
pub fn filter_map<T: Sync, A: Send>(
    items: &[T],
    answer: &(dyn Fn(&T) -> Option<A> + Sync),
) -> Vec<A> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(MOST);
    if threads < 2 || items.len() < FEWEST {
        return items.iter().filter_map(answer).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        loop {
            let from = next.fetch_add(EACH, Ordering::Relaxed);
            let Some(chunk) = items.chunks(EACH).nth(from / EACH) else { break found };
            found.push((from, chunk.iter().filter_map(answer).collect::<Vec<A>>()));
        }
    };
    let mut all = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut all = work();
        for other in others {
            match other.join() {
                Ok(found) => all.extend(found),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    all.sort_unstable_by_key(|(from, _)| *from);
    all.into_iter().flat_map(|(_, found)| found).collect()
}

#[cfg(test)]
mod tests {
    use super::filter_map;

    #[test]
    fn answers_keep_the_order_of_items() {
        for count in [0, 1, 31, 32, 1000, 1001] {
            let items: Vec<usize> = (0..count).collect();
            let even = |item: &usize| item.is_multiple_of(2).then_some(item * 3);
            let expected: Vec<usize> = items.iter().filter_map(even).collect();
            assert_eq!(filter_map(&items, &even), expected, "{count}");
        }
    }
}
