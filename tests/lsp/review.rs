//! Reviews of edits: the list, the comparison, and choices that are applied all or nothing.

use serde_json::{Value, json};

use crate::client::{Client, RpcError, Setup};
use crate::duckflow::apply;
use crate::profile;

const REPLY: &str = "Edits. 🦆\n\na.rs\n<<<<<<< SEARCH\nfn one() {}\n=======\nfn uno() {}\n>>>>>>> REPLACE\n\na.rs\n<<<<<<< SEARCH\nfn uno() {}\n=======\nfn eins() {}\n>>>>>>> REPLACE\n\nb.rs\n<<<<<<< SEARCH\nsame();\n=======\nother();\n>>>>>>> REPLACE\n\ngone.rs\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n\nnew/d.rs\n<<<<<<< SEARCH\n=======\nfn d() {}\n>>>>>>> REPLACE\n";
const FILES: &str = "//- a.rs\nfn one() {}\n\nfn two() {}\n//- b.rs\nsame();\n日本\nsame();\n";
const DUCK: &str = "[REASONING]\nx\n\n[ACTION_0_TYPE] edit_file\n[ACTION_0_PATH] a.rs\n[ACTION_0_CONTENT_START]\n<<<<<<< SEARCH\nfn one() {}\n=======\nfn uno() {}\n>>>>>>> REPLACE\n[ACTION_0_CONTENT_END]\n\n[ACTION_1_TYPE] edit_file\n[ACTION_1_PATH] a.rs\n[ACTION_1_CONTENT_START]\n<<<<<<< SEARCH\nfn uno() {}\n=======\nfn eins() {}\n>>>>>>> REPLACE\n[ACTION_1_CONTENT_END]\n\n[ACTION_2_TYPE] create_file\n[ACTION_2_PATH] n.md\n[ACTION_2_CONTENT_START]\nNotes\n[ACTION_2_CONTENT_END]\n";

fn able() -> Value {
    profile::with(profile::push(), "", "experimental", json!({ "agentmd": { "review": true } }))
}

fn start() -> Client {
    let text = format!("//- r.md\n{REPLY}\n//- duck.md\n{DUCK}\n{FILES}");
    let mut client = Setup::new(&text).capabilities(able()).start();
    client.open("r.md");
    client
}

fn command(client: &mut Client, name: &str, argument: Value) -> Result<Value, RpcError> {
    let params = json!({ "command": name, "arguments": [argument] });
    client.ask("workspace/executeCommand", params)
}

fn review(client: &mut Client, name: &str) -> Value {
    let uri = client.uri(name);
    command(client, "agentmd.review", json!({ "uri": uri })).expect("a review")
}

fn states(review: &Value) -> Vec<(&str, &str)> {
    let edits = review["edits"].as_array().expect("edits").iter();
    edits
        .map(|edit| {
            (edit["title"].as_str().expect("a title"), edit["state"].as_str().expect("one"))
        })
        .collect()
}

fn compare(client: &mut Client, name: &str, choices: Value) -> Value {
    let uri = client.uri(name);
    command(client, "agentmd.compare", json!({ "uri": uri, "choices": choices })).expect("files")
}

#[test]
fn every_edit_is_listed_with_its_state_and_its_places() {
    let mut client = start();
    let found = review(&mut client, "r.md");
    assert_eq!(
        states(&found),
        [
            ("Edit a.rs", "fits"),
            ("Edit a.rs", "fits"),
            ("Edit b.rs", "ambiguous"),
            ("Edit gone.rs", "refused"),
            ("Create new/d.rs", "fits"),
        ]
    );
    let places = found["edits"][2]["places"].as_array().expect("places");
    assert_eq!(places.len(), 2);
    assert_eq!(places[1], json!({ "line": 2, "text": "same();" }));
    assert_eq!(found["edits"][3]["message"], "No such file: gone.rs");
    let lens =
        client.ask("textDocument/codeLens", json!({ "textDocument": client.document("r.md") }));
    let lens = lens.expect("lenses");
    assert_eq!(lens[0]["command"]["title"], "Review 5 changes");
    client.shut_down();
}

#[test]
fn an_edit_keeps_its_key_while_the_reply_changes_around_it() {
    let mut client = start();
    let keys = |review: &Value| -> Vec<String> {
        let edits = review["edits"].as_array().expect("edits").iter();
        edits.map(|edit| edit["key"].as_str().expect("a key").to_owned()).collect()
    };
    let before = keys(&review(&mut client, "r.md"));
    let changed = client.text("r.md").replace("Edits.", "Some more words\n\nand edits.");
    client.replace("r.md", &changed);
    assert_eq!(keys(&review(&mut client, "r.md")), before);
    let changed = changed.replace("fn d() {}", "fn e() {}");
    client.replace("r.md", &changed);
    let after = keys(&review(&mut client, "r.md"));
    assert_eq!(after[..4], before[..4]);
    assert_ne!(after[4], before[4]);
    client.shut_down();
}

