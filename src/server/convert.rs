//! Converts between the crate's answers and the protocol's types: the only place that knows both.
//! Positions use the negotiated encoding.

use std::collections::HashMap;

use serde_json::json;
use tower_lsp::gen_lsp_types::{
    self as lsp, ActiveParameter, CallHierarchyIncomingCall, CallHierarchyItem,
    CallHierarchyOutgoingCall, Code, CodeActionKind, CodeDescription, CompletionItem,
    CompletionItemKind, CompletionItemLabelDetails, CompletionItemTextEdit, Contents, Definition,
    DefinitionResponse, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity,
    DiagnosticTag, DocumentChange, DocumentHighlight, DocumentHighlightKind, Documentation,
    InlayHint, InlayHintKind, InsertTextFormat, Label, LinkedEditingRanges, Location, LocationLink,
    MarkupContent, MarkupKind, Message, OptionalVersionedTextDocumentIdentifier,
    ParameterInformation, PrepareRenamePlaceholder, PrepareRenameResult, SelectionRange,
    SignatureHelp, SignatureInformation, SnippetTextEdit, StringValue, SymbolKind,
    TextDocumentEdit, TextDocumentIdentifier, TextEdit, Tooltip, Uri, WorkspaceEdit,
};

use super::capabilities::Client;
use super::session::{Open, Snapshot};
use super::uri;
use crate::answer::{self, CompletionKind};
use crate::format::snippet::is_strict;
use crate::ide::code_actions::Offer;
use crate::ide::diagnostics::Rest;
use crate::markdown::plain::plain;
use crate::rule::{self, Severity};
use crate::source::Source;
use crate::text::{Edit, Encoding, Position, Span};

pub(super) fn from_position(position: lsp::Position) -> Position {
    Position { line: position.line, column: position.character }
}

fn to_position(source: &Source, offset: usize, encoding: Encoding) -> lsp::Position {
    let position = source.position(offset, encoding);
    lsp::Position { line: position.line, character: position.column }
}

pub(super) fn to_range(source: &Source, span: &Span, encoding: Encoding) -> lsp::Range {
    lsp::Range {
        start: to_position(source, span.start, encoding),
        end: to_position(source, span.end, encoding),
    }
}

/// A range in a file that isn't open: an editor that opens it doesn't count a byte order mark.
pub(super) fn to_range_in_file(source: &Source, span: &Span, encoding: Encoding) -> lsp::Range {
    let mut range = to_range(source, span, encoding);
    for position in [&mut range.start, &mut range.end] {
        if position.line == 0 {
            position.character = position.character.saturating_sub(mark(source, encoding));
        }
    }
    range
}

/// The columns that a byte order mark takes.
fn mark(source: &Source, encoding: Encoding) -> u32 {
    let mark = source.text().chars().next().filter(|first| *first == '\u{feff}');
    mark.map_or(0, |mark| to_position(source, mark.len_utf8(), encoding).character)
}

pub(super) fn from_range(source: &Source, range: lsp::Range, encoding: Encoding) -> Span {
    let (a, b) = (
        source.offset(from_position(range.start), encoding),
        source.offset(from_position(range.end), encoding),
    );
    a.min(b)..a.max(b)
}

impl Open {
    pub(super) fn range(&self, span: &Span, encoding: Encoding) -> lsp::Range {
        let convert = if self.closed { to_range_in_file } else { to_range };
        convert(self.document.source(), span, encoding)
    }
}

impl Snapshot {
    pub(super) fn range(&self, span: &Span) -> lsp::Range {
        self.open.range(span, self.encoding())
    }

    pub(super) fn offset(&self, position: lsp::Position) -> usize {
        self.source().offset(from_position(position), self.encoding())
    }

    pub(super) fn span(&self, range: lsp::Range) -> Span {
        from_range(self.source(), range, self.encoding())
    }

    fn text_edit(&self, edit: &Edit) -> TextEdit {
        TextEdit { range: self.range(&edit.span), new_text: edit.text.clone() }
    }

    /// The location of `span` in this document, or in the file at `path`.
    pub(super) fn location(&self, path: Option<&std::path::Path>, span: &Span) -> Option<Location> {
        let Some(path) = path else {
            return Some(Location { uri: self.open.uri.clone(), range: self.range(span) });
        };
        let source = self.world.peek(path).ok()?;
        let convert = if self.world.open(path).is_some() { to_range } else { to_range_in_file };
        let range = convert(&source, span, self.encoding());
        Some(Location { uri: uri::from_path(path), range })
    }
}

