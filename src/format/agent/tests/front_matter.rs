//! Mistakes that authors make in front matter: the findings, and the text after safe fixes.

use super::*;

const BODY: &str = "\nDo it.\n";

fn workspace(path: &str, clients: &[&str], text: &str) -> Workspace {
    Workspace::new(path, text).clients(clients)
}

/// The findings, and the text after the safe fixes.
fn outcome(path: &str, clients: &[&str], text: &str) -> (Vec<String>, String) {
    let workspace = workspace(path, clients, text);
    let found = workspace.found().into_iter();
    let shown =
        found.map(|found| format!("{} {}", found.rule.code, &workspace.text[found.span.clone()]));
    (shown.collect(), workspace.fixed())
}

const SKILL: &str = ".agents/skills/tea/SKILL.md";
const AGENT: &str = ".claude/agents/tea.md";
const RULE: &str = ".claude/rules/tea.md";

#[test]
fn a_wrong_opening_line_is_one_finding_with_its_repair() {
    let keys = "name: tea\ndescription: 日本";
    let wanted = format!("---\n{keys}\n---\n{BODY}");
    for (path, clients, first) in [
        (SKILL, &["codex", "cline"] as &[&str], ""),
        (SKILL, &["codex"], "--\n"),
        (AGENT, &["claude-code"], "----\n"),
        (AGENT, &["claude-code"], "\u{2014}\n"),
        (AGENT, &["claude-code"], " ---\n"),
    ] {
        let text = format!("{first}{keys}\n---\n{BODY}");
        let (found, fixed) = outcome(path, clients, &text);
        let line = if first.is_empty() { "name: tea" } else { first.trim() };
        assert_eq!(found, [format!("agent/missing-front-matter {line}")], "{text}");
        assert_eq!(fixed, wanted);
    }
    // If a client reads the file anyway, its keys are still lost.
    for (path, keys) in [
        (RULE, "paths: \"src/**\""),
        (".claude/commands/tea.md", "description: 日本\nargument-hint: \"[x]\""),
    ] {
        let (found, fixed) = outcome(path, &["claude-code"], &format!("{keys}\n---\n{BODY}"));
        let line = keys.lines().next().unwrap();
        let codes: Vec<_> =
            found.iter().filter(|found| found.contains("missing-front-matter")).collect();
        assert_eq!(codes, [&format!("agent/missing-front-matter {line}")]);
        assert_eq!(fixed, format!("---\n{keys}\n---\n{BODY}"));
    }
    // Codex ignores spaces on both sides.
    let indented = format!(" ---\n{keys}\n---\n{BODY}");
    assert_eq!(workspace(SKILL, &["codex"], &indented).judged(), ["Codex ✓"]);
    let indented = format!("---\n{keys}\n  ---\n{BODY}");
    assert_eq!(workspace(SKILL, &["codex"], &indented).judged(), ["Codex ✓"]);
    assert_eq!(workspace(SKILL, &["codex"], &indented).shown(), [""; 0]);
    // A fence or TOML is repaired only on request.
    for text in [
        format!("```yaml\n{keys}\n```\n{BODY}"),
        format!("+++\nname = \"tea\"\ndescription = \"日本\"\n+++\n{BODY}"),
    ] {
        let workspace = workspace(SKILL, &["codex"], &text);
        assert_eq!(workspace.fixed(), text);
        let fix = workspace.found().remove(0).fixes.remove(0);
        let after = apply(&text, &fix.edits).unwrap();
        assert_eq!(Workspace::new(SKILL, &after).clients(&["codex"]).found(), [], "{after}");
    }
}

#[test]
fn front_matter_with_one_key_that_is_never_closed() {
    for (path, client, keys) in [
        (RULE, "claude-code", "paths: \"src/**\""),
        (".claude/commands/tea.md", "claude-code", "description: 日本"),
        (".opencode/commands/tea.md", "opencode", "description: 日本"),
        (".clinerules/tea.md", "cline", "paths: [\"src/**\"]"),
        (".cursor/rules/tea.mdc", "cursor", "alwaysApply: true"),
        (".kiro/steering/tea.md", "kiro", "inclusion: manual"),
        (".windsurf/rules/tea.md", "windsurf", "trigger: manual"),
        (AGENT, "claude-code", "name: tea"),
        (SKILL, "codex", "name: tea"),
    ] {
        let text = format!("---\n{keys}\n\n# Tea\n{BODY}");
        let (mut found, fixed) = outcome(path, &[client], &text);
        found.retain(|found| !found.contains("-glob "));
        assert_eq!(found, ["agent/front-matter ---"], "{path}");
        assert_eq!(fixed, format!("---\n{keys}\n---\n\n# Tea\n{BODY}"), "{path}");
    }
    // A rule between sections doesn't open front matter.
    let text = "---\nNote: brew it\n\nText.\n";
    assert_eq!(outcome(RULE, &["claude-code"], text).0, [""; 0]);
}

