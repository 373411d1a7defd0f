//! Applies replies through the client: by an action that carries the edit, or by a command that
//! asks the client to apply one. The server itself writes nothing.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use tower_lsp::gen_lsp_types::{
    ApplyWorkspaceEditParams, ApplyWorkspaceEditRequest, CodeAction, CodeActionDisabled,
    CodeActionKind, CodeLens, Command, ExecuteCommandParams, LspAny, Uri,
};
use tower_lsp::jsonrpc::{Error, Result};

use super::backend::Backend;
use super::capabilities::Client;
use super::convert::MOST_ITEMS;
use super::pool::{self, Cancellation};
use super::session::Snapshot;
use super::workspace_edit::workspace_edit;
use super::{command, references, show};
use crate::ide::apply::{self, Application};
use crate::ide::blocks::Able;
use crate::ide::blocks::actions::{Offer, offers};
use crate::ide::blocks::lenses::{self, Does};
use crate::ide::{code_lens, review};
use crate::plan::choice::{Choice, Goal, Way};
use crate::plan::{FileChange, Plan};
use crate::text::{Encoding, Span};
use crate::world;

/// The command by which an action reports that its edit was applied.
pub(super) const APPLIED: &str = "agentmd.applied";

/// The command that a lens runs.
pub(super) const COMMAND: &str = "agentmd.apply";

/// The command's arguments: blocks of a document at one version.
#[derive(Debug, Serialize, Deserialize)]
struct Wanted {
    uri: String,
    #[serde(default)]
    version: Option<i32>,
    #[serde(default)]
    blocks: Vec<u64>,
    /// The blocks with a choice of place for each, instead of `blocks`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    choices: Vec<Chosen>,
    /// The goal of the blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    /// For one block: the line of the chosen place, counted from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
    /// Apply to every place.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    everywhere: bool,
    /// Apply to the likely place.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    confirmed: bool,
}

/// A block, and how its place is chosen.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Chosen {
    block: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    everywhere: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    confirmed: bool,
}

impl Chosen {
    pub(super) fn choice(&self) -> Choice {
        Choice { number: self.block, way: way(self.at, self.everywhere, self.confirmed) }
    }
}

fn way(at: Option<usize>, everywhere: bool, confirmed: bool) -> Way {
    match (at, everywhere, confirmed) {
        (Some(line), _, _) => Way::At(line),
        (None, true, _) => Way::Everywhere,
        (None, false, true) => Way::Confirmed,
        (None, false, false) => Way::Found,
    }
}

impl Wanted {
    fn new(snapshot: &Snapshot, choices: &[Choice], goal: Goal) -> Self {
        let way = choices.last().map_or(Way::Found, |choice| choice.way);
        Self {
            uri: snapshot.open.uri.0.clone(),
            version: Some(snapshot.open.version),
            blocks: choices.iter().map(|choice| choice.number).collect(),
            choices: Vec::new(),
            to: Some(goal.name().to_owned()),
            at: if let Way::At(line) = way { Some(line) } else { None },
            everywhere: way == Way::Everywhere,
            confirmed: way == Way::Confirmed,
        }
    }

    fn goal(&self) -> Goal {
        self.to.as_deref().and_then(Goal::named).unwrap_or(Goal::Workspace)
    }

    /// Whether the user has reviewed and decided on each block: then no block is left out or needs
    /// another confirmation.
    fn is_reviewed(&self) -> bool {
        !self.choices.is_empty()
    }

    /// The blocks; without `choices`, the choice of a place applies to the last one.
    fn choices(&self) -> Vec<Choice> {
        if !self.choices.is_empty() {
            return self.choices.iter().map(Chosen::choice).collect();
        }
        let mut choices: Vec<Choice> =
            self.blocks.iter().map(|number| Choice::found(*number)).collect();
        if let Some(last) = choices.last_mut() {
            last.way = way(self.at, self.everywhere, self.confirmed);
        }
        choices
    }

    fn command(&self, title: String) -> Command {
        let argument = serde_json::to_value(self).and_then(serde_json::from_value).ok();
        Command {
            title,
            command: COMMAND.to_owned(),
            arguments: argument.map(|argument| vec![argument]),
            ..Default::default()
        }
    }
}

/// Whether a client can make a change at all.
fn can(client: &Client, change: &FileChange) -> std::result::Result<(), &'static str> {
    match (&change.before, &change.after) {
        (None, Some(_)) if !client.creates_files => {
            Err("this editor doesn't let servers create files; use `agentmd apply`")
        }
        (Some(_), None) if !client.deletes_files => {
            Err("this editor doesn't let servers delete files; use `agentmd apply`")
        }
        _ => Ok(()),
    }
}

