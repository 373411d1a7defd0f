mod plugin_servers;
mod renaming;

use std::path::{Path, PathBuf};

use super::*;
use crate::answer::Renaming;
use crate::config::{Config, Options};
use crate::document::Document;
use crate::format::Context;
use crate::ide;
use crate::rule::Severity;
use crate::text::apply;
use crate::world::{Memory, World};

const SKILL: &str = ".claude/skills/brew-tea/SKILL.md";
const AGENT: &str = ".claude/agents/cook.md";
const COMMAND: &str = ".claude/commands/dinner.md";
const PLUGIN: &str = ".claude-plugin/plugin.json";

const SKILL_TEXT: &str =
    "---\nname: brew-tea\ndescription: Brews tea 🦆\n---\n\nRun `scripts/boil.py`.\n";
const AGENT_TEXT: &str = "\u{feff}---\r\nname: cook\r\ndescription: 日本 🦆\r\nskills: [\"brew-tea\", stir]\r\ntools: Skill(brew-tea *), Agent(waiter), mcp__kettle__boil\r\n---\r\n\r\n日本 Use the `brew-tea` skill, /brew-tea or `/brew-tea now`; see [it](../skills/brew-tea/SKILL.md#x).\r\n\r\n```\r\n/brew-tea\r\n```\r\n";

fn kitchen() -> Memory {
    Memory::default()
        .in_folder("/w")
        .with(format!("/w/{SKILL}"), SKILL_TEXT)
        .with("/w/.claude/skills/brew-tea/scripts/boil.py", "")
        .with("/w/.claude/skills/stir/SKILL.md", "---\nname: stir\ndescription: Stirs\n---\n")
        .with(format!("/w/{AGENT}"), AGENT_TEXT)
        .with("/w/.claude/agents/waiter.md", "---\nname: waiter\ndescription: Serves\n---\n")
        .with(format!("/w/{COMMAND}"), "Run /brew-tea and /stir. Not /brew-tea/x or /usr/bin.\n")
        .with(
            format!("/w/{PLUGIN}"),
            "{\"name\": \"kitchen\",\r\n \"skills\": [\"./.claude/skills/brew-tea\", \"./.claude/skills/stir/\"]}",
        )
        .with("/w/.mcp.json", "{\"mcpServers\": {\"kettle\": {\"command\": \"k\"}}}")
        .with(
            "/w/.claude/settings.json",
            "{\"permissions\": {\"allow\": [\"Skill(brew-tea)\", \"Skill(brew-tea-too)\"]}, \"skillOverrides\": {\"brew-tea\": \"on\"}}",
        )
}

fn ask<T>(
    world: &Memory,
    name: &str,
    clients: &[&str],
    ask: impl FnOnce(&Document, &Context, &str) -> T,
) -> T {
    let clients = clients.iter().map(ToString::to_string).collect();
    let config =
        Config::new(PathBuf::from("/w"), Options { clients, ..Options::default() }).unwrap();
    let path = Path::new("/w").join(name);
    let source = world.read(&path).unwrap();
    let text = source.slice(0..source.len()).into_owned();
    let document = Document::new(&text, Some(&path), &config);
    ask(&document, &Context::new(document.source(), Some(&path), world, &config), &text)
}

fn after(text: &str, word: &str) -> usize {
    text.find(word).unwrap_or_else(|| panic!("no {word:?}")) + word.len()
}

fn short(path: &Path) -> String {
    path.strip_prefix("/w").unwrap().to_string_lossy().into_owned()
}

/// The files after a renaming, with the moves as lines.
fn applied(world: &Memory, renaming: &Renaming) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for file in renaming.files.iter().chain(&renaming.doubtful) {
        let path = file.path.clone().unwrap();
        let source = world.read(&path).unwrap();
        let text = source.slice(0..source.len()).into_owned();
        all.push((short(&path), apply(&text, &file.edits).unwrap()));
    }
    all.extend(renaming.moves.iter().map(|(old, new)| (short(old), format!("→ {}", short(new)))));
    all.sort();
    all
}

#[test]
fn a_mention_leads_to_its_file() {
    let world = kitchen();
    for (word, target) in [
        ("skills: [\"brew", SKILL),
        ("Skill(brew", SKILL),
        ("Agent(wait", ".claude/agents/waiter.md"),
        ("`brew-tea` skill, /brew", SKILL),
        ("or `/brew", SKILL),
        ("mcp__kett", ".mcp.json"),
    ] {
        let found = ask(&world, AGENT, &["claude-code"], |document, cx, text| {
            ide::definition::definition(document, cx, after(text, word))
        });
        let paths: Vec<String> =
            found.iter().map(|target| short(target.path.as_ref().unwrap())).collect();
        assert_eq!(paths, [target], "{word}");
    }
    let (span, text) =
        ask(&world, SKILL, &[], |_, cx, text| (declared::place(cx.source).1, text.to_owned()));
    assert_eq!(&text[span], "brew-tea");
    let inside = ask(&world, SKILL, &[], |document, cx, text| {
        ide::definition::definition(document, cx, after(text, "scripts/bo"))
    });
    assert_eq!(short(inside[0].path.as_ref().unwrap()), ".claude/skills/brew-tea/scripts/boil.py");
}

