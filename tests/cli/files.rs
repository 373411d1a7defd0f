//! Which files `check` finds.

use super::{BROKEN, Folder, GOOD};

#[test]
fn agent_files_are_found_by_extension_in_hidden_folders_too() {
    let names = [
        ".claude/a.md",
        ".github/b.markdown",
        "c.mdc",
        "d.llmd",
        "e.ll.md",
        "f.MD",
        ".cursor/rules/g.md",
    ];
    let folder = Folder::empty();
    for name in names.iter().chain(&["h.txt", "i.mdx", "noextension", ".git/j.md", "sub/.git/k.md"])
    {
        folder.write(name, BROKEN);
    }
    let mut expected: Vec<_> = names.to_vec();
    expected.sort_unstable();
    assert_eq!(folder.checked(&[]), expected);
}

#[test]
fn a_file_that_is_named_is_checked_whatever_it_is_called() {
    let folder = Folder::with(&[
        ("a.txt", BROKEN),
        (".gitignore", "*.txt\n"),
        ("agentmd.toml", "exclude = [\"a.txt\"]\n"),
    ]);
    assert_eq!(folder.checked(&["a.txt"]), ["a.txt"]);
    assert_eq!(folder.checked(&["."]), [""; 0]);
}

#[test]
fn gitignore_and_exclude_are_honoured() {
    let folder = Folder::with(&[
        (".gitignore", "ignored.md\nbuild/\n"),
        ("agentmd.toml", "exclude = [\"vendor\", \"**/skip-*.md\"]\n"),
        ("a.md", BROKEN),
        ("ignored.md", BROKEN),
        ("build/b.md", BROKEN),
        ("vendor/c.md", BROKEN),
        ("sub/skip-d.md", BROKEN),
        ("sub/e.md", BROKEN),
        ("sub/.gitignore", "!ignored.md\n"),
        ("sub/ignored.md", BROKEN),
    ]);
    assert_eq!(folder.checked(&[]), ["a.md", "sub/e.md", "sub/ignored.md"]);
    assert_eq!(folder.checked(&["sub"]), ["sub/e.md", "sub/ignored.md"]);
}

#[test]
fn settings_that_name_a_format_bring_the_file_in() {
    let folder = Folder::with(&[
        ("a.prompt", BROKEN),
        ("b.prompts", BROKEN),
        ("agentmd.toml", "[formats]\n\"*.prompt\" = \"markdownlang\"\n"),
    ]);
    assert_eq!(folder.checked(&[]), ["a.prompt"]);
}

