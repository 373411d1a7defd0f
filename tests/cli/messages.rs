//! Messages for usage errors.

use super::{Folder, GOOD};

const PACKED: &str = "[REASONING]\n日本\n\n";

#[test]
fn messages_name_the_mistake_and_the_remedy() {
    let twice =
        format!("{PACKED}[ACTION_0_TYPE] delete_file\n[ACTION_0_PATH] a\n[ACTION_0_PATH] b\n");
    let empty = format!("{PACKED}[ACTION_0_TYPE] create_file\n[ACTION_0_PATH] a\n");
    let llmd = "# Project: D\n\n## Meta: LLMD\n\nx\n\n## Mission\n\n日本\n\n## Code Context\n\n## Changelog\n\n- i\n\n## Conversation Thread\n\n### Entry 1\n\n**Human:** hi\n\n**Assistant:** ok\n\n<<<<<< SEARCH_MISSION\nQ.\n=======\nZ.\n>>>>>> REPLACE_MISSION\n";
    let folder = Folder::with(&[
        ("p.md", GOOD),
        ("twice.md", &twice),
        ("empty.md", &empty),
        ("d.llmd", llmd),
        ("p.test.yaml", "cases: []\n"),
        ("SKILL.md", "---\nname: tea\ndescription: Brews it\n---\n\nBrew.\n"),
        ("note.md", "# 日本\n"),
        ("src/a.lisp", "1\n2\n3\n"),
    ]);
    for (call, status, said) in [
        (&["index", "--max-words", "0"][..], 2, "'--max-words <N>': must be a number above 0"),
        (
            &["context", "src/a.lisp:3"],
            2,
            "src/a.lisp:3: no such file; for one line, write `src/a.lisp:3-3`",
        ),
        (&["apply", "twice.md"], 1, "more than one `PATH` in action 0; remove all but one"),
        (&["apply", "empty.md"], 1, "action 0 has no content, so there is nothing to write"),
        (&["apply", "d.llmd"], 1, "this isn't the current mission; copy it exactly"),
        (
            &["apply", "twice.md", "--entry", "7"],
            2,
            "twice.md is not an LLMD document; it has no entries",
        ),
        (
            &["convert", "note.md", "--to", "markdownlang", "--output", "nodir/x.md"],
            2,
            "nodir/x.md: folder nodir does not exist",
        ),
        (
            &["convert", "SKILL.md", "--to", "claude-skill", "--output", "nodir/x"],
            1,
            "nodir does not exist\n",
        ),
        (
            &["new", "rule", "x", "--for", "codex"],
            2,
            "error: Codex doesn't read rules; it reads skills, memory files and prompts\n",
        ),
        (
            &["select", "section[]", "p.md", "--format", "text"],
            1,
            "the index is empty; write a number from 0, a range `1-3` or a list `0,2`",
        ),
        (
            &["select", "::section[0]", "p.md", "--format", "text"],
            1,
            "a document name must precede `::`",
        ),
        (&["render", "p.md", "--input", "x"], 2, "error: `--input` is not JSON\n"),
        (&["render", "p.md", "--input", "{\"a\": x}"], 2, "is not JSON: expected value at line 1"),
        (&["parse", "p.test.yaml"], 0, "warning: p.test.yaml: `parse` doesn't read test files\n"),
        (&["parse", "src/a.lisp"], 0, "`parse` doesn't read plain files; `--as` sets the format\n"),
        (&["explain", "agnt"], 2, "unknown rule `agnt`"),
    ] {
        let answer = folder.run(call);
        assert_eq!(answer.status, status, "{call:?}: {answer:?}");
        assert!(format!("{}{}", answer.out, answer.err).contains(said), "{call:?}: {answer:?}");
    }
    let check = folder.run(&["self-check"]).out;
    assert!(check.contains("the open specification (no client's files found)\n"), "{check}");
}

#[test]
fn a_group_of_rules_is_listed() {
    let folder = Folder::empty();
    let list = folder.run(&["explain", "settings/over-budget"]);
    assert_eq!(list.status, 0);
    let group = folder.run(&["explain", "llmd"]).out;
    assert!(group.lines().count() > 5, "{group}");
    assert!(group.lines().all(|line| line.starts_with("llmd/")), "{group}");
    let json = folder.run(&["explain", "llmd", "--format", "json"]).json();
    assert_eq!(json.as_array().unwrap().len(), group.lines().count());
    let pages = folder.run(&["explain", "llmd", "--format", "markdown"]).out;
    assert!(pages.starts_with("# llmd/") && pages.contains("\n# llmd/"), "{pages}");
}