pub(super) fn position(snapshot: &Snapshot, offset: usize) -> lsp::Position {
    snapshot.range(&(offset..offset)).start
}

pub(super) fn diagnostics(snapshot: &Snapshot, found: &[rule::Diagnostic]) -> Vec<Diagnostic> {
    found.iter().map(|diagnostic| to_diagnostic(snapshot, diagnostic)).collect()
}

pub(super) fn to_diagnostic(snapshot: &Snapshot, diagnostic: &rule::Diagnostic) -> Diagnostic {
    let client = &snapshot.client;
    let related = diagnostic.related.iter().filter_map(|related| {
        let location = snapshot.location(related.path.as_deref(), &related.span)?;
        Some(DiagnosticRelatedInformation { location, message: related.message.clone() })
    });
    let related = if client.related_information { related.collect() } else { Vec::new() };
    let has_fixes = client.diagnostic_data && !diagnostic.fixes.is_empty();
    Diagnostic {
        range: snapshot.range(&diagnostic.span),
        severity: Some(severity(diagnostic.severity)),
        code: Some(Code::String(diagnostic.rule.code.to_owned())),
        code_description: client.code_description.then(|| CodeDescription { href: Uri(diagnostic.rule.url()) }),
        source: Some("agentmd".to_owned()),
        message: Message::String(diagnostic.message.clone()),
        tags: (client.diagnostic_tags && diagnostic.unnecessary).then(|| vec![DiagnosticTag::Unnecessary]),
        related_information: (!related.is_empty()).then_some(related),
        data: has_fixes.then(|| {
            let fixes: Vec<_> =
                diagnostic.fixes.iter().map(|fix| json!({ "title": fix.title, "safe": fix.safe, "edits": edits(snapshot, &fix.edits) })).collect();
            json!({ "fixes": fixes })
        }),
    }
}

pub(super) fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::Error,
        Severity::Warning => DiagnosticSeverity::Warning,
        Severity::Info => DiagnosticSeverity::Information,
        Severity::Hint => DiagnosticSeverity::Hint,
    }
}

/// A diagnostic that replaces the findings over the limit.
pub(super) fn rest(snapshot: &Snapshot, rest: &Rest) -> Diagnostic {
    let (what, these) =
        if rest.count == 1 { ("finding is", "it") } else { ("findings are", "them") };
    Diagnostic {
        range: snapshot.range(&rest.span),
        severity: Some(DiagnosticSeverity::Information),
        source: Some("agentmd".to_owned()),
        message: Message::String(format!(
            "{} more {what} not shown, from here on; fix others first, or list {these} with \
                `agentmd check`; the setting `max-findings` sets the limit",
            rest.count
        )),
        ..Default::default()
    }
}

fn edits(snapshot: &Snapshot, edits: &[Edit]) -> Vec<TextEdit> {
    edits.iter().map(|edit| snapshot.text_edit(edit)).collect()
}

/// Markdown, or its text for clients that don't render it.
fn markup(markdown: bool, value: String) -> MarkupContent {
    match markdown {
        true => MarkupContent { kind: MarkupKind::Markdown, value },
        false => MarkupContent { kind: MarkupKind::PlainText, value: plain(&value) },
    }
}

pub(super) fn hover(snapshot: &Snapshot, hover: answer::Hover) -> lsp::Hover {
    let contents = Contents::MarkupContent(markup(snapshot.client.hover_markdown, hover.markdown));
    lsp::Hover { contents, range: Some(snapshot.range(&hover.span)) }
}