#[test]
fn a_line_of_dashes_ends_only_front_matter_that_every_client_reads() {
    for (above, line, below, safe) in [
        ("name: tea\ndescription: 日本", "-----", "", true),
        ("name: tea\ndescription: Brews: 日本", "\u{2014}", "", true),
        ("name: tea\nname: pot", "\u{2014}", "", false),
        ("name: tea\ndescription: 日本", "- - -", "\nlicense: MIT\n---", false),
        ("name: tea", "\u{2014}", "\ndescription: 日本\n---", false),
    ] {
        let text = format!("---\n{above}\n{line}{below}\n{BODY}\n---\n");
        let (found, fixed) = outcome(SKILL, &["codex"], &text);
        assert_eq!(found, [format!("agent/front-matter {line}")]);
        assert_eq!(fixed != text, safe, "{text}");
    }
}

#[test]
fn a_key_without_its_colon_is_never_part_of_a_name() {
    for (lines, wanted) in [
        ("name: tea\ndescription = brews tea", "name: tea\ndescription: brews tea"),
        ("name: tea\ndescription\u{ff1a}brews 日本", "name: tea\ndescription: brews 日本"),
        ("name\u{ff1a}tea\ndescription\u{ff1a}brews", "name: tea\ndescription: brews"),
        ("name = \"tea\"\ndescription = \"brews\"", "name: \"tea\"\ndescription: \"brews\""),
        (
            "\"name\": \"tea\",\n\"description\": \"brews\"",
            "\"name\": \"tea\"\n\"description\": \"brews\"",
        ),
        ("name: tea\ndescription: 'brews',", "name: tea\ndescription: 'brews'"),
    ] {
        let text = format!("---\n{lines}\n---\n{BODY}");
        let (found, fixed) = outcome(SKILL, &["codex", "cline"], &text);
        assert_eq!(fixed, format!("---\n{wanted}\n---\n{BODY}"), "{found:?}");
    }
    let text = format!("---\nname: tea\ndescription brews tea\nlicense: MIT\n---\n{BODY}");
    let workspace = workspace(SKILL, &["codex"], &text);
    assert_eq!(workspace.shown(), ["agent/front-matter description "]);
    assert_eq!(workspace.fixed(), text);
    let fix = &workspace.found()[0].fixes[0];
    assert_eq!(apply(&text, &fix.edits).unwrap(), text.replace("description ", "description: "));
}

#[test]
fn a_tag_is_reported_where_it_is() {
    for (path, client, lines, marked, wanted) in [
        (
            ".clinerules/tea.md",
            "cline",
            "paths:\n  - \"src/**\"\n  - !lib/**",
            "!lib/**",
            "paths:\n  - \"src/**\"\n  - \"!lib/**\"",
        ),
        (RULE, "claude-code", "paths: !src/日本", "!src/日本", "paths: \"!src/日本\""),
        (
            SKILL,
            "codex",
            "name: tea\ndescription: !important x",
            "!important",
            "name: tea\ndescription: \"!important x\"",
        ),
    ] {
        let text = format!("---\n{lines}\n---\n{BODY}");
        let (found, fixed) = outcome(path, &[client], &text);
        let found: Vec<_> = found.iter().filter(|found| !found.contains("glob")).collect();
        assert_eq!(found, [&format!("agent/front-matter {marked}")], "{text}");
        assert_eq!(fixed, format!("---\n{wanted}\n---\n{BODY}"));
    }
}