#[test]
fn references_are_all_mentions() {
    let world = kitchen();
    for (name, word) in [
        (SKILL, "name: brew"),
        (AGENT, "[\"brew"),
        (COMMAND, "Run /brew"),
        (PLUGIN, "skills/brew"),
        (".claude/settings.json", "Skill(brew"),
        (".claude/settings.json", "{\"brew"),
    ] {
        let found = ask(&world, name, &["claude-code"], |document, cx, text| {
            ide::references::references(document, cx, after(text, word), true)
        });
        let count = |path: &str| {
            let of = |other: &&crate::answer::Occurrence| {
                other.path.as_ref().map_or(name.to_owned(), |path| short(path)) == path
            };
            found.iter().filter(of).count()
        };
        assert_eq!((count(SKILL), count(AGENT), count(COMMAND)), (1, 6, 1), "{name}: {found:#?}");
    }
    let here = ask(&world, AGENT, &["claude-code"], |document, cx, text| {
        ide::document_highlight::occurrences(document, cx, after(text, "[\"brew"))
    });
    assert_eq!(here.len(), 5, "{here:#?}");
}

#[test]
fn a_skill_is_renamed_everywhere() {
    let world = kitchen();
    for (name, word) in [(SKILL, "name: brew"), (AGENT, "[\"brew"), (COMMAND, "Run /brew")] {
        let renaming = ask(&world, name, &["claude-code"], |document, cx, text| {
            ide::rename::rename(document, cx, after(text, word), "make-tea").unwrap()
        });
        let files = applied(&world, &renaming);
        let of = |path: &str| {
            files.iter().find(|(file, _)| file == path).map_or("", |(_, text)| text.as_str())
        };
        assert_eq!(of(SKILL), SKILL_TEXT.replace("brew-tea", "make-tea"));
        let expected = AGENT_TEXT
            .replace("brew-tea", "make-tea")
            .replace("```\r\n/make-tea", "```\r\n/brew-tea");
        assert_eq!(of(AGENT), expected);
        assert_eq!(of(COMMAND), "Run /make-tea and /stir. Not /brew-tea/x or /usr/bin.\n");
        assert!(of(PLUGIN).contains("[\"./.claude/skills/make-tea\", \"./.claude/skills/stir/\"]"));
        let settings = of(".claude/settings.json");
        assert!(
            settings.contains("\"Skill(make-tea)\", \"Skill(brew-tea-too)\"")
                && settings.contains("{\"make-tea\": \"on\"}"),
            "{settings}"
        );
        assert_eq!(of(".claude/skills/brew-tea"), "→ .claude/skills/make-tea");
        assert_eq!(files.len(), 6);
    }
    // Names that are invalid or taken.
    for (new, part) in [
        ("", "empty"),
        ("a/b", "`/`"),
        ("Make Tea", "lowercase"),
        ("-tea", "name of a file"),
        ("stir", "already exists"),
    ] {
        let error = ask(&world, SKILL, &[], |document, cx, text| {
            ide::rename::rename(document, cx, after(text, "name: brew"), new).unwrap_err()
        });
        assert!(error.contains(part), "{new}: {error}");
    }
}

#[test]
fn a_folder_that_moves_takes_its_name_along() {
    let world = kitchen();
    let moves = [(
        PathBuf::from("/w/.claude/skills/brew-tea"),
        PathBuf::from("/w/.claude/skills/make-tea"),
    )];
    let by_move = ide::workspace::moves(&world, &moves, &|| false);
    let by_name = ask(&world, SKILL, &[], |document, cx, text| {
        ide::rename::rename(document, cx, after(text, "name: brew"), "make-tea").unwrap()
    });
    let files = applied(&world, &by_move);
    let without_moves = Renaming { moves: Vec::new(), ..by_name };
    assert_eq!(files, applied(&world, &without_moves));
    assert_eq!(files.len(), 5);
    // Moves an agent's file; the second time, nothing is left to do.
    let moves = [(
        PathBuf::from("/w/.claude/agents/waiter.md"),
        PathBuf::from("/w/.claude/agents/server.md"),
    )];
    let files = applied(&world, &ide::workspace::moves(&world, &moves, &|| false));
    assert!(files.iter().any(|(_, text)| text.contains("name: server")));
    assert!(files.iter().any(|(_, text)| text.contains("Agent(server)")));
    let moves = [(PathBuf::from("/w/none"), PathBuf::from("/w/other"))];
    assert!(ide::workspace::moves(&world, &moves, &|| false).is_empty());
    // A folder above: only paths change.
    let moves = [(PathBuf::from("/w/.claude/skills"), PathBuf::from("/w/.agents/skills"))];
    let files = applied(&world, &ide::workspace::moves(&world, &moves, &|| false));
    assert!(
        files
            .iter()
            .any(|(_, text)| text.contains("[it](../../.agents/skills/brew-tea/SKILL.md#x)")),
        "{files:#?}"
    );
    assert!(files.iter().all(|(_, text)| !text.contains("name: skills")));
}

