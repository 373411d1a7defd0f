//! Context packs in the real server: findings that follow their files, and lines that become items.

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup};
use crate::profile;

const PACK: &str = "# Prompt\r\n\r\n## Context\r\n\r\n### Code (from notes/ü b.md:1-2)\r\n```lisp\r\neins 🦆\r\nzwei\r\n```\r\n";

fn start(capabilities: Value) -> Client {
    let setup = Setup::new(&format!(
        "//- pack.md\n{PACK}//- notes/ü b.md\neins 🦆\nzwei\ndrei\n//- other.md\n## Context\n\n### Text\n```lisp\nx\n```\n"
    ));
    let mut client = setup.capabilities(capabilities).start();
    client.open("pack.md");
    client
}

fn add(client: &mut Client, given: Value) -> Result<Value, crate::client::RpcError> {
    client.ask(
        "workspace/executeCommand",
        json!({ "command": "agentmd.addToContext", "arguments": [given] }),
    )
}

fn asked(client: &Client) -> Vec<WorkspaceEdit> {
    let edits = client
        .asked
        .iter()
        .filter(|asked| asked.method == "workspace/applyEdit")
        .map(|asked| asked.params["edit"].clone());
    edits.map(|edit| serde_json::from_value(edit).expect("an edit")).collect()
}

#[test]
fn aq_10_findings_follow_the_file_as_it_is_in_the_editor() {
    let mut client = start(profile::push());
    assert_eq!(client.codes("pack.md"), [""; 0]);
    client.open("notes/ü b.md");
    client.edit("notes/ü b.md", 0..0, "null\n");
    let stale = client.wait_until("the pack to be out of date", |client| {
        Some(client.codes("pack.md")).filter(|codes| !codes.is_empty())
    });
    assert_eq!(stale, ["context/stale"]);
    let at = client.text("pack.md").find("ü b").expect("the name");
    let params = json!({ "textDocument": client.document("pack.md"), "range": client.range("pack.md", at..at), "context": { "diagnostics": [] } });
    let found: Vec<Value> =
        serde_json::from_value(client.ask("textDocument/codeAction", params).expect("actions"))
            .expect("a list");
    let act = |client: &Client, title: &str| {
        let action = found
            .iter()
            .find(|action| action["title"].as_str().is_some_and(|found| found.starts_with(title)))
            .expect(title);
        let edit = serde_json::from_value(action["edit"].clone()).expect("an edit");
        client.edited(&edit)[&client.uri("pack.md")].clone()
    };
    assert_eq!(act(&client, "Adjust the range to 2-3"), PACK.replace(":1-2", ":2-3"));
    assert_eq!(
        act(&client, "Refresh from the file"),
        PACK.replace("eins 🦆\r\nzwei", "null\r\neins 🦆")
    );
    let hover = client.request::<HoverRequest>(client.at("pack.md", at)).expect("a hover");
    assert!(format!("{hover:?}").contains("+null"), "{hover:?}");
    let links = client
        .request::<DocumentLinkRequest>(json!({ "textDocument": client.document("pack.md") }))
        .expect("links");
    assert_eq!(
        links[0].target.as_ref().map(|uri| uri.0.clone()),
        Some(format!("{}#L1", client.uri("notes/%C3%BC%20b.md")))
    );
    client.edit("notes/ü b.md", 0..5, "");
    client.wait_until("the pack to match its file", |client| {
        client.codes("pack.md").is_empty().then_some(())
    });
}