pub(super) fn completion(
    snapshot: &Snapshot,
    index: usize,
    item: answer::Completion,
) -> CompletionItem {
    let client = &snapshot.client;
    let snippet = item.snippet.filter(|_| client.completion_snippets);
    debug_assert!(snippet.as_deref().is_none_or(is_strict), "{snippet:?}");
    // Editors match the typed letters against the replaced text: whitespace before a word needs a
    // separate edit.
    let replaced = snapshot.source().slice(item.edit.span.clone());
    let word = item.edit.span.start + (replaced.len() - replaced.trim_start_matches(' ').len());
    let split = item.edit.span.start < word
        && word < item.edit.span.end
        && !item.edit.text.starts_with(' ');
    let start = if split { word } else { item.edit.span.start };
    let unindented =
        split.then(|| vec![snapshot.text_edit(&Edit::replace(item.edit.span.start..word, ""))]);
    // Neovim doesn't filter items that have an edit but no text to filter by. The typed text may
    // include a quote, which the label doesn't.
    let first = snapshot.source().slice(start..item.edit.span.end).chars().next();
    let begins = |text: &str| first.is_none_or(|first| text.starts_with(first));
    let filter = match item.edit.text.lines().next() {
        Some(line) if !begins(&item.label) && begins(line) => line.to_owned(),
        _ => item.label.clone(),
    };
    CompletionItem {
        filter_text: Some(filter),
        additional_text_edits: unindented,
        kind: Some(match item.kind {
            CompletionKind::Key => CompletionItemKind::Property,
            CompletionKind::Value | CompletionKind::Glob => CompletionItemKind::Value,
            CompletionKind::EnumMember => CompletionItemKind::EnumMember,
            CompletionKind::Type => CompletionItemKind::Class,
            CompletionKind::File => CompletionItemKind::File,
            CompletionKind::Folder => CompletionItemKind::Folder,
            CompletionKind::Snippet => CompletionItemKind::Snippet,
            CompletionKind::Keyword => CompletionItemKind::Keyword,
            CompletionKind::Variable => CompletionItemKind::Variable,
            CompletionKind::Function => CompletionItemKind::Function,
            CompletionKind::Heading => CompletionItemKind::Reference,
        }),
        label_details: item.detail.clone().filter(|_| item.kind == CompletionKind::Glob).map(
            |count| CompletionItemLabelDetails { description: Some(count), ..Default::default() },
        ),
        detail: item.detail,
        documentation: item
            .documentation
            .map(|text| Documentation::MarkupContent(markup(client.completion_markdown, text))),
        sort_text: Some(format!("{:05}{index:05}", item.rank.min(99_999))),
        insert_text_format: snippet.is_some().then_some(InsertTextFormat::Snippet),
        text_edit: Some(CompletionItemTextEdit::TextEdit(TextEdit {
            range: snapshot.range(&(start..item.edit.span.end)),
            new_text: snippet.unwrap_or(item.edit.text),
        })),
        command: client.suggest_command.filter(|_| item.more).map(|command| lsp::Command {
            title: "Suggest".to_owned(),
            command: command.to_owned(),
            ..Default::default()
        }),
        label: item.label,
        ..Default::default()
    }
}

pub(super) fn symbol_kind(kind: answer::SymbolKind) -> SymbolKind {
    match kind {
        answer::SymbolKind::Heading => SymbolKind::String,
        answer::SymbolKind::FrontMatter => SymbolKind::Namespace,
        answer::SymbolKind::Key => SymbolKind::Key,
        answer::SymbolKind::Program => SymbolKind::Function,
        answer::SymbolKind::Text => SymbolKind::String,
        answer::SymbolKind::Group => SymbolKind::Object,
        answer::SymbolKind::Action | answer::SymbolKind::Block => SymbolKind::Event,
        answer::SymbolKind::Content | answer::SymbolKind::Item => SymbolKind::File,
        answer::SymbolKind::Template => SymbolKind::Method,
    }
}

/// Deeper answers don't help, and JSON parsers refuse them.
const MOST_NESTED: usize = 64;

/// Spans from the innermost outwards, nested as the protocol requires; of too many, the innermost
/// and the last.
pub(super) fn selection(snapshot: &Snapshot, spans: &[Span]) -> SelectionRange {
    let (near, far) = spans.split_at(spans.len().min(MOST_NESTED));
    let nested = near.iter().chain(far.last()).rev().fold(None, |parent, span| {
        Some(SelectionRange { range: snapshot.range(span), parent: parent.map(Box::new) })
    });
    nested.unwrap_or_else(|| SelectionRange { range: snapshot.range(&(0..0)), parent: None })
}

pub(super) fn definition(
    snapshot: &Snapshot,
    targets: Vec<answer::Target>,
) -> Option<DefinitionResponse> {
    let path = |target: &answer::Target| target.path.clone();
    if targets.is_empty() {
        return None;
    }
    if !snapshot.client.definition_links {
        let places = targets
            .iter()
            .filter_map(|target| snapshot.location(path(target).as_deref(), &target.selection));
        return Some(DefinitionResponse::Definition(Definition::LocationList(places.collect())));
    }
    let links = targets.iter().filter_map(|target| {
        let all = snapshot.location(path(target).as_deref(), &target.span)?;
        let selection = snapshot.location(path(target).as_deref(), &target.selection)?;
        Some(LocationLink {
            origin_selection_range: Some(snapshot.range(&target.origin)),
            target_uri: all.uri,
            target_range: all.range,
            target_selection_range: selection.range,
        })
    });
    Some(DefinitionResponse::DefinitionLinkList(links.collect()))
}

