//! Conversions of agent files as code actions: each creates the file of another client.

use tower_lsp::gen_lsp_types::{CodeAction, CodeActionDisabled, CodeActionKind};

use super::pool::Cancellation;
use super::session::Snapshot;
use super::workspace_edit::workspace_edit;
use crate::ide::conversions;
use crate::text::Span;

/// The conversions at `span` that are possible, and the others if the client can show why they
/// aren't. With `defers`, they come without edits.
pub(super) fn actions(
    snapshot: &Snapshot,
    cancellation: &Cancellation,
    span: &Span,
    defers: bool,
) -> Vec<CodeAction> {
    let client = &snapshot.client;
    if !client.creates_files {
        return Vec::new();
    }
    snapshot.with(&|| cancellation.is_cancelled(), |document, cx| {
        let offers = conversions::offers(document, cx, span);
        let action = |offer: conversions::Offer| {
            let (edit, disabled) = match conversions::change(cx, &offer) {
                Ok(_) if defers => (None, None),
                Ok((change, _)) => (Some(workspace_edit(snapshot, &[change], false)), None),
                Err(_) if !client.disabled_actions => return None,
                Err(reason) => (None, Some(CodeActionDisabled { reason })),
            };
            Some(CodeAction {
                title: offer.title,
                kind: Some(CodeActionKind::RefactorRewrite),
                edit,
                disabled,
                ..Default::default()
            })
        };
        offers.into_iter().filter_map(action).collect()
    })
}

/// What the conversion of this title drops, in a message for the client.
pub(super) fn dropped(
    snapshot: &Snapshot,
    cancellation: &Cancellation,
    span: &Span,
    title: &str,
) -> Option<String> {
    snapshot.with(&|| cancellation.is_cancelled(), |document, cx| {
        let offers = conversions::offers(document, cx, span);
        let offer = offers.into_iter().find(|offer| offer.title == title)?;
        let (change, dropped) = conversions::change(cx, &offer).ok()?;
        (!dropped.is_empty()).then(|| format!("{}: {}", change.name, dropped.join("; ")))
    })
}
