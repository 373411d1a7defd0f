//! Cancellation. Long analyses count their steps and check every so often whether the request was
//! cancelled.

/// How many steps to take between two checks. A step takes well under a microsecond, so checks are
/// cheap and frequent.
pub const INTERVAL: u64 = 1024;

/// Counts the steps of one analysis.
pub struct Steps<'a> {
    cancelled: &'a dyn Fn() -> bool,
    taken: u64,
    is_cancelled: bool,
}

impl std::fmt::Debug for Steps<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Steps")
            .field("taken", &self.taken)
            .field("is_cancelled", &self.is_cancelled)
            .finish_non_exhaustive()
    }
}

impl<'a> Steps<'a> {
    pub fn new(cancelled: &'a dyn Fn() -> bool) -> Self {
        Self { cancelled, taken: 0, is_cancelled: false }
    }

    /// Steps that can't be cancelled.
    pub fn always() -> Self {
        Self::new(&|| false)
    }

    /// Counts steps. Returns `None` if the analysis is cancelled.
    pub fn take(&mut self, count: u64) -> Option<()> {
        let before = self.taken / INTERVAL;
        self.taken = self.taken.saturating_add(count);
        if self.taken / INTERVAL != before && !self.is_cancelled {
            self.is_cancelled = (self.cancelled)();
        }
        (!self.is_cancelled).then_some(())
    }

    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn cancelled_work_stays_cancelled() {
        let asked = Cell::new(0);
        let cancelled = || {
            asked.set(asked.get() + 1);
            asked.get() == 2
        };
        let mut steps = Steps::new(&cancelled);
        let taken = (0..10 * INTERVAL).take_while(|_| steps.take(1).is_some()).count();
        assert_eq!((taken as u64, asked.get(), steps.is_cancelled()), (2 * INTERVAL - 1, 2, true));
        assert_eq!((steps.take(10 * INTERVAL), asked.get()), (None, 2));
    }
}
