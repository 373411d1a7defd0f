//! Shows progress while the workspace is being read, if that takes long enough to notice.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::{Value, json};
use tower_lsp::Client;
use tower_lsp::gen_lsp_types::ProgressToken;

use super::session::Session;

/// Don't show progress for anything shorter: it would only flicker, and some editors miss its end.
const UNSEEN: Duration = Duration::from_millis(300);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Unseen,
    Shown,
    Over,
}

/// One pass over the workspace.
pub(super) struct Reading {
    session: Arc<Session>,
    token: ProgressToken,
    state: Mutex<State>,
}

impl Reading {
    pub(super) fn new(session: Arc<Session>) -> Arc<Self> {
        static RUNS: AtomicUsize = AtomicUsize::new(0);
        let token = ProgressToken::String(format!(
            "agentmd/index/{}",
            RUNS.fetch_add(1, Ordering::Relaxed)
        ));
        Arc::new(Self { session, token, state: Mutex::new(State::Unseen) })
    }

    /// Shows it after a while, if the client supports that and it hasn't ended by then.
    pub(super) async fn show(self: Arc<Self>, client: Client) {
        if !self.session.client().progress {
            return;
        }
        tokio::time::sleep(UNSEEN).await;
        if self.is_over() || client.create_work_done_progress(self.token.clone()).await.is_err() {
            return;
        }
        let mut state = self.state.lock();
        self.tell(json!({ "kind": "begin", "title": "agentmd: reading the workspace", "cancellable": false }));
        match *state {
            // A created progress must be ended.
            State::Over => self.tell(json!({ "kind": "end" })),
            _ => *state = State::Shown,
        }
    }

    pub(super) fn report(&self, files: usize) {
        let state = self.state.lock();
        if *state == State::Shown {
            self.tell(json!({ "kind": "report", "message": format!("{files} files") }));
        }
    }

    pub(super) fn end(&self) {
        let mut state = self.state.lock();
        if std::mem::replace(&mut *state, State::Over) == State::Shown {
            self.tell(json!({ "kind": "end" }));
        }
    }

    fn is_over(&self) -> bool {
        *self.state.lock() == State::Over
    }

    fn tell(&self, value: Value) {
        self.session.outgoing.notify("$/progress", json!({ "token": self.token, "value": value }));
    }
}
