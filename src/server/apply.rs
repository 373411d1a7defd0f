//! Changes of files as a client can make them: one workspace edit, which it shows before it does it where it can. The
//! server itself writes nothing.

use std::collections::HashMap;

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::{
    AnnotatedTextEdit, ChangeAnnotation, CodeAction, CodeActionDisabled, CodeActionKind, CodeLens, Command, CreateFile, CreateFileOptions,
    DeleteFile, DeleteFileOptions, DocumentChange, Edit, ExecuteCommandParams, LspAny, OptionalVersionedTextDocumentIdentifier, Position, Range,
    TextDocumentEdit, TextDocumentIdentifier, TextEdit, Uri, WorkspaceEdit,
};
use tower_lsp::jsonrpc::{Error, Result};

use super::backend::Backend;
use super::capabilities::Client;
use super::convert::to_range;
use super::pool::{self, Cancellation};
use super::session::Snapshot;
use super::uri;
use crate::ide::apply::{self, Application};
use crate::ide::code_lens;
use crate::plan::FileChange;
use crate::source::Source;
use crate::text::{Span, difference};
use crate::world::World;

/// The command that a lens runs.
pub(super) const COMMAND: &str = "agentmd.apply";

/// Whether a client can make a change at all.
fn can(client: &Client, change: &FileChange) -> std::result::Result<(), &'static str> {
    match (&change.before, &change.after) {
        (None, Some(_)) if !client.creates_files => Err("This editor lets no server create files. `agentmd apply` does."),
        (Some(_), None) if !client.deletes_files => Err("This editor lets no server delete files. `agentmd apply` does."),
        _ => Ok(()),
    }
}

/// Whether a change may be made together with others: where nobody is asked, one that loses something may not.
fn together(client: &Client, change: &FileChange) -> bool {
    can(client, change).is_ok() && (client.change_annotations || !(change.risky || change.sensitive))
}

fn offers(snapshot: &Snapshot, cancellation: &Cancellation, span: Option<Span>) -> Vec<Application> {
    let client = &snapshot.client;
    snapshot.with(&|| cancellation.is_cancelled(), |document, cx| {
        let together = |change: &FileChange| together(client, change);
        match span {
            Some(span) => apply::applications(document, cx, &span, &together),
            None => code_lens::lenses(document, cx, &together),
        }
    })
}

/// The actions at `span` that change files.
pub(super) fn actions(snapshot: &Snapshot, cancellation: &Cancellation, span: Span) -> Vec<CodeAction> {
    let action = |offer: Application| {
        let refused = offer.changes.iter().find_map(|change| can(&snapshot.client, change).err());
        let disabled = refused.map(|reason| CodeActionDisabled { reason: reason.to_owned() });
        if disabled.is_some() && !snapshot.client.disabled_actions {
            return None;
        }
        let edit = disabled.is_none().then(|| workspace_edit(snapshot, &offer.changes));
        Some(CodeAction { title: offer.title, kind: Some(CodeActionKind::Refactor), disabled, edit, ..Default::default() })
    };
    offers(snapshot, cancellation, Some(span)).into_iter().filter_map(action).collect()
}

/// The lenses of a document. Each names the version that it was made for.
pub(super) fn lenses(snapshot: &Snapshot, cancellation: &Cancellation) -> Vec<CodeLens> {
    let offers = offers(snapshot, cancellation, None).into_iter();
    let possible = offers.filter(|offer| offer.changes.iter().all(|change| can(&snapshot.client, change).is_ok()));
    possible
        .map(|offer| {
            let line = snapshot.source().line_span(offer.span.start);
            let arguments = json!({ "uri": snapshot.open.uri, "version": snapshot.open.version, "blocks": offer.blocks });
            let command = Command {
                title: offer.title,
                command: COMMAND.to_owned(),
                arguments: serde_json::from_value(arguments).ok().map(|all| vec![all]),
                ..Default::default()
            };
            CodeLens { range: snapshot.range(&(line.start..line.start)), command: Some(command), data: None }
        })
        .collect()
}

