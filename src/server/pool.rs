//! Where analysis runs: a few threads of their own, so that neither reading nor the runtime ever
//! waits for it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tower_lsp::jsonrpc::{Error, ErrorCode, Result};

/// Requests that may wait for an answer at once; more are refused, so that no queue grows without
/// end.
const MOST_WAITING: usize = 16_384;

static WAITING: AtomicUsize = AtomicUsize::new(0);

/// Set when nobody waits for an answer any more.
#[derive(Debug, Clone, Default)]
pub(super) struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    pub(super) fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Sets the flag when the future that owns it is dropped: that is how a cancelled request ends.
struct Guard(Cancellation);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
        WAITING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Runs `work` on the pool and waits for it. A panic becomes an error of this one request.
pub(super) async fn ask<T: Send + 'static>(
    work: impl FnOnce(&Cancellation) -> T + Send + 'static,
) -> Result<T> {
    let cancellation = Cancellation::default();
    let waiting = WAITING.fetch_add(1, Ordering::Relaxed);
    let guard = Guard(cancellation.clone());
    if waiting >= MOST_WAITING {
        return Err(refusal("too many requests are waiting".to_owned()));
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

/// Runs `work` on the pool; nobody waits. A panic ends this work alone.
pub(super) fn start(work: impl FnOnce() + Send + 'static) {
    tokio::task::spawn_blocking(move || {
        let _ = catch_unwind(AssertUnwindSafe(work));
    });
}

/// What was asked cannot be done, and the author is told why.
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
