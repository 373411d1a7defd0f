//! Custom kinds: findings of `check` in front matter that doesn't match their schema.

use serde_json::{Value, json};

use super::{Answer, Folder};

/// The findings in the front matter of a kind with this schema: code, message and marked text.
#[track_caller]
fn found(schema: &Value, yaml: &str) -> Vec<(String, String, String)> {
    let kind = "[[kinds]]\nname = \"note\"\nfiles = [\"*.md\"]\nschema = \"s.json\"\n";
    let text = format!("---\n{yaml}\n---\n\n# 日本\n");
    let files = [("agentmd.toml", kind), ("s.json", &schema.to_string()), ("a.md", &text)];
    let answer = Folder::with(&files).run(&["check", "--format", "json", "a.md"]).json();
    let found = answer["files"].as_array().unwrap().iter().filter(|file| file["path"] == "a.md");
    found
        .flat_map(|file| file["diagnostics"].as_array().unwrap())
        .map(|found| {
            let at = |end: &str| found["range"][end]["offset"].as_u64().unwrap() as usize;
            let marked = text[at("start")..at("end")].to_owned();
            let of = |key: &str| found[key].as_str().unwrap().to_owned();
            (of("code"), of("message"), marked)
        })
        .collect()
}

#[track_caller]
fn check(schema: &Value, yaml: &str, expected: &[(&str, &str)]) {
    let found = found(schema, yaml);
    let found: Vec<(&str, &str)> =
        found.iter().map(|(_, message, marked)| (message.as_str(), marked.as_str())).collect();
    assert_eq!(found, expected, "{schema} {yaml}");
}

fn with(x: Value) -> Value {
    json!({"type": "object", "properties": {"x": x}})
}

#[test]
fn every_violation_of_a_schema_is_reported() {
    let text = with(json!({"type": "string", "minLength": 5, "pattern": "^a"}));
    check(
        &text,
        "x: 日🦆",
        &[
            ("`x`: `\"日🦆\"` does not match the pattern `^a`", "日🦆"),
            ("`x`: `\"日🦆\"` is shorter than 5 characters", "日🦆"),
        ],
    );
    check(
        &json!({"dependentRequired": {"a": ["b", "c"]}}),
        "a: 1",
        &[("missing property `b`", "---"), ("missing property `c`", "---")],
    );
    let list = with(json!({"minItems": 3, "uniqueItems": true, "contains": {"type": "string"}}));
    assert_eq!(found(&list, "x: [1, 1]").len(), 3);
}

#[test]
fn messages_name_the_expected_type_wherever_it_is_declared() {
    let text = json!({"type": "string"});
    for schema in [
        json!({"patternProperties": {"^x": text}}),
        json!({"additionalProperties": text}),
        json!({"allOf": [{"properties": {"xx": text}}]}),
        json!({"properties": {"xx": {"allOf": [text]}}}),
    ] {
        check(&schema, "xx: 1", &[("`xx`: expected `string`, found a number (`1`)", "1")]);
    }
    // The key's own type is right, so the message must name the other type.
    let both = json!({"properties": {"xx": text}, "patternProperties": {"^x": {"type": "null"}}});
    check(&both, "xx: a", &[("`xx`: expected `null`, found a string (`a`)", "a")]);
    check(&with(json!({"type": "integer"})), "x: 1.5", &[("`x` must be an integer", "1.5")]);
    let several = with(json!({"type": ["integer", "null"]}));
    check(&several, "x: 1.5", &[("`x` must be an integer or empty", "1.5")]);
    let any = with(json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}));
    check(&any, "x: [1]", &[("`x`: expected `string` or `integer`, found a list (`[1]`)", "[1]")]);
    let not = with(json!({"not": {"const": "日本"}}));
    check(&not, "x: 日本", &[("`x`: `日本` matches a schema that it must not match", "日本")]);
}

