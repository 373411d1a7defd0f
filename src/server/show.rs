//! A lens that has nothing to apply shows the lines that it is about.

use std::path::Path;

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::{
    Command, ExecuteCommandParams, LspAny, Position, Range, ShowDocumentParams,
};
use tower_lsp::jsonrpc::{Error, Result};

use super::backend::Backend;
use super::session::Snapshot;
use super::uri;
use super::{command, pool};
use crate::text::Span;

/// The command of such a lens.
pub(super) const COMMAND: &str = "agentmd.show";

/// Shows lines, counted from 0, of a file, or of the document of the snapshot.
pub(super) fn command(
    snapshot: &Snapshot,
    title: String,
    path: Option<&Path>,
    lines: &Span,
) -> Command {
    let uri = match path {
        Some(path) => {
            snapshot.world.open(path).map_or_else(|| uri::from_path(path), |open| open.uri.clone())
        }
        None => snapshot.open.uri.clone(),
    };
    let argument = json!({ "uri": uri, "line": lines.start });
    Command {
        title,
        command: COMMAND.to_owned(),
        arguments: serde_json::from_value(argument).ok().map(|argument| vec![argument]),
        ..Default::default()
    }
}

impl Backend {
    /// Asks the client to show a lens's location, or displays it as a message.
    pub(super) fn show(
        &self,
        params: ExecuteCommandParams,
    ) -> impl Future<Output = Result<Option<LspAny>>> + use<> {
        let given = command::argument(params.arguments);
        let uri = command::uri(&given);
        let line = given
            .get("line")
            .and_then(Value::as_u64)
            .and_then(|line| u32::try_from(line).ok())
            .unwrap_or_default();
        let (client, shows) = (self.client.clone(), self.session.client().shows_documents);
        async move {
            let uri = uri.ok_or_else(|| {
                Error::invalid_params(format!("`{COMMAND}` takes one object: `uri` and `line`"))
            })?;
            if !shows {
                let name = uri::to_path(&uri.0).map_or(uri.0, |path| path.display().to_string());
                return Err(pool::refusal(format!("see {name}, line {}", line + 1)));
            }
            let start = Position { line, character: 0 };
            let selection = Some(Range { start, end: start });
            client
                .show_document(ShowDocumentParams {
                    uri,
                    external: None,
                    take_focus: Some(true),
                    selection,
                })
                .await?;
            Ok(None)
        }
    }
}
