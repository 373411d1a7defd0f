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
fn a_named_file_is_always_checked() {
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
fn files_with_a_format_in_the_settings_are_checked() {
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
fn links_are_followed_only_when_named() {
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

/// Clients' folders often contain only symlinks to shared files.
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
    // With an absolute argument, all paths in the answer are absolute.
    let root = folder.root().join(".claude");
    let absolute = folder.checked(&[root.to_str().unwrap()]);
    assert_eq!(absolute.len(), 2);
    assert!(absolute.iter().all(|path| std::path::Path::new(path).is_absolute()), "{absolute:?}");
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
fn utf16_is_an_error_in_agent_files() {
    let folder = Folder::empty();
    folder.write("AGENTS.md", b"\xff\xfea\0");
    folder.write("notes.md", b"\xfe\xff\0a");
    let answer = folder.run(&["check", "--format", "json"]).json();
    for (file, severity) in [(0, "error"), (1, "hint")] {
        let found = &answer["files"][file]["diagnostics"][0];
        assert_eq!(found["severity"], severity, "{answer}");
        assert_eq!(found["message"], "the file is UTF-16, not UTF-8, so it was not checked");
    }
    // The last one is what the rule has anyway.
    for severity in ["warning", "error"] {
        let settings = format!("[rules]\n\"markdown/unreadable\" = \"{severity}\"\n");
        folder.write("agentmd.toml", settings);
        let answer = folder.run(&["check", "--format", "json"]).json();
        for file in [0, 1] {
            assert_eq!(answer["files"][file]["diagnostics"][0]["severity"], severity, "{answer}");
        }
    }
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
    // An empty list doesn't mean the whole folder.
    assert_eq!(checked(b"", &[]), (0, Vec::new()));
    assert_eq!(checked(b"nowhere.md\na.md", &[]), (2, vec!["a.md".to_owned()]));
    let unreadable = folder.run(&["check", "--files-from", "nowhere.txt"]);
    assert!(unreadable.status == 2 && unreadable.err.contains("nowhere.txt"), "{unreadable:?}");
    assert_eq!(folder.run(&["check", "-", "--files-from", "-"]).status, 2);
}

#[cfg(unix)]
#[test]
fn a_list_may_begin_with_a_byte_order_mark_and_contain_any_bytes() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::with(&[("a.md", BROKEN), ("日本🦆.md", BROKEN)]);
    let latin = std::ffi::OsStr::from_bytes(b"caf\xe9.md");
    std::fs::write(folder.root().join(latin), BROKEN).unwrap();
    for list in [
        &b"\xef\xbb\xbfa.md\r\ncaf\xe9.md\n\xe6\x97\xa5\xe6\x9c\xac\xf0\x9f\xa6\x86.md"[..],
        b"\xef\xbb\xbfa.md\0caf\xe9.md\0\xe6\x97\xa5\xe6\x9c\xac\xf0\x9f\xa6\x86.md\0",
    ] {
        let answer = folder.run_with(&["check", "--format", "json", "--files-from", "-"], list);
        let paths: Vec<_> = answer.json()["files"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| file["path"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(paths, ["a.md", "caf\u{fffd}.md", "日本🦆.md"], "{}", answer.err);
    }
}

#[test]
fn excluded_files_of_a_list_are_skipped_and_others_on_request() {
    let folder = Folder::with(&[
        ("agentmd.toml", "exclude = [\"gen\", \"**/skip-*.md\"]\n"),
        ("a.md", BROKEN),
        ("gen/b.md", BROKEN),
        ("gen/deep/c.md", BROKEN),
        ("gen/deep/agentmd.toml", ""),
        ("sub/skip-d.md", BROKEN),
        ("sub/e.md", BROKEN),
    ]);
    let all = ["a.md", "gen/b.md", "gen/deep/c.md", "sub/e.md", "sub/skip-d.md"];
    folder.write("list", all.join("\n"));
    let kept = ["a.md", "sub/e.md"];
    assert_eq!(folder.checked(&["--files-from", "list"]), kept);
    assert_eq!(folder.checked(&["--no-config", "--files-from", "list"]), all);
    // A named file is checked even if it's excluded, unless `--force-exclude` is given.
    assert_eq!(folder.checked(&all), all);
    assert_eq!(folder.checked(&[&["--force-exclude"], &all[..]].concat()), kept);
    assert_eq!(folder.checked(&["--force-exclude", "gen", "sub"]), ["sub/e.md"]);
    let absolute = folder.path("gen/b.md").display().to_string();
    assert_eq!(folder.checked(&["--force-exclude", &absolute]), [""; 0]);
    // The current folder has its own settings, so those above it aren't read.
    folder.write("gen/agentmd.toml", "x = 1\n");
    let mut here = folder.command(&["check", "--force-exclude", "."]);
    let here = here.current_dir(folder.path("gen/deep")).output().unwrap();
    assert_eq!(here.status.code(), Some(1), "{here:?}");
    std::fs::remove_file(folder.path("gen/agentmd.toml")).unwrap();
    let mut inside = folder.command(&["check", "--files-from", "../list"]);
    folder.write("list", "b.md\n");
    assert!(inside.current_dir(folder.path("gen")).output().unwrap().status.success());
}

#[test]
fn globs_of_settings_begin_in_the_folder_of_the_settings() {
    let folder = Folder::with(&[("a.md", BROKEN), ("gen/b.md", BROKEN), ("sub/gen/c.md", BROKEN)]);
    for glob in ["./gen", "/gen", "gen/", "./gen/**", "/./gen/*", "gen"] {
        folder.write("agentmd.toml", format!("exclude = [\"{glob}\"]\n"));
        assert_eq!(folder.checked(&[]), ["a.md", "sub/gen/c.md"], "{glob}");
        folder.write("agentmd.toml", format!("[formats]\n\"{glob}\" = \"plain\"\n"));
        assert_eq!(folder.checked(&[]), ["a.md", "sub/gen/c.md"], "{glob}");
    }
    for (glob, why) in [
        ("!gen/keep.md", "a glob can't be an exception"),
        ("../gen", "leads out of the folder of the settings"),
        ("gen/../../x", "leads out of the folder of the settings"),
        ("", "it names no files"),
        ("./", "it names no files"),
        ("/", "it names no files"),
        ("[", "unclosed character class"),
    ] {
        folder.write("agentmd.toml", format!("exclude = [\"{glob}\"]\n"));
        let answer = folder.run(&["check"]);
        assert_eq!(answer.status, 2, "{glob}");
        assert!(answer.err.contains(&format!("`{glob}` is not a glob: {why}")), "{}", answer.err);
        let kind = "name = \"n\"\nschema = { type = \"object\" }\n";
        folder.write("agentmd.toml", format!("[[kinds]]\nfiles = [\"{glob}\"]\n{kind}"));
        let answer = folder.run(&["check"]);
        assert!(answer.out.contains("error[settings/unusable-kind]"), "{answer:?}");
        assert!(answer.out.contains(why), "{answer:?}");
    }
    for glob in ["./notes/*.md", "/notes/*.md", "notes/*.md"] {
        let kind = "name = \"n\"\nschema = { required = [\"owner\"] }\n";
        folder.write("agentmd.toml", format!("[[kinds]]\nfiles = [\"{glob}\"]\n{kind}"));
        folder.write("notes/日本.md", "---\nx: 1\n---\n");
        assert_eq!(folder.checked(&["notes"]), ["notes/日本.md"], "{glob}");
    }
}

#[test]
fn one_answer_spells_paths_in_one_way() {
    let folder = Folder::with(&[
        (
            "p/.claude/skills/a/SKILL.md",
            "---\nname: twin\ndescription: Does a thing\n---\n\nDo it.\n",
        ),
        (
            "p/.claude/skills/b/SKILL.md",
            "---\nname: twin\ndescription: Does a thing\n---\n\nDo it.\n",
        ),
        ("p/agentmd.toml", "[[kinds]]\nname = \"x\"\nfiles = [\"x/*.md\"]\nschema = 7\n"),
        ("here/a.md", GOOD),
    ]);
    let absolute = agentmd::world::slashed(&folder.path("p"));
    let inside = format!("{absolute}/.claude/skills/a/SKILL.md");
    for (start, arguments, prefix) in [
        (".", vec!["p"], "p/".to_owned()),
        ("p", vec!["."], String::new()),
        ("p", vec![absolute.as_str()], format!("{absolute}/")),
        ("p", vec![inside.as_str()], format!("{absolute}/")),
        ("here", vec!["../p"], "../p/".to_owned()),
        ("here", vec![absolute.as_str()], format!("{absolute}/")),
    ] {
        let arguments =
            [&["check", "--format", "json", "--for", "claude-code"], &arguments[..]].concat();
        let output = folder.command(&arguments).current_dir(folder.path(start)).output().unwrap();
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut paths = Vec::new();
        for file in answer["files"].as_array().unwrap() {
            paths.push(file["path"].as_str().unwrap().to_owned());
            for found in file["diagnostics"].as_array().unwrap() {
                let related = found["related"].as_array().unwrap();
                paths.extend(
                    related.iter().filter_map(|other| Some(other["path"].as_str()?.to_owned())),
                );
            }
        }
        assert!(paths.iter().any(|path| path.ends_with("agentmd.toml")), "{answer:#}");
        assert!(paths.iter().all(|path| path.starts_with(&prefix)), "{prefix}: {paths:?}");
        if start != "here" || prefix != "../p/" {
            assert!(paths.iter().all(|path| !path.contains("..")), "{paths:?}");
        }
    }
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
