use serde_json::json;
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, RpcError, Setup};
use crate::fixture::program;
use crate::profile;

fn body(text: &str) -> String {
    program("").replace("Greet {{ .who }}.", text)
}

fn prepare(client: &mut Client) -> Option<(String, String)> {
    let params = client.cursor("doc.md");
    match client.request::<PrepareRenameRequest>(params)? {
        PrepareRenameResult::PrepareRenamePlaceholder(found) => {
            Some((client.text_at("doc.md", found.range).to_owned(), found.placeholder))
        }
        other => panic!("{other:?}"),
    }
}

fn rename(client: &mut Client, name: &str) -> Result<WorkspaceEdit, RpcError> {
    let mut params = client.cursor("doc.md");
    params["newName"] = json!(name);
    let pending = client.begin::<RenameRequest>(params);
    client.finish(pending).map(|edit| edit.expect("an edit"))
}

#[test]
fn a_property_is_renamed_in_schema_and_body() {
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let text = body("🦆日本 {{ .w$0ho }} {{ if .who }}e\u{301}{{ $.who }}{{ end }} who");
        let mut client =
            Setup::new(&text).capabilities(profile::encoded(profile::push(), &[encoding])).start();
        client.open("doc.md");
        assert_eq!(prepare(&mut client), Some(("who".to_owned(), "who".to_owned())));
        let edit = rename(&mut client, "person").expect("an edit");
        assert!(edit.changes.is_none(), "a client that checks versions gets one");
        let expected =
            body("🦆日本 {{ .person }} {{ if .person }}e\u{301}{{ $.person }}{{ end }} who")
                .replace("properties: { who:", "properties: { person:")
                .replace("required: [who]", "required: [person]");
        assert_eq!(client.edited(&edit)[&client.uri("doc.md")], expected);
    }
}

#[test]
fn clients_without_versioned_edits_get_plain_changes() {
    let mut client = Setup::new(&body("{{ .w$0ho }}")).capabilities(profile::minimal()).start();
    client.open("doc.md");
    let edit = rename(&mut client, "name").expect("an edit");
    assert!(edit.document_changes.is_none());
    assert!(client.edited(&edit)[&client.uri("doc.md")].contains("{{ .name }}"));
}

#[test]
fn the_edit_is_for_the_text_at_the_time_of_the_request() {
    let mut client = Setup::new(&body("{{ .w$0ho }}")).start();
    client.open("doc.md");
    let end = client.text("doc.md").len();
    client.hold();
    client.edit("doc.md", end..end, "{{ .who }}");
    let mut params = client.cursor("doc.md");
    params["newName"] = json!("name");
    let pending = client.begin::<RenameRequest>(params);
    client.release();
    let edit = client.finish(pending).expect("an answer").expect("an edit");
    assert!(client.edited(&edit)[&client.uri("doc.md")].ends_with("{{ .name }}\n{{ .name }}"));
}

#[test]
fn invalid_renames_fail_with_the_reason() {
    let mut client = Setup::new(&body("{{ .w$0ho }}")).start();
    client.open("doc.md");
    let refusal = rename(&mut client, "").expect_err("a refusal");
    assert_eq!(
        (refusal.code, refusal.message.as_str()),
        (-32803, "the new name of `who` must not be empty")
    );
}

#[test]
fn words_are_not_renamed() {
    let mut client = Setup::new(&body("wo$0rd")).start();
    client.open("doc.md");
    assert_eq!(prepare(&mut client), None);
    assert!(rename(&mut client, "x").is_err());
}

#[test]
fn prepare_support_is_announced_only_to_clients_that_have_it() {
    let asks = profile::with(
        profile::push(),
        "/textDocument",
        "rename",
        json!({ "prepareSupport": true }),
    );
    for (capabilities, prepares) in [(asks, true), (profile::push(), false)] {
        let client = Setup::new("x\n").capabilities(capabilities).start();
        let told = matches!(client.server.rename_provider, Some(RenameProvider::RenameOptions(_)));
        assert_eq!(told, prepares);
    }
}

#[test]
fn only_the_name_under_the_cursor_is_renamed() {
    let command = "---\ndescription: d\n---\nPropose.\n";
    let mut client = Setup::new(&format!(
        "//- doc.md\nRun /spec$0tra:propose now.\n//- CLAUDE.md\nRun /spectra:propose now.\n\
         //- .claude/commands/spectra/propose.md\n{command}"
    ))
    .start();
    client.wait_for_index();
    client.open("CLAUDE.md");
    let at = |client: &Client, word: &str| {
        client.at("CLAUDE.md", client.text("CLAUDE.md").find(word).expect("the word") + 1)
    };
    // Shows that the mention itself is recognized.
    let name = at(&client, "propose");
    let found = client.ask("textDocument/prepareRename", name).expect("an answer");
    assert_eq!(found["placeholder"], "propose", "{found}");
    let prefix = at(&client, "spectra");
    let mut renaming = prefix.clone();
    renaming["newName"] = json!("x");
    let found = client.ask("textDocument/prepareRename", prefix.clone()).expect("an answer");
    assert_eq!(found, serde_json::Value::Null);
    assert_eq!(
        client.ask("textDocument/rename", renaming).map_err(|error| error.code),
        Err(-32803)
    );
    let found = client.ask("textDocument/documentHighlight", prefix.clone()).expect("an answer");
    assert!(found.as_array().is_none_or(Vec::is_empty), "{found}");
    for (method, range) in
        [("textDocument/hover", "/range"), ("textDocument/definition", "/0/originSelectionRange")]
    {
        let found = client.ask(method, prefix.clone()).expect("an answer");
        let range = found.pointer(range).unwrap_or_else(|| panic!("{method}: {found}"));
        let range: Range = serde_json::from_value(range.clone()).expect("a range");
        let cursor: Position = serde_json::from_value(prefix["position"].clone()).expect("a place");
        assert!(range.start <= cursor && cursor <= range.end, "{method}: {found}");
    }
}
