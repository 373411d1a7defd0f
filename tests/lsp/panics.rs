//! A panic in an analysis ends that analysis and nothing else.

use serde_json::json;

use crate::client::{Client, Setup};
use crate::fixture::program;

fn start(pull: bool) -> Client {
    let setup = Setup::new(&program("modle: agentmd-test-panic\n"))
        .environment("AGENTMD_TEST_GATE", "{folder}/gate");
    let mut client = if pull { setup.pull().start() } else { setup.start() };
    client.panics_are_expected = true;
    client.open("doc.md");
    client
}

fn mend(client: &mut Client) {
    let mended = client.text("doc.md").replace("agentmd-test-panic", "x");
    client.replace("doc.md", &mended);
}

#[test]
fn every_request_fails_alone() {
    let mut client = start(true);
    let document = json!({ "textDocument": client.document("doc.md") });
    let at = client.at("doc.md", 20);
    let range =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 3, "character": 0 } });
    let requests = [
        ("textDocument/hover", at.clone()),
        ("textDocument/completion", at.clone()),
        ("textDocument/definition", at),
        ("textDocument/documentSymbol", document.clone()),
        ("textDocument/foldingRange", document.clone()),
        ("textDocument/documentLink", document.clone()),
        ("textDocument/semanticTokens/full", document.clone()),
        (
            "textDocument/codeAction",
            json!({ "textDocument": client.document("doc.md"), "range": range, "context": { "diagnostics": [] } }),
        ),
        ("textDocument/diagnostic", document),
        ("workspace/diagnostic", json!({ "previousResultIds": [] })),
    ];
    for round in 0..3 {
        for (method, params) in &requests {
            assert_eq!(
                client.ask(method, params.clone()).map_err(|error| error.code),
                Err(-32603),
                "{method}, round {round}"
            );
        }
    }
    assert!(client.stderr().contains("a test asked for this"), "debug builds have the hook");
    mend(&mut client);
    assert_eq!(client.codes("doc.md"), ["markdownlang/unknown-field"]);
    for (method, params) in requests {
        assert!(client.ask(method, params).is_ok(), "{method}");
    }
}

#[test]
fn checking_goes_on_with_the_next_version() {
    let mut client = start(false);
    for _ in 0..5 {
        let end = client.text("doc.md").len();
        client.edit("doc.md", end..end, "x");
        client.sync();
    }
    mend(&mut client);
    assert_eq!(client.codes("doc.md"), ["markdownlang/unknown-field"]);
    let other = program("modle: x\n");
    client.open_with("other.md", &other);
    assert_eq!(client.codes("other.md"), ["markdownlang/unknown-field"]);
}
