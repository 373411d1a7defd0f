//! Requests about the whole workspace. No thread of the pool waits until the workspace has been
//! read: a request that needs all files is repeated then.

use std::sync::Arc;

use tower_lsp::jsonrpc::Result;

use super::overlay::Overlay;
use super::pool::{self, Cancellation};
use super::session::Snapshot;

impl AsRef<Overlay> for Snapshot {
    fn as_ref(&self) -> &Overlay {
        &self.world
    }
}

impl AsRef<Overlay> for Overlay {
    fn as_ref(&self) -> &Overlay {
        self
    }
}

/// Answers on the pool, for the documents at the time of the request.
pub(super) async fn ask<S, T, W>(subject: S, work: W) -> Result<T>
where
    S: AsRef<Overlay> + Send + Sync + 'static,
    T: Send + 'static,
    W: Fn(&S, &Cancellation) -> T + Send + Sync + 'static,
{
    let shared = Arc::new((subject, work));
    let once =
        |shared: Arc<(S, W)>| pool::ask(move |cancellation| (shared.1)(&shared.0, cancellation));
    let answer = once(Arc::clone(&shared)).await?;
    let world: &Overlay = shared.0.as_ref();
    if !world.is_premature() {
        return Ok(answer);
    }
    world.wait_for_files().await;
    once(shared).await
}