/// Whether a change may be combined with others: one that loses content must be confirmed.
fn together(client: &Client, change: &FileChange) -> bool {
    can(client, change).is_ok()
        && (client.change_annotations || !change.risky && change.doubts.is_empty())
}

/// What a client can do with changes; `None` if it can make all of them.
fn able<'a>(
    client: &Client,
    make: &'a dyn Fn(&FileChange) -> bool,
    together: &'a dyn Fn(&FileChange) -> bool,
) -> Option<Able<'a>> {
    let everything = client.creates_files && client.deletes_files && client.change_annotations;
    (!everything).then_some(Able { make, together })
}

fn applications(
    snapshot: &Snapshot,
    cancellation: &Cancellation,
    span: Option<Span>,
) -> Vec<Application> {
    let client = &snapshot.client;
    snapshot.with(&|| cancellation.is_cancelled(), |document, cx| {
        let together = |change: &FileChange| together(client, change);
        match span {
            Some(span) => apply::applications(document, cx, &span, &together),
            None => code_lens::lenses(document, cx, &together),
        }
    })
}

/// Whether a document's format has edit blocks.
pub(super) fn has_blocks(snapshot: &Snapshot) -> bool {
    !snapshot.open.document.model().goals().is_empty()
}

/// The actions at `span` that change files; without edits if deferred.
pub(super) fn actions(
    snapshot: &Snapshot,
    cancellation: &Cancellation,
    span: Span,
    defers: bool,
) -> Vec<CodeAction> {
    if has_blocks(snapshot) {
        // Without lenses, the list of actions is the only way to apply everything.
        let anywhere = !snapshot.client.lenses;
        let client = &snapshot.client;
        let make = |change: &FileChange| can(client, change).is_ok();
        let together = |change: &FileChange| together(client, change);
        let found = snapshot.with(&|| cancellation.is_cancelled(), |document, cx| {
            offers(document, cx, &span, anywhere, able(client, &make, &together))
        });
        return found
            .into_iter()
            .filter_map(|offer| action_of(snapshot, cancellation, offer, defers))
            .collect();
    }
    let action = |offer: Application| {
        let refused = offer.changes.iter().find_map(|change| can(&snapshot.client, change).err());
        let disabled = refused.map(|reason| CodeActionDisabled { reason: reason.to_owned() });
        if disabled.is_some() && !snapshot.client.disabled_actions {
            return None;
        }
        let command = (disabled.is_none() && snapshot.client.previews_edits).then(|| {
            let choices: Vec<Choice> =
                offer.blocks.iter().map(|number| Choice::found(*number)).collect();
            Wanted::new(snapshot, &choices, Goal::Workspace).command(offer.title.clone())
        });
        let edit = (disabled.is_none() && command.is_none() && !defers)
            .then(|| workspace_edit(snapshot, &offer.changes, false));
        Some(CodeAction {
            title: offer.title,
            kind: Some(CodeActionKind::Refactor),
            disabled,
            edit,
            command,
            ..Default::default()
        })
    };
    applications(snapshot, cancellation, Some(span)).into_iter().filter_map(action).collect()
}

/// The action for an edit block, or for several, which are computed when the action is chosen if
/// the client supports that.
fn action_of(
    snapshot: &Snapshot,
    cancellation: &Cancellation,
    offer: Offer,
    defers: bool,
) -> Option<CodeAction> {
    let client = &snapshot.client;
    let edit = |changes: &[FileChange]| {
        (!defers).then(|| workspace_edit(snapshot, changes, offer.confirm))
    };
    let several = offer.changes.is_none();
    let kind = Some(if several { CodeActionKind::Refactor } else { CodeActionKind::QuickFix });
    let action = CodeAction { title: offer.title, kind, ..Default::default() };
    let changes = match offer.changes {
        None if offer.refused.is_none() && client.applies_edits => {
            let command =
                Wanted::new(snapshot, &offer.choices, offer.goal).command(action.title.clone());
            return Some(CodeAction { command: Some(command), ..action });
        }
        None if offer.refused.is_none() => {
            planned(snapshot, cancellation, &offer.choices, offer.goal, false).unwrap_or_default()
        }
        found => found.unwrap_or_default(),
    };
    let unable = || {
        changes
            .iter()
            .find_map(|change| can(client, change).err())
            .map(str::to_owned)
            .or_else(|| unsaved(snapshot, &changes))
    };
    match offer.refused.or_else(unable) {
        Some(reason) => client
            .disabled_actions
            .then(|| CodeAction { disabled: Some(CodeActionDisabled { reason }), ..action }),
        None if changes.is_empty() => None,
        None if client.previews_edits && client.applies_edits => {
            let command =
                Wanted::new(snapshot, &offer.choices, offer.goal).command(action.title.clone());
            Some(CodeAction { command: Some(command), ..action })
        }
        // Report changes that the server can't see.
        None if client.applies_edits && closed(snapshot, &changes).next().is_some() => {
            let mut command =
                Wanted::new(snapshot, &offer.choices, offer.goal).command(action.title.clone());
            command.command = APPLIED.to_owned();
            Some(CodeAction { edit: edit(&changes), command: Some(command), ..action })
        }
        None => Some(CodeAction { edit: edit(&changes), ..action }),
    }
}

