//! Capabilities of clients: some made for a test, some captured from editors.

use std::path::PathBuf;

use serde_json::{Value, json};

/// A client with push diagnostics that supports everything the server asks about.
pub fn push() -> Value {
    let diagnostics = json!({ "relatedInformation": true, "versionSupport": true, "tagSupport": { "valueSet": [1, 2] }, "codeDescriptionSupport": true, "dataSupport": true });
    json!({
        "general": { "positionEncodings": ["utf-16"] },
        "window": { "workDoneProgress": true },
        "workspace": {
            "applyEdit": true, "configuration": true, "workspaceFolders": true,
            "didChangeConfiguration": { "dynamicRegistration": true },
            "didChangeWatchedFiles": { "dynamicRegistration": true },
            "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create", "rename", "delete"] },
            "diagnostics": { "refreshSupport": true },
            "symbol": {},
        },
        "textDocument": {
            "publishDiagnostics": diagnostics,
            "completion": { "completionItem": { "snippetSupport": true, "documentationFormat": ["markdown", "plaintext"] } },
            "hover": { "contentFormat": ["markdown", "plaintext"] },
            "definition": { "linkSupport": true },
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            "codeAction": { "isPreferredSupport": true, "dataSupport": true, "codeActionLiteralSupport": { "codeActionKind": { "valueSet": ["", "quickfix", "refactor", "source", "source.fixAll"] } } },
            "documentLink": { "tooltipSupport": true },
            "foldingRange": {},
            "semanticTokens": { "requests": { "range": true, "full": { "delta": true } }, "tokenTypes": [], "tokenModifiers": [], "formats": ["relative"] },
        },
    })
}

/// The same with pull diagnostics.
pub fn pull() -> Value {
    with(push(), "/textDocument", "diagnostic", json!({ "relatedDocumentSupport": true }))
}

/// A client without any capabilities.
pub fn minimal() -> Value {
    json!({})
}

/// `capabilities` with one more key in the object at `pointer`.
pub fn with(mut capabilities: Value, pointer: &str, key: &str, value: Value) -> Value {
    let object = capabilities
        .pointer_mut(pointer)
        .and_then(Value::as_object_mut)
        .expect("an object in the capabilities");
    object.insert(key.to_owned(), value);
    capabilities
}

/// `capabilities` with this preference of position encodings.
pub fn encoded(capabilities: Value, encodings: &[&str]) -> Value {
    with(capabilities, "/general", "positionEncodings", json!(encodings))
}

/// Capabilities that real editors send, with the editor's name.
pub fn captured() -> Vec<(String, Value)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/lsp/fixtures/profiles");
    let files = std::fs::read_dir(folder).expect("the folder of profiles").flatten();
    let mut found: Vec<_> = files
        .map(|file| {
            let value: Value =
                serde_json::from_slice(&std::fs::read(file.path()).expect("a profile"))
                    .expect("JSON in a profile");
            (file.file_name().to_string_lossy().into_owned(), value["capabilities"].clone())
        })
        .collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(found.len() >= 5, "captured profiles are missing");
    found
}
