//! The server's edits, applied by an editor, give the same files as the command line.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup};
use crate::duckflow::apply;
use crate::fixture::File;
use crate::profile;

fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(at).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.insert(
                    path.strip_prefix(root).expect("it is below").display().to_string(),
                    fs::read(&path).expect("a file"),
                );
            }
        }
    }
    found
}

/// The first lens, which applies all changes.
fn lens(client: &mut Client) -> Option<tower_lsp::gen_lsp_types::Command> {
    let params = json!({ "textDocument": client.document("r.md") });
    let found = client.request::<CodeLensRequest>(params)?;
    found.into_iter().next()?.command
}

#[track_caller]
fn same(old: &[(&str, &str)], reply: &str) {
    for (encodings, annotated) in
        [(&["utf-16"][..], true), (&["utf-8"], false), (&["utf-32"], true)]
    {
        let able = profile::encoded(profile::push(), encodings);
        let support = json!({ "groupsOnLabel": true });
        let able = if annotated {
            profile::with(able, "/workspace/workspaceEdit", "changeAnnotationSupport", support)
        } else {
            able
        };
        let mut setup = Setup::new("").capabilities(able);
        let other = tempfile::tempdir().expect("a folder");
        setup.files.clear();
        for (name, text) in old.iter().chain([&("r.md", reply)]) {
            setup.files.push(File {
                name: (*name).to_owned(),
                text: (*text).to_owned(),
                cursors: Vec::new(),
                ranges: Vec::new(),
            });
            let path = other.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            fs::write(path, text).expect("a file");
        }
        let mut client = setup.start();
        client.open("r.md");
        let lens = lens(&mut client).expect("a lens");
        client
            .ask(
                "workspace/executeCommand",
                json!({ "command": lens.command, "arguments": lens.arguments }),
            )
            .expect("the edit is applied");
        let edits: Vec<Value> = client
            .asked
            .iter()
            .filter(|asked| asked.method == "workspace/applyEdit")
            .map(|asked| asked.params["edit"].clone())
            .collect();
        let [edit] = edits.as_slice() else { panic!("{edits:?}") };
        apply(&mut client, edit);

        let answer = Command::new(env!("CARGO_BIN_EXE_agentmd"))
            .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"))
            .args(["apply", "r.md", "--yes"])
            .current_dir(other.path())
            .output()
            .expect("agentmd");
        assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
        assert_eq!(files(&client.path("")), files(other.path()), "{}\n{edit:#}", lens.title);
        assert_ne!(files(other.path()).len(), 0);
    }
}

fn action(index: usize, kind: &str, path: &str, content: &str) -> String {
    let content = if kind == "delete_file" {
        String::new()
    } else {
        format!("[ACTION_{index}_CONTENT_START]\n{content}\n[ACTION_{index}_CONTENT_END]\n")
    };
    format!("[ACTION_{index}_TYPE] {kind}\n[ACTION_{index}_PATH] {path}\n{content}\n")
}

#[test]
fn whole_files_are_the_same_either_way() {
    for (before, after) in [
        ("one\ntwo\n", "one\nzwei\n"),
        ("one\ntwo", "one\nzwei\n"),
        ("one\ntwo\n", "one"),
        ("one\r\ntwo\r\n", "one\r\n🦆\r\ntwo\r\n"),
        ("🦆 日本 one\n", "🦆 日本 e\u{301}ins\n"),
        ("", "one\n"),
        ("one\n", ""),
        ("\tone\n\n\n", "\tone\n\n"),
    ] {
        same(&[("src/a b.txt", before)], &action(0, "edit_file", "src/a b.txt", after));
    }
}

#[test]
fn files_come_and_go_the_same_either_way() {
    let old = [("a.py", "one\ntwo\n"), ("src/ü.py", "x\n")];
    same(
        &old,
        &(action(0, "create_file", "new/deep/日本.py", "a\n🦆\n")
            + &action(1, "edit_file", "a.py", "one\nzwei\n")),
    );
    same(
        &old,
        &(action(0, "create_file", "b.py", "no end")
            + &action(1, "edit_file", "b.py", "no end at all\n")),
    );
}

#[test]
fn edit_blocks_are_merged_the_same_either_way() {
    let block =
        |old: &str, new: &str| format!("<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n");
    let text = "def f():\r\n    return 1\r\n\r\n# 🦆 日本\r\ndef g():\r\n    return 2";
    for content in [
        block("    return 1", "    return 10\n    # 🦆"),
        block("return 2", "return 20"),
        block("def f():\n    return 1", "def f():\n    return 0")
            + &block("def g():\n    return 2", "def h():\n    return 2"),
        block("# \u{1f986} 日本\ndef g():", "def g():"),
    ] {
        same(&[("a.py", text)], &action(0, "edit_file", "a.py", content.trim_end()));
        // The same as a bare reply.
        same(&[("a.py", text)], &content.replace("<<<<<<< SEARCH", "a.py\n<<<<<<< SEARCH"));
    }
}

#[test]
fn bare_replies_are_the_same_either_way() {
    let old = [
        ("a.rs", "fn one() {}\n\nfn two() {}\n"),
        ("src/b.rs", "\tlet x = 1;\n\tlet y = 2;\n"),
        ("c.rs", "1\n2\n3\n4\n5\n6\n7\n8\n"),
    ];
    let block = |path: &str, old: &str, new: &str| {
        format!("{path}\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n\n")
    };
    let chain = block("a.rs", "fn one() {}\n", "fn uno() {}\n")
        + &block("a.rs", "fn uno() {}\n", "fn eins() {}\n");
    same(
        &old,
        &(chain
            + &block("src/b.rs", "let y = 2;\n", "let y = 3;\nlet z = 4; // 🦆\n")
            + &block("new/d.rs", "", "fn d() {}\n")),
    );
    same(
        &old,
        "```diff\n--- a/c.rs\n+++ b/c.rs\n@@ -1,3 +1,3 @@\n 1\n-2\n+zwei\n 3\n@@ -6,3 +6,4 @@\n 6\n 7\n 8\n+9\n```\n",
    );
    same(
        &old,
        "*** Begin Patch\n*** Update File: c.rs\n@@\n 4\n-5\n+fünf\n*** Add File: e.rs\n+fn e() {}\n*** End Patch\n",
    );
}
