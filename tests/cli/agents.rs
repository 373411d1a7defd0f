//! Agent files: verdicts for the chosen clients, in text and in JSON; `new`; pages of clients.

use super::Folder;

const SKILL: &str = "---\nname: tea\ndescription: Brews tea\n---\n\nBrew it.\n";
const PATH: &str = ".agents/skills/brew-tea/SKILL.md";

#[test]
fn for_chooses_the_clients() {
    let folder = Folder::with(&[(PATH, SKILL)]);
    let codex = folder.run(&["check", "--for", "codex", PATH]);
    assert_eq!(
        (codex.status, codex.out.as_str()),
        (0, ".agents/skills/brew-tea/SKILL.md: Codex ✓\n\nNo problems in the file.\n")
    );
    let both = folder.run(&["check", "--for", "codex,cline", "."]);
    assert_eq!(both.status, 1);
    assert!(
        both.out.starts_with(".agents/skills/brew-tea/SKILL.md: Codex ✓ · Cline: not loaded\n"),
        "{}",
        both.out
    );
    assert!(both.out.contains("error[agent/name-folder]"), "{}", both.out);
    let unknown = folder.run(&["check", "--for", "codx", "."]);
    assert_eq!(unknown.status, 2);
    assert!(
        unknown.err.contains("unknown client `codx`; did you mean `codex`?"),
        "{}",
        unknown.err
    );
}

#[test]
fn the_settings_choose_the_clients_unless_the_call_does() {
    let folder =
        Folder::with(&[(PATH, SKILL), ("agentmd.toml", "clients = [\"cline\", \"nobody\"]\n")]);
    let settings = folder.run(&["check", "."]);
    assert_eq!(settings.status, 2);
    assert!(settings.err.contains("unknown client `nobody`"), "{}", settings.err);
    assert_eq!(folder.run(&["check", "--for", "codex", "."]).status, 0);
}

#[test]
fn json_has_the_kind_and_the_verdicts() {
    let folder = Folder::with(&[(PATH, SKILL), ("a.md", "# A\n")]);
    let json = folder.run(&["check", "--format", "json", "--for", "codex,cline", "."]).json();
    let files = json["files"].as_array().unwrap();
    assert_eq!(files.len(), 1);
    assert_eq!(files[0]["format"], "agent");
    assert_eq!(files[0]["kind"], "skill");
    let expected = serde_json::json!([
        { "client": "codex", "outcome": "loaded", "reasons": [] },
        { "client": "cline", "outcome": "not-loaded", "reasons": ["the name differs from the folder's"] },
    ]);
    assert_eq!(files[0]["verdicts"], expected);
    assert_eq!(files[0]["diagnostics"][0]["code"], "agent/name-folder");
}

#[test]
fn fix_repairs_front_matter_or_leaves_it_alone() {
    let broken = "---\nname: brew-tea\ndescription: Use: it. Examples:\n\n<example>\nuser: x\n</example>\n---\n\nBrew it.\n";
    let fixed = "---\nname: brew-tea\ndescription: |-\n  Use: it. Examples:\n\n  <example>\n  user: x\n  </example>\n---\n\nBrew it.\n";
    let lost = "---\nname: b\ndescription: Use it。license: MIT\n---\n";
    let folder = Folder::with(&[(PATH, broken), (".agents/skills/b/SKILL.md", lost)]);
    folder.run(&["check", "--fix", "--for", "codex", "."]);
    assert_eq!(folder.read(PATH), fixed);
    assert_eq!(folder.read(".agents/skills/b/SKILL.md"), lost);
    assert_eq!(folder.run(&["check", "--for", "codex", PATH]).status, 0);
}

#[cfg(unix)]
#[test]
fn a_client_is_judged_on_the_targets_of_its_links() {
    let folder = Folder::with(&[
        (".agents/skills/tea/SKILL.md", "---\nname: tea\ndescription: Tea\n---\nUse $1.\n"),
        ("AGENTS.md", "Use /tea.\n"),
        (".claude/settings.json", "{}\n"),
    ]);
    let links = [("../.agents/skills", ".claude/skills"), ("AGENTS.md", "CLAUDE.md")];
    let judged = || folder.run(&["check", "--for", "claude-code", "."]).out;
    assert!(!judged().contains("Claude Code"), "{}", judged());
    for (target, link) in links {
        std::os::unix::fs::symlink(target, folder.path(link)).unwrap();
    }
    let found = judged();
    assert!(found.contains(".agents/skills/tea/SKILL.md: Claude Code"), "{found}");
    assert!(found.contains("agent/substituted-text") && found.contains("AGENTS.md: Claude Code ✓"));
    let graph = folder.run(&["graph", "--format", "json"]).json();
    assert_eq!(graph["edges"][0]["to"], ".agents/skills/tea/SKILL.md");
}

