//! Completion in front matter.

use super::*;

/// The labels that are offered at `^`, and the text after taking the first with this label.
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
    // Before the closing line is typed, and in front of a colon.
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
fn a_completion_never_runs_into_what_is_next_to_it() {
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
    // In front of the closing line.
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
