//! Lenses that run programs and their tests. The client runs them: the server never does. Only
//! clients that declare the commands get the lenses.

use std::sync::Arc;

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::{CodeLens, Command, ExecuteCommandParams, LspAny};
use tower_lsp::jsonrpc::{Error, Result};

use super::backend::Backend;
use super::command;
use super::convert::MOST_ITEMS;
use super::pool::{self, Cancellation};
use super::session::Snapshot;
use super::uri::Key;
use crate::answer::{Runnable, RunnableKind};
use crate::ide::code_lens;

/// Runs the program of a document. Takes one object: `uri`, and `sample` if it has an example of
/// its input.
pub(super) const RUN: &str = "agentmd.runProgram";
/// Runs the tests of a document. Takes one object: `uri`, and `case` for a single one.
pub(super) const TEST: &str = "agentmd.testProgram";

/// Returns the runnable program and tests of a file, which need not be open.
pub(super) const CASES: &str = "agentmd.cases";

/// The lenses of a document, for clients that can run programs.
pub(super) fn lenses(snapshot: &Snapshot, cancellation: &Cancellation) -> Vec<CodeLens> {
    let is_saved = snapshot.open.key.path().is_some();
    if !snapshot.client.runs_programs || !is_saved {
        return Vec::new();
    }
    let found = snapshot.with(&|| cancellation.is_cancelled(), code_lens::runnables);
    found.iter().take(MOST_ITEMS).map(|runnable| lens(snapshot, runnable)).collect()
}

fn lens(snapshot: &Snapshot, runnable: &Runnable) -> CodeLens {
    let uri = &snapshot.open.uri;
    let (title, command, argument) = match &runnable.kind {
        RunnableKind::Run { sample } => ("Run", RUN, json!({ "uri": uri, "sample": sample })),
        RunnableKind::Test { case: None } => ("Test", TEST, json!({ "uri": uri })),
        RunnableKind::Test { case } => ("Test", TEST, json!({ "uri": uri, "case": case })),
    };
    let start = snapshot.source().line_span(runnable.span.start).start;
    CodeLens {
        range: snapshot.range(&(start..start)),
        command: Some(Command {
            title: title.to_owned(),
            command: command.to_owned(),
            arguments: serde_json::from_value(argument).ok().map(|argument| vec![argument]),
            ..Default::default()
        }),
        data: None,
    }
}

impl Backend {
    /// Takes one object: `uri`. Answers with the named cases and their ranges, and whether the
    /// document is a program that can run.
    pub(super) fn cases(
        &self,
        params: ExecuteCommandParams,
    ) -> impl Future<Output = Result<Option<LspAny>>> + use<> {
        let given = command::argument(params.arguments);
        let uri = command::uri(&given);
        let session = Arc::clone(&self.session);
        async move {
            let uri = uri.ok_or_else(|| {
                Error::invalid_params(format!("`{CASES}` takes one object: `uri`"))
            })?;
            let answer = pool::ask(move |cancellation| {
                let snapshot = session.snapshot_of_file(&Key::new(&uri))?;
                let found = snapshot.with(&|| cancellation.is_cancelled(), code_lens::runnables);
                let case = |runnable: &Runnable| match &runnable.kind {
                    RunnableKind::Test { case: Some(name) } => Some(json!({
                        "name": name,
                        "range": snapshot.range(&runnable.span),
                    })),
                    _ => None,
                };
                let runs =
                    found.iter().any(|runnable| matches!(runnable.kind, RunnableKind::Run { .. }));
                let cases: Vec<Value> = found.iter().filter_map(case).take(MOST_ITEMS).collect();
                Some(json!({ "cases": cases, "runs": runs }))
            })
            .await?;
            Ok(answer.and_then(|answer| serde_json::from_value(answer).ok()))
        }
    }
}
