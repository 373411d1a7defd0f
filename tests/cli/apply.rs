//! `apply`: applies replies to files.

use std::path::Path;

use serde_json::json;

use super::{Answer, Folder};

fn action(index: u32, kind: &str, path: &str, content: &str) -> String {
    format!(
        "[ACTION_{index}_TYPE] {kind}\n[ACTION_{index}_PATH] {path}\n[ACTION_{index}_CONTENT_START]\n{content}\n[ACTION_{index}_CONTENT_END]\n\n"
    )
}

fn reply() -> String {
    "[REASONING]\nr\n\n".to_owned()
        + &action(0, "create_file", "new/日本/🦆.py", "a\r\n  b")
        + &action(1, "edit_file", "a.py", "one\nzwei\n")
        + "[ACTION_2_TYPE] delete_file\n[ACTION_2_PATH] gone.py\n\n[ACTION_3_TYPE] run_command\n[ACTION_3_COMMAND] touch ran\n"
}

fn folder() -> Folder {
    Folder::with(&[("r.md", &reply()), ("a.py", "one\ntwo\n"), ("gone.py", "x")])
}

/// Every file and its content.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(at) = open.pop() {
        for entry in std::fs::read_dir(at).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push((
                    path.strip_prefix(folder).unwrap().to_string_lossy().into_owned(),
                    std::fs::read_to_string(path).unwrap(),
                ));
            }
        }
    }
    found.sort();
    found
}

#[track_caller]
fn untouched(folder: &Folder, arguments: &[&str], stdin: &str) -> Answer {
    let before = files(folder.root());
    let answer = folder.run_with(arguments, stdin.as_bytes());
    assert_eq!(files(folder.root()), before, "{answer:?}");
    answer
}

#[test]
fn duck_13_file_actions_are_applied_and_commands_never() {
    for stdin in [false, true] {
        let folder = folder();
        let answer = if stdin {
            folder.run_with(&["apply", "-"], reply().as_bytes())
        } else {
            folder.run(&["apply", "r.md"])
        };
        assert_eq!((answer.status, answer.out.as_str()), (0, ""), "{answer:?}");
        assert!(
            answer.err.contains("created new/日本/🦆.py") && answer.err.contains("deleted gone.py"),
            "{answer:?}"
        );
        assert_eq!(
            (folder.read("new/日本/🦆.py"), folder.read("a.py")),
            ("a\r\n  b".to_owned(), "one\nzwei\n".to_owned())
        );
        assert!(!folder.path("gone.py").exists() && !folder.path("ran").exists());
    }
}

#[test]
fn applying_a_reply_twice_is_recognized() {
    let folder = Folder::with(&[(
        "r.md",
        &(action(0, "create_file", "a", "x") + &action(1, "edit_file", "a", "y")),
    )]);
    assert_eq!(folder.run(&["apply", "r.md"]).status, 0);
    assert_eq!(folder.read("a"), "y");
    // This fails, since the reply itself has changed the file that it created.
    assert_eq!(folder.run(&["apply", "r.md"]).status, 1);
    folder.write("once.md", action(0, "edit_file", "a", "y"));
    let answer = untouched(&folder, &["apply", "once.md", "--json"], "");
    assert_eq!(
        (answer.status, answer.json()["applied"][0]["strategy"].as_str()),
        (0, Some("already_applied"))
    );
}

