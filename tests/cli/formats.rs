//! The output of `check`, byte for byte.

use insta::assert_snapshot;
use serde_json::json;

use super::{BROKEN, Folder, warned};

#[test]
fn human() {
    let folder = Folder::with(&[("bad.md", BROKEN), ("warned.md", &warned())]);
    assert_snapshot!(folder.run(&["check"]).out, @r#"
    error[markdownlang/wrong-type]: `command` must be a string, but this is the number `12`
     --> bad.md:6:55
      |
    6 | mcp_servers: [{ name: tool, env: { A: 日本🦆 }, command: 12 }]
      |                                                          ^^
      |
    help: Quote the value (applied by `--fix`)
      |
    6 - mcp_servers: [{ name: tool, env: { A: 日本🦆 }, command: 12 }]
    6 + mcp_servers: [{ name: tool, env: { A: 日本🦆 }, command: "12" }]
      |

    warning[markdownlang/unknown-field]: unknown field `modle`, which has no effect; did you mean `model`?
     --> warned.md:2:1
      |
    2 | modle: gpt-4o
      | ^^^^^
      |
    help: Rename to `model`
      |
    2 - modle: gpt-4o
    2 + model: gpt-4o
      |

    1 error, 1 warning in 2 files (2 checked)
    For more about a finding, run: agentmd explain markdownlang/unknown-field
    "#);
}

#[test]
fn line_endings_tabs_and_byte_order_marks_keep_the_position() {
    let text = BROKEN.replace("日本🦆 }", "\"日\t🦆\" }");
    for (text, shift) in [
        (text.clone(), 0),
        (text.replace('\n', "\r\n"), 5),
        (text.replace('\n', "\r"), 0),
        (format!("\u{feff}{text}"), 3),
    ] {
        let folder = Folder::with(&[("a.md", &text)]);
        let offset = text.find("12 }]").unwrap();
        assert_eq!(offset, BROKEN.find("12 }]").unwrap() + shift, "{text:?}");
        let column = text
            .lines()
            .nth(5)
            .map_or(0, |line| line.split("12 }]").next().unwrap().chars().count())
            + 1;
        let column = if text.contains('\n') { column } else { 57 };
        let found =
            &folder.run(&["check", "--format", "json"]).json()["files"][0]["diagnostics"][0];
        assert_eq!(
            found["range"],
            json!({"start": {"line": 6, "column": column, "offset": offset}, "end": {"line": 6, "column": column + 2, "offset": offset + 2}}),
            "{text:?}"
        );
        let human = folder.run(&["check"]).out;
        assert!(human.contains(&format!("--> a.md:6:{column}\n")), "{human}");
        let mut lines = human.lines().skip_while(|line| !line.starts_with("6 |"));
        let (code, marks) = (lines.next().unwrap(), lines.next().unwrap());
        // The marks begin in the same terminal column as the text that they mark.
        let width: usize = code
            .split("12 }]")
            .next()
            .unwrap()
            .chars()
            .map(|char| if char.len_utf8() > 2 { 2 } else { 1 })
            .sum();
        assert_eq!(marks.find("^^"), Some(width), "{human}");
        assert!(!human.contains('\r'), "{human:?}");
        let github = folder.run(&["check", "--format", "github"]).out;
        assert!(
            github.starts_with(&format!("::error file=a.md,line=6,endLine=6,col={column},endColumn={},title=markdownlang/wrong-type::", column + 1)),
            "{github}"
        );
        let region =
            folder.run(&["check", "--format", "sarif"]).json()["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"].clone();
        assert_eq!(
            region,
            json!({"startLine": 6, "startColumn": column, "endLine": 6, "endColumn": column + 2, "byteOffset": offset, "byteLength": 2})
        );
    }
}

#[test]
fn a_very_long_line_is_cut() {
    let folder = Folder::with(&[("a.md", &BROKEN.replace("日本🦆", &"日本🦆".repeat(20_000)))]);
    let human = folder.run(&["check"]).out;
    assert!(
        human.len() < 3000 && human.contains("command: 12") && human.contains("--> a.md:6:60052"),
        "{human}"
    );
}

#[cfg(unix)]
#[test]
fn a_file_cannot_control_the_terminal() {
    let text = super::GOOD
        .replace("{{ .who }}", "{{ .who }} \x1b[31m")
        .replace("required: [who]", "required: [who, \"\\e[31m\u{202e}x\"]");
    let folder = Folder::with(&[
        ("\x1b[32ma.md", &text),
        ("b.md", &BROKEN.replace("12 }", "12, \"\\e]0;x\\a\": 1 }")),
    ]);
    let answer = folder.run(&["check", "--verbose", "--color", "always"]);
    assert_eq!(answer.status, 1);
    for steering in ["\x1b[31m", "\x1b[32ma", "\x1b]0;", "\u{202e}"] {
        assert!(!answer.out.contains(steering), "{steering:?} {}", answer.out);
    }
    assert!(folder.run(&["check", "\x1b[32mnone.md"]).err.starts_with("error: \\u{1b}[32mnone.md"));
}

#[test]
fn no_format_prints_c1_controls_or_bidi_marks() {
    let marks = "\u{9b}31m\u{85}\u{200e}\u{61c}\u{2028}";
    let text = BROKEN
        .replace("日本🦆", &format!("\"日本🦆{marks}\""))
        .replace("---\nname", &format!("---\n\"mod{marks}le\": x\nname"));
    let folder = Folder::with(&[("a.md", &text), ("b\u{9b}.md", BROKEN)]);
    for format in ["human", "json", "jsonl", "sarif", "github", "junit"] {
        let answer = folder.run(&["check", "--verbose", "--format", format]);
        assert_eq!(answer.status, 1, "{format}");
        for mark in marks.chars().filter(|char| !char.is_ascii()) {
            assert!(!answer.out.contains(mark), "{format} {mark:?}: {}", answer.out);
        }
    }
    // Each is replaced by one character, so that columns stay the same.
    let human = folder.run(&["check", "a.md"]).out;
    let shown = format!("日本🦆{}", marks.replace(|char: char| !char.is_ascii(), "\u{fffd}"));
    assert!(human.contains(&shown), "{human}");
    let json = folder.run(&["check", "--format", "json", "b\u{9b}.md"]).json();
    assert_eq!(json["files"][0]["path"], "b\u{9b}.md");
}

#[test]
fn related_places_are_shown() {
    let folder = Folder::with(&[(
        "a.md",
        &super::GOOD.replace("---\nname: greet", "---\nname: greet\nname: greet"),
    )]);
    let answer = folder.run(&["check", "--format", "json"]).json();
    let related = &answer["files"][0]["diagnostics"][0]["related"];
    assert_eq!(related[0]["range"]["start"]["line"], 2, "{answer:#}");
    assert!(related[0].get("path").is_none());
    let human = folder.run(&["check"]).out;
    assert!(
        human.contains(&format!(
            "2 | name: greet\n  | ---- {}\n",
            related[0]["message"].as_str().unwrap()
        )),
        "{human}"
    );
}

#[test]
fn json_is_the_contract() {
    let folder = Folder::with(&[("sub/bad.md", BROKEN), ("good.md", super::GOOD)]);
    let answer = folder.run(&["check", "--format", "json"]);
    let place =
        |column: usize, offset: usize| json!({"line": 6, "column": column, "offset": offset});
    let offset = BROKEN.find("12 }]").unwrap();
    let range = json!({"start": place(55, offset), "end": place(57, offset + 2)});
    assert_eq!(
        answer.json(),
        json!({
            "version": 1,
            "files": [{
                "path": "sub/bad.md",
                "format": "markdownlang",
                "diagnostics": [{
                    "code": "markdownlang/wrong-type",
                    "severity": "error",
                    "message": answer.json()["files"][0]["diagnostics"][0]["message"],
                    "range": range,
                    "fixes": [{"title": "Quote the value", "safe": true, "edits": [{"range": range, "text": "\"12\""}]}],
                    "related": [],
                }],
            }],
            "summary": {"files": 2, "errors": 1, "warnings": 0, "infos": 0, "hints": 0},
        })
    );
    let empty = Folder::empty().run(&["check", "--format", "json"]);
    assert_eq!(
        empty.json(),
        json!({"version": 1, "files": [], "summary": {"files": 0, "errors": 0, "warnings": 0, "infos": 0, "hints": 0}})
    );
}

#[test]
fn github_escapes() {
    let folder = Folder::with(&[("a,b%:c.md", BROKEN)]);
    let out = folder.run(&["check", "--format", "github"]).out;
    assert!(out.starts_with("::error file=a%2Cb%25%3Ac.md,line=6,"), "{out}");
    assert_eq!(out.lines().count(), 1);
}

/// The part of the SARIF 2.1.0 schema that our logs use: required properties, names, and values.
fn sarif_schema() -> serde_json::Value {
    let text = json!({"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}, "markdown": {"type": "string"}}, "additionalProperties": false});
    let level = json!({"enum": ["none", "note", "warning", "error"]});
    let object = |required: &[&str], properties: serde_json::Value| json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false});
    let natural = json!({"type": "integer", "minimum": 1});
    let region = object(
        &[],
        json!({"startLine": natural, "startColumn": natural, "endLine": natural, "endColumn": natural, "byteOffset": {"type": "integer", "minimum": -1}, "byteLength": {"type": "integer", "minimum": 0}}),
    );
    let artifact = object(
        &[],
        json!({"uri": {"type": "string", "format": "uri-reference", "pattern": "^[^ \\\\]*$"}, "uriBaseId": {"type": "string"}}),
    );
    let location = object(
        &[],
        json!({"id": {"type": "integer", "minimum": -1}, "message": text, "physicalLocation": object(&[], json!({"artifactLocation": artifact, "region": region}))}),
    );
    let fix = object(
        &["artifactChanges"],
        json!({"description": text, "artifactChanges": {"type": "array", "minItems": 1, "uniqueItems": true, "items": object(
            &["artifactLocation", "replacements"],
            json!({"artifactLocation": artifact, "replacements": {"type": "array", "minItems": 1, "items": object(&["deletedRegion"], json!({"deletedRegion": region, "insertedContent": text}))}}),
        )}}),
    );
    let rule = object(
        &["id"],
        json!({
            "id": {"type": "string"}, "name": {"type": "string"}, "shortDescription": text, "help": text, "helpUri": {"type": "string", "format": "uri"},
            "defaultConfiguration": object(&[], json!({"enabled": {"type": "boolean"}, "level": level})),
            "properties": {"type": "object", "properties": {"tags": {"type": "array", "uniqueItems": true, "items": {"type": "string"}}}},
        }),
    );
    let result = object(
        &["message"],
        json!({
            "ruleId": {"type": "string"}, "ruleIndex": {"type": "integer", "minimum": -1}, "level": level, "message": text,
            "locations": {"type": "array", "items": location}, "relatedLocations": {"type": "array", "uniqueItems": true, "items": location},
            "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}}, "fixes": {"type": "array", "uniqueItems": true, "items": fix},
        }),
    );
    let driver = object(
        &["name"],
        json!({"name": {"type": "string"}, "semanticVersion": {"type": "string"}, "informationUri": {"type": "string", "format": "uri"}, "rules": {"type": "array", "uniqueItems": true, "items": rule}}),
    );
    let run = object(
        &["tool"],
        json!({"tool": object(&["driver"], json!({"driver": driver})), "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]}, "results": {"type": "array", "items": result}}),
    );
    object(
        &["version", "runs"],
        json!({"$schema": {"type": "string"}, "version": {"const": "2.1.0"}, "runs": {"type": "array", "items": run}}),
    )
}

#[test]
fn sarif_is_valid() {
    let validator = jsonschema::validator_for(&sarif_schema()).unwrap();
    let outer =
        super::GOOD.replace("---\nname: greet", "---\nname: outer\nimports: [./a b.md, ./a b.md]");
    let folder =
        Folder::with(&[("a b.md", BROKEN), ("sub/warned.md", &warned()), ("outer.md", &outer)]);
    let log = folder.run(&["check", "--format", "sarif"]).json();
    let errors: Vec<String> = validator
        .iter_errors(&log)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert!(results.len() >= 3, "{results:#?}");
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(log["runs"][0]["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
    }
    assert_eq!(
        results[0]["locations"][0]["physicalLocation"]["artifactLocation"],
        json!({"uri": "a%20b.md", "uriBaseId": "%SRCROOT%"})
    );
    assert!(
        results.iter().any(|result| !result["relatedLocations"].is_null()),
        "a related place is shown: {results:#?}"
    );
    // The schema rejects an invalid log.
    let mut wrong = log.clone();
    wrong["runs"][0]["results"][0]["level"] = json!("hint");
    assert!(!validator.is_valid(&wrong));
    assert!(validator.is_valid(&Folder::empty().run(&["check", "--format", "sarif"]).json()));
}

#[test]
fn a_fingerprint_stays_when_lines_move() {
    let fingerprint = |text: &str| {
        let folder = Folder::with(&[("a.md", text)]);
        folder.run(&["check", "--format", "sarif"]).json()["runs"][0]["results"][0]["partialFingerprints"]["primaryLocationLineHash"].clone()
    };
    let first = fingerprint(BROKEN);
    assert!(first.as_str().unwrap().ends_with(":1"), "{first}");
    assert_eq!(
        fingerprint(&BROKEN.replace("name: greet\n", "name: greet\nmodel: gpt-4o\n")),
        first
    );
    assert_ne!(fingerprint(&BROKEN.replace("name: tool", "name: other")), first);
}

#[test]
fn json_lines_are_the_objects_of_json() {
    let folder = Folder::with(&[("bad.md", BROKEN), ("good.md", "Fine.\n"), ("w.md", &warned())]);
    let all = folder.run(&["check", "--format", "json"]).json();
    let lines = folder.run(&["check", "--format", "jsonl"]);
    let lines: Vec<serde_json::Value> =
        lines.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (summary, files) = lines.split_last().unwrap();
    assert_eq!(files, all["files"].as_array().unwrap());
    assert_eq!(summary, &json!({ "version": 1, "summary": all["summary"] }));
}

#[test]
fn junit_has_a_suite_for_each_file() {
    let folder = Folder::with(&[("a&b.md", BROKEN), ("good.md", "Fine.\n")]);
    assert_snapshot!(folder.run(&["check", "--format", "junit"]).out, @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="agentmd">
      <testsuite name="a&amp;b.md" tests="1" failures="1" errors="0">
        <testcase name="markdownlang/wrong-type:6:55" classname="a&amp;b.md">
          <failure type="error" message="`command` must be a string, but this is the number `12`">a&amp;b.md:6:55: `command` must be a string, but this is the number `12`</failure>
        </testcase>
      </testsuite>
      <testsuite name="good.md" tests="1" failures="0" errors="0">
        <testcase name="check" classname="good.md"/>
      </testsuite>
    </testsuites>
    "#);
}

#[test]
fn of_many_findings_the_terminal_shows_the_first_thousand() {
    let text: String = (0..1200).map(|number| format!("@missing{number}.md\n")).collect();
    let folder = Folder::with(&[("CLAUDE.md", &text)]);
    let answer = folder.run(&["check"]);
    assert_eq!(answer.out.matches("warning[agent/missing-import]").count(), 1000);
    assert!(answer.out.contains("CLAUDE.md: 200 more findings not shown"), "{}", answer.out);
    assert!(answer.out.contains("1200 warnings in 1 file"), "{}", answer.out);
}
