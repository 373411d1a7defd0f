use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup};
use crate::fixture::program;
use crate::profile;

fn actions(
    client: &mut Client,
    span: std::ops::Range<usize>,
    only: Option<&str>,
) -> Vec<CodeAction> {
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
    found
        .iter()
        .find(|action| action.title == title)
        .unwrap_or_else(|| panic!("no action {title:?} in {titles:?}"))
}

#[test]
fn a_quick_fix_makes_the_promised_edit() {
    for capabilities in
        [profile::push(), profile::with(profile::push(), "/workspace", "workspaceEdit", json!({}))]
    {
        let versioned = capabilities["workspace"]["workspaceEdit"]["documentChanges"] == true;
        let mut client =
            Setup::new(&program("\"x-🦆\": 1\nmodle: gpt-4o\n")).capabilities(capabilities).start();
        client.open("doc.md");
        // The document has a later version now, and edits must be for that one.
        let end = client.text("doc.md").len();
        client.edit("doc.md", end..end, "Thanks.\n");
        let found = at(&mut client, "modle", None);
        let rename = titled(&found, "Rename to `model`");
        assert_eq!(rename.kind, Some(CodeActionKind::QuickFix));
        assert_eq!(rename.diagnostics.as_ref().map(Vec::len), Some(1));
        let edit = rename.edit.as_ref().unwrap();
        assert_eq!(
            (edit.document_changes.is_some(), edit.changes.is_some()),
            (versioned, !versioned)
        );
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
    let knows = profile::with(
        profile::push(),
        "/workspace",
        "workspaceEdit",
        json!({ "documentChanges": true, "snippetEditSupport": true }),
    );
    let mut client = Setup::new(&text).capabilities(knows).start();
    client.open("doc.md");
    let found = actions(&mut client, 0..3, None);
    let edit = serde_json::to_value(titled(&found, "Insert `description`").edit.as_ref().unwrap())
        .unwrap();
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
fn all_safe_fixes_are_applied_at_once() {
    let mut client = Setup::new(&program(TWO)).start();
    client.open("doc.md");
    let found = actions(&mut client, 0..0, Some("source.fixAll"));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].kind, Some(CodeActionKind::SourceFixAll));
    let after = applied(&client, &found[0]);
    assert_eq!(
        after,
        client.text("doc.md").replace("yes", "true").replace("disabled: no", "disabled: false")
    );
    client.replace("doc.md", &after);
    assert_eq!(client.codes("doc.md"), [""; 0]);
    assert_eq!(actions(&mut client, 0..0, Some("source.fixAll")), []);
}

#[test]
fn only_requested_kinds_are_offered() {
    let mut client = Setup::new(&program(TWO)).start();
    client.open("doc.md");
    let kinds = |found: Vec<CodeAction>| {
        found
            .into_iter()
            .map(|action| serde_json::to_value(action.kind).unwrap())
            .collect::<Vec<Value>>()
    };
    assert_eq!(kinds(at(&mut client, "yes", Some("quickfix"))), ["quickfix"]);
    assert_eq!(kinds(at(&mut client, "yes", Some("source"))), ["source.fixAll.agentmd"]);
    assert_eq!(
        kinds(at(&mut client, "yes", Some("source.fixAll.agentmd"))),
        ["source.fixAll.agentmd"]
    );
    assert_eq!(kinds(at(&mut client, "yes", Some("source.fixAll.other"))), [""; 0]);
    assert_eq!(kinds(at(&mut client, "yes", Some("source.organizeImports"))), [""; 0]);
    assert_eq!(kinds(at(&mut client, "yes", Some(""))).len(), 2);
    let preferred = at(&mut client, "yes", Some("quickfix"));
    assert_eq!(preferred[0].is_preferred, Some(true));
}

#[test]
fn clients_that_know_only_commands_are_offered_no_actions() {
    let client = Setup::new("x\n").capabilities(profile::minimal()).start();
    assert!(client.server.code_action_provider.is_none());
}

