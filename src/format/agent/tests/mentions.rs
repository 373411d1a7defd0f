//! Mentions of items that don't exist and need not exist.

use super::elsewhere::among;
use super::*;

#[test]
fn forbidden_names_need_not_exist() {
    let memory = |text: &str| {
        let mut workspace =
            Workspace::new("AGENTS.md", &format!("{text}\n\nRun `npm run test`.\n"));
        let scripts = "{\"scripts\": {\"test\": \"x\"}}";
        workspace.world = workspace.world.with("/w/package.json", scripts);
        workspace.clients(&["codex"]).shown()
    };
    assert_eq!(memory("- **严禁运行命令。** 包括 `npm run lint`"), [""; 0]);
    assert_eq!(memory("Never run `npm run lint`."), [""; 0]);
    assert_eq!(memory("不要猜测。运行 `npm run lint`"), ["agent/missing-script lint"]);
    let skill = |body: &str| {
        let text = format!(
            "---\nname: brew-tea\ndescription: Brews tea\n---\n\n{body}\n\n`scripts/a.sh`\n"
        );
        loud(
            ".claude/skills/brew-tea/SKILL.md",
            &text,
            "claude-code",
            &[".claude/skills/brew-tea/scripts/a.sh"],
        )
    };
    assert_eq!(skill("Don't run `bash scripts/pour.sh`."), [""; 0]);
    // Any script.
    assert_eq!(skill("`python scripts/x.py` runs it."), [""; 0]);
    assert_eq!(skill("Run `bash scripts/pour.sh`."), ["agent/missing-file scripts/pour.sh"]);
}

#[test]
fn names_of_packages_are_not_imports() {
    let text = "日本: @solana/web3.js, @docs/rules.md, @lib/tea.js\n";
    assert_eq!(
        loud("CLAUDE.md", text, "claude-code", &["lib/milk.js"]),
        ["agent/missing-import @docs/rules.md", "agent/missing-import @lib/tea.js"]
    );
}

#[test]
fn imports_of_imported_files_are_checked() {
    let found = |changed: &str, text: &str| {
        let memory = "@docs/日本.md @AGENTS.md\n<!-- @docs/c.md -->\n";
        let mut workspace = Workspace::new("CLAUDE.md", memory).clients(&["claude-code"]);
        for (path, own) in [
            ("AGENTS.md", "x\n"),
            ("docs/日本.md", "@next.md\n"),
            ("docs/next.md", "x\n"),
            ("docs/c.md", "@gone.md\n"),
            ("a/b.md", "x\n"),
        ] {
            let text = if path == changed { text } else { own };
            workspace.world = workspace.world.with(Path::new("/w").join(path), text);
        }
        let found = workspace.found().into_iter().filter(|found| found.severity > Severity::Hint);
        found
            .map(|found| format!("{} {}", &memory[found.span], found.message))
            .collect::<Vec<String>>()
    };
    assert_eq!(
        found("docs/next.md", "See @none/gone.md, @../a/b.md, `@no.md`.\n<!-- @no.md -->\n"),
        ["@docs/日本.md `docs/next.md` imports `none/gone.md`, which does not exist"]
    );
    assert_eq!(
        found("docs/next.md", "@a/b.md\n"),
        [
            "@docs/日本.md `docs/next.md` imports `a/b.md`, which exists at the root, but not next to the file that imports it"
        ]
    );
    assert_eq!(found("docs/next.md", "@solana/web3.js @../AGENTS.md\n"), [""; 0]);
    assert_eq!(
        found("AGENTS.md", "@none/gone.md\n"),
        ["@AGENTS.md `AGENTS.md` imports `none/gone.md`, which does not exist"]
    );
}

#[test]
fn files_that_a_skill_tells_the_model_to_write() {
    let path = ".claude/skills/brew-tea/SKILL.md";
    let known: &[&str] = &[".claude/skills/brew-tea/references/tea.md"];
    for (body, count) in [
        ("Read `references/日本.md`.", 1),
        ("Output file: **`references/日本.md`**", 0),
        ("출력 파일: **`references/context.md`** (프로젝트 루트 기준)", 0),
        ("Throughput: `references/kettle.md`", 1),
        ("Save to [x](references/kettle.md).", 0),
    ] {
        let text = format!(
            "---\nname: brew-tea\ndescription: Brews tea\n---\n\nRead `references/tea.md`.\n\n{body}\n"
        );
        let found = loud(path, &text, "claude-code", known);
        assert_eq!(found.len(), count, "{body} {found:?}");
    }
}

