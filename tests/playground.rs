//! The requests of the playground's page, without the page, which `playground/page/drive.mjs` tests
//! in a browser.

#[path = "../playground/desk/src/desk/mod.rs"]
mod desk;
#[path = "../src/format/agent/loaded/vocabulary.rs"]
mod vocabulary;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use desk::Desk;
use serde_json::{Value, json};

fn ask(desk: &mut Desk, question: &Value) -> Value {
    serde_json::from_str(&desk.answer(&question.to_string())).expect("an answer is JSON")
}

fn open(files: &[(&str, &str)], clients: &[&str]) -> Desk {
    let mut desk = Desk::default();
    let files: Vec<Value> =
        files.iter().map(|(path, text)| json!({ "path": path, "text": text })).collect();
    let answer = ask(&mut desk, &json!({ "ask": "open", "files": files, "clients": clients }));
    assert_eq!(answer, json!({ "settings": null }));
    desk
}

/// The files below a folder, by relative path.
fn files(folder: &Path, below: &str, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("an example is a folder").flatten() {
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            files(&entry.path(), &format!("{name}/"), found);
        } else {
            let text = fs::read_to_string(entry.path()).expect("an example is text");
            found.insert(name, text);
        }
    }
}

/// Opens an example of the page. Returns its desk and the path of the active file.
fn example(id: &str) -> (Desk, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("playground/examples");
    let list = fs::read_to_string(folder.join("examples.json")).expect("there is a list");
    let list: Value = serde_json::from_str(&list).expect("the list is JSON");
    let examples = list.as_array().expect("the list is an array");
    let entry = examples.iter().find(|entry| entry["id"] == id).expect("the example is listed");
    let mut found = BTreeMap::new();
    files(&folder.join(id), "", &mut found);
    let found: Vec<(&str, &str)> =
        found.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let clients = entry["clients"].as_array();
    let clients: Vec<&str> = clients.into_iter().flatten().filter_map(Value::as_str).collect();
    (open(&found, &clients), entry["active"].as_str().expect("a file is shown").to_owned())
}

fn codes(checked: &Value) -> Vec<&str> {
    let findings = checked["findings"].as_array().expect("there is a list of findings");
    findings.iter().filter_map(|finding| finding["code"].as_str()).collect()
}

#[test]
fn every_example_has_the_findings_that_it_demonstrates() {
    for (id, format, expected) in [
        ("skill", "agent", &["agent/front-matter", "agent/dead-link"][..]),
        ("program", "markdownlang", &["markdownlang/unknown-variable"]),
        ("reply", "duckflow", &["duckflow/dressed-marker", "duckflow/unknown-parameter"]),
        ("llmd", "llmd", &["edit/search-not-found"]),
        ("context", "context", &["context/stale"]),
        ("instructions", "agent", &["agent/missing-import"]),
    ] {
        let (mut desk, path) = example(id);
        let checked = ask(&mut desk, &json!({ "ask": "check", "path": path }));
        assert_eq!(
            (checked["format"].as_str(), codes(&checked).as_slice()),
            (Some(format), expected),
            "{id}"
        );
        let colours = ask(&mut desk, &json!({ "ask": "highlights", "path": path }));
        assert!(colours.as_array().is_some_and(|colours| !colours.is_empty()), "{id}");
    }
}

#[test]
fn verdicts_are_those_of_the_chosen_clients() {
    let (mut desk, path) = example("skill");
    let checked = ask(&mut desk, &json!({ "ask": "check", "path": path }));
    let outcome = |client: &str| {
        let verdicts = checked["verdicts"].as_array().into_iter().flatten();
        let mut own = verdicts.filter(|verdict| verdict["client"] == client);
        own.next().map(|verdict| verdict["outcome"].clone())
    };
    assert_eq!(outcome("codex"), Some(json!("not-loaded")));
    assert_eq!(outcome("opencode"), Some(json!("loaded")));
    assert_eq!(outcome("zed"), None);
    let answer =
        ask(&mut Desk::default(), &json!({ "ask": "open", "files": [], "clients": ["codx"] }));
    assert_eq!(answer, json!({ "error": "unknown client `codx`; did you mean `codex`?" }));
}

