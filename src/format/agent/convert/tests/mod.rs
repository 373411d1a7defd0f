//! Conversions of files, each with what the other client then does with them.

mod corpus;
mod globs;
mod round_trip;

use std::path::Path;

use super::{Conversion, Refusal, convert, named, origin, places, targets};
use crate::client::{Kind, Outcome};
use crate::config::{Config, Options};
use crate::document::Document;
use crate::format::Context;
use crate::format::agent::verdict::{self, Verdict};
use crate::world::Memory;

/// Converts the file at a path.
fn converted(path: &str, text: &str, to: &str) -> Result<Conversion, Refusal> {
    let origin = origin(Path::new("/w"), &Path::new("/w").join(path), None).expect(path);
    convert(text, &origin, named(to, None).expect(to))
}

fn done(path: &str, text: &str, to: &str) -> Conversion {
    converted(path, text, to).unwrap_or_else(|refusal| panic!("{path} to {to}: {refusal}"))
}

fn lines(conversion: &Conversion) -> Vec<String> {
    conversion.dropped.iter().map(super::Dropped::line).collect()
}

/// What a client does with a new file.
fn verdict(client: &str, path: &str, text: &str) -> Option<Verdict> {
    let root = Path::new("/w");
    let path = root.join(path);
    let options = Options { clients: vec![client.to_owned()], ..Options::default() };
    let config = Config::new(root.to_owned(), options).unwrap();
    let world = Memory::default().in_folder(root).with(&path, text);
    let document = Document::new(text, Some(&path), &config);
    let cx = Context::new(document.source(), Some(&path), &world, &config);
    let (_, found) = verdict::verdicts(&cx)?;
    found.into_iter().find(|verdict| verdict.client == client)
}

const AGENT: &str = "---\n# Reviews only.\nname: reviewer\ndescription: \"Reviews code: all of it\"\ntools: Read, Grep, Bash(git *), mcp__tracker__list\nmodel: sonnet\nmaxTurns: 5\ncolor: red\n---\n\nReview it.\n";

#[test]
fn an_agent_keeps_what_the_other_client_has() {
    let found = done(".claude/agents/reviewer.md", AGENT, "copilot-agent");
    assert_eq!(found.path, ".github/agents/reviewer.agent.md");
    assert_eq!(
        found.text,
        "---\n# Reviews only.\nname: reviewer\ndescription: \"Reviews code: all of it\"\ntools: [read, search, execute, tracker/list]\n---\n\nReview it.\n"
    );
    let lines = lines(&found);
    for dropped in ["`tools: Bash(git *)`", "`model: sonnet`", "`maxTurns: 5`", "`color: red`"] {
        assert!(lines.iter().any(|line| line.starts_with(dropped)), "{dropped}: {lines:?}");
    }
    assert_eq!(lines.len(), 4, "{lines:?}");

    let found = done(".claude/agents/reviewer.md", AGENT, "gemini-agent");
    assert!(
        found
            .text
            .contains("\ntools: [read_file, grep_search, run_shell_command, mcp_tracker_list]\n"),
        "{}",
        found.text
    );
    assert!(found.text.contains("\nmax_turns: 5\n"), "{}", found.text);
    let found = done(".claude/agents/reviewer.md", AGENT, "opencode-agent");
    assert!(
        found.text.contains("\ntools:\n  \"*\": false\n  read: true\n  grep: true\n  bash: true\n  tracker_list: true\n"),
        "{}",
        found.text
    );
    assert!(
        found.text.contains("\nsteps: 5\n") && found.text.contains("\nmode: subagent\n"),
        "{}",
        found.text
    );
    let found = done(".claude/agents/reviewer.md", AGENT, "codex-agent");
    assert_eq!(found.path, ".codex/agents/reviewer.toml");
    assert!(
        found.text.contains("\ndeveloper_instructions = '''\nReview it.\n'''\n"),
        "{}",
        found.text
    );
    assert!(lines_of(&found, "tools").len() == 1, "{:?}", found.dropped);
}

fn lines_of(conversion: &Conversion, key: &str) -> Vec<String> {
    let of = conversion.dropped.iter().filter(|dropped| dropped.key.as_deref() == Some(key));
    of.map(super::Dropped::line).collect()
}