#[test]
fn decorators_are_not_imports() {
    for (text, count) in [
        ("Gaps: @workflow.defn/@activity.defn 日本\n", 0),
        ("Read @workflow.defn/activity.defn\n", 1),
        ("Read @node_modules/@tea/kettle/README.md\n", 1),
    ] {
        assert_eq!(loud("CLAUDE.md", text, "claude-code", &[]).len(), count, "{text}");
    }
}

#[test]
fn names_and_links_that_show_what_one_looks_like() {
    let path = ".claude/skills/brew-tea/SKILL.md";
    let others: &[&str] = &[".claude/skills/brew-tea/references/tea.md", ".cursor/rules/a.mdc"];
    for (body, count) in [
        ("| Kind | Example |\n|---|---|\n| 日本 \\| a | [x](references/milk.md) |", 0),
        ("| Kind | Examples |\r\n|---|---|\r\n| a | see [x](references/milk.md) |", 0),
        ("| Example | File |\n|---|---|\n| a | [x](references/milk.md) |", 1),
        ("| File |\n|---|\n| [x](references/milk.md) |", 1),
        ("[x](references/ADR-NNN-title.md), [x](references/YYYY-MM-DD.md)", 0),
        ("[x](references/nnnn-title.md)", 0),
        ("[x](../../../.cursor/rules/)", 0),
        ("[x](../../../.cursor/rule/)", 1),
        ("[x](./日本/)", 1),
        ("[x](guide/intro/)", 0),
    ] {
        let text = format!("---\nname: brew-tea\ndescription: Brews tea\n---\n\n{body}\n");
        let found = loud(path, &text, "claude-code", others);
        assert_eq!(found.len(), count, "{body} {found:?}");
    }
}

#[test]
fn commands_in_a_folder_that_git_ignores_may_exist() {
    let memory = "日本: run `/speckit-plan`.\n";
    let command = (".opencode/command/speckit.plan.md", "Plan.\n");
    for (path, text, ignored, count) in [
        ("AGENTS.md", memory, ".claude/", 0),
        ("AGENTS.md", memory, "/.claude/skills\n", 0),
        ("AGENTS.md", memory, ".claude/settings.local.json\n", 1),
        ("AGENTS.md", memory, ".vscode/\n", 1),
        ("AGENTS.md", memory, ".opencode/\n", 0),
    ] {
        let others = [(".gitignore", ignored), command];
        assert_eq!(among(path, text, &["opencode"], &others), (count, 1), "{ignored}");
    }
    let agent = "---\nname: cook\ndescription: Cooks\nskills: [brew-tee, boil]\n---\n\nCook.\n";
    for (ignored, count) in [(".agents/", 1), ("skills/", 1), (".claude/skills/", 1), ("x", 1)] {
        let others = [
            (".gitignore", ignored),
            (".claude/skills/boil/SKILL.md", "Boil.\n"),
            (".claude/skills/brew-tea/SKILL.md", "Brew.\n"),
        ];
        let found = among(".claude/agents/cook.md", agent, &["claude-code"], &others);
        assert_eq!(found, (count, 1), "{ignored}");
    }
}

