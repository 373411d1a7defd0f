//! `textDocument/diagnostic`: asked after every key press, so the thread that finds the answer sends
//! it, as text.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use tower_lsp::gen_lsp_types::DocumentDiagnosticParams;
use tower_lsp::jsonrpc::Error;

use super::backend::Backend;
use super::outgoing::Outgoing;
use super::pool::{self, Cancellation};
use super::{publish, written};

/// The requests that have no answer yet, by their IDs as written.
#[derive(Debug, Default)]
pub(super) struct Pulls(Mutex<HashMap<String, Cancellation>>);

#[derive(Deserialize)]
struct CancelParams<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
}

impl Pulls {
    /// Answers a request for the findings at this moment.
    pub(super) fn answer(
        self: &Arc<Self>,
        backend: &Backend,
        id: &RawValue,
        params: DocumentDiagnosticParams,
    ) {
        let (session, publisher) = (Arc::clone(&backend.session), Arc::clone(&backend.publisher));
        let Some(snapshot) = session.snapshot(&params.text_document.uri) else {
            return session.outgoing.send_written(written::no_answer(id));
        };
        let invalidator = backend.invalidator();
        let cancellation = Cancellation::default();
        self.0.lock().insert(id.get().to_owned(), cancellation.clone());
        let work = move |cancellation: &Cancellation| {
            let findings = publish::check_written(&snapshot, &|| cancellation.is_cancelled());
            if publisher.note(&invalidator.session, &snapshot) {
                invalidator.refresh();
            }
            findings
        };
        let (pulls, id) = (Arc::clone(self), id.to_owned());
        pool::ask_there(cancellation, work, move |answer| {
            // A cancelled request has its answer.
            if pulls.0.lock().remove(id.get()).is_none() {
                return;
            }
            match answer {
                Ok(findings) => {
                    let known = params.previous_result_id.as_deref();
                    session.outgoing.send_written(findings.answer(&id, known));
                }
                Err(error) => refuse(&session.outgoing, &id, &error),
            }
        });
    }

    /// Cancels one of these requests. False if it is none of them.
    pub(super) fn cancel(&self, params: Option<&RawValue>, outgoing: &Outgoing) -> bool {
        let params = params.map_or("null", RawValue::get);
        let Ok(CancelParams { id }) = serde_json::from_str(params) else { return false };
        let Some(cancellation) = self.0.lock().remove(id.get()) else { return false };
        cancellation.cancel();
        refuse(outgoing, id, &Error::request_cancelled());
        true
    }
}

fn refuse(outgoing: &Outgoing, id: &RawValue, error: &Error) {
    outgoing.send(&json!({ "jsonrpc": "2.0", "id": id, "error": error }));
}
