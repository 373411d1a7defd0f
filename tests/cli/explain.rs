//! `explain`.

use super::Folder;

#[test]
fn every_rule_is_listed_and_has_a_page() {
    let folder = Folder::empty();
    let list = folder.run(&["explain"]);
    assert_eq!(list.status, 0);
    let json = folder.run(&["explain", "--format", "json"]).json();
    let rules = json.as_array().unwrap();
    assert_eq!(list.out.lines().count(), rules.len());
    for (line, rule) in list.out.lines().zip(rules) {
        let code = rule["code"].as_str().unwrap();
        assert_eq!(line.split_whitespace().next(), Some(code));
        assert!(
            rule["page"]
                .as_str()
                .unwrap()
                .starts_with(&format!("# {code}\n\n{}.\n", rule["summary"].as_str().unwrap()))
        );
    }
}

#[test]
fn a_page_is_printed_as_text_json_and_markdown() {
    let folder = Folder::empty();
    let code = "markdownlang/unknown-field";
    let human = folder.run(&["explain", code]).out;
    assert!(
        human.starts_with("markdownlang/unknown-field\n\nUnknown field.\n")
            && human.contains("\nBad:\n\n    ---\n")
            && !human.contains('`'),
        "{human}"
    );
    let page = folder.run(&["explain", code, "--format", "markdown"]).out;
    assert!(
        page.starts_with("# markdownlang/unknown-field\n")
            && page.contains("\nGood:\n\n````markdown\n"),
        "{page}"
    );
    assert_eq!(folder.run(&["explain", code, "--format", "json"]).json()["page"], page);
    assert!(folder.run(&["explain", code, "--color", "always"]).out.contains("\x1b[1m"));
}

#[test]
fn an_unknown_code_is_a_usage_error() {
    let folder = Folder::empty();
    let answer = folder.run(&["explain", "unknown-feild"]);
    assert_eq!((answer.status, answer.out.as_str()), (2, ""));
    assert_eq!(
        answer.err,
        "error: unknown rule `unknown-feild`; did you mean `markdownlang/unknown-field`?\n"
    );
    assert!(folder.run(&["explain", "zzz"]).err.ends_with("`agentmd explain` lists them all\n"));
}

#[test]
fn settings_are_explained() {
    let folder = Folder::empty();
    let human = folder.run(&["explain", "settings"]).out;
    assert!(
        human.contains("\nselect  list of string\n    Rules to report")
            && human.contains("\nrules  table of Level\n")
            && !human.contains('|'),
        "{human}"
    );
    assert!(
        folder
            .run(&["explain", "settings", "--format", "markdown"])
            .out
            .contains("| `select` | list of string | ")
    );
    let schema = folder.run(&["explain", "settings", "--format", "json"]).json();
    assert!(jsonschema::is_valid(
        &schema,
        &serde_json::json!({"select": ["markdownlang"], "rules": {"a/b": "off"}})
    ));
    assert!(!jsonschema::is_valid(&schema, &serde_json::json!({"selekt": []})));
}

#[test]
fn pages_are_written_into_a_folder() {
    let folder = Folder::empty();
    assert_eq!(folder.run(&["explain", "--format", "markdown", "--output", "out"]).status, 0);
    assert!(folder.read("out/README.md").contains("[markdown/unreadable](markdown/unreadable.md)"));
    assert!(folder.read("out/markdown/unreadable.md").starts_with("# markdown/unreadable\n"));
    assert_eq!(folder.run(&["explain", "--output", "out"]).status, 2);
}

#[test]
fn a_client_is_explained_in_every_format() {
    let folder = Folder::empty();
    let markdown = folder.run(&["explain", "--format", "markdown", "codex"]).out;
    for name in ["codex", "claude-code", "claude", "spec"] {
        let answer = folder.run(&["explain", "--format", "json", name]);
        assert_eq!(answer.status, 0, "{answer:?}");
        let client = answer.json();
        if name == "codex" {
            assert_eq!(
                (&client["name"], &client["page"]),
                (&"codex".into(), &markdown.clone().into())
            );
        }
    }
    let all = folder.run(&["explain", "--format", "json", "clients"]).json();
    assert!(all.as_array().unwrap().iter().all(|client| client.get("page").is_none()));
}
