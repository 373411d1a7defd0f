use std::path::{Path, PathBuf};

use crate::config::{Config, Options};
use crate::document::Document;
use crate::format::Context;
use crate::ide;
use crate::rule::Severity;
use crate::text::apply;
use crate::world::{Memory, World};

fn ask<T>(world: &Memory, name: &str, ask: impl FnOnce(&Document, &Context, &str) -> T) -> T {
    let config = Config::new(PathBuf::from("/w"), Options::default()).unwrap();
    let path = Path::new("/w").join(name);
    let text = world.read(&path).unwrap().text().to_string();
    let document = Document::new(&text, Some(&path), &config);
    ask(&document, &Context::new(document.source(), Some(&path), world, &config), &text)
}

fn found(world: &Memory, name: &str) -> Vec<(String, Severity)> {
    ask(world, name, |document, cx, _| {
        let found = ide::diagnostics::diagnostics(document, cx).into_iter();
        let paths = found.filter(|found| found.rule.code != "configuration/broken-json");
        paths.map(|found| (found.message.clone(), found.severity)).collect()
    })
}

const MANIFEST: &str = ".claude-plugin/plugin.json";
const LIST: &str = ".claude-plugin/marketplace.json";

#[test]
fn paths_of_a_plugin_are_checked() {
    let world = |text: &str| {
        Memory::default()
            .in_folder("/w")
            .with("/w/tea/commands/brew.md", "Brew.")
            .with("/w/tea/skills/stir/SKILL.md", "---\nname: stir\ndescription: Stirs\n---\n")
            .with("/w/pots/SKILL.md", "---\nname: pots\ndescription: 日本\n---\n")
            .with(format!("/w/tea/{MANIFEST}"), text)
    };
    for (text, expected, severity) in [
        (r#"{"commands": "./commands/brew.md", "skills": ["./skills/", "."]}"#, "", None),
        (
            r#"{"commands": ["./commands/bruw.md"]}"#,
            "`./commands/bruw.md` does not exist",
            Some(Severity::Warning),
        ),
        (
            "\u{feff}{\r\n\t\"skills\": \"./日本🦆\", // x\r\n}",
            "`./日本🦆` does not exist",
            Some(Severity::Warning),
        ),
        (r#"{"commands": "commands/brew.md"}"#, "doesn't begin with `./`", Some(Severity::Error)),
        (r#"{"skills": "../pots"}"#, "leads out of the folder", Some(Severity::Warning)),
        // URLs, variables, objects, and a path that exists from the root.
        (r#"{"mcpServers": {"a": {}}, "hooks": "${CLAUDE_PLUGIN_ROOT}/a.json"}"#, "", None),
        (
            r#"{"mcpServers": "https://x.y/z.mcpb", "skills": "./pots", "agents": ["./a*.md"]}"#,
            "",
            None,
        ),
        (
            r#"{"experimental": {"themes": "./none"}}"#,
            "`./none` does not exist",
            Some(Severity::Warning),
        ),
        // Broken and unusual manifests.
        (r#"{"commands": ["./none""#, "`./none` does not exist", Some(Severity::Warning)),
        ("[1]", "", None),
        ("", "", None),
    ] {
        let found = found(&world(text), &format!("tea/{MANIFEST}"));
        match severity {
            None => assert_eq!(found, [], "{text}"),
            Some(severity) => {
                assert_eq!(found.len(), 1, "{text}: {found:?}");
                assert!(found[0].0.contains(expected), "{found:?}");
                assert_eq!(found[0].1, severity, "{text}");
            }
        }
    }
}

#[test]
fn broken_json_is_reported_where_it_is() {
    for (text, at) in [
        ("{\"a\": 1\n \"b\": 2}", Some("\"b\": 2}")),
        ("{\"a\": {\"日本🦆\": 1}\n", Some("{\"a\": {\"日本🦆\": 1}")),
        ("{\"a\": [1,], // x\n}", None),
        ("", None),
    ] {
        let world = Memory::default().in_folder("/w").with("/w/.mcp.json", text);
        let found: Vec<String> = ask(&world, ".mcp.json", |document, cx, text| {
            let found = ide::diagnostics::diagnostics(document, cx);
            found.iter().map(|found| text[found.span.clone()].to_owned()).collect()
        });
        assert_eq!(found.first().map(String::as_str), at, "{text:?}");
        assert!(found.len() < 2, "{found:?}");
    }
    // A test, a template or an unused folder may contain such a file on purpose.
    for (folder, expected) in [
        ("", Severity::Error),
        ("cli/test/fixtures/home-日本/", Severity::Hint),
        ("templates/", Severity::Hint),
        ("archive/", Severity::Hint),
    ] {
        let name = format!("{folder}.mcp.json");
        let world = Memory::default().in_folder("/w").with(format!("/w/{name}"), "{ no");
        let found = ask(&world, &name, |document, cx, _| {
            let found = ide::diagnostics::diagnostics(document, cx);
            found.iter().map(|found| found.severity).collect::<Vec<_>>()
        });
        assert_eq!(found, [expected], "{name}");
    }
}

#[test]
fn plugins_of_a_list_are_checked_with_their_paths() {
    let list = r#"{"plugins": [
        {"name": "a", "source": "./a", "skills": ["./one", "./two"]},
        {"name": "b", "source": "./b"},
        {"name": "c", "source": {"source": "github", "repo": "x/y"}, "skills": ["./none"]},
        {"name": "d", "source": "d"},
        {"name": "e", "source": "../e"}
    ]}"#;
    let world = Memory::default()
        .in_folder("/w")
        .with(format!("/w/{LIST}"), list)
        .with("/w/a/one/SKILL.md", "")
        .with("/w/d/x.md", "");
    let all: Vec<String> = found(&world, LIST).into_iter().map(|(message, _)| message).collect();
    for part in [
        "`./two` does not exist",
        "`./b` does not exist (Claude Code: plugin can't be",
        "`d` doesn't begin",
        "`../e` leads",
    ] {
        assert!(all.iter().any(|message| message.contains(part)), "{part}: {all:#?}");
    }
    assert_eq!(all.len(), 4, "{all:#?}");
    // With a root, folders are relative to it.
    let rooted =
        r#"{"metadata": {"pluginRoot": "./p"}, "plugins": [{"name": "a", "source": "a"}]}"#;
    let world = Memory::default().in_folder("/w").with(format!("/w/{LIST}"), rooted);
    assert_eq!(found(&world.clone().with("/w/p/a/x.md", ""), LIST), []);
    assert_eq!(found(&world, LIST).len(), 1);
    // Of many missing paths, only one is more than a hint; in an archive, none.
    let many: Vec<String> =
        (0..20).map(|n| format!("{{\"name\": \"n\", \"source\": \"./n{n}\"}}")).collect();
    let many = format!("{{\"plugins\": [{}]}}", many.join(","));
    let loud = |folder: &str| {
        let name = format!("{folder}{LIST}");
        let world = Memory::default().in_folder("/w").with(format!("/w/{name}"), &many);
        let all = found(&world, &name);
        (all.len(), all.iter().filter(|(_, severity)| *severity > Severity::Info).count())
    };
    assert_eq!(loud(""), (20, 1));
    assert_eq!(loud("archive/"), (20, 0));
    assert_eq!(loud("tests/fixtures/"), (0, 0));
}

#[test]
fn servers_and_plugins_are_renamed_where_they_are_declared() {
    let world = Memory::default()
        .in_folder("/w")
        .with("/w/.mcp.json", r#"{"mcpServers": {"kettle": {"command": "kettle"}}}"#)
        .with("/w/.claude/settings.json", r#"{"enabledMcpjsonServers": ["kettle"], "permissions": {"allow": ["mcp__kettle__boil"]}, "enabledPlugins": {"tea@shop": true}}"#)
        .with("/w/.claude/agents/cook.md", "---\nname: cook\ndescription: Cooks\ntools: mcp__kettle__boil\n---\n\nRun /tea:brew.\n")
        .with("/w/tea/.claude-plugin/plugin.json", r#"{"name": "tea"}"#)
        .with("/w/tea/commands/brew.md", "Brew, then `/tea:brew`.\n")
        .with(format!("/w/{LIST}"), r#"{"plugins": [{"name": "tea", "source": "./tea"}]}"#);
    let after = |name: &str, word: &str, new: &str| {
        let renaming = ask(&world, name, |document, cx, text| {
            let offset = text.find(word).unwrap() + word.len();
            let old = ide::rename::prepare(document, cx, offset).unwrap();
            assert_eq!(text.get(old.span.clone()), Some(old.name.as_str()));
            ide::rename::rename(document, cx, offset, new).unwrap()
        });
        let mut all: Vec<(PathBuf, String)> = Vec::new();
        for file in renaming.files.iter().chain(&renaming.doubtful) {
            let path = file.path.clone().unwrap();
            let text = world.read(&path).unwrap().text().to_string();
            all.push((path, apply(&text, &file.edits).unwrap()));
        }
        all.sort();
        all
    };
    let server = after(".mcp.json", "{\"kett", "pot");
    assert_eq!(server.len(), 3, "{server:#?}");
    assert!(server.iter().all(|(_, text)| !text.contains("kettle\"") || text.contains("\"command\": \"kettle\"")));
    for (name, word) in
        [(".claude/settings.json", "[\"kett"), (".claude/settings.json", "mcp__kett")]
    {
        assert_eq!(after(name, word, "pot"), server, "{name} {word}");
    }
    let plugin = after("tea/.claude-plugin/plugin.json", "\"te", "chai");
    assert_eq!(plugin.len(), 5, "{plugin:#?}");
    assert!(plugin.iter().all(|(_, text)| text.contains("chai")));
    for (name, word) in [(LIST, "\"name\": \"te"), (".claude/settings.json", "{\"te")] {
        assert_eq!(after(name, word, "chai"), plugin, "{name} {word}");
    }
}

#[test]
fn elsewhere_the_refusal_lists_what_can_be_renamed() {
    let text = r#"{"name": "tea", "version": "1.0", "commands": ["./none.md", "./x.json"]}"#;
    let world = Memory::default()
        .in_folder("/w")
        .with(format!("/w/{MANIFEST}"), text)
        .with("/w/x.json", "");
    ask(&world, MANIFEST, |document, cx, text| {
        for word in ["1.", "versi", "./no", "./x", "{"] {
            let offset = text.find(word).unwrap() + word.len();
            assert_eq!(ide::rename::prepare(document, cx, offset), None, "{word}");
            let refusal = ide::rename::rename(document, cx, offset, "new").unwrap_err();
            assert!(refusal.contains("can be renamed here"), "{refusal}");
        }
        // A path that leads to a file is a link.
        assert_eq!(ide::links::links(document, cx).len(), 1);
    });
}

proptest::proptest! {
    #[test]
    fn any_text_is_answered(text in "([{}\\[\\]\",:/1a]|\"name\"|\"skills\"|\"plugins\"|\"source\"|\"\\./a\"|🦆|\r\n|\\\\){0,40}") {
        let world = Memory::default().in_folder("/w").with(format!("/w/{LIST}"), &text).with("/w/a/SKILL.md", "");
        ask(&world, LIST, |document, cx, text| {
            for found in ide::diagnostics::diagnostics(document, cx) {
                proptest::prop_assert!(text.get(found.span.clone()).is_some());
            }
            for offset in 0..=text.len() {
                if let Some(named) = ide::rename::prepare(document, cx, offset) {
                    proptest::prop_assert_eq!(text.get(named.span.clone()), Some(named.name.as_str()));
                }
                ide::definition::definition(document, cx, offset);
            }
            Ok(())
        })?;
    }
}

#[test]
fn only_paths_that_the_key_takes_are_offered() {
    let world = |files: &[&str]| {
        let skill = "---\nname: tea\ndescription: 日本\n---\n";
        let start = Memory::default().in_folder("/w");
        files.iter().fold(start, |world, file| world.with(format!("/w/{file}"), skill))
    };
    let titles = |text: &str, files: &[&str]| -> Vec<String> {
        let world = world(files).with(format!("/w/{MANIFEST}"), text);
        ask(&world, MANIFEST, |document, cx, _| {
            let found = ide::diagnostics::diagnostics(document, cx).into_iter();
            found.flat_map(|found| found.fixes).map(|fix| fix.title).collect()
        })
    };
    let skills = r#"{"skills": "./skills"}"#;
    for (text, files, expected) in [
        (skills, &["skills-lock.json"] as &[&str], &[] as &[&str]),
        (skills, &["skill/tea/SKILL.md"], &["Replace with `./skill`"]),
        (
            skills,
            &["skills-lock.json", ".agents/skills/tea/SKILL.md"],
            &["Replace with `./.agents/skills`"],
        ),
        (
            skills,
            &[".claude/skills/tea/SKILL.md", ".agents/skills/tea/SKILL.md"],
            &["Replace with `./.claude/skills`", "Replace with `./.agents/skills`"],
        ),
        (
            r#"{"skills": "./skills/"}"#,
            &[".claude/skills/a/SKILL.md"],
            &["Replace with `./.claude/skills/`"],
        ),
        (r#"{"hooks": "./hooks.json"}"#, &["hooks.jsn/a.md"], &[]),
        (r#"{"hooks": "./hooks.json"}"#, &["hook.json"], &["Replace with `./hook.json`"]),
        (
            r#"{"agents": ["./agents/cook.md"]}"#,
            &["agents/cok.md"],
            &["Replace with `./agents/cok.md`"],
        ),
        // This key takes files and folders.
        (r#"{"commands": "./command"}"#, &["commands/a.md"], &["Replace with `./commands`"]),
    ] {
        assert_eq!(titles(text, files), expected, "{text} {files:?}");
    }
}

#[test]
fn events_and_tools_that_claude_code_does_not_have() {
    let settings = ".claude/settings.json";
    let shown = |name: &str, text: &str| {
        found(&Memory::default().in_folder("/w").with(format!("/w/{name}"), text), name)
    };
    let rules = |list: &str, rule: &str| format!(r#"{{"permissions": {{"{list}": ["{rule}"]}}}}"#);
    for (text, message, severity) in [
        (
            r#"{"hooks": {"preToolUse": [], "Stop": []}}"#.to_owned(),
            "hook event: `preToolUse`; did you mean `PreToolUse`?",
            Severity::Warning,
        ),
        (r#"{"hooks": {"日本": [], "Brewed": []}}"#.to_owned(), "`Brewed` (", Severity::Hint),
        (
            rules("deny", "Bsh(rm *)"),
            "tool: `Bsh`; did you mean `Bash`? (Claude Code: the rule matches nothing)",
            Severity::Warning,
        ),
        (rules("ask", "read_file(日本/**)"), "did you mean `Read`?", Severity::Warning),
        (rules("allow", "Kettle"), "`Kettle` (", Severity::Hint),
        (rules("deny", "MultiEdit(a/**)"), "did you mean `Edit`?", Severity::Hint),
    ] {
        let found = shown(settings, &text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(found[0].0.contains(message), "{text}: {found:?}");
        assert_eq!(found[0].1, severity, "{text}");
    }
    for text in [
        r#"{"hooks": {"_PreToolUse": "off", "SessionStart": [{"hooks": []}]}}"#,
        r#"{"hooks": ["PreToolUsed"], "permissions": {"deny": "Bsh", "allow": [{"Bsh": 1}, 1]}}"#,
        r#"{"permissions": {"allow": ["mcp__tea__boil", "*", "Task(a)", "Read(日本)", "Cd(a)", "Mc*", ""]}}"#,
        r#"{"permissions": {"additionalDirectories": ["Bsh"]}, "Bsh": 1}"#,
    ] {
        assert_eq!(shown(settings, text), [], "{text}");
    }
    let typo = rules("deny", "Bsh");
    assert_eq!(shown("app/.claude/settings.local.json", &typo).len(), 1);
    assert_eq!(shown("archive/.claude/settings.json", &typo)[0].1, Severity::Hint);
    assert_eq!(shown("settings.json", &typo), []);
}

const SETTINGS: &str = ".claude/settings.json";

/// The findings in settings of Claude Code, with what each fix makes of them.
fn settled(text: &str) -> Vec<(String, Severity, Vec<String>)> {
    let world = Memory::default().in_folder("/w").with(format!("/w/{SETTINGS}"), text);
    ask(&world, SETTINGS, |document, cx, text| {
        let found = ide::diagnostics::diagnostics(document, cx).into_iter();
        let fixed = |fixes: &[crate::rule::Fix]| {
            fixes.iter().map(|fix| apply(text, &fix.edits).unwrap()).collect()
        };
        let told = found.map(|found| {
            let words = format!("{}: {}", &text[found.span.clone()], found.message);
            (words, found.severity, fixed(&found.fixes))
        });
        told.collect()
    })
}

#[test]
fn rules_for_paths_that_are_never_consulted() {
    let rules = |list: &str| format!("{{\"permissions\": {{\"deny\": [{list}]}}}}");
    for (rule, instead) in [
        ("Write(日本/**)", "Edit(日本/**)"),
        ("NotebookEdit(**)", "Edit(**)"),
        ("Glob(./.env)", "Read(./.env)"),
    ] {
        let found = settled(&rules(&format!("\"Bash\", \"{rule}\"")));
        assert_eq!(found.len(), 1, "{rule}: {found:?}");
        let (words, severity, fixed) = &found[0];
        assert!(
            words.starts_with(rule) && words.contains(&format!("mean `{instead}`?")),
            "{words}"
        );
        assert_eq!(*severity, Severity::Warning, "{rule}");
        assert_eq!(*fixed, [rules(&format!("\"Bash\", \"{instead}\""))]);
    }
    for (list, fixed) in [
        (r#""Edit(a)", "Write(a)""#, r#""Edit(a)""#),
        ("\n  \"Write(a)\",\r\n  \"Edit(a)\"\r\n", "\n  \"Edit(a)\"\r\n"),
    ] {
        let found = settled(&rules(list));
        assert_eq!(found.len(), 1, "{list}: {found:?}");
        assert_eq!(found[0].1, Severity::Hint, "{found:?}");
        assert_eq!(found[0].2, [rules(fixed)]);
    }
    for list in [
        r#""Write", "Write()", "Write(*)", "Glob(*)", "NotebookEdit""#,
        r#""Write(file_path:/etc/*)", "Edit(a)", "Read(a)", "Grep(a)""#,
    ] {
        assert_eq!(settled(&rules(list)), [], "{list}");
    }
}

#[test]
fn matchers_that_match_nothing() {
    let hooks = |event: &str, matcher: &str| {
        format!("{{\"hooks\": {{\"{event}\": [{{\"matcher\": \"{matcher}\", \"hooks\": []}}]}}}}")
    };
    for (event, matcher, told, severity, fixed) in [
        ("PreToolUse", "Edit|bash", "bash: unknown tool", Severity::Warning, "Edit|Bash"),
        ("PostToolUse", " Bash , Edti", "Edti: unknown tool", Severity::Warning, " Bash , Edit"),
        ("PreToolUse", "Edit Write", "Edit Write: unknown tool", Severity::Warning, "Edit|Write"),
        ("PreToolUse", "Kettle", "Kettle: unknown tool", Severity::Hint, ""),
        ("PreToolUse", "MultiEdit", "MultiEdit: unknown tool", Severity::Hint, "Edit"),
        ("PreToolUse", "mcp__tea", "mcp__tea: unknown tool", Severity::Warning, "mcp__tea__.*"),
        ("PreToolUse", "mcp__tea__", "mcp__tea__: unknown", Severity::Warning, "mcp__tea__.*"),
        ("PreToolUse", "Bash,mcp__tea", "mcp__tea: unknown tool", Severity::Hint, ""),
        ("SessionStart", "tea|clear", "tea: unknown value", Severity::Hint, ""),
        ("SessionStart", "Startup", "Startup: unknown value", Severity::Warning, "startup"),
        ("PreToolUse", "Bash(git push *)", "matches no tool: only names", Severity::Warning, ""),
        ("PreToolUse", "Edit(*.py)", "is not a regular expression", Severity::Warning, ""),
        ("SubagentStop", "(a|b", "a `(` is never closed", Severity::Warning, ""),
        ("Stop", "日本", "`Stop` has no matcher", Severity::Hint, ""),
    ] {
        let found = settled(&hooks(event, matcher));
        assert_eq!(found.len(), 1, "{matcher}: {found:?}");
        assert!(found[0].0.contains(told), "{matcher}: {found:?}");
        assert_eq!(found[0].1, severity, "{matcher}");
        let effect = match matcher.contains(['|', ',']) && found[0].0.contains("unknown") {
            true => "(Claude Code: this name matches nothing)",
            false if event == "Stop" => "(Claude Code: the hooks run on every occurrence)",
            false => "(Claude Code: its hooks never run)",
        };
        assert!(found[0].0.ends_with(effect), "{found:?}");
        let wanted: Vec<String> =
            Some(hooks(event, fixed)).filter(|_| !fixed.is_empty()).into_iter().collect();
        assert_eq!(found[0].2, wanted, "{matcher}");
    }
    for (event, matcher) in [
        ("PreToolUse", ""),
        ("PreToolUse", "*"),
        ("PreToolUse", "Write|Edit|MultiEdit"),
        ("PreToolUse", "Task|Agent, Bash"),
        ("PostToolUse", "mcp__tea__.*|mcp__tea__boil"),
        ("PreToolUse", "mcp__tea__boil"),
        ("PreToolUse", "Bash(.*)?"),
        ("PreToolUse", "^(?!Bash).*$"),
        ("PermissionRequest", "Kettle.*"),
        ("SessionStart", "startup|resume"),
        ("SubagentStart", "code-reviewer"),
        ("SubagentStop", "^tea:boil$"),
        ("FileChanged", "*.env"),
        ("Stop", "*"),
    ] {
        assert_eq!(settled(&hooks(event, matcher)), [], "{matcher}");
    }
    let odd =
        r#"{"hooks": {"PreToolUse": [{"matcher": ["bash"]}, 1, {"matcher": 1}, {"hooks": []}]}}"#;
    assert_eq!(settled(odd), []);
}
