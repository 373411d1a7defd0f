use std::path::Path;

use crate::answer::Completion;
use crate::config::{Config, Options};
use crate::document::Document;
use crate::format::Context;
use crate::ide::completion::completions;
use crate::text::apply;
use crate::world::Memory;

const HELPER: &str = "---\nname: helper\ndescription: Helps a lot\ninput: { type: object }\noutput: { type: object }\n---\n\nHelp.\n";

fn world() -> Memory {
    Memory::default()
        .with("/w/notes.md", "# Notes\n")
        .with("/w/helper.md", HELPER)
        .with("/w/greet.md", "")
        .with("/w/data.txt", "")
        .with("/w/.hidden/x.md", HELPER)
        .with("/w/tools/analyzer.md", &HELPER.replace("helper", "analyzer"))
        .with("/w/tools/odd: name.md", HELPER)
        .with("/up/above.md", HELPER)
        .with("/other.md", HELPER)
}

fn at(path: &str, text: &str) -> (String, usize, Vec<Completion>) {
    let offset = text.find("$0").expect("a cursor");
    let text = text.replacen("$0", "", 1);
    let (config, world) = (Config::new("/w".into(), Options::default()).unwrap(), world());
    let document = Document::new(&text, Some(Path::new(path)), &config);
    let cx = Context::new(document.source(), Some(Path::new(path)), &world, &config);
    let mut found = completions(&document, &cx, offset).items;
    found.sort_by_key(|item| item.rank);
    for item in &found {
        let span = &item.edit.span;
        let before = text.get(span.clone()).expect("a span on characters");
        assert!(
            span.start <= offset && offset <= span.end && !before.contains(['\n', '\r']),
            "{text:?}: {item:?}"
        );
        assert!(!item.label.is_empty() && !item.label.contains('\n'), "{item:?}");
        let typed = &text[span.start..offset];
        assert!(
            item.label.starts_with(typed.trim()) || !typed.trim().starts_with(['"', '\'', '-']),
            "{typed:?} is not part of {item:?}"
        );
        let plain = item.snippet.as_deref().map(crate::format::snippet::plain);
        assert!(!item.edit.text.contains("${"), "{item:?}");
        assert!(
            plain.is_none_or(|plain| plain
                .trim_start()
                .starts_with(item.edit.text.trim().lines().next().unwrap_or_default())),
            "{item:?}"
        );
    }
    (text, offset, found)
}

fn labels(text: &str) -> Vec<String> {
    at("/w/greet.md", text).2.into_iter().map(|item| item.label).collect()
}

/// The first labels, with every kind of line break, with a byte order mark, and in unfinished
/// documents.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    for text in [text.to_owned(), text.replace('\n', "\r\n"), format!("\u{feff}{text}")] {
        let found = labels(&text);
        let first: Vec<&str> = found.iter().map(String::as_str).take(expected.len()).collect();
        assert_eq!(first, expected, "{text:?}\n{found:?}");
    }
}

/// These are all labels.
#[track_caller]
fn exactly(text: &str, expected: &[&str]) {
    check(text, expected);
    assert_eq!(labels(text), expected, "{text:?}");
}

/// Accepting the item with this label gives this text; with placeholders, `expected` contains them.
#[track_caller]
fn takes(text: &str, label: &str, expected: &str) {
    let (text, _, found) = at("/w/greet.md", text);
    let item = found.iter().find(|item| item.label == label);
    let item = item.unwrap_or_else(|| {
        panic!("no {label} in {:?}", found.iter().map(|item| &item.label).collect::<Vec<_>>())
    });
    assert_eq!(apply(&text, std::slice::from_ref(&item.edit)).unwrap(), expected);
}

/// The snippet of the item with this label.
#[track_caller]
fn snippet(text: &str, label: &str, expected: &str) {
    let (_, _, found) = at("/w/greet.md", text);
    let item = found.iter().find(|item| item.label == label).expect(label);
    assert_eq!(item.snippet.as_deref(), Some(expected));
}

const IO: &str = "input: { type: object }\noutput: { type: object }\n";