#[test]
fn all_or_nothing_unless_partial() {
    let folder = Folder::with(&[(
        "r.md",
        &(reply()
            + &action(4, "edit_file", "none.py", "x")
            + &action(5, "create_file", "../out", "x")),
    )]);
    folder.write("a.py", "one\n");
    folder.write("gone.py", "x");
    let answer = untouched(&folder, &["apply", "r.md", "--json"], "");
    assert_eq!(answer.status, 1);
    let said = answer.json();
    let failed: Vec<_> = said["failed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["block"].as_u64(), one["reason"].as_str()))
        .collect();
    assert_eq!(failed, [(Some(4), Some("file_missing")), (Some(5), Some("path_outside_root"))]);
    assert_eq!((&said["applied"], &said["written"]), (&json!([]), &json!([])));
    let answer = folder.run(&["apply", "r.md", "--json", "--partial"]);
    assert_eq!(
        (answer.status, &answer.json()["written"]),
        (1, &json!(["new/日本/🦆.py", "a.py", "gone.py"]))
    );
    assert_eq!(folder.read("a.py"), "one\nzwei\n");
}

#[test]
fn an_existing_file_is_kept_without_overwrite() {
    let folder = Folder::with(&[("r.md", &action(0, "create_file", "a", "new")), ("a", "old")]);
    let answer = untouched(&folder, &["apply", "r.md"], "");
    assert!(answer.status == 1 && answer.err.contains("file_exists"), "{answer:?}");
    assert_eq!(folder.run(&["apply", "r.md", "--overwrite"]).status, 0);
    assert_eq!(folder.read("a"), "new");
}

#[test]
fn a_dry_run_prints_a_diff() {
    let folder = folder();
    let answer = untouched(&folder, &["apply", "r.md", "--dry-run"], "");
    assert_eq!(answer.status, 0);
    for part in [
        "--- /dev/null\n+++ b/new/日本/🦆.py\n",
        "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n",
        "--- a/gone.py\n+++ /dev/null\n",
    ] {
        assert!(answer.out.contains(part), "{part} in {}", answer.out);
    }
    let answer = untouched(&folder, &["apply", "r.md", "--check"], "");
    assert_eq!((answer.status, answer.out.as_str()), (0, ""));
    assert_eq!(
        untouched(&folder, &["apply", "-", "--check"], &action(0, "edit_file", "none", "x")).status,
        1
    );
}

#[test]
fn llmd_20_nothing_outside_the_root_is_touched() {
    let folder = Folder::with(&[("root/x", "x"), ("y", "y")]);
    for path in ["../y", "/tmp/agentmd-y", "a/../../y", ".git/config", "~/y", "C:\\y"] {
        let answer = untouched(
            &folder,
            &["apply", "-", "--root", "root", "--overwrite"],
            &action(0, "create_file", path, "bad"),
        );
        assert_eq!(answer.status, 1, "{path}");
        let gone = format!("[ACTION_0_TYPE] delete_file\n[ACTION_0_PATH] {path}\n");
        assert_eq!(
            untouched(&folder, &["apply", "-", "--root", "root"], &gone).status,
            1,
            "{path}"
        );
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.root(), folder.path("root/out")).unwrap();
        std::os::unix::fs::symlink(folder.path("y"), folder.path("root/y")).unwrap();
        for path in ["out/y", "y"] {
            let answer = folder.run_with(
                &["apply", "-", "--root", "root", "--overwrite"],
                action(0, "create_file", path, "bad").as_bytes(),
            );
            assert!(answer.status == 1 && answer.err.contains("path_outside_root"), "{answer:?}");
        }
        assert_eq!(folder.read("y"), "y");
    }
}

#[test]
fn doubtful_changes_are_not_applied() {
    let folder = Folder::with(&[("a", "x")]);
    let whole = action(0, "edit_file", "a", "new");
    let blocks = action(0, "edit_file", "a", "<<<<<<< SEARCH\nz\n=======\ny\n>>>>>>> REPLACE");
    let cut = action(0, "edit_file", "a", "<<<<<<< SEARCH\nx\n=======\ny");
    for (reply, reason) in [
        (whole.replace("[ACTION_0_CONTENT_END]", ""), "unterminated_block"),
        (whole.replace("[ACTION_0_CONTENT_END]", "[ACTION_1_CONTENT_END]"), "unterminated_block"),
        (whole.clone() + &whole, "ambiguous"),
        (whole.replace("[ACTION_0_PATH] a", "[ACTION_0_PATH] a\n[ACTION_0_PATH] b"), "ambiguous"),
        (whole.replace("[ACTION_0_PATH] a\n", ""), "missing_path"),
        ("[ACTION_0_TYPE] edit_file\n[ACTION_0_PATH] a\n".to_owned(), "missing_content"),
        (blocks, "not_found"),
        (cut, "unterminated_block"),
        (action(0, "create_file", "a/b", "x"), "not_a_file"),
    ] {
        let answer = untouched(&folder, &["apply", "-"], &reply);
        assert!(
            answer.status == 1 && answer.err.contains(&format!("[{reason}]")),
            "{reason}: {answer:?}"
        );
    }
}

#[test]
fn replies_in_json_are_applied_too() {
    let folder = Folder::empty();
    let reply = json!({ "reasoning": "r", "actions": [{ "type": "create_file", "path": "a", "content": "x\n" }, { "type": "finish", "result": "done" }] });
    let answer = folder.run_with(&["apply", "-"], reply.to_string().as_bytes());
    assert_eq!((answer.status, folder.read("a")), (0, "x\n".to_owned()), "{answer:?}");
}

#[test]
fn input_that_is_not_a_reply_is_a_usage_error() {
    let folder = folder();
    assert_eq!(untouched(&folder, &["apply", "-"], "# Notes\n\nNothing.\n").status, 2);
    assert_eq!(untouched(&folder, &["apply", "none.md"], "").status, 2);
    assert_eq!(untouched(&folder, &["apply", "r.md", "--root", "none"], "").status, 2);
    assert_eq!(untouched(&folder, &["apply", "r.md", "--to", "elsewhere"], "").status, 2);
    let broken = folder.run_with(&["apply", "-"], b"[REASONING]\n\xff\n");
    assert_eq!(broken.status, 2);
    let answer = untouched(&folder, &["apply", "-"], "[REASONING]\nNothing to do.\n");
    assert!(answer.status == 0 && answer.err.contains("nothing to apply"), "{answer:?}");
}

