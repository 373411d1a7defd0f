//! `textDocument/codeLens`.

use super::direct::Asked;
use super::params::Document;
use super::refresh::Answer;
use super::{apply, review, runnables};

pub(super) fn ask(asked: &Asked, params: &Document) {
    let invalidator = asked.backend.invalidator();
    asked.value(&params.text_document, move |snapshot, cancellation| {
        let mut lenses = runnables::lenses(snapshot, cancellation);
        lenses.extend(review::lens(snapshot, cancellation));
        lenses.extend(apply::lenses(snapshot, cancellation));
        invalidator.note(Answer::Lenses, snapshot, cancellation);
        lenses
    });
}
