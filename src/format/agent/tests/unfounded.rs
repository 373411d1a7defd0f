//! What authors would change nothing for, next to what they would.

use super::*;

#[test]
fn globs_without_quotes_are_right_for_claude_code_and_wrong_for_others() {
    let rule = "---\npaths: **/*.ts\n---\n\nBe strict.\n";
    assert_eq!(loud(".claude/rules/ts.md", rule, "claude-code", &[]), [""; 0]);
    let found = Workspace::new(".claude/rules/ts.md", rule).clients(&["claude-code"]).found();
    assert_eq!(found.iter().map(|found| found.severity).collect::<Vec<_>>(), [Severity::Hint]);
    let agent = "---\nname: cook\ndescription: Cooks\ntools: *\n---\n\nCook.\n";
    assert_eq!(loud(".claude/agents/cook.md", agent, "claude-code", &[]), [""; 0]);
    assert_eq!(loud(".opencode/agents/cook.md", agent, "opencode", &[]).len(), 1);
    let windsurf = "---\ntrigger: glob\nglobs: **/*.ts\n---\n\nBe strict.\n";
    assert_eq!(loud(".windsurf/rules/ts.md", windsurf, "windsurf", &[]), [""; 0]);
    // What a client reads all the same is a hint, unless others are meant to read it.
    let colon = "---\nname: cook\ndescription: Cooks: fast\n---\n\nCook.\n";
    assert_eq!(loud(".claude/agents/cook.md", colon, "claude-code", &[]), [""; 0]);
    assert_eq!(loud(".claude/skills/cook/SKILL.md", colon, "claude-code", &[]).len(), 1);
}

#[test]
fn forms_and_examples_among_rules_are_not_misplaced() {
    let path = |folder: &str| format!(".cursor/rules/{folder}list.md");
    for (folder, count) in
        [("", 1), ("web/", 1), ("templates/", 0), ("web/assets/", 0), ("examples/", 0)]
    {
        assert_eq!(loud(&path(folder), "# List\n", "cursor", &[]).len(), count, "{folder}");
    }
}

#[test]
fn pages_next_to_agents_of_a_plugin() {
    let marked: &[&str] = &["p/.claude-plugin/plugin.json"];
    let listed: &[&str] = &[".claude-plugin/marketplace.json"];
    let page = "# Notes\n\nText.\n";
    for (path, others, count) in [
        ("p/agents/notes.md", marked, 1),
        ("p/agents/notes.md", listed, 0),
        ("p/agents/examples/notes.md", marked, 0),
        ("p/agents/docs/notes.md", marked, 0),
    ] {
        assert_eq!(loud(path, page, "claude-code", others).len(), count, "{path} {others:?}");
    }
    let nameless = "---\ndescription: Cooks\n---\n\nCook.\n";
    assert_eq!(loud("p/agents/cook.md", nameless, "claude-code", listed).len(), 1);
}

#[test]
fn links_into_hidden_folders_that_a_skill_makes() {
    let skill = |target: &str| {
        format!("---\nname: brew-tea\ndescription: Brews tea\n---\n\nSee [x]({target}).\n")
    };
    let path = ".claude/skills/brew-tea/SKILL.md";
    for (target, others, count) in [
        (".wiki/日本.md", &[] as &[&str], 0),
        ("./.wiki/a/b.md", &[], 0),
        (".wiki/b.md", &[".wiki/a.md"], 1),
        (".claude/none.md", &[], 1),
        ("../none.md", &[], 1),
        // A word that shows what a path looks like counts only as a whole.
        ("references/dogfood.md", &[], 1),
        ("references/curl.md", &[], 1),
        ("examples/none.md", &[], 1),
        ("references/foo.md", &[], 0),
        ("your-file.md", &[], 0),
    ] {
        assert_eq!(loud(path, &skill(target), "claude-code", others).len(), count, "{target}");
    }
    assert_eq!(loud("CLAUDE.md", "See [x](.wiki/a.md).\n", "claude-code", &[]).len(), 1);
}

#[test]
fn bundled_files_in_configurations_and_examples_are_hints() {
    let text = |body: &str| format!("---\nname: brew-tea\ndescription: Brews tea\n---\n\n{body}\n");
    let path = ".claude/skills/brew-tea/SKILL.md";
    for (body, count) in [
        ("Run `python scripts/none.py`.", 1),
        ("```sh\npython scripts/none.py\n```", 1),
        ("```yaml\ncheck: \"python ./scripts/none.py --file {file}\"\n```", 0),
        ("- `./scripts/none.py` → `.agents/scripts/none.py` ✅", 0),
        ("Run `python ./scripts/tool.py`.", 0),
        ("See `scripts/a.py#L3`.", 0),
    ] {
        let others = [".claude/skills/brew-tea/scripts/a.py"];
        assert_eq!(loud(path, &text(body), "claude-code", &others).len(), count, "{body}");
    }
}

