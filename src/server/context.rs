//! Adds lines of a document to a context pack: a command that editors bind, and a code action.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use tower_lsp::gen_lsp_types::{
    CodeAction, CodeActionKind, DocumentChange, Edit, ExecuteCommandParams, LspAny,
    OptionalVersionedTextDocumentIdentifier, Range, TextDocumentEdit, TextDocumentIdentifier,
    TextEdit, Uri, WorkspaceEdit,
};
use tower_lsp::jsonrpc::{Error, Result};

use super::backend::Backend;
use super::capabilities::Client;
use super::command;
use super::convert::from_range;
use super::overlay::Overlay;
use super::pool::{self, Cancellation};
use super::session::{Documents, Open, Snapshot};
use super::uri::Key;
use crate::format::Context;
use crate::format::context::write::Entry;
use crate::format::context::{FORMAT, Packs, actions::append};
use crate::text::{Encoding, Span};
use crate::world;

/// The command that adds lines to a pack.
pub(super) const COMMAND: &str = "agentmd.addToContext";

/// The most recently opened document with a pack in it.
fn newest(documents: &Documents) -> Option<&Arc<Open>> {
    let packs = documents
        .values()
        .filter(|open| open.document.format().name == FORMAT.name && has_pack(open));
    packs.max_by_key(|open| open.order)
}

/// Whether a document has a pack other than the chat's own.
fn has_pack(open: &Open) -> bool {
    packs(open).is_some_and(|packs| packs.layout.packs.iter().any(|pack| !pack.chat))
}

fn packs(open: &Open) -> Option<&Packs> {
    open.document.model().as_any().downcast_ref()
}

/// Offers to add selected lines to the newest open pack.
pub(super) fn actions(
    snapshot: &Snapshot,
    cancellation: &Cancellation,
    span: &Span,
) -> Option<CodeAction> {
    let target = newest(snapshot.world.documents()).filter(|_| !span.is_empty())?;
    let asked = Asked { world: &snapshot.world, client: &snapshot.client, cancellation };
    let edit = asked.edit(&snapshot.open, span, target).ok()?;
    let name = target
        .key
        .path()
        .and_then(Path::file_name)
        .map_or_else(|| target.uri.0.clone(), |name| name.to_string_lossy().into_owned());
    Some(CodeAction {
        title: format!("Add to context pack {name}"),
        kind: Some(CodeActionKind::Refactor),
        edit: Some(edit),
        ..Default::default()
    })
}

/// The requesting client and the server's state.
struct Asked<'a> {
    world: &'a Overlay,
    client: &'a Client,
    cancellation: &'a Cancellation,
}

impl Asked<'_> {
    /// The edit that appends the lines of `span` to the pack of another document.
    fn edit(
        &self,
        source: &Open,
        span: &Span,
        target: &Open,
    ) -> std::result::Result<WorkspaceEdit, String> {
        if source.key == target.key {
            return Err("the pack contains these lines already; choose another document".to_owned());
        }
        let cancelled = || self.cancellation.is_cancelled();
        let document = target.document.source();
        let cx = Context {
            source: document,
            path: target.key.path(),
            world: self.world,
            config: &target.config,
            cancelled: &cancelled,
        };
        let path = source
            .key
            .path()
            .ok_or_else(|| "save the document first: its lines need a file".to_owned())?;
        let edit = append(packs(target), &cx, &entry(source, span, &name(path, cx.root())));
        let edit =
            TextEdit { range: target.range(&edit.span, self.client.encoding), new_text: edit.text };
        if !self.client.document_changes {
            return Ok(WorkspaceEdit {
                changes: Some([(target.uri.clone(), vec![edit])].into()),
                ..Default::default()
            });
        }
        let version = self.world.documents().contains_key(&target.key).then_some(target.version);
        let text_document = OptionalVersionedTextDocumentIdentifier {
            version,
            text_document_identifier: TextDocumentIdentifier { uri: target.uri.clone() },
        };
        let change = DocumentChange::TextDocumentEdit(TextDocumentEdit {
            text_document,
            edits: vec![Edit::TextEdit(edit)],
        });
        Ok(WorkspaceEdit { document_changes: Some(vec![change]), ..Default::default() })
    }
}