#[test]
fn aq_10_findings_follow_the_file_on_disk_with_any_editor() {
    let pack = "## Context\n\n### Code (from src/ü a.rs:1-1)\n```rust\nfn one() {}\n```\n\n### Code (from src/none.rs:1-1)\n```rust\nx\n```\n\n### Code (from new/deep/a.rs:1-1)\n```rust\nx\n```\n\n### Code (from new/deep/none.rs:1-1)\n```rust\nx\n```\n";
    let profiles = [
        ("push".to_owned(), profile::push()),
        ("pull".to_owned(), profile::pull()),
        ("minimal".to_owned(), profile::minimal()),
    ];
    let follow = |name: &str, capabilities: Value| {
        let mut client = Setup::new(&format!("//- pack.md\n{pack}//- src/ü a.rs\nfn one() {{}}\n"))
            .capabilities(capabilities)
            .start();
        client.open("pack.md");
        assert_eq!(client.codes("pack.md"), ["context/file-not-found"; 3], "{name}");
        if name == "pull" {
            client.asked.clear();
            client.write("src/ü a.rs", "fn three() {}\n");
            client.wait_for_question("workspace/diagnostic/refresh");
        }
        let mut after = |file: &str, text: &str, codes: &[&str]| {
            client.write(file, text);
            client.wait_until(&format!("{name}: {file} to be looked at"), |client| {
                (client.codes("pack.md") == codes).then_some(())
            });
        };
        let (stale, missing) = ("context/stale", "context/file-not-found");
        after("src/ü a.rs", "fn two() {}\n", &[stale, missing, missing, missing]);
        after("src/none.rs", "x\n", &[stale, missing, missing]);
        // The folder was missing as well.
        after("new/deep/none.rs", "x\n", &[stale, missing]);
        after("src/ü a.rs", "fn one() {}\r\n", &[missing]);
    };
    std::thread::scope(|scope| {
        for (name, capabilities) in profiles.into_iter().chain(profile::captured()) {
            scope.spawn(move || follow(&name, capabilities));
        }
    });
}

/// While somebody types, checks share what the disk answered just before.
#[test]
fn aq_10_findings_follow_the_file_on_disk_while_the_pack_is_edited() {
    for capabilities in [profile::push(), profile::pull()] {
        let pack = "## Context\n\n### Code (from src/a.rs:1-1)\n```rust\nfn one() {}\n```\n";
        let files = format!("//- pack.md\n{pack}//- src/a.rs\nfn one() {{}}\n");
        let mut client = Setup::new(&files).capabilities(capabilities).start();
        client.open("pack.md");
        assert!(client.codes("pack.md").is_empty());
        for (text, codes) in [
            ("fn two() {}\n", &["context/stale"][..]),
            ("fn one() {}\n// More.\n", &[]),
            ("fn three() {}\n", &["context/stale"]),
        ] {
            client.edit("pack.md", 0..0, "\n");
            client.codes("pack.md");
            client.write("src/a.rs", text);
            client.edit("pack.md", 0..0, "\n");
            client.wait_until("the file to be looked at again", |client| {
                (client.codes("pack.md") == codes).then_some(())
            });
        }
    }
}

/// A new document counts as a file, even in a folder that the disk doesn't have.
#[test]
fn aq_10_findings_follow_documents_in_new_folders() {
    let item = |name: &str| format!("### Code (from new/{name}:1-1)\n```rust\nx\n```\n\n");
    let pack = ["none.rs", "a.rs"].map(item).concat();
    let mut client = Setup::new(&format!("//- pack.md\n## Context\n\n{pack}")).start();
    client.open("pack.md");
    assert_eq!(client.codes("pack.md"), ["context/file-not-found"; 2]);
    client.open_with("new/a.rs", "x\n");
    client.wait_until("the pack to have its file", |client| {
        (client.codes("pack.md") == ["context/file-not-found"]).then_some(())
    });
    client.close("new/a.rs");
    client.wait_until("the file to be gone", |client| {
        (client.codes("pack.md") == ["context/file-not-found"; 2]).then_some(())
    });
}

/// A missing file next to a new document doesn't hide the document from an action.
#[test]
fn aq_10_new_documents_are_refreshed_from() {
    let item = |name: &str| format!("### Code (from new/{name}:1-1)\n```rust\nold\n```\n\n");
    let pack = ["none.rs", "a.rs", "b.rs"].map(item).concat();
    let mut client = Setup::new(&format!("//- pack.md\n## Context\n\n{pack}")).start();
    client.open("pack.md");
    client.open_with("new/a.rs", "x\n");
    client.open_with("new/b.rs", "y\n");
    let params = json!({ "textDocument": client.document("pack.md"), "range": client.range("pack.md", 3..3), "context": { "diagnostics": [] } });
    let found = client.ask("textDocument/codeAction", params).expect("actions").to_string();
    assert!(found.contains("Refresh all 2 items"), "{found}");
}

