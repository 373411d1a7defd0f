//! `apply --dry-run`: Git turns the printed patch into the same files.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use agentmd::plan::FileChange;

use super::{Folder, growth};

fn action(index: usize, kind: &str, path: &str, content: Option<&str>) -> String {
    let content = content
        .map(|content| {
            format!("[ACTION_{index}_CONTENT_START]\n{content}\n[ACTION_{index}_CONTENT_END]\n")
        })
        .unwrap_or_default();
    format!("[ACTION_{index}_TYPE] {kind}\n[ACTION_{index}_PATH] {path}\n{content}")
}

/// Every file with its content and whether it's executable.
fn files(root: &Path) -> BTreeMap<String, (Vec<u8>, bool)> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(at).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            #[cfg(unix)]
            let program = std::os::unix::fs::PermissionsExt::mode(
                &fs::metadata(&path).unwrap().permissions(),
            ) & 0o100
                != 0;
            #[cfg(not(unix))]
            let program = false;
            let text = fs::read(&path).unwrap();
            found.insert(
                path.strip_prefix(root).unwrap().to_string_lossy().into_owned(),
                (text, program),
            );
        }
    }
    found
}

fn scene(old: &[(&str, &str)], programs: &[&str]) -> Folder {
    let folder = Folder::with(old);
    #[cfg(unix)]
    for name in programs {
        fs::set_permissions(folder.path(name), std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .unwrap();
    }
    let _ = programs;
    folder
}

/// Applying the reply and giving its patch to Git must lead to the same files.
#[track_caller]
fn same_as_git(old: &[(&str, &str)], programs: &[&str], reply: &str) {
    if Command::new("git").arg("--version").output().is_err() {
        return crate::needs::missing("git", "install Git");
    }
    let (ours, theirs) = (scene(old, programs), scene(old, programs));
    let call = |more: &'static [&str]| {
        ours.run_with(&[&["apply", "-", "--yes"], more].concat(), reply.as_bytes())
    };
    let shown = call(&["--dry-run"]);
    assert_eq!(shown.status, 0, "{shown:?}");
    assert_eq!(files(ours.root()), files(theirs.root()), "a dry run writes nothing");
    let mut git = Command::new("git");
    // Don't let Git find a repository around the folder.
    git.args(["apply", "--whitespace=nowarn", "-"])
        .current_dir(theirs.root())
        .env("GIT_CEILING_DIRECTORIES", theirs.root().parent().unwrap());
    let mut git = git.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    git.stdin.take().unwrap().write_all(shown.out.as_bytes()).unwrap();
    let answer = git.wait_with_output().unwrap();
    assert!(answer.status.success(), "{}\n{}", String::from_utf8_lossy(&answer.stderr), shown.out);
    let written = call(&[]);
    assert_eq!(written.status, 0, "{written:?}");
    assert_eq!(files(ours.root()), files(theirs.root()), "{}", shown.out);
}

#[test]
fn git_applies_created_and_deleted_files() {
    let old = [
        ("gone", "one\ntwo\n"),
        ("src/gone too", "no end"),
        ("empty gone", ""),
        ("run.sh", "#!/bin/sh\n"),
    ];
    let reply = action(0, "create_file", "new", Some("one\ntwo\n"))
        + &action(1, "create_file", "a/b/c d", Some("no end"))
        + &action(2, "create_file", "empty", Some(""))
        + &action(3, "delete_file", "gone", None)
        + &action(4, "delete_file", "src/gone too", None)
        + &action(5, "delete_file", "empty gone", None)
        + &action(6, "delete_file", "run.sh", None);
    same_as_git(&old, &["run.sh"], &reply);
}

#[test]
fn git_applies_every_kind_of_line() {
    let long: String = (0..100).map(|line| format!("line {line}\r\n")).collect();
    for (before, after) in [
        ("one\ntwo\n", "one\nzwei\n"),
        ("one\ntwo", "one\nzwei"),
        ("one\ntwo", "one\ntwo\n"),
        ("one\ntwo\n", "one\ntwo"),
        ("one\r\ntwo\r\n", "one\r\nzwei\r\n"),
        ("one\r\ntwo", "one\ntwo\r\n"),
        ("a\rb\nc\r", "a\rc\nc\rd"),
        ("", "one\n"),
        ("one\n", ""),
        ("\u{feff}one\n", "\u{feff}two\n"),
        ("+++ b/x\n--- a/x\n@@ -1 +1 @@\n", "--- a/x\ndiff --git a/x b/x\n@@ -1 +1 @@\n"),
        ("\u{2028}x\u{b}\u{c}y\n", "\u{2028}y\u{b}\u{c}y\n"),
        ("日本\n🦆\n", "日本\n🦆🦆\n"),
        (
            &long,
            &long
                .replace("line 50", "LINE 50")
                .replace("line 3\r\n", "")
                .replace("line 99\r\n", "line 99"),
        ),
    ] {
        same_as_git(&[("src/x", before)], &[], &action(0, "edit_file", "src/x", Some(after)));
    }
}