/// An edit of the document as this client can apply it: versioned if supported, plain otherwise.
pub(super) fn workspace_edit(
    snapshot: &Snapshot,
    edits: &[Edit],
    snippet: Option<String>,
) -> WorkspaceEdit {
    let client = &snapshot.client;
    let snippet = snippet.filter(|_| client.document_changes && client.snippet_edits);
    debug_assert!(snippet.as_deref().is_none_or(is_strict), "{snippet:?}");
    if let (Some(value), [edit]) = (snippet, edits) {
        let snippet = StringValue { value };
        let edit = lsp::Edit::SnippetTextEdit(SnippetTextEdit {
            range: snapshot.range(&edit.span),
            snippet,
            annotation_id: None,
        });
        let change =
            text_document_edit(snapshot.open.uri.clone(), Some(snapshot.open.version), vec![edit]);
        return WorkspaceEdit { document_changes: Some(vec![change]), ..Default::default() };
    }
    edit_of(
        client,
        vec![(
            snapshot.open.uri.clone(),
            Some(snapshot.open.version),
            self::edits(snapshot, edits),
        )],
    )
}

/// A caller or callee in the protocol's terms. A tool is identified by its name and the file that
/// declares its server.
fn callable(snapshot: &Snapshot, found: answer::Callable) -> Option<CallHierarchyItem> {
    let all = snapshot.location(found.path.as_deref(), &found.span)?;
    let selection = snapshot.location(found.path.as_deref(), &found.selection)?;
    let (kind, data) = match found.kind {
        answer::CallableKind::Program => (SymbolKind::Function, None),
        answer::CallableKind::Tool => (SymbolKind::Method, Some(json!({ "tool": found.name }))),
    };
    Some(CallHierarchyItem {
        name: found.name,
        kind,
        tags: None,
        detail: found.detail,
        uri: all.uri,
        range: all.range,
        selection_range: selection.range,
        data,
    })
}

pub(super) fn callables(
    snapshot: &Snapshot,
    found: answer::Callable,
) -> Option<Vec<CallHierarchyItem>> {
    Some(vec![callable(snapshot, found)?])
}

pub(super) fn callers(
    snapshot: &Snapshot,
    found: Vec<answer::Call>,
) -> Vec<CallHierarchyIncomingCall> {
    let call = |call: answer::Call| {
        let places = call
            .spans
            .iter()
            .filter_map(|span| snapshot.location(call.other.path.as_deref(), span));
        let from_ranges = places.map(|place| place.range).collect();
        Some(CallHierarchyIncomingCall { from: callable(snapshot, call.other)?, from_ranges })
    };
    found.into_iter().filter_map(call).collect()
}

pub(super) fn calls(
    snapshot: &Snapshot,
    found: Vec<answer::Call>,
) -> Vec<CallHierarchyOutgoingCall> {
    let call = |call: answer::Call| {
        let from_ranges = call.spans.iter().map(|span| snapshot.range(span)).collect();
        Some(CallHierarchyOutgoingCall { to: callable(snapshot, call.other)?, from_ranges })
    };
    found.into_iter().filter_map(call).collect()
}

fn edit_of(client: &Client, files: Vec<(Uri, Option<i32>, Vec<TextEdit>)>) -> WorkspaceEdit {
    if client.document_changes {
        let change = |(uri, version, edits): (_, _, Vec<_>)| {
            text_document_edit(uri, version, edits.into_iter().map(lsp::Edit::TextEdit).collect())
        };
        return WorkspaceEdit {
            document_changes: Some(files.into_iter().map(change).collect()),
            ..Default::default()
        };
    }
    let changes: HashMap<_, _> = files.into_iter().map(|(uri, _, edits)| (uri, edits)).collect();
    WorkspaceEdit { changes: Some(changes), ..Default::default() }
}

fn text_document_edit(uri: Uri, version: Option<i32>, edits: Vec<lsp::Edit>) -> DocumentChange {
    let text_document_identifier = TextDocumentIdentifier { uri };
    let text_document =
        OptionalVersionedTextDocumentIdentifier { version, text_document_identifier };
    DocumentChange::TextDocumentEdit(TextDocumentEdit { text_document, edits })
}

pub(super) fn renamable(snapshot: &Snapshot, found: answer::Renamable) -> PrepareRenameResult {
    PrepareRenamePlaceholder { range: snapshot.range(&found.span), placeholder: found.name }.into()
}

pub(super) fn references(snapshot: &Snapshot, found: &[answer::Occurrence]) -> Vec<Location> {
    found
        .iter()
        .filter_map(|occurrence| snapshot.location(occurrence.path.as_deref(), &occurrence.span))
        .take(MOST_ITEMS)
        .collect()
}