#[test]
fn top_level_keys() {
    exactly(
        "---\n$0",
        &[
            "name",
            "description",
            "input",
            "output",
            "markdownlang program",
            "imports",
            "mcp_servers",
            "model",
            "config",
            "sample",
            "tests",
        ],
    );
    check(
        "---\nname: x\n$0",
        &["description", "input", "output", "imports", "mcp_servers", "model"],
    );
    check("---\nname: x\n$0\n---\n", &["description", "input", "output"]);
    check("---\nname: x\ndes$0\n---\n\nBody\n", &["description", "input", "output"]);
    check("---\nde$0", &["name", "description"]);
    check("---\nde$0\n\n# Title\n", &["name", "description"]);
    check("---\nname: x\nde$0\n\n# Title\n", &["description"]);
    check("---\nna$0me: x\ninput: {}\noutput: {}\n---\n", &["description"]);
    check(
        "---\nname: 日本 👩‍👩‍👧 e\u{301}\n$0\ninput: {}\noutput: {}\n---\n",
        &["description", "imports"],
    );
    check("---\nname: @broken\ninput: [\noutput: {}\nde$0\n---\n", &["description"]);
    exactly("---\nname: x # na$0\n", &[]);
    exactly("---\nname: x\n---\n$0", &[]);
    exactly("---\nname: x\n$0---\n", &[]);
    takes("---\nname: x\n$0\n---\n", "model", "---\nname: x\nmodel: \n---\n");
    takes(
        "---\nname: x\nin$0\n---\n",
        "input",
        "---\nname: x\ninput:\n  type: object\n  properties:\n    text: { type: string }\n  required: [text]\n---\n",
    );
    takes(
        "---\r\nname: x\r\nim$0\r\n---\r\n",
        "imports",
        "---\r\nname: x\r\nimports:\r\n  - ./helper.md\r\n---\r\n",
    );
    takes("---\nname: x\n  $0\n---\n", "description", "---\nname: x\ndescription: \n---\n");
    takes("---\nnme$0: x\n---\n", "name", "---\nname: x\n---\n");
    takes(
        "---\n{ na$0 }\n---\n",
        "input",
        "---\n{ input: { type: object, properties: { text: { type: string } }, required: [text] } }\n---\n",
    );
    snippet("---\n$0", "name", "name: ${1:greet}");
    takes(
        "---\n$0",
        "markdownlang program",
        "---\nname: greet\ndescription: What the program does\ninput:\n  type: object\n  properties:\n    text: { type: string }\n  required: [text]\noutput:\n  type: object\n  properties:\n    result: { type: string }\n  required: [result]\n---\n\n",
    );
}

#[test]
fn a_program_from_nothing() {
    for text in ["$0", "-$0", "---$0", "\n\n$0", "\u{feff}$0", "  $0\n", "--$0\n"] {
        let label =
            if text.contains('-') { "--- markdownlang program" } else { "markdownlang program" };
        assert_eq!(labels(text), [label], "{text:?}");
    }
    let (text, _, found) = at("/w/my tool.md", "--$0");
    let made = apply(&text, &[found[0].edit.clone()]).unwrap();
    assert!(
        made.starts_with("---\nname: my-tool\n")
            && made.ends_with("---\n\nWork on this:\n\n{{ .text }}\n"),
        "{made}"
    );
    let config = Config::new("/w".into(), Options::default()).unwrap();
    let document = Document::new(&made, Some(Path::new("/w/my-tool.md")), &config);
    let world = world();
    let cx = Context::new(document.source(), Some(Path::new("/w/my-tool.md")), &world, &config);
    assert_eq!(crate::ide::diagnostics::diagnostics(&document, &cx), []);
}

#[test]
fn other_files_get_no_completions() {
    for path in [
        "/w/SKILL.md",
        "/w/AGENTS.md",
        "/w/CLAUDE.md",
        "/w/rules/a.mdc",
        "/w/.claude/agents/a.md",
        "/w/x.prompt.md",
        "/w/x.txt",
    ] {
        for text in ["$0", "---\n$0\n---\n", "---\nname: x\n$0\n---\n"] {
            let programs = ["input", "output", "imports", "mcp_servers", "markdownlang program"];
            assert!(
                !at(path, text).2.iter().any(|item| programs.contains(&item.label.as_str())),
                "{path} {text:?}"
            );
        }
    }
    exactly("---\ntitle: x\ndate: y\n$0\n---\n", &[]);
    exactly("Text\n\n---\n$0", &[]);
    exactly("# Title\n$0", &[]);
}