#[test]
fn switches_become_lists_and_lists_switches() {
    let only = "---\ndescription: d\ntools:\n  \"*\": false\n  read: true\n---\nx\n";
    let found = done(".opencode/agents/a.md", only, "claude-agent");
    assert!(found.text.contains("\ntools: [Read]\n"), "{}", found.text);
    let off = "---\ndescription: d\ntools:\n  bash: false\n  read: true\n---\nx\n";
    let found = done(".opencode/agents/a.md", off, "claude-agent");
    assert!(
        found.text.contains("\ndisallowedTools: [Bash]\n") && !found.text.contains("\ntools:"),
        "{}",
        found.text
    );
    let found = done(".opencode/agents/a.md", off, "copilot-agent");
    assert_eq!(lines_of(&found, "tools").len(), 1, "{:?}", found.dropped);
}

#[test]
fn keys_without_effect_in_either_client_stay_in_a_skill() {
    let skill = "---\nname: a\ndescription: d\nversion: 1.0\nlicense: MIT\n---\n\nx\n";
    let found = done(".claude/skills/a/SKILL.md", skill, "codex-skill");
    assert!(
        found.text.contains("\nversion: 1.0\nlicense: MIT\n") && found.dropped.is_empty(),
        "{found:?}"
    );
    // In an agent, it's dropped; the name isn't lost, because it's that of the file.
    let agent = "---\nname: a\ndescription: d\nversion: 1.0\ntools: [ask, read]\n---\n\nx\n";
    let found = done(".claude/agents/a.md", agent, "opencode-agent");
    assert_eq!(lines_of(&found, "version").len(), 1, "{:?}", found.dropped);
    assert_eq!(lines_of(&found, "name"), [""; 0], "{:?}", found.dropped);
    // A subagent never gets this tool.
    let asks = "---\nname: a\ndescription: d\ntools: [ask_user, read_file]\n---\nx\n";
    let found = done(".gemini/agents/a.md", asks, "claude-agent");
    assert!(found.text.contains("\ntools: [Read]\n"), "{}", found.text);
    assert_eq!(lines_of(&found, "tools").len(), 1, "{:?}", found.dropped);
}

#[test]
fn limits_and_arguments_stay_for_the_same_client() {
    let tools = "allowed-tools: Bash(gh issue view:*), Read(src/**), mcp__gh__*";
    let body = "Brew 日本 with $1, then \\$2.\n";
    for (path, to) in [
        (".claude/commands/brew.md", "claude-skill"),
        (".claude/skills/brew/SKILL.md", "claude-command"),
    ] {
        let text = format!("---\nname: brew\ndescription: d\n{tools}\n---\n\n{body}");
        let found = done(path, &text, to);
        for item in ["Bash(gh issue view:*)", "Read(src/**)", "mcp__gh__*"] {
            assert!(found.text.contains(item), "{}", found.text);
        }
        assert!(found.text.ends_with(&format!("\n\n{body}")), "{}", found.text);
        assert_eq!(lines_of(&found, "allowed-tools"), [""; 0]);
    }
    // Another client would run every command: that is listed.
    let agent = "---\nname: a\ndescription: d\ntools: Bash(git diff:*), Read\n---\n\nx\n";
    let found = done(".claude/agents/a.md", agent, "copilot-agent");
    assert_eq!(
        lines_of(&found, "tools"),
        ["`tools: Bash(git diff:*)`: limits aren't converted: `execute` may do more"]
    );
}

