//! Diffs of `check --fix --diff` and other commands, which `git apply` and `patch -p1` accept.

use std::process::Command;

use super::{BROKEN, Folder, GOOD, warned};

/// The program with an error that has no safe fix.
fn lost(program: &str) -> String {
    program.replace("name: greet", "name: greet\nimports: [./missing.md]")
}

#[test]
fn the_exit_status_of_a_diff_is_that_of_check() {
    let folder = Folder::with(&[
        ("good.md", GOOD),
        ("wrong.md", &lost(GOOD)),
        ("partly.md", &lost(BROKEN)),
        ("warned.md", &warned()),
    ]);
    let status = |arguments: &[&str]| {
        let answer = folder.run(&[&["check", "--fix", "--diff"], arguments].concat());
        (answer.status, answer.out.is_empty(), answer.err)
    };
    assert_eq!(status(&["good.md"]), (0, true, String::new()));
    assert_eq!(status(&["warned.md"]), (0, true, String::new()));
    let left = "note: 1 error without a safe fix; `agentmd check` shows what is wrong\n";
    assert_eq!(status(&["wrong.md"]), (1, true, left.to_owned()));
    assert_eq!(status(&["partly.md"]), (1, false, left.to_owned()));
    let (strict, empty, text) = status(&["--strict", "warned.md"]);
    assert!(strict == 1 && empty && text.starts_with("note: 1 finding without"), "{text}");
}

#[test]
fn a_diff_has_no_other_format() {
    let folder = Folder::with(&[("a.md", BROKEN)]);
    for format in ["json", "jsonl", "sarif", "github", "junit"] {
        let answer = folder.run(&["check", "--fix", "--diff", "--format", format]);
        assert_eq!((answer.status, answer.out.as_str()), (2, ""), "{format}");
        assert!(answer.err.contains("`--diff` prints a unified diff"), "{}", answer.err);
    }
}

#[cfg(unix)]
#[test]
fn diffs_apply_with_any_file_names() {
    let names =
        ["a b/日本 c.md", "x\ty\u{1b}[31m.md", "l\n+++ b/forged.md", "q\"u\\o\u{9b}\u{202e}.md"];
    let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, BROKEN)).collect();
    let folder = Folder::with(&files);
    let diff = folder.run(&["check", "--fix", "--diff"]).out;
    let steers =
        |char: char| char.is_control() && !matches!(char, '\n' | '\t') || char == '\u{202e}';
    assert!(!diff.contains(steers) && !diff.contains("\n+++ b/forged"), "{diff:?}");
    assert!(diff.contains("--- a/a b/日本 c.md\t\n"), "{diff}");
    apply(&folder, &diff);
    let latin = <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"caf\xe9 x.md");
    std::fs::write(folder.root().join(latin), BROKEN).unwrap();
    apply(&folder, &folder.run(&["check", "--fix", "--diff"]).out);
    assert!(!std::fs::read_to_string(folder.root().join(latin)).unwrap().contains("command: 12"));
    for name in names {
        assert_eq!(folder.read(name), BROKEN.replace("command: 12", "command: \"12\""), "{name}");
    }
}

#[test]
fn diffs_name_files_below_one_folder() {
    let fresh =
        || Folder::with(&[("in/sub/a.md", BROKEN), ("in/z.md", GOOD), ("out/b.md", BROKEN)]);
    // Absolute paths and `..` that stay in the current folder are relative to it.
    let folder = fresh();
    let absolute = folder.path("in/sub/a.md").display().to_string();
    for path in [absolute.as_str(), "in/sub/../sub/a.md", "./in/sub/a.md"] {
        let answer = folder.run(&["check", "--fix", "--diff", path]);
        assert!(answer.out.starts_with("--- a/in/sub/a.md\n+++ b/in/sub/a.md\n"), "{}", answer.out);
        assert_eq!(answer.err, "", "{path}");
    }
    let absolute = folder.run(&["check", "--fix", "--diff", &absolute, "out/b.md"]);
    apply(&folder, &absolute.out);
    assert_eq!(folder.run(&["check"]).status, 0);
    // For files outside the current folder, a note says where to apply the diff.
    let folder = fresh();
    let mut command = folder.command(&["check", "--fix", "--diff", "sub", "../out/b.md"]);
    let output = command.current_dir(folder.path("in")).output().unwrap();
    let (diff, told) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(told.contains("outside of the current folder: apply it in "), "{told}");
    assert!(diff.contains("--- a/in/sub/a.md\n") && diff.contains("--- a/out/b.md\n"), "{diff}");
    apply(&folder, &diff);
    assert_eq!(folder.run(&["check"]).status, 0);
}

#[cfg(unix)]
#[test]
fn a_link_and_its_target_are_one_file_of_a_diff() {
    let folder = Folder::with(&[("a.md", BROKEN)]);
    std::os::unix::fs::symlink("a.md", folder.path("link.md")).unwrap();
    let diff = folder.run(&["check", "--fix", "--diff", "link.md", "a.md"]).out;
    assert_eq!(diff.matches("--- a/a.md\n").count(), 1, "{diff}");
    assert!(!diff.contains("link.md"), "{diff}");
}

#[test]
fn a_refreshed_pack_names_its_file_like_git() {
    let folder = Folder::with(&[("f.txt", "one\n")]);
    let made = folder.run(&["context", "f.txt"]).out;
    folder.write("p k.md", &made);
    folder.write("f.txt", "two\n");
    let answer = folder.run(&["context", "--refresh", "p k.md", "--dry-run"]);
    assert!(answer.out.starts_with("--- a/p k.md\t\n+++ b/p k.md\t\n@@"), "{answer:#?}");
}

/// Applies a diff with Git, and with GNU patch if it's installed.
#[track_caller]
fn apply(folder: &Folder, diff: &str) {
    if Command::new("git").arg("--version").output().is_err() {
        return crate::needs::missing("git", "install Git");
    }
    folder.write("the.diff", diff);
    let output = Command::new("git")
        .args(["apply", "--check", "the.diff"])
        .current_dir(folder.root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}\n{diff}", String::from_utf8_lossy(&output.stderr));
    let applied = Command::new("git")
        .args(["apply", "the.diff"])
        .current_dir(folder.root())
        .output()
        .unwrap();
    assert!(applied.status.success(), "{}", String::from_utf8_lossy(&applied.stderr));
    std::fs::remove_file(folder.path("the.diff")).unwrap();
}
