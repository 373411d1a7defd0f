//! Builds changes of files in the form that a client supports.

use std::collections::HashMap;

use tower_lsp::gen_lsp_types::{
    AnnotatedTextEdit, ChangeAnnotation, CreateFile, CreateFileOptions, DeleteFile,
    DeleteFileOptions, DocumentChange, Edit, OptionalVersionedTextDocumentIdentifier, Position,
    Range, RenameFile, RenameFileOptions, TextDocumentEdit, TextDocumentIdentifier, TextEdit, Uri,
    WorkspaceEdit,
};

use super::capabilities::Client;
use super::convert::{to_range, to_range_in_file};
use super::overlay::Overlay;
use super::session::Snapshot;
use super::uri;
use crate::answer::Renaming;
use crate::plan::FileChange;
use crate::source::Source;
use crate::text;
use crate::world::World;

/// Annotations by which editors group changes and ask for confirmation. `likely`: the place was not
/// found exactly.
fn annotation(change: &FileChange, likely: bool) -> (&'static str, ChangeAnnotation) {
    let (id, label) = match (&change.before, &change.after) {
        _ if likely => ("likely", "Edit a likely match"),
        (None, _) => ("create", "Create files"),
        (_, None) => ("delete", "Delete files"),
        _ if change.risky => ("overwrite", "Overwrite existing files"),
        _ if !change.doubts.is_empty() => {
            ("sensitive", "Change programs, secrets, CI and git-ignored files")
        }
        _ => ("replace", "Replace the content of files"),
    };
    let risky = change.risky || !change.doubts.is_empty() || likely;
    (
        id,
        ChangeAnnotation {
            label: label.to_owned(),
            needs_confirmation: risky.then_some(true),
            description: None,
        },
    )
}

/// Changes as one edit, in the form that the client supports.
pub(super) fn workspace_edit(
    snapshot: &Snapshot,
    changes: &[FileChange],
    likely: bool,
) -> WorkspaceEdit {
    let client = &snapshot.client;
    // Some clients list the operations that they support, but not the form that contains them.
    if !client.document_changes && !client.creates_files && !client.deletes_files {
        let edits =
            changes.iter().map(|change| (uri(snapshot, change).0, text_edits(snapshot, change)));
        return WorkspaceEdit { changes: Some(edits.collect()), ..Default::default() };
    }
    let mut annotations = HashMap::new();
    let mut all = Vec::new();
    for change in changes {
        let (id, annotation) = annotation(change, likely);
        let id = client.change_annotations.then(|| id.to_owned());
        annotations.extend(id.clone().map(|id| (id, annotation)));
        let (uri, version) = uri(snapshot, change);
        match (&change.before, &change.after) {
            (_, None) => {
                let options = Some(DeleteFileOptions {
                    recursive: Some(false),
                    ignore_if_not_exists: Some(true),
                });
                all.push(DocumentChange::DeleteFile(DeleteFile {
                    uri,
                    options,
                    annotation_id: id,
                }));
                continue;
            }
            // Without the option, some clients empty a file that was created in the meantime; with
            // it, Neovim creates no folder. If the folder doesn't exist, neither does the file.
            (None, _) => {
                let folder = change
                    .path
                    .parent()
                    .is_some_and(|folder| snapshot.world.kind(folder).is_some());
                let options = folder
                    .then_some(CreateFileOptions { overwrite: None, ignore_if_exists: Some(true) });
                all.push(DocumentChange::CreateFile(CreateFile {
                    uri: uri.clone(),
                    options,
                    annotation_id: id.clone(),
                }));
            }
            _ => {}
        }
        let edits: Vec<Edit> = text_edits(snapshot, change)
            .into_iter()
            .map(|text_edit| match &id {
                Some(id) => Edit::AnnotatedTextEdit(AnnotatedTextEdit {
                    annotation_id: id.clone(),
                    text_edit,
                }),
                None => Edit::TextEdit(text_edit),
            })
            .collect();
        if !edits.is_empty() {
            let text_document = OptionalVersionedTextDocumentIdentifier {
                version,
                text_document_identifier: TextDocumentIdentifier { uri },
            };
            all.push(DocumentChange::TextDocumentEdit(TextDocumentEdit { text_document, edits }));
        }
    }
    WorkspaceEdit {
        document_changes: Some(all),
        change_annotations: (!annotations.is_empty()).then_some(annotations),
        ..Default::default()
    }
}

/// The file in the client's spelling, and its version if it's open.
pub(super) fn uri(snapshot: &Snapshot, change: &FileChange) -> (Uri, Option<i32>) {
    // A document without a file is changed in place.
    if change.path.as_os_str().is_empty() {
        return (snapshot.open.uri.clone(), Some(snapshot.open.version));
    }
    match snapshot.world.open(&change.path) {
        Some(open) => (open.uri.clone(), Some(open.version)),
        None => (uri::from_path(&change.path), None),
    }
}