#[test]
fn a_rule_is_loaded_with_the_same_files() {
    let rule =
        "---\ndescription: Tests\nglobs: src/**/*.ts,test/**\nalwaysApply: false\n---\n\nTest.\n";
    for (to, path, part) in [
        (
            "copilot-instructions",
            ".github/instructions/x.instructions.md",
            "\napplyTo: src/**/*.ts,test/**\n",
        ),
        ("claude-rule", ".claude/rules/x.md", "paths: [src/**/*.ts, test/**]\n"),
        (
            "kiro-rule",
            ".kiro/steering/x.md",
            "\ninclusion: fileMatch\nfileMatchPattern: [src/**/*.ts, test/**]\n",
        ),
        ("windsurf-rule", ".windsurf/rules/x.md", "\ntrigger: glob\nglobs: src/**/*.ts,test/**\n"),
        ("cline-rule", ".clinerules/x.md", "\npaths: [src/**/*.ts, test/**]\n"),
    ] {
        let found = done(".cursor/rules/x.mdc", rule, to);
        assert_eq!(found.path, path);
        assert!(found.text.contains(part), "{to}: {}", found.text);
        assert!(found.text.ends_with("\n\nTest.\n"), "{to}");
    }
    let always = "---\nalwaysApply: true\n---\nx\n";
    assert!(
        done(".cursor/rules/x.mdc", always, "windsurf-rule").text.contains("trigger: always_on")
    );
    assert!(done(".cursor/rules/x.mdc", always, "copilot-rule").text.contains("applyTo: \"**\""));
    assert!(!done(".cursor/rules/x.mdc", always, "claude-rule").text.contains("---"));
    let choice = "---\ndescription: When testing\nalwaysApply: false\n---\nx\n";
    assert!(done(".cursor/rules/x.mdc", choice, "kiro-rule").text.contains("inclusion: auto"));
    let found = done(".cursor/rules/x.mdc", choice, "claude-rule");
    assert!(
        lines(&found).iter().any(|line| line.contains("always loads the rule")),
        "{:?}",
        found.dropped
    );
    let back = "---\ntrigger: glob\nglobs: \"*.{a,b},c\"\n---\nx\n";
    let found = done(".windsurf/rules/x.md", back, "cursor-rule");
    assert!(
        found.text.contains("globs: *.{a,b},c\n") && found.text.contains("alwaysApply: false\n"),
        "{}",
        found.text
    );
}

#[test]
fn arguments_files_and_commands_follow_the_client() {
    let command = "---\ndescription: Fix\nargument-hint: \"[issue] [branch]\"\n---\n\nFix $0 on $1, with @src/a.ts and !`git log $0`: $ARGUMENTS\n";
    for (to, path, part) in [
        (
            "codex-prompt",
            ".codex/prompts/fix.md",
            "Fix $1 on $2, with @src/a.ts and !`git log $0`: $ARGUMENTS",
        ),
        (
            "opencode-command",
            ".opencode/commands/fix.md",
            "Fix $1 on $2, with @src/a.ts and !`git log $1`: $ARGUMENTS",
        ),
        (
            "copilot-prompt",
            ".github/prompts/fix.prompt.md",
            "Fix ${input:argument1} on ${input:argument2}, with #file:src/a.ts and",
        ),
        (
            "gemini-command",
            ".gemini/commands/fix.toml",
            "with @{src/a.ts} and !{git log $0}: {{args}}",
        ),
    ] {
        let found = done(".claude/commands/fix.md", command, to);
        assert_eq!(found.path, path);
        assert!(found.text.contains(part), "{to}: {}", found.text);
    }
    let found = done(".claude/commands/fix.md", command, "codex-prompt");
    assert!(
        lines(&found).iter().any(|line| line.contains("doesn't run commands")),
        "{:?}",
        found.dropped
    );
    // If there's only one argument, it equals all of them.
    let one = done(".claude/commands/one.md", "Look at $0.\n", "gemini-command");
    assert!(one.text.contains("Look at {{args}}.") && one.dropped.is_empty(), "{one:?}");
    // Inputs become named arguments, and the reverse.
    let prompt = "---\nagent: agent\n---\nWrite ${input:topic:What about?} in ${input:lang}.\n";
    let found = done(".github/prompts/w.prompt.md", prompt, "claude-command");
    assert!(
        found.text.contains("arguments: [topic, lang]\n")
            && found.text.contains("Write $topic in $lang."),
        "{}",
        found.text
    );
    let back = done(".claude/commands/w.md", &found.text, "copilot-prompt");
    assert!(back.text.contains("Write ${input:topic} in ${input:lang}."), "{}", back.text);
}

#[test]
fn prompts_of_codex_are_not_yaml() {
    let prompt = "---\ndescription: Draws: 日本\nargument-hint: [a] [b]\n---\n\nDraw.\n";
    let found = done(".codex/prompts/draw.md", prompt, "claude-command");
    let text = "---\ndescription: \"Draws: 日本\"\nargument-hint: \"[a] [b]\"\n---\n\nDraw.\n";
    assert_eq!(found.text, text);
    // Other programs read a prompt as YAML, so it stays YAML if Codex reads the same values.
    assert_eq!(done(".claude/commands/draw.md", &found.text, "codex-prompt").text, text);
    let quotes = "---\ndescription: \"\\\"a\\\": 'b'\"\n---\n\nDraw.\n";
    let found = done(".claude/commands/draw.md", quotes, "codex-prompt");
    assert_eq!(found.text, "---\ndescription: \"a\": 'b'\n---\n\nDraw.\n");
    let lines = "---\ndescription: >-\n  Draws\n  it\n---\n\nDraw.\n";
    let found = done(".codex/prompts/draw.md", lines, "claude-command");
    assert!(found.text.contains("description: Draws it\n"), "{}", found.text);
}

