//! `textDocument/documentHighlight`.

use tower_lsp::gen_lsp_types::{DocumentHighlight, Position};

use super::convert;
use super::pool::Cancellation;
use super::session::Snapshot;
use crate::ide;

pub(super) fn answer(
    snapshot: &Snapshot,
    cancellation: &Cancellation,
    at: Position,
) -> Vec<DocumentHighlight> {
    let found = snapshot.at(at, cancellation, ide::document_highlight::occurrences);
    let found = found.iter().take(convert::MOST_ITEMS);
    found.map(|occurrence| convert::occurrence(snapshot, occurrence)).collect()
}