#[test]
fn a_server_and_a_plugin_are_renamed_in_their_files_and_everywhere() {
    let market = "{\"name\": \"m\", \"plugins\": [{\"name\": \"tea\", \"source\": \"./tea\"}, {\"name\": \"jam\", \"source\": \"./jam\"}]}";
    let world = kitchen()
        .with("/w/.claude-plugin/marketplace.json", market)
        .with("/w/tea/.claude-plugin/plugin.json", "{\"name\": \"tea\"}")
        .with("/w/jam/.claude-plugin/plugin.json", "{\"name\": \"jam\"}")
        .with("/w/tea/skills/boil/SKILL.md", "---\nname: boil\ndescription: Boils 🦆\n---\n")
        .with(
            "/w/.claude/agents/guest.md",
            "---\nname: guest\ndescription: 日本\r\nskills: [\"tea:boil\"]\ntools: mcp__kettle, mcp__kettles__x\n---\n\n`/tea:boil`, `jam:boil` 🦆 mcp__kettle__boil.\n",
        )
        .with("/w/.claude/settings.local.json", "{\"permissions\": {\"deny\": [\"mcp__kettle__boil\"]}, \"enabledMcpjsonServers\": [\"kettle\"], \"enabledPlugins\": {\"tea@m\": true}}");
    let new = |name: &str, word: &str, new: &str| {
        ask(&world, name, &["claude-code"], |document, cx, text| {
            ide::rename::rename(document, cx, after(text, word), new)
        })
    };
    let guest = ".claude/agents/guest.md";
    let files = applied(&world, &new(guest, "tools: mcp__ket", "pot").unwrap());
    let text = |name: &str| &files.iter().find(|(file, _)| file == name).unwrap().1;
    assert_eq!(files.len(), 4, "{files:?}");
    assert_eq!(text(".mcp.json"), "{\"mcpServers\": {\"pot\": {\"command\": \"k\"}}}");
    assert!(text(guest).contains("tools: mcp__pot, mcp__kettles__x\n"), "{}", text(guest));
    assert!(text(guest).ends_with("🦆 mcp__pot__boil.\n"));
    assert!(text(AGENT).contains("Agent(waiter), mcp__pot__boil\r\n"));
    let settings = text(".claude/settings.local.json");
    assert!(settings.contains("[\"mcp__pot__boil\"]") && settings.contains("[\"pot\"]"));
    let files = applied(&world, &new(guest, "[\"te", "chai").unwrap());
    let text = |name: &str| &files.iter().find(|(file, _)| file == name).unwrap().1;
    assert_eq!(files.len(), 4, "{files:?}");
    assert_eq!(text("tea/.claude-plugin/plugin.json"), "{\"name\": \"chai\"}");
    assert!(
        text(".claude-plugin/marketplace.json")
            .contains("{\"name\": \"chai\", \"source\": \"./tea\"}")
    );
    assert!(
        text(guest).contains("[\"chai:boil\"]") && text(guest).contains("`/chai:boil`, `jam:boil`")
    );
    assert!(text(".claude/settings.local.json").contains("\"chai@m\""));
    for name in ["jam", "a b", "", "-x", "a__b"] {
        assert!(new(guest, "[\"te", name).is_err(), "{name:?}");
    }
    assert!(new(AGENT, "mcp__ket", "kettle").unwrap().is_empty());
}

#[test]
fn single_words_in_prose_are_doubtful() {
    let world = kitchen();
    let renaming = ask(&world, ".claude/skills/stir/SKILL.md", &[], |document, cx, text| {
        ide::rename::rename(document, cx, after(text, "name: st"), "whisk").unwrap()
    });
    let doubtful: Vec<String> =
        renaming.doubtful.iter().map(|file| short(file.path.as_ref().unwrap())).collect();
    assert_eq!(doubtful, [COMMAND]);
}