#[test]
fn explain_prints_clients() {
    let folder = Folder::empty();
    let page = folder.run(&["explain", "claude", "--format", "markdown"]).out;
    assert!(page.starts_with("# Claude Code\n") && page.contains("| `argument-hint` |"), "{page}");
    let list = folder.run(&["explain", "clients", "--format", "json"]).json();
    assert!(list.as_array().unwrap().iter().any(|client| client["name"] == "codex"));
}

#[test]
fn new_writes_a_file_where_its_client_looks() {
    let folder = Folder::empty();
    for (kind, client, path) in [
        ("skill", "claude-code", ".claude/skills/brew-tea/SKILL.md"),
        ("skill", "codex", ".agents/skills/brew-tea/SKILL.md"),
        ("skill", "spec", ".agents/skills/other-tea/SKILL.md"),
        ("agent", "claude", ".claude/agents/brew-tea.md"),
        ("agent", "copilot", ".github/agents/brew-tea.agent.md"),
        ("agent", "opencode", ".opencode/agents/brew-tea.md"),
        ("command", "claude-code", ".claude/commands/pour-tea.md"),
        ("command", "windsurf", ".windsurf/workflows/brew-tea.md"),
        ("prompt", "vscode", ".github/prompts/brew-tea.prompt.md"),
        ("rule", "cursor", ".cursor/rules/brew-tea.mdc"),
        ("rule", "copilot", ".github/instructions/brew-tea.instructions.md"),
        ("rule", "claude-code", ".claude/rules/brew-tea.md"),
    ] {
        // Names must differ, since a command with the name of a skill is a finding.
        let names = ["other-tea", "pour-tea"];
        let name = names.into_iter().find(|name| path.contains(name)).unwrap_or("brew-tea");
        let answer = folder.run(&["new", kind, name, "--for", client]);
        assert_eq!((answer.status, answer.out.trim(), answer.err.as_str()), (0, path, ""));
        let checked = folder.run(&["check", "--strict", "--for", client, path]);
        assert_eq!(checked.status, 0, "{}", checked.out);
        let text = folder.read(path);
        assert!(!text.contains("${") && text.ends_with("Tell the model what to do.\n"), "{text}");
    }
}

#[test]
fn new_adds_an_ending_only_once() {
    let folder = Folder::empty();
    for (kind, name, client, path) in [
        ("agent", "rev.md", "claude-code", ".claude/agents/rev.md"),
        ("agent", "rev.agent.md", "copilot", ".github/agents/rev.agent.md"),
        ("agent", "pot.md", "copilot", ".github/agents/pot.agent.md"),
        ("rule", "tea.mdc", "cursor", ".cursor/rules/tea.mdc"),
        ("rule", "pot.md", "cursor", ".cursor/rules/pot.mdc"),
        // The extension of another kind is part of the name.
        ("command", "plan.prompt.md", "claude-code", ".claude/commands/plan.prompt.md"),
        ("prompt", "plan.PROMPT.md", "copilot", ".github/prompts/plan.prompt.md"),
        ("command", "pot.MD", "claude-code", ".claude/commands/pot.md"),
        ("command", "v1.2", "claude-code", ".claude/commands/v1.2.md"),
    ] {
        let answer = folder.run(&["new", kind, name, "--for", client]);
        assert_eq!((answer.status, answer.out.trim()), (0, path), "{}", answer.err);
    }
    assert!(folder.read(".claude/agents/rev.md").contains("\nname: rev\n"));
}

