//! `check -`: text from stdin.

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
fn a_name_without_stdin_is_a_usage_error() {
    let folder = Folder::with(&[("a.md", GOOD)]);
    assert_eq!(folder.run(&["check", "--stdin-path", "x.md", "a.md"]).status, 2);
    folder.write("list", "a.md\n");
    for arguments in [&["-", "a.md"][..], &["-", "--files-from", "list"]] {
        let answer = folder.run(&[&["check", "--fix"], arguments].concat());
        assert_eq!(answer.status, 2, "{arguments:?}");
        assert!(answer.err.contains("can't fix both stdin and files"), "{}", answer.err);
    }
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

#[test]
fn fixed_stdin_is_printed_regardless_of_other_findings() {
    // A finding in the settings adds their file to the checked files.
    let settings = "[[kinds]]\nname = \"x\"\nfiles = [\"x/*.md\"]\nschema = 7\n";
    let folder = Folder::with(&[("agentmd.toml", settings), ("sub/agentmd.toml", settings)]);
    for path in [&[][..], &["--stdin-path", "z.md"], &["--stdin-path", "sub/z.md"]] {
        for text in [BROKEN, GOOD] {
            let answer =
                folder.run_with(&[&["check", "--fix", "-"], path].concat(), text.as_bytes());
            assert_eq!(answer.out, text.replace("command: 12", "command: \"12\""), "{path:?}");
            assert_eq!(answer.status, 1, "{answer:?}");
        }
    }
    folder.write("agentmd.toml", "x = 1\n");
    let answer =
        folder.run_with(&["check", "--fix", "-", "--stdin-path", "z.md"], BROKEN.as_bytes());
    assert_eq!((answer.status, answer.out.as_str()), (2, BROKEN));
}

#[test]
fn unreadable_stdin_is_printed_unchanged() {
    let folder = Folder::empty();
    let mut command = folder.command(&["check", "--fix", "-"]);
    let mut child = command
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let text = b"---\r\nname: \xe9 \xf0\x9f\xa6\x86\r\n";
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), text).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &text[..]));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("the file is not UTF-8: invalid byte at offset 11"), "{told}");
}

#[test]
fn excluded_stdin_is_printed_unchanged() {
    let folder = Folder::with(&[("agentmd.toml", "exclude = [\"gen\"]\n")]);
    let fixed = |arguments: &[&str]| {
        let call = ["check", "--fix", "-", "--stdin-path", "gen/x.md"];
        let answer = folder.run_with(&[&call, arguments].concat(), BROKEN.as_bytes());
        assert_eq!(answer.status, 0);
        answer.out != BROKEN
    };
    assert!(fixed(&[]) && !fixed(&["--force-exclude"]));
}