#[test]
fn struck_out_names_need_not_exist() {
    let others = [
        (".claude/skills/tea/references/tea.md", "x"),
        (".claude/commands/review-recipe.md", "x"),
        ("package.json", r#"{"scripts": {"test": "x"}}"#),
    ];
    for body in [
        "[a](references/gone.md)",
        "`references/gone.md`",
        "[`日本`](../../../src/gone.rs)",
        "`/review-recipes`",
        "`${CLAUDE_SKILL_DIR}/references/gone.md`",
    ] {
        let found = |body: &str| {
            let text = format!(
                "---\nname: tea\ndescription: Brews tea\n---\n\n`references/tea.md`, {body}: not done.\n"
            );
            among(".claude/skills/tea/SKILL.md", &text, &["claude-code"], &others)
        };
        assert_eq!(found(body), (1, 1), "{body}");
        assert_eq!(found(&format!("~~{body}~~")), (0, 0), "{body}");
        assert_eq!(found(&format!("~~x~~ {body}")), (1, 1), "{body}");
    }
    for (text, count) in [("Run `npm run lint`.", 1), ("~~Run `npm run lint`.~~", 0)] {
        let text = format!("Run `npm run test`.\n\n- {text}\n");
        assert_eq!(among("CLAUDE.md", &text, &["claude-code"], &others).1, count, "{text}");
    }
}

#[test]
fn antigravity_takes_the_name_of_the_folder() {
    for (path, keys, found) in [
        (".agent/skills/tea/SKILL.md", "description: 日本", (0, 1)),
        (".agent/skills/tea/SKILL.md", "license: MIT", (1, 1)),
        (".agent/skills/tea/SKILL.md", "name: tea", (1, 1)),
        (".agent/skills/a/tea/SKILL.md", "description: 日本", (1, 1)),
        ("skills/tea/SKILL.md", "description: 日本", (1, 1)),
    ] {
        let text = format!("---\n{keys}\n---\n\nBrew.\n");
        assert_eq!(among(path, &text, &["spec"], &[]), found, "{path} {keys}");
    }
}

#[test]
fn imports_start_at_the_folder_of_the_file() {
    let others = [("docs/a.md", "x"), ("src/b.md", "x")];
    for (path, text, found) in [
        ("CLAUDE.md", "@docs/a.md", (0, 0)),
        ("src/CLAUDE.md", "日本 @docs/a.md", (1, 1)),
        ("src/CLAUDE.md", "@../docs/a.md and @b.md", (0, 0)),
        (".claude/CLAUDE.md", "@./docs/a.md", (1, 1)),
        ("src/AGENTS.md", "@docs/a.md", (0, 0)),
    ] {
        assert_eq!(among(path, text, &["claude-code"], &others), found, "{path} {text}");
    }
    let world = Workspace::new("src/CLAUDE.md", "日本 @docs/a.md\n").clients(&["claude-code"]);
    let found = world.with("docs/a.md").found();
    assert_eq!(found[0].fixes[0].edits[0].text, "@../docs/a.md");
}

#[test]
fn imports_of_an_imported_memory_file_are_checked() {
    for (path, other, client, count) in [
        ("AGENTS.md", ("CLAUDE.md", "@AGENTS.md\n"), "claude-code", 1),
        ("AGENTS.md", ("GEMINI.md", "Read @./AGENTS.md\n"), "gemini", 1),
        ("src/AGENTS.md", ("CLAUDE.md", "@src/AGENTS.md\n"), "claude-code", 1),
        ("AGENTS.md", ("CLAUDE.md", "`@AGENTS.md`\n"), "claude-code", 0),
        ("AGENTS.md", ("CLAUDE.md", "<!-- @AGENTS.md -->\n"), "claude-code", 0),
        ("AGENTS.md", ("CLAUDE.md", "Read @AGENTS.md.\n"), "claude-code", 0),
        ("AGENTS.md", ("CLAUDE.md", "@AGENTS.md\n"), "codex", 0),
        ("AGENTS.md", ("CLAUDE.md", "@src/AGENTS.md\n"), "claude-code", 0),
    ] {
        let text = "日本: @docs/gone.md and @docs/a.md\n";
        let others = [other, ("docs/a.md", "x"), ("src/docs/a.md", "x")];
        assert_eq!(among(path, text, &[client], &others).1, count, "{path} {other:?} {client}");
    }
}

#[test]
fn a_name_in_another_case_is_suggested() {
    let prompt = |agent: &str| format!("---\nagent: {agent}\ndescription: x\n---\n\nDo it.\n");
    let agent = "---\nname: Reviewer\ndescription: 日本\n---\n\nReview.\n";
    let mut workspace = Workspace::new(".github/prompts/p.prompt.md", &prompt("reviewer"));
    workspace.world = workspace.world.with("/w/.github/agents/a.agent.md", agent);
    let found = workspace.clients(&["copilot"]).found();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].message.ends_with("did you mean `Reviewer`?"), "{}", found[0].message);
}

#[test]
fn punctuation_after_an_import_is_part_of_its_path() {
    for (text, count) in [
        ("Read @docs/a.md.", 1),
        ("Read @docs/a.md, then 日本 @docs/b.md: all.", 2),
        ("Read (see @docs/a.md)", 1),
        ("Read @docs/a.md and **@docs/b.md**", 0),
        ("@docs/a.md#one", 0),
        // It's imported elsewhere.
        ("@docs/a.md 日本\n\nFollow @docs/a.md.", 0),
        ("<!-- @docs/a.md. -->", 0),
        // Not a file.
        ("Ask @someone.", 0),
    ] {
        let workspace = Workspace::new("CLAUDE.md", &format!("{text}\r\n"));
        let workspace = workspace.with("docs/a.md").with("docs/b.md").clients(&["claude-code"]);
        let found = workspace.shown();
        assert_eq!(found.len(), count, "{text} {found:?}");
        let Some(found) = workspace.found().into_iter().next().filter(|_| count > 0) else {
            continue;
        };
        assert!(found.message.contains("so nothing is imported"), "{}", found.message);
        let after = apply(&workspace.text, &found.fixes[0].edits).unwrap();
        let left = Workspace::new("CLAUDE.md", &after).with("docs/a.md").with("docs/b.md");
        assert_eq!(left.clients(&["claude-code"]).shown().len(), count - 1, "{after}");
    }
}
