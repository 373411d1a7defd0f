//! Very small caches: they change how fast a server answers, but not its answers.

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::Client;
use crate::fixture::program;
use crate::program::setup;
use crate::workspace::{Workspace, found};

const FILES: usize = 60;

/// Programs that import each other in a cycle, and pages that refer to each other.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    for number in 0..FILES {
        let next = (number + 1) % FILES;
        let body = "Some words about nothing in particular.\n".repeat(100);
        workspace.write(
            &format!("p{number}.md"),
            program(&format!("modle: x\nimports: [./p{next}.md]\n")) + &body,
        );
        let heading = "# Heading\n\n".repeat(20);
        let page =
            format!("See [next](n{next}.md) and `n{next}:heading:h1[0]`.\n\n{heading}{body}");
        workspace.write(&format!("n{number}.md"), page);
    }
    workspace.write("a.md", found());
    workspace
}

/// The server's answers about all files, sorted.
fn answers(client: &mut Client) -> Vec<String> {
    let all = client.request::<WorkspaceDiagnosticRequest>(json!({ "previousResultIds": [] }));
    let folder = client.uri("");
    let written = |value: Value| value.to_string().replace(&folder, "");
    let mut answers = Vec::new();
    for item in &all.items {
        let mut item = serde_json::to_value(item).unwrap();
        // The ID is a digest of the findings, which contain the folder.
        item.as_object_mut().unwrap().remove("resultId");
        answers.push(written(item));
    }
    let at = json!({ "line": 2, "character": 0 });
    for number in (0..FILES).step_by(7) {
        let text = json!({ "uri": client.uri(&format!("n{number}.md")) });
        let text = client.ask("textDocument/documentLink", json!({ "textDocument": text }));
        answers.push(written(text.unwrap_or(Value::Null)));
    }
    let document = client.document("n0.md");
    let params = json!({ "textDocument": document, "position": at, "context": { "includeDeclaration": true } });
    let references = client.ask("textDocument/references", params).unwrap();
    answers.extend(references.as_array().into_iter().flatten().map(|place| written(place.clone())));
    answers.sort();
    answers
}

#[test]
fn a_server_with_small_caches_answers_the_same() {
    let asked = |limit: Option<u64>| {
        let mut setup = setup(workspace()).pull();
        if let Some(limit) = limit {
            setup = setup.environment("AGENTMD_TEST_LIMIT", limit.to_string());
        }
        let mut client = setup.start();
        let text = std::fs::read_to_string(client.path("n0.md")).unwrap();
        client.open_with("n0.md", &text);
        client.wait_for_index();
        let (cold, warm) = (answers(&mut client), answers(&mut client));
        assert_eq!(cold, warm);
        // A server without room for all symbols sends a message.
        client.heard.clear();
        cold
    };
    let expected = asked(None);
    assert!(expected.len() > FILES + 10, "{}", expected.len());
    assert_eq!(asked(Some(600_000)), expected);
}