#[test]
fn skills_in_categories_are_next_to_each_other_once_installed() {
    let text = |target: &str| {
        format!("---\nname: brew-tea\ndescription: Brews tea\n---\n\nSee [x]({target}).\n")
    };
    let others = ["skills/meals/cook/SKILL.md", "skills/shared/a.md", "agents/b.md"];
    for (path, target, count) in [
        ("skills/drinks/brew-tea/SKILL.md", "../cook/SKILL.md", 0),
        ("skills/drinks/brew-tea/SKILL.md", "../shared/a.md", 0),
        ("skills/drinks/brew-tea/SKILL.md", "../../agents/b.md", 0),
        ("skills/drinks/brew-tea/SKILL.md", "../bake/SKILL.md", 1),
        ("skills/drinks/brew-tea/SKILL.md", "../../agents/c.md", 1),
        ("skills/drinks/brew-tea/SKILL.md", "cook/SKILL.md", 1),
        ("skills/brew-tea/SKILL.md", "../cook/SKILL.md", 1),
    ] {
        assert_eq!(loud(path, &text(target), "spec", &others).len(), count, "{path} {target}");
    }
}

#[test]
fn a_copied_document_is_one_warning() {
    let links =
        |count: usize| (0..count).map(|number| format!("[x]({number}.md)\r\n")).collect::<String>();
    for (count, shown) in [(1, 1), (10, 10), (11, 1), (40, 1)] {
        let found = loud("CLAUDE.md", &links(count), "claude-code", &[]);
        assert_eq!(found.len(), shown, "{count}");
        assert_eq!(found[0], "agent/dead-link 0.md");
    }
}

#[test]
fn memory_files_of_a_skill_are_not_loaded() {
    let long = "日本🦆 ".repeat(4000);
    for (other, count) in [("a/SKILL.md", 0), ("b/SKILL.md", 1)] {
        assert_eq!(loud("a/AGENTS.md", &long, "codex", &[other]).len(), count, "{other}");
    }
    assert_eq!(loud("skills/a/AGENTS.md", &long, "codex", &[]), [""; 0]);
}

#[test]
fn links_in_a_document_that_is_shown() {
    // The fence that its author meant to close is reported.
    let text = |info: &str| {
        format!(
            "```{info}\n# 日本\n```sh\nls\n```\n\nSee [x](a.md) and [y](b/c.md).\n```\n\nEnd.\n"
        )
    };
    for (info, count) in [("markdown", 1), ("text", 3)] {
        assert_eq!(loud("CLAUDE.md", &text(info), "claude-code", &[]).len(), count, "{info}");
    }
}

#[test]
fn imports_in_comments_are_not_missing() {
    for (text, count) in [
        ("See @docs/a.md.\n", 1),
        ("<!-- 日本\n     See @docs/a.md. -->\n", 0),
        ("<!-- x -->\n\nSee @docs/a.md.\n", 1),
        ("Text <!-- x --> @docs/a.md\n", 1),
    ] {
        assert_eq!(loud("CLAUDE.md", text, "claude-code", &[]).len(), count, "{text}");
    }
}

#[test]
fn forms_in_angle_brackets() {
    let text = |name: &str| {
        format!("---\nname: {name}\ndescription: Cooks\ntools: <TOOLS>\n---\n\nCook.\n")
    };
    let path = ".claude/agents/cook.md";
    for (name, hints) in [("<NAME>", true), ("\"{{NAME}}\"", true), ("<>", false), ("cook", false)]
    {
        assert_eq!(loud(path, &text(name), "claude-code", &[]).is_empty(), hints, "{name}");
    }
}

#[test]
fn pages_among_skills_are_hints() {
    let front = "---\nname: brew\ndescription: Brews\n---\n\nBrew.\n";
    for (path, text, count) in [
        (".claude/skills/brew.md", front, 1),
        (".claude/skills/guide.md", "# Guide\n", 0),
        (".claude/skills/brew/skill.md", "# Brew\n", 1),
    ] {
        assert_eq!(loud(path, text, "claude-code", &[]).len(), count, "{path}");
    }
}

#[test]
fn an_agent_of_another_client_has_no_effect_on_purpose() {
    let text = |agent: &str| format!("---\ndescription: Cooks\nagent: {agent}\n---\n\nCook.\n");
    let path = ".claude/commands/dine.md";
    for (agent, count) in [("waiter", 0), ("Explore", 1)] {
        assert_eq!(loud(path, &text(agent), "claude-code", &[]).len(), count, "{agent}");
    }
    let cook = "---\nname: cook\ndescription: Cooks\n---\n\nCook.\n";
    let mut workspace = Workspace::new(path, &text("cook")).clients(&["claude-code"]);
    workspace.world = workspace.world.with("/w/.claude/agents/cook.md", cook);
    assert_eq!(workspace.shown(), ["agent/no-effect agent"]);
}

#[test]
fn a_command_that_names_its_skill() {
    let skill = "---\nname: brew\ndescription: Brews\n---\n\nBrew.\n";
    for (body, count) in [
        ("Brew tea.", 1),
        ("Made from `skills/brew/SKILL.md`.", 0),
        ("Use the `brew` skill.", 0),
        ("Use the bake skill.", 1),
    ] {
        let text = format!("---\ndescription: Brews\n---\n\n{body}\n");
        let mut workspace =
            Workspace::new(".claude/commands/brew.md", &text).clients(&["claude-code"]);
        workspace.world = workspace.world.with("/w/.claude/skills/brew/SKILL.md", skill);
        assert_eq!(workspace.shown().len(), count, "{body}");
    }
}

