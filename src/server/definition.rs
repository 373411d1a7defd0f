//! `textDocument/definition`.

use tower_lsp::gen_lsp_types::{DefinitionResponse, Position};

use super::convert;
use super::pool::Cancellation;
use super::session::Snapshot;
use crate::ide;

pub(super) fn answer(
    snapshot: &Snapshot,
    cancellation: &Cancellation,
    at: Position,
) -> Option<DefinitionResponse> {
    let found = snapshot.at(at, cancellation, ide::definition::definition);
    convert::definition(snapshot, found)
}
