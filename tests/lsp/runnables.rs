//! Lenses that run programs and their tests, for clients that have the commands.

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup};
use crate::profile;

const FILES: &str = "//- count.md
---
name: count
description: Counts the words of a text
input: { type: object, properties: { text: { type: string } }, required: [text] }
output: { type: object, properties: { n: { type: integer } }, required: [n] }
tests:
  - { name: own, input: { text: a }, expect: { equals: { n: 1 } } }
---

Count the words of {{ .text }}
//- count.test.yaml
cases:
  - name: two
    input: { text: a b }
    expect: { at: { /n$0: 2 } }
//- other.test.yaml
suite: other
tests: [{ name: a }]
//- notes.md
# Notes
";

fn able() -> Setup {
    let able = json!({ "agentmd": { "runProgram": true } });
    Setup::new(FILES).capabilities(profile::with(profile::push(), "", "experimental", able))
}

/// The lenses of a document: line, title, command, and argument without the URI.
fn lenses(client: &mut Client, name: &str) -> Vec<(u32, String, String, Value)> {
    let params = json!({ "textDocument": client.document(name) });
    let found = client.request::<CodeLensRequest>(params).unwrap_or_default();
    let uri = client.uri(name);
    found
        .into_iter()
        .map(|lens| {
            let command = lens.command.expect("a command");
            let mut given = serde_json::to_value(command.arguments.unwrap()).unwrap()[0].take();
            assert_eq!(given["uri"].take(), json!(uri));
            given.as_object_mut().unwrap().remove("uri");
            (lens.range.start.line, command.title, command.command, given)
        })
        .collect()
}

#[test]
fn programs_and_cases_have_lenses_for_clients_that_run_them() {
    let mut client = able().start();
    client.open("count.md");
    let lens = |line: u32, title: &str, command: &str, given: Value| {
        (line, title.to_owned(), command.to_owned(), given)
    };
    let (run, test) = ("agentmd.runProgram", "agentmd.testProgram");
    assert_eq!(
        lenses(&mut client, "count.md"),
        [
            lens(0, "Run", run, json!({ "sample": false })),
            lens(0, "Test", test, json!({})),
            lens(6, "Test", test, json!({ "case": "own" })),
        ]
    );
    client.open("count.test.yaml");
    assert_eq!(
        lenses(&mut client, "count.test.yaml"),
        [lens(0, "Test", test, json!({})), lens(1, "Test", test, json!({ "case": "two" }))]
    );
    for name in ["other.test.yaml", "notes.md"] {
        client.open(name);
        assert_eq!(lenses(&mut client, name), [], "{name}");
    }
    // These commands belong to the client; the server doesn't run programs.
    for command in [run, test] {
        let given = json!({ "command": command, "arguments": [{ "uri": client.uri("count.md") }] });
        assert!(client.ask("workspace/executeCommand", given).is_err());
    }
}

#[test]
fn other_clients_have_no_such_lenses() {
    let mut client = Setup::new(FILES).start();
    client.open("count.md");
    assert_eq!(lenses(&mut client, "count.md"), []);
}

#[test]
fn the_cases_of_a_file_are_listed_whether_or_not_it_is_open() {
    let mut client = able().start();
    let mut ask = |name: &str| {
        let params =
            json!({ "command": "agentmd.cases", "arguments": [{ "uri": client.uri(name) }] });
        client.ask("workspace/executeCommand", params).expect("an answer")
    };
    let program = ask("count.md");
    assert_eq!((&program["runs"], &program["cases"][0]["name"]), (&json!(true), &json!("own")));
    let suite = ask("count.test.yaml");
    assert_eq!((&suite["runs"], &suite["cases"][0]["name"]), (&json!(false), &json!("two")));
    assert_eq!(suite["cases"][0]["range"]["start"]["line"], 1);
    assert_eq!(ask("other.test.yaml")["cases"], json!([]));
    assert_eq!(ask("missing.test.yaml"), Value::Null);
    client.shut_down();
}