#[test]
fn new_never_overwrites_and_refuses_names() {
    let path = ".claude/skills/brew-tea/SKILL.md";
    let folder = Folder::with(&[(path, "mine")]);
    let again = folder.run(&["new", "skill", "brew-tea", "--for", "claude-code"]);
    assert_eq!((again.status, folder.read(path).as_str()), (1, "mine"));
    assert!(again.err.contains("already exists"), "{}", again.err);
    for (name, client, status, words) in [
        ("Brew Tea", "spec", 1, "`Brew Tea` is not a valid name"),
        ("日本", "roo", 1, "is not a valid name"),
        ("Brew Tea", "claude-code", 1, "is not a valid name of a skill; use `brew-tea`"),
        ("../x", "claude-code", 2, "can't be the name of a file"),
        ("a/b", "claude-code", 2, "can't be the name of a file"),
        ("", "claude-code", 2, "can't be the name of a file"),
        ("nul", "claude-code", 2, "can't be the name of a file"),
        ("x", "nobody", 2, "unknown client `nobody`"),
        ("synced", "claude-code", 1, "Claude Code keeps the name `synced` for itself"),
    ] {
        let answer = folder.run(&["new", "skill", name, "--for", client]);
        assert_eq!((answer.status, answer.out.as_str()), (status, ""), "{name}: {}", answer.err);
        assert!(answer.err.contains(words), "{name}: {}", answer.err);
    }
    let none = folder.run(&["new", "prompt", "x", "--for", "zed"]);
    assert_eq!(none.status, 2);
    assert!(none.err.contains("it reads skills and memory files"), "{}", none.err);
    let toml = folder.run(&["new", "command", "x", "--for", "gemini"]);
    assert_eq!(toml.status, 2);
    assert!(toml.err.contains("--to gemini-command"), "{}", toml.err);
    // The files in the folder show which client is used.
    let used = folder.run(&["new", "agent", "helper"]);
    assert_eq!((used.status, used.out.trim()), (0, ".claude/agents/helper.md"));
    folder.write(".cursor/rules/x.mdc", "x\n");
    let several = folder.run(&["new", "agent", "other"]);
    assert_eq!(several.status, 2);
    assert!(several.err.contains("claude-code, cursor"), "{}", several.err);
    let spec = Folder::empty().run(&["new", "skill", "brew-tea"]);
    assert_eq!(spec.out.trim(), ".agents/skills/brew-tea/SKILL.md");
}

const KINDS: &str = "[[kinds]]\nname = \"runbook\"\nfiles = [\"runbooks/**/*.md\"]\nschema = \"schemas/runbook.json\"\n\n[[kinds]]\nname = \"decision\"\nglobs = [\"adr/*.md\"]\n[kinds.schema]\nrequired = [\"status\"]\nadditionalProperties = false\n[kinds.schema.properties]\nstatus = { enum = [\"open\", \"done\"] }\ndate = { type = \"string\", pattern = \"^[0-9]{4}-\" }\n";
const RUNBOOK: &str = r##"{
  "type": "object",
  "required": ["owner"],
  "properties": {
    "owner": {"type": "string"},
    "severity": {"$ref": "#/$defs/severity"},
    "steps": {"type": "array", "items": {"type": "object", "required": ["do"], "properties": {"do": {"type": "string"}, "minutes": {"type": "integer", "maximum": 60}}}}
  },
  "$defs": {"severity": {"enum": [1, 2, 3]}}
}"##;

#[test]
fn own_kinds_are_checked_by_their_schema() {
    let folder = Folder::with(&[
        ("agentmd.toml", KINDS),
        ("schemas/runbook.json", RUNBOOK),
        (
            "runbooks/good.md",
            "---\nowner: 日本\nseverity: 2\nsteps:\n  - do: x\n    minutes: 5\n---\n\n# R\n",
        ),
        ("runbooks/deep/bad.md", "---\nseverity: 7\nsteps:\n  - minutes: 90\n---\n\n# R\n"),
        ("runbooks/none.md", "# R\n"),
        ("adr/1.md", "---\nstatus: opn\ndate: today\nextra: 1\n---\n"),
        ("other.md", "---\nseverity: 7\n---\n"),
    ]);
    let json = folder.run(&["check", "--format", "json", "."]).json();
    let mut found: Vec<String> = Vec::new();
    for file in json["files"].as_array().unwrap() {
        for one in file["diagnostics"].as_array().unwrap() {
            found.push(format!(
                "{}:{} {} {}",
                file["path"].as_str().unwrap(),
                one["range"]["start"]["line"],
                one["code"].as_str().unwrap(),
                one["severity"].as_str().unwrap()
            ));
        }
    }
    found.sort();
    let expected = [
        "adr/1.md:2 agent/wrong-value error",
        "adr/1.md:3 agent/wrong-value error",
        "adr/1.md:4 agent/unknown-key error",
        "runbooks/deep/bad.md:1 agent/missing-key error",
        "runbooks/deep/bad.md:2 agent/wrong-value error",
        "runbooks/deep/bad.md:4 agent/wrong-value error",
        "runbooks/deep/bad.md:4 agent/wrong-value error",
        "runbooks/none.md:1 agent/missing-front-matter error",
    ];
    assert_eq!(found, expected, "{json:#}");
}

