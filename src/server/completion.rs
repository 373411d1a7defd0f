//! `textDocument/completion`.

use tower_lsp::gen_lsp_types::Position;

use super::pool::Cancellation;
use super::session::Snapshot;
use super::{convert, json};
use crate::ide;

pub(super) fn write(
    snapshot: &Snapshot,
    cancellation: &Cancellation,
    at: Position,
    out: &mut String,
) {
    let found = snapshot.at(at, cancellation, ide::completion::completions);
    out.push_str(if found.more { r#"{"isIncomplete":true,"items":["# } else { "[" });
    json::separated(found.items.into_iter().enumerate(), out, |(index, item), out| {
        json::value(&convert::completion(snapshot, index, item), out);
    });
    out.push_str(if found.more { "]}" } else { "]" });
}
