//! The prompt of a program, for a live preview next to the editor.

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::{ExecuteCommandParams, LspAny};
use tower_lsp::jsonrpc::{Error, Result};

use super::backend::Backend;
use super::session::Snapshot;
use super::{command, pool};
use crate::ide::preview;

/// Returns the rendered prompt of a program with its tokens and problems; for an agent file, how
/// each client reads it; null for any other document.
pub(super) const COMMAND: &str = "agentmd.preview";

impl Backend {
    /// Takes one object: `uri`, and `input` unless the program's sample should be used.
    pub(super) fn preview(
        &self,
        params: ExecuteCommandParams,
    ) -> impl Future<Output = Result<Option<LspAny>>> + use<> {
        let given = command::argument(params.arguments);
        let uri = command::uri(&given);
        let input = given.get("input").filter(|input| !input.is_null()).cloned();
        let snapshot = uri.as_ref().and_then(|uri| self.session.snapshot(uri));
        async move {
            if uri.is_none() {
                let message = format!("`{COMMAND}` takes one object: `uri`, and maybe `input`");
                return Err(Error::invalid_params(message));
            }
            let snapshot =
                snapshot.ok_or_else(|| pool::refusal("the document is not open".to_owned()))?;
            let answer = pool::ask(move |cancellation| {
                let cancelled = || cancellation.is_cancelled();
                let shown =
                    snapshot.with(&cancelled, |document, cx| preview::preview(document, cx, input));
                let Some(shown) = shown else { return read(&snapshot, &cancelled) };
                let problem = |problem: &preview::Problem| {
                    let range = problem.span.as_ref().map(|span| snapshot.range(span));
                    json!({ "range": range, "message": problem.message, "fails": problem.fails })
                };
                let problems: Vec<Value> = shown.problems.iter().map(problem).collect();
                // As `agentmd loaded` counts for clients without a public vocabulary.
                let tokens = shown.text.as_ref().map(|text| text.len().div_ceil(4));
                Some(json!({
                    "text": shown.text,
                    "tokens": tokens,
                    "input": shown.input,
                    "sample": shown.sample,
                    "problems": problems,
                }))
            })
            .await?;
            Ok(answer.and_then(|answer| serde_json::from_value(answer).ok()))
        }
    }
}

/// How clients read an agent file.
fn read(snapshot: &Snapshot, cancelled: &(dyn Fn() -> bool + Sync)) -> Option<Value> {
    let found = snapshot.with(cancelled, preview::reading)?;
    let clients = found.verdicts.iter().map(|verdict| {
        json!({
            "title": verdict.title,
            "outcome": verdict.outcome,
            "reasons": verdict.reasons,
            "range": verdict.place.map(|place| snapshot.range(&(place..place))),
        })
    });
    Some(json!({
        "kind": found.kind,
        "clients": clients.collect::<Vec<_>>(),
        "tokens": found.text.len().div_ceil(4),
        "text": found.text,
    }))
}
