//! What individual clients do with front matter: a table for each.

use super::*;

/// What a client does with a file with these keys, in a word, and the findings above a hint.
fn told(client: &str, path: &str, keys: &str) -> (String, Vec<String>) {
    let text = format!("---\n{keys}\n---\n\nDo it. 日本\n");
    let workspace = Workspace::new(path, &text).clients(&[client]).with("src/a.ts");
    let judged = workspace.judged();
    let verdict = judged.first().map_or("", |verdict| match verdict.rsplit_once(": ") {
        Some((_, word)) => word,
        None => "✓",
    });
    (verdict.to_owned(), workspace.shown())
}

#[test]
fn agents_of_opencode_are_checked_in_all_of_its_places() {
    for path in [
        ".opencode/agents/cook.md",
        ".opencode/agent/cook.md",
        ".opencode/agent/tea/cook.md",
        ".opencode/mode/cook.md",
        ".opencode/modes/cook.md",
    ] {
        for (keys, verdict, found) in [
            ("temperature: 0.1", "✓", vec![]),
            ("temperature: \"0.1\"", "does not start", vec!["agent/wrong-type \"0.1\""]),
            ("tools: [read]", "does not start", vec!["agent/wrong-type [read]"]),
            ("permission: allow", "✓", vec![]),
            ("permission: yes", "does not start", vec!["agent/wrong-value yes"]),
            ("permission:\n  edit: deny\n  bash:\n    \"*\": ask", "✓", vec![]),
            ("permission:\n  edit: never", "does not start", vec!["agent/wrong-value never"]),
            ("permission:\n  own_tool: off", "does not start", vec!["agent/wrong-value off"]),
        ] {
            let (own, shown) = told("opencode", path, keys);
            assert_eq!((own.as_str(), shown), (verdict, strings(&found)), "{path} {keys}");
        }
    }
    let text = "---\npermission: yes\n---\n\nCook.\n";
    let found = Workspace::new(".opencode/agent/cook.md", text).clients(&["opencode"]).found();
    assert!(
        found[0].message.contains("`yes` is not a valid `permission`; expected `allow`, `ask`"),
        "{}",
        found[0].message
    );
    // In other clients, pages that agents share need a name to be agents.
    let (verdict, found) = told("claude-code", ".claude/agents/tea/milk.md", "tools: Raed");
    assert_eq!((verdict.as_str(), found), ("", vec![]));
    let (verdict, _) = told("factory", ".factory/droids/cook.md", "model: x");
    assert_eq!(verdict, "✓");
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn gemini_refuses_agents_that_are_neither_local_nor_remote() {
    let remote = "name: a\nkind: remote\nagent_card_url: https://x.y/card";
    let local = "name: a\ndescription: b";
    for (keys, codes) in [
        (remote.to_owned(), vec![]),
        (format!("{remote}\ndescription: b"), vec![]),
        ("name: a\nagent_card_url: https://x.y/card".to_owned(), vec![]),
        ("- name: a\n  agent_card_url: https://x.y/card".to_owned(), vec![]),
        ("name: a\nkind: remote".to_owned(), vec!["agent/missing-key"]),
        ("name: a".to_owned(), vec!["agent/missing-key"]),
        (format!("{remote}\ntools: [read_file]"), vec!["agent/no-effect"]),
        (format!("{local}\nkind: local\nagent_card_url: https://x.y/c"), vec!["agent/no-effect"]),
        (format!("{local}\ntools: [Read]"), vec!["agent/unknown-tool"]),
        (format!("{local}\ntools: [read_file, mcp_x_y, '*']"), vec![]),
        (format!("{local}\ntools: [discovered_tool_x]"), vec![]),
        (format!("{local}\nmax_turns: 5\ntimeout_mins: 3\npolicy: {{}}"), vec![]),
        (format!("{local}\nmax_turns: 0"), vec!["agent/wrong-value"]),
        (format!("{local}\ntimeout_mins: 0.5"), vec!["agent/wrong-type"]),
    ] {
        let (verdict, shown) = told("gemini", ".gemini/agents/a.md", &keys);
        let own: Vec<&str> = shown.iter().filter_map(|found| found.split(' ').next()).collect();
        assert_eq!(own, codes, "{keys}");
        assert_eq!(verdict, if codes.is_empty() { "✓" } else { "not loaded" }, "{keys}");
    }
}

#[test]
fn rules_need_the_keys_of_their_mode() {
    let (kiro, windsurf) = (".kiro/steering/a.md", ".windsurf/rules/a.md");
    let (cursor, copilot) = (".cursor/rules/a.mdc", ".github/instructions/a.instructions.md");
    for (client, path, keys, code) in [
        ("kiro", kiro, "inclusion: fileMatch", "agent/missing-key"),
        ("kiro", kiro, "inclusion: fileMatch\nfileMatchPattern: \"src/*\"", ""),
        ("kiro", kiro, "inclusion: auto", "agent/missing-key"),
        ("kiro", kiro, "inclusion: auto\nname: a", "agent/missing-key"),
        ("kiro", kiro, "inclusion: auto\nname: a\ndescription: b", ""),
        ("kiro", kiro, "inclusion: manual", ""),
        ("windsurf", windsurf, "trigger: glob", "agent/missing-key"),
        ("windsurf", windsurf, "trigger: glob\nglobs: src/*", ""),
        ("windsurf", windsurf, "trigger: model_decision", "agent/missing-key"),
        ("windsurf", windsurf, "trigger: model_decision\ndescription: b", ""),
        ("cursor", cursor, "glob: src/*", "agent/unknown-key"),
        ("cursor", cursor, "Globs: src/*", "agent/unknown-key"),
        ("cursor", cursor, "desc: a", "agent/unknown-key"),
        ("copilot", copilot, "applyTo: src/*\nexcludeAgent: foo", "agent/wrong-value"),
        ("copilot", copilot, "applyTo: src/*\nexcludeAgent: [code-revew]", "agent/wrong-value"),
        ("copilot", copilot, "applyTo: src/*\nexcludeAgent: [code-review]", ""),
        ("copilot", copilot, "applyTo: src/*\nexcludeAgent: cloud-agent", ""),
    ] {
        let (verdict, shown) = told(client, path, keys);
        let codes: Vec<&str> = shown.iter().filter_map(|found| found.split(' ').next()).collect();
        let wanted = if code.is_empty() { vec![] } else { vec![code] };
        assert_eq!(codes, wanted, "{client} {keys}");
        assert_eq!(verdict, if code.is_empty() { "✓" } else { "partly" }, "{client} {keys}");
    }
}

#[test]
fn claude_reads_no_skills_in_a_folder_of_skills() {
    let keys = "name: tea\ndescription: b";
    let nested = ".claude/skills/hot/tea/SKILL.md";
    assert_eq!(told("claude-code", nested, keys).0, "not loaded");
    let text = format!("---\n{keys}\n---\n\nBrew. 日本\n");
    for (other, count) in [
        (".claude/skills/hot/SKILL.md", 0),
        (".claude/skills/hot/coffee/SKILL.md", 0),
        (".claude/skills/hot/water/SKILL.md", 1),
        (".claude/skills/cold/tea/SKILL.md", 1),
    ] {
        let mut workspace = Workspace::new(nested, &text).clients(&["claude-code"]);
        workspace.world = workspace.world.with(format!("/w/{other}"), &text);
        assert_eq!(workspace.shown().len(), count, "{other}");
    }
}

#[test]
fn github_reads_no_chat_modes() {
    let long = format!("日本 {}\n", "x".repeat(31_000));
    for (text, agent) in [
        ("You cook.\n", 1),
        ("---\ntools: []\n---\n\nCook.\n", 1),
        ("---\ndescription: ''\n---\n\nCook.\n", 1),
        (&*format!("---\ndescription: x\n---\n\n{long}"), 1),
        ("---\ndescription: x\nhandoffs: 3\n---\n\nCook.\n", 2),
    ] {
        let shown = |path: &str| Workspace::new(path, text).clients(&["copilot"]).shown().len();
        let mode = shown(".github/chatmodes/cook.chatmode.md");
        assert_eq!((shown(".github/agents/cook.agent.md"), mode), (1, agent - 1), "{text:.40}");
    }
}

#[test]
fn instructions_and_prompts_of_copilot_have_endings() {
    for (path, keys, count) in [
        (".github/instructions/go.md", "applyTo: \"**/*.ts\"", 1),
        (".github/instructions/a/日本.md", "applyTo: \"**/*.ts\"", 1),
        (".github/instructions/go.instructions.md", "applyTo: \"**/*.ts\"", 0),
        (".github/instructions/README.md", "title: x", 0),
        (".github/prompts/p.md", "mode: agent", 1),
        (".github/prompts/p.md", "agent: ask\nmode: ask", 1),
        (".github/prompts/p.prompt.md", "agent: ask", 0),
        (".github/prompts/p.md", "title: x", 0),
    ] {
        let (_, found) = told("copilot", path, keys);
        let misplaced = found.iter().filter(|found| found.starts_with("agent/misplaced-file"));
        assert_eq!(misplaced.count(), count, "{path} {keys} {found:?}");
    }
    let text = "---\napplyTo: \"**\"\n---\n\n日本\n";
    for (path, name) in [
        ("b.md", "b"),
        ("b.instruction.md", "b"),
        ("b-instructions.md", "b"),
        ("instructions.md", "instructions"),
    ] {
        let path = format!(".github/instructions/{path}");
        // A neighbour that is read isn't another misplaced file.
        let mut workspace = Workspace::new(&path, text);
        let read = Path::new("/w/.github/instructions/a.instructions.md");
        workspace.world = workspace.world.with(read, text);
        let found = workspace.clients(&["copilot"]).found();
        let [found] = &found[..] else { panic!("{path}: {found:?}") };
        assert_eq!(found.severity, Severity::Error, "{path}");
        assert!(found.message.contains(&format!("`{name}.instructions.md`")), "{}", found.message);
    }
}

#[test]
fn invalid_yaml_does_not_hide_a_mistyped_key_in_a_rule_read_by_line() {
    for globs in ["*.ts, src/**", "**/*.ts", "src/**/*.ts"] {
        let (_, found) =
            told("cursor", ".cursor/rules/a.mdc", &format!("globs: {globs}\nalwaysapply: true"));
        assert_eq!(found, ["agent/unknown-key alwaysapply"], "{globs}");
    }
}

#[test]
fn opencode_takes_only_positive_steps() {
    for (value, loud_count) in
        [("5", 0), ("1", 0), ("0", 1), ("-1", 1), ("1.5", 1), ("\"5\"", 1), ("日本", 1)]
    {
        for key in ["steps", "maxSteps"] {
            let text = format!("---\ndescription: Tea\n{key}: {value}\n---\n\nBrew.\n");
            let workspace = Workspace::new(".opencode/agent/a.md", &text).clients(&["opencode"]);
            let errors = workspace.found().into_iter();
            let errors = errors.filter(|found| found.severity == Severity::Error);
            assert_eq!(errors.count(), loud_count, "{key}: {value}");
        }
    }
}

#[test]
fn gemini_loads_an_agent_with_any_temperature() {
    for (value, severity) in [
        ("0.5", None),
        ("5", Some(Severity::Warning)),
        ("-1", Some(Severity::Warning)),
        ("hot", Some(Severity::Error)),
    ] {
        let text =
            format!("---\nname: tea\ndescription: 日本\ntemperature: {value}\n---\n\nBrew.\n");
        let workspace = Workspace::new(".gemini/agents/tea.md", &text).clients(&["gemini"]);
        let found: Vec<Severity> =
            workspace.found().into_iter().map(|found| found.severity).collect();
        assert_eq!(found.first().copied(), severity, "{value}");
    }
}
