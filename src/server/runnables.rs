//! Lenses that run programs and their tests. The client runs them: the server never does. Only
//! clients that declare the commands get the lenses.

use serde_json::json;
use tower_lsp::gen_lsp_types::{CodeLens, Command};

use super::convert::MOST_ITEMS;
use super::pool::Cancellation;
use super::session::Snapshot;
use crate::answer::{Runnable, RunnableKind};
use crate::ide::code_lens;

/// Runs the program of a document. Takes one object: `uri`, and `sample` if it has an example of
/// its input.
pub(super) const RUN: &str = "agentmd.runProgram";
/// Runs the tests of a document. Takes one object: `uri`, and `case` for a single one.
pub(super) const TEST: &str = "agentmd.testProgram";

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
