//! `textDocument/signatureHelp`.

use tower_lsp::gen_lsp_types::{Position, SignatureHelp};

use super::convert;
use super::pool::Cancellation;
use super::session::Snapshot;
use crate::ide;

pub(super) fn answer(
    snapshot: &Snapshot,
    cancellation: &Cancellation,
    at: Position,
) -> Option<SignatureHelp> {
    let found = snapshot.at(at, cancellation, ide::signature_help::signature)?;
    Some(convert::signature(snapshot, found))
}