#[test]
fn an_edit_is_compared_with_its_file_after_earlier_edits() {
    let mut client = start();
    let found = compare(&mut client, "r.md", json!([{ "block": 2 }]));
    let file = &found["files"][0];
    assert_eq!(file["before"], "fn uno() {}\n\nfn two() {}\n");
    assert_eq!(file["after"], "fn eins() {}\n\nfn two() {}\n");
    let found = compare(&mut client, "r.md", json!([{ "block": 3, "at": 2 }]));
    assert_eq!(found["files"][0]["after"], "same();\n日本\nother();\n");
    let found = compare(&mut client, "r.md", json!([{ "block": 5 }]));
    assert_eq!(
        (&found["files"][0]["before"], &found["files"][0]["after"]),
        (&Value::Null, &json!("fn d() {}\n"))
    );
    let found = compare(&mut client, "r.md", json!([{ "block": 4 }]));
    assert_eq!(found["files"], json!([]));
    assert_eq!(found["refused"][0]["block"], 4);
    client.open("duck.md");
    let listed = review(&mut client, "duck.md");
    assert_eq!(
        states(&listed),
        [("Edit a.rs", "fits"), ("Edit a.rs", "fits"), ("Create n.md", "fits")]
    );
    let found = compare(&mut client, "duck.md", json!([{ "block": 1 }]));
    assert_eq!(found["files"][0]["before"], "fn uno() {}\n\nfn two() {}\n");
    assert_eq!(found["files"][0]["after"], "fn eins() {}\n\nfn two() {}\n");
    client.shut_down();
}

#[test]
fn choices_are_applied_with_their_places_all_or_nothing() {
    let mut client = start();
    let listed = review(&mut client, "r.md");
    let uri = client.uri("r.md");
    let order =
        |choices: Value| json!({ "uri": uri, "version": listed["version"], "choices": choices });
    let all = order(json!([{ "block": 1 }, { "block": 3, "at": 0 }, { "block": 4 }]));
    let refused = command(&mut client, "agentmd.apply", all);
    assert!(refused.is_err(), "an edit without a file stops all others: {refused:?}");
    assert!(client.asked.iter().all(|asked| asked.method != "workspace/applyEdit"));
    let some = order(json!([{ "block": 1 }, { "block": 3, "at": 2 }, { "block": 5 }]));
    command(&mut client, "agentmd.apply", some).expect("applied");
    let asked = client.asked.iter().find(|asked| asked.method == "workspace/applyEdit");
    let edit = asked.expect("an edit").params["edit"].clone();
    apply(&mut client, &edit);
    let read =
        |client: &Client, name: &str| std::fs::read_to_string(client.path(name)).expect("it");
    assert_eq!(read(&client, "a.rs"), "fn uno() {}\n\nfn two() {}\n");
    assert_eq!(read(&client, "b.rs"), "same();\n日本\nother();\n");
    assert_eq!(read(&client, "new/d.rs"), "fn d() {}\n");
    let stale = json!({ "uri": uri, "version": 99, "choices": [{ "block": 2 }] });
    assert!(command(&mut client, "agentmd.apply", stale).is_err());
    client.shut_down();
}

/// An editor without confirmations skips edits that could lose something, unless they were reviewed
/// one by one.
#[test]
fn a_reviewed_edit_is_applied_even_if_it_needs_consent_elsewhere() {
    let block = |name: &str, old: &str, new: &str| {
        format!("{name}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n\n")
    };
    let reply = block("a.rs", "fn one() {}", "fn uno() {}") + &block(".env", "KEY=1", "KEY=2");
    let text = format!("//- r.md\n{reply}\n//- a.rs\nfn one() {{}}\n//- .env\nKEY=1\n");
    let files = |chosen: Value| {
        let mut client = Setup::new(&text).capabilities(able()).start();
        client.open("r.md");
        let mut order = json!({ "uri": client.uri("r.md") });
        order.as_object_mut().expect("an object").extend(chosen.as_object().expect("one").clone());
        command(&mut client, "agentmd.apply", order).expect("applied");
        let asked = client.asked.iter().find(|asked| asked.method == "workspace/applyEdit");
        let edit = asked.expect("an edit").params["edit"].clone();
        apply(&mut client, &edit);
        let read = |name: &str| std::fs::read_to_string(client.path(name)).expect("a file");
        let found = (read("a.rs"), read(".env"));
        client.shut_down();
        found
    };
    let own = |first: &str, second: &str| (first.to_owned(), second.to_owned());
    let found = files(json!({ "blocks": [1, 2] }));
    assert_eq!(found, own("fn uno() {}\n", "KEY=1\n"));
    let found = files(json!({ "choices": [{ "block": 1 }, { "block": 2 }] }));
    assert_eq!(found, own("fn uno() {}\n", "KEY=2\n"));
}