/// The lenses of a document.
pub(super) fn lenses(snapshot: &Snapshot, cancellation: &Cancellation) -> Vec<CodeLens> {
    let mut found = lenses_of_blocks(snapshot, cancellation);
    let referred = snapshot.with(&|| cancellation.is_cancelled(), code_lens::referred);
    found.extend(referred.into_iter().map(|referred| references::lens(snapshot, referred)));
    found.truncate(MOST_ITEMS);
    found
}

/// The lenses that apply something or report what clients do. Each contains the version that it was
/// made for.
fn lenses_of_blocks(snapshot: &Snapshot, cancellation: &Cancellation) -> Vec<CodeLens> {
    let lens = |span: &Span, command: Command| {
        let line = snapshot.source().line_span(span.start);
        CodeLens {
            range: snapshot.range(&(line.start..line.start)),
            command: Some(command),
            data: None,
        }
    };
    if has_blocks(snapshot) {
        let client = &snapshot.client;
        let make = |change: &FileChange| can(client, change).is_ok();
        let together = |change: &FileChange| together(client, change);
        let found = snapshot.with(&|| cancellation.is_cancelled(), |document, cx| {
            lenses::lenses_for(document, cx, able(client, &make, &together))
        });
        let of = |found: lenses::Lens| {
            let command = match &found.does {
                Does::Apply { choices, goal } => {
                    Wanted::new(snapshot, choices, *goal).command(found.title.clone())
                }
                Does::Show { path, lines } => {
                    show::command(snapshot, found.title.clone(), path.as_deref(), lines)
                }
            };
            lens(&found.span, command)
        };
        return found.into_iter().take(MOST_ITEMS).map(of).collect();
    }
    let summary = snapshot.with(&|| cancellation.is_cancelled(), code_lens::summary);
    let summary = summary.map(|summary| {
        let line = snapshot.source().position(summary.target, Encoding::Utf8).line as usize;
        lens(&summary.span, show::command(snapshot, summary.title, None, &(line..line)))
    });
    let offers = applications(snapshot, cancellation, None).into_iter();
    let possible = offers
        .filter(|offer| offer.changes.iter().all(|change| can(&snapshot.client, change).is_ok()));
    let possible = possible.map(|offer| {
        let choices: Vec<Choice> =
            offer.blocks.iter().map(|number| Choice::found(*number)).collect();
        lens(&offer.span, Wanted::new(snapshot, &choices, Goal::Workspace).command(offer.title))
    });
    summary.into_iter().chain(possible).take(MOST_ITEMS).collect()
}

impl Backend {
    /// Records the changes of an action to files that are not open.
    pub(super) fn applied(
        &self,
        params: ExecuteCommandParams,
    ) -> impl Future<Output = Result<Option<LspAny>>> + use<> {
        let given = command::argument(params.arguments);
        let wanted: Option<Wanted> = serde_json::from_value(given).ok();
        let snapshot =
            wanted.as_ref().and_then(|wanted| self.session.snapshot(&Uri(wanted.uri.clone())));
        let (session, invalidator) = (std::sync::Arc::clone(&self.session), self.invalidator());
        async move {
            let (Some(wanted), Some(snapshot)) = (wanted, snapshot) else { return Ok(None) };
            let found = pool::ask(move |cancellation| {
                let reviewed = wanted.is_reviewed();
                let choices = wanted.choices();
                let changes = planned(&snapshot, cancellation, &choices, wanted.goal(), reviewed)
                    .unwrap_or_default();
                closed(&snapshot, &changes).cloned().collect::<Vec<_>>()
            });
            session.unsaved.take(&found.await?);
            invalidator.retell();
            Ok(None)
        }
    }

