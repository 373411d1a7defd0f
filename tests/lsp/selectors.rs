//! SEL-20: selectors in an editor.

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup, code};
use crate::profile;

const FILES: &str = "//- doc.md\n# Notes 🦆\n\n日本 `guide::head$0ing:h2[1]/block:code[0]` and guide::section[2].\n\n```sh\nagentmd select h2.0 guide.md\n```\n//- guide.md\n# Guide\n\n## One\n\ntext\n\n## Two\n\n```\ncode\n```\n//- deep/more.md\n---\nfrom: guide::heading:h2[1]\n---\nnothing::else\n";

fn actions(client: &mut Client, name: &str, offset: usize) -> Vec<CodeAction> {
    let params = json!({ "textDocument": client.document(name), "range": client.range(name, offset..offset), "context": { "diagnostics": [] } });
    let found = client.request::<CodeActionRequest>(params).unwrap_or_default();
    let action = |response| match response {
        CodeActionResponse::CodeAction(action) => action,
        other => panic!("no action: {other:?}"),
    };
    found.into_iter().map(action).collect()
}

fn run(client: &mut Client, action: &CodeAction) -> Result<Value, crate::client::RpcError> {
    let command = action.command.as_ref().expect("a command");
    client.ask(
        "workspace/executeCommand",
        json!({ "command": command.command, "arguments": command.arguments }),
    )
}

#[test]
fn sel_20_hover_and_definition_in_every_encoding() {
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let mut client =
            Setup::new(FILES).capabilities(profile::encoded(profile::push(), &[encoding])).start();
        client.open("doc.md");
        let at = client.cursor("doc.md");
        let hover = client.request::<HoverRequest>(at.clone()).expect("a hover");
        assert_eq!(
            client.text_at("doc.md", hover.range.unwrap()),
            "guide::heading:h2[1]/block:code[0]"
        );
        let Contents::MarkupContent(content) = hover.contents else { panic!("no markup") };
        assert_eq!(
            content.value,
            "**`guide::block:code[0]`** · 3 words · `guide.md`\n\n````markdown\n```\ncode\n```\n````"
        );
        let Some(DefinitionResponse::DefinitionLinkList(links)) =
            client.request::<DefinitionRequest>(at)
        else {
            panic!("no links")
        };
        assert_eq!(
            (links[0].target_uri.0.clone(), links[0].target_range.start.line),
            (client.uri("guide.md"), 8)
        );
    }
}

#[test]
fn sel_20_a_selector_that_no_longer_resolves_is_reported_at_once() {
    let mut client = Setup::new(FILES).start();
    client.open("doc.md");
    client.wait_for_index();
    assert_eq!(client.findings("doc.md"), []);
    client.open("guide.md");
    let start = client.text("guide.md").find("## Two").unwrap();
    client.edit("guide.md", start..start + 3, "");
    let found = client.wait_for_findings("doc.md", |found| found.len() == 2).diagnostics;
    let told: Vec<_> = found
        .iter()
        .map(|finding| {
            (crate::client::code(finding), client.text_at("doc.md", finding.range).to_owned())
        })
        .collect();
    assert_eq!(
        told,
        [
            ("selector/unresolved".to_owned(), "heading:h2[1]".to_owned()),
            ("selector/unresolved".to_owned(), "section[2]".to_owned())
        ]
    );
    let offset = client.file("doc.md").cursors[0];
    let offers = actions(&mut client, "doc.md", offset);
    let fix = offers
        .iter()
        .find(|action| action.title == "Write `guide::heading:h2[0]`")
        .unwrap_or_else(|| panic!("{offers:#?}"));
    let after = client.edited(fix.edit.as_ref().unwrap()).remove(&client.uri("doc.md")).unwrap();
    assert!(after.contains("日本 `guide::heading:h2[0]` and"), "{after}");
    client.edit("guide.md", start..start, "## ");
    client.wait_for_findings("doc.md", <[_]>::is_empty);
}

#[test]
fn sel_20_references_from_a_heading_to_all_files() {
    let mut client = Setup::new(FILES).start();
    client.open("guide.md");
    let at = client.text("guide.md").find("Two").unwrap();
    let mut params = client.at("guide.md", at);
    params["context"] = json!({ "includeDeclaration": false });
    let found = client.request::<ReferencesRequest>(params).expect("places");
    let places: Vec<_> =
        found.iter().map(|place| (place.uri.0.clone(), place.range.start.line)).collect();
    assert_eq!(places, [(client.uri("deep/more.md"), 1), (client.uri("doc.md"), 2)]);
}

