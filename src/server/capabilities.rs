//! The capabilities of the client and of this server.

use serde_json::Value;
use tower_lsp::gen_lsp_types::{
    ChangeNotifications, CodeActionKind, CodeActionOptions, CodeLensOptions, CompletionOptions,
    DiagnosticOptions, DiagnosticProvider, DocumentLinkOptions, ExecuteCommandOptions,
    FileOperationFilter, FileOperationOptions, FileOperationPattern, FileOperationPatternKind,
    FileOperationPatternOptions, FileOperationRegistrationOptions, FoldingRangeProvider, Full,
    PositionEncodingKind, RenameOptions, RenameProvider, Save, SelectionRangeProvider,
    SemanticTokensFullDelta, SemanticTokensLegend, SemanticTokensOptions,
    SemanticTokensOptionsRange, SemanticTokensProvider, ServerCapabilities, SignatureHelpOptions,
    TextDocumentSync, TextDocumentSyncKind, TextDocumentSyncOptions,
    WorkspaceFoldersServerCapabilities, WorkspaceOptions, WorkspaceSymbolOptions,
    WorkspaceSymbolProvider,
};

use crate::markdown::highlight::TOKEN_TYPES;
use crate::text::Encoding;

/// The client's capabilities that matter for answers. Read from the raw message: clients send keys
/// that no version of the protocol defines, and omit required ones.
#[derive(Debug, Clone, Default)]
#[allow(clippy::struct_excessive_bools)]
pub(super) struct Client {
    pub encoding: Encoding,
    /// It requests diagnostics; otherwise they are published to it. A client that can't be asked to
    /// pull again would keep diagnostics that other files or settings have made stale: publish to
    /// it, if it supports that.
    pub pulls_diagnostics: bool,
    pub refreshes_diagnostics: bool,
    pub related_information: bool,
    pub code_description: bool,
    pub diagnostic_tags: bool,
    pub diagnostic_data: bool,
    pub hierarchical_symbols: bool,
    pub hover_markdown: bool,
    pub completion_markdown: bool,
    pub completion_snippets: bool,
    pub document_changes: bool,
    pub snippet_edits: bool,
    pub creates_files: bool,
    pub renames_files: bool,
    pub deletes_files: bool,
    /// It asks the user to confirm changes that need it.
    pub change_annotations: bool,
    pub applies_edits: bool,
    pub disabled_actions: bool,
    pub lenses: bool,
    pub refreshes_lenses: bool,
    pub shows_documents: bool,
    /// It shows messages to a user.
    pub shows_messages: bool,
    pub code_action_literals: bool,
    /// It resolves an action's edit when the action is chosen, and preserves its data.
    pub resolves_actions: bool,
    pub preferred_actions: bool,
    pub definition_links: bool,
    pub line_folding_only: bool,
    pub folding_limit: Option<usize>,
    pub signature_markdown: bool,
    /// Parameters of a signature are given as offsets in its label.
    pub signature_offsets: bool,
    pub signature_parameters: bool,
    pub prepares_rename: bool,
    pub refreshes_inlays: bool,
    pub link_tooltips: bool,
    pub watches_files: bool,
    pub asks_before_renaming: bool,
    pub tells_of_renaming: bool,
    pub configuration: bool,
    pub registers_configuration: bool,
    pub progress: bool,
    /// It can copy a selector to the clipboard.
    pub copies_selectors: bool,
    /// It has commands that run programs and their tests.
    pub runs_programs: bool,
    /// It shows the edits of `agentmd.apply` before it applies them, so that edits of blocks should
    /// come from that command.
    pub previews_edits: bool,
    /// It shows the page of a rule that `agentmd.explain` returns.
    pub shows_pages: bool,
    /// It shows the locations in the arguments of `agentmd.references`.
    pub shows_references: bool,
    /// It has a command that reviews the edits of a document.
    pub reviews_edits: bool,
    /// Its documents always end in a line break, so that new text that ends in one has to replace
    /// it.
    pub ends_lines: bool,
    /// It is VS Code, which checks some agent files itself.
    pub checks_prompts: bool,
    /// The command that opens the editor's list of completions again, if it has one.
    pub suggest_command: Option<&'static str>,
}

