//! `check --fix`.

use std::fs;

use super::{BROKEN, Folder, GOOD, warned};

/// Two findings with a safe fix, and one without.
const TWO: &str = "---\r
name: greet\r
description: 12\r
input: { type: object, properties: { who: { type: string } }, required: [who] }\r
output: { type: object, properties: { text: { type: string } }, required: [text] }\r
modle: x\r
mcp_servers: [{ name: tool, command: 12 }]\r
---\r
\r
Greet {{ .who }}.";

#[test]
fn safe_fixes_are_applied_and_reported() {
    let folder = Folder::with(&[("a.md", TWO), ("good.md", GOOD)]);
    let answer = folder.run(&["check", "--fix"]);
    assert_eq!(answer.status, 0, "{answer:#?}");
    assert!(answer.out.starts_with("Fixed a.md: markdownlang/wrong-type (×2)\n"), "{}", answer.out);
    assert!(answer.out.contains("1 warning in 1 file (2 checked)"), "{}", answer.out);
    let expected = TWO
        .replace("description: 12", "description: \"12\"")
        .replace("command: 12", "command: \"12\"");
    assert_eq!(folder.read("a.md"), expected);
    assert_eq!(folder.run(&["check", "--fix", "--strict"]).status, 1);
}

#[test]
fn a_second_time_changes_nothing() {
    let folder = Folder::with(&[("a.md", TWO), ("b.md", BROKEN)]);
    folder.run(&["check", "--fix"]);
    let stamp = || {
        ["a.md", "b.md"].map(|name| {
            (folder.read(name), fs::metadata(folder.path(name)).unwrap().modified().unwrap())
        })
    };
    let once = stamp();
    let answer = folder.run(&["check", "--fix"]);
    assert!(!answer.out.contains("Fixed"), "{}", answer.out);
    assert_eq!(stamp(), once);
}

#[test]
fn files_with_nothing_to_fix_are_not_touched() {
    let folder = Folder::with(&[("good.md", GOOD), ("warned.md", &warned())]);
    let before = fs::metadata(folder.path("warned.md")).unwrap().modified().unwrap();
    folder.run(&["check", "--fix"]);
    assert_eq!(folder.read("warned.md"), warned());
    assert_eq!(fs::metadata(folder.path("warned.md")).unwrap().modified().unwrap(), before);
}

/// Third-party files are checked, too, and their findings are hints.
#[test]
fn hints_are_fixed_if_they_are_shown() {
    let text = "---\nname: tea\ndescription: Tea: 日本\n---\n\nx\n";
    let folder = Folder::with(&[("vendor/x/notes.md", text), ("notes.md", text)]);
    let fixed = text.replace("Tea: 日本", "\"Tea: 日本\"");
    folder.run(&["check", "--fix"]);
    assert_eq!(
        (folder.read("notes.md"), folder.read("vendor/x/notes.md")),
        (fixed.clone(), text.to_owned())
    );
    folder.run(&["check", "--fix", "--verbose"]);
    assert_eq!(folder.read("vendor/x/notes.md"), fixed);
}

#[test]
fn only_shown_findings_are_fixed() {
    let folder = Folder::with(&[("a.md", BROKEN)]);
    folder.run(&["check", "--fix", "--ignore", "markdownlang/wrong-type"]);
    assert_eq!(folder.read("a.md"), BROKEN);
}