#[test]
fn callers_and_calls() {
    let world = kitchen();
    let callers = ask(&world, SKILL, &["claude-code"], |document, cx, text| {
        let item = ide::call_hierarchy::prepare(document, cx, after(text, "name: ")).unwrap();
        assert_eq!((item.name.as_str(), item.detail.as_deref()), ("brew-tea", Some("skill")));
        ide::call_hierarchy::incoming(document, cx, None)
    });
    let names: Vec<&str> = callers.iter().map(|call| call.other.name.as_str()).collect();
    assert_eq!(names, ["cook", "dinner"]);
    assert_eq!(callers[0].spans.len(), 6);
    let calls = ask(&world, AGENT, &["claude-code"], |document, cx, _| {
        ide::call_hierarchy::outgoing(document, cx)
    });
    let names: Vec<&str> = calls.iter().map(|call| call.other.name.as_str()).collect();
    assert_eq!(names, ["brew-tea", "stir", "waiter"]);
    let calls = ask(&world, SKILL, &["claude-code"], |document, cx, _| {
        ide::call_hierarchy::outgoing(document, cx)
    });
    assert_eq!(calls[0].other.name, "boil.py");
}

#[test]
fn names_are_completed_and_described() {
    let world = kitchen()
        .with("/w/.claude/agents/new.md", "---\nname: new\nskills: [b]\n---\n\nUse /br\n")
        .with("/w/AGENTS.md", "Use $br\n")
        .with(
            "/w/.agents/skills/brew-coffee/SKILL.md",
            "---\nname: brew-coffee\ndescription: x\n---\n",
        );
    let labels = |name: &str, clients: &[&str], word: &str| -> Vec<String> {
        let items = ask(&world, name, clients, |document, cx, text| {
            ide::completion::completions(document, cx, after(text, word)).items
        });
        items.into_iter().map(|item| item.label).collect()
    };
    let skills = labels(".claude/agents/new.md", &["claude-code"], "skills: [b");
    assert!(skills.contains(&"brew-tea".to_owned()) && skills.contains(&"stir".to_owned()));
    let all = labels(".claude/agents/new.md", &["claude-code"], "Use /br");
    assert!(all.contains(&"brew-tea".to_owned()) && all.contains(&"dinner".to_owned()), "{all:?}");
    assert!(!all.contains(&"brew-coffee".to_owned()), "of another client");
    assert_eq!(labels("AGENTS.md", &["codex"], "Use $br"), ["brew-coffee"]);
    let hover = ask(&world, AGENT, &["claude-code"], |document, cx, text| {
        ide::hover::hover(document, cx, after(text, "[\"brew")).unwrap()
    });
    assert!(
        hover.markdown.contains("**brew-tea** (skill)") && hover.markdown.contains("Brews tea 🦆")
    );
    let links = ask(&world, AGENT, &["claude-code"], |document, cx, text| {
        let links = ide::links::links(document, cx);
        links.into_iter().map(|link| text[link.span].to_owned()).collect::<Vec<_>>()
    });
    assert!(links.iter().filter(|link| *link == "brew-tea").count() >= 4, "{links:?}");
}

fn codes(world: &Memory, name: &str, clients: &[&str]) -> Vec<String> {
    let found = ask(world, name, clients, |document, cx, text| {
        let found = ide::diagnostics::diagnostics(document, cx);
        let show = |finding: &crate::rule::Diagnostic| {
            format!("{} {:?} {}", finding.rule.code, &text[finding.span.clone()], finding.message)
        };
        found.iter().map(show).collect::<Vec<_>>()
    });
    let own = [
        "unknown-skill",
        "unknown-agent",
        "unknown-command",
        "unknown-plugin-item",
        "unknown-server",
        "broken-json",
        "duplicate-name",
    ];
    found
        .into_iter()
        .filter(|line| own.iter().any(|code| line.contains(&format!("agent/{code} "))))
        .collect()
}

#[test]
fn a_single_word_after_a_slash_may_be_a_page() {
    for (body, severity) in [
        ("日本: `/sdinner`", Severity::Hint),
        ("Run `/brew-tea`, then `/sdinner`.", Severity::Warning),
        ("Run `/brew-tae`.", Severity::Warning),
    ] {
        let text = format!("---\nname: x\ndescription: x\n---\n\n{body}\n");
        let world = kitchen().with("/w/.claude/agents/x.md", &text);
        let found = ask(&world, ".claude/agents/x.md", &["claude-code"], |document, cx, _| {
            let found = ide::diagnostics::diagnostics(document, cx);
            let named = found.into_iter().filter(|one| one.rule.code == "agent/unknown-command");
            named.map(|one| one.severity).collect::<Vec<_>>()
        });
        assert_eq!(found, [severity], "{body}");
    }
}

