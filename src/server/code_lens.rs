//! `textDocument/codeLens`.

use std::sync::Arc;

use super::direct::Asked;
use super::params::Document;
use super::{apply, review, runnables};

pub(super) fn ask(asked: &Asked, params: &Document) {
    let backend = asked.backend;
    let (refresher, session) = (Arc::clone(&backend.refresher), Arc::clone(&backend.session));
    asked.value(&params.text_document, move |snapshot, cancellation| {
        let mut lenses = runnables::lenses(snapshot, cancellation);
        lenses.extend(review::lens(snapshot, cancellation));
        lenses.extend(apply::lenses(snapshot, cancellation));
        refresher.note(&session, snapshot);
        lenses
    });
}
