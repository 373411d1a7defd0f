//! Cached answers, stored with the unit that they are about.

use std::any::Any;
use std::sync::Arc;

use parking_lot::Mutex;

/// The latest answers to questions about a unit, with their other dependencies; they live as long
/// as the unit.
///
/// One slot per question, identified by the type of the key. The key must contain everything that
/// the answer depends on besides the unit, so that an equal key gets the cached answer.
#[derive(Debug, Default)]
pub struct Memo(Mutex<Vec<Answer>>);

#[derive(Debug)]
struct Answer {
    key: Box<dyn Any + Send>,
    value: Arc<dyn Any + Send + Sync>,
}

impl Memo {
    /// The answer for this key: cached or computed.
    pub fn get<K: PartialEq + Send + 'static, V: Send + Sync + 'static>(
        &self,
        key: K,
        make: impl FnOnce() -> V,
    ) -> Arc<V> {
        if let Some(value) = self.kept(&key) {
            return value;
        }
        // Not under the lock: an answer may take long, and may depend on other units.
        let value = Arc::new(make());
        let answer = Answer { key: Box::new(key), value: Arc::clone(&value) as _ };
        let mut slots = self.0.lock();
        match slots.iter_mut().find(|answer| answer.key.is::<K>()) {
            Some(slot) => *slot = answer,
            None => slots.push(answer),
        }
        value
    }

    fn kept<K: PartialEq + 'static, V: Send + Sync + 'static>(&self, key: &K) -> Option<Arc<V>> {
        let slots = self.0.lock();
        let answer = slots.iter().find(|answer| answer.key.downcast_ref::<K>() == Some(key))?;
        Arc::clone(&answer.value).downcast::<V>().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_equal_key_gets_the_cached_answer() {
        let memo = Memo::default();
        let first = memo.get(("a".to_owned(), 1), || vec![1]);
        let again = memo.get(("a".to_owned(), 1), || vec![2]);
        assert!(Arc::ptr_eq(&first, &again));
        assert_eq!(*memo.get(("a".to_owned(), 2), || vec![2]), [2]);
        assert_eq!(*memo.get(("a".to_owned(), 1), || vec![3]), [3], "one answer is cached");
        assert_eq!(*memo.get("another question", || 4), 4);
        assert_eq!(*memo.get(("a".to_owned(), 1), || vec![5]), [3], "of each question");
    }
}
