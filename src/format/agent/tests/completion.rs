//! Completion in front matter.

use super::*;

/// The labels offered at `^`, and the text after accepting the first item with this label.
fn completed(path: &str, clients: &[&str], marked: &str, label: &str) -> (Vec<String>, String) {
    let at = marked.find('^').unwrap();
    let workspace = Workspace::new(path, &marked.replacen('^', "", 1)).clients(clients);
    let found = workspace.ask(|document, cx| ide::completion::completions(document, cx, at).items);
    let after = found
        .iter()
        .find(|item| item.label == label)
        .map(|item| apply(&workspace.text, std::slice::from_ref(&item.edit)).unwrap());
    (found.into_iter().map(|item| item.label).collect(), after.unwrap_or_default())
}

#[test]
fn keys_and_values_are_completed_from_the_catalog() {
    let agent = ".claude/agents/cook.md";
    let (keys, after) =
        completed(agent, &["claude"], "---\nname: cook\ndesc^\n---\n", "description");
    assert!(keys.contains(&"tools".to_owned()) && !keys.contains(&"name".to_owned()));
    assert_eq!(after, "---\nname: cook\ndescription: \n---\n");
    // Before the closing line is typed, and before a colon.
    assert_eq!(
        completed(agent, &["claude"], "---\nname: 日本 🦆\r\nto^", "tools").1,
        "---\nname: 日本 🦆\r\ntools: "
    );
    assert_eq!(
        completed(agent, &["claude"], "---\nname: x\nmod^: y\n---\n", "model").1,
        "---\nname: x\nmodel: y\n---\n"
    );
    let (tools, after) =
        completed(agent, &["claude"], "---\nname: cook\ntools: Read, Gr^\n---\n", "Grep");
    assert!(!tools.contains(&"Read".to_owned()));
    assert_eq!(after, "---\nname: cook\ntools: Read, Grep\n---\n");
    assert_eq!(
        completed(agent, &["claude"], "---\ntools:\n  - Read\n  - Gr^\n---\n", "Grep").1,
        "---\ntools:\n  - Read\n  - Grep\n---\n"
    );
    assert_eq!(
        completed(agent, &["claude"], "---\ntools: [Read, Gr^]\n---\n", "Grep").1,
        "---\ntools: [Read, Grep]\n---\n"
    );
    assert_eq!(
        completed(agent, &["claude"], "---\nisolation: ^\n---\n", "worktree").0,
        ["worktree"]
    );
    assert_eq!(
        completed(".agents/skills/tea/SKILL.md", &["codex"], "---\nname: ^\n---\n", "tea").1,
        "---\nname: tea\n---\n"
    );
    assert_eq!(completed(agent, &["claude"], "---\nname: cook\n---\n\nText ^\n", "").0, [""; 0]);
}

#[test]
fn a_completion_never_runs_into_adjacent_text() {
    let taken = |marked: &str, label: &str| {
        completed(
            ".claude/agents/cook.md",
            &["claude"],
            &format!("---\r\n{marked}\r\n---\r\n"),
            label,
        )
    };
    for (marked, label, after) in [
        ("name: 日本 🦆\r\ntools:^", "Bash", "name: 日本 🦆\r\ntools: Bash"),
        ("model:^", "opus", "model: opus"),
        ("tools:\r\n  -^", "Grep", "tools:\r\n  - Grep"),
        ("tools: ^# 日本", "Grep", "tools: Grep # 日本"),
        ("tools: Read,\r\n  ^", "Grep", "tools: Read,\r\n  Grep"),
        ("tools: Read, Gr^ep", "Grep", "tools: Read, Grep"),
    ] {
        let (labels, text) = taken(marked, label);
        assert_eq!(text, format!("---\r\n{after}\r\n---\r\n"), "{marked}: {labels:?}");
    }
    for nothing in [
        "tools: [Read] ^",
        "tools: \"Read\" ^",
        "tools: [Read ^]",
        "tools: [Read\r\n  ^]",
        "tools: [Read\n  ^]",
        "description: d\r\n  ^",
        "tools: Bash(^)",
        "tools: Read, Bash(git ^), Grep",
    ] {
        assert_eq!(taken(nothing, "").0, [""; 0], "{nothing}");
    }
    // Before the closing line.
    let before =
        completed(".claude/agents/cook.md", &["claude"], "---\r\nname: x\r\n^---\r\n", "color");
    assert_eq!(before.1, "---\r\nname: x\r\ncolor: \r\n---\r\n");
}

