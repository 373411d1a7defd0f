use std::path::Path;

use super::{Suite, is_suite, of_program};
use crate::config::{Config, Options};
use crate::document::Document;
use crate::format::Context;
use crate::ide::completion::completions;
use crate::ide::diagnostics::diagnostics;
use crate::ide::hover::hover;
use crate::rule::Diagnostic;
use crate::text::apply;
use crate::world::Memory;

const FILE: &str = "/w/greet.test.yaml";
const PROGRAM: &str = "/w/greet.md";

/// A program whose front matter ends with `more`.
fn program(more: &str) -> String {
    format!(
        "---
name: greet
description: Greets a person
input:
  type: object
  properties: {{ who: {{ type: string, description: The name. }}, loud: {{ type: boolean }} }}
  required: [who]
output:
  type: object
  properties:
    kind: {{ enum: [short, long] }}
    parts: {{ type: array, items: {{ type: object, properties: {{ word: {{ type: string }} }} }} }}
    n: {{ type: integer }}
  required: [kind]
  additionalProperties: false
{more}---

Greet {{{{ .who }}}}{{{{ if .loud }}}} loudly{{{{ end }}}}.
"
    )
}

fn world() -> Memory {
    let judge = "---
name: judge
description: Judges a greeting
input: { type: object, properties: { output: true }, required: [output] }
output: { type: object, properties: { pass: { type: boolean } }, required: [pass] }
---

Is {{ json .output }} polite?
";
    Memory::default()
        .with(PROGRAM, &program(""))
        .with("/w/judge.md", judge)
        .with("/w/notes.md", "# Notes\n")
}

fn config() -> Config {
    Config::new("/w".into(), Options::default()).unwrap()
}

fn found(path: &str, text: &str) -> Vec<Diagnostic> {
    let (config, world) = (config(), world().with(path, text));
    let document = Document::new(text, Some(Path::new(path)), &config);
    let cx = Context::new(document.source(), Some(Path::new(path)), &world, &config);
    let found = diagnostics(&document, &cx);
    for finding in &found {
        assert!(text.get(finding.span.clone()).is_some_and(|text| !text.is_empty()), "{finding:?}");
        for fix in &finding.fixes {
            apply(text, &fix.edits).unwrap();
        }
    }
    found
}

/// Findings as `rule: marked text: message`.
fn lines(path: &str, text: &str) -> Vec<String> {
    let line = |finding: &Diagnostic| {
        let rule = finding.rule.code.trim_start_matches("markdownlang/");
        format!("{rule}: {}: {}", &text[finding.span.clone()], finding.message)
    };
    found(path, text).iter().map(line).collect()
}

/// The findings of a case with `fields`, in a test file and in front matter.
#[track_caller]
fn case(fields: &str, expected: &[&str]) {
    let case = format!("- {{ name: a, {fields} }}");
    let file = format!("cases:\n  {case}\n");
    let in_file: Vec<String> = lines(FILE, &file)
        .into_iter()
        .map(|line| line.replace("schema of greet.md", "schema"))
        .collect();
    assert_eq!(in_file, expected, "{file}");
    let front = program(&format!("tests:\n  {case}\n"));
    assert_eq!(lines(PROGRAM, &front), expected, "{front}");
}

#[test]
fn a_case_without_mistakes_has_no_findings() {
    for fields in [
        "input: { who: Ada }, expect: { equals: { kind: short } }",
        "input: { who: Ada, loud: true }, expect: { at: { /kind: long, /n: 3, /parts/0/word: hi } }",
        "input: { who: Ada }, expect: { at: { /parts: { contains: { word: hi } } } }",
        "input: { who: Ada }, expect: { at: { \"\": { schema: { required: [n] } } } }",
        "input: { who: 3 }, expect: { error: the input }",
        "input: { who: Ada }, x-note: slow, expect: { matches: [a, \"b+\"], judge: ./judge.md }",
        "input: { who: Ada }, expect: { judge: { program: ./judge.md, criteria: Polite. } }",
    ] {
        case(fields, &[]);
    }
}

