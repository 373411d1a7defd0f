//! Code actions. Clients with resolve support get actions that look at a whole document, or change
//! files, without edits: editors request actions whenever the cursor moves, and the edit is only
//! computed for the chosen one.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::json;
use tower_lsp::gen_lsp_types::{
    CodeAction, CodeActionContext, CodeActionDisabled, CodeActionKind, CodeActionResponse,
    CodeActionTriggerKind, LspAny, Range, Uri,
};
use tower_lsp::jsonrpc::{Error, Result};

use super::backend::Backend;
use super::pool::{self, Cancellation};
use super::session::Snapshot;
use super::{apply, context, conversions, convert, disable, selectors};
use crate::answer::ActionKind;
use crate::ide;
use crate::text::Span;

/// Data for finding an action again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Deferred {
    uri: String,
    version: i32,
    range: Range,
    title: String,
    /// The index among actions with the same title.
    number: usize,
}

impl Deferred {
    fn read(action: &CodeAction) -> Option<Self> {
        serde_json::from_value(serde_json::to_value(action.data.as_ref()?).ok()?).ok()
    }

    fn data(&self) -> Option<LspAny> {
        serde_json::to_value(self).and_then(serde_json::from_value).ok()
    }
}

/// An action without edit, disabled reason and command.
fn is_unfinished(action: &CodeAction) -> bool {
    let is_command =
        action.command.as_ref().is_some_and(|command| command.command != apply::APPLIED);
    action.edit.is_none() && action.disabled.is_none() && !is_command
}

/// Every action for a range; resolvable ones without edits if deferred.
fn actions(
    snapshot: &Snapshot,
    cancellation: &Cancellation,
    range: Range,
    defers: bool,
    asked: Asked,
) -> Vec<CodeAction> {
    let span = snapshot.span(range);
    let offers = snapshot.with(&|| cancellation.is_cancelled(), |document, cx| {
        let found = ide::diagnostics::shown(document, cx, 0);
        ide::code_actions::actions(document, cx, &found, span.clone(), defers)
    });
    let mut all: Vec<CodeAction> = if asked == Asked::Explicitly {
        offers
            .into_iter()
            .filter_map(|offer| possible(snapshot, cancellation, &span, offer))
            .collect()
    } else {
        offers.into_iter().map(|offer| convert::action(snapshot, offer)).collect()
    };
    all.extend(apply::actions(snapshot, cancellation, span.clone(), defers));
    all.extend(context::actions(snapshot, cancellation, &span));
    all.extend(selectors::actions(snapshot, cancellation, &span, asked == Asked::Explicitly));
    if asked == Asked::Explicitly {
        all.extend(conversions::actions(snapshot, cancellation, &span, defers));
    } else {
        all.retain(|action| action.kind != Some(CodeActionKind::RefactorRewrite));
    }
    all
}

/// An action, unless it is impossible and the client can't show why. Whether a rewrite of a large
/// document is possible is only known when it is chosen.
fn possible(
    snapshot: &Snapshot,
    cancellation: &Cancellation,
    span: &Span,
    offer: ide::code_actions::Offer,
) -> Option<CodeAction> {
    let rewrites = offer.deferred && offer.action.kind == ActionKind::Rewrite;
    let made = snapshot.with(&|| cancellation.is_cancelled(), |document, cx| {
        (rewrites && cx.source.len() <= ide::code_actions::LONGEST)
            .then(|| ide::code_actions::resolve(document, cx, span.clone(), &offer.action.title))
            .flatten()
    });
    let action = convert::action(snapshot, offer);
    match made {
        Some(Err(reason)) => snapshot
            .client
            .disabled_actions
            .then(|| CodeAction { disabled: Some(CodeActionDisabled { reason }), ..action }),
        _ => Some(action),
    }
}

/// Whether the user asked for actions, or the editor because the cursor moved: then an action that
/// is possible almost anywhere would only light a bulb.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Explicitly,
    ByEditor,
}

impl Asked {
    fn of(context: &CodeActionContext) -> Self {
        let automatic = context.trigger_kind == Some(CodeActionTriggerKind::Automatic);
        if automatic && context.only.is_none() { Self::ByEditor } else { Self::Explicitly }
    }
}

fn deferred(snapshot: &Snapshot, range: Range, actions: &mut [CodeAction]) {
    let mut titles: HashMap<String, usize> = HashMap::new();
    for action in actions {
        let before = titles.entry(action.title.clone()).or_default();
        let number = *before;
        *before += 1;
        if is_unfinished(action) {
            let (uri, version) = (snapshot.open.uri.0.clone(), snapshot.open.version);
            action.data =
                Deferred { uri, version, range, title: action.title.clone(), number }.data();
        }
    }
}