#[test]
fn text_that_the_other_client_would_replace_is_escaped_or_reported() {
    let skill = "---\nname: a\ndescription: d\n---\n\nIt costs $1 or $2.\n";
    let found = done(".gemini/skills/a/SKILL.md", skill, "claude-skill");
    assert!(found.text.contains("It costs \\$1 or \\$2."), "{}", found.text);
    let back = done(".claude/skills/a/SKILL.md", &found.text, "gemini-skill");
    assert_eq!(back.text, skill);
    let found = done(".gemini/skills/a/SKILL.md", skill, "opencode-skill");
    assert!(lines(&found).iter().any(|line| line.contains("was not meant")), "{:?}", found.dropped);
    // In a skill without arguments, code with `$1` is literal.
    let awk = "---\nname: a\ndescription: d\n---\n\n```sh\nawk '{print $1}' x\n```\n";
    let found = done(".claude/skills/a/SKILL.md", awk, "codex-skill");
    assert!(found.text.contains("{print $1}"), "{}", found.text);
}

#[test]
fn folders_and_names_follow_the_place() {
    let found = done(".claude/commands/git/commit.md", "x\n", "gemini-command");
    assert_eq!(found.path, ".gemini/commands/git/commit.toml");
    let found = done(".claude/commands/git/commit.md", "x\n", "codex-prompt");
    assert_eq!(found.path, ".codex/prompts/git-commit.md");
    let found =
        done(".github/agents/Big Plan.agent.md", "---\ndescription: d\n---\nx\n", "gemini-agent");
    assert!(found.text.contains("name: big-plan\n"), "{}", found.text);
    let found = done("CLAUDE.md", "# Rules\n", "gemini-memory");
    assert_eq!((found.path.as_str(), found.text.as_str()), ("GEMINI.md", "# Rules\n"));
}

#[test]
fn the_folder_of_a_place_is_known() {
    let root = |path: &str| {
        let found = origin(Path::new("/w"), Path::new(path), None).expect(path);
        found.root.map(|root| crate::world::slashed(&root))
    };
    for (path, expected) in [
        ("/w/.claude/agents/x/a.md", Some("/w")),
        ("/w/pkg/AGENTS.md", Some("/w/pkg")),
        ("/w/.agents/skills/a/SKILL.md", Some("/w")),
        ("/w/more/skills/a/SKILL.md", None),
        ("/w/plugin/agents/a.md", Some("/w/plugin")),
        ("/w/.gemini/commands/git/a.toml", Some("/w")),
        (".claude/agents/a.md", Some("")),
    ] {
        assert_eq!(root(path).as_deref(), expected, "{path}");
    }
}

#[test]
fn values_are_what_the_client_reads() {
    for value in [
        "yes",
        "2026-01-02",
        "1:30",
        "a: b",
        "# c",
        "'q'",
        "null",
        "日本 🦆",
        "x \"y\"",
        "- a",
        "@x",
        "~",
        "0x1F",
        "tab\tx",
    ] {
        let quoted = crate::yaml::quote(value);
        let text = format!("---\r\nname: a\r\ndescription: {quoted}\r\n---\r\n\r\nx\r\n");
        for to in targets(named("claude-agent", None).unwrap()) {
            let origin =
                origin(Path::new("/w"), Path::new("/w/.claude/agents/a.md"), None).unwrap();
            let found = convert(&text, &origin, to)
                .unwrap_or_else(|e| panic!("{value} {}: {e}", to.name()));
            if to.reads.text_key.is_none() {
                assert!(!found.text.replace("\r\n", "").contains('\n'), "{}", to.name());
                assert_eq!(
                    verdict(&to.client.name, &found.path, &found.text).unwrap().outcome,
                    Outcome::Loaded,
                    "{}: {}",
                    to.name(),
                    found.text
                );
            }
        }
    }
}