#[test]
fn scripts_after_another_folder_was_entered() {
    let text = |code: &str| {
        format!("---\nname: brew-tea\ndescription: Brews tea\n---\n\n```sh\n{code}\n```\n")
    };
    let path = ".claude/skills/brew-tea/SKILL.md";
    for (code, count) in [
        ("python scripts/none.py", 1),
        ("cd backend\n\npython scripts/none.py", 0),
        ("ls && cd backend && python scripts/none.py", 0),
        ("python scripts/none.py\ncd backend", 1),
        ("abcd x\npython scripts/none.py", 1),
    ] {
        let others = [".claude/skills/brew-tea/scripts/a.py"];
        assert_eq!(loud(path, &text(code), "claude-code", &others).len(), count, "{code}");
    }
}

#[test]
fn links_between_tags() {
    for (text, count) in [
        ("<resources>\n**日本:**\n- [x](a/b.md)\n- [y](c.md)\n</resources>\n", 2),
        ("<example>\n- [x](a/b.md)\n</example>\n", 0),
        ("<!-- [x](a/b.md) -->\n", 0),
        ("<resources>\n`[x](a/b.md)` x](y.md) [z](\n</resources>\n", 0),
        ("- [x](a/b.md) (if it exists)\n", 0),
    ] {
        assert_eq!(loud("CLAUDE.md", text, "claude-code", &[]).len(), count, "{text}");
    }
}

#[test]
fn pages_that_are_none_of_the_rules_they_are_next_to() {
    for (front, count) in [
        ("", 1),
        ("---\ndescription: x\n---\n", 1),
        ("---\nauthor: x\n---\n", 0),
        ("---\nauthor: x\nalwaysApply: true\n---\n", 1),
    ] {
        let text = format!("{front}\n# Naming\n");
        let found = loud(".cursor/rules/naming.md", &text, "cursor", &[]);
        assert_eq!(found.len(), count, "{front}");
    }
}

#[test]
fn scripts_of_the_project_around_a_folder() {
    let workspace = |path: &str| {
        let mut workspace = Workspace::new(path, "Run `npm run lint` and `npm run none`.\n");
        for (file, text) in [
            ("/w/package.json", "{\"scripts\": {\"test\": \"x\"}}"),
            ("/w/cli/package.json", "{\"scripts\": {\"lint\": \"x\"}}"),
        ] {
            workspace.world = workspace.world.with(file, text);
        }
        workspace.clients(&["claude-code"]).shown()
    };
    for path in ["CLAUDE.md", "locales/日本/CLAUDE.md"] {
        assert_eq!(workspace(path), ["agent/missing-script none"], "{path}");
    }
}

#[test]
fn several_missing_keys_have_the_worst_effect() {
    let text = "---\nlicense: MIT\n---\n\nBrew.\n";
    let found = Workspace::new(".gemini/skills/brew/SKILL.md", text).clients(&["gemini"]).found();
    assert_eq!(found[0].message, "missing `name`, `description` (Gemini CLI: skill not loaded)");
}

#[test]
fn what_is_above_the_workspace_does_not_matter() {
    let skill = "---\nname: brew\ndescription: Brews\ntools: Read\n---\n\nBrew.\n";
    let agent = "---\nname: cook\ndescription: Cooks\nskills: [brw]\n---\n\nCook.\n";
    for (root, folder, count) in
        [("/docs/w", "", 1), ("/test/fixtures", "", 1), ("/w", "docs/", 0), ("/docs/w", "docs/", 0)]
    {
        let at = |path: &str| Path::new(root).join(folder).join(path);
        let text = |path: &str, text: &str| Workspace {
            path: at(path),
            text: text.to_owned(),
            world: Memory::default()
                .in_folder(root)
                .with(at("skills/brew/SKILL.md"), skill)
                .with(at(".claude-plugin/plugin.json"), "{\"name\": \"p\"}")
                .with(at(path), text),
            config: Config::new(PathBuf::from(root), Options::default()).unwrap(),
        };
        let found = text("skills/brew/SKILL.md", skill).shown();
        assert_eq!(found.len(), count, "{root} {folder} {found:?}");
        // Names lead to files there, too.
        let found = text("agents/cook.md", agent).shown();
        assert_eq!(found.len(), count, "{root} {folder} {found:?}");
    }
}

#[test]
fn files_next_to_the_folder_of_skills() {
    let text = "---\nname: brew-tea\ndescription: Brews tea\n---\n\nSee `references/b.md`.\n";
    let path = "claude/skills/brew-tea/SKILL.md";
    let own = "claude/skills/brew-tea/references/a.md";
    assert_eq!(loud(path, text, "spec", &[own]).len(), 1);
    assert_eq!(loud(path, text, "spec", &[own, "claude/references/b.md"]), [""; 0]);
}