/// The name of a file in a pack: relative to its workspace folder, if it's inside one.
fn name(path: &Path, root: Option<PathBuf>) -> String {
    let short = root.and_then(|root| path.strip_prefix(root).ok().map(Path::to_owned));
    world::slashed(short.as_deref().unwrap_or(path))
}

/// The whole lines that a selection touches. One that ends at the start of a line excludes that
/// line.
fn entry(source: &Open, span: &Span, name: &str) -> Entry {
    let text = source.document.source();
    let mark = if text.slice(0..3) == "\u{feff}" { 3 } else { 0 };
    let begins = text.line_span(span.end).start == span.end && span.end > span.start;
    let last = text.line_span(if begins { span.end - 1 } else { span.end });
    let lines = text.line_span(span.start).start.max(mark)..last.end;
    let line = |offset: usize| (text.position(offset, Encoding::Utf8).line + 1).to_string();
    Entry {
        kind: "code".to_owned(),
        filename: Some(name.to_owned()),
        lines: Some((line(lines.start), line(lines.end))),
        content: text.slice(lines.start..lines.end.max(lines.start)).into_owned(),
    }
}

/// The command's arguments.
struct Request {
    source: Uri,
    range: Range,
    target: Option<Uri>,
}

impl Request {
    fn read(params: ExecuteCommandParams) -> Option<Self> {
        let given = command::argument(params.arguments);
        let uri = |key: &str| given.get(key).and_then(Value::as_str).map(|uri| Uri(uri.to_owned()));
        Some(Self {
            source: uri("uri")?,
            range: serde_json::from_value(given.get("range")?.clone()).ok()?,
            target: uri("target"),
        })
    }
}

impl Backend {
    /// Asks the client to append lines of a document to a pack.
    pub(super) fn add_to_context(
        &self,
        params: ExecuteCommandParams,
    ) -> impl Future<Output = Result<Option<LspAny>>> + use<> {
        let request = Request::read(params);
        let session = Arc::clone(&self.session);
        let documents = session.documents();
        let client = self.client.clone();
        async move {
            let Some(request) = request else {
                return Err(Error::invalid_params(format!(
                    "`{COMMAND}` takes one object: `uri`, `range` and, if it is not the newest open pack, `target`"
                )));
            };
            let planned = pool::ask(move |cancellation| {
                let can = session.client();
                if !can.applies_edits {
                    return Err(
                        "this editor doesn't let servers apply edits; use `agentmd context`"
                            .to_owned(),
                    );
                }
                let find = |uri: &Uri| {
                    let key = Key::new(uri);
                    documents
                        .get(&key)
                        .cloned()
                        .or_else(|| Some(session.snapshot_of_file(&key)?.open))
                };
                let source =
                    find(&request.source).ok_or_else(|| "cannot read the document".to_owned())?;
                let target = match &request.target {
                    Some(target) => find(target)
                        .ok_or_else(|| "cannot read the document of the pack".to_owned())?,
                    None => newest(&documents).cloned().ok_or_else(|| {
                        "no context pack is open; name its document as `target`".to_owned()
                    })?,
                };
                let span = from_range(source.document.source(), request.range, can.encoding);
                let world = session.world_of(documents.clone());
                Asked { world: &world, client: &can, cancellation }.edit(&source, &span, &target)
            });
            let answer = client.apply_edit(planned.await?.map_err(pool::refusal)?).await?;
            match (answer.applied, answer.failure_reason) {
                (true, _) => Ok(None),
                (false, reason) => {
                    let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
                    Err(pool::refusal(format!("the editor did not apply the edit{reason}")))
                }
            }
        }
    }
}
