//! `check`: exit statuses, selection, settings.

use super::{BROKEN, Folder, GOOD, warned};

#[test]
fn exit_status_is_0_1_or_2() {
    let folder = Folder::with(&[("good.md", GOOD), ("bad.md", BROKEN), ("warned.md", &warned())]);
    assert_eq!(folder.run(&["check", "good.md"]).status, 0);
    assert_eq!(folder.run(&["check", "bad.md"]).status, 1);
    assert_eq!(folder.run(&["check", "warned.md"]).status, 0);
    assert_eq!(folder.run(&["check", "--strict", "warned.md"]).status, 1);
    assert_eq!(folder.run(&["check", "--nope"]).status, 2);
    assert_eq!(folder.run(&["check", "--format", "xml"]).status, 2);
    assert_eq!(folder.run(&["nope"]).status, 2);
}

#[test]
fn a_missing_path_is_reported_after_the_others() {
    let folder = Folder::with(&[("bad.md", BROKEN)]);
    let answer = folder.run(&["check", "nope.md", "bad.md", "--format", "json"]);
    assert_eq!(answer.status, 2);
    assert_eq!(answer.err, "error: nope.md: no such file or folder\n");
    assert_eq!(answer.json()["summary"]["errors"], 1);
}

#[test]
fn the_summary_counts() {
    let folder = Folder::with(&[("good.md", GOOD), ("bad.md", BROKEN), ("warned.md", &warned())]);
    let summary = |arguments: &[&str]| {
        folder
            .run(arguments)
            .out
            .lines()
            .rev()
            .find(|line| !line.starts_with("For more"))
            .map(str::to_owned)
    };
    assert_eq!(summary(&["check"]).as_deref(), Some("1 error, 1 warning in 2 files (3 checked)"));
    assert_eq!(summary(&["check", "good.md"]).as_deref(), Some("No problems in the file."));
    assert_eq!(
        summary(&["check", "--ignore", "markdownlang"]).as_deref(),
        Some("No problems in 3 files.")
    );
    assert_eq!(folder.run(&["check", "-q", "good.md"]).out, "");
    assert_eq!(
        folder.run(&["check", "--statistics"]).out,
        "1  markdownlang/unknown-field\n1  markdownlang/wrong-type\n1 error, 1 warning in 2 files (3 checked)\n"
    );
    let empty = Folder::empty();
    let answer = empty.run(&["check"]);
    assert_eq!((answer.status, answer.out.as_str()), (0, "No agent markdown files found.\n"));
}

#[test]
fn rules_are_selected_and_ignored() {
    let folder = Folder::with(&[("bad.md", BROKEN), ("warned.md", &warned())]);
    assert_eq!(folder.checked(&["--select", "markdownlang/unknown-field"]), ["warned.md"]);
    assert_eq!(
        folder.checked(&["--select", "markdownlang", "--ignore", "markdownlang/unknown-field"]),
        ["bad.md"]
    );
    assert_eq!(
        folder.checked(&["--ignore", "markdownlang/unknown-field,markdownlang/wrong-type"]),
        [""; 0]
    );
    // `--select` takes one value, so the next argument is a path.
    assert_eq!(folder.checked(&["--select", "markdownlang", "bad.md"]), ["bad.md"]);
    // Options take precedence over the settings.
    folder.write("agentmd.toml", "[rules]\n\"markdownlang/wrong-type\" = \"off\"\n\"markdownlang/unknown-field\" = \"error\"\n");
    assert_eq!(folder.checked(&[]), ["warned.md"]);
    assert_eq!(folder.checked(&["--select", "markdownlang/wrong-type"]), ["bad.md"]);
    assert_eq!(folder.checked(&["--ignore", "markdownlang/unknown-field"]), [""; 0]);
}