#[test]
fn a_diff_changes_nothing() {
    let folder = Folder::with(&[("sub/a.md", BROKEN), ("good.md", GOOD)]);
    let answer = folder.run(&["check", "--fix", "--diff"]);
    assert_eq!(answer.status, 1);
    assert_eq!(
        answer.out,
        "--- a/sub/a.md
+++ b/sub/a.md
@@ -3,7 +3,7 @@
 description: Greets a person
 input: { type: object, properties: { who: { type: string } }, required: [who] }
 output: { type: object, properties: { text: { type: string } }, required: [text] }
-mcp_servers: [{ name: tool, env: { A: 日本🦆 }, command: 12 }]
+mcp_servers: [{ name: tool, env: { A: 日本🦆 }, command: \"12\" }]
 ---
 
 Greet {{ .who }}.
"
    );
    assert_eq!(folder.read("sub/a.md"), BROKEN);
    let nothing = folder.run(&["check", "--fix", "--diff", "good.md"]);
    assert_eq!((nothing.status, nothing.out.as_str()), (0, ""));
    assert_eq!(folder.run(&["check", "--diff"]).status, 2);
}

#[test]
fn json_has_the_number_of_fixes() {
    let folder = Folder::with(&[("a.md", TWO)]);
    let answer = folder.run(&["check", "--fix", "--format", "json"]).json();
    assert_eq!(
        answer["summary"],
        serde_json::json!({"files": 1, "errors": 0, "warnings": 1, "infos": 0, "hints": 0, "fixed": 2})
    );
}

#[cfg(unix)]
#[test]
fn symlinks_and_permissions_stay_and_no_other_file_is_left() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::with(&[("sub/a.md", BROKEN)]);
    fs::set_permissions(folder.path("sub/a.md"), fs::Permissions::from_mode(0o604)).unwrap();
    symlink("sub/a.md", folder.path("link.md")).unwrap();
    let answer = folder.run(&["check", "--fix", "link.md"]);
    assert_eq!(answer.status, 0, "{answer:#?}");
    assert!(fs::symlink_metadata(folder.path("link.md")).unwrap().is_symlink());
    assert!(folder.read("sub/a.md").contains("command: \"12\""));
    assert_eq!(fs::metadata(folder.path("sub/a.md")).unwrap().permissions().mode() & 0o777, 0o604);
    assert_eq!(fs::read_dir(folder.path("sub")).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_file_that_is_named_twice_is_fixed_once() {
    let folder = Folder::with(&[("a.md", BROKEN)]);
    std::os::unix::fs::symlink("a.md", folder.path("link.md")).unwrap();
    let answer = folder.run(&["check", "--fix", "link.md", "a.md"]);
    assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{answer:#?}");
    assert!(folder.read("a.md").contains("command: \"12\""));
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_is_reported_and_left_as_it_was() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(&[("a.md", BROKEN), ("b.md", BROKEN)]);
    fs::set_permissions(folder.path("a.md"), fs::Permissions::from_mode(0o444)).unwrap();
    let answer = folder.run(&["check", "--fix"]);
    assert_eq!(answer.status, 1);
    assert_eq!(answer.err, "error: a.md: not fixed: the file is read-only\n");
    assert!(answer.out.starts_with("Fixed b.md"), "{}", answer.out);
    assert!(answer.out.contains("--> a.md:6:55"), "{}", answer.out);
    assert_eq!(folder.read("a.md"), BROKEN);
}

/// `apply` does the same.
#[cfg(unix)]
#[test]
fn a_file_with_other_hard_links_is_reported_and_left_as_it_was() {
    let folder = Folder::with(&[("a.md", BROKEN)]);
    fs::create_dir(folder.path("away")).unwrap();
    fs::hard_link(folder.path("a.md"), folder.path("away/twin")).unwrap();
    let answer = folder.run(&["check", "--fix"]);
    assert_eq!(answer.status, 1);
    assert!(
        answer.err.starts_with("error: a.md: not fixed: the file has other hard links"),
        "{answer:?}"
    );
    assert_eq!(folder.read("a.md"), BROKEN);
    fs::remove_file(folder.path("away/twin")).unwrap();
    assert_eq!(folder.run(&["check", "--fix"]).status, 0);
}

#[test]
fn llmd_12_the_lines_of_a_file_replace_only_the_difference_in_a_block() {
    let reply = "Sure, 🦆:\n\na.rs\n<<<<<<< SEARCH\n    call(\"helo\");\n=======\n    call(\"bye\");\n>>>>>>> REPLACE\n";
    let folder = Folder::with(&[("r.md", reply), ("a.rs", "    call(\"hi\");\n")]);
    let answer = folder.run(&["check", "r.md", "--format", "json"]).json();
    let fix = &answer["files"][0]["diagnostics"][0]["fixes"][0];
    let start = reply.find("elo").unwrap();
    let edits = fix["edits"].as_array().unwrap();
    assert_eq!((edits.len(), &edits[0]["text"]), (1, &serde_json::json!("i")), "{fix}");
    assert_eq!(
        (&edits[0]["range"]["start"]["offset"], &edits[0]["range"]["end"]["offset"]),
        (&start.into(), &(start + 3).into())
    );
}