#[test]
fn sel_20_completion_of_a_document_and_of_its_parts() {
    let mut client = Setup::new(FILES).start();
    client.wait_for_index();
    client.open_with("doc.md", "`gu`\n");
    let labels = |client: &mut Client, offset: usize| -> Vec<String> {
        let params = client.at("doc.md", offset);
        match client.request::<CompletionRequest>(params) {
            Some(CompletionResponse::CompletionItemList(items)) => {
                items.into_iter().map(|item| item.label).collect()
            }
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(labels(&mut client, 3), ["guide::"]);
    client.replace("doc.md", "`guide::heading:h2[`\n");
    assert_eq!(labels(&mut client, 19), ["heading:h2[0]", "heading:h2[1]"]);
}

#[test]
fn sel_20_the_selector_of_a_place_is_copied() {
    let capabilities = profile::with(
        profile::push(),
        "",
        "experimental",
        json!({ "agentmd": { "copySelector": true } }),
    );
    let mut client = Setup::new(FILES).capabilities(capabilities).start();
    client.open("guide.md");
    for (word, expected) in [
        ("code", "guide::block:code[0]"),
        ("One", "guide::heading:h2[0]"),
        ("text", "guide::block:paragraph[0]"),
    ] {
        let at = client.text("guide.md").find(word).unwrap();
        let offers = actions(&mut client, "guide.md", at);
        let offer = offers
            .iter()
            .find(|action| action.title == format!("Copy selector `{expected}`"))
            .unwrap_or_else(|| panic!("{offers:#?}"));
        assert_eq!(run(&mut client, offer), Ok(json!(expected)));
        // The request of a client that has its own command for this.
        let place =
            json!({ "uri": client.uri("guide.md"), "position": client.position("guide.md", at) });
        assert_eq!(
            client.ask(
                "workspace/executeCommand",
                json!({ "command": "agentmd.copySelector", "arguments": [place] })
            ),
            Ok(json!(expected))
        );
    }
    for wrong in [
        json!([]),
        json!([{ "uri": client.uri("guide.md") }]),
        json!([{ "uri": "file:///gone.md", "position": { "line": 0, "character": 0 } }]),
    ] {
        assert!(
            client
                .ask(
                    "workspace/executeCommand",
                    json!({ "command": "agentmd.copySelector", "arguments": wrong })
                )
                .is_err()
        );
    }
}

#[test]
fn sel_20_a_client_that_cannot_copy_is_offered_nothing() {
    let mut client = Setup::new(FILES).start();
    client.open("guide.md");
    assert_eq!(actions(&mut client, "guide.md", 3).len(), 0);
}

/// The edits that the client was last asked to apply, as line and new text by file.
fn last_edits(client: &Client) -> Vec<(String, Vec<(u64, String)>)> {
    let edit = client
        .asked
        .iter()
        .rfind(|asked| asked.method == "workspace/applyEdit")
        .expect("an edit")
        .params["edit"]
        .clone();
    let file = |change: &Value| {
        let name =
            change["textDocument"]["uri"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        let edits = change["edits"].as_array().unwrap().iter();
        (
            name,
            edits
                .map(|edit| {
                    (
                        edit["range"]["start"]["line"].as_u64().unwrap(),
                        edit["newText"].as_str().unwrap().to_owned(),
                    )
                })
                .collect(),
        )
    };
    edit["documentChanges"].as_array().unwrap().iter().map(file).collect()
}

#[test]
fn sel_20_selectors_follow_what_an_edit_moves() {
    let mut client = Setup::new(FILES).start();
    client.open("doc.md");
    client.open("guide.md");
    client.wait_for_index();
    assert_eq!(actions(&mut client, "guide.md", 0).len(), 0);
    let start = client.text("guide.md").find("## One").unwrap();
    client.edit("guide.md", start..start, "## New\n\n```\nfirst\n```\n\n");
    let offers = actions(&mut client, "guide.md", 0);
    let offer = offers
        .iter()
        .find(|action| action.title == "Update 4 selectors of moved content, in 2 files")
        .unwrap_or_else(|| panic!("{offers:#?}"));
    assert_eq!(run(&mut client, offer), Ok(Value::Null));
    let one = |line, text: &str| (line, text.to_owned());
    assert_eq!(
        last_edits(&client),
        [
            ("doc.md".to_owned(), vec![one(2, "2"), one(2, "3"), one(5, "1")]),
            ("more.md".to_owned(), vec![one(1, "2")])
        ]
    );
    // Once rewritten, the selectors are right until the next edit.
    let text = client
        .text("doc.md")
        .replace("h2[1]", "h2[2]")
        .replace("section[2]", "section[3]")
        .replace("h2.0", "h2.1");
    client.replace("doc.md", &text);
    client.write("deep/more.md", "---\nfrom: guide::heading:h2[2]\n---\n");
    let uri = client.uri("deep/more.md");
    client.notify::<DidChangeWatchedFilesNotification>(
        json!({ "changes": [{ "uri": uri, "type": 2 }] }),
    );
    assert_eq!(actions(&mut client, "guide.md", 0).len(), 0);
    client.edit("guide.md", start..start + "## New\n\n".len(), "");
    client.sync();
    let offers = actions(&mut client, "guide.md", 0);
    let offer = offers
        .iter()
        .find(|action| action.title.starts_with("Update"))
        .unwrap_or_else(|| panic!("{offers:#?}"));
    assert_eq!(run(&mut client, offer), Ok(Value::Null));
    assert_eq!(
        last_edits(&client),
        [
            ("doc.md".to_owned(), vec![one(2, "1"), one(2, "2"), one(5, "0")]),
            ("more.md".to_owned(), vec![one(1, "1")])
        ]
    );
}

#[test]
fn sel_20_an_edit_that_moves_no_selected_part_is_ignored() {
    let mut client = Setup::new(FILES).start();
    client.open("doc.md");
    client.open("guide.md");
    client.wait_for_index();
    // A heading that is edited in place is still the same heading, and a new heading below it moves
    // nothing above.
    client.replace(
        "guide.md",
        "# Guide\n\n## First\n\nother text\n\n## Two\n\n```\ncode\n```\n\n## Three\n",
    );
    assert_eq!(actions(&mut client, "guide.md", 0).len(), 0);
    // A selector that is written after the edit means the document as it is now.
    client.replace("guide.md", "# Guide\n\n## New\n\n## One\n\ntext\n\n## Two\n\n```\ncode\n```\n");
    let text = client.text("doc.md").to_owned() + "\nguide::heading:h2[1]\n";
    client.replace("doc.md", &text);
    let offers = actions(&mut client, "guide.md", 0);
    assert_eq!(
        offers.iter().map(|action| action.title.as_str()).collect::<Vec<_>>(),
        ["Update 4 selectors of moved content, in 2 files"]
    );
}

#[test]
fn sel_20_the_only_pull_of_a_client_waits_for_the_workspace() {
    let silent = profile::with(profile::pull(), "/workspace", "diagnostics", json!({}));
    let mut client = Setup::new(&format!("{FILES}//- gate\n"))
        .capabilities(silent)
        .environment("AGENTMD_TEST_READING", "{folder}/gate")
        .start();
    client.open_with("new.md", "guide::heading:h2[9]\n");
    let params = json!({ "textDocument": client.document("new.md") });
    let pull = client.send_request("textDocument/diagnostic", params.clone());
    let cancelled = client.send_request("textDocument/diagnostic", params);
    client.cancel(cancelled);
    assert!(client.wait_for_answer(cancelled).is_err());
    // The answer is for the text at the time when the workspace has been read.
    client.edit("new.md", 0..0, "日本 ");
    std::fs::remove_file(client.path("gate")).expect("the gate");
    let report = client.wait_for_answer(pull).expect("a report");
    assert_eq!(report["items"][0]["code"], "selector/unresolved", "{report}");
    assert_eq!(report["items"][0]["range"]["end"]["character"], 23, "{report}");
}

#[test]
fn sel_20_headings_show_their_selectors_on_request() {
    for (wanted, count) in [(false, 0), (true, 3)] {
        let mut client = Setup::new(FILES).options(json!({ "selector-hints": wanted })).start();
        client.open("guide.md");
        let end = client.text("guide.md").len();
        let params = json!({ "textDocument": client.document("guide.md"), "range": client.range("guide.md", 0..end) });
        let hints = client.request::<InlayHintRequest>(params).unwrap_or_default();
        assert_eq!(hints.len(), count, "{hints:?}");
    }
}

/// The new document is in another folder, and the one that names it stays as it is.
#[test]
fn sel_20_a_name_is_known_as_soon_as_its_document_exists() {
    let mut client =
        Setup::new("//- notes/a.md\nSee `duck::heading:h1[0]`.\n//- pond.md\n# Pond\n").start();
    client.wait_for_index();
    client.open("notes/a.md");
    let unknown = |found: &[Diagnostic]| found.iter().map(code).eq(["selector/unknown-document"]);
    client.wait_for_findings("notes/a.md", unknown);
    let tell = |client: &mut Client, change: u8| {
        let changes = json!([{ "uri": client.uri("deep/duck.md"), "type": change }]);
        client.notify::<DidChangeWatchedFilesNotification>(json!({ "changes": changes }));
    };
    client.write("deep/duck.md", "# Duck\n");
    tell(&mut client, 1);
    client.wait_for_findings("notes/a.md", <[Diagnostic]>::is_empty);
    std::fs::remove_file(client.path("deep/duck.md")).expect("the file");
    tell(&mut client, 3);
    client.wait_for_findings("notes/a.md", unknown);
}