#[test]
fn an_unknown_code_is_a_usage_error() {
    let folder = Folder::with(&[("bad.md", BROKEN)]);
    for flag in ["--select", "--ignore"] {
        let answer = folder.run(&["check", flag, "markdownlang/wrong-tipe"]);
        assert_eq!((answer.status, answer.out.as_str()), (2, ""));
        assert_eq!(
            answer.err,
            "error: unknown rule or group of rules `markdownlang/wrong-tipe`; did you mean `markdownlang/wrong-type`?\n"
        );
    }
}

#[test]
fn the_nearest_settings_apply() {
    let off = "[rules]\n\"markdownlang/wrong-type\" = \"off\"\n";
    let folder = Folder::with(&[
        ("bad.md", BROKEN),
        ("sub/bad.md", BROKEN),
        ("sub/deep/bad.md", BROKEN),
        ("sub/agentmd.toml", off),
        ("other.toml", off),
    ]);
    assert_eq!(folder.checked(&[]), ["bad.md"]);
    assert_eq!(folder.checked(&["sub/deep/bad.md"]), [""; 0]);
    assert_eq!(folder.checked(&["--no-config"]), ["bad.md", "sub/bad.md", "sub/deep/bad.md"]);
    assert_eq!(folder.checked(&["--config", "other.toml"]), [""; 0]);
    // From a folder below, and through `..`.
    let mut command = folder.command(&["check", "../deep/../bad.md"]);
    assert_eq!(
        command.current_dir(folder.path("sub/deep")).output().unwrap().status.code(),
        Some(0)
    );
    assert_eq!(folder.run(&["check", "--config", "none.toml"]).status, 2);
}

#[test]
fn unusable_settings_are_reported_and_their_files_skipped() {
    let folder = Folder::with(&[
        ("bad.md", BROKEN),
        ("sub/bad.md", BROKEN),
        ("sub/more.md", BROKEN),
        ("sub/agentmd.toml", "selekt = []\n"),
    ]);
    let answer = folder.run(&["check", "--format", "json"]);
    assert_eq!(answer.status, 2);
    assert_eq!(answer.json()["summary"]["files"], 1);
    assert_eq!(answer.err.matches("unknown setting `selekt`").count(), 1, "{}", answer.err);
    assert!(answer.err.contains("the files below it were not checked"), "{}", answer.err);
}

#[test]
fn two_runs_give_the_same_bytes() {
    let folder = Folder::empty();
    for index in 0..60 {
        folder.write(
            &format!("{}/{index}.md", index % 7),
            if index % 2 == 0 { BROKEN.to_owned() } else { warned() },
        );
    }
    for format in ["human", "json", "sarif", "github"] {
        let first = folder.run(&["check", "--format", format]);
        assert_eq!(first.status, 1);
        for _ in 0..3 {
            assert_eq!(folder.run(&["check", "--format", format]), first);
        }
    }
    let paths = folder.checked(&[]);
    assert!(paths.len() == 60 && paths.is_sorted(), "{paths:?}");
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    use std::io::Read;
    use std::process::Stdio;
    let folder = Folder::empty();
    for index in 0..300 {
        folder.write(&format!("{index}.md"), BROKEN.to_owned() + &"x".repeat(2000));
    }
    for arguments in [
        &["check"] as &[&str],
        &["check", "--format", "json"],
        &["check", "--format", "sarif"],
        &["explain", "--format", "markdown"],
    ] {
        let mut child = folder
            .command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = child.stdout.take().unwrap();
        out.read_exact(&mut [0; 10]).unwrap();
        drop(out);
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
        assert!(
            output.status.code().is_some_and(|code| code < 2),
            "{arguments:?} {:?}",
            output.status
        );
    }
}

#[test]
fn color_is_only_for_terminals_by_default() {
    let folder = Folder::with(&[("bad.md", BROKEN)]);
    let plain = folder.run(&["check"]).out;
    assert!(!plain.contains('\x1b'));
    assert_eq!(folder.run(&["check", "--color", "never"]).out, plain);
    assert!(folder.run(&["check", "--color", "always"]).out.contains("\x1b["));
    assert!(!folder.run(&["check", "--format", "json", "--color", "always"]).out.contains('\x1b'));
    let forced = folder
        .command(&["check"])
        .env("NO_COLOR", "1")
        .env("CLICOLOR_FORCE", "1")
        .output()
        .unwrap();
    assert!(!String::from_utf8(forced.stdout).unwrap().contains('\x1b'));
}