#[test]
fn mistakes_are_marked_at_their_characters() {
    for (fields, expected) in [
        (
            "inptu: {}, input: { who: a }, expect: { contains: a }",
            "unknown-test-key: inptu: unknown key `inptu`",
        ),
        (
            "input: { who: a }, expect: { contain: a }",
            "unknown-test-key: contain: unknown key `contain`; did you mean `contains`?",
        ),
        (
            "input: { who: a }, expct: { contains: a }",
            "unknown-test-key: expct: unknown key `expct`; did you mean `expect`?",
        ),
        (
            "input: { who: a }, model: 3, expect: { contains: a }",
            "invalid-test: 3: `model` must be a string",
        ),
        (
            "input: { who: a }, expect: { matches: [\"a\", \"(\"] }",
            "invalid-test-pattern: \"(\": `matches` is not a regular expression: unclosed group",
        ),
        (
            "input: { who: a }, expect: { at: { kind: short } }",
            "invalid-test: kind: `kind` is not a JSON Pointer: it must begin with `/`",
        ),
        (
            "input: { who: 3 }, expect: { contains: a }",
            "invalid-test-input: 3: the input doesn't match the `input` schema: expected `string`, found a number (`3`)",
        ),
        (
            "expect: { contains: a }",
            "invalid-test-input: a: the case has no `input`, and the program no `sample`: `{}` doesn't match the `input` schema",
        ),
        (
            "input: { who: a }, expect: { at: { /parts/0/wrd: hi } }",
            "invalid-test-output: wrd: `wrd` is not in the `output` schema; did you mean `word`?",
        ),
        (
            "input: { who: a }, expect: { at: { /n/x: 1 } }",
            "invalid-test-output: x: there is nothing at `x`: by the `output` schema, the value before it has no parts",
        ),
        (
            "input: { who: a }, expect: { at: { /kind: medium } }",
            "invalid-test-output: medium: the output can't be this, by the `output` schema: `\"medium\"` is not one of `\"short\"`, `\"long\"`",
        ),
        (
            "input: { who: a }, expect: { at: { /n: { equals: many } } }",
            "invalid-test-output: many: the output can't be this, by the `output` schema: expected `integer`, found `\"many\"`",
        ),
        (
            "input: { who: a }, expect: { judge: ./none.md }",
            "missing-test-program: ./none.md: `./none.md` doesn't exist",
        ),
        (
            "input: { who: a }, expect: { judge: { program: ./notes.md } }",
            "missing-test-program: ./notes.md: `./notes.md` isn't a markdownlang program",
        ),
    ] {
        case(fields, &[expected]);
    }
    // An alias is checked where it is written.
    let front = program("sample: { who: 3 }\ntests: 3\n");
    let found = lines(PROGRAM, &front);
    assert!(
        found.iter().any(|line| line == "invalid-test: 3: `tests` must be a list"),
        "{found:?}"
    );
}

#[test]
fn the_program_of_a_file_must_exist() {
    let cases = "cases: [{ name: a, input: { who: a }, expect: { contains: a } }]\n";
    assert_eq!(
        lines("/w/other.test.yaml", cases),
        ["missing-test-program: cases: `other.md` doesn't exist; name another one with `program`"]
    );
    let named =
        |program: &str| lines("/w/other.test.yaml", &format!("program: {program}\n{cases}"));
    assert_eq!(named("./greet.md"), Vec::<String>::new());
    assert_eq!(
        named("./notes.md"),
        ["missing-test-program: ./notes.md: `./notes.md` isn't a markdownlang program"]
    );
}

#[test]
fn files_of_other_tools_are_left_alone() {
    for text in [
        "suite: other\ntests: []\n",
        "# [a](none.md)\nsuite:\n  - a\n",
        "- a\n- b, with some more text in it than a key has\n",
        "",
    ] {
        assert_eq!(lines(FILE, text), Vec::<String>::new(), "{text}");
    }
    // Broken YAML is reported in our own files.
    let found = lines(FILE, "cases:\n  - name: a: b\n    expect: { contains: a }\n");
    assert!(found.len() == 1 && found[0].starts_with("yaml-syntax: "), "{found:?}");
    let found = lines(FILE, "cases: []\ncases: []\n");
    assert_eq!(found, ["duplicate-key: cases: duplicate key `cases`; keep one of the two"]);
}

