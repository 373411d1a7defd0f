//! Cases that authors wouldn't change, next to similar ones that they would.

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
    // Broken YAML that a client can read is a hint, unless other clients should read it.
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
        // Words for example paths count only as whole words.
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
    let text = |body: &str| {
        let own = "Use `scripts/a.py`.";
        format!("---\nname: brew-tea\ndescription: Brews tea\n---\n\n{own}\n\n{body}\n")
    };
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
    // Each target is one mistake, no matter how often it's linked.
    let text = "[日本](0.md), [x](0.md)\r\n".repeat(20);
    let workspace = Workspace::new("CLAUDE.md", &text).clients(&["claude-code"]);
    assert_eq!(workspace.found()[0].message, "`0.md` does not exist");
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
    let skill =
        "---\nname: brew\ndescription: Brews\n---\n\nBrew by `steps/brew.md`, `none/brew.md`.\n";
    for (body, count) in [
        ("Brew tea.", 1),
        ("Made from `skills/brew/SKILL.md`.", 0),
        ("Use the `brew` skill.", 0),
        ("Use the bake skill.", 1),
        ("Follow `steps/brew.md`.", 0),
        (&*format!("Follow `steps/brew.md`. {}", "Brew 日本. ".repeat(40)), 1),
        ("Follow `none/brew.md`.", 1),
    ] {
        let text = format!("---\ndescription: Brews tea\n---\n\n{body}\n");
        let mut workspace =
            Workspace::new(".claude/commands/brew.md", &text).clients(&["claude-code"]);
        workspace.world = workspace.world.with("/w/steps/brew.md", "Brew.\n");
        workspace.world = workspace.world.with("/w/.claude/skills/brew/SKILL.md", skill);
        assert_eq!(workspace.shown().len(), count, "{body}");
    }
}

