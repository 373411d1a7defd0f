//! `check -`: text that is in no file.

use super::{BROKEN, Folder, GOOD};

#[test]
fn stdin_is_checked() {
    let folder = Folder::empty();
    let answer = folder.run_with(&["check", "--format", "json", "-"], BROKEN.as_bytes());
    assert_eq!(answer.status, 1);
    assert_eq!(answer.json()["files"][0]["path"], "<stdin>");
    assert_eq!(folder.run_with(&["check", "-"], GOOD.as_bytes()).status, 0);
    assert_eq!(folder.run_with(&["check", "-"], b"").status, 0);
    let answer = folder.run_with(&["check", "--format", "json", "-"], b"a\xff");
    assert_eq!(
        (answer.status, &answer.json()["files"][0]["diagnostics"][0]["code"]),
        (1, &serde_json::json!("markdown/unreadable"))
    );
}

#[test]
fn a_name_gives_stdin_settings_and_neighbours() {
    let folder = Folder::with(&[
        ("sub/agentmd.toml", "ignore = [\"markdownlang/wrong-type\"]\n"),
        ("sub/inner.md", GOOD),
    ]);
    let check = |name: &str, text: &str| {
        folder.run_with(&["check", "--format", "json", "--stdin-path", name, "-"], text.as_bytes())
    };
    assert_eq!(check("sub/new.md", BROKEN).status, 0);
    assert_eq!(check("new.md", BROKEN).json()["files"][0]["path"], "new.md");
    assert_eq!(check("none/at/all.md", BROKEN).status, 1);
    let outer = GOOD.replace("---\nname: greet", "---\nname: outer\nimports: [./inner.md]");
    assert_eq!(check("sub/outer.md", &outer).status, 0);
    assert_eq!(check("outer.md", &outer).status, 1);
}

#[test]
fn a_name_without_stdin_is_a_wrong_call() {
    let folder = Folder::with(&[("a.md", GOOD)]);
    assert_eq!(folder.run(&["check", "--stdin-path", "x.md", "a.md"]).status, 2);
    assert_eq!(folder.run(&["check", "--fix", "-", "a.md"]).status, 2);
}

#[test]
fn fixed_stdin_goes_to_stdout() {
    let folder = Folder::empty();
    let answer = folder.run_with(&["check", "--fix", "-"], BROKEN.as_bytes());
    assert_eq!(answer.status, 0, "{answer:#?}");
    assert_eq!(answer.out, BROKEN.replace("command: 12", "command: \"12\""));
    assert!(answer.err.starts_with("Fixed <stdin>: markdownlang/wrong-type\n"), "{}", answer.err);
    let again = folder.run_with(&["check", "--fix", "-"], answer.out.as_bytes());
    assert_eq!(again.out, answer.out);
}
