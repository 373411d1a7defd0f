//! No findings for old versions or for documents that have been closed.

use serde_json::json;
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup, code};
use crate::fixture::program;

fn gated(text: &str) -> Client {
    let mut client = Setup::new(&format!("//- doc.md\n{text}//- gate\n"))
        .environment("AGENTMD_TEST_GATE", "{folder}/gate")
        .start();
    client.open("doc.md");
    // The check of the first version has begun.
    client.wait_for_waiting(1);
    client
}

fn open_the_gate(client: &Client) {
    std::fs::remove_file(client.path("gate")).expect("the gate");
}

fn versions(client: &Client) -> Vec<i64> {
    let said =
        client.heard.iter().filter(|heard| heard.method == "textDocument/publishDiagnostics");
    said.filter_map(|heard| heard.params["version"].as_i64()).collect()
}

#[test]
fn findings_of_an_old_version_are_never_published() {
    let mut client = gated(&program("modle: agentmd-test-wait\n"));
    for number in 0..10 {
        let end = client.text("doc.md").len();
        client.edit("doc.md", end..end, &format!("{number}\n"));
    }
    client.sync();
    open_the_gate(&client);
    assert_eq!(client.codes("doc.md"), ["markdownlang/unknown-field"]);
    assert_eq!(versions(&client), [11]);
}

#[test]
fn a_document_that_is_closed_during_its_check_shows_nothing() {
    let mut client = gated(&program("modle: agentmd-test-wait\n"));
    client.close("doc.md");
    client.sync();
    open_the_gate(&client);
    // Findings of another document arrive after any that the closed one could still get.
    client.open_with("other.md", &program("modle: x\n"));
    client.diagnostics("other.md");
    let closed = client.uri("doc.md");
    let said: Vec<_> = client
        .heard
        .iter()
        .filter(|heard| {
            heard.method == "textDocument/publishDiagnostics" && heard.params["uri"] == closed
        })
        .collect();
    assert!(said.iter().all(|heard| heard.params["diagnostics"] == json!([])), "{said:?}");
}

#[test]
fn a_reopened_document_is_not_mistaken_for_the_closed_one() {
    let mut client = gated(&program("modle: agentmd-test-wait\n"));
    client.close("doc.md");
    // The same version number with other text.
    client.open_with("doc.md", &program(""));
    client.sync();
    open_the_gate(&client);
    let uri = client.uri("doc.md");
    client.take::<PublishDiagnosticsNotification>(|said| {
        said.uri.0 == uri && said.version == Some(1)
    });
    client.open_with("other.md", &program("modle: x\n"));
    client.diagnostics("other.md");
    let said = client
        .heard
        .iter()
        .filter(|heard| heard.params["uri"] == uri && heard.params["version"] == 1);
    let wrong: Vec<_> = said.filter(|heard| heard.params["diagnostics"] != json!([])).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(client.codes("doc.md"), [""; 0]);
}

#[test]
fn a_request_is_answered_from_the_text_it_was_asked_about() {
    let mut client = gated("[agentmd-test-wait](https://old.example)\n");
    let params = client.at("doc.md", 3);
    let pending = client.begin::<HoverRequest>(params);
    client.wait_for_waiting(2);
    client.replace("doc.md", "[x](https://new.example)\n");
    client.sync();
    open_the_gate(&client);
    let old = client.finish(pending).expect("an answer").expect("a hover");
    assert!(format!("{old:?}").contains("old.example"), "{old:?}");
    let params = client.at("doc.md", 3);
    let new = client.request::<HoverRequest>(params).expect("a hover");
    assert!(format!("{new:?}").contains("new.example"), "{new:?}");
}

const MISSING: &str = "markdownlang/import-not-found";

/// Creates a program on disk and reports it.
fn add_target(client: &mut Client) {
    client.write("target.md", program(""));
    let created = json!({ "changes": [{ "uri": client.uri("target.md"), "type": 1 }] });
    client.notify::<DidChangeWatchedFilesNotification>(created);
}

#[test]
fn a_file_that_appears_during_a_check_is_found() {
    let importer = program("imports: [./target.md, ./slow.md]\n");
    let mut client = Setup::new(&format!("//- slow.md\n{}", program("")))
        .environment("AGENTMD_TEST_SLOW", "{folder}/gate")
        .start();
    client.wait_for_index();
    // Now only the check reads this file.
    client.write("gate", "");
    client.write("slow.md", program("imports: []\n"));
    client.open_with("doc.md", &importer);
    client.wait_until("the check to wait", |client| {
        client.sync();
        client.stderr().matches("agentmd-test-slow").nth(1).map(drop)
    });
    add_target(&mut client);
    client.sync();
    // Gives the server time to process the event, except for work that waits at the gate.
    std::thread::sleep(std::time::Duration::from_millis(100));
    open_the_gate(&client);
    client.wait_for_findings("doc.md", |found| !found.iter().any(|one| code(one) == MISSING));
}

#[test]
fn a_check_of_a_closed_document_does_not_affect_the_reopened_one() {
    let mut client = gated(&program("modle: agentmd-test-wait\n"));
    client.close("doc.md");
    client.open_with("doc.md", &program("imports: [./target.md]\n"));
    client.wait_for_findings("doc.md", |found| found.iter().any(|one| code(one) == MISSING));
    open_the_gate(&client);
    // Gives the old check time to end.
    client.open_with("other.md", &program("modle: x\n"));
    client.diagnostics("other.md");
    std::thread::sleep(std::time::Duration::from_millis(100));
    add_target(&mut client);
    client.wait_for_findings("doc.md", |found| !found.iter().any(|one| code(one) == MISSING));
}

#[test]
fn a_late_answer_about_an_old_version_does_not_affect_the_new_one() {
    let mut client =
        Setup::new(&format!("//- doc.md\n{}//- gate\n", program("modle: agentmd-test-wait\n")))
            .pull()
            .environment("AGENTMD_TEST_GATE", "{folder}/gate")
            .start();
    client.open("doc.md");
    let params = json!({ "textDocument": client.document("doc.md") });
    let old = client.begin::<DocumentDiagnosticRequest>(params.clone());
    client.wait_for_waiting(1);
    client.replace("doc.md", &program("imports: [./target.md]\n"));
    let new = client.ask("textDocument/diagnostic", params).expect("an answer");
    assert!(new.to_string().contains(MISSING), "{new}");
    open_the_gate(&client);
    client.finish(old).expect("an answer");
    client.asked.clear();
    add_target(&mut client);
    client.wait_for_question("workspace/diagnostic/refresh");
}
