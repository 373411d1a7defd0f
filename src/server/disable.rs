//! What every finding offers besides its fixes: to disable its rule, and to explain it.

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::{
    CodeAction, CodeActionKind, Command, Diagnostic, ExecuteCommandParams, LspAny,
};
use tower_lsp::jsonrpc::{Error, Result};

use super::pool::{self, Cancellation};
use super::session::Snapshot;
use super::workspace_edit::workspace_edit;
use super::{command, convert};
use crate::format::names;
use crate::ide::{self, disable};
use crate::rule::page::standalone;
use crate::text::Span;
use crate::world::World;

/// Returns the page of a rule in Markdown.
pub(super) const EXPLAIN: &str = "agentmd.explain";

/// With more findings at one place, only the first get these actions.
const MOST: usize = 3;

/// The actions for the findings at `span` that the client names.
pub(super) fn actions(
    snapshot: &Snapshot,
    cancellation: &Cancellation,
    span: &Span,
    named: &[Diagnostic],
) -> Vec<CodeAction> {
    let codes: Vec<String> = named
        .iter()
        .filter_map(|diagnostic| serde_json::to_value(diagnostic.code.as_ref()?).ok())
        .filter_map(|code| code.as_str().map(str::to_owned))
        .collect();
    if codes.is_empty() {
        return Vec::new();
    }
    let client = &snapshot.client;
    snapshot.with(&|| cancellation.is_cancelled(), |document, cx| {
        let all = ide::diagnostics::diagnostics(document, cx);
        let at = |finding: &&crate::rule::Diagnostic| {
            finding.span.start <= span.end
                && span.start <= finding.span.end
                && codes.iter().any(|code| code == finding.rule.code)
        };
        let mut found: Vec<CodeAction> = Vec::new();
        for finding in all.iter().filter(at).take(MOST) {
            if cancellation.is_cancelled() {
                return found;
            }
            let code = finding.rule.code;
            let mends = Some(vec![convert::to_diagnostic(snapshot, finding)]);
            let action = |title: String| CodeAction {
                title,
                kind: Some(CodeActionKind::QuickFix),
                diagnostics: mends.clone(),
                ..Default::default()
            };
            let comments = disable::comments(document, cx, &all, finding);
            let comments =
                [("here", comments.here), ("in this file", comments.in_file)].into_iter();
            for (place, edits) in comments.filter_map(|(place, edits)| Some((place, edits?))) {
                let edit = Some(convert::workspace_edit(snapshot, &edits, None));
                found.push(CodeAction { edit, ..action(format!("Disable `{code}` {place}")) });
            }
            let read = |path: &std::path::Path| {
                let source = snapshot.world.read(path).ok()?;
                Some(source.text().to_string())
            };
            if let Ok(change) = disable::in_workspace(cx, finding.rule, &read)
                && (change.before.is_some() || client.creates_files)
            {
                let edit = Some(workspace_edit(snapshot, &[change], false));
                let title = format!("Disable `{code}` in the workspace (agentmd.toml)");
                found.push(CodeAction { edit, ..action(title) });
            }
            if client.shows_pages {
                let title = format!("Explain `{code}`");
                let arguments = serde_json::from_value(json!({ "code": code })).ok();
                let command = Command {
                    title: title.clone(),
                    command: EXPLAIN.to_owned(),
                    arguments: arguments.map(|argument| vec![argument]),
                    ..Default::default()
                };
                found.push(CodeAction { command: Some(command), ..action(title) });
            }
        }
        let mut titles = std::collections::HashSet::new();
        found.retain(|action| titles.insert(action.title.clone()));
        found
    })
}

/// The page that a command requests.
pub(super) fn explain(params: ExecuteCommandParams) -> Result<Option<LspAny>> {
    let given = command::argument(params.arguments);
    let code = given.get("code").and_then(Value::as_str).ok_or_else(|| {
        Error::invalid_params(format!("`{EXPLAIN}` takes one object with a `code`"))
    })?;
    let rule = names::rule(code).map_err(|error| pool::refusal(error.to_string()))?;
    Ok(serde_json::from_value(Value::String(standalone(rule))).ok())
}
