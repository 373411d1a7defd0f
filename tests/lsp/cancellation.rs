use serde_json::json;
use tower_lsp::gen_lsp_types::*;

use crate::client::{Pending, Setup};

#[test]
fn cancelled_requests_are_answered_at_once_and_their_work_ends() {
    let mut client = Setup::new("//- doc.md\n[agentmd-test-wait](x)\n//- gate\n")
        .pull()
        .environment("AGENTMD_TEST_GATE", "{folder}/gate")
        .start();
    client.open("doc.md");
    let params = client.at("doc.md", 3);
    let asked: Vec<Pending<HoverRequest>> = (0..20).map(|_| client.begin(params.clone())).collect();
    for pending in &asked {
        client.cancel(pending.id);
    }
    for pending in asked {
        assert_eq!(client.finish(pending).map_err(|error| error.code), Err(-32800));
    }
    // The gate still exists, so this is answered only if the requests above gave up their threads.
    client.open_with("other.md", "# A\n");
    let params = json!({ "textDocument": client.document("other.md") });
    assert!(client.request::<DocumentSymbolRequest>(params).is_some());
    assert!(client.path("gate").exists());
}

#[test]
fn cancelling_an_answered_or_unknown_request_does_nothing() {
    let mut client = Setup::new("# A\n").start();
    client.open("doc.md");
    let params = json!({ "textDocument": client.document("doc.md") });
    let pending = client.begin::<DocumentSymbolRequest>(params);
    let id = pending.id;
    client.finish(pending).expect("an outline");
    client.cancel(id);
    client.cancel(987_654);
    client.notify::<CancelNotification>(json!({ "id": "text" }));
    client.sync();
}

#[test]
fn a_cancelled_request_has_exactly_one_answer() {
    let mut client = Setup::new("# A\n").start();
    client.open("doc.md");
    let params = json!({ "textDocument": client.document("doc.md") });
    for _ in 0..50 {
        let pending = client.begin::<DocumentSymbolRequest>(params.clone());
        client.cancel(pending.id);
        // The client panics on a second answer.
        if let Err(error) = client.finish(pending) {
            assert_eq!(error.code, -32800);
        }
    }
}

#[test]
fn a_workspace_report_can_be_cancelled() {
    let files: String = (0..100).map(|i| format!("//- f{i}.md\nagentmd-test-wait\n")).collect();
    let mut client = Setup::new(&format!("{files}//- gate\n"))
        .pull()
        .environment("AGENTMD_TEST_GATE", "{folder}/gate")
        .start();
    client.wait_for_index();
    // One for each possible thread.
    let asked: Vec<_> = (0..8)
        .map(|_| client.begin::<WorkspaceDiagnosticRequest>(json!({ "previousResultIds": [] })))
        .collect();
    client.wait_for_waiting(2);
    for pending in &asked {
        client.cancel(pending.id);
    }
    for pending in asked {
        assert_eq!(
            client.finish(pending).map(|report| report.items.len()).map_err(|error| error.code),
            Err(-32800)
        );
    }
    // The gate still exists, so this is answered only if the requests above gave up their threads.
    client.open_with("other.md", "# A\n");
    let params = json!({ "textDocument": client.document("other.md") });
    assert!(client.request::<DocumentSymbolRequest>(params).is_some());
}

#[test]
fn a_reused_id_gets_the_answer_of_its_own_request() {
    let mut client = Setup::new("//- doc.md\nagentmd-test-wait\n//- gate\n")
        .pull()
        .environment("AGENTMD_TEST_GATE", "{folder}/gate")
        .start();
    client.open("doc.md");
    client.open_with("other.md", "# Other\n");
    for count in 1..=20 {
        let old = json!({ "textDocument": client.document("doc.md") });
        let id = client.send_request("textDocument/documentSymbol", old);
        client.wait_for_waiting(count);
        let new = json!({ "textDocument": client.document("other.md") });
        // Sent in one piece, since the work of the first one ends soon.
        client.hold();
        client.cancel(id);
        client.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "textDocument/documentSymbol", "params": new }));
        client.release();
        assert_eq!(client.wait_for_answer(id).map_err(|error| error.code), Err(-32800));
        client.expect_again(id);
        let answer = client.wait_for_answer(id).expect("an outline");
        assert_eq!(answer[0]["name"], "Other", "{answer}");
    }
}