#[test]
fn a_value_that_a_schema_never_allows_is_not_allowed() {
    check(&with(json!(false)), "x: 1", &[("`x`: not allowed here", "x")]);
    let items = with(json!({"prefixItems": [{}], "items": false}));
    check(&items, "x: [a, b]", &[("item 2 of `x`: not allowed here", "b")]);
}

#[test]
fn an_empty_value_has_the_wrong_type_at_every_level() {
    let text = json!({"type": "string"});
    for yaml in ["x: null", "x: ~"] {
        let marked = yaml.split_at(3).1;
        check(&with(text.clone()), yaml, &[("`x`: expected `string`, found null", marked)]);
    }
    check(&with(text.clone()), "x:", &[("`x`: expected `string`, found null", "x")]);
    let nested = with(with(text.clone()));
    check(&nested, "x: {x: null}", &[("`x.x`: expected `string`, found null", "null")]);
    let required = json!({"properties": {"x": text}, "required": ["x"]});
    check(&required, "x:", &[("`x`: expected `string`, found null", "x")]);
    check(&with(json!({"type": ["string", "null"]})), "x:", &[]);
}

#[test]
fn keys_are_marked_where_they_are_wrong() {
    let owner = json!({"properties": {"owner": {}}, "additionalProperties": false});
    check(&owner, "ownr: 1", &[("unknown key `ownr`; did you mean `owner`?", "ownr")]);
    check(
        &with(owner.clone()),
        "x:\n  ownr: 日本",
        &[("`x.ownr`: unknown property `ownr`; did you mean `owner`?", "ownr")],
    );
    check(&with(json!({"items": {"$ref": "#/$defs/o"}, "$defs": {"o": owner}})), "x: []", &[]);
    let mut referring = with(json!({"items": {"$ref": "#/$defs/o"}}));
    referring["$defs"] = json!({"o": owner});
    check(
        &referring,
        "x:\n- ownr: 1",
        &[("`ownr` in item 1 of `x`: unknown property `ownr`; did you mean `owner`?", "ownr")],
    );
    // A key that already exists isn't suggested.
    check(&owner, "ownr: 1\nowner: 2", &[("unknown key `ownr`", "ownr")]);
    let unevaluated =
        json!({"allOf": [{"properties": {"owner": {}}}], "unevaluatedProperties": false});
    check(&unevaluated, "ownr: 1", &[("unknown key `ownr`; did you mean `owner`?", "ownr")]);
    check(
        &with(unevaluated),
        "x: {ownr: 1}",
        &[("`x.ownr`: unknown property `ownr`; did you mean `owner`?", "ownr")],
    );
    let names = json!({"propertyNames": {"pattern": "^[a-z]+$"}});
    let message = "the name is not allowed: `\"Né🦆\"` does not match the pattern `^[a-z]+$`";
    check(&names, "Né🦆: 1\nab: 2", &[(&format!("`Né🦆`: {message}"), "Né🦆")]);
    check(&with(names), "x:\n  Né🦆: 1", &[(&format!("`x.Né🦆`: {message}"), "Né🦆")]);
}

#[test]
fn a_similar_key_is_suggested() {
    let folder = Folder::with(&[
        (
            "agentmd.toml",
            "[[kinds]]\nname = \"n\"\nfiles = [\"*.md\"]\n[kinds.schema.properties.x]\nproperties.owner = {}\nadditionalProperties = false\n",
        ),
        ("a.md", "---\r\nx:\r\n  ownr: 1\r\n---\r\n"),
    ]);
    let answer = folder.run(&["check", "--format", "json"]).json();
    let fix = &answer["files"][0]["diagnostics"][0]["fixes"][0];
    assert_eq!(fix["title"], "Rename the key to `owner`", "{answer:#}");
    assert_eq!(fix["edits"][0]["text"], "owner");
    assert_eq!(fix["edits"][0]["range"]["start"], json!({"line": 3, "column": 3, "offset": 11}));
}