#[test]
fn a_sentence_below_a_description_is_not_a_key() {
    for lines in [
        "name: tea\ndescription: Brews tea.\nUse when: the user asks.\nlicense: MIT",
        "name: tea\ndescription: |\nUse when: asked 日本\nWhat: brews\nlicense: MIT",
        "name: tea\ndescription: Brews tea.\nNote: hot\nUse when: asked\nlicense: MIT",
    ] {
        let text = format!("---\n{lines}\n---\n{BODY}");
        let (found, fixed) = outcome(SKILL, &["codex", "cline"], &text);
        assert_eq!(found, ["agent/front-matter Use when"], "{text}");
        assert_eq!(outcome(SKILL, &["codex", "cline"], &fixed).0, [""; 0], "{fixed}");
        assert!(fixed.contains("  Use when: ") && fixed.contains("\nlicense: MIT\n"), "{fixed}");
    }
    // A key that the author invented stays a key.
    for line in [
        "Last Updated: 2026-01-01",
        "Created by: 日本",
        "Tested on: Linux",
        "Allowed tools: Read, Grep and Bash",
        "Argument hint: a kettle or a pot",
    ] {
        let text = format!("---\nname: tea\ndescription: Brews.\n{line}\n---\n{BODY}");
        let (found, fixed) = outcome(SKILL, &["codex", "cline"], &text);
        assert!(!found.iter().any(|found| found.starts_with("agent/front-matter")), "{found:?}");
        assert!(!fixed.contains(&format!("  {line}")), "{fixed}");
    }
    // A sentence that isn't about when to use something may be a key, too.
    let line = "User story: the guest drinks 日本 tea";
    let text = format!("---\nname: tea\ndescription: Brews.\n{line}\n---\n{BODY}");
    let (found, fixed) = outcome(SKILL, &["codex"], &text);
    assert_eq!((found, fixed), (vec!["agent/front-matter User story".to_owned()], text));
}

#[test]
fn one_cause_is_one_finding() {
    let clients = &["codex", "cline", "gemini", "copilot"];
    for (lines, most) in [
        ("name: tea\ndescription:", 1),
        ("name: tea\ndescription: null", 1),
        ("name: tea\ndescription: 42", 1),
        ("name: 123\ndescription: tea", 1),
        ("", 1),
        ("- name: tea\n- description: tea", 1),
        ("tea", 1),
    ] {
        let text = format!("---\n{lines}\n---\n{BODY}").replace("---\n\n---", "---\n---");
        let (found, _) = outcome(SKILL, clients, &text);
        let found: Vec<_> = found.iter().filter(|found| !found.contains("name-folder")).collect();
        assert!(found.len() <= most, "{text}: {found:?}");
        let said = workspace(SKILL, clients, &text).found();
        assert!(said.iter().all(|found| !found.message.contains("JSON")), "{text}");
    }
    let text = format!("---\nname: tea\ndescription: x\ntools: \"Read\", \"Grep\"\n---\n{BODY}");
    assert_eq!(
        outcome(AGENT, &["claude-code"], &text).0,
        ["agent/front-matter \"Read\", \"Grep\""]
    );
}

#[test]
fn spaces_after_a_delimiter_matter_to_some_clients() {
    let text =
        |first: &str, last: &str| format!("{first}\nname: tea\ndescription: x\n{last}\n{BODY}");
    let judged =
        |text: &str| workspace(SKILL, &["codex", "gemini", "opencode", "cline"], text).judged();
    let spaced = text("--- ", "---");
    assert_eq!(
        judged(&spaced),
        ["Codex ✓", "Gemini CLI: not loaded", "OpenCode ✓", "Cline: not loaded"]
    );
    assert_eq!(
        outcome(SKILL, &["gemini"], &spaced),
        (vec!["agent/missing-front-matter  ".to_owned()], text("---", "---"))
    );
    let spaced = text("---", "--- ");
    assert_eq!(judged(&spaced), ["Codex ✓", "Gemini CLI: partly", "OpenCode ✓", "Cline ✓"]);
    assert_eq!(
        outcome(SKILL, &["gemini"], &spaced),
        (vec!["agent/front-matter  ".to_owned()], text("---", "---"))
    );
    assert_eq!(outcome(SKILL, &["codex", "cline"], &spaced).0, [""; 0]);
    let longer = text("---", "----");
    assert_eq!(
        judged(&longer),
        ["Codex: not loaded", "Gemini CLI: partly", "OpenCode ✓", "Cline ✓"]
    );
    assert_eq!(
        outcome(SKILL, &["codex", "gemini"], &longer),
        (vec!["agent/front-matter ----".to_owned()], text("---", "---"))
    );
}