#[test]
fn files_that_cannot_be_converted_are_refused() {
    for (text, expected) in [
        ("---\nname: a\ndescription: b\nx\n", "isn't closed"),
        ("+++\nname = \"a\"\n+++\nx\n", "TOML"),
        ("---\nname: [a\ndescription: b\n---\nx\n", "can't read the front matter: line "),
        ("---\nname: a\nname: b\n---\nx\n", "can't read the front matter"),
    ] {
        let refusal = converted(".claude/agents/a.md", text, "copilot-agent").unwrap_err();
        assert!(refusal.to_string().contains(expected), "{refusal}");
    }
    let long = format!("---\nname: a\ndescription: {}\n---\nx\n", "x".repeat(1_100_000));
    let refusal = converted(".claude/agents/a.md", &long, "copilot-agent").unwrap_err();
    assert!(refusal.to_string().contains("more than 262144"), "{refusal}");
    let refusal = converted(".claude/agents/a.md", AGENT, "cursor-rule").unwrap_err();
    assert_eq!(refusal.to_string(), "an agent of Claude Code can't become a rule of Cursor");
    let body = format!("---\nname: a\ndescription: b\n---\n{}", "x ".repeat(20_000));
    let refusal = converted(".claude/agents/a.md", &body, "copilot-agent").unwrap_err();
    assert!(refusal.to_string().contains("30000"), "{refusal}");
}

#[test]
fn long_and_tagged_descriptions_are_cut_with_a_word() {
    let text = format!(
        "---\nname: a\ndescription: \"{} <example>x</example>\"\n---\nx\n",
        "word ".repeat(300)
    );
    let found = done(".claude/skills/a/SKILL.md", &text, "codex-skill");
    assert!(lines(&found).iter().any(|line| line.contains("cut from ")), "{:?}", found.dropped);
    assert_eq!(verdict("codex", &found.path, &found.text).unwrap().outcome, Outcome::Loaded);
    let found = done(
        ".claude/skills/a/SKILL.md",
        "---\nname: a\ndescription: a <b>c</b>\n---\nx\n",
        "copilot-skill",
    );
    assert!(found.text.contains("description: a c\n"), "{}", found.text);
}

#[test]
fn names_of_kinds_are_found_or_suggested() {
    for (name, expected) in [
        ("claude-agent", "claude-agent"),
        ("agent@copilot", "copilot-agent"),
        ("claude-code-agents", "claude-agent"),
        ("copilot-command", "copilot-prompt"),
        ("copilot-rule", "copilot-instructions"),
        ("vscode-prompt", "copilot-prompt"),
        ("gemini-command", "gemini-command"),
        ("devin-rule", "windsurf-rule"),
        ("open-codex-agent", ""),
    ] {
        let found = named(name, None).map(|place| place.name()).unwrap_or_default();
        assert_eq!(found, expected, "{name}");
    }
    let error = |name: &str| named(name, None).unwrap_err().to_string();
    assert_eq!(error("claude-agnet"), "unknown kind `claude-agnet`; did you mean `claude-agent`?");
    assert!(error("zzz").contains("such as `claude-agent`"));
    assert_eq!(error("zed-agent"), "Zed has no agent; it has: skill, memory");
    assert_eq!(named("agent", Some("gemini")).unwrap().name(), "gemini-agent");
    for place in places() {
        assert_eq!(named(&place.name(), None).map(|found| found.reads.kind), Ok(place.reads.kind));
    }
}

#[test]
fn every_client_has_its_kinds() {
    for (kind, clients) in [
        (
            Kind::Skill,
            [
                "claude", "copilot", "cursor", "codex", "gemini", "opencode", "windsurf", "kiro",
                "cline",
            ]
            .as_slice(),
        ),
        (Kind::Agent, &["claude", "copilot", "cursor", "codex", "gemini", "opencode", "kiro"]),
        (
            Kind::Command,
            &["claude", "copilot", "cursor", "codex", "gemini", "opencode", "windsurf", "cline"],
        ),
        (Kind::Rule, &["claude", "copilot", "cursor", "windsurf", "kiro", "cline"]),
    ] {
        for client in clients {
            assert!(named(kind.name(), Some(client)).is_ok(), "{client} {}", kind.name());
        }
    }
}