#[test]
fn a_command_may_give_itself_another_name() {
    let text = "---\nname: x\ndescription: x\n---\n\nRun `/brew-tea`, then `/finalcopy`.\n";
    for (description, severity) in [
        ("Use it as `/finalcopy`, 日本", Severity::Hint),
        ("Use it as `/final-copy`", Severity::Warning),
    ] {
        let skill = format!("---\nname: final-copy\ndescription: {description}\n---\n\nCopy.\n");
        let world = kitchen()
            .with("/w/.claude/agents/x.md", text)
            .with("/w/.claude/skills/final-copy/SKILL.md", &skill);
        let found = ask(&world, ".claude/agents/x.md", &["claude-code"], |document, cx, _| {
            let found = ide::diagnostics::diagnostics(document, cx);
            let named = found.into_iter().filter(|one| one.rule.code == "agent/unknown-command");
            named.map(|one| one.severity).collect::<Vec<_>>()
        });
        assert_eq!(found, [severity], "{description}");
    }
}

#[test]
fn mentions_without_a_target_are_reported_where_they_are_certain() {
    let front =
        |lines: &str| format!("---\r\nname: x\r\ndescription: 日本 🦆\r\n{lines}---\r\n\r\n");
    for (lines, body, expected) in [
        (
            "skills: [brew-tee]\r\n",
            "",
            vec![
                "agent/unknown-skill \"brew-tee\" unknown skill `brew-tee`; did you mean `brew-tea`?",
            ],
        ),
        (
            "skills: brew-tea, none\r\n",
            "",
            vec!["agent/unknown-skill \"none\" unknown skill `none`"],
        ),
        (
            "tools: Agent(waitr), Agent(Explore), Read\r\n",
            "",
            vec!["agent/unknown-agent \"waitr\" unknown agent `waitr`; did you mean `waiter`?"],
        ),
        (
            "tools: Read, mcp__ketle__boil, mcp__ketle__x, mcp__ide__y\r\n",
            "",
            vec![
                "agent/unknown-server \"ketle\" unknown MCP server `ketle`; did you mean `kettle`?",
            ],
        ),
        (
            "",
            "Run /brew-tae, /unknown, /usr/bin, `/brew-tea`, /help.\r\n",
            vec![
                "agent/unknown-command \"brew-tae\" unknown command `brew-tae`; did you mean `brew-tea`?",
            ],
        ),
        (
            "skills: [\"kitchen:brew-tea\", \"kitchen:none\", \"other:x\", docx]\r\n",
            "",
            vec![
                "agent/unknown-plugin-item \"kitchen:none\" the plugin `kitchen` has no skill, command or agent `none`",
            ],
        ),
        ("", "```\r\n/brew-tae\r\n```\r\n", vec![]),
        // For the tool, commands are skills; a name in other case is another name.
        ("tools: Skill(dinner)\r\n", "Run /br-tea.\r\n", vec![]),
        (
            "",
            "Run `/kitchen:tray` and `kitchen:tray`.\r\n",
            vec![
                "agent/unknown-plugin-item \"kitchen:tray\" the plugin `kitchen` has no skill, command or agent `tray`; did you mean `kitchen-tray`?",
            ],
        ),
        (
            "",
            "Run `/kitchen:none`, `/kitchen:stir`, `kitchen:done`, `/kitchen:command` or `/other:x`.\r\n",
            vec![
                "agent/unknown-plugin-item \"kitchen:none\" the plugin `kitchen` has no skill, command or agent `none`",
            ],
        ),
    ] {
        let name = ".claude/agents/x.md";
        let tray = "/w/skills/kitchen-tray/SKILL.md";
        let world = kitchen()
            .with(tray, "---\nname: kitchen-tray\ndescription: Serves\n---\n")
            .with(format!("/w/{name}"), &(front(lines) + body));
        assert_eq!(codes(&world, name, &["claude-code"]), expected, "{lines}{body}");
    }
    assert_eq!(codes(&kitchen(), AGENT, &["claude-code"]), Vec::<String>::new());
    // A command that calls itself by another name.
    let report = ".claude/commands/tea-list.md";
    for (body, count) in [
        ("`/every-tea-list` or `/every-tea-list x`", 1),
        ("`/every-tea-list`", 0),
        ("`/tea-li`, `/tea`", 1),
    ] {
        let world = kitchen().with(format!("/w/{report}"), body);
        assert_eq!(codes(&world, report, &["claude-code"]).len(), count, "{body}");
    }
    // The project has no own items: the names may be those of the home folder.
    let alone = Memory::default().in_folder("/w").with(
        "/w/.claude/agents/x.md",
        &front("skills: [brew-tea]\r\ntools: Agent(y), mcp__a__b\r\n"),
    );
    assert_eq!(codes(&alone, ".claude/agents/x.md", &["claude-code"]), Vec::<String>::new());
}

