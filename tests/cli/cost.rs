//! The cost of agent files, and the budget.

use super::Folder;

const FILES: &[(&str, &str)] = &[
    ("CLAUDE.md", "0123456789012345678901234567890123456789"),
    ("src/CLAUDE.md", "01234567"),
    (".claude/rules/ts.md", "---\npaths: \"**/*.ts\"\n---\nTypes.\n"),
    (".claude/skills/tea/SKILL.md", "---\nname: tea\ndescription: Brews tea\n---\n\nBrew it.\n"),
    (".claude/commands/go.md", "Go.\n"),
];

#[test]
fn a_table_and_json() {
    let folder = Folder::with(FILES);
    let table = folder.run(&["cost", "--for", "claude-code"]);
    assert_eq!(table.status, 0, "{}", table.err);
    let expected =
        "             always  on a match  on demand\nClaude Code     ~15         ~10        ~14\n";
    assert_eq!(table.out, expected);
    let json = folder.run(&["cost", ".", "--for", "claude-code", "--json"]).json();
    let client = &json["clients"][0];
    assert_eq!(
        (&client["client"], &client["always"], &client["matched"], &client["on_demand"]),
        (&"claude-code".into(), &15.into(), &10.into(), &14.into())
    );
    let files = client["files"].as_array().unwrap();
    let row = |path: &str, when: &str| {
        let row = files.iter().find(|file| file["path"] == path && file["when"] == when);
        row.unwrap_or_else(|| panic!("{path} {when}: {json}")).clone()
    };
    assert_eq!(row("CLAUDE.md", "always")["tokens"], 10);
    assert_eq!(row("src/CLAUDE.md", "match")["tokens"], 2);
    assert_eq!(row(".claude/skills/tea/SKILL.md", "always")["listing"], true);
    assert_eq!(row(".claude/skills/tea/SKILL.md", "demand")["counted"], "bytes/4");
    assert!(json.get("budget").is_none());
}

#[test]
fn exact_counts_with_the_vocabulary_of_the_models() {
    let text = "Tokenizers split text into pieces; 日本 🦆.\n";
    let folder = Folder::with(&[("AGENTS.md", text)]);
    let exact = folder.run(&["cost", "--for", "codex", "--exact", "--json"]).json();
    let file = &exact["clients"][0]["files"][0];
    assert_eq!(file["counted"], "o200k");
    let count = tiktoken_rs::o200k_base().unwrap().encode_ordinary(text).len();
    assert_eq!(file["tokens"], count);
    let claude = Folder::with(&[("CLAUDE.md", text)]);
    let none = claude.run(&["cost", "--for", "claude-code", "--exact", "--json"]).json();
    assert_eq!(none["clients"][0]["files"][0]["counted"], "bytes/4");
}

#[test]
fn a_budget_fails_the_call_and_the_check() {
    let folder = Folder::with(FILES);
    assert_eq!(folder.run(&["cost", "--for", "claude-code", "--budget", "15"]).status, 0);
    let over = folder.run(&["cost", "--for", "claude-code", "--budget", "14"]);
    assert_eq!(over.status, 1);
    assert!(over.err.contains("Claude Code always loads 15 tokens; the budget is 14"));

    let set = |most: usize| {
        let settings = format!("clients = [\"claude-code\"]\n\n[budget]\nalways = {most}\n");
        fs_write(&folder, &settings);
    };
    set(15);
    let fine = folder.run(&["check", "."]);
    assert_eq!(fine.status, 0, "{}{}", fine.out, fine.err);
    assert_eq!(folder.run(&["cost", "--json"]).json()["budget"], 15);
    set(14);
    let found = folder.run(&["check", ".", "--format", "json"]);
    assert_eq!(found.status, 1);
    let json = found.json();
    let file = json["files"].as_array().unwrap().iter().find(|file| file["path"] == "agentmd.toml");
    let finding = &file.unwrap()["diagnostics"][0];
    assert_eq!(finding["code"], "settings/over-budget");
    assert_eq!(finding["severity"], "error");
    assert_eq!(finding["range"]["start"]["line"], 4);
    assert_eq!(finding["message"], "over the budget of 14: Claude Code always loads 15 tokens");
    assert_eq!(folder.run(&["cost"]).status, 1);
}

fn fs_write(folder: &Folder, settings: &str) {
    std::fs::write(folder.root().join("agentmd.toml"), settings).unwrap();
}

/// An unreadable folder isn't treated as an empty one by any command that looks for files.
#[cfg(unix)]
#[test]
fn unreadable_folders_are_reported() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    let folder = Folder::with(&[("a.md", "# A\n"), ("c/b.md", "# B\n")]);
    set_permissions(folder.root(), Permissions::from_mode(0o755)).unwrap();
    set_permissions(folder.path("c"), Permissions::from_mode(0o000)).unwrap();
    let is_root = std::fs::metadata(folder.root()).unwrap().uid() == 0;
    let run = |arguments: &[&str]| {
        let mut command = folder.command(arguments);
        if is_root {
            // The superuser can read every folder.
            command.uid(65534).gid(65534);
        }
        let output = command.stdin(std::process::Stdio::null()).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let fault = r#""errors":[{"file":"c","type":"READ_ERROR","message":"cannot read the folder: permission denied"#;
    for (arguments, said) in [
        (&["index", "c"][..], fault),
        (&["index", "."], fault),
        (&["select", "section[0]", "."], fault),
        (
            &["select", "section", "c"],
            "no document could be read: `c`: cannot read the folder: permission denied",
        ),
        (&["check", "."], "c: Permission denied"),
        (&["cost", "."], "c: Permission denied"),
        (&["graph", "."], "c: Permission denied"),
    ] {
        let (status, out, err) = run(arguments);
        assert_eq!(status, Some(1), "{arguments:?}: {out}{err}");
        assert!(format!("{out}{err}").contains(said), "{arguments:?}: {out}{err}");
        if arguments[0] == "index" {
            assert!(out.starts_with("{\"success\":false"), "{out}");
        }
    }
    set_permissions(folder.path("c"), Permissions::from_mode(0o755)).unwrap();
    assert_eq!(run(&["index", "c"]).0, Some(0));
}
