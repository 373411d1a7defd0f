//! Tools that a body mentions, over the protocol.

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup};
use crate::fixture::program;

const BODY: &str = "\n日本🦆 Read it with mcp__files__read_file, then mcp**files**write_file.\n";
const FILES: &str = "mcp_servers:\n  - name: files\n    command: npx\n";

fn actions(client: &mut Client, name: &str, word: &str) -> Vec<Value> {
    let start = client.text(name).find(word).expect("the word");
    let range = client.range(name, start..start + word.len());
    let params = json!({ "textDocument": client.document(name), "range": range, "context": { "diagnostics": [] } });
    let found = client.ask("textDocument/codeAction", params).expect("actions");
    found.as_array().cloned().unwrap_or_default()
}

/// The document after the action with this title.
fn taken(client: &mut Client, name: &str, word: &str, title: &str) -> String {
    let found = actions(client, name, word);
    let titles: Vec<_> = found.iter().map(|action| action["title"].clone()).collect();
    let action = found
        .into_iter()
        .find(|action| action["title"] == title)
        .unwrap_or_else(|| panic!("no action {title:?} in {titles:?}"));
    let edit: WorkspaceEdit = serde_json::from_value(action["edit"].clone()).expect("an edit");
    client.edited(&edit).remove(&client.uri(name)).expect("the document")
}

#[test]
fn mdl_24_a_server_that_is_not_declared_is_declared_by_an_action() {
    let mut client = Setup::new(&(program("") + "\nUse mcp__fetch__fetch.\n")).start();
    client.open("doc.md");
    assert_eq!(client.codes("doc.md"), ["markdownlang/unknown-server"]);
    let after = taken(&mut client, "doc.md", "mcp__fetch", "Declare the server `fetch`");
    assert!(after.contains("mcp_servers:\n  - name: fetch\n    command: uvx\n"), "{after}");
    client.replace("doc.md", &after);
    assert_eq!(client.codes("doc.md"), [""; 0]);
    client.shut_down();
}

#[test]
fn mdl_23_a_server_is_renamed_in_front_matter_and_body() {
    let mut client = Setup::new(&(program(FILES) + BODY)).start();
    client.open("doc.md");
    let offset = client.text("doc.md").find("files__read").expect("a mention") + 2;
    let mut params = client.at("doc.md", offset);
    params["newName"] = json!("documents");
    let edit: WorkspaceEdit =
        serde_json::from_value(client.ask("textDocument/rename", params).expect("a rename"))
            .expect("an edit");
    let after = client.edited(&edit).remove(&client.uri("doc.md")).expect("the document");
    let expected = client
        .text("doc.md")
        .replace("name: files", "name: documents")
        .replace("__files__", "__documents__");
    assert_eq!(after, expected.replace("**files**", "**documents**"));
    client.shut_down();
}

#[test]
fn mdl_35_a_skill_is_converted_by_an_action() {
    let mut client = Setup::new("//- SKILL.md\n# Fetcher 🦆\n\nFetches a URL.\n\nParameters:\n\n- url (required): The URL to fetch\n").start();
    client.open("SKILL.md");
    let after = taken(&mut client, "SKILL.md", "Fetcher", "Convert to a markdownlang program");
    assert!(
        after.starts_with("---\nname: fetcher\n") && after.contains("Fetches {{ .url }}."),
        "{after}"
    );
    // At the path of a skill, it would be checked as a skill.
    client.open_with("fetcher.md", &after);
    assert_eq!(client.codes("fetcher.md"), [""; 0]);
    client.shut_down();
}
