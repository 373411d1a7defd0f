//! A file system that doesn't answer. Only work that needs its files waits.

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::Client;
use crate::fixture::program;
use crate::program::setup;
use crate::workspace::{Workspace, found};

/// A document with a finding that doesn't depend on the slow file.
const OTHER: &str = "other.md";

#[test]
fn a_slow_file_delays_only_the_answers_that_need_it() {
    let importer = program("modle: x\nimports: [./slow.md]\n");
    let workspace = Workspace::with(&[
        ("slow.md", &program("").replace("greet", "slow")),
        ("a.md", &importer),
        (OTHER, &found()),
        ("gate", ""),
    ]);
    let gate = workspace.path("gate");
    let mut client =
        setup(workspace).environment("AGENTMD_TEST_SLOW", gate.to_string_lossy()).start();
    client.open_with("a.md", &importer);
    // The check of the importer and the indexing of the workspace both wait for the file.
    client.wait_until("two readers", |client| {
        (client.stderr().matches("agentmd-test-slow").count() >= 2).then_some(())
    });
    client.open_with(OTHER, &found());
    assert_eq!(client.codes(OTHER), ["markdownlang/unknown-field"]);
    let text = found();
    client.edit(OTHER, text.find("modle").unwrap()..text.find("modle").unwrap() + 5, "model");
    client.wait_for_findings(OTHER, <[Diagnostic]>::is_empty);
    let at = client.at(OTHER, text.find(".who").unwrap() + 1);
    assert_ne!(client.ask("textDocument/hover", at.clone()).unwrap(), Value::Null);
    assert_ne!(client.ask("textDocument/definition", at).unwrap(), Value::Null);
    let document = json!({ "textDocument": client.document(OTHER) });
    for method in ["textDocument/documentSymbol", "textDocument/foldingRange"] {
        assert_ne!(client.ask(method, document.clone()).unwrap(), Value::Null, "{method}");
    }
    // Changes to files, documents and the importer itself are processed.
    let uri = client.uri("slow.md");
    client.notify::<DidChangeWatchedFilesNotification>(
        json!({ "changes": [{ "uri": uri, "type": 2 }] }),
    );
    client.edit("a.md", importer.len()..importer.len(), "More.\n");
    client.close(OTHER);
    client.open_with(OTHER, &found());
    assert_eq!(client.codes(OTHER), ["markdownlang/unknown-field"]);
    // Once the file can be read, the current version of the importer is checked.
    std::fs::remove_file(gate).unwrap();
    assert_eq!(client.codes("a.md"), ["markdownlang/unknown-field"]);
    client.wait_for_index();
}

#[test]
fn slow_settings_delay_no_document() {
    let slow = "slow/a.md";
    let workspace = Workspace::with(&[
        ("slow/agentmd.toml", "ignore = [\"markdownlang/unknown-field\"]\n"),
        (slow, &found()),
        (OTHER, &found()),
        ("gate", ""),
    ]);
    let gate = workspace.path("gate");
    let mut client =
        setup(workspace).environment("AGENTMD_TEST_SLOW", gate.to_string_lossy()).start();
    client.open_with(OTHER, &found());
    assert_eq!(client.codes(OTHER), ["markdownlang/unknown-field"]);
    // For now, the document is checked with the default settings.
    client.open_with(slow, &found());
    assert_eq!(client.codes(slow), ["markdownlang/unknown-field"]);
    let text = found();
    for name in [OTHER, slow] {
        let at = client.at(name, text.find(".who").unwrap() + 1);
        assert_ne!(client.ask("textDocument/hover", at).unwrap(), Value::Null, "{name}");
    }
    // Other settings don't wait for these, either.
    let settings = |client: &mut Client, value: Value| {
        client.set_settings(value);
        client.notify::<DidChangeConfigurationNotification>(json!({ "settings": null }));
    };
    settings(&mut client, json!({ "rules": { "markdownlang/unknown-field": "off" } }));
    client.wait_for_findings(OTHER, <[Diagnostic]>::is_empty);
    settings(&mut client, json!({}));
    client.wait_for_findings(OTHER, |found| !found.is_empty());
    client.edit(slow, text.len()..text.len(), "More.\n");
    assert_eq!(client.codes(slow), ["markdownlang/unknown-field"]);
    // Once the settings can be read, they're used.
    std::fs::remove_file(gate).unwrap();
    client.wait_for_findings(slow, <[Diagnostic]>::is_empty);
    assert_eq!(client.codes(OTHER), ["markdownlang/unknown-field"]);
}