#[test]
fn reasons_can_be_explained() {
    let answer = Folder::empty().run(&["explain", "apply"]);
    assert!(answer.status == 0 && answer.out.contains("path_outside_root"), "{answer:?}");
}

const BLOCK: &str =
    "src/a.py\n<<<<<<< SEARCH\n    return 1\n=======\n    return 2\n>>>>>>> REPLACE\n";

#[test]
fn edit_blocks_in_the_content_of_an_action_are_merged() {
    let folder = Folder::with(&[("src/a.py", "def f():\r\n    return 1\r\n\r\nend\r\n")]);
    let content = BLOCK.strip_prefix("src/a.py\n").unwrap().trim_end();
    let answer =
        folder.run_with(&["apply", "-"], action(0, "edit_file", "src/a.py", content).as_bytes());
    assert_eq!(
        (answer.status, folder.read("src/a.py").as_str()),
        (0, "def f():\r\n    return 2\r\n\r\nend\r\n"),
        "{answer:?}"
    );
}

#[test]
fn the_edit_blocks_of_an_action_are_applied_all_or_nothing() {
    let folder = Folder::with(&[("a", "one\ntwo\n")]);
    let blocks = "<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nnone\n=======\n0\n>>>>>>> REPLACE";
    let answer = untouched(
        &folder,
        &["apply", "-", "--partial", "--json"],
        &action(0, "edit_file", "a", blocks),
    );
    let found: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(
        (&found["applied"], found["failed"].as_array().map(Vec::len)),
        (&json!([]), Some(1)),
        "{found}"
    );
}

#[test]
fn a_bare_reply_is_applied_to_the_files_that_it_names() {
    let folder = Folder::with(&[("src/a.py", "def f():\n    return 1\n")]);
    let new = "\nsrc/b.py\n<<<<<<< SEARCH\n=======\nb = 1\n>>>>>>> REPLACE\n";
    let reply = format!("Here it is:\n\n{BLOCK}{new}");
    let shown = folder.run_with(&["apply", "-", "--dry-run"], reply.as_bytes());
    assert!(
        shown.status == 0
            && shown.out.contains("-    return 1\n+    return 2\n")
            && shown.out.contains("+++ b/src/b.py"),
        "{shown:?}"
    );
    assert_eq!(folder.read("src/a.py"), "def f():\n    return 1\n");
    assert_eq!(folder.run_with(&["apply", "-"], reply.as_bytes()).status, 0);
    assert_eq!(
        (folder.read("src/a.py").as_str(), folder.read("src/b.py").as_str()),
        ("def f():\n    return 2\n", "b = 1\n")
    );
    let again =
        folder.run_with(&["apply", "-", "--json"], reply.replacen("b = 1", "b = 2", 1).as_bytes());
    let answer: serde_json::Value = serde_json::from_str(&again.out).unwrap();
    assert_eq!(answer["applied"][0]["strategy"], "already_applied", "{answer}");
    assert_eq!(answer["failed"][0]["reason"], "empty_search_on_nonempty_file", "{answer}");
}

#[test]
fn a_missing_search_text_is_reported_with_the_nearest_match() {
    let folder = Folder::with(&[("src/a.py", "def f():\n    return one\n\nx = f()\n")]);
    let reply = BLOCK.replace("return 1", "return oen").replace("SEARCH\n", "SEARCH\ndef f():\n");
    let answer = untouched(&folder, &["apply", "-", "--json"], &reply);
    let found: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(
        (answer.status, &found["failed"][0]["reason"]),
        (1, &serde_json::json!("not_found")),
        "{found}"
    );
    assert_eq!(found["failed"][0]["nearest"]["diff"][0]["have"], "    return one", "{found}");
}

