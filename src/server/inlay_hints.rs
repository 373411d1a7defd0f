//! `textDocument/inlayHint`.

use tower_lsp::gen_lsp_types::{InlayHint, Range};

use super::direct::Asked;
use super::params::In;
use super::pool::Cancellation;
use super::refresh::Answer;
use super::session::Snapshot;
use super::{apply, convert};
use crate::ide;

pub(super) fn ask(asked: &Asked, In { text_document, range }: In) {
    let invalidator = asked.backend.invalidator();
    asked.value(&text_document, move |snapshot, cancellation| {
        let found = hints(snapshot, cancellation, range);
        if apply::has_blocks(snapshot) {
            invalidator.note(Answer::Hints, snapshot, cancellation);
        } else {
            invalidator.forget(Answer::Hints, snapshot);
        }
        found
    });
}

fn hints(snapshot: &Snapshot, cancellation: &Cancellation, range: Range) -> Vec<InlayHint> {
    let span = snapshot.span(range);
    let found = snapshot.with(&|| cancellation.is_cancelled(), |document, cx| {
        ide::inlay_hints::inlays(document, cx, span)
    });
    let found = found.into_iter().take(convert::MOST_ITEMS);
    found.map(|inlay| convert::inlay(snapshot, inlay)).collect()
}
