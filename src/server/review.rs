//! A review of the edits of a document: the list of edits, and the files that result from the
//! choices. An editor shows both, keeps the decisions, and applies them with `agentmd.apply`.

use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::{CodeLens, Command, ExecuteCommandParams, LspAny, Uri};
use tower_lsp::jsonrpc::{Error, Result};

use super::apply::Chosen;
use super::backend::Backend;
use super::command;
use super::pool::{self, Cancellation};
use super::refresh::Answer;
use super::session::Snapshot;
use super::uri;
use super::workspace_edit;
use crate::ide::review::{self, Item};
use crate::plan::choice::{Choice, Goal};

/// Returns the edits of a document, and whether each can be applied now.
pub(super) const COMMAND: &str = "agentmd.review";
/// Returns the files before and after some edits.
pub(super) const COMPARE: &str = "agentmd.compare";
/// The client's own command, which starts a review. Takes one object: `uri`.
const START: &str = "agentmd.startReview";

/// The arguments of both commands.
#[derive(Debug, Deserialize)]
struct Wanted {
    uri: String,
    #[serde(default)]
    version: Option<i32>,
    #[serde(default)]
    choices: Vec<Chosen>,
    #[serde(default)]
    to: Option<String>,
}

/// The lens that starts a review, for clients that have one.
pub(super) fn lens(snapshot: &Snapshot, cancellation: &Cancellation) -> Option<CodeLens> {
    if !snapshot.client.reviews_edits {
        return None;
    }
    let (first, count) = snapshot.with(&|| cancellation.is_cancelled(), |document, cx| {
        let blocks = document.model().blocks(cx);
        let first = blocks.first().map(|(_, span)| span.start)?;
        Some((first, review::undecided(document, cx)))
    })?;
    let title = match count {
        0 => return None,
        1 => "Review 1 change".to_owned(),
        count => format!("Review {count} changes"),
    };
    let line = snapshot.source().line_span(first);
    let argument = serde_json::from_value(json!({ "uri": snapshot.open.uri })).ok();
    Some(CodeLens {
        range: snapshot.range(&(line.start..line.start)),
        command: Some(Command {
            title,
            command: START.to_owned(),
            arguments: argument.map(|argument| vec![argument]),
            ..Default::default()
        }),
        data: None,
    })
}

impl Backend {
    /// Takes one object: `uri`.
    pub(super) fn review(
        &self,
        params: ExecuteCommandParams,
    ) -> impl Future<Output = Result<Option<LspAny>>> + use<> {
        let wanted = self.wanted(params);
        let invalidator = self.invalidator();
        async move {
            let (_, snapshot) = wanted?;
            let answer = pool::ask(move |cancellation| {
                let found = snapshot.with(&|| cancellation.is_cancelled(), |document, cx| {
                    review::items(document, cx)
                });
                // As with lenses, the client is notified when the list may have changed.
                invalidator.note(Answer::Review, &snapshot, cancellation);
                let edits: Vec<Value> = found.iter().map(|item| edit(&snapshot, item)).collect();
                json!({ "version": snapshot.open.version, "edits": edits })
            })
            .await?;
            Ok(serde_json::from_value(answer).ok())
        }
    }

    /// Takes one object: `uri`, `version`, `choices` and maybe `to`.
    pub(super) fn compare(
        &self,
        params: ExecuteCommandParams,
    ) -> impl Future<Output = Result<Option<LspAny>>> + use<> {
        let wanted = self.wanted(params);
        async move {
            let (wanted, snapshot) = wanted?;
            if wanted.version.is_some_and(|version| version != snapshot.open.version) {
                let message = "the reply has changed; look at it again".to_owned();
                return Err(pool::refusal(message));
            }
            let goal = wanted.to.as_deref().and_then(Goal::named).unwrap_or(Goal::Workspace);
            let choices: Vec<Choice> = wanted.choices.iter().map(Chosen::choice).collect();
            let answer = pool::ask(move |cancellation| {
                let found = snapshot.with(&|| cancellation.is_cancelled(), |document, cx| {
                    review::compare(document, cx, &choices, goal)
                });
                let files = found.changes.iter().map(|change| {
                    let doubts = change.doubts.iter().map(|doubt| doubt.what);
                    json!({
                        "uri": workspace_edit::uri(&snapshot, change).0,
                        "name": change.name,
                        "before": change.before,
                        "after": change.after,
                        "doubts": doubts.collect::<Vec<_>>(),
                    })
                });
                let refused = found
                    .refusals
                    .iter()
                    .map(|refusal| json!({ "block": refusal.block, "message": refusal.message }));
                json!({
                    "files": files.collect::<Vec<_>>(),
                    "refused": refused.collect::<Vec<_>>(),
                })
            })
            .await?;
            Ok(serde_json::from_value(answer).ok())
        }
    }

    fn wanted(&self, params: ExecuteCommandParams) -> Result<(Wanted, Snapshot)> {
        let given = command::argument(params.arguments);
        let wanted: Wanted = serde_json::from_value(given).map_err(|error| {
            let command = &params.command;
            Error::invalid_params(format!("`{command}` takes one object with a `uri`: {error}"))
        })?;
        let snapshot = self.session.snapshot(&Uri(wanted.uri.clone()));
        let snapshot =
            snapshot.ok_or_else(|| pool::refusal("the document is not open".to_owned()))?;
        Ok((wanted, snapshot))
    }
}

fn edit(snapshot: &Snapshot, item: &Item) -> Value {
    let place = |place: &review::Place| json!({ "line": place.line, "text": place.text });
    let file = item.path.as_deref().map(|path| match snapshot.world.open(path) {
        Some(open) => open.uri.clone(),
        None => uri::from_path(path),
    });
    json!({
        "block": item.number,
        "to": item.goal.name(),
        "key": item.key,
        "range": snapshot.range(&item.span),
        "name": item.name,
        "file": file,
        "title": item.title,
        "state": item.state.name(),
        "message": item.message,
        "line": item.line,
        "places": item.places.iter().map(place).collect::<Vec<_>>(),
    })
}