#[test]
fn most_clients_continue_a_quoted_value_at_column_0() {
    let text = format!("---\nname: tea\ndescription: \"tea\nmore: 日本\nend\"\n---\n{BODY}");
    let judged = |clients: &[&str]| workspace(SKILL, clients, &text).judged();
    assert_eq!(
        judged(&["codex", "opencode", "cline", "claude-code"])[..3],
        ["Codex ✓", "OpenCode ✓", "Cline ✓"]
    );
    assert_eq!(workspace(SKILL, &["codex", "cline"], &text).shown(), [""; 0]);
    let fixed = workspace(SKILL, &["codex", "cline"], &text).fixed();
    assert!(fixed.contains("\n  more: 日本\n  end\"\n"), "{fixed}");
}

#[test]
fn a_boolean_in_quotes_is_reported_as_text() {
    let path = ".cursor/rules/tea.mdc";
    for (value, message) in [
        ("\"true\"", "`alwaysApply` is text in quotes; expected `true` or `false`"),
        ("true # always", "the comment is part of `alwaysApply`; expected `true` or `false`"),
    ] {
        let text = format!("---\nalwaysApply: {value}\n---\n{BODY}");
        let found = workspace(path, &["cursor"], &text).found();
        assert!(found[0].message.starts_with(message), "{}", found[0].message);
    }
}

#[test]
fn delimiters_of_an_agent_of_gemini() {
    let keys = "name: tea\ndescription: 日本";
    for (path, kind) in
        [(".gemini/agents/tea.md", "agent"), (".gemini/skills/tea/SKILL.md", "skill")]
    {
        for (opening, closing, rule, lost) in [
            ("---  ", "---", "agent/missing-front-matter", format!("{kind} not loaded")),
            ("\u{feff}---", "---", "agent/missing-front-matter", format!("{kind} not loaded")),
            ("---", "--- ", "agent/front-matter", "the text below".to_owned()),
        ] {
            let text = format!("{opening}\n{keys}\n{closing}\n{BODY}");
            let found = workspace(path, &["gemini"], &text).found();
            let [found] = found.as_slice() else { panic!("{text:?}: {found:?}") };
            assert_eq!(found.rule.code, rule, "{text:?}");
            assert!(found.message.contains(&lost), "{}", found.message);
            let (_, fixed) = outcome(path, &["gemini"], &text);
            assert_eq!(fixed, format!("---\n{keys}\n---\n{BODY}"));
        }
    }
}

#[test]
fn closing_front_matter_loses_no_key_and_leaves_it_readable() {
    for (text, fixed) in [
        ("---\nname: tea\ndescription: d\n\n# 日本\n\nDo it.\n", true),
        ("---\nname: tea\ndescription: a: b\n\n# 日本\n\nDo it.\n", true),
        ("---\nname: tea\n\n# 日本\n\ndescription: d\n\nDo it.\n", false),
        ("---\nname: tea\ndescription: d\nand on\nlicense: MIT\n\nDo it.\n", false),
        ("---\nname: tea\n----\ndescription: d\n\nDo it.\n", false),
        ("---\nname: tea\ndescription: [a\n\n# 日本\n\nDo it.\n", false),
    ] {
        let workspace = workspace(SKILL, &["codex", "cline", "gemini"], text);
        assert!(!workspace.found().is_empty());
        let mut after = workspace.fixed();
        assert_eq!(after != text, fixed, "{after}");
        if fixed {
            let read =
                |text: &str| Workspace::new(SKILL, text).clients(&["codex", "cline", "gemini"]);
            after = read(&after).fixed();
            let after = read(&after);
            assert_eq!(after.judged(), ["Codex ✓", "Gemini CLI ✓", "Cline ✓"], "{}", after.text);
        }
    }
}

#[test]
fn prose_that_ends_at_a_number_sign() {
    let text = |value: &str, end: &str| {
        format!(
            "---{end}name: tea{end}description: {value}{end}license: MIT{end}---{end}{end}x{end}"
        )
    };
    let found = |value: &str, end: &str| {
        let workspace = Workspace::new(".claude/skills/tea/SKILL.md", &text(value, end))
            .clients(&["claude-code"]);
        let found = workspace.found();
        let first = found.first().map(|found| {
            let fixed = apply(&workspace.text, &found.fixes[0].edits).unwrap();
            (workspace.text[found.span.clone()].to_owned(), found.severity, fixed)
        });
        assert!(found.len() < 2, "{value}: {found:?}");
        first
    };
    for (value, told, quoted) in [
        ("Pours 日本 #1 of the day", "#1 of the day", "\"Pours 日本 #1 of the day\""),
        ("Fixes 🦆  #12  ", "#12", "\"Fixes 🦆  #12\"  "),
        ("Pours tea\n  and #1 coffee", "#1 coffee", "\"Pours tea and #1 coffee\""),
        ("Say \"hi\" #tea", "#tea", "'Say \"hi\" #tea'"),
    ] {
        for end in ["\n", "\r\n"] {
            let value = &value.replace('\n', end);
            let wanted = (told.to_owned(), Severity::Warning, text(quoted, end));
            assert_eq!(found(value, end), Some(wanted), "{value}");
        }
    }
    for value in
        ["Tea # hot", "C# and F#", "\"Tea #1\"", "'a' #1", "Tea ## 1", "|\n  Tea #1", "Tea\n# x"]
    {
        assert_eq!(found(value, "\n"), None, "{value}");
    }
}