#[test]
fn settings_of_the_model() {
    let with = |rest: &str| format!("---\nname: x\n{IO}config:{rest}\n---\n");
    let all = ["temperature", "top_p", "max_tokens", "seed", "reasoning_effort"];
    exactly(&with("\n  $0"), &all);
    exactly(
        &with("\n  seed: 1\n  $0"),
        &["temperature", "top_p", "max_tokens", "reasoning_effort"],
    );
    exactly(&with(" { $0 }"), &all);
    exactly(&with("\n  seed: $0"), &[]);
    check(&with("\n  reasoning_effort: $0"), &["none", "minimal", "low"]);
    takes(&with("\n  top$0"), "top_p", &with("\n  top_p: "));
}

#[test]
fn servers() {
    let with = |rest: &str| format!("---\nname: x\n{IO}mcp_servers:{rest}\n---\n");
    exactly(&with("\n  $0"), &["server with a command", "server with a URL"]);
    exactly(
        &with("\n  - name: x\n    command: y\n  $0"),
        &["server with a command", "server with a URL"],
    );
    exactly(&with(" $0"), &["server with a command", "server with a URL"]);
    let all = ["command", "args", "env", "url", "headers", "transport", "timeout", "disabled"];
    check(&with("\n  - $0"), &[&["name"], &all[..]].concat());
    check(&with("\n  - name: x\n    $0"), &["command", "args", "env", "url", "headers"]);
    check(
        &with("\n  - name: x\n    url: y\n    $0"),
        &["headers", "transport", "timeout", "disabled", "command"],
    );
    check(
        &with("\n  - name: x\n    command: y\n    $0"),
        &["args", "env", "transport", "timeout", "disabled", "url", "headers"],
    );
    check(&with(" [{ name: x, $0 }]"), &["command", "args"]);
    takes(
        &with(" [$0]"),
        "server with a URL",
        &with(" [{ name: server, url: http://localhost:3000/mcp }]"),
    );
    exactly(&with("\n  - name: x\n    transport: $0"), &["auto", "command", "sse", "http"]);
    exactly(&with("\n  - name: x\n    disabled: $0"), &["true", "false"]);
    check(&with("\n  - name: x\n    command: $0"), &["npx"]);
    takes(
        &with("\n  - name: x\n    trans$0"),
        "transport",
        &with("\n  - name: x\n    transport: "),
    );
    takes(
        &with("\n  - name: x\n    $0"),
        "env",
        &with("\n  - name: x\n    env:\n      NAME: value"),
    );
    snippet(&with("\n  - name: x\n    $0"), "env", "env:\n  ${1:NAME}: ${2:value}");
    snippet(&with("\n  - $0"), "env", "env:\n    ${1:NAME}: ${2:value}");
    takes(
        &with("\n  $0"),
        "server with a URL",
        &with("\n  - name: server\n    url: http://localhost:3000/mcp"),
    );
    takes(
        &with("\n  - name: x\n    transport:$0"),
        "sse",
        &with("\n  - name: x\n    transport: sse"),
    );
    takes(
        &with("\n  - name: x\n    transport: \"s$0\""),
        "sse",
        &with("\n  - name: x\n    transport: \"sse\""),
    );
    takes(
        &with("\n  - name: x\n    transport: 's$0"),
        "sse",
        &with("\n  - name: x\n    transport: 'sse"),
    );
}

#[test]
fn simple_values() {
    check("---\nname: x\nmodel: $0\n", &["gpt-4o"]);
    takes("---\nname: x\nmodel:$0\n", "gpt-4o", "---\nname: x\nmodel: gpt-4o\n");
    takes(
        "---\nname: x\nmodel: gp$0\n---\n",
        "gpt-4o-mini",
        "---\nname: x\nmodel: gpt-4o-mini\n---\n",
    );
    exactly("---\nname: $0\n---\n", &["greet"]);
    exactly("---\ndescription: $0\n---\n", &[]);
    exactly("---\nname: x\nimports: $0\n---\n", &["./helper.md", "./notes.md"]);
    takes(
        "---\nname: x\nimports: $0\n---\n",
        "./helper.md",
        "---\nname: x\nimports: [./helper.md]\n---\n",
    );
    takes(
        "---\nname: x\ninput: $0\n---\n",
        "object",
        "---\nname: x\ninput: { type: object, properties: { text: { type: string } }, required: [text] }\n---\n",
    );
}

