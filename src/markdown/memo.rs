//! Cached results of readers for a section, so that an edit elsewhere doesn't cause it to be read
//! again.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

/// One value of each type, created on first use.
#[derive(Debug, Default)]
pub struct Memo(Mutex<Vec<Arc<dyn Any + Send + Sync>>>);

impl Memo {
    /// The value of this type. Values must not depend on where the section is in the document.
    pub fn get<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        self.get_or(T::default)
    }

    /// The same for a type without a default. `make` must not ask this memo.
    pub fn get_or<T: Send + Sync + 'static>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known
            .iter()
            .find(|value| value.is::<T>())
            .and_then(|value| Arc::clone(value).downcast().ok())
        {
            return found;
        }
        let made = Arc::new(make());
        known.push(Arc::clone(&made) as _);
        made
    }
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