#[test]
fn a_duplicate_key_is_reported_for_every_client() {
    let text = "---\nname: tea\ndescription: 日本\ndescription: Tea\n---\n\nx\n";
    for (path, client) in [
        (".github/skills/tea/SKILL.md", "copilot"),
        (".gemini/skills/tea/SKILL.md", "gemini"),
        ("skills/tea/SKILL.md", "spec"),
        (".claude/skills/tea/SKILL.md", "claude-code"),
    ] {
        let found = loud(path, text, client, &[]);
        assert_eq!(found, ["agent/front-matter description"], "{client}");
    }
}

#[test]
fn values_become_what_their_key_accepts() {
    let fixed = |path: &str, client: &str, value: &str| {
        let text = format!("---\ndescription: 日本\n{value}\n---\n\nx\n");
        let workspace = Workspace::new(path, &text).clients(&[client]).with("src/a.ts");
        let found = workspace.found();
        let fix = found.iter().flat_map(|found| &found.fixes).next().expect("a fix");
        let fixed = apply(&workspace.text, &fix.edits).unwrap();
        let again = Workspace::new(path, &fixed).clients(&[client]).with("src/a.ts").found();
        assert!(again.is_empty(), "{fixed} {again:?}");
        let before = "---\ndescription: 日本\n";
        fixed.strip_prefix(before).unwrap().strip_suffix("\n---\n\nx\n").unwrap().to_owned()
    };
    let instructions = ".github/instructions/a.instructions.md";
    let (cline, cursor) = (".clinerules/a.md", ".cursor/rules/a.mdc");
    for (path, client, value, expected) in [
        (instructions, "copilot", "applyTo:\n- \"**/*.ts\"\n- src/*", "applyTo: \"**/*.ts,src/*\""),
        (instructions, "copilot", "applyTo:\n  - \"**/*.ts\"", "applyTo: \"**/*.ts\""),
        (instructions, "copilot", "globs:\n- src/**", "applyTo: \"src/**\""),
        (cline, "cline", "paths: src/**/*.{ts,js}, src/*", "paths: [\"src/**/*.{ts,js}\", src/*]"),
        (cline, "cline", "globs: src/**", "paths: [src/**]"),
        (cursor, "cursor", "paths:\n- src/**\n- src/*", "globs: src/**,src/*"),
        (cursor, "cursor", "applyTo: \"**/*.ts\"", "globs: **/*.ts"),
    ] {
        assert_eq!(fixed(path, client, value), expected, "{value}");
    }
}

#[test]
fn every_mention_of_an_unknown_tool_is_replaced() {
    for (tools, expected) in [
        ("Read, grep, grep", "Read, Grep"),
        ("[grep, Read, grep]", "[Grep, Read]"),
        ("\n- grep\n- Read\n- grep", "\n- Grep\n- Read\n- Grep"),
    ] {
        let text =
            |tools: &str| format!("---\nname: a\ndescription: 日本\ntools: {tools}\n---\n\nx\n");
        let workspace =
            Workspace::new(".claude/agents/a.md", &text(tools)).clients(&["claude-code"]);
        let found = workspace.found();
        let fix = found.iter().flat_map(|found| &found.fixes).next().expect("a fix");
        assert_eq!(apply(&workspace.text, &fix.edits).unwrap(), text(expected), "{tools}");
    }
}

#[test]
fn a_space_that_yaml_does_not_know_is_replaced() {
    for space in ["\u{a0}", "\u{3000}", "\u{a0} "] {
        let text = |space: &str| format!("---\nname:{space}tea\ndescription: 日本\n---\n{BODY}");
        let (found, fixed) = outcome(".codex/skills/tea/SKILL.md", &["codex"], &text(space));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("agent/front-matter name:"), "{found:?}");
        assert_eq!(fixed, text(" "), "{space:?}");
    }
}
