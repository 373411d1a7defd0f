//! Runs analyses: a few dedicated threads, so that neither reading nor the runtime ever waits for
//! them. The thread that read a message may also do its work, while another one reads on.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tower_lsp::jsonrpc::{Error, ErrorCode, Result};

/// The limit of waiting requests; more are refused, so that the queue can't grow without bound.
const MOST_WAITING: usize = 16_384;

static WAITING: AtomicUsize = AtomicUsize::new(0);

/// The size of the stack of a thread that analyses, in bytes.
pub(super) const STACK: usize = 8 << 20;

/// Work that catches its own panics.
pub(super) type Work = Box<dyn FnOnce() + Send>;

thread_local! {
    /// The work handed in on this thread, if it's handling a message.
    static HANDED_IN: RefCell<Option<Vec<Work>>> = const { RefCell::new(None) };
}

/// Set when the answer is no longer wanted.
#[derive(Debug, Clone, Default)]
pub(super) struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    pub(super) fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Sets the flag when the future that owns it is dropped: that is how a request is cancelled.
struct Guard(Cancellation);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.cancel();
        WAITING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Runs `work` on the pool and waits for it. A panic becomes an error of this request alone.
pub(super) async fn ask<T: Send + 'static>(
    work: impl FnOnce(&Cancellation) -> T + Send + 'static,
) -> Result<T> {
    let cancellation = Cancellation::default();
    let waiting = WAITING.fetch_add(1, Ordering::Relaxed);
    let guard = Guard(cancellation.clone());
    if waiting >= MOST_WAITING {
        return Err(overloaded());
    }
    let answer = tokio::task::spawn_blocking(move || {
        if cancellation.is_cancelled() {
            return None;
        }
        Some(catch_unwind(AssertUnwindSafe(|| work(&cancellation))))
    });
    let answer = answer.await;
    drop(guard);
    match answer {
        Ok(Some(Ok(answer))) => Ok(answer),
        Ok(None) => Err(Error::request_cancelled()),
        Ok(Some(Err(_))) | Err(_) => Err(internal_error()),
    }
}

/// Runs `work` and hands its result to `done` there, so that no other thread has to wake up for the
/// answer.
pub(super) fn ask_there<T>(
    cancellation: Cancellation,
    work: impl FnOnce(&Cancellation) -> T + Send + 'static,
    done: impl FnOnce(Result<T>) + Send + 'static,
) {
    if WAITING.fetch_add(1, Ordering::Relaxed) >= MOST_WAITING {
        WAITING.fetch_sub(1, Ordering::Relaxed);
        return done(Err(overloaded()));
    }
    hand_in(move || {
        let answer = if cancellation.is_cancelled() {
            Err(Error::request_cancelled())
        } else {
            catch_unwind(AssertUnwindSafe(|| work(&cancellation))).map_err(|_| internal_error())
        };
        WAITING.fetch_sub(1, Ordering::Relaxed);
        done(answer);
    });
}

fn overloaded() -> Error {
    refusal("too many requests are waiting".to_owned())
}

/// The error for a request of a client that doesn't read its answers.
pub(super) fn unread() -> Error {
    refusal(UNREAD.to_owned())
}

pub(super) const UNREAD: &str = "earlier answers have not been read";

/// Handles a message, and returns the work that was handed in for it, not yet started: all of it,
/// also after a panic.
pub(super) fn gather<T>(handle: impl FnOnce() -> T) -> (std::thread::Result<T>, Vec<Work>) {
    HANDED_IN.set(Some(Vec::new()));
    let handled = catch_unwind(AssertUnwindSafe(handle));
    (handled, HANDED_IN.take().unwrap_or_default())
}

/// Runs work that the client waits for: on the pool, unless it's gathered.
pub(super) fn hand_in(work: impl FnOnce() + Send + 'static) {
    let work: Work = Box::new(move || {
        let _ = catch_unwind(AssertUnwindSafe(work));
    });
    let work = HANDED_IN.with_borrow_mut(|gathered| match gathered {
        Some(gathered) => {
            gathered.push(work);
            None
        }
        None => Some(work),
    });
    work.into_iter().for_each(start);
}

/// Runs `work` on the pool without waiting. A panic only ends this work.
pub(super) fn start(work: impl FnOnce() + Send + 'static) {
    tokio::task::spawn_blocking(move || {
        let _ = catch_unwind(AssertUnwindSafe(work));
    });
}

/// An error for a request that can't be fulfilled, with a message for the author.
pub(super) fn refusal(message: String) -> Error {
    Error { code: ErrorCode::ServerError(-32803), message: message.into(), data: None }
}

pub(super) fn internal_error() -> Error {
    Error {
        code: ErrorCode::InternalError,
        message: "the analysis failed; please report this".into(),
        data: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_loses_no_work() {
        let done = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&done);
        let (handled, work) = gather(|| {
            hand_in(move || {
                count.fetch_add(1, Ordering::Relaxed);
            });
            panic!("a test asked for this");
        });
        assert!(handled.is_err());
        work.into_iter().for_each(|work| work());
        assert_eq!(done.load(Ordering::Relaxed), 1);
        let (handled, work) = gather(|| ());
        assert!(handled.is_ok() && work.is_empty(), "no work is left from the previous message");
    }
}