impl Client {
    pub(super) fn read(capabilities: &Value) -> Self {
        let at = |pointer: &str| capabilities.pointer(pointer);
        let flag = |pointer: &str| at(pointer).and_then(Value::as_bool).unwrap_or(false);
        let some = |pointer: &str| at(pointer).is_some_and(|value| !value.is_null());
        let lists = |pointer: &str, word: &str| {
            at(pointer)
                .and_then(Value::as_array)
                .is_some_and(|list| list.iter().any(|item| item == word))
        };
        let refreshes = flag("/workspace/diagnostics/refreshSupport")
            || flag("/workspace/diagnostic/refreshSupport");
        let pulls = some("/textDocument/diagnostic")
            && (refreshes || !some("/textDocument/publishDiagnostics"));
        // Capabilities of pushed diagnostics also apply to pulled ones, unless given separately.
        let diagnostic = |name: &str| {
            flag(&format!("/textDocument/publishDiagnostics/{name}"))
                || flag(&format!("/textDocument/diagnostic/{name}"))
        };
        let tags = |kind: &str| some(&format!("/textDocument/{kind}/tagSupport"));
        Self {
            encoding: encoding(at("/general/positionEncodings").and_then(Value::as_array)),
            pulls_diagnostics: pulls,
            refreshes_diagnostics: refreshes,
            related_information: diagnostic("relatedInformation"),
            code_description: diagnostic("codeDescriptionSupport"),
            diagnostic_tags: tags("publishDiagnostics") || tags("diagnostic"),
            diagnostic_data: diagnostic("dataSupport"),
            hierarchical_symbols: flag(
                "/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport",
            ),
            hover_markdown: lists("/textDocument/hover/contentFormat", "markdown"),
            completion_markdown: lists(
                "/textDocument/completion/completionItem/documentationFormat",
                "markdown",
            ),
            completion_snippets: flag("/textDocument/completion/completionItem/snippetSupport"),
            document_changes: flag("/workspace/workspaceEdit/documentChanges"),
            snippet_edits: flag("/workspace/workspaceEdit/snippetEditSupport"),
            creates_files: lists("/workspace/workspaceEdit/resourceOperations", "create"),
            renames_files: lists("/workspace/workspaceEdit/resourceOperations", "rename"),
            deletes_files: lists("/workspace/workspaceEdit/resourceOperations", "delete"),
            change_annotations: some("/workspace/workspaceEdit/changeAnnotationSupport"),
            applies_edits: flag("/workspace/applyEdit"),
            disabled_actions: flag("/textDocument/codeAction/disabledSupport"),
            lenses: some("/textDocument/codeLens"),
            refreshes_lenses: flag("/workspace/codeLens/refreshSupport"),
            shows_messages: some("/window/showMessage"),
            shows_documents: flag("/window/showDocument/support"),
            code_action_literals: some("/textDocument/codeAction/codeActionLiteralSupport"),
            resolves_actions: flag("/textDocument/codeAction/dataSupport")
                && lists("/textDocument/codeAction/resolveSupport/properties", "edit"),
            preferred_actions: flag("/textDocument/codeAction/isPreferredSupport"),
            definition_links: flag("/textDocument/definition/linkSupport"),
            line_folding_only: flag("/textDocument/foldingRange/lineFoldingOnly"),
            folding_limit: at("/textDocument/foldingRange/rangeLimit")
                .and_then(Value::as_u64)
                .and_then(|limit| usize::try_from(limit).ok()),
            signature_markdown: lists(
                "/textDocument/signatureHelp/signatureInformation/documentationFormat",
                "markdown",
            ),
            signature_offsets: flag(
                "/textDocument/signatureHelp/signatureInformation/parameterInformation/labelOffsetSupport",
            ),
            signature_parameters: flag(
                "/textDocument/signatureHelp/signatureInformation/activeParameterSupport",
            ),
            prepares_rename: flag("/textDocument/rename/prepareSupport"),
            refreshes_inlays: flag("/workspace/inlayHint/refreshSupport"),
            link_tooltips: flag("/textDocument/documentLink/tooltipSupport"),
            watches_files: flag("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            asks_before_renaming: flag("/workspace/fileOperations/willRename"),
            tells_of_renaming: flag("/workspace/fileOperations/didRename"),
            configuration: flag("/workspace/configuration"),
            registers_configuration: flag("/workspace/didChangeConfiguration/dynamicRegistration"),
            progress: flag("/window/workDoneProgress"),
            copies_selectors: flag("/experimental/agentmd/copySelector"),
            runs_programs: flag("/experimental/agentmd/runProgram"),
            previews_edits: flag("/experimental/agentmd/previews"),
            shows_pages: flag("/experimental/agentmd/explain"),
            shows_references: flag("/experimental/agentmd/references"),
            reviews_edits: flag("/experimental/agentmd/review"),
            checks_prompts: false,
            ends_lines: false,
            suggest_command: None,
        }
    }
}

/// The client's preferred encoding: this server supports all three.
fn encoding(offered: Option<&Vec<Value>>) -> Encoding {
    let known = |value: &Value| match value.as_str() {
        Some("utf-8") => Some(Encoding::Utf8),
        Some("utf-16") => Some(Encoding::Utf16),
        Some("utf-32") => Some(Encoding::Utf32),
        _ => None,
    };
    offered.into_iter().flatten().find_map(known).unwrap_or_default()
}

/// This server's capabilities for `client`.
pub(super) fn server(client: &Client) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(match client.encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }),
        text_document_sync: Some(TextDocumentSync::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::Incremental),
            save: Some(Save::Bool(true)),
            ..Default::default()
        })),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(
                [":", " ", "/", "#", "(", "-", "\"", ".", "$", "{", "|", "_", "[", "?", "@"]
                    .map(str::to_owned)
                    .to_vec(),
            ),
            resolve_provider: Some(false),
            ..Default::default()
        }),
        hover_provider: Some(true.into()),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some([" ", "("].map(str::to_owned).to_vec()),
            retrigger_characters: Some([")", "|"].map(str::to_owned).to_vec()),
            ..Default::default()
        }),
        definition_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_highlight_provider: Some(true.into()),
        linked_editing_range_provider: Some(true.into()),
        inlay_hint_provider: Some(true.into()),
        rename_provider: Some(match client.prepares_rename {
            true => RenameProvider::RenameOptions(RenameOptions {
                prepare_provider: Some(true),
                ..Default::default()
            }),
            false => RenameProvider::Bool(true),
        }),
        call_hierarchy_provider: Some(true.into()),
        document_symbol_provider: Some(true.into()),
        workspace_symbol_provider: Some(WorkspaceSymbolProvider::WorkspaceSymbolOptions(
            WorkspaceSymbolOptions::default(),
        )),
        code_action_provider: client.code_action_literals.then(|| {
            CodeActionOptions {
                // Actions that apply a reply are not `source` actions: those may run whenever a
                // document is saved.
                code_action_kinds: Some(vec![
                    CodeActionKind::QuickFix,
                    CodeActionKind::Refactor,
                    super::convert::fix_all(),
                ]),
                resolve_provider: Some(client.resolves_actions),
                ..Default::default()
            }
            .into()
        }),
        // A lens runs a command that asks the client to apply an edit, or one of the client's own.
        code_lens_provider: (client.applies_edits || client.runs_programs)
            .then(|| CodeLensOptions { resolve_provider: Some(false), ..Default::default() }),
        execute_command_provider: client.applies_edits.then(|| ExecuteCommandOptions {
            commands: super::command::NAMES.iter().map(|name| (*name).to_owned()).collect(),
            ..Default::default()
        }),
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: Some(false),
            ..Default::default()
        }),
        folding_range_provider: Some(FoldingRangeProvider::Bool(true)),
        selection_range_provider: Some(SelectionRangeProvider::Bool(true)),
        semantic_tokens_provider: Some(SemanticTokensProvider::SemanticTokensOptions(
            SemanticTokensOptions {
                legend: SemanticTokensLegend {
                    token_types: TOKEN_TYPES.map(str::to_owned).to_vec(),
                    token_modifiers: Vec::new(),
                },
                range: Some(SemanticTokensOptionsRange::Bool(true)),
                full: Some(Full::SemanticTokensFullDelta(SemanticTokensFullDelta {
                    delta: Some(true),
                })),
                ..Default::default()
            },
        )),
        diagnostic_provider: client.pulls_diagnostics.then(|| {
            DiagnosticProvider::DiagnosticOptions(DiagnosticOptions {
                identifier: Some("agentmd".to_owned()),
                inter_file_dependencies: true,
                workspace_diagnostics: true,
                ..Default::default()
            })
        }),
        workspace: Some(WorkspaceOptions {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(ChangeNotifications::Bool(true)),
            }),
            file_operations: file_operations(client),
            ..Default::default()
        }),
        ..Default::default()
    }
}

/// The renames that this server subscribes to: of all files, since documents refer to scripts and
/// images too, and of folders.
fn file_operations(client: &Client) -> Option<FileOperationOptions> {
    let filter = |glob: &str, matches: FileOperationPatternKind| FileOperationFilter {
        scheme: Some("file".to_owned()),
        pattern: FileOperationPattern {
            glob: glob.to_owned(),
            matches: Some(matches),
            options: Some(FileOperationPatternOptions { ignore_case: Some(true) }),
        },
    };
    let filters = vec![
        filter("**/*", FileOperationPatternKind::File),
        filter("**", FileOperationPatternKind::Folder),
    ];
    let options = FileOperationRegistrationOptions { filters };
    (client.asks_before_renaming || client.tells_of_renaming).then(|| FileOperationOptions {
        will_rename: client.asks_before_renaming.then(|| options.clone()),
        did_rename: client.tells_of_renaming.then(|| options.clone()),
        ..Default::default()
    })
}
