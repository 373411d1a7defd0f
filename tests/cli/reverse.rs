//! `apply --reverse`: every byte is restored, or nothing happens.

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use super::{Answer, Folder};

fn block(path: &str, old: &str, new: &str) -> String {
    format!("{path}\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n\n")
}

/// Applies the reply and reverses it, which must restore every byte.
#[track_caller]
fn there_and_back(before: &str, reply: &str) {
    let folder = Folder::in_memory();
    folder.write("a.txt", before);
    let there = folder.run_with(&["apply", "-", "--yes", "--overwrite"], reply.as_bytes());
    assert_eq!(there.status, 0, "{before:?}: {there:?}");
    assert_ne!(fs::read(folder.path("a.txt")).ok(), Some(before.as_bytes().to_vec()));
    let back = folder.run_with(&["apply", "-", "--reverse"], reply.as_bytes());
    assert_eq!((back.status, folder.read("a.txt").as_str()), (0, before), "{back:?}");
    let again = folder.run_with(&["apply", "-", "--reverse"], reply.as_bytes());
    assert!(again.status == 0 || again.err.contains("not_reversible"), "{again:?}");
    assert_eq!(folder.read("a.txt"), before);
}

#[test]
fn whitespace_that_is_not_in_the_reply_is_restored() {
    let mut cases = 0;
    for end in
        ["", " ", "  ", "\t", " \t ", "    ", "\u{a0}", "   \t", "\t\t", " \u{2003}", "        "]
    {
        for eol in ["\n", "\r\n", "\n\n"] {
            for indent in ["", "    ", "\t"] {
                let lines = ["def f():", "    return 1", "x = f()"];
                let before: String =
                    lines.iter().map(|line| format!("{indent}{line}{end}{eol}")).collect();
                there_and_back(
                    &before,
                    &block(
                        "a.txt",
                        "def f():\n    return 1\nx = f()\n",
                        "def f():\n    return 2\nx = g()\n",
                    ),
                );
                cases += 1;
            }
        }
    }
    println!("{cases} of {cases} came back byte for byte");
    assert_eq!(cases, 99);
}

#[test]
fn content_that_is_not_in_the_reply_is_restored() {
    let before = "one \n\ntwo\t\n  three";
    there_and_back(
        before,
        "[ACTION_0_TYPE] edit_file\n[ACTION_0_PATH] a.txt\n[ACTION_0_CONTENT_START]\nall new\n[ACTION_0_CONTENT_END]\n",
    );
    there_and_back(before, "[ACTION_0_TYPE] delete_file\n[ACTION_0_PATH] a.txt\n");
    there_and_back("one\ntwo\nthree\n", &block("a.txt", "two\n", ""));
    there_and_back(
        "one\ntwo",
        "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+two\n",
    );
    there_and_back("one\ntwo\nzwei\n", &block("a.txt", "two\n", "zwei\n"));
    there_and_back(
        "one  \n",
        "*** Begin Patch\n*** Update File: a.txt\n*** Move to: b/c.txt\n@@\n-one\n+eins\n*** End Patch\n",
    );
    there_and_back("\u{feff}one  \r\ntwo\n", &block("a.txt", "one\n", "1\n"));
}

#[cfg(unix)]
#[test]
fn a_deleted_program_is_executable_again_and_needs_the_same_consent() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::with(&[("run", "#!/bin/sh  \n")]);
    fs::set_permissions(folder.path("run"), PermissionsExt::from_mode(0o755)).unwrap();
    let reply = "[ACTION_0_TYPE] delete_file\n[ACTION_0_PATH] run\n";
    assert_eq!(folder.run_with(&["apply", "-", "--yes"], reply.as_bytes()).status, 0);
    let answer = folder.run_with(&["apply", "-", "--reverse"], reply.as_bytes());
    assert!(answer.status == 1 && answer.err.contains("`--allow program`"), "{answer:?}");
    assert_eq!(
        folder
            .run_with(&["apply", "-", "--reverse", "--allow", "program"], reply.as_bytes())
            .status,
        0
    );
    assert_eq!(folder.read("run"), "#!/bin/sh  \n");
    assert_ne!(fs::metadata(folder.path("run")).unwrap().permissions().mode() & 0o100, 0);
}

#[test]
fn without_a_record_inferred_changes_need_consent() {
    let folder = Folder::with(&[("a.txt", "one\nzwei\n")]);
    let reply = block("a.txt", "two\n", "zwei\n");
    let answer = folder.run_with(&["apply", "-", "--reverse"], reply.as_bytes());
    assert!(
        answer.status == 1
            && answer.err.contains("`--allow fuzzy`")
            && answer.err.contains("-zwei\n+two\n"),
        "{answer:?}"
    );
    assert_eq!(folder.read("a.txt"), "one\nzwei\n");
    assert_eq!(
        folder.run_with(&["apply", "-", "--reverse", "--allow", "fuzzy"], reply.as_bytes()).status,
        0
    );
    assert_eq!(folder.read("a.txt"), "one\ntwo\n");
}