pub(super) fn occurrence(
    snapshot: &Snapshot,
    occurrence: &answer::Occurrence,
) -> DocumentHighlight {
    let kind =
        if occurrence.defines { DocumentHighlightKind::Write } else { DocumentHighlightKind::Read };
    DocumentHighlight { range: snapshot.range(&occurrence.span), kind: Some(kind) }
}

pub(super) fn linked(snapshot: &Snapshot, spans: &[Span]) -> Option<LinkedEditingRanges> {
    // The letters, digits, `_` and `-` of any script; `wordPattern` has no Unicode classes.
    let word_pattern = "[\\w\\u0080-\\uffff-]*".to_owned();
    let ranges: Vec<_> = spans.iter().map(|span| snapshot.range(span)).collect();
    (!ranges.is_empty()).then_some(LinkedEditingRanges { ranges, word_pattern: Some(word_pattern) })
}

pub(super) fn inlay(snapshot: &Snapshot, inlay: answer::Inlay) -> InlayHint {
    InlayHint {
        position: to_position(snapshot.source(), inlay.offset, snapshot.encoding()),
        label: Label::String(inlay.label),
        kind: Some(InlayHintKind::Type),
        text_edits: None,
        tooltip: inlay.tooltip.map(|text| Tooltip::MarkupContent(markup(true, text))),
        padding_left: None,
        padding_right: None,
        data: None,
    }
}

pub(super) fn signature(snapshot: &Snapshot, signature: answer::Signature) -> SignatureHelp {
    let client = &snapshot.client;
    let label = |span: &Span| match client.signature_offsets {
        true => {
            let units = |end: usize| {
                signature.label.get(..end).map_or(0, |text| text.encode_utf16().count() as u32)
            };
            (units(span.start), units(span.end)).into()
        }
        false => signature.label.get(span.clone()).unwrap_or_default().to_owned().into(),
    };
    let parameters: Vec<_> = signature
        .parameters
        .iter()
        .map(|span| ParameterInformation { label: label(span), documentation: None })
        .collect();
    // A number after the last parameter highlights none.
    let active = signature.active.unwrap_or(parameters.len()) as u32;
    let information = SignatureInformation {
        documentation: signature
            .documentation
            .map(|text| Documentation::MarkupContent(markup(client.signature_markdown, text))),
        active_parameter: client.signature_parameters.then_some(ActiveParameter::Int(active)),
        label: signature.label,
        parameters: Some(parameters),
    };
    SignatureHelp {
        signatures: vec![information],
        active_signature: Some(0),
        active_parameter: Some(ActiveParameter::Int(active)),
    }
}

pub(super) fn action_kind(kind: answer::ActionKind) -> CodeActionKind {
    match kind {
        answer::ActionKind::QuickFix => CodeActionKind::QuickFix,
        answer::ActionKind::Refactor => CodeActionKind::Refactor,
        answer::ActionKind::Rewrite => CodeActionKind::RefactorRewrite,
        answer::ActionKind::FixAll => fix_all(),
    }
}

/// A specific kind, so that a client can request this server's actions alone.
pub(super) fn fix_all() -> CodeActionKind {
    CodeActionKind::Custom("source.fixAll.agentmd".into())
}

pub(super) fn action(snapshot: &Snapshot, offer: Offer) -> lsp::CodeAction {
    let mends = offer.mends.as_ref().map(|diagnostic| vec![to_diagnostic(snapshot, diagnostic)]);
    lsp::CodeAction {
        title: offer.action.title,
        kind: Some(action_kind(offer.action.kind)),
        diagnostics: mends,
        is_preferred: (snapshot.client.preferred_actions && offer.preferred).then_some(true),
        edit: (!offer.deferred)
            .then(|| workspace_edit(snapshot, &offer.action.edits, offer.action.snippet)),
        ..Default::default()
    }
}

/// Whether a client that only requests `wanted` accepts an action of `kind`: kinds are prefixes up
/// to a dot.
pub(super) fn is_kind(kind: &CodeActionKind, wanted: &CodeActionKind) -> bool {
    let text = |kind: &CodeActionKind| {
        serde_json::to_value(kind)
            .ok()
            .and_then(|value| value.as_str().map(str::to_owned))
            .unwrap_or_default()
    };
    let (kind, wanted) = (text(kind), text(wanted));
    wanted.is_empty()
        || kind == wanted
        || kind.strip_prefix(&wanted).is_some_and(|rest| rest.starts_with('.'))
}

/// The limit of items in an answer, the first of a document: each takes kilobytes while the answer
/// is written.
pub(super) const MOST_ITEMS: usize = 5_000;
