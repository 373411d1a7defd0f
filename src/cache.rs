//! Caches that share one limit. When they reach it, the least recently used entries of all of them
//! are evicted. Values that can't be computed again take a share of the limit, and are refused
//! beyond it.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::{Mutex, MutexGuard};

/// The limit of all caches of a process, in bytes.
const MOST: u64 = 256 << 20;
/// An estimate of what an entry costs in addition to its contents.
const EACH: u64 = 128;

/// A limit that caches share. A process has one; clones count together.
#[derive(Debug, Clone)]
pub struct Limit(Arc<Counted>);

#[derive(Debug)]
struct Counted {
    most: u64,
    held: AtomicU64,
    /// Counts lookups in all caches.
    clock: AtomicU64,
    caches: Mutex<Vec<Weak<dyn Evict>>>,
}

/// A cache, seen from the limit. No two caches are locked at the same time.
trait Evict: Debug + Send + Sync {
    /// When each entry was last used, and its cost.
    fn list(&self, entries: &mut Vec<(u64, u64)>);
    /// Evicts the entries that were last used at `time` or earlier, and returns their cost.
    fn evict(&self, time: u64) -> u64;
}

impl Default for Limit {
    fn default() -> Self {
        Self::new(MOST)
    }
}

impl Limit {
    pub fn new(most: u64) -> Self {
        let (held, clock) = (AtomicU64::new(0), AtomicU64::new(1));
        Self(Arc::new(Counted { most, held, clock, caches: Mutex::default() }))
    }

    /// The number of bytes in use.
    pub fn held(&self) -> u64 {
        self.0.held.load(Ordering::SeqCst)
    }

    fn tick(&self) -> u64 {
        self.0.clock.fetch_add(1, Ordering::Relaxed)
    }

    fn add(&self, cost: u64) {
        let held = self.0.held.fetch_add(cost, Ordering::SeqCst) + cost;
        if held > self.0.most {
            self.make_room();
        }
    }

    fn subtract(&self, cost: u64) {
        self.0.held.fetch_sub(cost, Ordering::SeqCst);
    }

    /// Evicts a quarter at once, so that the next entries don't have to sort all caches again.
    fn make_room(&self) {
        let mut caches = self.0.caches.lock();
        let Some(mut excess) = self.held().checked_sub(self.0.most / 4 * 3) else { return };
        caches.retain(|cache| cache.strong_count() > 0);
        let live: Vec<Arc<dyn Evict>> = caches.iter().filter_map(Weak::upgrade).collect();
        let mut entries = Vec::new();
        live.iter().for_each(|cache| cache.list(&mut entries));
        entries.sort_unstable();
        let mut last = 0;
        for (used, cost) in entries {
            last = used;
            excess = excess.saturating_sub(cost);
            if excess == 0 {
                break;
            }
        }
        for cache in live {
            self.subtract(cache.evict(last));
        }
    }
}

/// A cache of values that can be computed again.
#[derive(Debug)]
pub struct Cache<K, V> {
    limit: Limit,
    entries: Arc<Entries<K, V>>,
}

#[derive(Debug)]
struct Entries<K, V>(Mutex<HashMap<K, Entry<V>>>);

#[derive(Debug)]
struct Entry<V> {
    value: V,
    cost: u64,
    used: u64,
}

impl<K, V> Entries<K, V> {
    fn lock(&self) -> MutexGuard<'_, HashMap<K, Entry<V>>> {
        self.0.lock()
    }
}

impl<K: Debug + Eq + Hash + Send, V: Debug + Send> Evict for Entries<K, V> {
    fn list(&self, entries: &mut Vec<(u64, u64)>) {
        entries.extend(self.lock().values().map(|entry| (entry.used, entry.cost)));
    }

    fn evict(&self, time: u64) -> u64 {
        let mut freed = 0;
        // Values may be large: they are dropped after the lock.
        let mut evicted = Vec::new();
        let mut entries = self.lock();
        for (_, entry) in entries.extract_if(|_, entry| entry.used <= time) {
            freed += entry.cost;
            evicted.push(entry.value);
        }
        drop(entries);
        freed
    }
}

impl<K, V> Cache<K, V>
where
    K: Debug + Eq + Hash + Send + 'static,
    V: Debug + Clone + Send + 'static,
{
    pub fn new(limit: &Limit) -> Self {
        let entries = Arc::new(Entries(Mutex::default()));
        let weak = Arc::downgrade(&entries);
        limit.0.caches.lock().push(weak);
        Self { limit: limit.clone(), entries }
    }

    pub fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let used = self.limit.tick();
        let mut entries = self.entries.lock();
        let entry = entries.get_mut(key)?;
        entry.used = used;
        Some(entry.value.clone())
    }

    /// Caches a value that takes about `cost` bytes. A value above the limit isn't cached.
    pub fn insert(&self, key: K, value: V, cost: u64) {
        self.remove(&key);
        let cost = cost.saturating_add(EACH);
        if cost > self.limit.0.most {
            return;
        }
        self.limit.add(cost);
        let entry = Entry { value, cost, used: self.limit.tick() };
        let replaced = self.entries.lock().insert(key, entry);
        if let Some(entry) = replaced {
            self.limit.subtract(entry.cost);
        }
        if self.limit.held() > self.limit.0.most {
            // Values that can't be evicted leave no room.
            self.limit.make_room();
        }
    }

    pub fn remove<Q: Eq + Hash + ?Sized>(&self, key: &Q)
    where
        K: Borrow<Q>,
    {
        let removed = self.entries.lock().remove(key);
        if let Some(entry) = removed {
            self.limit.subtract(entry.cost);
        }
    }

    pub fn clear(&self) {
        let removed = std::mem::take(&mut *self.entries.lock());
        self.limit.subtract(removed.values().map(|entry| entry.cost).sum());
    }
}