#[test]
fn a_schema_that_cannot_be_used_is_a_finding_in_the_settings() {
    let folder = Folder::with(&[
        ("agentmd.toml", KINDS),
        ("schemas/runbook.json", "{ \"type\": \"objekt\" }"),
        ("runbooks/bad.md", "---\nseverity: 7\n---\n"),
        ("adr/1.md", "---\nstatus: opn\n---\n"),
    ]);
    for arguments in [["check", "."], ["check", "adr"]] {
        let answer = folder.run(&arguments);
        assert_eq!(answer.status, 1);
        assert!(answer.out.contains("agentmd.toml:4:10"), "{}", answer.out);
        assert!(
            answer.out.contains("`schemas/runbook.json` is not a valid JSON Schema at `/type`"),
            "{}",
            answer.out
        );
        assert!(answer.out.contains("adr/1.md:2:9"), "{}", answer.out);
    }
    folder.write("schemas/runbook.json", RUNBOOK);
    let mended = folder.run(&["check", "runbooks"]);
    assert!(!mended.out.contains("agentmd.toml") && mended.out.contains("missing `owner`"));
}

/// A project inside a folder for documentation or tests has skills like any other.
#[test]
fn folders_above_the_project_do_not_matter() {
    let skill = "---\nname: Brew Tea\ndescription: Brews tea\n---\n\nBrew it.\n";
    let folder = Folder::with(&[("docs/test/w/skills/brew-tea/SKILL.md", skill)]);
    for (inside, status) in [("docs/test/w", 1), ("docs", 0), ("", 0)] {
        let mut command = folder.command(&["check", "--strict", "--no-config", "."]);
        let answer = command.current_dir(folder.path(inside)).output().unwrap();
        let out = String::from_utf8_lossy(&answer.stdout);
        assert_eq!(answer.status.code(), Some(status), "{inside}: {out}");
        assert_eq!(out.contains("agent/invalid-name"), status == 1, "{inside}: {out}");
    }
}

#[test]
fn names_of_devices_are_refused() {
    let folder = Folder::empty();
    for name in ["con", "NUL", "com1", "Lpt9", "com¹", "aux.x", "conin$"] {
        let answer = folder.run(&["new", "agent", name, "--for", "claude-code"]);
        assert_eq!(answer.status, 2, "{name}");
        assert!(answer.err.contains("can't be the name of a file"), "{}", answer.err);
    }
    for name in ["com10", "console", "comx"] {
        assert_eq!(folder.run(&["new", "agent", name, "--for", "claude-code"]).status, 0, "{name}");
    }
}

#[test]
fn a_new_file_may_be_in_another_project() {
    let folder =
        Folder::with(&[("p/AGENTS.md", ""), ("p/.claude/x", ""), ("p/日本/.cursor/x", "")]);
    let answer = folder.run(&["new", "agent", "brew", "--for", "claude-code", "--root", "p"]);
    assert_eq!((answer.status, answer.out.as_str()), (0, "p/.claude/agents/brew.md\n"));
    assert!(folder.path("p/.claude/agents/brew.md").is_file());
    let answer = folder.run(&["new", "rule", "brew", "--root", "p/日本"]);
    assert_eq!((answer.status, answer.out.as_str()), (0, "p/日本/.cursor/rules/brew.mdc\n"));
    let none = folder.run(&["new", "agent", "x", "--for", "claude-code", "--root", "nowhere"]);
    assert!(none.status == 2 && none.err.contains("nowhere"), "{none:?}");
}

