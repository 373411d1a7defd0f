//! `convert`: turns agent files of one client into those of another.

use super::Folder;

const AGENT: &str = "---\nname: reviewer\ndescription: Reviews code\ntools: Read, Bash(git *)\nmodel: sonnet\n---\n\nReview it.\n";

fn convert(folder: &Folder, more: &[&str]) -> super::Answer {
    folder.run(&[&["convert"], more].concat())
}

#[test]
fn an_agent_is_written_to_the_place_of_the_client() {
    let folder = Folder::with(&[(".claude/agents/reviewer.md", AGENT)]);
    let answer = convert(&folder, &[".claude/agents/reviewer.md", "--to", "copilot-agent"]);
    assert_eq!(answer.status, 0, "{answer:#?}");
    assert_eq!(answer.out, ".github/agents/reviewer.agent.md\n");
    assert!(answer.err.contains("dropped `model: sonnet`"), "{}", answer.err);
    assert!(answer.err.contains("dropped `tools: Bash(git *)`"), "{}", answer.err);
    let written = folder.read(".github/agents/reviewer.agent.md");
    assert_eq!(
        written,
        "---\nname: reviewer\ndescription: Reviews code\ntools: [read, execute]\n---\n\nReview it.\n"
    );
    assert_eq!(folder.run(&["check", "--strict", "--for", "copilot", ".github"]).status, 0);
    // A second run changes nothing, and a different file isn't replaced without `--force`.
    let again = convert(&folder, &[".claude/agents/reviewer.md", "--to", "agent@copilot"]);
    assert_eq!((again.status, again.out.as_str()), (0, ""));
    let current = ".claude/agents/reviewer.md: .github/agents/reviewer.agent.md is up to date\n";
    assert!(again.err.contains(current), "{}", again.err);
    assert!(!answer.err.contains("up to date"), "{}", answer.err);
    folder.write(".github/agents/reviewer.agent.md", "mine");
    let answer =
        convert(&folder, &[".claude/agents/reviewer.md", "--to", "agent", "--for", "copilot"]);
    assert_eq!(answer.status, 1);
    assert!(answer.err.contains("`--force` replaces it"), "{}", answer.err);
    assert_eq!(folder.read(".github/agents/reviewer.agent.md"), "mine");
    let answer =
        convert(&folder, &[".claude/agents/reviewer.md", "--to", "copilot-agent", "--force"]);
    assert_eq!((answer.status, folder.read(".github/agents/reviewer.agent.md")), (0, written));
}

#[test]
fn a_dry_run_shows_a_diff_and_a_dash_prints_the_text() {
    let folder = Folder::with(&[(".claude/agents/reviewer.md", AGENT)]);
    let answer =
        convert(&folder, &[".claude/agents/reviewer.md", "--to", "gemini-agent", "--dry-run"]);
    assert!(answer.out.contains("+++ b/.gemini/agents/reviewer.md\n"), "{}", answer.out);
    assert!(!folder.path(".gemini").exists());
    let answer =
        convert(&folder, &[".claude/agents/reviewer.md", "--to", "gemini-agent", "--output", "-"]);
    assert!(answer.out.starts_with("---\nname: reviewer\n"), "{}", answer.out);
    let piped = folder.run_with(
        &["convert", "-", "--from", "claude-agent", "--to", "gemini-agent"],
        AGENT.as_bytes(),
    );
    assert_eq!(piped.out, answer.out);
    let answer = convert(
        &folder,
        &[".claude/agents/reviewer.md", "--to", "codex-agent", "--output", "x.toml"],
    );
    assert_eq!(answer.status, 0, "{}", answer.err);
    assert!(folder.read("x.toml").contains("developer_instructions = '''\nReview it.\n'''"));
}