#[test]
fn imports() {
    let with = |rest: &str| format!("---\nname: x\n{IO}imports:{rest}\n---\n");
    exactly(&with("\n  - $0"), &["./helper.md", "./notes.md", "./tools/", "../"]);
    exactly(&with("\n  - ./$0"), &["helper.md", "notes.md", "tools/"]);
    exactly(&with("\n  - ./tools/an$0"), &["analyzer.md", "./tools/odd: name.md"]);
    exactly(&with("\n  - hel$0"), &["helper.md", "notes.md", "tools/"]);
    exactly(&with("\n  - ./helper.md\n  - $0"), &["./notes.md", "./tools/", "../"]);
    exactly(&with("\n  - ../$0"), &["other.md", "up/", "w/"]);
    exactly(&with("\n  - ../up/$0"), &["above.md"]);
    exactly(&with("\n  $0"), &["./helper.md", "./notes.md", "./tools/", "../"]);
    exactly(&with(" [./helper.md, $0]"), &["./notes.md", "./tools/", "../"]);
    exactly(&with(" [\"./$0\"]"), &["helper.md", "notes.md", "tools/"]);
    exactly(&with(" [\"./$0"), &["helper.md", "notes.md", "tools/"]);
    takes(&with("\n  - $0"), "./helper.md", &with("\n  - ./helper.md"));
    takes(&with("\n  -$0"), "./helper.md", &with("\n  - ./helper.md"));
    takes(&with("\n  $0"), "./helper.md", &with("\n  - ./helper.md"));
    takes(&with("\n$0"), "model", &with("\nmodel: "));
    takes(&with("\n  - hel$0"), "helper.md", &with("\n  - ./helper.md"));
    takes(&with("\n  - ./no$0"), "helper.md", &with("\n  - ./helper.md"));
    takes(&with("\n  - ./no$0tes.md"), "helper.md", &with("\n  - ./helper.md"));
    takes(&with("\n  - \"./tools/$0\""), "analyzer.md", &with("\n  - \"./tools/analyzer.md\""));
    takes(
        &with("\n  - ./tools/$0"),
        "./tools/odd: name.md",
        &with("\n  - \"./tools/odd: name.md\""),
    );
    takes(&with("\n  - '日本/../$0'"), "helper.md", &with("\n  - '日本/../helper.md'"));
    let (_, _, found) = at("/w/greet.md", &with("\n  - $0"));
    assert_eq!(found[0].detail.as_deref(), Some("Helps a lot"));
    assert!(found[2].more && !found[0].more);
}

#[test]
fn keywords() {
    let with = |rest: &str| format!("---\nname: x\noutput: {{}}\ninput:{rest}\n---\n");
    check(&with("\n  $0"), &["type", "enum", "const", "description"]);
    check(&with("\n  type: object\n  $0"), &["required", "minProperties"]);
    check(
        &with("\n  type: object\n  properties:\n    a:\n      type: string\n      $0"),
        &["format", "pattern", "minLength"],
    );
    check(&with("\n  type: object\n  properties:\n    a: { type: array, $0 }"), &["minItems"]);
    check(&with(" { $0 }"), &["type"]);
    check(&with(" { type: object, properties: { a: { $0"), &["type"]);
    check(&with("\n  anyOf:\n    - $0"), &["type"]);
    check(
        &with("\n  type: object\n  properties:\n    名前:\n      description: \"👋🏽\"\n      $0"),
        &["type"],
    );
    exactly(&with("\n  properties:\n    $0"), &[]);
    exactly(&with("\n  required: [b]\n  properties:\n    a: {}\n    $0"), &["b"]);
    takes(
        &with("\n  type: object\n  pro$0"),
        "properties",
        &with("\n  type: object\n  properties:\n    name:\n      type: string"),
    );
    takes(
        &with(" { type: object, pro$0 }"),
        "properties",
        &with(" { type: object, properties: { name: { type: string } } }"),
    );
    takes(
        &with("\n  properties: { a: {}, b: {} }\n  $0"),
        "required",
        &with("\n  properties: { a: {}, b: {} }\n  required: "),
    );
    snippet(&with("\n  properties: { a: {}, b: {} }\n  $0"), "required", "required: [${1:a, b}]");
    snippet(&with("\n  $defs: { p: {} }\n  items: { $0 }"), "$ref", "\\$ref: '${1:#/\\$defs/p}'");
    takes(
        &with("\n  anyOf: [{ type: string }, $0]"),
        "integer",
        &with("\n  anyOf: [{ type: string }, { type: integer }]"),
    );
    takes(&with("\n  anyOf:\n    $0"), "null", &with("\n  anyOf:\n    - type: \"null\""));
}

