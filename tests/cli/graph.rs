//! `graph`: which files use which.

use super::Folder;

const FILES: &[(&str, &str)] = &[
    ("CLAUDE.md", "@docs/style.md and @docs/none.md\n"),
    ("docs/style.md", "Style: @more.md\n@lost.md\n"),
    ("docs/more.md", "Of @../CLAUDE.md\n"),
    (
        ".claude/agents/cook.md",
        "---\nname: cook\ndescription: Cooks\nskills: [tea, gone]\n---\nCook.\n",
    ),
    (
        ".claude/skills/tea/SKILL.md",
        "---\nname: tea\ndescription: Brews tea\n---\nSee `references/leaf.md`.\n",
    ),
    (".claude/skills/tea/references/leaf.md", "Leaf.\n"),
    (".agents/skills/tea/SKILL.md", "---\nname: tea\ndescription: Other tea\n---\nBrew.\n"),
    (".opencode/agent/x.md", "---\ndescription: x\n---\nx\n"),
];

#[test]
fn uses_dead_names_and_duplicates() {
    let folder = Folder::with(FILES);
    let run = folder.run(&["graph", "--format", "json"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let json = run.json();
    let edge = |from: &str, to: &str, why: &str| {
        let edge = serde_json::json!({ "from": from, "to": to, "why": why });
        assert!(json["edges"].as_array().unwrap().contains(&edge), "{from} {to}: {json}");
    };
    edge("CLAUDE.md", "docs/style.md", "import");
    edge("docs/style.md", "docs/more.md", "import");
    edge("docs/more.md", "CLAUDE.md", "import");
    edge(".claude/agents/cook.md", ".claude/skills/tea/SKILL.md", "skill");
    edge(".claude/skills/tea/SKILL.md", ".claude/skills/tea/references/leaf.md", "file");
    let dead = json["dead"].as_array().unwrap();
    for (path, line, name) in [
        ("CLAUDE.md", 1, "docs/none.md"),
        ("docs/style.md", 2, "lost.md"),
        (".claude/agents/cook.md", 4, "gone"),
    ] {
        let one = serde_json::json!({ "path": path, "line": line, "name": name });
        assert!(dead.contains(&one), "{name}: {json}");
    }
    // OpenCode reads both folders; Claude Code only one.
    assert_eq!(
        json["duplicates"],
        serde_json::json!([[".agents/skills/tea/SKILL.md", ".claude/skills/tea/SKILL.md"]])
    );
    let node =
        json["nodes"].as_array().unwrap().iter().find(|node| node["name"] == "cook").unwrap();
    assert_eq!((&node["kind"], &node["id"]), (&"agent".into(), &".claude/agents/cook.md".into()));
}

#[test]
fn what_a_memory_file_only_mentions_is_no_import() {
    let folder = Folder::with(&[
        ("CLAUDE.md", "Read @docs/a.md first, @AGENTS.md. See [b](docs/b.md) and `docs/c.md`.\n"),
        ("AGENTS.md", "日本 @docs/a.md\n"),
        ("docs/a.md", "A\n"),
        ("docs/b.md", "B\n"),
        ("docs/c.md", "C\n"),
    ]);
    let json = folder.run(&["graph", "--format", "json"]).json();
    let edges = json["edges"].as_array().unwrap().iter();
    let imports: Vec<_> = edges.filter(|edge| edge["why"] == "import").collect();
    let wanted = serde_json::json!({ "from": "CLAUDE.md", "to": "docs/a.md", "why": "import" });
    assert_eq!(imports, [&wanted], "{json:#}");
}

#[cfg(unix)]
#[test]
fn mermaid_and_dot_quote_names() {
    let folder = Folder::with(&[
        (".claude/commands/a\"]; b --> c.md", "Go.\n"),
        (".claude/agents/x.md", "---\nname: x\ndescription: x\nskills: [gone]\n---\nx\n"),
    ]);
    let mermaid = folder.run(&["graph"]).out;
    assert!(mermaid.starts_with("flowchart LR\n  n0["), "{mermaid}");
    assert!(!mermaid.contains("\"]; b") && mermaid.contains("a#34;]"), "{mermaid}");
    assert!(mermaid.contains("gone is missing"), "{mermaid}");
    let dot = folder.run(&["graph", "--format", "dot"]).out;
    assert!(dot.contains("a\\\"]; b --> c"), "{dot}");
    assert!(dot.trim_end().ends_with('}'), "{dot}");
    assert_eq!(folder.run(&["graph", "nowhere"]).status, 2);
}

#[test]
fn memory_files_of_several_folders_are_distinguished() {
    let folder = Folder::with(&[("CLAUDE.md", "Be kind.\n"), ("src/CLAUDE.md", "Be brief.\n")]);
    let mermaid = folder.run(&["graph"]).out;
    assert!(mermaid.contains("[\"CLAUDE.md (memory)\"]"), "{mermaid}");
    assert!(mermaid.contains("[\"src/CLAUDE.md (memory)\"]"), "{mermaid}");
}

#[test]
fn several_folders_are_one_graph() {
    let folder = Folder::with(&[
        ("w/a/CLAUDE.md", "@../日本/style.md\n"),
        ("w/日本/style.md", "@../b/more.md\n"),
        ("w/b/CLAUDE.md", "@more.md\n"),
        ("w/b/more.md", "More.\n"),
        ("w/c/CLAUDE.md", "@none.md\n"),
    ]);
    let edges = |paths: &[&str]| {
        let run = folder.run(&[&["graph", "--format", "json"], paths].concat());
        assert_eq!(run.status, 0, "{run:?}");
        let edges = run.json()["edges"].as_array().unwrap().clone();
        let text = |edge: &serde_json::Value, end: &str| edge[end].as_str().unwrap().to_owned();
        edges.iter().map(|edge| (text(edge, "from"), text(edge, "to"))).collect::<Vec<_>>()
    };
    let of = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    assert_eq!(edges(&["w/b"]), [of("CLAUDE.md", "more.md")]);
    let several = edges(&["w/a", "w/b/CLAUDE.md"]);
    assert!(several.contains(&of("b/CLAUDE.md", "b/more.md")), "{several:?}");
    assert!(several.contains(&of("a/CLAUDE.md", "日本/style.md")), "{several:?}");
    assert!(!several.iter().any(|(from, _)| from.starts_with("c/")), "{several:?}");
    assert_eq!(folder.run(&["graph", "w/a", "nowhere"]).status, 2);
}