#[test]
fn tests_do_not_keep_a_program_from_being_imported() {
    let front = program("tests: 3\n");
    let importer = "---
name: importer
description: Imports a program
input: { type: object }
output: { type: object, properties: { n: { type: integer } }, required: [n] }
imports: [./greet.md]
---

Call greet.
";
    let (config, world) = (config(), world().with(PROGRAM, &front));
    let path = Path::new("/w/importer.md");
    let document = Document::new(importer, Some(path), &config);
    let cx = Context::new(document.source(), Some(path), &world, &config);
    assert_eq!(diagnostics(&document, &cx), []);
}

fn at(path: &str, text: &str) -> (String, usize) {
    let offset = text.find("$0").unwrap_or_else(|| panic!("no cursor in {path}"));
    (text.replacen("$0", "", 1), offset)
}

fn labels(path: &str, text: &str) -> Vec<String> {
    let (text, offset) = at(path, text);
    let (config, world) = (config(), world());
    let document = Document::new(&text, Some(Path::new(path)), &config);
    let cx = Context::new(document.source(), Some(Path::new(path)), &world, &config);
    let mut found = completions(&document, &cx, offset).items;
    found.sort_by_key(|item| item.rank);
    found.into_iter().map(|item| item.label).collect()
}

#[test]
fn keys_fields_and_values_are_completed() {
    for (text, expected) in [
        ("$0", &["cases", "program", "model"][..]),
        ("cases:\n  - $0", &["name", "expect", "input", "model"]),
        ("cases:\n  - name: a\n    $0", &["expect", "input", "model"]),
        ("cases:\n  - name: a\n    input:\n      $0", &["who", "loud"]),
        ("cases:\n  - name: a\n    input: { $0 }", &["who", "loud"]),
        ("cases:\n  - name: a\n    input:\n      loud: $0", &["true", "false"]),
        (
            "cases:\n  - name: a\n    expect:\n      $0",
            &["equals", "schema", "contains", "matches", "at", "judge", "error"],
        ),
        ("cases:\n  - name: a\n    expect:\n      equals:\n        $0", &["kind", "parts", "n"]),
        (
            "cases:\n  - name: a\n    expect:\n      at:\n        $0",
            &["/kind", "/parts", "/n", "/parts/0", "/parts/0/word"],
        ),
        ("cases:\n  - name: a\n    expect:\n      at:\n        /kind: $0", &["short", "long"]),
    ] {
        let found = labels(FILE, text);
        assert_eq!(sorted(&found), sorted(expected), "{text}: {found:?}");
        let front = text.replace("cases:", "tests:");
        if text.starts_with("cases:") {
            let found = labels(PROGRAM, &program(&format!("{front}\n")));
            assert_eq!(sorted(&found), sorted(expected), "{front}: {found:?}");
        }
    }
    assert!(labels(FILE, "program: $0\ncases: []\n").contains(&"./judge.md".to_owned()));
}

fn sorted<S: AsRef<str>>(labels: &[S]) -> Vec<String> {
    let mut labels: Vec<String> = labels.iter().map(|label| label.as_ref().to_owned()).collect();
    labels.sort();
    labels
}

#[test]
fn hovers_explain_keys_fields_and_pointers() {
    for (text, expected) in [
        ("cases:\n  - na$0me: a\n", "**name**: a string"),
        (
            "cases:\n  - name: a\n    input: { w$0ho: Ada }\n",
            "**who**: required\n\n```\nstring\n```\n\nThe name.",
        ),
        ("cases:\n  - name: a\n    expect: { con$0tains: Ada }\n", "**contains**: a value"),
        ("cases:\n  - name: a\n    expect: { at: { /ki$0nd: short } }\n", "**kind**: required"),
        ("cases:\n  - name: a\n    expect: { at: { /n: { equ$0als: 3 } } }\n", "**equals**"),
        ("cases:\n  - name: a\n    expect: { equals: { ki$0nd: short } }\n", "**kind**: required"),
    ] {
        for (path, text) in
            [(FILE, text.to_owned()), (PROGRAM, program(&text.replace("cases:", "tests:")))]
        {
            let (text, offset) = at(path, &text);
            let (config, world) = (config(), world());
            let document = Document::new(&text, Some(Path::new(path)), &config);
            let cx = Context::new(document.source(), Some(Path::new(path)), &world, &config);
            let found = hover(&document, &cx, offset).map(|hover| hover.markdown);
            let found = found.unwrap_or_default();
            assert!(found.starts_with(expected), "{text}: {found}");
        }
    }
}