#[test]
fn a_folder_is_converted_all_or_nothing() {
    let folder = Folder::with(&[
        (".claude/agents/a.md", AGENT),
        (".claude/agents/b.md", "---\nname: b\ndescription: [x\n---\n"),
        (".claude/commands/git/fix.md", "Fix $0 with $ARGUMENTS.\n"),
    ]);
    let answer = convert(&folder, &[".", "--to", "copilot-agent"]);
    assert_eq!(answer.status, 1);
    assert!(answer.err.contains("can't read the front matter: line 3"), "{}", answer.err);
    assert!(answer.err.contains("nothing was written"), "{}", answer.err);
    assert!(!folder.path(".github").exists());
    let answer = convert(&folder, &[".", "--to", "copilot-agent", "--partial"]);
    assert_eq!((answer.status, answer.out.as_str()), (1, ".github/agents/a.agent.md\n"));
    let answer = convert(&folder, &[".", "--to", "gemini-command", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(json["summary"]["converted"], 1, "{json:#}");
    assert_eq!(json["files"][0]["written"], true, "{json:#}");
    assert_eq!(json["files"][0]["dropped"][0]["value"], "$0", "{json:#}");
    assert_eq!(json["files"][0]["dropped"][0]["stays"], true, "{json:#}");
    assert!(folder.read(".gemini/commands/git/fix.toml").contains("{{args}}"));
}

#[test]
fn pages_in_folders_that_only_look_like_a_plugin_are_ignored() {
    let folder = Folder::with(&[("src/agents/notes.md", "x\n")]);
    let answer = convert(&folder, &[".", "--to", "copilot-agent"]);
    assert_eq!((answer.status, answer.out.as_str()), (0, ""), "{answer:#?}");
    assert!(answer.err.contains("nothing here becomes an agent of Copilot"), "{}", answer.err);
    folder.write("src/.claude-plugin/plugin.json", "{}");
    folder.write("src/agents/notes.md", AGENT);
    let answer = convert(&folder, &[".", "--to", "copilot-agent"]);
    assert_eq!(answer.out, "src/.github/agents/notes.agent.md\n", "{answer:#?}");
}

#[test]
fn a_skill_is_converted_with_its_files() {
    let folder = Folder::with(&[
        (
            ".claude/skills/pdf/SKILL.md",
            "---\nname: pdf\ndescription: Reads PDFs\n---\n\nRun scripts/a.py.\n",
        ),
        (".claude/skills/pdf/scripts/a.py", "print(1)\n"),
    ]);
    folder.write(".claude/skills/pdf/assets/x.png", b"\xff\xfe\x00");
    let answer = convert(&folder, &[".claude/skills/pdf/SKILL.md", "--to", "gemini-skill"]);
    assert_eq!(answer.status, 0, "{answer:#?}");
    assert_eq!(folder.read(".gemini/skills/pdf/scripts/a.py"), "print(1)\n");
    assert!(answer.err.contains("assets/x.png was not copied"), "{}", answer.err);
}

#[test]
fn two_files_for_one_target_are_refused() {
    let folder = Folder::with(&[
        (".claude/commands/a/b.md", "x\n"),
        (".claude/commands/a-b.md", "y\n"),
        (".claude/commands/C.md", "z\n"),
        (".claude/commands/c.md", "z\n"),
    ]);
    let answer = convert(&folder, &[".claude", "--to", "codex-prompt"]);
    assert_eq!(answer.status, 1);
    assert!(answer.err.contains("become one file"), "{}", answer.err);
    assert!(answer.err.contains("differ in case only"), "{}", answer.err);
    assert!(!folder.path(".codex").exists());
    let folder = Folder::with(&[(".claude/commands/a.md", "x\n"), (".codex/prompts/A.md", "y\n")]);
    let answer = convert(&folder, &[".claude/commands/a.md", "--to", "codex-prompt"]);
    assert_eq!((answer.status, answer.err.contains("A.md")), (1, true), "{}", answer.err);
}

#[cfg(all(test, unix))]
#[test]
fn links_out_of_the_folder_and_closed_folders_keep_everything_as_it_is() {
    let outside = Folder::empty();
    let folder = Folder::with(&[(".claude/agents/a.md", AGENT)]);
    std::os::unix::fs::symlink(outside.path("."), folder.path(".github")).unwrap();
    let answer = convert(&folder, &[".claude/agents/a.md", "--to", "copilot-agent"]);
    assert_eq!(answer.status, 1, "{answer:#?}");
    assert!(!outside.path("agents").exists());
    assert!(answer.err.contains("leaves the workspace through a link"), "{}", answer.err);
}

#[test]
fn usage_errors_name_the_remedy() {
    let folder = Folder::with(&[(".claude/agents/a.md", AGENT), ("notes.md", "x\n")]);
    folder.write(".claude/agents/latin.md", b"caf\xe9");
    for (arguments, status, message) in [
        (&[".claude/agents/a.md", "--to", "copilot-agnet"][..], 2, "did you mean `copilot-agent`?"),
        (&[".claude/agents/a.md", "--to", "zed-agent"], 2, "Zed has no agent"),
        (&[".claude/agents/a.md", "--to", "claude-agent"], 1, "already is an agent of Claude Code"),
        (&[".claude/agents/a.md", "--to", "cursor-rule"], 1, "can't become a rule of Cursor"),
        (&["notes.md", "--to", "cursor-rule"], 1, "`--from` says what the file is"),
        (&["none.md", "--to", "cursor-rule"], 2, "cannot read none.md"),
        (&[".claude/agents/latin.md", "--to", "cursor-agent"], 1, "isn't UTF-8"),
        (&["-", "--to", "cursor-agent"], 2, "`--from` must say"),
        (&[".claude", "--to", "cursor-agent", "--output", "x.md"], 2, "takes a single file"),
        (&[".claude/agents/a.md", "--to", "markdownlang", "--dry-run"], 2, "only for agent files"),
    ] {
        let answer = convert(&folder, arguments);
        assert_eq!(answer.status, status, "{answer:#?}");
        assert!(answer.err.contains(message), "{answer:#?}");
    }
    assert!(!folder.path(".cursor").exists());
    let answer = convert(&folder, &["notes.md", "--from", "claude-rule", "--to", "cursor-rule"]);
    assert_eq!(
        (answer.status, answer.out.as_str()),
        (0, ".cursor/rules/notes.mdc\n"),
        "{answer:#?}"
    );
}

#[test]
fn globs_match_the_same_files_for_the_other_client() {
    for (from, path, key, glob, file, to) in [
        ("claude", ".claude/rules/x.md", "paths", "*.ts", "src/deep/x.ts", "cursor-rule"),
        ("claude", ".claude/rules/x.md", "paths", "src/", "src/deep/x.ts", "continue-rule"),
        (
            "copilot",
            ".github/instructions/x.instructions.md",
            "applyTo",
            "deep/*.ts",
            "src/deep/x.ts",
            "claude-rule",
        ),
    ] {
        let rule = format!("---\n{key}: \"{glob}\"\n---\n\nTabs.\n");
        let folder = Folder::with(&[(path, &rule)]);
        assert_eq!(convert(&folder, &[path, "--to", to]).status, 0);
        for client in [from, to.split_once('-').unwrap().0] {
            let answer = folder.run(&["loaded", file, "--for", client]);
            assert!(answer.out.contains("  matches "), "{client}, {glob}: {}", answer.out);
        }
    }
}

#[test]
fn links_lead_to_the_same_files_afterwards() {
    let link = "---\napplyTo: \"**/*.ts\"\n---\n\n[a](../../docs/a.md#b), [c](docs/a.md), `../../docs/a.md`\n";
    let agent = "---\nname: sec\ndescription: d\n---\n\n[a](../../../docs/a.md)\n";
    let skill = "---\nname: tea\ndescription: d\n---\n\n[a](../../../docs/a.md), [b](b.md)\n";
    let cursor = "---\nalwaysApply: true\n---\n\n[a](mdc:docs/a.md)\n";
    let folder = Folder::with(&[
        ("docs/a.md", "# A\n"),
        (".github/instructions/x.instructions.md", link),
        (".claude/agents/review/sec.md", agent),
        (".claude/skills/tea/SKILL.md", skill),
        (".claude/skills/tea/b.md", "# B\n"),
        (".cursor/rules/y.mdc", cursor),
        ("CLAUDE.md", "[a](docs/a.md)\n"),
    ]);
    for (path, to, target, expected) in [
        (
            ".github/instructions/x.instructions.md",
            "cline-rule",
            ".clinerules/x.md",
            "[a](../docs/a.md#b), [c](docs/a.md), `../../docs/a.md`",
        ),
        (
            ".claude/agents/review/sec.md",
            "gemini-agent",
            ".gemini/agents/review-sec.md",
            "[a](../../docs/a.md)",
        ),
        (
            ".claude/agents/review/sec.md",
            "opencode-agent",
            ".opencode/agents/review/sec.md",
            "[a](../../../docs/a.md)",
        ),
        (
            ".claude/agents/review/sec.md",
            "codex-agent",
            ".codex/agents/review-sec.toml",
            "[a](../../docs/a.md)",
        ),
        (
            ".claude/skills/tea/SKILL.md",
            "claude-command",
            ".claude/commands/tea.md",
            "[a](../../docs/a.md), [b](../skills/tea/b.md)",
        ),
        (
            ".claude/skills/tea/SKILL.md",
            "codex-skill",
            ".agents/skills/tea/SKILL.md",
            "[a](../../../docs/a.md), [b](b.md)",
        ),
        (".cursor/rules/y.mdc", "claude-rule", ".claude/rules/y.md", "[a](../../docs/a.md)"),
    ] {
        let answer = convert(&folder, &[path, "--to", to]);
        assert_eq!(answer.status, 0, "{answer:#?}");
        assert_eq!(answer.out.lines().next(), Some(target));
        let text = folder.read(target);
        assert!(text.contains(expected), "{path} to {to}: {text}");
    }
}

#[test]
fn files_that_the_other_client_does_not_insert_are_listed() {
    let folder = Folder::with(&[
        ("docs/s.md", "# S\n"),
        ("CLAUDE.md", "# M\n\n@docs/s.md and @types/node\n"),
        (".kiro/steering/k.md", "Read #[[file:src/a.ts]]\n"),
        (
            ".cursor/rules/c.mdc",
            "---\nalwaysApply: true\n---\n\n@src/a.ts [b](mdc:src/b.ts) @types/node\n",
        ),
    ]);
    for (path, to, lost) in [
        ("CLAUDE.md", "codex-memory", &["@docs/s.md"][..]),
        ("CLAUDE.md", "gemini-memory", &[]),
        (".kiro/steering/k.md", "claude-rule", &["#[[file:src/a.ts]]"]),
        (".kiro/steering/k.md", "copilot-instructions", &["#[[file:src/a.ts]]"]),
        (".kiro/steering/k.md", "cursor-rule", &[]),
        (".cursor/rules/c.mdc", "claude-rule", &["@src/a.ts", "mdc:src/b.ts"]),
    ] {
        let answer = convert(&folder, &[path, "--to", to, "--format", "json", "--dry-run"]);
        let json: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
        let dropped = json["files"][0]["dropped"].as_array().unwrap();
        let values: Vec<&str> = dropped.iter().filter_map(|one| one["value"].as_str()).collect();
        assert_eq!(values, lost, "{path} to {to}: {json:#}");
    }
    // What stays in the text isn't dropped.
    folder.write(".github/prompts/p.prompt.md", "---\nagent: ask\n---\n\n日本 ${file} $HOME\n");
    let answer = convert(
        &folder,
        &[".github/prompts/p.prompt.md", "--to", "claude-command", "--output", "-"],
    );
    assert!(answer.out.contains("日本 ${file} $HOME"), "{answer:#?}");
    assert!(answer.err.contains("kept `${file}`: "), "{answer:#?}");
    assert!(!answer.err.contains("dropped `$"), "{answer:#?}");
    let answer = convert(&folder, &[".kiro/steering/k.md", "--to", "cursor-rule", "--output", "-"]);
    assert!(answer.out.contains("Read @src/a.ts"), "{answer:#?}");
}

#[test]
fn a_broken_toml_file_is_named_as_such() {
    let folder = Folder::with(&[(".codex/agents/a.toml", "name = \"a\"\ndescription = \n")]);
    let answer = convert(&folder, &[".codex/agents/a.toml", "--to", "claude-agent"]);
    assert_eq!(answer.status, 1);
    assert!(answer.err.contains("Codex can't read the TOML: line 2: "), "{}", answer.err);
}