/// The action with its edit; `None` if it's no longer offered.
fn finished(
    snapshot: &Snapshot,
    cancellation: &Cancellation,
    action: &CodeAction,
    wanted: &Deferred,
) -> Option<std::result::Result<(CodeAction, Vec<String>), String>> {
    let span = snapshot.span(wanted.range);
    let mut notes = Vec::new();
    let made = snapshot.with(&|| cancellation.is_cancelled(), |document, cx| {
        ide::code_actions::resolve(document, cx, span.clone(), &wanted.title)
    });
    let edit = match made {
        Some(Ok(made)) => {
            notes = made.notes;
            Ok(Some(convert::workspace_edit(snapshot, &made.edits, None)))
        }
        Some(Err(reason)) => Err(reason),
        None => {
            notes.extend(conversions::dropped(snapshot, cancellation, &span, &wanted.title));
            let mut all = apply::actions(snapshot, cancellation, span.clone(), false);
            all.extend(conversions::actions(snapshot, cancellation, &span, false));
            let found =
                all.into_iter().filter(|action| action.title == wanted.title).nth(wanted.number)?;
            found.disabled.map_or(Ok(found.edit), |disabled| Err(disabled.reason))
        }
    };
    match edit {
        Ok(None) => None,
        Ok(edit) => Some(Ok((CodeAction { edit, ..action.clone() }, notes))),
        Err(reason) => Some(Err(reason)),
    }
}

/// The actions for a range that a client can show.
pub(super) fn answer(
    snapshot: &Snapshot,
    cancellation: &Cancellation,
    range: Range,
    context: &CodeActionContext,
) -> Vec<CodeActionResponse> {
    snapshot.world.look_once();
    let defers = snapshot.client.resolves_actions;
    let asked = Asked::of(context);
    let mut found = actions(snapshot, cancellation, range, defers, asked);
    let only = context.only.as_ref();
    let wanted = |kind: &CodeActionKind| {
        only.is_none_or(|only| only.iter().any(|wanted| convert::is_kind(kind, wanted)))
    };
    if asked == Asked::Explicitly {
        let span = snapshot.span(range);
        found.extend(disable::actions(snapshot, cancellation, &span, &context.diagnostics));
    }
    if defers {
        deferred(snapshot, range, &mut found);
    }
    found.retain(|action| action.kind.as_ref().is_none_or(wanted));
    // Some clients only accept an action whose kind equals the requested one exactly.
    if only.is_some_and(|only| only.contains(&CodeActionKind::SourceFixAll)) {
        found
            .iter_mut()
            .filter(|action| action.kind == Some(convert::fix_all()))
            .for_each(|action| action.kind = Some(CodeActionKind::SourceFixAll));
    }
    found.truncate(convert::MOST_ITEMS);
    found.into_iter().map(CodeActionResponse::CodeAction).collect()
}

impl Backend {
    /// Some clients resolve every action without an edit or a command: a complete one is returned
    /// unchanged.
    pub(super) fn resolve(
        &self,
        action: CodeAction,
    ) -> impl Future<Output = Result<CodeAction>> + use<> {
        let wanted = Deferred::read(&action).filter(|_| is_unfinished(&action));
        let snapshot =
            wanted.as_ref().and_then(|wanted| self.session.snapshot(&Uri(wanted.uri.clone())));
        let outgoing = self.session.outgoing.clone();
        async move {
            let Some(wanted) = wanted else { return Ok(action) };
            // An edit of an outdated text would change the wrong words.
            let current = snapshot.filter(|snapshot| snapshot.open.version == wanted.version);
            let snapshot = current.ok_or_else(Error::content_modified)?;
            let made = pool::ask(move |cancellation| {
                let made = finished(&snapshot, cancellation, &action, &wanted);
                // The result doesn't show the parts that were left out.
                if let Some(Ok((_, notes))) = &made
                    && snapshot.client.shows_messages
                    && !notes.is_empty()
                {
                    let message = notes.join("; ");
                    outgoing.notify("window/showMessage", json!({ "type": 2, "message": message }));
                }
                made.map(|made| made.map(|(action, _)| action))
            })
            .await?;
            made.ok_or_else(Error::content_modified)?.map_err(pool::refusal)
        }
    }
}
