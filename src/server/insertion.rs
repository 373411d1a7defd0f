//! Inserts files that are dropped or pasted into a document.

use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::{ExecuteCommandParams, LspAny, Position, TextEdit, Uri};
use tower_lsp::jsonrpc::{Error, Result};

use super::backend::Backend;
use super::{command, pool, uri};
use crate::ide::insertion;

/// Returns the ways to insert a file at a position, each with its edit.
pub(super) const COMMAND: &str = "agentmd.insertions";

#[derive(Debug, Deserialize)]
struct Wanted {
    uri: String,
    position: Position,
    /// The file to insert.
    file: String,
}

impl Backend {
    /// Takes one object: `uri`, `position` and `file`, the URI of the file to insert.
    pub(super) fn insertions(
        &self,
        params: ExecuteCommandParams,
    ) -> impl Future<Output = Result<Option<LspAny>>> + use<> {
        let given = command::argument(params.arguments);
        let wanted: std::result::Result<Wanted, _> = serde_json::from_value(given);
        let snapshot =
            wanted.as_ref().ok().and_then(|wanted| self.session.snapshot(&Uri(wanted.uri.clone())));
        async move {
            let wanted = wanted.map_err(|error| {
                Error::invalid_params(format!(
                    "`{COMMAND}` takes one object: `uri`, `position` and `file`: {error}"
                ))
            })?;
            let snapshot =
                snapshot.ok_or_else(|| pool::refusal("the document is not open".to_owned()))?;
            let Some(file) = uri::to_path(&wanted.file) else { return Ok(None) };
            let answer = pool::ask(move |cancellation| {
                let offset = snapshot.offset(wanted.position);
                let found = snapshot.with(&|| cancellation.is_cancelled(), |document, cx| {
                    insertion::insertions(document, cx, offset, &file)
                });
                let found = found.into_iter().map(|insertion| {
                    let range = snapshot.range(&insertion.edit.span);
                    let edit = TextEdit { range, new_text: insertion.edit.text };
                    json!({ "title": insertion.title, "kind": insertion.kind, "edit": edit })
                });
                Value::Array(found.collect())
            })
            .await?;
            Ok(serde_json::from_value(answer).ok())
        }
    }
}