#[test]
fn paths_are_shown_as_they_were_given_and_once() {
    let folder = Folder::with(&[("sub/a.md", BROKEN)]);
    assert_eq!(folder.checked(&["./sub"]), ["sub/a.md"]);
    assert_eq!(folder.checked(&["sub", "sub/a.md", "."]), ["sub/a.md"]);
    let absolute = agentmd::world::slashed(&folder.path("sub/a.md"));
    assert_eq!(folder.checked(&[&absolute]), [absolute]);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_but_where_they_are_named() {
    use std::os::unix::fs::symlink;
    let outside = Folder::with(&[("out.md", BROKEN)]);
    let folder = Folder::with(&[("a.md", BROKEN), ("sub/b.md", GOOD)]);
    symlink("..", folder.path("sub/loop")).unwrap();
    symlink(outside.root(), folder.path("sub/out")).unwrap();
    symlink("a.md", folder.path("link.md")).unwrap();
    symlink("nowhere", folder.path("dangling.md")).unwrap();
    assert_eq!(folder.checked(&[]), ["a.md"]);
    assert_eq!(folder.checked(&["link.md"]), ["link.md"]);
    assert_eq!(folder.checked(&["sub/out"]), ["sub/out/out.md"]);
    assert_eq!(folder.run(&["check", "dangling.md"]).status, 2);
}

/// The folders of clients often have only links to what they share.
#[cfg(unix)]
#[test]
fn links_of_a_named_folder_are_followed_inside_the_workspace() {
    use std::os::unix::fs::symlink;
    let outside = Folder::with(&[("out.md", BROKEN)]);
    let folder = Folder::with(&[
        ("a.md", BROKEN),
        ("shared/skills/日本/SKILL.md", BROKEN),
        ("shared/one.md", BROKEN),
        ("node_modules/p/SKILL.md", BROKEN),
        ("old/b.md", BROKEN),
        (".gitignore", "node_modules/\n"),
        ("agentmd.toml", "exclude = [\"old\"]\n"),
        (".claude/settings.json", "{}\n"),
    ]);
    symlink("../shared/skills", folder.path(".claude/skills")).unwrap();
    symlink("../../shared/one.md", folder.path("shared/skills/one.md")).unwrap();
    symlink("../shared/skills/日本", folder.path(".claude/again")).unwrap();
    symlink("..", folder.path(".claude/loop")).unwrap();
    symlink("../node_modules/p", folder.path(".claude/p")).unwrap();
    symlink("../old", folder.path(".claude/old")).unwrap();
    symlink(outside.root(), folder.path(".claude/out")).unwrap();
    let linked = ["shared/one.md", "shared/skills/日本/SKILL.md"];
    assert_eq!(folder.checked(&[".claude"]), linked);
    assert_eq!(folder.checked(&[".claude", "shared"]), linked);
    assert_eq!(folder.checked(&[]), ["a.md", linked[0], linked[1]]);
}

#[test]
fn a_file_that_is_not_utf8_is_a_finding() {
    let folder = Folder::empty();
    folder.write("latin.md", b"caf\xe9\n");
    folder.write("sub/good.md", GOOD);
    let answer = folder.run(&["check", "--format", "json"]);
    assert_eq!(answer.status, 1);
    let answer = answer.json();
    assert_eq!(answer["summary"]["files"], 2);
    let found = &answer["files"][0]["diagnostics"][0];
    assert_eq!(found["code"], "markdown/unreadable");
    assert_eq!(
        found["message"],
        "the file is not UTF-8: invalid byte at offset 3, so it was not checked"
    );
    assert_eq!(found["range"]["start"], serde_json::json!({"line": 1, "column": 1, "offset": 0}));
    assert_eq!(folder.run(&["check", "--ignore", "markdown/unreadable"]).status, 0);
    let human = folder.run(&["check"]);
    assert!(human.out.contains("--> latin.md:1:1"), "{}", human.out);
}

#[test]
fn one_file_sees_another() {
    let program = GOOD.replace("---\nname: greet", "---\nname: outer\nimports: [./inner.md]");
    let folder = Folder::with(&[("outer.md", &program), ("inner.md", GOOD)]);
    assert_eq!(folder.checked(&[]), [""; 0]);
    std::fs::remove_file(folder.path("inner.md")).unwrap();
    assert_eq!(folder.checked(&[]), ["outer.md"]);
}

#[test]
fn a_list_names_the_files_by_line_or_by_nul() {
    let folder = Folder::with(&[("a.md", BROKEN), ("b c.md", BROKEN), ("d.md", BROKEN)]);
    let checked = |list: &[u8], arguments: &[&str]| {
        let arguments = [&["check", "--format", "jsonl", "--files-from", "-"], arguments].concat();
        let answer = folder.run_with(&arguments, list);
        let paths = answer.out.lines().filter_map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            line["path"].as_str().map(str::to_owned)
        });
        (answer.status, paths.collect::<Vec<_>>())
    };
    assert_eq!(checked(b"d.md\r\nb c.md\n\n", &[]), (1, vec!["b c.md".into(), "d.md".into()]));
    assert_eq!(checked(b"a.md\0b c.md\0", &[]), (1, vec!["a.md".into(), "b c.md".into()]));
    assert_eq!(checked(b"a.md", &["d.md"]), (1, vec!["a.md".into(), "d.md".into()]));
    // An empty list is no reason to check everything.
    assert_eq!(checked(b"", &[]), (0, Vec::new()));
    assert_eq!(checked(b"nowhere.md\na.md", &[]), (2, vec!["a.md".to_owned()]));
    let unreadable = folder.run(&["check", "--files-from", "nowhere.txt"]);
    assert!(unreadable.status == 2 && unreadable.err.contains("nowhere.txt"), "{unreadable:?}");
    assert_eq!(folder.run(&["check", "-", "--files-from", "-"]).status, 2);
}

#[test]
fn a_file_elsewhere_belongs_to_its_own_project() {
    let (here, there) = (Folder::empty(), Folder::empty());
    there.write("project/.git/HEAD", "");
    there.write("project/CLAUDE.md", "See @docs/a.md and @docs/missing.md.\n");
    there.write("project/docs/a.md", "See @../nowhere.md.\n");
    let project = there.path("project");
    let inside = there.run(&["check", "--format", "json", "project"]).json();
    let outside = here.run(&["check", "--format", "json", project.to_str().unwrap()]).json();
    assert_eq!(inside["summary"], outside["summary"]);
    assert!(inside["summary"]["warnings"].as_u64() > Some(0), "{inside}");
}
