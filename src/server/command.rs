//! The server's commands: their names and handlers.

use serde_json::Value;
use tower_lsp::gen_lsp_types::{ExecuteCommandParams, LspAny, Uri};
use tower_lsp::jsonrpc::{Error, Result};

use super::backend::Backend;
use super::{agents, apply, disable, insertion, preview, references, review, runnables};
use super::{context, selectors, show};

/// Every command, as listed by `initialize`.
pub(super) const NAMES: &[&str] = &[
    apply::COMMAND,
    apply::APPLIED,
    context::COMMAND,
    show::COMMAND,
    selectors::COPY,
    selectors::REWRITE,
    agents::LOADED,
    agents::COST,
    agents::GRAPH,
    agents::OVERVIEW,
    disable::EXPLAIN,
    preview::COMMAND,
    references::COMMAND,
    review::COMMAND,
    review::COMPARE,
    insertion::COMMAND,
    runnables::CASES,
];

/// The argument of a command: all take one value. `null` without one.
pub(super) fn argument(arguments: Option<Vec<LspAny>>) -> Value {
    let first = arguments.unwrap_or_default().into_iter().next();
    first.and_then(|given| serde_json::to_value(given).ok()).unwrap_or_default()
}

/// The document that an argument names.
pub(super) fn uri(given: &Value) -> Option<Uri> {
    given.get("uri").and_then(Value::as_str).map(|uri| Uri(uri.to_owned()))
}

impl Backend {
    pub(super) async fn command(&self, params: ExecuteCommandParams) -> Result<Option<LspAny>> {
        match params.command.as_str() {
            apply::COMMAND => self.apply(params).await,
            context::COMMAND => self.add_to_context(params).await,
            apply::APPLIED => self.applied(params).await,
            show::COMMAND => self.show(params).await,
            selectors::COPY => self.copy_selector(params).await,
            selectors::REWRITE => self.rewrite_selectors(params).await,
            agents::LOADED | agents::COST | agents::GRAPH | agents::OVERVIEW => {
                self.agents(params).await
            }
            disable::EXPLAIN => disable::explain(params),
            preview::COMMAND => self.preview(params).await,
            references::COMMAND => Ok(None),
            review::COMMAND => self.review(params).await,
            review::COMPARE => self.compare(params).await,
            insertion::COMMAND => self.insertions(params).await,
            runnables::CASES => self.cases(params).await,
            other => Err(Error::invalid_params(format!("unknown command `{other}`"))),
        }
    }
}