impl Backend {
    /// Has the client apply the blocks that a lens named.
    pub(super) fn apply(&self, params: ExecuteCommandParams) -> impl Future<Output = Result<Option<LspAny>>> + use<> {
        let given = params.arguments.unwrap_or_default().into_iter().next().and_then(|given| serde_json::to_value(given).ok()).unwrap_or_default();
        let target = given.get("uri").and_then(Value::as_str).map(|uri| Uri(uri.to_owned()));
        let blocks: Option<Vec<u64>> = given.get("blocks").and_then(|blocks| serde_json::from_value(blocks.clone()).ok());
        let version = given.get("version").and_then(Value::as_i64);
        let snapshot = target.as_ref().and_then(|uri| self.session.snapshot(uri));
        let client = self.client.clone();
        async move {
            let (Some(_), Some(blocks)) = (target, blocks) else {
                return Err(Error::invalid_params(format!("`{COMMAND}` takes one object: `uri`, `version` and `blocks`")));
            };
            let snapshot = snapshot.ok_or_else(|| pool::refusal("The reply is not open any more.".to_owned()))?;
            if version.is_some_and(|version| version != i64::from(snapshot.open.version)) {
                return Err(pool::refusal("The reply has changed since. Look at it again.".to_owned()));
            }
            let refreshes = snapshot.client.refreshes_lenses;
            let edit = pool::ask(move |cancellation| planned(&snapshot, cancellation, &blocks)).await?.map_err(pool::refusal)?;
            let answer = client.apply_edit(edit).await?;
            if refreshes {
                // The lenses say what the files were like before.
                tokio::spawn(async move { drop(client.code_lens_refresh().await) });
            }
            match (answer.applied, answer.failure_reason) {
                (true, _) => Ok(None),
                (false, Some(reason)) => Err(pool::refusal(format!("The editor did not apply the edit: {reason}"))),
                (false, None) => Err(pool::refusal("The editor did not apply the edit.".to_owned())),
            }
        }
    }
}

/// The edit that applies all of these blocks, or why there is none.
fn planned(snapshot: &Snapshot, cancellation: &Cancellation, blocks: &[u64]) -> std::result::Result<WorkspaceEdit, String> {
    if !snapshot.client.applies_edits {
        return Err("This editor lets no server apply edits. `agentmd apply` does.".to_owned());
    }
    let plan = snapshot.with(&|| cancellation.is_cancelled(), |document, cx| apply::plan(document, cx, blocks));
    if let Some(refusal) = plan.refusals.into_iter().next() {
        return Err(refusal.message);
    }
    if let Some(reason) = plan.changes.iter().find_map(|change| can(&snapshot.client, change).err()) {
        return Err(reason.to_owned());
    }
    if plan.changes.is_empty() {
        return Err("There is nothing to apply: the files are as the reply wants them.".to_owned());
    }
    Ok(workspace_edit(snapshot, &plan.changes))
}

/// What editors group changes by, and ask about.
fn annotation(change: &FileChange) -> (&'static str, ChangeAnnotation) {
    let (id, label) = match (&change.before, &change.after) {
        (None, _) => ("create", "Create files"),
        (_, None) => ("delete", "Delete files"),
        _ if change.risky => ("overwrite", "Overwrite files that are there already"),
        _ if change.sensitive => ("sensitive", "Change programs, secrets and files that git ignores"),
        _ => ("replace", "Replace the text of files"),
    };
    (id, ChangeAnnotation { label: label.to_owned(), needs_confirmation: (change.risky || change.sensitive).then_some(true), description: None })
}