#[test]
fn places_are_lines_and_utf_16_columns() {
    let text = "---\nname: p\ndescription: p\ninput: { type: object, properties: { x: { type: string } } }\noutput: { type: object }\n---\n\n🦆 {{ .x | nope }}\r\n";
    let mut desk = open(&[("p.md", text)], &[]);
    ask(&mut desk, &json!({ "ask": "change", "path": "p.md", "text": text }));
    let checked = ask(&mut desk, &json!({ "ask": "check", "path": "p.md" }));
    let findings = checked["findings"].as_array().expect("there are findings");
    let named = findings.iter().find(|finding| {
        finding["message"].as_str().is_some_and(|message| message.contains("\"nope\""))
    });
    let named = named.expect("the function is unknown");
    assert_eq!((&named["from"], &named["to"]), (&json!([7, 11]), &json!([7, 15])));
}

#[test]
fn a_changed_workspace_answers_like_a_new_one() {
    let (mut desk, path) = example("reply");
    let steps = [
        (
            path.as_str(),
            "[REASONING]\nx\n\n[ACTION_0_TYPE] delete_file\n[ACTION_0_PATH] src/greet.py\n",
        ),
        ("src/greet.py", "def greet(): pass\n"),
        ("agentmd.toml", "ignore = [\"duckflow\"]\n"),
        (path.as_str(), "---\nname: a\ndescription: b: c\n---\n"),
    ];
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    self::files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("playground/examples/reply"),
        "",
        &mut files,
    );
    for (changed, text) in steps {
        files.insert(changed.to_owned(), text.to_owned());
        ask(&mut desk, &json!({ "ask": "change", "path": changed, "text": text }));
        let all: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let mut fresh = open(&all, &[]);
        for question in ["check", "highlights", "fix-all", "preview"] {
            let question = json!({ "ask": question, "path": path });
            assert_eq!(
                ask(&mut desk, &question),
                ask(&mut fresh, &question),
                "{changed}: {question}"
            );
        }
    }
}

#[test]
fn blocks_change_the_files_in_memory() {
    let (mut desk, path) = example("reply");
    let checked = ask(&mut desk, &json!({ "ask": "check", "path": path }));
    let offers = checked["offers"].as_array().expect("there are offers");
    let named = |title: &str| {
        let found = offers.iter().find(|offer| offer["title"] == title);
        found.unwrap_or_else(|| panic!("{title}: {offers:?}"))
    };
    let offer = named("Edit src/greet.py");
    assert_eq!(offer["state"], "fits");
    let refused = offers.iter().filter(|offer| offer["state"] == "refused");
    let mut messages = refused.filter_map(|offer| offer["message"].as_str());
    assert!(
        messages.any(|message| message.contains("line 9 has `person`, not `name`")),
        "{offers:?}"
    );
    let plan =
        json!({ "ask": "plan", "path": path, "choices": offer["choices"], "goal": offer["goal"] });
    let answer = ask(&mut desk, &plan);
    let change = &answer["changes"][0];
    assert_eq!(change["path"], "src/greet.py");
    assert!(change["after"].as_str().is_some_and(|text| text.contains("evening")), "{change}");
    assert!(change["hunks"].as_str().is_some_and(|hunks| hunks.starts_with("@@ ")), "{change}");
    // For a block without a match, the reason is given. Without the other blocks, the line number
    // is that of the file.
    let plan =
        json!({ "ask": "plan", "path": path, "choices": [{ "block": 2 }], "goal": "workspace" });
    let answer = ask(&mut desk, &plan);
    assert!(
        answer["error"]
            .as_str()
            .is_some_and(|error| error.contains("line 8 has `person`, not `name`")),
        "{answer}"
    );
}

