//! A file system that doesn't answer. Only what needs its files waits.

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::fixture::program;
use crate::program::setup;
use crate::workspace::{Workspace, found};

/// A document with a finding, which has no business with the slow file.
const OTHER: &str = "other.md";

#[test]
fn a_file_that_cannot_be_read_in_time_holds_up_only_what_needs_it() {
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
    // The check of the importer and the reading of the workspace both wait for the file.
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
    // Changes of files, of documents and of the importer itself are taken in.
    let uri = client.uri("slow.md");
    client.notify::<DidChangeWatchedFilesNotification>(
        json!({ "changes": [{ "uri": uri, "type": 2 }] }),
    );
    client.edit("a.md", importer.len()..importer.len(), "More.\n");
    client.close(OTHER);
    client.open_with(OTHER, &found());
    assert_eq!(client.codes(OTHER), ["markdownlang/unknown-field"]);
    // Once the file can be read, the importer is checked as it is now.
    std::fs::remove_file(gate).unwrap();
    assert_eq!(client.codes("a.md"), ["markdownlang/unknown-field"]);
    client.wait_for_index();
}