#[test]
fn tools_with_parentheses_take_the_names_of_their_kind() {
    let marked = "---\ntools: Read, Agent(ba^), Bash\n---\n";
    let at = marked.find('^').unwrap();
    let workspace = Workspace::new(".claude/agents/cook.md", &marked.replacen('^', "", 1))
        .clients(&["claude"])
        .with(".claude/agents/baker.md")
        .with(".claude/skills/tea/SKILL.md");
    let found = workspace.ask(|document, cx| ide::completion::completions(document, cx, at).items);
    let baker = found.iter().find(|item| item.label == "baker").unwrap();
    assert_eq!(
        apply(&workspace.text, std::slice::from_ref(&baker.edit)).unwrap(),
        "---\ntools: Read, Agent(baker), Bash\n---\n"
    );
    assert!(found.iter().all(|item| item.label != "tea" && item.label != "Grep"));
}

#[test]
fn a_value_gets_the_form_that_its_client_reads() {
    let cline = ".clinerules/tea.md";
    for (path, client, marked, label, after) in [
        (".opencode/agents/a.md", "opencode", "tools: ^", "read", "tools: \n  read: true"),
        (".opencode/agents/a.md", "opencode", "permission: ^", "ask", "permission: ask"),
        (
            ".opencode/agents/a.md",
            "opencode",
            "permission:\n  edit: ^",
            "deny",
            "permission:\n  edit: deny",
        ),
        (".gemini/agents/a.md", "gemini", "tools: ^", "glob", "tools: [glob]"),
        (".gemini/agents/a.md", "gemini", "tools: gl^", "glob", "tools: [glob]"),
        (
            ".gemini/agents/a.md",
            "gemini",
            "tools: [glob, re^]",
            "replace",
            "tools: [glob, replace]",
        ),
        (".gemini/agents/a.md", "gemini", "tools:^", "glob", "tools: [glob]"),
        (".gemini/agents/a.md", "gemini", "tools:\n  - ^", "glob", "tools:\n  - glob"),
        (cline, "cline", "paths: ^", "**", "paths: [\"**\"]"),
        (cline, "cline", "paths:\n  - ^", "**", "paths:\n  - \"**\""),
        (".github/agents/a.agent.md", "copilot", "agents: ^", "Cook", "agents: [Cook]"),
        (".claude/agents/a.md", "claude", "tools: ^", "Grep", "tools: Grep"),
    ] {
        let at = marked.find('^').unwrap() + 4;
        let text = format!("---\n{marked}\n---\n").replacen('^', "", 1);
        let agent = "---\nname: Cook\ndescription: 日本\n---\n\nCook.\n";
        let mut workspace = Workspace::new(path, &text).clients(&[client]);
        workspace.world = workspace.world.with("/w/.github/agents/cook.agent.md", agent);
        let found =
            workspace.ask(|document, cx| ide::completion::completions(document, cx, at).items);
        let item = found.iter().find(|item| item.label == label);
        let edit = &item.unwrap_or_else(|| panic!("{marked} {found:?}")).edit;
        let taken = apply(&workspace.text, std::slice::from_ref(edit)).unwrap();
        assert_eq!(taken, format!("---\n{after}\n---\n"), "{marked}");
    }
    // Tools that a subagent never gets.
    let tools = completed(".claude/agents/a.md", &["claude"], "---\ntools: ^\n---\n", "").0;
    assert!(!tools.contains(&"AskUserQuestion".to_owned()) && tools.contains(&"Bash".to_owned()));
    let denied =
        completed(".claude/agents/a.md", &["claude"], "---\ndisallowedTools: ^\n---\n", "").0;
    assert!(denied.contains(&"AskUserQuestion".to_owned()));
}

#[test]
fn files_are_offered_where_a_client_inserts_them() {
    for (path, client, marked, wanted) in [
        (".claude/commands/c.md", "claude", "Do @^", "src/"),
        (".claude/commands/c.md", "claude", "Do @src/^", "a.ts"),
        (".github/prompts/p.prompt.md", "copilot", "Do #file:^", "src/"),
        (".github/prompts/p.prompt.md", "copilot", "Do #file:src/^", "a.ts"),
        (".kiro/steering/s.md", "kiro", "日本 #[[file:src/^", "a.ts"),
        ("src/CLAUDE.md", "claude", "See @^", "a.ts"),
        (".cursor/rules/r.mdc", "cursor", "See `@^`", ""),
    ] {
        let front = format!("---\ndescription: x\n---\n\n{marked}\n");
        let at = front.find('^').unwrap();
        let workspace = Workspace::new(path, &front.replacen('^', "", 1)).clients(&[client]);
        let workspace = workspace.with("src/a.ts");
        let found =
            workspace.ask(|document, cx| ide::completion::completions(document, cx, at).items);
        let labels: Vec<&str> = found.iter().map(|item| item.label.as_str()).collect();
        assert_eq!(labels.contains(&wanted), !wanted.is_empty(), "{path} {marked} {labels:?}");
    }
}
