//! `parse`: the parsed document as JSON, including errors.

use serde_json::json;

use super::{Folder, GOOD};

const PROGRAM: &str = "---
name: fetch-all
description: Fetches pages 🦆
model: gpt-4o
input:
  type: object
  properties:
    urls: { type: array, items: { type: object, properties: { link: { type: string } } } }
    user: { type: object, properties: { name: { type: string } } }
  required: [urls, user]
output: { type: object, properties: { text: { type: string } }, required: [text] }
imports: [./helper.md]
mcp_servers:
  - name: fetch
    command: uvx
    args: [mcp-server-fetch]
    env: { A: b }
  - { name: far, url: \"http://x/mcp\", transport: sse, disabled: true }
---

{{ define \"line\" }}{{ .link }}{{ end -}}
{{ $user := .user }}Hello {{ $user.name | upper }}, helper.
{{ range $i, $page := .urls }}{{ $i }}: {{ $page.link }} {{ template \"line\" . }} {{ len $.urls }}{{ end }}
{{ with .user }}{{ .name }}{{ end }}{{ index . \"urls\" 0 }}{{ printf \"%v\" (lower .user.name) }}
";

fn folder() -> Folder {
    Folder::with(&[
        ("a.md", PROGRAM),
        ("helper.md", &GOOD.replace("name: greet", "name: helper")),
        ("plain.md", "# Notes\n"),
    ])
}

#[test]
fn a_program_is_read() {
    let answer = folder().run(&["parse", "a.md", "--as", "markdownlang"]);
    assert_eq!((answer.status, answer.err.as_str(), answer.out.lines().count()), (0, "", 1));
    let read = answer.json();
    let keys: Vec<&String> = read.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "format",
            "name",
            "description",
            "model",
            "input",
            "output",
            "imports",
            "mcp_servers",
            "template",
            "errors"
        ]
    );
    assert_eq!(
        (&read["format"], &read["name"], &read["model"]),
        (&json!("markdownlang"), &json!("fetch-all"), &json!("gpt-4o"))
    );
    assert_eq!(read["description"], "Fetches pages 🦆");
    assert_eq!(read["input"]["required"], json!(["urls", "user"]));
    assert_eq!(
        read["output"],
        json!({ "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] })
    );
    assert_eq!(read["imports"], json!(["./helper.md"]));
    assert_eq!(
        read["mcp_servers"],
        json!([
            { "name": "fetch", "command": "uvx", "args": ["mcp-server-fetch"], "env": { "A": "b" }, "url": null, "transport": null, "disabled": false },
            { "name": "far", "command": null, "args": [], "env": {}, "url": "http://x/mcp", "transport": "sse", "disabled": true },
        ])
    );
    assert_eq!(
        read["template"]["variables"],
        json!(["user", "user.name", "urls", "urls[].link", "urls[]"])
    );
    assert_eq!(read["template"]["functions"], json!(["index", "len", "lower", "printf", "upper"]));
    assert_eq!(read["errors"], json!([]));
}

#[test]
fn the_format_is_detected_and_stdin_is_read() {
    let folder = folder();
    let read = folder.run(&["parse", "a.md"]);
    assert_eq!(read.json()["name"], "fetch-all");
    assert_eq!(folder.run(&["parse", "a.md", "--pretty"]).json(), read.json());
    assert_eq!(folder.run_with(&["parse", "-"], GOOD.as_bytes()).json()["name"], "greet");
    let plain = folder.run(&["parse", "plain.md"]);
    assert_eq!(
        (plain.status, &plain.json()["format"], &plain.json()["errors"][0]["code"]),
        (0, &json!("plain"), &json!("parse/no-reader"))
    );
    assert_eq!(plain.json()["errors"][0]["line"], 1);
}

#[test]
fn text_that_may_be_a_reply_is_mentioned() {
    let reply = "\u{feff}<think>\r\nHm. 🦆\r\n</think>\r\n\r\nHere it is:\r\n\r\n```\r\n[REASONING] Because.\r\n[ACTION_0_TYPE] delete_file\r\n[ACTION_0_PATH] a.md\r\n```\r\n\r\nThat is all.\r\n";
    let folder = folder();
    let read = folder.run_with(&["parse", "-"], reply.as_bytes());
    let message = read.json()["errors"][0]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("`--as duckflow`") && !message.contains("`--as llmd`"), "{message}");
    assert!(read.err.contains("`--as duckflow`"), "{}", read.err);
    let known = folder.run_with(&["parse", "-", "--as", "duckflow"], reply.as_bytes()).json();
    assert_eq!(
        (&known["reasoning"], &known["actions"][0]["type"]),
        (&json!("Because."), &json!("delete_file"))
    );
    let refused = folder.run_with(&["apply", "-", "--dry-run"], reply.as_bytes());
    assert!(
        refused.status != 0 && refused.err.contains("keep only the content of the fence"),
        "{}",
        refused.err
    );
    assert!(folder.run(&["parse", "plain.md"]).err.contains("`--as` sets the format"));
}

const PROJECT: &str = "# Project: T\n\n## Meta: LLMD\n\n## Mission\n\nBe small. 🦆\n\n## Code Context\n\n### app.py\n\n```python\nx = 1\n```\n\n## Changelog\n\n- Created\n  - with care\n\n## Conversation Thread\n\n### Entry 1\n\n**Human:** do it\n\n**Assistant:** ok\n\napp.py\n<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>> REPLACE\n\n<<<<<< CHANGELOG\nDone\n>>>>>> CHANGELOG\n\n<<<<<< SEARCH_MISSION\nBe big.\n=======\nBe.\n>>>>>> REPLACE_MISSION\n";

#[test]
fn llmd_21_a_project_is_read() {
    for kind in ["llmd", "auto"] {
        let read = folder().run_with(&["parse", "-", "--as", kind], PROJECT.as_bytes()).json();
        let keys: Vec<&String> = read.as_object().unwrap().keys().collect();
        assert_eq!(
            keys,
            [
                "format",
                "project",
                "sections",
                "mission",
                "code_context",
                "changelog",
                "entries",
                "blocks",
                "errors"
            ]
        );
        assert_eq!(
            (&read["format"], &read["project"], &read["mission"]),
            (&json!("llmd"), &json!("T"), &json!("Be small. 🦆"))
        );
        let sections: Vec<_> = read["sections"]
            .as_array()
            .unwrap()
            .iter()
            .map(|section| section["name"].as_str().unwrap())
            .collect();
        assert_eq!(
            sections,
            ["Meta: LLMD", "Mission", "Code Context", "Changelog", "Conversation Thread"]
        );
        let range = json!({ "start": { "line": 5, "column": 1, "offset": 29 }, "end": { "line": 9, "column": 1, "offset": 57 } });
        assert_eq!(read["sections"][1]["range"], range);
        assert_eq!(
            read["code_context"],
            json!([{ "file": "app.py", "language": "python", "content": "x = 1\n" }])
        );
        assert_eq!(read["changelog"], json!(["Created\n- with care"]));
        assert_eq!(
            (&read["entries"][0]["number"], &read["entries"][0]["human"]),
            (&json!(1), &json!("do it"))
        );
        let blocks: Vec<_> = read["blocks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|block| {
                (
                    &block["kind"],
                    &block["file"],
                    &block["search"],
                    &block["replace"],
                    &block["live"],
                )
            })
            .collect();
        let live = json!(true);
        assert_eq!(
            blocks[0],
            (&json!("replace"), &json!("app.py"), &json!("x = 1\n"), &json!("x = 2\n"), &live)
        );
        assert_eq!(
            blocks[1],
            (&json!("changelog"), &json!(null), &json!(null), &json!("Done\n"), &live)
        );
        assert_eq!(
            blocks[2],
            (&json!("mission"), &json!(null), &json!("Be big.\n"), &json!("Be.\n"), &live)
        );
        assert_eq!(blocks.len(), 3);
        let errors: Vec<_> = read["errors"]
            .as_array()
            .unwrap()
            .iter()
            .map(|error| (error["code"].as_str().unwrap(), error["line"].as_u64().unwrap()))
            .collect();
        assert_eq!(errors, [("llmd/mission-not-found", 41)]);
    }
}

#[test]
fn errors_are_part_of_the_answer() {
    let folder = Folder::empty();
    for (text, code, line) in [
        (GOOD.replace("greet\n", "greet\nname: twice\n"), "markdownlang/duplicate-key", 3),
        (GOOD.replace("description: Greets a person\n", ""), "markdownlang/missing-field", 1),
        (
            GOOD.replace("name: greet", "imports: [helper.md]\nname: greet"),
            "markdownlang/bare-import",
            2,
        ),
        (GOOD.replace("name: greet", "name: [greet"), "markdownlang/yaml-syntax", 2),
        ("# Plain\n".to_owned(), "markdownlang/front-matter-delimiter", 1),
        (String::new(), "markdownlang/front-matter-delimiter", 1),
    ] {
        let answer = folder.run_with(&["parse", "-", "--as", "markdownlang"], text.as_bytes());
        assert_eq!(
            (answer.status, &answer.json()["format"]),
            (0, &json!("markdownlang")),
            "{answer:#?}"
        );
        let errors = answer.json()["errors"].as_array().unwrap().clone();
        let found = errors.iter().any(|error| {
            error["code"] == code && error["line"] == line && error["message"].is_string()
        });
        assert!(found, "{code} in {errors:#?}");
    }
}

#[test]
fn text_that_is_not_utf_8_is_read_with_an_error() {
    let folder = Folder::empty();
    let mut bytes = GOOD.as_bytes().to_vec();
    let place = GOOD.find("a person").unwrap();
    bytes[place] = 0xff;
    let read = folder.run_with(&["parse", "-"], &bytes).json();
    assert_eq!(
        (&read["name"], &read["errors"][0]["code"], &read["errors"][0]["line"]),
        (&json!("greet"), &json!("markdown/unreadable"), &json!(3))
    );
}

#[test]
fn usage_errors_of_parse() {
    let folder = folder();
    assert_eq!(folder.run(&["parse", "none.md"]).status, 2);
    assert_eq!(folder.run(&["parse", "."]).status, 2);
    let answer = folder.run(&["parse", "a.md", "--as", "elsewhere"]);
    assert_eq!(answer.status, 2);
    assert!(answer.err.contains("auto, markdownlang"), "{}", answer.err);
}