#[test]
fn scripts_after_another_folder_was_entered() {
    let text = |code: &str| {
        let own = "Use `scripts/a.py`.";
        format!("---\nname: brew-tea\ndescription: Brews tea\n---\n\n{own}\n\n```sh\n{code}\n```\n")
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
fn pages_next_to_rules_are_not_rules() {
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
fn folders_above_the_workspace_do_not_matter() {
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

#[test]
fn ignoring_a_value_such_as_none_loses_nothing() {
    let agent = |line: &str| format!("---\nname: cook\ndescription: Cooks\n{line}\n---\n\nCook.\n");
    let claude = ".claude/agents/cook.md";
    for (line, count) in [
        ("isolation: none", 0),
        ("isolation: off", 0),
        ("color: None", 0),
        ("isolation: nonce", 1),
        ("isolation: branch", 1),
        ("color: teal", 1),
    ] {
        assert_eq!(loud(claude, &agent(line), "claude-code", &[]).len(), count, "{line}");
    }
    let copilot = ".github/agents/cook.agent.md";
    for (line, count) in [
        ("tools: [read]\nagents: []", 0),
        ("tools: [read]\nagents: [waiter]", 1),
        ("tools: [agent]\nagents: [waiter]", 0),
    ] {
        let found = loud(copilot, &agent(line), "copilot", &[".github/agents/waiter.agent.md"]);
        assert_eq!(found.len(), count, "{line} {found:?}");
    }
}

#[test]
fn instructions_with_a_description_are_loaded_on_demand() {
    let path = ".github/instructions/tests.instructions.md";
    for (keys, count) in [
        ("description: For tests", 0),
        ("description: \"\"", 1),
        ("name: Tests", 1),
        ("applyTo: \"**/*.rs\"", 0),
    ] {
        let text = format!("---\n{keys}\n---\n\nName the function.\n");
        assert_eq!(loud(path, &text, "copilot", &[]).len(), count, "{keys}");
    }
}

#[test]
fn a_link_to_a_line_leads_to_the_file() {
    let skill = |target: &str| {
        format!("---\nname: brew-tea\ndescription: Brews tea\n---\n\nSee [x]({target}).\n")
    };
    let path = ".claude/skills/brew-tea/SKILL.md";
    let others = ["src/kettle.rs", ".claude/skills/brew-tea/a.md"];
    for (target, count) in [
        ("src/kettle.rs:12", 0),
        ("src/kettle.rs:12:3", 0),
        ("src/kettle.rs:L12-40", 0),
        ("a.md:7", 0),
        ("src/kettle.rs#L12", 0),
        ("src/pot.rs:12", 1),
        ("b.md:7", 1),
    ] {
        let found = loud(path, &skill(target), "claude-code", &others);
        assert_eq!(found.len(), count, "{target} {found:?}");
    }
}

#[test]
fn findings_in_files_changed_elsewhere_are_hints() {
    let skill = "---\nname: tea\ndescription: Brews tea\n---\n\nSee [x](references/x.md).\n";
    for (folder, count) in
        [("", 2), ("vendor/", 0), ("third_party/tea/", 0), ("legacy/", 0), ("vendors/", 2)]
    {
        let path = format!("{folder}skills/brew-tea/SKILL.md");
        assert_eq!(loud(&path, skill, "spec", &[]).len(), count, "{folder}");
    }
    // A copy of another repository in a client's folder has a licence and a `.github`.
    let (ext, plain) = (".claude/skills/ext", "org/repo");
    let (whole, cloned) = (&["LICENSE", ".github/x"], &["LICENSE", ".github/x", ".git/HEAD"]);
    for (folder, above, others, count) in [
        (ext, ext, whole as &[&str], 0),
        (ext, ext, &["LICENSE.md", ".github/x"], 0),
        (ext, ext, cloned, 2),
        (ext, ext, &["LICENSE", "skills/.github/x"], 2),
        (ext, ".claude", whole, 2),
        (plain, plain, whole, 2),
        (plain, plain, cloned, 2),
    ] {
        let others: Vec<String> = others.iter().map(|other| format!("{above}/{other}")).collect();
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        let path = format!("{folder}/skills/brew-tea/SKILL.md");
        assert_eq!(loud(&path, skill, "spec", &others).len(), count, "{others:?}");
    }
}

#[test]
fn files_for_another_project_have_other_files_next_to_them_there() {
    let skill = "---\nname: brew\ndescription: Brews\n---\n\nSee [x](../pour/SKILL.md).\n";
    let link = "agent/dead-link ../pour/SKILL.md";
    for (folder, wanted) in [
        ("", [link].as_slice()),
        ("templates/tea/", &[]),
        ("packages/cli/assets/", &[]),
        ("examples/", &[]),
        ("tea/", &[link]),
    ] {
        let path = format!("{folder}.claude/skills/brew/SKILL.md");
        assert_eq!(loud(&path, skill, "claude-code", &[]), wanted, "{folder}");
    }
    // Findings that don't depend on other files are still reported.
    let broken = skill.replace("name: brew", "name: brew\neffort: highest");
    let found = loud("templates/.claude/skills/brew/SKILL.md", &broken, "claude-code", &[]);
    assert_eq!(found, ["agent/wrong-value highest"]);
}

#[test]
fn prices_are_not_arguments_if_missing_arguments_stay() {
    let skill = |body: &str| format!("---\nname: buy\ndescription: Buys\n---\n\n{body}\n");
    for (body, client, count) in [
        ("It costs $250.", "claude-code", 0),
        ("It costs $24, or $1,200.", "claude-code", 1),
        ("Run `awk '{print $2}'` for $250.", "claude-code", 1),
        ("It costs $250.", "opencode", 1),
    ] {
        let path = ".claude/skills/buy/SKILL.md";
        assert_eq!(loud(path, &skill(body), client, &[]).len(), count, "{body} {client}");
    }
    let found = Workspace::new(".claude/skills/buy/SKILL.md", &skill("Buy from `$1`."));
    let message = found.clients(&["claude-code"]).found()[0].message.clone();
    assert!(message.contains("is read as an argument; write `\\$1` for the text"), "{message}");
}

#[test]
fn a_page_among_agents_or_skills() {
    let page = "# Testing\n\nSee [x](none.md).\n";
    let named = "---\nname: a\ndescription: A\n---\n\nText.\n";
    let agents = |count: usize, text: &str| {
        let mut workspace =
            Workspace::new(".claude/agents/testing.md", page).clients(&["claude-code"]);
        for index in 0..count {
            let path = Path::new("/w/.claude/agents").join(format!("a{index}.md"));
            workspace.world = workspace.world.with(path, text);
        }
        workspace.shown()
    };
    assert_eq!(agents(3, named), [""; 0]);
    assert_eq!(agents(1, named).len(), 1);
    assert_eq!(agents(3, page).len(), 1);
    assert_eq!(loud(".claude/skills/BUNDLES.md", page, "claude-code", &[]), [""; 0]);
    assert_eq!(loud(".claude/skills/tea.md", named, "claude-code", &[]).len(), 1);
}

#[test]
fn an_agent_of_a_copy_is_there_once_installed() {
    let prompt = "---\ndescription: Cooks\nagent: cook\n---\n\nCook.\n";
    let agent = "---\nname: cook\ndescription: Cooks\n---\n\nCook.\n";
    let at = |path: &str| {
        let mut workspace =
            Workspace::new("kit/prompts/dinner.prompt.md", prompt).clients(&["copilot"]);
        for name in ["waiter", "baker", "host"] {
            let other = format!("---\nname: {name}\ndescription: Serves\n---\n\nServe.\n");
            let path = format!("/w/.github/agents/{name}.agent.md");
            workspace.world = workspace.world.with(path, &other);
        }
        workspace.world = workspace.world.with(Path::new("/w").join(path), agent);
        workspace.shown()
    };
    assert_eq!(at("kit/agents/cook.agent.md"), [""; 0]);
    assert_eq!(at("kit/notes.md").len(), 1);
}

#[test]
fn a_file_that_a_manifest_names_is_not_misplaced() {
    let skill = "---\nname: tea\ndescription: Brews tea\n---\n\nBrew.\n";
    let listed = |manifest: &str| {
        let mut workspace =
            Workspace::new("p/.claude/skills/tea.md", skill).clients(&["claude-code"]);
        workspace.world = workspace.world.with("/w/p/.claude-plugin/plugin.json", manifest);
        workspace.shown().len()
    };
    assert_eq!(listed(r#"{"skills": ["./.claude/skills/tea.md"]}"#), 0);
    assert_eq!(listed(r#"{"skills": ["./.claude/skills/pot.md"]}"#), 1);
    assert_eq!(listed("{"), 1);
}

#[test]
fn a_skill_outside_of_a_collection_has_another_folder_once_installed() {
    let skill = "---\nname: tea\ndescription: Brews tea\n---\n\nBrew.\n";
    for (path, other, count) in [
        ("packages/tea/skill/SKILL.md", "packages/pot/skill/SKILL.md", 0),
        ("public/SKILL.md", "src/a.md", 0),
        ("brew/SKILL.md", "pour/SKILL.md", 1),
        ("skills/brew/SKILL.md", "src/a.md", 1),
        ("team-skills/brew/SKILL.md", "src/a.md", 1),
    ] {
        assert_eq!(loud(path, skill, "spec", &[other]).len(), count, "{path}");
    }
}

#[test]
fn a_retired_tool_may_be_denied() {
    let agent = |line: &str| format!("---\nname: cook\ndescription: Cooks\n{line}\n---\n\nCook.\n");
    for (line, count) in [
        ("disallowedTools: Edit, MultiEdit", 0),
        ("disallowedTools: Edit, grep", 1),
        ("tools: Edit, MultiEdit", 1),
    ] {
        let found = loud(".claude/agents/cook.md", &agent(line), "claude-code", &[]);
        assert_eq!(found.len(), count, "{line} {found:?}");
    }
}

#[test]
fn a_skill_of_a_program_has_its_own_keys() {
    let skill = |keys: &str| format!("---\n{keys}\ndescription: Brews tea\n---\n\nBrew.\n");
    for (path, keys, count) in [
        ("src/skills/tea/SKILL.md", "id: tea", 0),
        ("src/skills/tea/SKILL.md", "title: tea", 1),
        ("src/skills/tea/SKILL.md", "name: tea", 0),
    ] {
        assert_eq!(loud(path, &skill(keys), "spec", &[]).len(), count, "{path} {keys}");
    }
}

#[test]
fn a_missing_script_is_reported_once_and_a_copied_list_is_cut() {
    let text = |names: &[&str]| {
        names.iter().map(|name| format!("Run `npm run {name}`.\n\n")).collect::<String>()
    };
    let found = |names: &[&str]| {
        let mut workspace = Workspace::new("CLAUDE.md", &text(names)).clients(&["claude-code"]);
        workspace.world = workspace.world.with("/w/package.json", r#"{"scripts": {"lint": "x"}}"#);
        workspace.shown().len()
    };
    assert_eq!(found(&["brew", "pour", "brew", "lint"]), 2);
    assert_eq!(found(&["a1", "b2", "c3", "d4", "e5", "f6", "g7", "lint"]), 5);
    assert_eq!(found(&["a1", "b2"]), 0, "about another project");
}

#[test]
fn names_of_files_may_have_dots() {
    let command = |text: &str| format!("---\ndescription: {text}\n---\n\n{text}\n");
    for (path, other, count) in [
        (".codex/prompts/tea.brew.md", ".codex/prompts/tea.pour.md", 0),
        (".opencode/command/tea.brew.md", ".opencode/command/tea.pour.md", 0),
        (".claude/agents/a/tea.md", ".claude/agents/b/tea.md", 1),
    ] {
        let workspace = Workspace::new(path, &command("name: tea")).clients(&[
            "codex",
            "opencode",
            "claude-code",
        ]);
        let mut workspace = workspace;
        let text = command("Pours tea").replace("---\nd", "---\nname: tea\nd");
        workspace.text = text.replace("Pours", "Brews");
        workspace.world = workspace.world.with(Path::new("/w").join(other), &text);
        let found = workspace.shown();
        let same = found.iter().filter(|found| found.starts_with("agent/duplicate-name")).count();
        assert_eq!(same, count, "{path} {found:?}");
    }
}

#[test]
fn keys_that_another_program_reads() {
    let skill = |keys: &str| {
        format!(
            "---\nname: brew-tea\ndescription: Brews tea\n{keys}\ncontext: scoped\n---\n\nBrew.\n"
        )
    };
    let path = ".claude/skills/brew-tea/SKILL.md";
    for (keys, count) in [
        ("role: cook", 1),
        ("version: 1\nauthor: me\ntags: [a]\ncategory: b", 1),
        ("role: cook\ntimeout: 5\nzones: {kitchen: {read: true}}", 0),
        ("role: cook\ntimeout: 5\nphases:\n  - name: boil", 0),
        ("role: cook\nphases:\n  - name: boil", 1),
        // A structure that a client knows belongs to that client.
        ("role: cook\ntimeout: 5\nversion: 1\nmetadata: {a: b}", 1),
    ] {
        assert_eq!(loud(path, &skill(keys), "claude-code", &[]).len(), count, "{keys}");
    }
    // Missing keys are still reported.
    let nameless = "---\nrole: cook\ntimeout: 5\nzones: {kitchen: {}}\n---\n\nBrew.\n";
    assert_eq!(loud(".agents/skills/brew-tea/SKILL.md", nameless, "codex", &[]).len(), 1);
}

#[test]
fn values_that_describe_the_default() {
    let skill = |value: &str| {
        format!("---\nname: tea\ndescription: Brews\ncontext: {value}\n---\n\nBrew.\n")
    };
    for (value, count) in [("inline", 0), ("fork", 0), ("forked", 1)] {
        let found = loud(".claude/skills/tea/SKILL.md", &skill(value), "claude-code", &[]);
        assert_eq!(found.len(), count, "{value}");
    }
}

#[test]
fn a_missing_item_needs_a_sign() {
    let skill = |body: &str| format!("---\nname: brew-tea\ndescription: Brews\n---\n\n{body}\n");
    let path = ".claude/skills/brew-tea/SKILL.md";
    let others = [".claude/skills/brew-tea/scripts/pour.py"];
    for (body, count) in [
        ("Run `python scripts/boil.py`.", 0),
        ("Run `python scripts/por.py`.", 1),
        ("Run `python scripts/pour.py`, then `python scripts/boil.py`.", 1),
        ("See [how](scripts/pour.py). Run `python scripts/boil.py`.", 1),
        ("See `references/a.md`.", 0),
    ] {
        assert_eq!(loud(path, &skill(body), "claude-code", &others).len(), count, "{body}");
    }
    let agent = |skills: &str| {
        format!("---\nname: cook\ndescription: Cooks\nskills: {skills}\n---\n\nCook.\n")
    };
    let at = |skills: &str| {
        let workspace = Workspace::new(".claude/agents/cook.md", &agent(skills));
        let mut workspace = workspace.clients(&["claude-code"]);
        workspace.world = workspace.world.with("/w/.claude/skills/brew-tea/SKILL.md", SKILL);
        workspace.shown().len()
    };
    assert_eq!(at("[slice-bread]"), 0);
    assert_eq!(at("[brew-tee]"), 1);
    assert_eq!(at("[brew-tea, slice-bread]"), 1);
}

#[test]
fn agents_that_a_key_without_effect_names() {
    let command =
        |keys: &str| format!("---\ndescription: Cooks\nagent: cooc\n{keys}---\n\nCook.\n");
    let found = |keys: &str| {
        let workspace = Workspace::new(".claude/commands/dinner.md", &command(keys));
        let mut workspace = workspace.clients(&["claude-code"]);
        let agent = "---\nname: cook\ndescription: Cooks\n---\n\nCook.\n";
        workspace.world = workspace.world.with("/w/.claude/agents/cook.md", agent);
        let found = workspace.found().into_iter();
        found.filter(|found| found.rule.code == "agent/unknown-agent").count()
    };
    assert_eq!(found(""), 0);
    assert_eq!(found("context: fork\n"), 1);
}

#[test]
fn pages_among_agents_and_rules() {
    let others: Vec<String> = (0..4).map(|number| format!(".claude/agents/a{number}.md")).collect();
    let found = |text: &str, with: usize| {
        let mut workspace =
            Workspace::new(".claude/agents/tests.md", text).clients(&["claude-code"]);
        for (number, other) in others.iter().enumerate() {
            let mark = if number % 2 == 0 { "\u{feff}" } else { "" };
            let front = format!("{mark}---\nname: a{number}\ndescription: x\n---\n\nx\n");
            let text = if number < with { front.as_str() } else { "# x\n" };
            workspace.world = workspace.world.with(Path::new("/w").join(other), text);
        }
        workspace.shown().len()
    };
    assert_eq!(found("# Tests\n\nEach agent must pass.\n", 4), 0);
    assert_eq!(found("# Tests\n\nEach agent must pass.\n", 3), 0);
    assert_eq!(found("# Tests\n\nEach agent must pass.\n", 2), 1);
    assert_eq!(found("# Tester\n\nYou are a tester.\n", 4), 1);
    for (text, other, count) in [
        ("# Names\n", ".cursor/rules/other.mdc", 0),
        ("# Names\n", ".cursor/rules/other.md", 1),
        ("---\ndescription: Names\n---\n\nx\n", ".cursor/rules/other.mdc", 1),
    ] {
        assert_eq!(loud(".cursor/rules/names.md", text, "cursor", &[other]).len(), count, "{text}");
    }
}

#[test]
fn links_that_are_examples() {
    for (text, count) in [
        ("- Example: [a.md](docs/a.md) for references\n", 0),
        ("See an example in [a.md](docs/a.md).\n", 1),
    ] {
        assert_eq!(loud("CLAUDE.md", text, "claude-code", &[]).len(), count, "{text}");
    }
}

#[test]
fn the_second_argument_may_be_the_only_one_that_is_used() {
    let command = |hint: &str, body: &str| {
        format!("---\ndescription: Cooks\nargument-hint: {hint}\n---\n\n{body}\n")
    };
    for (hint, body, count) in [
        ("<dish>", "Cook $1.", 1),
        ("\"[dish] [guests]\"", "Cook $1 for $2.", 1),
        ("\"[dish] [guests, default 2]\"", "Cook for $1.", 0),
        ("dish", "Cook $1.", 1),
    ] {
        let found = loud(".claude/commands/dinner.md", &command(hint, body), "claude-code", &[]);
        assert_eq!(found.len(), count, "{hint} {body} {found:?}");
    }
}

#[test]
fn links_that_show_what_one_looks_like() {
    let skill = "---\nname: NAME\ndescription: Brews\n---\n\nSee [a](LINK).\n";
    for (name, link, count) in [
        ("brew-tea", "FORMS.md", 1),
        ("skill-creator", "FORMS.md", 0),
        ("brew-tea", "src/kettle.ts#L23", 0),
        ("brew-tea", "src/kettle.ts#Lid", 1),
    ] {
        let text = skill.replace("NAME", name).replace("LINK", link);
        let path = format!(".claude/skills/{name}/SKILL.md");
        assert_eq!(loud(&path, &text, "claude-code", &[]).len(), count, "{name} {link}");
    }
}

#[test]
fn findings_in_an_archive_are_hints() {
    let broken = "---\nname: cook\ndescription: Use when: hungry\nowner: @me\n---\n\nCook.\n";
    for (path, count) in [
        (".claude/agents/cook.md", true),
        ("archive/.claude/agents/cook.md", false),
        ("notes/cook.md", true),
        ("notes/backups/cook.md", false),
    ] {
        let found = loud(path, broken, "claude-code", &[]);
        assert_eq!(!found.is_empty(), count, "{path} {found:?}");
    }
    let skill = "---\nname: tea\ndescription: Brews tea\n---\n\nBrew.\n";
    for (path, count) in [("skills/brew/SKILL.md", 1), ("tea-examples/skills/brew/SKILL.md", 0)] {
        assert_eq!(loud(path, skill, "spec", &[]).len(), count, "{path}");
    }
}

#[test]
fn a_link_out_of_the_repository_into_one_of_its_folders() {
    let found = |link: &str, git: bool| {
        let text = format!("See [a]({link}).\n");
        let mut workspace = Workspace::new("CLAUDE.md", &text).clients(&["claude-code"]);
        workspace = workspace.with("docs/a.md");
        if git {
            workspace = workspace.with(".git/HEAD");
        }
        workspace.shown().len()
    };
    assert_eq!(found("../../docs/none/b.md", true), 1);
    assert_eq!(found("../../docs/none/b.md", false), 0);
    assert_eq!(found("../../other/none/b.md", true), 0);
}
