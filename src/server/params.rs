//! Parameters of the messages that come with every key press, reduced to the fields that are used.
//! The types of `gen_lsp_types` flatten others into them, so serde builds a tree of a message first.

use serde::Deserialize;
use tower_lsp::gen_lsp_types::{CodeActionContext, Position, Range, TextDocumentIdentifier, Uri};

/// A request about a document.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    pub text_document: TextDocumentIdentifier,
    /// The result that the client has.
    pub previous_result_id: Option<String>,
}

/// A request about a position.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct At {
    pub text_document: TextDocumentIdentifier,
    pub position: Position,
}

/// A request about a range.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct In {
    pub text_document: TextDocumentIdentifier,
    pub range: Range,
}

/// `textDocument/codeAction`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Actions {
    pub text_document: TextDocumentIdentifier,
    pub range: Range,
    pub context: CodeActionContext,
}

/// `textDocument/didChange`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Changed {
    pub text_document: Versioned,
    pub content_changes: Vec<Change>,
}

#[derive(Deserialize)]
pub(super) struct Versioned {
    pub uri: Uri,
    pub version: i32,
}

/// A change; without a range, of the whole text.
#[derive(Deserialize)]
pub(super) struct Change {
    pub range: Option<Range>,
    pub text: String,
}