impl<K, V> Drop for Cache<K, V> {
    fn drop(&mut self) {
        let removed = std::mem::take(&mut *self.entries.lock());
        self.limit.subtract(removed.values().map(|entry| entry.cost).sum());
    }
}

/// A part of a limit, for values that can't be recomputed when they are needed.
#[derive(Debug, Clone)]
pub struct Share {
    limit: Limit,
    held: Arc<AtomicU64>,
    most: u64,
}

impl Share {
    /// One `part`th of a limit.
    pub fn new(limit: &Limit, part: u64) -> Self {
        Self { limit: limit.clone(), held: Arc::default(), most: limit.0.most / part.max(1) }
    }

    /// The number of bytes in use.
    pub fn held(&self) -> u64 {
        self.held.load(Ordering::SeqCst)
    }

    /// Reserves bytes until the result is dropped. Returns `None` if too few are left.
    pub fn hold(&self, bytes: u64) -> Option<Held> {
        let add = |held: u64| held.checked_add(bytes).filter(|sum| *sum <= self.most);
        self.held.fetch_update(Ordering::SeqCst, Ordering::SeqCst, add).ok()?;
        self.limit.add(bytes);
        Some(Held { share: self.clone(), bytes })
    }
}

/// Reserved bytes of a share. Keep them as long as the value that they are for.
#[derive(Debug)]
pub struct Held {
    share: Share,
    bytes: u64,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.share.held.fetch_sub(self.bytes, Ordering::SeqCst);
        self.share.limit.subtract(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_entries_of_all_caches_leave_first() {
        let limit = Limit::new(64 * 1024);
        let (a, b) = (Cache::new(&limit), Cache::new(&limit));
        a.insert(0, "kept", 1000);
        for number in 1..200 {
            b.insert(number.to_string(), number, 1000);
            assert_eq!(
                (b.get(number.to_string().as_str()), a.get(&0)),
                (Some(number), Some("kept"))
            );
            assert!(limit.held() <= 64 * 1024, "{} after {number}", limit.held());
        }
        assert!(b.get("1").is_none() && b.get("190").is_some());
        // The other cache makes room as well.
        for number in 1..200 {
            a.insert(number, "new", 1000);
        }
        assert!((1..200).all(|number| b.get(number.to_string().as_str()).is_none()));
        a.clear();
        drop(b);
        assert_eq!(limit.held(), 0);
    }

    #[test]
    fn a_value_that_is_replaced_counts_once_and_one_above_the_limit_is_not_cached() {
        let limit = Limit::new(10_000);
        let cache = Cache::new(&limit);
        cache.insert(1, 'a', 1000);
        cache.insert(1, 'b', 2000);
        assert_eq!((cache.get(&1), limit.held()), (Some('b'), 2000 + EACH));
        cache.insert(1, 'c', 20_000);
        assert_eq!((cache.get(&1), limit.held()), (None, 0));
    }

    #[test]
    fn shares_are_limited_and_caches_make_room_for_them() {
        let limit = Limit::new(100_000);
        let (cache, share) = (Cache::new(&limit), Share::new(&limit, 2));
        (0..95).for_each(|number| cache.insert(number, (), 1000 - EACH));
        let held: Vec<Held> = (0..100).map_while(|_| share.hold(1000)).collect();
        assert_eq!((held.len(), share.held()), (50, 50_000));
        assert!(limit.held() <= 100_000, "{}", limit.held());
        assert!(share.hold(1).is_none());
        drop(held);
        assert_eq!(share.held(), 0);
        assert!(share.hold(50_000).is_some());
    }

    #[test]
    fn threads_share_a_limit() {
        let limit = Limit::new(100_000);
        let cache = Cache::new(&limit);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let cache = &cache;
                scope.spawn(move || {
                    for number in 0..2000 {
                        cache.insert((thread, number % 300), number, 500);
                        cache.get(&(thread, number / 2 % 300));
                    }
                });
            }
        });
        assert!(limit.held() <= 100_000, "{}", limit.held());
        let mut entries = Vec::new();
        cache.entries.list(&mut entries);
        assert_eq!(limit.held(), entries.iter().map(|(_, cost)| cost).sum::<u64>());
        cache.clear();
        assert_eq!(limit.held(), 0);
    }
}