/// Changes as one edit, in the form that the client knows.
pub(super) fn workspace_edit(snapshot: &Snapshot, changes: &[FileChange]) -> WorkspaceEdit {
    let client = &snapshot.client;
    // Some clients name the operations that they know and forget to name the form that these come in.
    if !client.document_changes && !client.creates_files && !client.deletes_files {
        let edits = changes.iter().map(|change| (uri(snapshot, change).0, text_edits(snapshot, change)));
        return WorkspaceEdit { changes: Some(edits.collect()), ..Default::default() };
    }
    let mut annotations = HashMap::new();
    let mut all = Vec::new();
    for change in changes {
        let (id, annotation) = annotation(change);
        let id = client.change_annotations.then(|| id.to_owned());
        annotations.extend(id.clone().map(|id| (id, annotation)));
        let (uri, version) = uri(snapshot, change);
        match (&change.before, &change.after) {
            (_, None) => {
                let options = Some(DeleteFileOptions { recursive: Some(false), ignore_if_not_exists: Some(true) });
                all.push(DocumentChange::DeleteFile(DeleteFile { uri, options, annotation_id: id }));
                continue;
            }
            // Without the option some clients empty a file that has come into being meanwhile; with it Neovim makes no
            // folder. Where there is no folder, there is no file.
            (None, _) => {
                let folder = change.path.parent().is_some_and(|folder| snapshot.world.kind(folder).is_some());
                let options = folder.then_some(CreateFileOptions { overwrite: None, ignore_if_exists: Some(true) });
                all.push(DocumentChange::CreateFile(CreateFile { uri: uri.clone(), options, annotation_id: id.clone() }));
            }
            _ => {}
        }
        let edits: Vec<Edit> = text_edits(snapshot, change)
            .into_iter()
            .map(|text_edit| match &id {
                Some(id) => Edit::AnnotatedTextEdit(AnnotatedTextEdit { annotation_id: id.clone(), text_edit }),
                None => Edit::TextEdit(text_edit),
            })
            .collect();
        if !edits.is_empty() {
            let text_document = OptionalVersionedTextDocumentIdentifier { version, text_document_identifier: TextDocumentIdentifier { uri } };
            all.push(DocumentChange::TextDocumentEdit(TextDocumentEdit { text_document, edits }));
        }
    }
    WorkspaceEdit { document_changes: Some(all), change_annotations: (!annotations.is_empty()).then_some(annotations), ..Default::default() }
}

/// The file as the client spells it, and its version if it is open.
fn uri(snapshot: &Snapshot, change: &FileChange) -> (Uri, Option<i32>) {
    match snapshot.world.open(&change.path) {
        Some(open) => (open.uri.clone(), Some(open.version)),
        None => (uri::from_path(&change.path), None),
    }
}

/// The smallest edit that makes the new text of the old one.
fn text_edits(snapshot: &Snapshot, change: &FileChange) -> Vec<TextEdit> {
    let (Some(after), start) = (&change.after, Position { line: 0, character: 0 }) else { return Vec::new() };
    let Some(before) = &change.before else {
        // Behind the only line of an empty text, where the client would end up with one more.
        let end = if snapshot.client.ends_lines && after.ends_with('\n') { Position { line: 1, character: 0 } } else { start };
        let edit = TextEdit { range: Range { start, end }, new_text: after.clone() };
        return if after.is_empty() { Vec::new() } else { vec![edit] };
    };
    let open = snapshot.world.open(&change.path).is_some();
    let Some(mut edit) = difference(before, after) else { return Vec::new() };
    // What is added to the end is added to the last line: some editors know no line behind it.
    if edit.span.start == before.len()
        && let Some(last) = ["\r\n", "\n"].into_iter().find(|last| before.ends_with(last))
    {
        edit.span.start -= last.len();
        edit.text.insert_str(0, last);
    }
    let source = Source::new(before);
    let first = source.line_span(0);
    if !open && before.starts_with('\u{feff}') && edit.span.start <= first.end {
        // An editor that opens the file does not count the byte order mark: the first line is replaced from its start.
        let head = before.get('\u{feff}'.len_utf8()..edit.span.start).unwrap_or_default();
        edit.text.insert_str(0, head);
        let end = to_range(&source, &(edit.span.end..edit.span.end), snapshot.encoding()).end;
        let mark = if end.line == 0 { crate::text::Encoding::column(snapshot.encoding(), source.text(), 0, '\u{feff}'.len_utf8()) as u32 } else { 0 };
        let end = Position { line: end.line, character: end.character.saturating_sub(mark) };
        return vec![TextEdit { range: Range { start, end }, new_text: edit.text }];
    }
    vec![TextEdit { range: to_range(&source, &edit.span, snapshot.encoding()), new_text: edit.text }]
}