#[test]
fn a_skill_without_arguments_keeps_its_numbers_with_a_note() {
    let text = |more: &str| format!("---\nname: a\ndescription: d\n{more}---\n\nThen $2\n");
    let note = |found: &Conversion| found.notes.iter().any(|note| note.contains("differently"));
    // Claude Code counts from 0, OpenCode from 1.
    let found = done(".claude/skills/a/SKILL.md", &text(""), "opencode-skill");
    assert!(found.text.ends_with("Then $2\n") && note(&found), "{found:?}");
    let declared = text("arguments: first second third\n");
    let found = done(".claude/skills/a/SKILL.md", &declared, "opencode-skill");
    assert!(found.text.ends_with("Then $3\n") && !note(&found), "{found:?}");
    let found = done(".claude/skills/a/SKILL.md", &text(""), "codex-skill");
    assert!(!note(&found), "{found:?}");
}

#[test]
fn folders_above_a_workspace_do_not_affect_its_files() {
    let path = Path::new("/home/docs/kitchen/brew/SKILL.md");
    assert!(origin(Path::new("/home"), path, None).is_none());
    let found = origin(Path::new("/home/docs/kitchen"), path, None).expect("a skill");
    assert_eq!((found.place.client.name.as_str(), found.name.as_str()), ("spec", "brew"));
}

#[test]
fn a_skill_gets_a_folder_with_its_name_everywhere() {
    let text = "---\nname: s\ndescription: Does it\n---\n\nDo it.\n";
    let from = origin(Path::new("/w"), Path::new("/w/.claude/skills/s/SKILL.md"), None).unwrap();
    for to in targets(from.place).filter(|to| to.reads.kind == Kind::Skill) {
        let path = convert(text, &from, to).unwrap().path;
        assert!(path.ends_with("/s/SKILL.md"), "{}: {path}", to.name());
    }
    assert_eq!(
        done(".claude/skills/s/SKILL.md", text, "codex-skill").path,
        ".agents/skills/s/SKILL.md"
    );
}

#[test]
fn escaped_text_stays_escaped_once() {
    let text = "---\ndescription: d\n---\n\nCosts \\$5 and \\$ARGUMENTS, $ARGUMENTS.\n";
    let found = done(".claude/commands/c.md", text, "claude-skill");
    assert!(
        found.text.ends_with("\n\nCosts \\$5 and \\$ARGUMENTS, $ARGUMENTS.\n"),
        "{}",
        found.text
    );
    assert_eq!(found.dropped, []);
    assert!(found.notes.iter().all(|note| !note.contains('$')), "{:?}", found.notes);
}

#[test]
fn a_rule_is_loaded_as_rarely_as_before() {
    let cursor = |keys: &str| format!("---\n{keys}\n---\n\nUse tabs.\n");
    for (path, keys, expected) in [
        (
            ".cursor/rules/a.mdc",
            "description: Tabs\nglobs:\nalwaysApply: false",
            "---\ndescription: Tabs\n---\n",
        ),
        (".cursor/rules/a.mdc", "description:\nglobs:\nalwaysApply: false", "Use tabs."),
        (".cursor/rules/a.mdc", "description: Tabs\nglobs:\nalwaysApply: true", "applyTo: \"**\""),
        (".windsurf/rules/a.md", "trigger: manual", "Use tabs."),
        (".windsurf/rules/a.md", "trigger: always_on", "applyTo: \"**\""),
    ] {
        let found = done(path, &cursor(keys), "copilot-instructions");
        assert!(found.text.contains(expected), "{keys}: {}", found.text);
        assert_eq!(
            found.text.contains("applyTo"),
            expected.contains("applyTo"),
            "{keys}: {}",
            found.text
        );
    }
    for to in ["claude-rule", "cursor-rule", "copilot-instructions"] {
        let found = done(".clinerules/off.md", "---\npaths: []\n---\n\nUse tabs.\n", to);
        let lines = lines(&found);
        assert!(
            lines.iter().any(|line| line.contains("can't switch a rule off")),
            "{to}: {lines:?}"
        );
    }
}

#[test]
fn an_agent_without_tools_does_not_get_all_of_them_silently() {
    let none = "---\nname: e\ndescription: d\ntools: []\n---\n\nDo it.\n";
    let found = done(".github/agents/e.agent.md", none, "claude-agent");
    assert!(
        lines(&found).iter().any(|line| line.contains("gives the agent all tools")),
        "{found:?}"
    );
    let found = done(".github/agents/e.agent.md", none, "opencode-agent");
    assert!(found.text.contains("\"*\": false"), "{}", found.text);
    let off = "---\ndescription: d\nmode: subagent\ntools: { \"*\": false }\n---\n\nDo it.\n";
    let found = done(".opencode/agents/e.md", off, "copilot-agent");
    assert!(found.text.contains("\ntools: []\n"), "{}", found.text);
    // The only tool that was left.
    let asks = "---\nname: e\ndescription: d\ntools: AskUserQuestion\n---\n\nDo it.\n";
    let found = done(".claude/agents/e.md", asks, "kiro-agent");
    assert!(
        lines(&found).iter().any(|line| line.contains("gives the agent all tools")),
        "{found:?}"
    );
}

