//! Mentions of what doesn't exist, and need not.

use super::*;

#[test]
fn what_a_text_speaks_against_need_not_exist() {
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
fn names_of_packages_are_no_imports() {
    let text = "日本: @solana/web3.js, @docs/rules.md, @lib/tea.js\n";
    assert_eq!(
        loud("CLAUDE.md", text, "claude-code", &["lib/milk.js"]),
        ["agent/missing-import @docs/rules.md", "agent/missing-import @lib/tea.js"]
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
fn decorators_are_no_imports() {
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
