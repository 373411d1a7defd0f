//! `textDocument/hover`.

use tower_lsp::gen_lsp_types::{Hover, Position};

use super::convert;
use super::pool::Cancellation;
use super::session::Snapshot;
use crate::ide;

pub(super) fn answer(
    snapshot: &Snapshot,
    cancellation: &Cancellation,
    at: Position,
) -> Option<Hover> {
    let hover = snapshot.at(at, cancellation, ide::hover::hover)?;
    Some(convert::hover(snapshot, hover))
}
