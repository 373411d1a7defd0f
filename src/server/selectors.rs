//! Selectors for a client: the one at a position, and the edit that rewrites selectors broken by
//! another edit.

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::{
    CodeAction, CodeActionKind, Command, ExecuteCommandParams, LspAny, Position,
};
use tower_lsp::jsonrpc::{Error, Result};

use super::backend::Backend;
use super::pool::{self, Cancellation};
use super::session::Snapshot;
use super::{command, workspace_edit};
use crate::ide::selectors;
use crate::text::Span;

/// Returns the selector at a position. The client copies it to the clipboard.
pub(super) const COPY: &str = "agentmd.copySelector";
/// Rewrites the selectors that an edit would break.
pub(super) const REWRITE: &str = "agentmd.rewriteSelectors";

/// The actions at `span` for selectors of this document; with `copying`, also the one that copies
/// its selector.
pub(super) fn actions(
    snapshot: &Snapshot,
    cancellation: &Cancellation,
    span: &Span,
    copying: bool,
) -> Vec<CodeAction> {
    let client = &snapshot.client;
    let mut found = Vec::new();
    let command = |name: &str, title: &str, arguments: Value| Command {
        title: title.to_owned(),
        command: name.to_owned(),
        arguments: serde_json::from_value(arguments).ok().map(|all| vec![all]),
        ..Default::default()
    };
    let action = |title: String, command: Command| CodeAction {
        title,
        kind: Some(CodeActionKind::Refactor),
        command: Some(command),
        ..Default::default()
    };
    // Only a client can access the clipboard.
    if copying
        && client.copies_selectors
        && let Some(selector) = snapshot.with(&|| cancellation.is_cancelled(), |document, cx| {
            selectors::selector(document, cx, span.start)
        })
    {
        let position = snapshot.range(&(span.start..span.start)).start;
        let arguments =
            json!({ "uri": snapshot.open.uri, "position": position, "selector": selector });
        found.push(action(
            format!("Copy selector `{selector}`"),
            command(COPY, "Copy selector", arguments),
        ));
    }
    if client.applies_edits
        && let Some(rewriting) =
            snapshot.with(&|| cancellation.is_cancelled(), |_, cx| selectors::rewriting(cx))
    {
        let (count, files) = (rewriting.count, rewriting.files.len());
        let many = |count: usize, word: &str| {
            if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
        };
        let title = format!(
            "Update {} of moved content, in {}",
            many(count, "selector"),
            many(files, "file")
        );
        let arguments = json!({ "uri": snapshot.open.uri, "version": snapshot.open.version });
        found.push(action(title, command(REWRITE, "Rewrite selectors", arguments)));
    }
    found
}

/// The arguments of a command.
struct Given {
    snapshot: Option<Snapshot>,
    arguments: Value,
}

impl Backend {
    fn given(&self, params: ExecuteCommandParams) -> Result<Given> {
        let arguments = command::argument(params.arguments);
        let uri = command::uri(&arguments);
        let uri = uri.ok_or_else(|| {
            Error::invalid_params(format!("`{}` takes one object with a `uri`", params.command))
        })?;
        Ok(Given { snapshot: self.session.snapshot(&uri), arguments })
    }

    /// Returns the selector at a position: a string, or null if nothing can be selected.
    pub(super) fn copy_selector(
        &self,
        params: ExecuteCommandParams,
    ) -> impl Future<Output = Result<Option<LspAny>>> + use<> {
        let given = self.given(params);
        async move {
            let Given { snapshot, arguments } = given?;
            let position = arguments
                .get("position")
                .and_then(|position| serde_json::from_value::<Position>(position.clone()).ok());
            let position = position.ok_or_else(|| {
                Error::invalid_params(format!("`{COPY}` takes one object: `uri` and `position`"))
            })?;
            let snapshot =
                snapshot.ok_or_else(|| pool::refusal("the document is not open".to_owned()))?;
            let found = pool::ask(move |cancellation| {
                snapshot.at(position, cancellation, selectors::selector)
            })
            .await?;
            Ok(found.and_then(|selector| serde_json::from_value(Value::String(selector)).ok()))
        }
    }

    /// Asks the client to rewrite the selectors of moved content in all files.
    pub(super) fn rewrite_selectors(
        &self,
        params: ExecuteCommandParams,
    ) -> impl Future<Output = Result<Option<LspAny>>> + use<> {
        let given = self.given(params);
        let client = self.client.clone();
        async move {
            let Given { snapshot, arguments } = given?;
            let snapshot = snapshot
                .ok_or_else(|| pool::refusal("the document is no longer open".to_owned()))?;
            let version = arguments.get("version").and_then(Value::as_i64);
            if version.is_some_and(|version| version != i64::from(snapshot.open.version)) {
                return Err(pool::refusal("the document has changed; look at it again".to_owned()));
            }
            let (snapshot, edit) = pool::ask(move |cancellation| {
                let found = snapshot
                    .with(&|| cancellation.is_cancelled(), |_, cx| selectors::rewriting(cx));
                let edit = found.and_then(|found| {
                    let edits = found.files.into();
                    workspace_edit::renaming(
                        &snapshot.world,
                        &snapshot.client,
                        Some(&snapshot),
                        &edits,
                    )
                });
                (snapshot, edit)
            })
            .await?;
            let edit = edit.ok_or_else(|| pool::refusal("no selectors to update".to_owned()))?;
            let answer = client.apply_edit(edit).await?;
            match (answer.applied, answer.failure_reason) {
                (true, _) => {
                    snapshot.with(&|| false, |_, cx| selectors::rewritten(cx));
                    Ok(None)
                }
                (false, reason) => {
                    let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
                    Err(pool::refusal(format!("the editor did not apply the edit{reason}")))
                }
            }
        }
    }
}