#[test]
fn a_set_of_tools_becomes_all_of_its_tools() {
    let text =
        "---\nname: e\ndescription: d\ntools: Read, Grep, Glob, Write, Edit\n---\n\nDo it.\n";
    let there = done(".claude/agents/e.md", text, "copilot-agent");
    assert!(there.text.contains("\ntools: [read, search, edit]\n"), "{}", there.text);
    let back = done(".github/agents/e.agent.md", &there.text, "claude-agent").text;
    for tool in ["Read", "Grep", "Glob", "Write", "Edit"] {
        assert!(back.contains(tool), "{tool}: {back}");
    }
}

#[test]
fn clients_that_insert_arguments_get_them() {
    let text = "---\ndescription: d\n---\n\nFix $ARGUMENTS.\n";
    for path in [".factory/commands/c.md", ".qwen/commands/team/c.md"] {
        let found = done(path, text, "gemini-command");
        assert!(found.text.contains("Fix {{args}}."), "{path}: {}", found.text);
    }
    let found = done(".claude/commands/c.md", text, "factory-command");
    assert!(found.text.ends_with("Fix $ARGUMENTS.\n") && found.dropped.is_empty(), "{found:?}");
}

#[test]
fn a_block_of_commands_runs_or_is_reported() {
    let text = "---\ndescription: d\n---\n\n```!\ngit log $ARGUMENTS\n```\n\nDo it.\n";
    let found = done(".claude/commands/c.md", text, "gemini-command");
    assert!(found.text.contains("!{git log {{args}}}"), "{}", found.text);
    let two = text.replace("git log", "git status\ngit log");
    for (text, to) in [(two.as_str(), "gemini-command"), (text, "copilot-prompt")] {
        let lines = lines(&done(".claude/commands/c.md", text, to));
        assert!(lines.iter().any(|line| line.contains("blocks of commands")), "{to}: {lines:?}");
    }
    let skill = done(".claude/commands/c.md", text, "claude-skill");
    assert!(skill.text.ends_with("\n```!\ngit log $ARGUMENTS\n```\n\nDo it.\n"), "{}", skill.text);
}

#[test]
fn denied_tools_stay_denied() {
    let agent = |front: &str| format!("---\nname: a\ndescription: d\n{front}---\n\nx\n");
    for (front, expected) in [
        ("disallowedTools: Write, Edit\n", "tools: {write: false, edit: false}\n"),
        ("tools: '*'\ndisallowedTools: [Edit]\n", "tools: {\"*\": true, edit: false}\n"),
        (
            "disallowedTools: [Edit]\ntools: [Read, Edit]\n",
            "tools: {\"*\": false, read: true, edit: false}\n",
        ),
    ] {
        let found = done(".claude/agents/a.md", &agent(front), "opencode-agent");
        let values = super::parts(&found.text, named("opencode-agent", None).unwrap()).unwrap();
        let wanted =
            super::parts(&format!("---\n{expected}---\n"), named("opencode-agent", None).unwrap());
        assert_eq!(values.values["tools"], wanted.unwrap().values["tools"], "{}", found.text);
        assert!(found.dropped.is_empty(), "{:?}", found.dropped);
    }
    let back = agent("tools: {write: false, edit: false}\npermission: {bash: deny}\n");
    let found = done(".opencode/agents/a.md", &back, "claude-agent");
    assert!(found.text.contains("\ndisallowedTools: [Write, Edit, Bash]\n"), "{}", found.text);
    let found = done(".opencode/agents/a.md", &agent("permission: {edit: deny}\n"), "claude-agent");
    assert!(found.text.contains("\ndisallowedTools: [Edit, Write]\n"), "{}", found.text);
    // A tool that is partly denied isn't denied as a whole.
    let some = agent("disallowedTools: [Write, \"Bash(rm *)\"]\n");
    let found = done(".claude/agents/a.md", &some, "opencode-agent");
    assert!(!found.text.contains("bash"), "{}", found.text);
    assert_eq!(lines_of(&found, "disallowedTools").len(), 1, "{:?}", found.dropped);
    // Rules other than plain denials are listed.
    let asks = agent("permission: {edit: deny, bash: ask}\n");
    let found = done(".opencode/agents/a.md", &asks, "claude-agent");
    assert_eq!(lines_of(&found, "permission").len(), 1, "{:?}", found.dropped);
}

