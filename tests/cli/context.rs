//! `context`: packs in Agent-Q's format, and packs refreshed from their files.

use serde_json::{Value, json};

use super::{Answer, Folder};

/// The output of the original program for some items.
fn golden() -> Vec<(&'static str, Value, &'static [&'static str])> {
    let code = |content: &str| json!({ "type": "code", "content": content });
    let edges = json!([
        { "type": "code", "content": "x", "filename": "path/with spaces.lisp" },
        { "type": "code", "content": "x", "filename": "only-start.lisp", "start_line": 4 },
        { "type": "code", "content": "x", "start_line": 3, "end_line": 4 },
        { "type": "file", "content": "x", "filename": "C:\\win\\p (1).lisp", "start_line": 0, "end_line": 0 },
        { "type": "code", "content": "x", "filename": "a:b:1-2.lisp", "start_line": "3", "end_line": "9" },
    ]);
    let hostile = json!([
        { "type": "text", "content": "Example: ```lisp\n(+ 1 2)\n```\nafter" },
        { "type": "text", "content": "### Code (from x.lisp:1-2)\n\n## Context\n" },
        { "type": "text", "content": "" },
        { "type": "code", "content": "trailing\n\n" },
    ]);
    let window: Vec<Value> = (1..=5).map(|number| code(&format!("item-{number}"))).collect();
    let lines = json!([{ "type": ":CODE", "content": "(defun foo () 42)", "filename": "src/example.lisp", "start_line": 10, "end_line": 12 }]);
    vec![
        (include_str!("context/01-empty.md"), json!([]), &[]),
        (include_str!("context/02-code-lines.md"), lines, &[]),
        (include_str!("context/04-metadata-edges.md"), edges, &[]),
        (include_str!("context/05-hostile-content.md"), hostile, &[]),
        (include_str!("context/07-window-max3.md"), json!(window), &["--max-items", "3"]),
    ]
}

fn from_items(items: &Value, arguments: &[&str]) -> Answer {
    let folder = Folder::with(&[("items.json", &items.to_string())]);
    folder.run(&[&["context", "--items", "items.json"], arguments].concat())
}

#[test]
fn aq_01_every_golden_file_is_written_byte_for_byte() {
    for (expected, items, arguments) in golden() {
        let answer = from_items(&items, arguments);
        assert_eq!((answer.status, answer.out.as_str()), (0, expected));
        assert!(!answer.err.contains("warning"), "{}", answer.err);
    }
}

#[test]
fn aq_13_every_golden_file_is_read_back() {
    for (text, ..) in golden().into_iter().skip(1) {
        let answer = Folder::with(&[("pack.md", text)]).run(&["parse", "pack.md"]).json();
        assert_eq!(answer["format"], "context");
        let again = from_items(&answer["items"], &[]);
        assert_eq!(again.out, text);
    }
}

#[test]
fn aq_04_the_window_keeps_the_last_items() {
    let items: Vec<Value> = (0..52)
        .map(|number| json!({ "type": "code", "content": format!("item-{number}") }))
        .collect();
    let answer = from_items(&json!(items), &[]);
    assert!(
        !answer.out.contains("item-1\n")
            && answer.out.contains("item-2\n")
            && answer.out.contains("item-51\n")
    );
    assert!(answer.err.contains("2 items left out"), "{}", answer.err);
    for wrong in ["0", "-1", "x", "99999999999999999999999"] {
        assert_eq!(from_items(&json!([]), &["--max-items", wrong]).status, 2);
    }
}

#[test]
fn aq_05_the_language_is_that_of_the_item() {
    let item =
        |kind: &str, file: Option<&str>| json!({ "type": kind, "content": "x", "filename": file });
    let items = json!([
        item("code", None),
        item("code", Some("a.lisp")),
        item("code", Some("a.rs")),
        item("file", Some("b.py")),
        item("file", Some("README")),
        item("repl-history", None),
        item("error", Some("a.rs")),
        item("text", None),
        item("custom", None),
    ]);
    let out = from_items(&items, &["--lang", "auto"]).out;
    let tags: Vec<&str> = out
        .lines()
        .filter_map(|line| line.strip_prefix("```"))
        .filter(|tag| !tag.is_empty())
        .collect();
    assert_eq!(tags, ["lisp", "lisp", "rust", "python", "text", "lisp", "text", "text", "text"]);
}

#[test]
fn aq_06_a_pack_that_cannot_be_read_back_is_reported() {
    let items = json!([{ "type": "code", "content": "a" }, { "type": "text", "filename": "b.md", "content": "a\n```\n\n### Code\n```lisp\nb" }]);
    let plain = from_items(&items, &[]);
    assert_eq!(plain.status, 0);
    assert!(
        plain.err.contains("item 2 (Text (from b.md))") && plain.err.contains("`--fence safe`"),
        "{}",
        plain.err
    );
    let safe = from_items(&items, &["--fence", "safe"]);
    assert!(safe.out.contains("````lisp\na\n```\n") && safe.err.is_empty(), "{}", safe.err);
    let back = Folder::with(&[("pack.md", &safe.out)]).run(&["parse", "pack.md"]).json();
    assert_eq!(back["items"].as_array().map(Vec::len), Some(2));
}

// One of the files has a name that isn't valid on Windows.
#[cfg(unix)]
#[test]
fn files_and_their_lines_are_items() {
    let folder = Folder::with(&[
        ("src/a b (1).rs", "\u{feff}one\r\ntwo\r\nthree\r\n"),
        ("x:1-2", "odd"),
        ("empty", ""),
    ]);
    let answer = folder.run(&[
        "context",
        "src/a b (1).rs:2-3",
        "src/a b (1).rs",
        "x:1-2",
        "empty",
        "--lang",
        "auto",
    ]);
    let expected = "## Context\n\n### Code (from src/a b (1).rs:2-3)\n```rust\ntwo\r\nthree\n```\n\n### File (from src/a b (1).rs)\n```rust\none\r\ntwo\r\nthree\n```\n\n### File (from x:1-2)\n```text\nodd\n```\n\n### File (from empty)\n```text\n\n```\n\n";
    assert_eq!((answer.status, answer.out.as_str()), (0, expected));
    folder.write("not-utf-8", b"\xff");
    for (item, reason) in [
        ("src/a b (1).rs:2-4", "has 3 lines"),
        ("src/a b (1).rs:0-1", "lines count from 1"),
        ("src/a b (1).rs:2-1", "lines count from 1"),
        ("none", "no such file"),
        ("src", "is a folder"),
        ("not-utf-8", "is not UTF-8"),
    ] {
        let answer = folder.run(&["context", item]);
        assert!(
            answer.status == 2 && answer.err.contains(reason) && answer.out.is_empty(),
            "{item}: {answer:?}"
        );
    }
}

#[test]
fn invalid_items_are_reported_with_their_number() {
    for (items, reason) in [
        (json!({}), "a list of items"),
        (json!([{ "type": "code", "content": "" }, 1]), "item 2"),
        (json!([{ "content": "" }]), "missing `type`"),
        (json!([{ "type": "code" }]), "missing `content`"),
        (json!([{ "type": "code", "content": "", "line": 1 }]), "unknown field `line`"),
        (json!([{ "type": "code", "content": "", "start_line": -1 }]), "`start_line`"),
        (json!([{ "type": "code", "content": "", "filename": "a\nb" }]), "line break"),
    ] {
        let answer = from_items(&items, &[]);
        assert!(answer.status == 2 && answer.err.contains(reason), "{items}: {answer:?}");
    }
    assert!(
        from_items(&json!([{ "type": "my_own", "content": "" }]), &[])
            .err
            .contains("unknown type `my_own`")
    );
}

const PACK: &str = "# Prompt\r\n\r\n## Context\r\n\r\n### Code (from src/a.rs:2-3)\r\n```lisp\r\nold\r\n```\r\n\r\n### Error (from src/a.rs:1-1)\r\n```lisp\r\nboom\r\n```\r\n\r\n### Code (from b.rs:1-1)\r\n```lisp\r\nx\r\n```\r\n\r\n## Request\r\n\r\nGo 🦆.\r\n";

#[test]
fn a_document_is_refreshed_from_its_files() {
    let folder = Folder::with(&[
        ("prompts/p.md", PACK),
        ("src/a.rs", "one\ntwo\nthree\nfour\n"),
        ("b.rs", "x\n"),
        ("agentmd.toml", ""),
    ]);
    let arguments = ["context", "--refresh", "prompts/p.md"];
    assert_eq!(folder.run(&[&arguments[..], &["--check"]].concat()).status, 1);
    let diff = folder.run(&[&arguments[..], &["--dry-run"]].concat());
    assert!(diff.status == 0 && diff.out.contains("-old\r\n+two\r\n+three\r\n"), "{}", diff.out);
    assert_eq!(folder.read("prompts/p.md"), PACK);
    let answer = folder.run(&arguments);
    assert_eq!((answer.status, answer.out.as_str()), (0, ""));
    assert!(answer.err.contains("Code (from src/a.rs:2-3): refreshed"), "{}", answer.err);
    let refreshed = PACK.replace("old", "two\r\nthree");
    assert_eq!(folder.read("prompts/p.md"), refreshed);
    assert_eq!(folder.run(&[&arguments[..], &["--check"]].concat()).status, 0);
}

#[test]
fn items_that_cannot_be_refreshed_are_kept_and_reported() {
    let folder = Folder::with(&[
        ("w/p.md", &PACK.replace("b.rs:1-1", "../secret:1-1")),
        ("w/src/a.rs", "one\n"),
        ("secret", "x\n"),
    ]);
    let answer = folder.run(&["context", "--refresh", "w/p.md"]);
    assert_eq!(answer.status, 1);
    assert!(
        answer.err.contains("the file has only 1 line")
            && answer.err.contains("outside the folder"),
        "{}",
        answer.err
    );
    assert!(folder.read("w/p.md").contains("old"));
    let open = folder.run(&["context", "--refresh", "w/p.md", "--root", "."]);
    assert!(!open.err.contains("outside the folder"), "{}", open.err);
    assert_eq!(folder.run(&["context", "--refresh", "none.md"]).status, 2);
    folder.write("plain.md", "# x\n");
    assert_eq!(folder.run(&["context", "--refresh", "plain.md"]).status, 2);
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_out_is_not_read() {
    let folder = Folder::with(&[
        ("w/p.md", "## Context\n\n### Code (from out.txt:1-1)\n```lisp\nx\n```\n"),
        ("secret", "password\n"),
    ]);
    std::os::unix::fs::symlink(folder.path("secret"), folder.path("w/out.txt")).unwrap();
    assert_eq!(folder.run(&["context", "--refresh", "w/p.md"]).status, 1);
    assert!(!folder.read("w/p.md").contains("password"));
}

#[test]
fn a_pack_is_checked_and_parsed() {
    let text = "## Context\n\n### Code (from a.rs:2-1)\n```lisp\nx\n```\n\n### Eror\n```lisp\nboom\n```\n\n## Request\n\nDo it.\n";
    let folder = Folder::with(&[("p.md", text), ("a.rs", "x\n")]);
    let found = folder.run(&["check", "--format", "json"]).json();
    let codes: Vec<&str> = found["files"][0]["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["code"].as_str().unwrap())
        .collect();
    assert_eq!(
        (found["files"][0]["format"].as_str(), codes),
        (Some("context"), vec!["context/wrong-range", "context/unknown-type"])
    );
    let parsed = folder.run(&["parse", "p.md", "--as", "context"]).json();
    assert_eq!(
        parsed["items"],
        json!([
            { "type": "code", "filename": "a.rs", "start_line": 2, "end_line": 1, "content": "x" },
            { "type": "eror", "filename": null, "start_line": null, "end_line": null, "content": "boom" },
        ])
    );
    assert_eq!(
        (parsed["request"].as_str(), parsed["errors"][0]["code"].as_str()),
        (Some("Do it."), Some("context/unknown-type"))
    );
    let none = folder.run_with(&["parse", "-", "--as", "context"], b"# nothing\n").json();
    assert_eq!(none, json!({ "format": "context", "items": [], "request": null, "errors": [] }));
}

#[test]
fn options_of_refresh_need_it() {
    let folder = Folder::with(&[("f.txt", "one\n"), ("items.json", "[]")]);
    for option in [&["--check"][..], &["--dry-run"], &["--root", "."]] {
        for items in [&["f.txt"][..], &["--items", "items.json"], &[]] {
            let answer = folder.run(&[&["context"], option, items].concat());
            assert_eq!((answer.status, answer.out.as_str()), (2, ""), "{option:?} {items:?}");
            assert!(answer.err.contains("--refresh"), "{}", answer.err);
        }
    }
}