#[test]
fn hints_are_shown_on_request() {
    let folder = Folder::with(&[(
        "a.md",
        &GOOD.replace(
            "---\nname",
            "---\nmcp_servers: [{ name: tool, command: x, env: { A: 1 } }]\nname",
        ),
    )]);
    let answer = folder.run(&["check"]);
    assert_eq!(
        (answer.status, answer.out.as_str(), answer.err.as_str()),
        (0, "No problems in the file.\n", "")
    );
    let answer = folder.run(&["check", "--verbose", "--strict"]);
    assert!(
        answer.status == 0
            && answer.out.starts_with("hint[markdownlang/coerced-scalar]")
            && answer.out.contains("\n1 hint in 1 file (1 checked)\n"),
        "{}",
        answer.out
    );
    assert!(answer.err.starts_with("note: checked 1 file in "), "{}", answer.err);
    assert_eq!(folder.checked(&[]), ["a.md"]);
}

#[test]
fn version_and_help_are_answered() {
    let folder = Folder::empty();
    assert_eq!(folder.run(&["--version"]).out, format!("agentmd {}\n", env!("CARGO_PKG_VERSION")));
    let help = folder.run(&["--help"]);
    assert_eq!(help.status, 0);
    for command in ["server", "check", "explain", "completions"] {
        assert!(help.out.contains(command), "{}", help.out);
    }
    assert_eq!(folder.run(&[]).status, 2);
}

#[test]
fn only_comments_in_front_matter_disable_findings() {
    let text = |lines: &str, line_break: &str| {
        super::warned()
            .replace("---\nmodle", &format!("---\n{lines}\nmodle"))
            .replace('\n', line_break)
    };
    let directive = "# agentmd-disable-file";
    for (lines, off) in [
        (directive.to_owned(), true),
        (format!("x: 日本 {directive}"), true),
        (format!("x: |\n  🦆\n{directive}"), true),
        (format!("x: [1,\n  {directive}\n  2]"), true),
        (format!("x: |\n  🦆\n  {directive}"), false),
        (format!("x: >-\n  日本\n\n  {directive}\n"), false),
        (format!("x: \"a\n  {directive}\n  b\""), false),
        (format!("x: 'a\n  {directive}\n  b'"), false),
        (format!("x: \"{directive}\""), false),
        (format!("x:\n- a: |\n    {directive}"), false),
    ] {
        for line_break in ["\n", "\r\n"] {
            let folder = Folder::with(&[("a.md", &text(&lines, line_break))]);
            let out = folder.run(&["check", "--select", "markdownlang/unknown-field"]).out;
            assert_eq!(!out.contains("`modle`"), off, "{lines:?}: {out}");
        }
    }
    // The same in broken front matter.
    for (lines, off) in [
        (format!("y: a: b\n{directive} markdownlang/unknown-field"), true),
        (format!("y: a: b\nx: |\n  {directive} markdownlang/unknown-field"), false),
    ] {
        let folder = Folder::with(&[("a.md", &text(&lines, "\n"))]);
        let out = folder.run(&["check"]).out;
        assert_eq!(!out.contains("`modle`"), off, "{lines:?}: {out}");
    }
}

#[test]
fn unusable_settings_are_not_reported_as_no_files() {
    let folder = Folder::with(&[("agentmd.toml", "x = 1\n"), ("a.md", BROKEN)]);
    let answer = folder.run(&["check"]);
    assert_eq!((answer.status, answer.out.as_str()), (2, ""), "{answer:?}");
    assert!(answer.err.contains("the files below it were not checked"), "{}", answer.err);
    let empty = Folder::empty().run(&["check"]);
    assert_eq!((empty.status, empty.out.as_str()), (0, "No agent markdown files found.\n"));
}