#[test]
fn clients_find_their_own_files() {
    let world = Memory::default()
        .in_folder("/w")
        .with("/w/.github/agents/a.agent.md", "---\ndescription: x\nhandoffs:\n  - label: x\n    agent: Big Cook\n    prompt: x\n  - label: y\n    agent: small\n    prompt: y\n---\n")
        .with("/w/.github/agents/big.agent.md", "---\nname: Big Cook\ndescription: x\n---\n")
        .with("/w/.gemini/agents/small.md", "---\nname: small\ndescription: x\n---\n")
        .with("/w/a/.claude/agents/far.md", "---\nname: far\ndescription: x\n---\n")
        .with("/w/b/.claude/skills/s/SKILL.md", "---\nname: s\ndescription: x\ncontext: fork\nagent: far\n---\n")
        .with("/w/b/.claude/agents/near.md", "---\nname: near\ndescription: x\n---\n");
    assert_eq!(
        codes(&world, ".github/agents/a.agent.md", &["copilot"]),
        [
            "agent/unknown-agent \"small\" unknown agent `small` (the clients of this file don't read `.gemini/agents/small.md`)"
        ]
    );
    // VS Code reads agents of Claude Code.
    let world = world.with("/w/.claude/agents/small.md", "---\nname: small\ndescription: x\n---\n");
    assert_eq!(codes(&world, ".github/agents/a.agent.md", &["copilot"]), Vec::<String>::new());
    assert_eq!(
        codes(&world, "b/.claude/skills/s/SKILL.md", &["claude-code"]),
        ["agent/unknown-agent \"far\" unknown agent `far` (the clients of this file don't read `a/.claude/agents/far.md`); did you mean `near`?"]
            .map(|line| line.replace("; did you mean `near`?", ""))
    );
}

#[test]
fn two_names_and_broken_files() {
    let agent = |name: &str, text: &str| format!("---\nname: {name}\ndescription: {text}\n---\n");
    let world = Memory::default()
        .in_folder("/w")
        .with("/w/.claude/agents/a.md", &agent("same", "a"))
        .with("/w/.claude/agents/x/b.md", &agent("same", "b"))
        .with("/w/.claude/agents/c.md", &agent("Case", "c"))
        .with("/w/.claude/agents/d.md", &agent("case", "d"))
        .with("/w/.claude/agents/e.md", &agent("copy", "e"))
        .with("/w/.claude/agents/x/e.md", &agent("copy", "e"))
        .with("/w/.mcp.json", "{\"mcpServers\": {\"a\": {}\n \"b\": {}}}")
        .with(
            "/w/.claude/agents/f.md",
            "---\nname: f\ndescription: x\ntools: Read, mcp__b__c\n---\n",
        );
    assert_eq!(
        codes(&world, ".claude/agents/a.md", &["claude-code"]),
        [
            "agent/duplicate-name \"same\" `.claude/agents/x/b.md` has the same name (Claude Code: only one of them is used)"
        ]
    );
    assert!(
        codes(&world, ".claude/agents/c.md", &["claude-code"])[0].contains("differs only in case")
    );
    assert!(codes(&world, ".claude/agents/e.md", &["claude-code"]).is_empty());
    // Only some clients merge skills of several places into one list.
    let skill = ".claude/skills/brew/SKILL.md";
    let other = world
        .clone()
        .with(format!("/w/{skill}"), &agent("brew", "a"))
        .with("/w/.agents/skills/brew/SKILL.md", &agent("brew", "b"));
    assert_eq!(codes(&other, skill, &["claude-code"]), [""; 0]);
    let merged = codes(&other, skill, &["opencode"]);
    assert!(
        merged[0].contains("`.agents/skills/brew/SKILL.md` has the same name (OpenCode"),
        "{merged:?}"
    );
    let same = other.with("/w/.agents/skills/brew/SKILL.md", &agent("brew", "a"));
    assert_eq!(codes(&same, skill, &["opencode"]), [""; 0]);
    let broken = codes(&world, ".claude/agents/f.md", &["claude-code"]);
    assert_eq!(broken.len(), 1);
    assert!(
        broken[0].contains("`.mcp.json` is not valid JSON: expected `,` or `}` at line 2"),
        "{broken:?}"
    );
}

