use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup};
use crate::fixture::program;
use crate::profile;

fn actions(client: &mut Client, span: std::ops::Range<usize>, only: Option<&str>) -> Vec<CodeAction> {
    let mut context = json!({ "diagnostics": [] });
    if let Some(only) = only {
        context["only"] = json!([only]);
    }
    let params = json!({ "textDocument": client.document("doc.md"), "range": client.range("doc.md", span), "context": context });
    let found = client.request::<CodeActionRequest>(params).expect("actions");
    let action = |response| match response {
        CodeActionResponse::CodeAction(action) => action,
        other => panic!("no action: {other:?}"),
    };
    found.into_iter().map(action).collect()
}

/// The actions at a word of the document.
fn at(client: &mut Client, word: &str, only: Option<&str>) -> Vec<CodeAction> {
    let start = client.text("doc.md").find(word).expect("the word");
    actions(client, start..start + word.len(), only)
}

fn applied(client: &Client, action: &CodeAction) -> String {
    let mut texts = client.edited(action.edit.as_ref().expect("an edit"));
    assert_eq!(texts.len(), 1);
    texts.remove(&client.uri("doc.md")).expect("the document")
}

fn titled<'a>(found: &'a [CodeAction], title: &str) -> &'a CodeAction {
    let titles: Vec<_> = found.iter().map(|action| action.title.as_str()).collect();
    found.iter().find(|action| action.title == title).unwrap_or_else(|| panic!("no action {title:?} in {titles:?}"))
}

#[test]
fn a_quick_fix_makes_the_text_that_it_promises() {
    for capabilities in [profile::push(), profile::with(profile::push(), "/workspace", "workspaceEdit", json!({}))] {
        let versioned = capabilities["workspace"]["workspaceEdit"]["documentChanges"] == true;
        let mut client = Setup::new(&program("\"x-🦆\": 1\nmodle: gpt-4o\n")).capabilities(capabilities).start();
        client.open("doc.md");
        // The version is not the first: edits have to speak of this one.
        let end = client.text("doc.md").len();
        client.edit("doc.md", end..end, "Thanks.\n");
        let found = at(&mut client, "modle", None);
        let rename = titled(&found, "Rename to `model`");
        assert_eq!(rename.kind, Some(CodeActionKind::QuickFix));
        assert_eq!(rename.diagnostics.as_ref().map(Vec::len), Some(1));
        let edit = rename.edit.as_ref().unwrap();
        assert_eq!((edit.document_changes.is_some(), edit.changes.is_some()), (versioned, !versioned));
        let expected = client.text("doc.md").replace("modle", "model");
        let after = applied(&client, rename);
        assert_eq!(after, expected);
        client.replace("doc.md", &after);
        assert_eq!(client.codes("doc.md"), [""; 0]);
    }
}

#[test]
fn snippets_only_for_clients_that_know_them() {
    let text = program("").replace("description: Greets a person\n", "");
    let knows = profile::with(profile::push(), "/workspace", "workspaceEdit", json!({ "documentChanges": true, "snippetEditSupport": true }));
    let mut client = Setup::new(&text).capabilities(knows).start();
    client.open("doc.md");
    let found = actions(&mut client, 0..3, None);
    let edit = serde_json::to_value(titled(&found, "Insert `description`").edit.as_ref().unwrap()).unwrap();
    let snippet = &edit["documentChanges"][0]["edits"][0]["snippet"];
    assert_eq!(snippet["kind"], "snippet");
    assert!(snippet["value"].as_str().unwrap().contains("description: ${1:"), "{edit}");

    let mut client = Setup::new(&text).start();
    client.open("doc.md");
    let found = actions(&mut client, 0..3, None);
    let after = applied(&client, titled(&found, "Insert `description`"));
    assert!(after.contains("\ndescription: ") && !after.contains('$'), "{after}");
}

const TWO: &str = "mcp_servers:\n  - name: a\n    command: b\n    disabled: yes\n  - name: c\n    command: d\n    disabled: no\n";

#[test]
fn everything_that_is_safe_is_fixed_at_once() {
    let mut client = Setup::new(&program(TWO)).start();
    client.open("doc.md");
    let found = actions(&mut client, 0..0, Some("source.fixAll"));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].kind, Some(CodeActionKind::SourceFixAll));
    let after = applied(&client, &found[0]);
    assert_eq!(after, client.text("doc.md").replace("yes", "true").replace("disabled: no", "disabled: false"));
    client.replace("doc.md", &after);
    assert_eq!(client.codes("doc.md"), [""; 0]);
    assert_eq!(actions(&mut client, 0..0, Some("source.fixAll")), []);
}

#[test]
fn only_the_kinds_that_are_asked_for() {
    let mut client = Setup::new(&program(TWO)).start();
    client.open("doc.md");
    let kinds = |found: Vec<CodeAction>| found.into_iter().map(|action| serde_json::to_value(action.kind).unwrap()).collect::<Vec<Value>>();
    assert_eq!(kinds(at(&mut client, "yes", Some("quickfix"))), ["quickfix"]);
    assert_eq!(kinds(at(&mut client, "yes", Some("source"))), ["source.fixAll"]);
    assert_eq!(kinds(at(&mut client, "yes", Some("source.organizeImports"))), [""; 0]);
    assert_eq!(kinds(at(&mut client, "yes", Some(""))).len(), 2);
    let preferred = at(&mut client, "yes", Some("quickfix"));
    assert_eq!(preferred[0].is_preferred, Some(true));
}

#[test]
fn clients_that_know_commands_alone_are_offered_no_actions() {
    let client = Setup::new("x\n").capabilities(profile::minimal()).start();
    assert!(client.server.code_action_provider.is_none());
}

#[test]
fn an_action_that_is_resolved_needlessly_comes_back_as_it_is() {
    let mut client = Setup::new("x\n").start();
    client.open("doc.md");
    let action = json!({ "title": "A", "kind": "quickfix" });
    let resolved = client.request::<CodeActionResolveRequest>(action.clone());
    assert_eq!(serde_json::to_value(resolved).unwrap(), action);
}