#[test]
fn a_program_is_rendered_with_its_sample_or_an_input() {
    let (mut desk, path) = example("program");
    let shown = ask(&mut desk, &json!({ "ask": "preview", "path": path }));
    assert_eq!(shown["sample"], true);
    assert!(shown["text"].as_str().is_some_and(|text| text.contains("Two Invoices For May")));
    assert!(shown["problems"].as_array().is_some_and(|problems| problems.len() == 1));
    let shown =
        ask(&mut desk, &json!({ "ask": "preview", "path": path, "input": { "subject": 1 } }));
    let problems = shown["problems"].as_array().expect("there are problems");
    assert!(problems.iter().any(|problem| problem["fails"] == true), "{shown}");
}

#[test]
fn hover_completion_actions_and_pages_are_those_of_the_editor() {
    let (mut desk, path) = example("program");
    let at = json!([33, 14]);
    let hover = ask(&mut desk, &json!({ "ask": "hover", "path": path, "at": [1, 1] }));
    assert!(hover["markdown"].as_str().is_some_and(|text| !text.is_empty()), "{hover}");
    let found = ask(&mut desk, &json!({ "ask": "complete", "path": path, "at": [33, 13] }));
    let labels: Vec<&str> =
        found.as_array().into_iter().flatten().filter_map(|item| item["label"].as_str()).collect();
    assert!(labels.contains(&"name") && labels.contains(&"plan"), "{labels:?}");
    let found = ask(&mut desk, &json!({ "ask": "actions", "path": path, "from": at, "to": at }));
    let titles: Vec<&str> =
        found.as_array().into_iter().flatten().filter_map(|item| item["title"].as_str()).collect();
    assert!(titles.contains(&"Replace with `name`"), "{titles:?}");
    let page =
        ask(&mut desk, &json!({ "ask": "explain", "code": "markdownlang/unknown-variable" }));
    assert!(
        page["markdown"]
            .as_str()
            .is_some_and(|text| text.starts_with("# markdownlang/unknown-variable"))
    );
}

#[test]
fn tokens_are_counted_with_public_vocabularies() {
    let mut desk = open(&[("a.md", "Hello, world!\n")], &[]);
    let checked = ask(&mut desk, &json!({ "ask": "check", "path": "a.md" }));
    assert_eq!(checked["tokens"], 4);
    let found = ask(&mut desk, &json!({ "ask": "vocabularies" }));
    let names: Vec<&str> =
        found.as_array().into_iter().flatten().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["o200k"]);
    assert_eq!(vocabulary::count("o200k", "Hello, world!\n"), Some(4));
    assert_eq!(vocabulary::count("p50k", ""), None);
}

#[test]
fn invalid_requests_are_errors() {
    let mut desk = open(&[("a.md", "")], &[]);
    for (question, message) in [
        (json!({ "ask": "check", "path": "b.md" }), "b.md: no such file"),
        (json!({ "ask": "explain", "code": "agent/nothing" }), "unknown rule `agent/nothing`"),
        (json!({ "ask": "sing" }), "the question can't be read"),
    ] {
        let answer = ask(&mut desk, &question);
        assert!(
            answer["error"].as_str().is_some_and(|error| error.starts_with(message)),
            "{answer}"
        );
    }
    assert!(desk.answer("{").contains("the question can't be read"));
    // Unusable settings are reported, and the defaults apply.
    let answer =
        ask(&mut desk, &json!({ "ask": "change", "path": "agentmd.toml", "text": "ignore = 1" }));
    assert!(
        answer["settings"].as_str().is_some_and(|problem| problem.contains("agentmd.toml")),
        "{answer}"
    );
    let answer = ask(&mut desk, &json!({ "ask": "check", "path": "/../../etc/passwd" }));
    assert!(answer["error"].is_string(), "{answer}");
}