#[test]
fn lines_are_added_to_the_newest_pack() {
    for capabilities in [
        profile::push(),
        profile::with(profile::push(), "/workspace/workspaceEdit", "documentChanges", json!(false)),
    ] {
        let mut client = start(capabilities);
        client.open("notes/ü b.md");
        let uri = client.uri("notes/ü b.md");
        let range = client.range("notes/ü b.md", 5..13);
        add(&mut client, json!({ "uri": uri, "range": range })).expect("an edit");
        let edit = asked(&client).pop().expect("an edit");
        let expected = PACK.to_owned()
            + "\r\n### Code (from notes/ü b.md:1-2)\r\n```lisp\r\neins 🦆\r\nzwei\r\n```\r\n";
        assert_eq!(client.edited(&edit)[&client.uri("pack.md")], expected);
        client.open("other.md");
        add(&mut client, json!({ "uri": uri, "range": range })).expect("an edit");
        let edit = asked(&client).pop().expect("an edit");
        assert!(client.edited(&edit)[&client.uri("other.md")].ends_with(
            "x\n```\n\n### Code (from notes/ü b.md:1-2)\n```lisp\neins 🦆\nzwei\n```\n"
        ));
        let target = client.uri("pack.md");
        add(&mut client, json!({ "uri": uri, "range": range, "target": target })).expect("an edit");
        assert_eq!(client.edited(&asked(&client).pop().expect("an edit"))[&target], expected);
    }
}

#[test]
fn a_selection_is_offered_to_the_open_pack() {
    let mut client = start(profile::push());
    client.open("notes/ü b.md");
    let actions = |client: &mut Client, name: &str, span: std::ops::Range<usize>| -> Vec<Value> {
        let params = json!({ "textDocument": client.document(name), "range": client.range(name, span), "context": { "diagnostics": [] } });
        serde_json::from_value(client.ask("textDocument/codeAction", params).expect("actions"))
            .expect("a list")
    };
    let offered = |found: &[Value]| {
        found
            .iter()
            .filter(|action| action["title"] == "Add to context pack pack.md")
            .cloned()
            .collect::<Vec<_>>()
    };
    let found = offered(&actions(&mut client, "notes/ü b.md", 0..10));
    let edit = serde_json::from_value(found[0]["edit"].clone()).expect("an edit");
    // A selection that ends at the start of a line doesn't include that line.
    assert!(
        client.edited(&edit)[&client.uri("pack.md")]
            .ends_with("### Code (from notes/ü b.md:1-1)\r\n```lisp\r\neins 🦆\r\n```\r\n")
    );
    assert!(offered(&actions(&mut client, "notes/ü b.md", 3..3)).is_empty());
    assert!(offered(&actions(&mut client, "pack.md", 0..8)).is_empty());
}

#[test]
fn invalid_additions_are_refused_with_a_reason() {
    let mut client = start(profile::push());
    let range =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 99 } });
    let pack = client.uri("pack.md");
    for (given, reason) in [
        (json!({ "uri": pack, "range": range }), "contains these lines already"),
        (json!({ "uri": client.uri("none.md"), "range": range }), "cannot read"),
        (
            json!({ "uri": client.uri("notes/ü b.md"), "range": range, "target": client.uri("none.md") }),
            "cannot read",
        ),
        (json!({ "uri": pack }), "takes one object"),
        (json!(3), "takes one object"),
    ] {
        let error = add(&mut client, given.clone()).expect_err("a refusal");
        assert!(format!("{error:?}").contains(reason), "{given}: {error:?}");
    }
    client.close("pack.md");
    let notes = client.uri("notes/ü b.md");
    let error = add(&mut client, json!({ "uri": notes, "range": range })).expect_err("a refusal");
    assert!(format!("{error:?}").contains("no context pack is open"), "{error:?}");
    assert!(asked(&client).is_empty());
}