#[test]
fn schema_values() {
    let with = |rest: &str| format!("---\nname: x\noutput: {{}}\ninput:{rest}\n---\n");
    exactly(
        &with("\n  type: $0"),
        &["string", "integer", "number", "boolean", "object", "array", "null"],
    );
    exactly(
        &with("\n  type: [string, $0]"),
        &["integer", "number", "boolean", "object", "array", "null"],
    );
    exactly(
        &with("\n  type:\n    - string\n    - $0"),
        &["integer", "number", "boolean", "object", "array", "null"],
    );
    takes(&with("\n  type: [string, n$0]"), "null", &with("\n  type: [string, \"null\"]"));
    takes(&with("\n  type: ob$0"), "object", &with("\n  type: object"));
    check(&with("\n  type: string\n  format: $0"), &["date-time", "date"]);
    exactly(&with("\n  properties: { a: {}, b: {} }\n  required:\n    - a\n    - $0"), &["b"]);
    exactly(&with("\n  properties: { a: {}, b: {} }\n  required: [a, $0]"), &["b"]);
    exactly(&with("\n  properties: { a: {}, b: {} }\n  required:\n    $0"), &["a", "b"]);
    takes(
        &with("\n  properties: { a: {}, b: {} }\n  required:\n    $0"),
        "a",
        &with("\n  properties: { a: {}, b: {} }\n  required:\n    - a"),
    );
    exactly(&with("\n  properties: { a: {}, b: {} }\n  required: $0"), &["[a, b]", "[a]", "[b]"]);
    exactly(
        &with("\n  $defs: { p: { type: string } }\n  properties: { a: { $ref: $0 } }"),
        &["#/$defs/p", "#"],
    );
    takes(
        &with("\n  $defs: { p: {} }\n  items:\n    $ref: $0"),
        "#/$defs/p",
        &with("\n  $defs: { p: {} }\n  items:\n    $ref: \"#/$defs/p\""),
    );
    takes(
        &with("\n  $defs: { p: {} }\n  items:\n    $ref: '#$0'"),
        "#/$defs/p",
        &with("\n  $defs: { p: {} }\n  items:\n    $ref: '#/$defs/p'"),
    );
    exactly(&with("\n  type: string\n  enum: [json, xml]\n  default: $0"), &["json", "xml"]);
    exactly(&with("\n  type: boolean\n  default: $0"), &["false", "true"]);
    exactly(&with("\n  type: array\n  uniqueItems: $0"), &["true", "false"]);
    check(&with("\n  type: object\n  additionalProperties: $0"), &["false", "true", "string"]);
    check(&with("\n  type: array\n  items: $0"), &["string", "integer"]);
    takes(
        &with("\n  type: array\n  items: $0"),
        "string",
        &with("\n  type: array\n  items: { type: string }"),
    );
    exactly(&with("\n  description: $0"), &[]);
    exactly(&with("\n  $schema: $0"), &[crate::schema::DIALECT]);
    exactly(
        &with("\n  properties:\n    type: { description: x, $0 }").replace("$0", "enum: [$0]"),
        &[],
    );
}

#[test]
fn a_key_of_the_program_is_found_despite_the_indentation_of_the_line_above() {
    let program = "---\nname: a\ninput:\n  type: object\n  required: [x]\n";
    check(&format!("{program}  outp$0\n---\n\nText.\n"), &["output"]);
    check(&format!("{program}  outp$0"), &["output"]);
    takes(
        &format!("{program}  mod$0\n---\n\nText.\n"),
        "model",
        &format!("{program}model: \n---\n\nText.\n"),
    );
    // Existing entries are not offered again; a completion that fits the context replaces the
    // others.
    assert!(!labels(&format!("{program}  nam$0\n---\n")).contains(&"name".to_owned()));
    assert_eq!(
        labels(&format!("{program}  desc$0\n---\n"))
            .iter()
            .filter(|label| *label == "description")
            .count(),
        1
    );
}
