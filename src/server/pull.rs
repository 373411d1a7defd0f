//! `textDocument/diagnostic`: the findings in a document at this moment.

use std::sync::Arc;

use super::direct::Asked;
use super::params::Document;
use super::{publish, written};

pub(super) fn ask(asked: &Asked, params: Document) {
    let publisher = Arc::clone(&asked.backend.publisher);
    let invalidator = asked.backend.invalidator();
    let known = params.previous_result_id;
    // A client that can't be asked to pull again would keep findings from a half-read workspace.
    let whole = !asked.backend.session.client().refreshes_diagnostics;
    asked.or(
        &params.text_document,
        written::NO_ANSWER,
        whole,
        move |snapshot, cancellation, out| {
            let findings = publish::check_written(snapshot, &|| cancellation.is_cancelled());
            // A cancelled check may have seen only half of the file.
            if !cancellation.is_cancelled() && publisher.note(&invalidator.session, snapshot) {
                invalidator.refresh();
            }
            findings.answer(known.as_deref(), out);
        },
    );
}
