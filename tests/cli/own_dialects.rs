//! `agentmd apply` with malformed Duckflow replies and LLMD documents.

use super::Folder;

const VITALS: &str = "[REASONING]\nx\n[CONFIDENCE] 0.5\n[MOOD] 0.5\n[FOCUS] 0.5\n[STAMINA] 1\n";
const CREATE: &str = "[ACTION_0_TYPE] create_file\n[ACTION_0_PATH] a.py\n[ACTION_0_CONTENT_START]\nx\n[ACTION_0_CONTENT_END]\n";

#[test]
fn an_action_with_two_types_is_refused() {
    for second in
        ["[ACTION_0_TYPE] finish", "[ACTION_0_TYPE] run_command", "[ACTION_00_TYPE] finish"]
    {
        let folder = Folder::with(&[("d.md", &format!("{VITALS}{CREATE}{second}\n"))]);
        let answer = folder.run(&["apply", "d.md"]);
        assert!(answer.status == 1 && answer.err.contains("[ambiguous]"), "{second} {answer:?}");
    }
}

#[test]
fn json_that_would_lose_an_action_is_refused() {
    let good = r#"{"type":"create_file","path":"a","content":"x"}"#;
    for actions in [
        good.to_owned(),
        format!(r#"[{good},{{"path":"b","content":"x"}}]"#),
        format!(r#"[{good},"finish"]"#),
        r#"[{"type":"create_file","path":"a","content":["x"]}]"#.to_owned(),
    ] {
        let text = format!(r#"{{"reasoning":"r","actions":{actions}}}"#);
        let folder = Folder::with(&[("d.json", &text)]);
        let answer = folder.run(&["apply", "d.json"]);
        assert!(answer.status == 1 && answer.err.contains("action"), "{text} {answer:?}");
        assert!(!folder.path("a").exists(), "{text}");
    }
}

fn document(reply: &str) -> String {
    format!(
        "# Project: D\n\n## Meta: LLMD\n\nx\n\n## Mission\n\nM.\n\n## Code Context\n\n### gradlew\n```\none\n```\n\n## Changelog\n\n- i\n\n## Conversation Thread\n\n### Entry 1\n\n**Human:** hi\n\n**Assistant:** ok\n\n{reply}"
    )
}

#[test]
fn llmd_20_a_document_gets_no_file_outside_the_workspace() {
    for path in ["/etc/passwd", "../x.py", ".git/config", "~/x.py", "C:/x.txt"] {
        let text = document(&format!("{path}\n<<<<<< SEARCH\n=======\nx\n>>>>>> REPLACE\n"));
        let folder = Folder::with(&[("d.llmd", &text)]);
        let answer = folder.run(&["apply", "d.llmd"]);
        assert!(answer.status == 1 && answer.err.contains("[path_"), "{path} {answer:?}");
        assert_eq!(folder.read("d.llmd"), text);
    }
}

#[test]
fn llmd_10_a_name_needs_no_extension() {
    let folder = Folder::with(&[(
        "d.llmd",
        &document("gradlew\n<<<<<< SEARCH\none\n=======\ntwo\n>>>>>> REPLACE\n"),
    )]);
    assert_eq!(folder.run(&["apply", "d.llmd"]).status, 0);
    assert!(folder.read("d.llmd").contains("### gradlew\n```\ntwo\n```"));
}

#[test]
fn llmd_10_a_word_above_a_block_is_not_a_new_file() {
    let text = document(
        "gradlew\n<<<<<< SEARCH\none\n=======\ntwo\n>>>>>> REPLACE\n\nThen\n<<<<<< SEARCH\n=======\nx\n>>>>>> REPLACE\n",
    );
    let folder = Folder::with(&[("d.llmd", &text)]);
    let answer = folder.run(&["apply", "d.llmd"]);
    assert!(answer.status == 1 && answer.err.contains("[missing_path]"), "{answer:?}");
    assert_eq!(folder.read("d.llmd"), text);
}

#[test]
fn a_comment_that_may_replace_omitted_lines_needs_confirmation() {
    let old = "try {\n  load();\n} catch (e) {\n  log(e);\n  throw e;\n}\n";
    let new = "try {\n  load();\n} catch (e) {\n  // keep the previous value\n}\n";
    for (kind, option) in [("edit_file", "--json"), ("create_file", "--overwrite")] {
        let reply = format!(
            "{VITALS}[ACTION_0_TYPE] {kind}\n[ACTION_0_PATH] a.js\n[ACTION_0_CONTENT_START]\n{new}[ACTION_0_CONTENT_END]\n"
        );
        let folder = Folder::with(&[("d.md", &reply), ("a.js", old)]);
        let answer = folder.run(&["apply", "d.md", option]);
        let said = format!("{}{}", answer.out, answer.err);
        assert!(answer.status == 1 && said.contains("needs_confirmation"), "{kind} {answer:?}");
        assert_eq!(folder.read("a.js"), old);
        assert_eq!(folder.run(&["apply", "d.md", option, "--yes"]).status, 0);
        assert_eq!(folder.read("a.js").trim_end(), new.trim_end());
    }
}

#[test]
fn an_empty_changelog_block_is_refused() {
    let folder = Folder::with(&[("d.llmd", &document("<<<<<< CHANGELOG\n>>>>>> CHANGELOG\n"))]);
    let answer = folder.run(&["apply", "d.llmd"]);
    assert!(answer.status == 1 && answer.err.contains("[missing_content]"), "{answer:?}");
}

#[test]
fn where_a_document_changes_itself() {
    let reply = "<<<<<< SEARCH_MISSION\nM.\n=======\nN.\n>>>>>> REPLACE_MISSION\n\n<<<<<< CHANGELOG\nDone\n>>>>>> CHANGELOG\n\nnew.py\n<<<<<< SEARCH\n=======\nx\n>>>>>> REPLACE\n";
    let folder = Folder::with(&[("d.llmd", &document(reply))]);
    let answer = folder.run(&["apply", "d.llmd", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    let of = |key: &str| -> Vec<&serde_json::Value> {
        value["applied"].as_array().unwrap().iter().map(|applied| &applied[key]).collect()
    };
    assert_eq!(of("strategy"), ["exact", "exact", "create"]);
    let line = |text: &str| document(reply).lines().position(|line| line == text).unwrap() + 1;
    assert_eq!(of("line")[..2], [line("M."), line("- i") + 1]);
}
