//! Whole replies on the command line: the output of `parse --as reply` and `apply`.

use serde_json::json;

use super::Folder;

const BLOCK: &str =
    "src/a.py\n```python\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n";

#[test]
fn parse_prints_the_operations_of_every_dialect_in_order() {
    let folder = Folder::with(&[("src/a.py", "x = 1\n"), ("src/b.py", "y = 1\n")]);
    let patch = "*** Begin Patch\n*** Update File: src/b.py\n*** Move to: src/c.py\n@@\n-y = 1\n+y = 2\n*** End Patch\n";
    let reply = format!(
        "<think>\nsrc/a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 9\n>>>>>>> REPLACE\n</think>\n\n{BLOCK}\n{patch}\nnotes.md\n```markdown\nHi 🦆\n```\n\nRun it:\n\n```sh\nls\n```\n\nIn `src/a.py`, replace lines 3-4 with:\n\n```python\nz\n```\n"
    );
    let answer = folder.run_with(&["parse", "-"], reply.as_bytes()).json();
    let operations = answer["operations"].as_array().unwrap();
    let told: Vec<_> = operations
        .iter()
        .map(|one| {
            (
                one["dialect"].as_str().unwrap(),
                one["kind"].as_str().unwrap(),
                one["file"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("search-replace", "edit", "src/a.py"),
            ("apply-patch", "move", "src/b.py"),
            ("whole-file", "replace-file", "notes.md")
        ]
    );
    assert_eq!(
        (&operations[0]["search"], &operations[0]["replace"], &operations[1]["to"]),
        (&json!("x = 1\n"), &json!("x = 2\n"), &json!("src/c.py"))
    );
    assert_eq!(
        (&operations[2]["content"], &operations[2]["inherited"]),
        (&json!("Hi 🦆\n"), &json!(false))
    );
    assert_eq!(operations[0]["range"]["start"]["line"], 12);
    let skipped: Vec<_> = answer["skipped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["why"].as_str().unwrap())
        .collect();
    assert_eq!(skipped, ["thought", "example", "example"]);
    assert_eq!(
        (&answer["format"], &answer["errors"][0]["code"], &answer["errors"][0]["line"]),
        (&json!("reply"), &json!("lines_by_number"), &json!(38))
    );
}

#[test]
fn a_block_that_changes_nothing_is_a_warning() {
    let folder = Folder::with(&[("src/a.py", "x = 1\ny = 1\n")]);
    let nothing = BLOCK.replace("x = 1", "y = 1").replace("x = 2", "y = 1");
    let answer = folder.run_with(&["apply", "-"], format!("{nothing}\n{BLOCK}").as_bytes());
    assert_eq!(
        (answer.status, folder.read("src/a.py").as_str()),
        (0, "x = 2\ny = 1\n"),
        "{}",
        answer.err
    );
    assert!(
        answer.err.contains("line 3: block 1 (src/a.py): the old and the new text are the same"),
        "{}",
        answer.err
    );
}

#[test]
fn a_refusal_names_its_line_and_the_possible_files() {
    let folder = Folder::with(&[("src/a.py", "x = 1\n"), ("lib/b.py", "x = 1\n")]);
    let answer = folder.run_with(&["apply", "-"], BLOCK.replace("src/a.py", "b.py").as_bytes());
    assert_eq!(answer.status, 1);
    assert!(
        answer
            .err
            .contains("line 3: block 1 (b.py): `b.py` doesn't exist; did you mean `lib/b.py`?"),
        "{}",
        answer.err
    );
    let unnamed = BLOCK.replace("src/a.py\n", "Change `src/a.py` or `lib/b.py`:\n\n");
    let answer = folder.run_with(&["apply", "-", "--json"], unnamed.as_bytes());
    let failed = &answer.json()["failed"][0];
    assert_eq!((&failed["reason"], &failed["reply_line"]), (&json!("ambiguous_path"), &json!(4)));
    let message = failed["message"].as_str().unwrap();
    assert!(message.contains("`src/a.py` or `lib/b.py`"), "{message}");
}

#[test]
fn a_message_without_edits_is_not_a_success() {
    let folder = Folder::with(&[("a.py", "x = 1\n")]);
    let message = |input: &str| {
        format!(
            "{{\"type\": \"message\", \"role\": \"assistant\", \"content\": [{{\"type\": \"tool_use\", \"id\": \"t\", {input}}}]}}"
        )
    };
    let weather = message("\"name\": \"get_weather\", \"input\": {\"city\": \"Bern\"}");
    let unknown = message(
        "\"name\": \"rewrite_symbol\", \"input\": {\"path\": \"a.py\", \"content\": \"x\", \"symbol\": \"f\"}",
    );
    for (reply, said) in [(weather, "[no_edits]"), (unknown, "[unknown_call]")] {
        let answer = folder.run_with(&["apply", "-"], reply.as_bytes());
        assert_eq!((answer.status, folder.read("a.py").as_str()), (1, "x = 1\n"), "{}", answer.err);
        assert!(answer.err.contains(said), "{}", answer.err);
    }
}

#[test]
fn what_may_be_a_new_file_is_a_warning() {
    let folder = Folder::with(&[("a.py", "x = 1\n")]);
    let block = "a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n";
    let said = "The rates that all of them share now live in `src/tax.py`:";
    let reply = format!("{block}\n{said}\n\n```python\nRATE = 2\n```\n");
    let answer = folder.run_with(&["apply", "-", "--json"], reply.as_bytes());
    let notice = &answer.json()["notices"][0];
    assert_eq!(
        (notice["reply_line"].as_u64(), notice["file"].as_str()),
        (Some(8), Some("src/tax.py"))
    );
    assert_eq!((answer.status, folder.read("a.py").as_str()), (0, "x = 2\n"), "{answer:?}");
    assert!(answer.err.contains("warning: line 8: "), "{answer:?}");
    // The reply writes it elsewhere, or it exists.
    let twice = format!("{reply}\nsrc/tax.py\n```python\nRATE = 3\n```\n");
    let answer = folder.run_with(&["apply", "-", "--json"], twice.as_bytes());
    assert!(answer.status == 0 && answer.json().get("notices").is_none(), "{answer:?}");
    let answer = folder.run_with(&["apply", "-", "--json"], reply.as_bytes());
    assert!(answer.status == 0 && answer.json().get("notices").is_none(), "{answer:?}");
}

#[test]
fn what_no_line_above_names_is_a_warning() {
    let block = "a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n";
    let hunk = "@@ -1,2 +1,2 @@\n-y = 1\n+y = 2\n";
    for (more, found) in [
        (format!("```diff\n{hunk}```\n"), Some((8, None))),
        ("```diff\n-y = 1\n+y = 2\n```\n".to_owned(), Some((8, None))),
        (format!("### Code:\n\n```\n{hunk}```\n"), Some((10, None))),
        (hunk.to_owned(), Some((8, None))),
        ("```diff\n y = 1\n```\n".to_owned(), None),
        ("```python\nz = 1\n```\n*src/n.py*\n\nDone.\n".to_owned(), Some((11, Some("src/n.py")))),
        ("```python\nz = 1\n```\n\n`b.py`\n".to_owned(), Some((12, Some("b.py")))),
        ("```python\nz = 1\n```\n\nsrc/n.py\n```python\nn = 1\n```\n".to_owned(), None),
        ("```python\nz = 1\n```\n\n## src/n.py\n".to_owned(), None),
        ("```python\nz = 1\n```\n\nsrc/n.py:\n".to_owned(), None),
        ("```json\n{}\n```\n\n`src/n.py`\n".to_owned(), None),
        (
            "```python\n#!/usr/bin/env python3\n# src/n.py\nz = 1\n```\n".to_owned(),
            Some((10, Some("src/n.py"))),
        ),
        (
            "```sh\n#!/bin/sh\n# bin/n.sh\ncd src && ls\n```\n".to_owned(),
            Some((10, Some("bin/n.sh"))),
        ),
        (
            "Here is the full updated file `b.py`:\n\n```python\nb = 2\n```\n".to_owned(),
            Some((8, Some("b.py"))),
        ),
        ("Here is `b.py`:\n\n```python\nb = 2\n```\n".to_owned(), None),
    ] {
        let folder = Folder::with(&[("a.py", "x = 1\n"), ("b.py", "y = 1\n")]);
        let reply = format!("{block}\n{more}");
        let answer = folder.run_with(&["apply", "-", "--json"], reply.as_bytes());
        assert_eq!((answer.status, folder.read("a.py").as_str()), (0, "x = 2\n"), "{answer:?}");
        let notices = answer.json()["notices"].as_array().cloned().unwrap_or_default();
        let lines: Vec<_> = notices
            .iter()
            .map(|notice| (notice["reply_line"].as_u64().unwrap_or(0), notice["file"].as_str()))
            .collect();
        let found: Vec<_> = found.into_iter().collect();
        assert_eq!(lines, found, "{more}{answer:?}");
    }
}

#[test]
fn what_is_surely_no_new_file_is_no_warning() {
    let block = "a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n";
    let python = |text: &str| format!("```python\n{text}\n```\n");
    for (more, file) in [
        (format!("## Create src/n.py\n\nIt is small.\n\n{}", python("n = 1")), Some("src/n.py")),
        (format!("Your callers in `b.py` should now pass two values:\n\n{}", python("f(1)")), None),
        ("<include file=\"src/n.py\">\nn = 1\n</include>\n".to_owned(), None),
        ("```sh\nrm a.pyc && python b.py\n```\n".to_owned(), None),
        ("Remove `b.py` and `c.py` from the ignore list.\n".to_owned(), None),
    ] {
        let folder = Folder::with(&[("a.py", "x = 1\n"), ("b.py", "y = 1\n")]);
        let reply = format!("{block}\n{more}");
        let answer = folder.run_with(&["apply", "-", "--json"], reply.as_bytes());
        assert_eq!((answer.status, folder.read("a.py").as_str()), (0, "x = 2\n"), "{answer:?}");
        let notices = answer.json()["notices"].as_array().cloned().unwrap_or_default();
        let files: Vec<&str> =
            notices.iter().filter_map(|notice| notice["file"].as_str()).collect();
        assert_eq!(files, Vec::from_iter(file), "{more}");
    }
}

#[test]
fn a_document_without_edits_may_say_why() {
    let folder = Folder::with(&[("a.py", "x = 1\n")]);
    let reply =
        "The rates that all of them share now live in `src/tax.py`:\n\n```python\nRATE = 2\n```\n";
    let answer = folder.run_with(&["apply", "-"], reply.as_bytes());
    assert!(answer.status == 2 && answer.err.contains("is `src/tax.py`"), "{answer:?}");
}

#[test]
fn code_with_gaps_is_placed_with_consent() {
    let folder = Folder::with(&[(
        "a.py",
        "import os\n\ndef one():\n    return 1\n\ndef two():\n    return 2\n",
    )]);
    let reply = "a.py\n```python\nimport os\nimport sys\n\ndef one():\n    return 1\n# ... existing code ...\ndef two():\n    x = 3\n    return 2\n```\n";
    let refused = folder.run_with(&["apply", "-"], reply.as_bytes());
    assert!(
        refused.status == 1
            && refused.err.contains("+import sys")
            && refused.err.contains("--allow fuzzy"),
        "{}",
        refused.err
    );
    let applied = folder.run_with(&["apply", "-", "--allow", "fuzzy"], reply.as_bytes());
    assert_eq!(
        (applied.status, folder.read("a.py").as_str()),
        (
            0,
            "import os\nimport sys\n\ndef one():\n    return 1\n\ndef two():\n    x = 3\n    return 2\n"
        ),
        "{}",
        applied.err
    );
}