/// A check must not succeed if a name in the settings is misspelled.
#[test]
fn settings_that_are_not_understood_fail_the_check() {
    for (toml, said) in [
        (
            "select = [\"markdwn\"]",
            "unknown rule or group of rules `markdwn`; did you mean `markdown`?",
        ),
        ("clients = [\"codx\"]", "unknown client `codx`; did you mean `codex`?"),
        (
            "[rules]\n\"markdown/front\" = \"off\"",
            "unknown rule or group of rules `markdown/front`",
        ),
        ("[formats]\n\"*.x\" = \"lmd\"", "unknown format `lmd`"),
        ("[[overrides]]\nfiles = [\"*\"]\nignore = [\"markdwn\"]", "`markdwn`; did you mean"),
    ] {
        let folder = Folder::with(&[("agentmd.toml", toml), ("a.md", GOOD)]);
        let answer = folder.run(&["check"]);
        assert_eq!((answer.status, answer.out.as_str()), (2, ""), "{toml}: {answer:?}");
        assert!(answer.err.starts_with("error: ") && answer.err.contains(said), "{}", answer.err);
    }
    // All problems are reported, and the files are still checked.
    let toml = "ignore = [\"markdwn\"]\n[formats]\n\"*.x\" = \"duck\"\n";
    let folder = Folder::with(&[("agentmd.toml", toml), ("a.md", BROKEN)]);
    let answer = folder.run(&["check"]);
    assert!(answer.status == 2 && answer.out.contains("\n1 error in 1 file"), "{answer:?}");
    assert!(answer.err.contains("`markdwn`") && answer.err.contains("`duck`"), "{}", answer.err);
}

#[test]
fn an_override_for_no_files_is_reported() {
    let toml = "[[overrides]]\nfiles = [\"b\"]\n\n[[overrides]]\nignore = [\"markdown\"]\n";
    let folder = Folder::with(&[("agentmd.toml", toml), ("a.md", GOOD)]);
    let answer = folder.run(&["check", "--format", "github"]);
    assert_eq!(answer.status, 1);
    assert!(
        answer.out.contains("file=agentmd.toml,line=4,")
            && answer.out.contains("title=settings/unusable-override::an override needs `files`"),
        "{}",
        answer.out
    );
    let problems = folder.run(&["self-check"]).err;
    assert!(problems.contains("agentmd.toml:4: an override needs `files`"), "{problems}");
}

#[test]
fn yaml_comments_disable_findings_in_test_files() {
    let found = |line: &str, top: &str| {
        let text = format!(
            "{top}cases:\n  - name: 日本\n{line}    input: {{ who: x }}\n    expect: {{ equals: {{ text: x }} }}\n"
        );
        let folder = Folder::with(&[("a.test.yaml", &text), ("a.md", GOOD)]);
        folder.run(&["check", "--format", "github"]).out.matches("unknown-test-key").count()
    };
    assert_eq!(found("    bogus: 1\n", ""), 1);
    let code = "markdownlang/unknown-test-key";
    for (line, top) in [
        ("    bogus: 1 # agentmd-disable-line\n".to_owned(), String::new()),
        (format!("    # agentmd-disable-next-line {code}\n    bogus: 1\n"), String::new()),
        ("    bogus: 1\n".to_owned(), format!("# agentmd-disable-file {code}\n")),
        ("    bogus: 1\r\n".to_owned(), format!("# agentmd-disable-file {code}\r\n")),
    ] {
        assert_eq!(found(&line, &top), 0, "{line:?} {top:?}");
    }
    for line in [
        "    bogus: '# agentmd-disable-line'\n",
        "    bogus: |\n      # agentmd-disable-file\n",
        "    bogus: 1 # agentmd-disable-line markdown\n",
    ] {
        assert_eq!(found(line, ""), 1, "{line:?}");
    }
}