/// After edits in any order, the index equals a new one.
#[test]
fn an_index_after_changes_equals_a_new_one() {
    let texts = [
        "---\nname: a\ndescription: x\n---\n",
        "---\nname: b\nskills: [a]\n---\n/a /b\n",
        "no name\n",
        "",
    ];
    let paths: Vec<PathBuf> = ["a", "b", "c"]
        .map(|name| PathBuf::from(format!("/w/.claude/skills/{name}/SKILL.md")))
        .to_vec();
    let mut state = 7_u64;
    let mut random = move |most: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % most
    };
    let warm = Memory::default().in_folder("/w");
    let index = Index::of(&warm);
    let mut now: std::collections::BTreeMap<PathBuf, &str> = std::collections::BTreeMap::new();
    for _ in 0..300 {
        let path = &paths[random(paths.len())];
        match random(texts.len() + 1).checked_sub(1) {
            Some(text) => {
                now.insert(path.clone(), texts[text]);
                index.learn(&warm, path, &crate::source::Source::new(texts[text]));
            }
            None => {
                now.remove(path);
                index.forget(path);
            }
        }
        let fresh = now
            .iter()
            .fold(Memory::default().in_folder("/w"), |world, (path, text)| world.with(path, text));
        let cold = Index::of(&fresh);
        assert_eq!(index.all(&warm), cold.all(&fresh));
        for word in ["a", "b", "skill.md"] {
            let words = [word.to_owned()];
            assert_eq!(
                Index::speakers(&warm, &words),
                Index::speakers(&fresh, &words),
                "{word} {now:?}"
            );
            assert_eq!(index.declarers(&warm, word), cold.declarers(&fresh, word));
            assert_eq!(index.near(&warm, "aa"), cold.near(&fresh, "aa"));
        }
    }
}

#[test]
fn everything_at_once() {
    let world = kitchen();
    let config = std::sync::Arc::new(Config::default());
    let all = graph(&world, &|_| std::sync::Arc::clone(&config), &|| false);
    let names: Vec<&str> = all.declarations.iter().map(|declared| declared.shown()).collect();
    assert_eq!(names, ["cook", "waiter", "dinner", "brew-tea", "stir"]);
    let from = |name: &str| {
        all.uses
            .iter()
            .filter(|one| short(&one.from) == name && !one.resolved.found.is_empty())
            .count()
    };
    assert_eq!((from(COMMAND), from(SKILL)), (2, 1));
    assert!(from(AGENT) >= 7);
}

/// The skills that an agent names: its own plugin has `stir`, another one has `brew-tea`.
#[test]
fn a_skill_of_another_plugin_is_found() {
    let skill = |name: &str| format!("---\nname: {name}\ndescription: Cooks\n---\n");
    let agent = "plugins/a/agents/cook.md";
    let world = Memory::default()
        .in_folder("/w")
        .with(
            "/w/.claude-plugin/marketplace.json",
            "{\"plugins\": [{\"name\": \"a\", \"source\": \"./plugins/a\"}, {\"name\": \"b\", \"source\": \"./plugins/b\"}]}",
        )
        .with("/w/plugins/a/.claude-plugin/plugin.json", "{\"name\": \"a\"}")
        .with("/w/plugins/b/.claude-plugin/plugin.json", "{\"name\": \"b\"}")
        .with("/w/plugins/a/skills/stir/SKILL.md", &skill("stir"))
        .with("/w/plugins/b/skills/brew-tea/SKILL.md", &skill("brew-tea"))
        .with(
            format!("/w/{agent}"),
            "---\nname: cook\ndescription: Cooks\nskills: [stir, brew-tea, gone]\n---\n",
        );
    ask(&world, agent, &["claude-code"], |document, cx, text| {
        let found = ide::diagnostics::diagnostics(document, cx);
        let dead = found.iter().filter(|one| one.rule.code == "agent/unknown-skill");
        let dead: Vec<_> = dead.map(|one| (&text[one.span.clone()], one.fixes.len())).collect();
        assert_eq!(dead, [("gone", 0)], "{found:?}");
    });
}

/// Two plugins of a marketplace: `a` has the agent `cook`, `b` the skill `brew-tea` with a page.
fn two_plugins() -> Memory {
    Memory::default()
        .in_folder("/w")
        .with(
            "/w/.claude-plugin/marketplace.json",
            "{\"plugins\": [{\"name\": \"a\", \"source\": \"./plugins/a\"}, {\"name\": \"b\", \"source\": \"./plugins/b\"}]}",
        )
        .with("/w/plugins/a/.claude-plugin/plugin.json", "{\"name\": \"a\"}")
        .with("/w/plugins/b/.claude-plugin/plugin.json", "{\"name\": \"b\"}")
        .with("/w/plugins/a/agents/cook.md", "---\nname: cook\ndescription: Cooks\n---\n")
        .with(
            "/w/plugins/b/skills/brew-tea/SKILL.md",
            "---\nname: brew-tea\ndescription: Brews\n---\n",
        )
        .with("/w/plugins/b/skills/brew-tea/references/pot.md", "A pot.\n")
        .with("/w/plugins/a/skills/stir/references/spoon.md", "A spoon.\n")
}