#[test]
fn a_record_is_not_used_once_the_file_has_changed() {
    let folder = Folder::with(&[("a.txt", "one \ntwo\nthree\n")]);
    let reply = block("a.txt", "one\ntwo\n", "1\n2\n");
    assert_eq!(folder.run_with(&["apply", "-"], reply.as_bytes()).status, 0);
    folder.write("a.txt", "1\n2\nmine\n");
    let answer = folder.run_with(&["apply", "-", "--reverse"], reply.as_bytes());
    assert!(answer.status == 1 && answer.err.contains("no undo record"), "{answer:?}");
    assert_eq!(folder.read("a.txt"), "1\n2\nmine\n");
}

/// Applies a reply, changes the record of the run, and reverses the reply.
fn tampered(change: impl Fn(&mut serde_json::Value)) -> (Folder, Answer, Answer) {
    let (folder, state) = (Folder::with(&[("a.txt", "one \ntwo\n")]), Folder::empty());
    let reply = block("a.txt", "one\n", "eins\n");
    let replies = Folder::with(&[("r.md", &reply)]);
    let run = |more: &[&str]| {
        let path = replies.path("r.md");
        let mut command = folder.command(&[&["apply", path.to_str().unwrap()], more].concat());
        let output = command.env("XDG_STATE_HOME", state.root()).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Answer {
            status: output.status.code().unwrap(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    };
    let there = run(&[]);
    let records: Vec<PathBuf> = fs::read_dir(state.path("agentmd/undo"))
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    assert_eq!(records.len(), 1, "{records:?}");
    let mut record: serde_json::Value =
        serde_json::from_slice(&fs::read(&records[0]).unwrap()).unwrap();
    change(&mut record);
    fs::write(&records[0], record.to_string()).unwrap();
    let back = run(&["--reverse"]);
    (folder, there, back)
}

#[test]
fn a_record_that_the_reply_does_not_justify_is_not_used() {
    let (folder, there, back) = tampered(|_| {});
    assert_eq!(
        (there.status, back.status, folder.read("a.txt").as_str()),
        (0, 0, "one \ntwo\n"),
        "{back:?}"
    );
    let planted: &[fn(&mut serde_json::Value)] = &[
        // Lines that the reply didn't touch.
        |record| record["files"][0]["before"] = json!("one \ntwo\nplanted\n"),
        |record| record["files"][0]["before"] = json!("planted\n"),
        |record| record["files"][0]["before"] = json!(null),
        // Other files: outside the root, in `.git`, or not in the reply.
        |record| record["files"][0]["path"] = json!("../a.txt"),
        |record| record["files"][0]["path"] = json!("/etc/hostname"),
        |record| record["files"][0]["path"] = json!(".git/config"),
        |record| {
            let more =
                json!({ "path": "b.txt", "before": "planted\n", "after": null, "program": true });
            record["files"].as_array_mut().unwrap().push(more);
        },
        |record| record["root"] = json!("/"),
        |record| record["version"] = json!(2),
    ];
    for (index, change) in planted.iter().enumerate() {
        let (folder, _, back) = tampered(change);
        assert!(back.status == 1 && back.err.contains("no undo record"), "{index}: {back:?}");
        assert_eq!(folder.read("a.txt"), "eins\ntwo\n", "{index}");
        assert!(!folder.path("b.txt").exists());
    }
}

#[test]
fn no_record_is_kept_below_the_root_or_for_secrets() {
    let folder = Folder::with(&[("a.txt", "one  \n")]);
    let replies = Folder::with(&[("r.md", &block("a.txt", "one\n", "eins\n"))]);
    let path = replies.path("r.md");
    let mut command = folder.command(&["apply", path.to_str().unwrap()]);
    assert!(command.env("XDG_STATE_HOME", folder.path("state")).output().unwrap().status.success());
    assert_eq!(fs::read_dir(folder.root()).unwrap().count(), 1);

    let (folder, state) = (Folder::with(&[(".env", "KEY=1\n")]), Folder::empty());
    let replies = Folder::with(&[("r.md", &block(".env", "KEY=1\n", "KEY=2\n"))]);
    let mut command = folder.command(&["apply", "--yes", replies.path("r.md").to_str().unwrap()]);
    assert!(command.env("XDG_STATE_HOME", state.root()).output().unwrap().status.success());
    assert!(
        fs::read_dir(state.path("agentmd/undo")).map_or(true, |mut found| found.next().is_none())
    );
}