fn flaws(text: &str) -> Vec<String> {
    Suite::of_file(Path::new("a.test.yaml"), "a.test.yaml", text)
        .map_or_else(|flaws| flaws, |_| Vec::new())
}

#[test]
fn mistakes_are_named_with_their_places() {
    for (text, expected) in [
        ("", "a.test.yaml: the file is empty; it needs `cases`"),
        ("program: a.md\n", "a.test.yaml:1:1: missing `cases`, a list"),
        ("cases: 3\n", "a.test.yaml:1:8: `cases` must be a list"),
        (
            "cases:\n  - 3\n",
            "a.test.yaml:2:5: each case must be a mapping with `name` and `expect`",
        ),
        ("cases:\n  - name: a\n", "a.test.yaml:2:5: missing `expect`"),
        (
            "cases:\n  - name: a\n    expct: {}\n",
            "a.test.yaml:3:5: unknown key `expct`; did you mean `expect`?",
        ),
        (
            "cases:\n  - name: a\n    expect: { matches: \"(\" }\n",
            "a.test.yaml:3:24: `matches` is not a regular expression: unclosed group",
        ),
        (
            "cases:\n  - name: a\n    expect: { at: { n: 1 } }\n",
            "a.test.yaml:3:21: `n` is not a JSON Pointer: it must begin with `/`",
        ),
        (
            "cases:\n  - name: a\n    expect: { schema: { type: text } }\n",
            "a.test.yaml:3:31: `schema` is not a valid schema",
        ),
        (
            "cases:\n  - { name: a b, expect: { equals: 1 } }\n  - { name: A-b, expect: { equals: 1 } }\n",
            "a.test.yaml:3:13: the recordings of `A-b` and `a b` would have the same name",
        ),
    ] {
        let found = flaws(text);
        assert!(found.iter().any(|flaw| flaw.starts_with(expected)), "{text}: {found:?}");
    }
    assert_eq!(flaws("cases: []"), Vec::<String>::new());
}

#[test]
fn names_of_files() {
    assert!(is_suite(Path::new("x/a.test.yaml")) && is_suite(Path::new("a.b.test.yml")));
    assert!(!is_suite(Path::new(".test.yaml")) && !is_suite(Path::new("a.yaml")));
    assert_eq!(of_program(Path::new("x/a.md")).next().as_deref(), Some(Path::new("x/a.test.yaml")));
    let suite = Suite::of_file(
        Path::new("x/a.test.yaml"),
        "",
        "cases: [{ name: \"Ein Wort, 日本!\", expect: { equals: 1 } }]",
    )
    .unwrap();
    assert_eq!(suite.program, Path::new("x/a.md"));
    assert_eq!(suite.recording(&suite.cases[0].1), Path::new("x/a.recordings/ein-wort-日本"));
}

#[test]
fn cases_of_two_files_are_compared_in_linear_time() {
    let input = |count: usize| {
        let cases = |word: &str| -> String {
            let case = |n: usize| {
                format!(
                    "  - {{ name: {word} {n}, input: {{ who: Ada }}, expect: {{ at: {{ /kind: short }} }} }}\n"
                )
            };
            (0..count).map(case).collect()
        };
        let text = format!("cases:\n{}", cases("one"));
        let (config, world) = (config(), world());
        let program = program(&format!("tests:\n{}", cases("two")));
        let world = world.with(PROGRAM, &program).with(FILE, &text);
        (text, config, world)
    };
    crate::growth::is_linear("cases", 1_000, input, |(text, config, world)| {
        let document = Document::new(&text, Some(Path::new(FILE)), &config);
        let cx = Context::new(document.source(), Some(Path::new(FILE)), &world, &config);
        let found = diagnostics(&document, &cx);
        assert!(found.is_empty(), "{:?}", found.first());
    });
}
