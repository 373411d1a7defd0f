//! For tests: simulates a crash or a disk error at a given operation.

use std::cell::Cell;
use std::io;

thread_local! {
    static LEFT: Cell<Option<usize>> = const { Cell::new(None) };
    static FAILS_ON: Cell<bool> = const { Cell::new(false) };
    pub static EXCHANGES: Cell<bool> = const { Cell::new(true) };
}

/// The operation with this number fails, and all after it if `dead`.
pub fn after(operations: usize, dead: bool) {
    LEFT.set(Some(operations));
    FAILS_ON.set(dead);
}

/// Everything works again. Returns whether something had failed.
pub fn off() -> bool {
    LEFT.take() == Some(0)
}

pub fn step() -> io::Result<()> {
    match LEFT.get() {
        Some(0) if FAILS_ON.get() => Err(io::Error::other("the process has ended")),
        Some(0) => Ok(()),
        Some(1) => {
            LEFT.set(Some(0));
            Err(io::ErrorKind::StorageFull.into())
        }
        Some(left) => {
            LEFT.set(Some(left - 1));
            Ok(())
        }
        None => Ok(()),
    }
}