#[test]
fn a_skill_runs_in_an_agent_of_a_plugin() {
    let skill = "plugins/a/skills/stir/SKILL.md";
    let text = |agent: &str| {
        format!(
            "---\nname: stir\ndescription: Stirs\ncontext: fork\nagent: {agent}\n---\n\nStir.\n"
        )
    };
    let found = |agent: &str| {
        codes(&two_plugins().with(format!("/w/{skill}"), &text(agent)), skill, &["claude-code"])
    };
    for known in ["cook", "a:cook", "'a:cook'", "elsewhere:cook"] {
        assert!(found(known).is_empty(), "{known}: {:?}", found(known));
    }
    assert_eq!(
        found("a:waiter"),
        [
            "agent/unknown-plugin-item \"a:waiter\" the plugin `a` has no skill, command or agent `waiter`"
        ]
    );
}

#[test]
fn an_item_of_another_plugin_is_not_the_named_ones() {
    let agent = "plugins/a/agents/waiter.md";
    let text = "---\nname: waiter\ndescription: Serves\n---\n\n`/a:brew-tea`, `/b:brew-tea`\n";
    let world = two_plugins().with(format!("/w/{agent}"), text);
    assert_eq!(
        codes(&world, agent, &["claude-code"]),
        [
            "agent/unknown-plugin-item \"a:brew-tea\" the plugin `a` has no skill, command or agent `brew-tea`"
        ]
    );
}

#[test]
fn files_of_a_skill_that_the_text_names() {
    let skill = "plugins/a/skills/stir/SKILL.md";
    let severities = |body: &str| {
        let own = "Use `references/spoon.md`.";
        let text = format!("---\nname: stir\ndescription: Stirs\n---\n\n{own}\n\n{body}\n");
        let world = two_plugins().with(format!("/w/{skill}"), &text);
        ask(&world, skill, &["claude-code"], |document, cx, _| {
            let found = ide::diagnostics::diagnostics(document, cx);
            let missing = found.iter().filter(|one| one.rule.code == "agent/missing-file");
            missing.map(|one| one.severity).collect::<Vec<_>>()
        })
    };
    use crate::rule::Severity::{Hint, Warning};
    assert_eq!(severities("See `references/pot.md` of `b:brew-tea`."), [Hint]);
    assert_eq!(severities("As brew-tea says\nin `references/pot.md`."), [Hint]);
    assert_eq!(severities("See `references/pot.md`."), [Warning]);
    assert_eq!(severities("See `references/pot.md` of brew-tea-too, not_brew-tea."), [Warning]);
    assert_eq!(severities("See `references/cup.md` of brew-tea."), [Warning]);
    assert_eq!(severities("See the `serve` skill's `references/cup.md`."), [Hint]);
    assert_eq!(severities("`serve` スキルの `references/cup.md` を参照"), [Hint]);
    assert_eq!(severities("See this `stir` skill's `references/cup.md`."), [Warning]);
    assert_eq!(severities("Use the `serve` skill, then `references/cup.md`."), [Warning]);
}

#[test]
fn links_with_a_step_too_many() {
    let agent = "agents/cook.agent.md";
    let text = "---\ndescription: Cooks\n---\n\n[tea](../../skills/tea/SKILL.md) \
        [out](../../skills/none.md) [root](../../README.md) [no](../none/a.md)\n";
    let world = Memory::default()
        .in_folder("/w")
        .with("/w/skills/tea/SKILL.md", "---\nname: tea\ndescription: Tea\n---\n")
        .with("/w/README.md", "")
        .with(format!("/w/{agent}"), text);
    ask(&world, agent, &["copilot"], |document, cx, text| {
        let found = ide::diagnostics::diagnostics(document, cx);
        let dead = found.iter().filter(|one| one.rule.code == "agent/dead-link");
        let dead: Vec<_> = dead.map(|one| (&text[one.span.clone()], &one.fixes[..])).collect();
        let [("../../skills/tea/SKILL.md", [fix]), ("../none/a.md", [])] = &dead[..] else {
            panic!("{dead:?}");
        };
        let fixed = apply(text, &fix.edits).unwrap();
        assert!(fixed.contains("[tea](../skills/tea/SKILL.md)"), "{fixed}");
    });
}