#[test]
fn front_matter_beyond_the_limits_is_reported() {
    let schema = with(json!({"type": "object"}));
    let many: String = (0..20_001).map(|number| format!("  k{number}: 1\n")).collect();
    let found_many = found(&schema, &format!("x:\n{}", many.trim_end()));
    assert_eq!(found_many.len(), 1, "{found_many:?}");
    assert_eq!(found_many[0].1, "front matter has more than 20000 values");
    let deep = format!("x: {}1{}", "{a: ".repeat(70), "}".repeat(70));
    let deep = found(&schema, &deep);
    assert_eq!((deep.len(), deep[0].1.as_str()), (1, "nested more than 64 levels deep"));
    let deeper = format!("x: {}1{}", "{a: ".repeat(300), "}".repeat(300));
    let deeper = found(&schema, &deeper);
    assert_eq!((deeper.len(), deeper[0].1.as_str()), (1, "this is nested too deeply; flatten it"));
    check(&schema, "x: {a: 1, b: 2, a: 3}", &[("duplicate key `a`", "a")]);
    check(&schema, "- a", &[("front matter must be a mapping of keys to values", "---")]);
}

#[test]
fn toml_dates_are_strings_in_a_schema() {
    for value in ["2024-01-01", "1979-05-27T07:32:00Z", "07:32:00"] {
        let folder = Folder::with(&[
            (
                "agentmd.toml",
                &format!(
                    "[[kinds]]\nname = \"n\"\nfiles = [\"*.md\"]\nschema = {{ properties = {{ x = {{ const = {value} }}, y = {{ enum = [{value}] }} }} }}\n"
                ),
            ),
            ("a.md", &format!("---\nx: \"{value}\"\ny: \"{value}\"\n---\n")),
            ("b.md", "---\nx: other\n---\n"),
        ]);
        let answer = folder.run(&["check", "--format", "json"]).json();
        assert_eq!(answer["files"].as_array().unwrap().len(), 1, "{answer:#}");
        let message = answer["files"][0]["diagnostics"][0]["message"].as_str().unwrap();
        assert!(message.contains(value), "{message}");
    }
}

/// A kind whose schema is in a file, and a note that doesn't match it.
fn with_schema(schema: &str) -> Folder {
    let kind = "[[kinds]]\nname = \"note\"\nfiles = [\"notes/*.md\"]\nschema = \"s.json\"\n";
    Folder::with(&[("agentmd.toml", kind), ("notes/a.md", "---\nx: 1\n---\n"), ("real", schema)])
}

#[track_caller]
fn is_unusable(answer: &Answer, why: &str) {
    assert_eq!(answer.status, 1, "{answer:?}");
    assert!(answer.out.contains("error[settings/unusable-kind]"), "{answer:?}");
    assert!(answer.out.contains(why), "{answer:?}");
}

#[cfg(unix)]
#[test]
fn a_schema_that_is_a_link_is_reported() {
    let folder = with_schema("{\"required\": [\"owner\"]}");
    std::os::unix::fs::symlink("real", folder.path("s.json")).unwrap();
    for arguments in [&["check"][..], &["check", "notes/a.md"], &["check", "agentmd.toml"]] {
        is_unusable(&folder.run(arguments), "can't read `s.json`: is a symlink");
    }
}

#[test]
fn a_schema_that_is_too_large_is_reported() {
    let folder = with_schema("");
    let schema = |length: usize| {
        let text = "{\"required\": [\"owner\"], \"description\": \"\"}";
        text.replace("\"\"", &format!("\"{}\"", "x".repeat(length - text.len())))
    };
    folder.write("s.json", schema(1 << 20));
    assert!(folder.run(&["check"]).out.contains("missing `owner`"));
    folder.write("s.json", schema((1 << 20) + 1));
    let why = "can't read `s.json`: has 1048577 bytes, more than the limit of 1048576";
    is_unusable(&folder.run(&["check"]), why);
    is_unusable(&folder.run(&["check", "agentmd.toml"]), why);
}