#[test]
fn llmd_12_13_15_files_are_changed_as_the_findings_say() {
    let head = "# Project: T\n\n## Meta: LLMD\n\n## Mission\n\nBe small.\n\n## Code Context\n\n## Changelog\n\n## Conversation Thread\n\n### Entry 1\n\n**Human:** x\n\n**Assistant:** y\n\n";
    let with = |blocks: &str| {
        Folder::with(&[
            ("a.txt", "let one = 1;\nsame\nsame\n"),
            ("b.txt", "b\r\n"),
            ("p.ll.md", &format!("{head}{blocks}")),
        ])
    };
    // A block, the findings of `check`, and the answer of `apply`.
    let within = "a.txt\n<<<<<< SEARCH\none = 1\n======\none = 2\n>>>>>> REPLACE\n";
    let twice = "a.txt\n<<<<<< SEARCH\nsame\n======\nother\n>>>>>> REPLACE\n\n";
    let twice = [twice, twice].concat();
    let nameless = "b.txt\n<<<<<< SEARCH\nb\n======\nc\n>>>>>> REPLACE\n\nSo:\n\n<<<<<< SEARCH\nc\n======\nd\n>>>>>> REPLACE\n";
    let end = "b.txt\n<<<<<< SEARCH\n======\nend\n>>>>>> REPLACE\n";
    for (blocks, finding, reason) in [
        (within, "edit/search-not-found", "needs_confirmation"),
        (&twice, "edit/ambiguous", "ambiguous"),
        (nameless, "edit/missing-path", "missing_path"),
    ] {
        let folder = with(blocks);
        let checked = folder.run(&["check", "p.ll.md"]);
        assert!(checked.status == 1 && checked.out.contains(finding), "{checked:?}");
        let answer = folder.run(&["apply", "p.ll.md", "--to", "workspace", "--json"]);
        let found: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
        assert_eq!(
            (answer.status, &found["failed"][0]["reason"], &found["written"]),
            (1, &json!(reason), &json!([])),
            "{found}"
        );
    }
    let folder = with(within);
    assert_eq!(folder.run(&["apply", "p.ll.md", "--to", "workspace", "--yes"]).status, 0);
    assert_eq!(folder.read("a.txt"), "let one = 2;\nsame\nsame\n");
    let folder = with(end);
    let checked = folder.run(&["check", "p.ll.md"]);
    assert!(
        checked.status == 0 && checked.out.contains("the new text goes to the end"),
        "{checked:?}"
    );
    for _ in 0..2 {
        assert_eq!(folder.run(&["apply", "p.ll.md", "--to", "workspace"]).status, 0);
        assert_eq!(folder.read("b.txt"), "b\r\nend\r\n");
    }
}

#[test]
fn an_llmd_document_is_rewritten_by_its_own_blocks() {
    let head = "# Project: T\n\n## Meta: LLMD\n\n## Mission\n\nBe small.\n\n## Code Context\n\n### src/a.py\n\n```\n    return 1\n```\n\n## Changelog\n\n## Conversation Thread\n\n### Entry 1\n\n**Human:** x\n\n**Assistant:** y\n\n";
    let log = "\n<<<<<< CHANGELOG\nDid it\n>>>>>> CHANGELOG\n";
    let folder = Folder::with(&[
        ("p.ll.md", &format!("{head}{BLOCK}{log}")),
        ("src/a.py", "def f():\n    return 1\n"),
    ]);
    assert_eq!(folder.run(&["apply", "p.ll.md"]).status, 0);
    let text = folder.read("p.ll.md");
    assert!(
        text.contains("```\n    return 2\n```") && text.contains("## Changelog\n\n- Did it\n"),
        "{text}"
    );
    assert_eq!(folder.read("src/a.py"), "def f():\n    return 1\n");
    let again = folder.run(&["apply", "p.ll.md"]);
    assert!(again.status == 0 && folder.read("p.ll.md") == text, "{again:?}");
    assert_eq!(folder.run(&["apply", "p.ll.md", "--to", "workspace"]).status, 0);
    assert_eq!(folder.read("src/a.py"), "def f():\n    return 2\n");
    assert_eq!(folder.run(&["apply", "p.ll.md", "--entry", "7"]).status, 2);
}

#[test]
fn a_tool_call_as_a_bare_object_is_a_reply() {
    let call = json!({ "command": "str_replace", "path": "a.txt", "old_str": "one\n", "new_str": "two\n" });
    let folder = Folder::with(&[("call.json", &call.to_string()), ("a.txt", "one\n")]);
    assert_eq!(folder.run(&["apply", "call.json"]).status, 0);
    assert_eq!(folder.read("a.txt"), "two\n");
    // A Duckflow reply in JSON still works.
    folder.write(
        "call.json",
        r#"{"reasoning":"r","actions":[{"type":"create_file","path":"b.txt","content":"x"}]}"#,
    );
    assert_eq!(folder.run(&["apply", "call.json"]).status, 0);
    assert_eq!(folder.read("b.txt"), "x");
}

#[test]
fn lines_that_differ_only_in_whitespace_are_not_shown_as_different() {
    let block = "a.py\n<<<<<<< SEARCH\nclass C:\n    def f(self):\n        return value + 1\n    end\n=======\nx\n>>>>>>> REPLACE\n";
    let folder = Folder::with(&[
        ("r.md", block),
        ("a.py", "class C:\n  def f(self):\n        return value\n"),
    ]);
    let answer = folder.run(&["apply", "r.md"]);
    assert!(
        answer.status == 1
            && answer.err.contains("line 3 has `value`, not `value + 1`, and 2 more lines differ"),
        "{answer:?}"
    );
}
