//! Results that readers keep next to the data that they were computed from, so that they aren't
//! computed again.
//!
//! There are three kinds of memos, with one invariant: a warm answer equals a cold one.
//!
//! - That of a **stretch** of sections: a value depends on nothing but the text of the stretch, and
//!   not on its position. An edit elsewhere keeps it.
//! - That of a **source**: a value depends on nothing but the whole text, or remembers its
//!   dependencies and compares them before it's used. An edit makes a new source without values.
//! - That of a **world**: caches and indexes, which are keyed by everything that their entries
//!   depend on, or updated when files change. Each counts against the world's
//!   [`Limit`](crate::cache::Limit).
//!
//! The test `every_remembered_value_is_the_same_warm_as_cold` in `tests/laws.rs` lists all values.

use std::any::{Any, type_name};
use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;

/// One value of each type, created on first use.
#[derive(Default)]
pub struct Memo(Mutex<Vec<Entry>>);

impl fmt::Debug for Memo {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.debug_tuple("Memo").field(&self.names()).finish()
    }
}

/// A remembered value, which knows its type. Every section has some, so an entry is only a pointer.
type Entry = Arc<dyn Value>;

trait Value: Any + Send + Sync {
    fn name(&self) -> &'static str;
}

impl<T: Any + Send + Sync> Value for T {
    fn name(&self) -> &'static str {
        type_name::<T>()
    }
}

impl Memo {
    /// The value that `make` returns the first time, which many sections may share. `make` may ask
    /// this memo.
    pub fn share<T: Send + Sync + 'static>(&self, make: impl FnOnce() -> Arc<T>) -> Arc<T> {
        if let Some(found) = self.known() {
            return found;
        }
        let made = make();
        self.get_or_share(|| made)
    }

    fn known<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        find(&self.0.lock())
    }

    /// The value of this type. Values must not depend on where the section is in the document.
    pub fn get<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        self.get_or(T::default)
    }

    /// The same for a type without a default. `make` must not ask this memo.
    pub fn get_or<T: Send + Sync + 'static>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        self.get_or_share(|| Arc::new(make()))
    }

    fn get_or_share<T: Send + Sync + 'static>(&self, make: impl FnOnce() -> Arc<T>) -> Arc<T> {
        let mut known = self.0.lock();
        if let Some(found) = find(&known) {
            return found;
        }
        let made = make();
        // Most sections have one or two values.
        known.reserve_exact(1);
        known.push(Arc::clone(&made) as Entry);
        made
    }

    /// The types of the values, by their full names.
    pub fn names(&self) -> Vec<&'static str> {
        let known = self.0.lock();
        known.iter().map(|entry| (**entry).name()).collect()
    }
}

fn find<T: Send + Sync + 'static>(known: &[Entry]) -> Option<Arc<T>> {
    let found = known.iter().find(|entry| {
        let value: &dyn Any = &***entry;
        value.is::<T>()
    })?;
    let value: Arc<dyn Any + Send + Sync> = Arc::clone(found) as _;
    value.downcast().ok()
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use super::*;

    #[test]
    fn one_value_of_each_type() {
        let memo = Memo::default();
        memo.get::<OnceLock<u8>>().set(1).unwrap();
        memo.get::<OnceLock<String>>().set("a".to_owned()).unwrap();
        assert_eq!(
            (
                memo.get::<OnceLock<u8>>().get(),
                memo.get::<OnceLock<String>>().get().map(String::as_str)
            ),
            (Some(&1), Some("a"))
        );
    }
}