#[test]
fn git_applies_files_with_any_name() {
    let mut names = vec![
        "with spaces in it",
        "日本/🦆.md",
        "combining e\u{301}",
        "b/a",
        "x b/x b",
        "-dash",
        "a'b",
        "[id].tsx",
        "$x",
        "#1",
        "100%",
        "dev/null",
    ];
    if cfg!(unix) {
        names.extend(["quote\"d", "back\\slash"]);
    }
    for name in names {
        same_as_git(&[(name, "one\n")], &[], &action(0, "edit_file", name, Some("two\n")));
        same_as_git(&[(name, "one\n")], &[], &action(0, "delete_file", name, None));
        same_as_git(&[], &[], &action(0, "create_file", name, Some("one\n")));
        same_as_git(&[], &[], &action(0, "create_file", name, Some("")));
    }
}

#[test]
fn names_are_normalized_as_git_does() {
    for name in ["./src/x", "src//x", "src/./x", "././src//././x"] {
        same_as_git(&[("src/x", "one\n")], &[], &action(0, "edit_file", name, Some("two\n")));
        same_as_git(&[("src/x", "one\n")], &[], &action(0, "delete_file", name, None));
        same_as_git(&[], &[], &action(0, "create_file", name, Some("one\n")));
    }
}

#[cfg(unix)]
#[test]
fn a_patch_names_the_targets_of_symlinks() {
    use std::os::unix::fs::symlink;

    let folder = Folder::with(&[("src/x", "one\n")]);
    symlink("src", folder.path("link")).unwrap();
    symlink("src/x", folder.path("x")).unwrap();
    for (name, kind, expected) in [
        ("link/x", "edit_file", "src/x"),
        ("x", "edit_file", "src/x"),
        ("link/new", "create_file", "src/new"),
    ] {
        let shown = folder.run_with(
            &["apply", "-", "--dry-run"],
            action(0, kind, name, Some("two\n")).as_bytes(),
        );
        assert!(
            shown.out.starts_with(&format!("diff --git a/{expected} b/{expected}\n")),
            "{shown:?}"
        );
    }
    let shown = folder
        .run_with(&["apply", "-", "--dry-run"], action(0, "delete_file", "x", None).as_bytes());
    let expected = "diff --git a/x b/x\ndeleted file mode 120000\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-src/x\n\\ No newline at end of file\n";
    assert_eq!(shown.out, expected);
}

#[test]
fn a_program_stays_one() {
    same_as_git(
        &[("run.sh", "#!/bin/sh\necho 1\n")],
        &["run.sh"],
        &action(0, "edit_file", "run.sh", Some("#!/bin/sh\necho 2\n")),
    );
}

#[test]
fn two_large_files_with_nothing_in_common_are_compared_in_time() {
    let text = |word: &str, lines: usize| {
        (0..lines).map(|line| format!("{word} {line}\n")).collect::<String>()
    };
    same_as_git(
        &[("x", &text("old", 60_000))],
        &[],
        &action(0, "edit_file", "x", Some(&text("new", 60_000))),
    );
    let change = |lines: usize| {
        FileChange::new("x".into(), "x", Some(&text("old", lines)), Some(&text("new", lines)))
    };
    growth::is_linear("a diff", 60_000, change, |change| assert!(change.diff().len() > 1000));
}

#[test]
fn git_applies_moved_files() {
    let reply = "*** Begin Patch\n*** Update File: bin/run.sh\n*** Move to: scripts/run it.sh\n@@\n #!/bin/sh\n-echo 1\n+echo 2\n*** End Patch\n";
    same_as_git(&[("bin/run.sh", "#!/bin/sh\necho 1\n")], &["bin/run.sh"], reply);
}
