use serde_json::json;

use super::*;
use crate::yaml::parse;

fn keys(reading: Reading, yaml: &str) -> Value {
    match read(reading, Front { mark: false, yaml, tree: &parse(yaml) }) {
        Read::Nothing => json!("nothing"),
        Read::Refused => json!("refused"),
        Read::Keys(keys) => Value::Object(keys.values),
    }
}

const COLON: &str = "name: brew\ndescription: Brews tea. Triggers on: kettle, pot\nlicense: MIT\n";

#[test]
fn each_reader_treats_an_unquoted_colon_differently() {
    let whole = json!({ "name": "brew", "description": "Brews tea. Triggers on: kettle, pot", "license": "MIT" });
    for (reading, expected) in [
        (Reading::SerdeYaml, json!("refused")),
        (Reading::JsYaml, json!("refused")),
        (Reading::JsYamlJson, json!("refused")),
        (Reading::YamlNpm, json!("refused")),
        (Reading::PyYaml, json!("refused")),
        (Reading::CursorLines, whole.clone()),
        (Reading::CodexLines, whole.clone()),
        (
            Reading::Gemini,
            json!({ "name": "brew", "description": "Brews tea. Triggers on: kettle, pot" }),
        ),
        (Reading::Opencode, whole.clone()),
        (Reading::Claude, whole.clone()),
        (Reading::Vscode, json!({ "name": "brew", "description": "Brews tea. Triggers on" })),
    ] {
        assert_eq!(keys(reading, COLON), expected, "{reading:?}");
        let windows = COLON.replace('\n', "\r\n");
        assert_eq!(keys(reading, &windows), expected, "{reading:?} with CRLF");
    }
}

#[test]
fn one_reader_accepts_an_unknown_escape_as_text() {
    let text = "applyTo: \"**/\\*.ts\"\nname: 日本\n";
    let whole = json!({ "applyTo": "**/\\*.ts", "name": "日本" });
    assert_eq!(keys(Reading::Vscode, text), whole);
    assert_eq!(keys(Reading::YamlNpm, text), json!("refused"));
}

#[test]
fn scalars_are_resolved_as_each_reader_does() {
    let text = "a: yes\nb: 2026-11-22\nc: 0x10\nd: ~\ne: 🦆 日本\n";
    assert_eq!(
        keys(Reading::YamlNpm, text),
        json!({ "a": "yes", "b": "2026-11-22", "c": 16, "d": null, "e": "🦆 日本" })
    );
    assert_eq!(keys(Reading::PyYaml, text)["a"], json!(true));
    assert!(!keys(Reading::JsYaml, text)["b"].is_string());
    assert_eq!(keys(Reading::JsYamlJson, text)["b"], json!("2026-11-22"));
    assert_eq!(keys(Reading::CursorLines, text)["c"], json!("0x10"));
}

#[test]
fn duplicate_keys() {
    let text = "a: 1\na: 2\n";
    for (reading, expected) in [
        (Reading::JsYaml, json!("refused")),
        (Reading::YamlNpm, json!("refused")),
        (Reading::PyYaml, json!({ "a": 2 })),
        (Reading::Vscode, json!({ "a": 2 })),
    ] {
        assert_eq!(keys(reading, text), expected, "{reading:?}");
    }
}

#[test]
fn a_byte_order_mark_hides_front_matter_from_some_clients() {
    for (reading, seen) in [
        (Reading::SerdeYaml, false),
        (Reading::Gemini, false),
        (Reading::GeminiAgent, false),
        (Reading::PyYaml, false),
        (Reading::CodexLines, false),
        (Reading::JsYamlJson, true),
        (Reading::JsYaml, true),
    ] {
        let yaml = "name: a\ndescription: b\n";
        let read = read(reading, Front { mark: true, yaml, tree: &parse(yaml) });
        assert_eq!(read != Read::Nothing, seen, "{reading:?}");
    }
}

#[test]
fn gemini_reads_lines_where_yaml_fails() {
    let text = "name: a\ndescription: b: c\n  and on\n\nother: [\n";
    assert_eq!(keys(Reading::Gemini, text), json!({ "name": "a", "description": "b: c and on" }));
    assert_eq!(keys(Reading::Gemini, "description: b: c\n"), json!("refused"));
}

#[test]
fn opencode_tries_again_with_block_scalars() {
    assert_eq!(keys(Reading::Opencode, "a: b: c\nd: [x] y\n"), json!("refused"));
    assert_eq!(
        keys(Reading::Opencode, "a: b: c\nd: 'e: f'\n"),
        json!({ "a": "b: c", "d": "e: f" })
    );
    // The second attempt doesn't recognise keys with a hyphen.
    assert_eq!(keys(Reading::Opencode, "a-b: c: d\n"), json!("refused"));
}

#[test]
fn codex_reads_prompts_by_line() {
    for (text, expected) in [
        ("argument-hint: [file] [how: fast|slow]\n", "[file] [how: fast|slow]"),
        ("argument-hint: [日本]\n", "[日本]"),
        ("Argument-Hint:   '[a]: \"b\"'\r\n", "[a]: \"b\""),
        ("# argument-hint: c\n  argument-hint: \"a\"b\"\n- x\n", "a\"b"),
        ("argument-hint: \"\n", "\""),
        ("argument-hint:\n", ""),
    ] {
        assert_eq!(
            keys(Reading::CodexLines, text),
            json!({ "argument-hint": expected }),
            "{text:?}"
        );
    }
}

#[test]
fn claude_reads_globs_without_quotes() {
    for (text, expected) in [
        (
            "paths: **/*.ts, src/*.rs\nname: a\n",
            json!({ "paths": "**/*.ts, src/*.rs", "name": "a" }),
        ),
        ("paths: {src,lib}/**/*.ts\r\n", json!({ "paths": "{src,lib}/**/*.ts" })),
        ("tools: *\n", json!({ "tools": "*" })),
        ("paths: *.日本🦆\n", json!({ "paths": "*.日本🦆" })),
        ("a: b: c\ntools: *\n", json!({ "a": "b: c", "tools": "*" })),
        ("hint: [a] [b]\ntools: *\n", json!("refused")),
        ("a: &x 1\nb: *x\n", json!({ "a": 1, "b": 1 })),
    ] {
        assert_eq!(keys(Reading::Claude, text), expected, "{text:?}");
    }
    // Globs without quotes, as on its own pages, don't count as partly read.
    let partly =
        |yaml: &str| match read(Reading::Claude, Front { mark: false, yaml, tree: &parse(yaml) }) {
            Read::Keys(keys) => keys.partly,
            _ => panic!("{yaml}"),
        };
    assert!(!partly("paths: **/*.ts\n"));
    assert!(partly("a: b: c\n"));
}

#[test]
fn nothing_and_single_values() {
    for reading in Reading::ALL {
        assert_eq!(keys(*reading, ""), json!({}), "{reading:?}");
    }
    assert_eq!(keys(Reading::SerdeYaml, "just text\n"), json!("refused"));
    assert_eq!(keys(Reading::JsYaml, "just text\n"), json!({}));
    assert_eq!(keys(Reading::GeminiAgent, "just text\n"), json!("refused"));
}

proptest::proptest! {
    #[test]
    fn reading_never_panics(text in "([a-z\\-]{1,6}|[:\\-\\[\\]{}'\"|>&*!%@`#, ]|\\r?\\n|\\t|🦆|日本|: |  ){0,40}") {
        for reading in Reading::ALL {
            for mark in [false, true] {
                read(*reading, Front { mark, yaml: &text, tree: &parse(&text) });
            }
        }
    }
}