/// The smallest edits that turn the old text into the new one.
fn text_edits(snapshot: &Snapshot, change: &FileChange) -> Vec<TextEdit> {
    let (Some(after), start) = (&change.after, Position { line: 0, character: 0 }) else {
        return Vec::new();
    };
    let Some(before) = &change.before else {
        // After the only line of an empty text, where the client would end up with an extra one.
        let end = if snapshot.client.ends_lines && after.ends_with('\n') {
            Position { line: 1, character: 0 }
        } else {
            start
        };
        let edit = TextEdit { range: Range { start, end }, new_text: after.clone() };
        return if after.is_empty() { Vec::new() } else { vec![edit] };
    };
    let open = change.path.as_os_str().is_empty() || snapshot.world.open(&change.path).is_some();
    let mut edits = text::hunks(before, after);
    // Text added to the end is added to the last line: some editors can't address a line after it.
    if let Some(edit) = edits.last_mut()
        && edit.span.start == before.len()
        && let Some(last) = ["\r\n", "\n"].into_iter().find(|last| before.ends_with(last))
    {
        edit.span.start -= last.len();
        edit.text.insert_str(0, last);
    }
    let source = Source::new(before);
    let first = source.line_span(0);
    let text_edit = |mut edit: text::Edit| {
        if open || !before.starts_with('\u{feff}') || edit.span.start > first.end {
            return TextEdit {
                range: to_range(&source, &edit.span, snapshot.encoding()),
                new_text: edit.text,
            };
        }
        // An editor that opens the file doesn't count the byte order mark: replace the first line
        // from its start.
        let head = before.get('\u{feff}'.len_utf8()..edit.span.start).unwrap_or_default();
        edit.text.insert_str(0, head);
        let end = to_range(&source, &(edit.span.end..edit.span.end), snapshot.encoding()).end;
        let mark = if end.line == 0 {
            text::Encoding::column(snapshot.encoding(), source.text(), 0, '\u{feff}'.len_utf8())
                as u32
        } else {
            0
        };
        let end = Position { line: end.line, character: end.character.saturating_sub(mark) };
        TextEdit { range: Range { start, end }, new_text: edit.text }
    };
    edits.into_iter().map(text_edit).collect()
}

/// A new name everywhere. Edits come first, in terms of the old paths; for open files they carry
/// the version that they were made for. Doubtful ones ask for confirmation if the client can.
/// `own` is the document of the request. `None` if one of the files can't be read.
pub(super) fn renaming(
    world: &Overlay,
    client: &Client,
    own: Option<&Snapshot>,
    found: &Renaming,
) -> Option<WorkspaceEdit> {
    type Edits = (Uri, Option<i32>, Vec<(TextEdit, bool)>);
    let mut files: Vec<(Option<&std::path::Path>, Edits)> = Vec::new();
    let sure = found.files.iter().map(|file| (file, false));
    for (file, doubtful) in sure.chain(found.doubtful.iter().map(|file| (file, true))) {
        let path = file.path.as_deref().or_else(|| own?.open.key.path());
        let open = match path {
            Some(path) => world.open(path),
            None => own.map(|own| own.open.as_ref()),
        };
        let source = match (open, path) {
            (Some(open), _) => open.document.source().clone(),
            (None, Some(path)) => world.peek(path).ok()?,
            (None, None) => return None,
        };
        let convert = if open.is_some() { to_range } else { to_range_in_file };
        let edit = |edit: &text::Edit| {
            let range = convert(&source, &edit.span, client.encoding);
            (TextEdit { range, new_text: edit.text.clone() }, doubtful)
        };
        let edits = file.edits.iter().map(edit);
        match files.iter_mut().find(|(known, _)| path.is_some() && *known == path) {
            Some((_, (_, _, known))) => known.extend(edits),
            None => {
                let uri = match (open, path) {
                    (Some(open), _) => open.uri.clone(),
                    (None, Some(path)) => uri::from_path(path),
                    (None, None) => return None,
                };
                files.push((path, (uri, open.map(|open| open.version), edits.collect())));
            }
        }
    }
    if !client.document_changes && found.moves.is_empty() {
        let each = files
            .into_iter()
            .map(|(_, (uri, _, edits))| (uri, edits.into_iter().map(|(edit, _)| edit).collect()));
        return Some(WorkspaceEdit { changes: Some(each.collect()), ..Default::default() });
    }
    let asks = client.change_annotations && !found.doubtful.is_empty();
    let mut all: Vec<DocumentChange> = Vec::new();
    for (_, (uri, version, mut edits)) in files {
        edits.sort_by_key(|(edit, _)| (edit.range.start, edit.range.end));
        let edits = edits
            .into_iter()
            .map(|(text_edit, doubtful)| {
                if doubtful && asks {
                    let annotation_id = DOUBTFUL.to_owned();
                    Edit::AnnotatedTextEdit(AnnotatedTextEdit { annotation_id, text_edit })
                } else {
                    Edit::TextEdit(text_edit)
                }
            })
            .collect();
        let text_document = OptionalVersionedTextDocumentIdentifier {
            version,
            text_document_identifier: TextDocumentIdentifier { uri },
        };
        all.push(DocumentChange::TextDocumentEdit(TextDocumentEdit { text_document, edits }));
    }
    for (old, new) in &found.moves {
        all.push(DocumentChange::RenameFile(RenameFile {
            old_uri: uri::from_path(old),
            new_uri: uri::from_path(new),
            options: Some(RenameFileOptions { overwrite: Some(false), ignore_if_exists: None }),
            annotation_id: None,
        }));
    }
    let annotation = ChangeAnnotation {
        label: "Mentions that may mean something else".to_owned(),
        needs_confirmation: Some(true),
        description: None,
    };
    let annotations = asks.then(|| HashMap::from([(DOUBTFUL.to_owned(), annotation)]));
    Some(WorkspaceEdit {
        document_changes: Some(all),
        change_annotations: annotations,
        ..Default::default()
    })
}

/// The annotation of edits that the author is asked about.
const DOUBTFUL: &str = "doubtful";