#[test]
fn an_action_that_needs_no_resolving_is_returned_unchanged() {
    let mut client = Setup::new("x\n").start();
    client.open("doc.md");
    let action = json!({ "title": "A", "kind": "quickfix" });
    let resolved = client.request::<CodeActionResolveRequest>(action.clone());
    assert_eq!(serde_json::to_value(resolved).unwrap(), action);
}

/// A client that resolves edits lazily.
fn resolves() -> Value {
    profile::with(
        profile::push(),
        "/textDocument/codeAction",
        "resolveSupport",
        json!({ "properties": ["edit"] }),
    )
}

fn resolved(client: &mut Client, action: &CodeAction) -> Result<CodeAction, i64> {
    let pending = client.begin::<CodeActionResolveRequest>(serde_json::to_value(action).unwrap());
    client.finish(pending).map_err(|error| error.code)
}

const SKILL: &str = "//- SKILL.md\n---\nname: notes\ndescription: Takes notes\n---\n\n# Notes\n\nTake $ARGUMENTS down.\n";
const CONVERT: &str = "Convert to a markdownlang program";

#[test]
fn edits_of_a_whole_document_are_computed_on_resolve() {
    let mut at_once = Setup::new(&program(TWO)).start();
    assert_eq!(
        serde_json::to_value(&at_once.server).unwrap()["codeActionProvider"]["resolveProvider"],
        false
    );
    at_once.open("doc.md");
    let whole = titled(
        &at(&mut at_once, "yes", Some("source")),
        "Fix everything that agentmd can fix safely",
    )
    .clone();
    let expected = applied(&at_once, &whole);

    let mut client = Setup::new(&program(TWO)).capabilities(resolves()).start();
    assert_eq!(
        serde_json::to_value(&client.server).unwrap()["codeActionProvider"]["resolveProvider"],
        true
    );
    client.open("doc.md");
    let found = at(&mut client, "yes", None);
    // A quick fix is small, so it comes with its edit and is resolved to itself.
    let quick = titled(&found, "Replace with `true`").clone();
    assert!(quick.edit.is_some() && quick.data.is_none());
    assert_eq!(resolved(&mut client, &quick), Ok(quick));
    let whole = titled(&found, "Fix everything that agentmd can fix safely").clone();
    assert!(whole.edit.is_none() && whole.data.is_some(), "{whole:?}");
    let made = resolved(&mut client, &whole).unwrap();
    assert_eq!(applied(&client, &made), expected);
    // No edit for a document that has changed or been closed.
    client.edit("doc.md", 0..0, "\n");
    assert_eq!(resolved(&mut client, &whole), Err(-32801));
    client.close("doc.md");
    assert_eq!(resolved(&mut client, &whole), Err(-32801));
}

#[test]
fn a_conversion_is_computed_on_resolve() {
    let ask = |client: &mut Client| {
        client.open("SKILL.md");
        let position = client.position("SKILL.md", 4);
        let params = json!({ "textDocument": client.document("SKILL.md"), "range": { "start": position, "end": position }, "context": { "diagnostics": [] } });
        let found = client.request::<CodeActionRequest>(params).unwrap();
        let mut found = found.into_iter().filter_map(|response| match response {
            CodeActionResponse::CodeAction(action) if action.title == CONVERT => Some(action),
            _ => None,
        });
        found.next().expect("the conversion")
    };
    let text = |client: &Client, action: &CodeAction| {
        client.edited(action.edit.as_ref().unwrap()).remove(&client.uri("SKILL.md")).unwrap()
    };
    let mut eager = Setup::new(SKILL).start();
    let action = ask(&mut eager);
    let expected = text(&eager, &action);
    assert!(expected.contains("input:"), "{expected}");
    let mut client = Setup::new(SKILL).capabilities(resolves()).start();
    let action = ask(&mut client);
    assert!(action.edit.is_none());
    let made = resolved(&mut client, &action).unwrap();
    assert_eq!(text(&client, &made), expected);
    // An action without data is returned unchanged.
    let other = CodeAction { title: "Convert to nothing".to_owned(), data: None, ..action.clone() };
    assert_eq!(resolved(&mut client, &other), Ok(other));
}