#[test]
fn a_boolean_in_words_becomes_a_boolean() {
    let skill = "---\nname: a\ndescription: d\ndisable-model-invocation: yes\n---\n\nx\n";
    let found = done(".claude/skills/a/SKILL.md", skill, "cursor-skill");
    assert!(found.text.contains("\ndisable-model-invocation: true\n"), "{}", found.text);
}

#[test]
fn tools_denied_as_a_whole_are_kept_next_to_limits() {
    let agent =
        |front: &str| format!("---\nname: a\ndescription: d\npermission:\n{front}---\n\nx\n");
    for (rules, denied, left) in [
        ("  edit: deny\n  bash:\n    \"git *\": allow\n    \"*\": deny\n", "[Edit, Write]", "bash"),
        ("  webfetch: {\"*\": deny}\n  edit: ask\n", "[WebFetch]", "edit"),
        ("  \"*\": allow\n  bash: deny\n", "[Bash]", "*"),
        ("  bash: deny\n  external_directory: deny\n", "[Bash]", "external_directory"),
        // A later rule for all tools takes precedence.
        ("  bash: deny\n  \"*\": ask\n", "", "bash"),
    ] {
        let found = done(".opencode/agents/a.md", &agent(rules), "claude-agent");
        let list = format!("\ndisallowedTools: {denied}\n");
        assert_eq!(found.text.contains(&list), !denied.is_empty(), "{}", found.text);
        let dropped: Vec<_> =
            found.dropped.iter().filter(|one| one.key.as_deref() == Some("permission")).collect();
        assert_eq!(dropped.len(), 1, "{:?}", found.dropped);
        assert!(dropped[0].value.contains(left), "{:?}", found.dropped);
    }
}

#[test]
fn arguments_of_codex_in_capitals_and_after_two_dollars() {
    let prompt = "---\ndescription: d\nargument-hint: FILE=<path> [LINE_2=<number>]\n---\n\nRead $FILE at $LINE_2, $$KEEP, $$5 and $$$1 日本.\n";
    for (to, expected) in [
        ("claude-command", "Read $FILE at $LINE_2, $$KEEP, $\\$5 and $$$0 日本."),
        (
            "copilot-prompt",
            "Read ${input:FILE} at ${input:LINE_2}, $$KEEP, $$5 and $$${input:argument1} 日本.",
        ),
    ] {
        let found = done(".codex/prompts/a.md", prompt, to);
        assert!(found.text.contains(expected), "{to}: {}", found.text);
    }
    let shell = "---\ndescription: d\n---\n\nRead $HOME for $ARGUMENTS.\n";
    let found = done(".codex/prompts/a.md", shell, "claude-command");
    assert!(found.text.contains("Read $HOME for $ARGUMENTS."), "{}", found.text);
    assert!(!found.text.contains("arguments:"), "{}", found.text);
    let found = done(".codex/prompts/a.md", prompt, "opencode-command");
    let told = found.dropped.iter().any(|one| one.value == "$5");
    assert!(told, "OpenCode would replace it: {:?}", found.dropped);
    // Text that the other client leaves alone.
    let command = "---\ndescription: d\n---\n\nEcho $HOME and $$HOME.\n";
    let found = done(".claude/commands/a.md", command, "codex-prompt");
    let values: Vec<&str> = found.dropped.iter().map(|one| one.value.as_str()).collect();
    assert_eq!(values, ["$HOME"]);
}

#[test]
fn marked_tools_are_listed() {
    let prompt =
        "---\ndescription: d\n---\n\nUse #tool:search/codebase, then #tool:search/codebase.\n";
    let found = done(".github/prompts/a.prompt.md", prompt, "claude-command");
    let lines: Vec<_> = found.dropped.iter().map(|one| one.value.as_str()).collect();
    assert_eq!(lines, ["#tool:search/codebase"]);
}