    /// Asks the client to apply the blocks of a lens or an action.
    pub(super) fn apply(
        &self,
        params: ExecuteCommandParams,
    ) -> impl Future<Output = Result<Option<LspAny>>> + use<> {
        let given = command::argument(params.arguments);
        let wanted: Option<Wanted> = serde_json::from_value(given).ok();
        let target = wanted.as_ref().map(|wanted| Uri(wanted.uri.clone()));
        let first = target.as_ref().and_then(|uri| self.session.snapshot(uri));
        let (client, session) = (self.client.clone(), std::sync::Arc::clone(&self.session));
        let invalidator = self.invalidator();
        async move {
            let (Some(uri), Some(wanted)) = (target, wanted) else {
                return Err(Error::invalid_params(format!(
                    "`{COMMAND}` takes one object: `uri`, `version` and `blocks`"
                )));
            };
            if !session.client().applies_edits {
                return Err(pool::refusal(
                    "this editor doesn't let servers apply edits; use `agentmd apply`".to_owned(),
                ));
            }
            let mut snapshot = first;
            let mut failure = None;
            // Check again what has changed since the files were read.
            for _ in 0..2 {
                let current = snapshot.take().or_else(|| session.snapshot(&uri));
                let current = current
                    .ok_or_else(|| pool::refusal("the reply is no longer open".to_owned()))?;
                if wanted.version.is_some_and(|version| version != current.open.version) {
                    return Err(pool::refusal(
                        "the reply has changed; look at it again".to_owned(),
                    ));
                }
                let (choices, goal) = (wanted.choices(), wanted.goal());
                let reviewed = wanted.is_reviewed();
                let confirm = !reviewed && choices.iter().any(|choice| choice.is_confirmed());
                let made = pool::ask(move |cancellation| {
                    let changes = planned(&current, cancellation, &choices, goal, reviewed)?;
                    let stale = changes.iter().any(|change| is_stale(&current, change));
                    let closed: Vec<FileChange> = closed(&current, &changes).cloned().collect();
                    Ok((!stale).then(|| {
                        (
                            label(&changes, choices.len()),
                            workspace_edit(&current, &changes, confirm),
                            closed,
                        )
                    }))
                });
                let Some((label, edit, closed)) = made.await?.map_err(pool::refusal)? else {
                    continue;
                };
                let params = ApplyWorkspaceEditParams { label: Some(label), edit, metadata: None };
                let answer = client.send_request::<ApplyWorkspaceEditRequest>(params).await?;
                if answer.applied {
                    session.unsaved.take(&closed);
                    // The displayed results describe the files before the edit.
                    invalidator.retell();
                    return Ok(None);
                }
                failure = answer.failure_reason;
            }
            let reason = failure.map(|reason| format!(": {reason}")).unwrap_or_default();
            Err(pool::refusal(format!(
                "the editor did not apply the edit{reason}; files changed while they were edited \
                    (stale_version)"
            )))
        }
    }
}

/// The changes of files that aren't open in the client.
fn closed<'c>(
    snapshot: &Snapshot,
    changes: &'c [FileChange],
) -> impl Iterator<Item = &'c FileChange> {
    changes.iter().filter(|change| {
        !change.path.as_os_str().is_empty() && snapshot.world.open(&change.path).is_none()
    })
}

/// Why a file can't be changed for now.
fn unsaved(snapshot: &Snapshot, changes: &[FileChange]) -> Option<String> {
    let waiting =
        closed(snapshot, changes).find(|change| snapshot.world.is_unsaved(&change.path))?;
    Some(format!("`{}` has unsaved changes; save it first", waiting.name))
}

/// The label of the edit in the editor's undo history.
fn label(changes: &[FileChange], chosen: usize) -> String {
    let blocks: BTreeSet<u64> = changes.iter().flat_map(|it| it.blocks.iter().copied()).collect();
    apply::counted(if blocks.is_empty() { chosen } else { blocks.len() }, None, changes)
}

/// Whether a file that isn't open has changed since the edit was computed.
fn is_stale(snapshot: &Snapshot, change: &FileChange) -> bool {
    if change.path.as_os_str().is_empty() || snapshot.world.open(&change.path).is_some() {
        return false;
    }
    match &change.before {
        Some(before) => world::read_text(&change.path).ok().as_ref() != Some(before),
        None => change.path.exists(),
    }
}

/// The changes of all these blocks, or why they can't be applied.
fn planned(
    snapshot: &Snapshot,
    cancellation: &Cancellation,
    choices: &[Choice],
    goal: Goal,
    reviewed: bool,
) -> std::result::Result<Vec<FileChange>, String> {
    let together = |change: &FileChange| reviewed || together(&snapshot.client, change);
    let Plan { changes, refusals, .. } =
        snapshot.with(&|| cancellation.is_cancelled(), |document, cx| {
            match review::unconfirmed(document, cx, choices, goal) {
                Some(unsure) => Plan { refusals: vec![unsure], ..Plan::default() },
                None => apply::chosen(document, cx, choices, goal, &together),
            }
        });
    if let Some(refusal) = refusals.into_iter().next() {
        return Err(refusal.message);
    }
    if let Some(reason) = changes.iter().find_map(|change| can(&snapshot.client, change).err()) {
        return Err(reason.to_owned());
    }
    if let Some(reason) = unsaved(snapshot, &changes) {
        return Err(reason);
    }
    if changes.is_empty() {
        return Err("nothing to apply: the files are up to date".to_owned());
    }
    Ok(changes)
}