#[test]
fn wrong_clients_of_settings_are_reported_with_their_file() {
    let folder = Folder::with(&[("agentmd.toml", "clients = [\"codx\"]\n"), ("AGENTS.md", "x\n")]);
    for command in ["loaded", "cost", "graph"] {
        let answer = folder.run(&[command]);
        assert_eq!(answer.status, 2, "{answer:?}");
        assert!(
            answer.err.contains("agentmd.toml: unknown client `codx`; did you mean `codex`?"),
            "{}",
            answer.err
        );
    }
}

#[test]
fn renaming_a_key_adds_the_key_that_it_needs() {
    let folder =
        Folder::with(&[(".kiro/steering/a.md", "---\nglobs: \"**/*.ts\"\n---\n\nUse tabs.\n")]);
    let answer = folder.run(&["check", "--for", "kiro", "--format", "json", "."]);
    let json: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    let fix = &json["files"][0]["diagnostics"][0]["fixes"][0];
    let texts: Vec<&str> =
        fix["edits"].as_array().unwrap().iter().filter_map(|edit| edit["text"].as_str()).collect();
    assert_eq!(texts, ["inclusion: fileMatch\n", "fileMatchPattern"], "{json:#}");
    folder.write(
        ".kiro/steering/a.md",
        "---\ninclusion: manual\nglobs: \"**/*.ts\"\n---\n\nUse tabs.\n",
    );
    let answer = folder.run(&["check", "--for", "kiro", "--format", "json", "."]);
    assert!(!answer.out.contains("inclusion: fileMatch\\n"), "{}", answer.out);
}

#[test]
fn a_new_program_passes_check_and_can_be_rendered() {
    let folder = Folder::empty();
    let answer = folder.run(&["new", "program", "brew-tea"]);
    assert_eq!((answer.status, answer.out.as_str()), (0, "brew-tea.md\n"), "{}", answer.err);
    assert_eq!(folder.run(&["parse", "brew-tea.md"]).json()["format"], "markdownlang");
    let check = folder.run(&["check", ".", "--verbose"]);
    assert_eq!(check.out, "No problems in the file.\n");
    let text = folder.run(&["render", "brew-tea.md", "--input", "{\"text\": \"日本\"}"]);
    assert!(text.status == 0 && text.out.ends_with("\n日本\n"), "{text:?}");
    for (call, status, said) in [
        (&["new", "program", "brew-tea"][..], 1, "brew-tea.md already exists"),
        (&["new", "program", "AGENTS"], 1, "a file of this name is not read as a program"),
        (&["new", "program", "Brew Tea"], 1, "was not written: "),
        (&["new", "program", "x", "--for", "codex"], 2, "no client reads programs"),
    ] {
        let answer = folder.run(call);
        assert_eq!((answer.status, answer.out.as_str()), (status, ""), "{call:?}: {}", answer.err);
        assert!(answer.err.contains(said), "{call:?}: {}", answer.err);
    }
}

#[test]
fn a_misplaced_file_that_is_checked_alone_is_no_hint() {
    let folder = Folder::with(&[
        (".claude/skills/tea/a.md", SKILL),
        (".claude/skills/tea/b.md", SKILL),
        (".claude/skills/tea/c.md", SKILL),
    ]);
    let count = |arguments: &[&str]| {
        let found = folder.run(&[&["check"], arguments].concat());
        found.out.matches("error[agent/misplaced-file]").count()
    };
    assert_eq!(count(&["."]), 1);
    let [b, c] = [".claude/skills/tea/b.md", ".claude/skills/tea/c.md"];
    assert_eq!((count(&[b]), count(&[c]), count(&[b, c])), (1, 1, 1));
}

#[test]
fn a_severity_in_the_settings_counts_for_hints_too() {
    let agent = "---\nname: cook\ndescription: Use when: somebody cooks 日本\n---\n\nCook.\n";
    let folder = Folder::with(&[(".claude/agents/cook.md", agent)]);
    let severity = || {
        let answer = folder.run(&["check", "--verbose", "--format", "json"]).json();
        answer["files"][0]["diagnostics"][0]["severity"].clone()
    };
    assert_eq!(severity(), "hint");
    // One of these is what the rule has anyway.
    for wanted in ["warning", "error"] {
        let settings = format!("[rules]\n\"agent/front-matter\" = \"{wanted}\"\n");
        folder.write("agentmd.toml", settings);
        assert_eq!(severity(), wanted);
    }
}
