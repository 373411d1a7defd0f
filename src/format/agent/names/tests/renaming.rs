//! What a rename changes in settings and manifests, and what it leaves alone.

use super::*;

fn skill(name: &str) -> String {
    format!("---\nname: {name}\ndescription: 日本 🦆\n---\n")
}

/// A world in `/w` with these files.
fn world(files: &[(&str, &str)]) -> Memory {
    let all = Memory::default().in_folder("/w");
    files.iter().fold(all, |world, (path, text)| world.with(format!("/w/{path}"), text))
}

/// The changes after a move of a file or folder, with the new text.
fn moved(world: &Memory, old: &str, new: &str) -> Renaming {
    let moves = [(Path::new("/w").join(old), Path::new("/w").join(new))];
    ide::workspace::moves(world, &moves, &|| false)
}

/// The text of a file after a rename, and whether the author must confirm it.
fn text_of(world: &Memory, renaming: &Renaming, name: &str) -> (String, bool) {
    let path = Path::new("/w").join(name);
    let is_it = |file: &&crate::answer::FileEdit| file.path.as_ref() == Some(&path);
    let source = world.read(&path).unwrap();
    let mut text = source.slice(0..source.len()).into_owned();
    let doubtful = renaming.doubtful.iter().find(is_it);
    for file in renaming.files.iter().find(is_it).into_iter().chain(doubtful) {
        text = apply(&text, &file.edits).unwrap();
    }
    (text, doubtful.is_some())
}

const SETTINGS: &str = ".claude/settings.json";
const NESTED: &str = "apps/web/.claude/settings.json";

#[test]
fn settings_change_only_if_they_mean_the_renamed_file() {
    let text = "{\"permissions\": {\"deny\": [\"Skill(deploy)\", \"Skill(deploy *)\", \"Skill(deploy:*)\"]}, \"skillOverrides\": {\"deploy\": \"off\"}}";
    let changed = text.replace("deploy", "ship");
    let deploy = skill("deploy");
    let own = ".claude/skills/deploy/SKILL.md";
    let far = "apps/web/.claude/skills/deploy/SKILL.md";
    let other = ".agents/skills/deploy/SKILL.md";
    let command = ".claude/commands/deploy.md";
    for (files, old, expected) in [
        // The skill of another client.
        (vec![own, other], ".agents/skills/deploy", [None, None]),
        (vec![own, other], ".claude/skills/deploy", [Some(false), Some(false)]),
        (vec![other], ".agents/skills/deploy", [None, None]),
        // The skill of a nested project: its own settings mean it; settings above, only if no other
        // exists.
        (vec![own, far], "apps/web/.claude/skills/deploy", [None, Some(false)]),
        (vec![own, far], ".claude/skills/deploy", [Some(false), None]),
        (vec![far], "apps/web/.claude/skills/deploy", [Some(false), Some(false)]),
        (vec![own], ".claude/skills/deploy", [Some(false), Some(false)]),
        // Two skills that the client may use.
        (
            vec![far, "apps/api/.claude/skills/deploy/SKILL.md"],
            "apps/web/.claude/skills/deploy",
            [Some(true), Some(false)],
        ),
        (
            vec![own, ".claude/skills/release/SKILL.md"],
            ".claude/skills/deploy",
            [Some(true), Some(true)],
        ),
        // A skill hides a command.
        (vec![own, command], command, [None, None]),
        (vec![command], command, [Some(false), Some(false)]),
    ] {
        let mut all: Vec<(&str, &str)> = files.iter().map(|file| (*file, &*deploy)).collect();
        all.extend([(SETTINGS, text), (NESTED, text), ("apps/web/CLAUDE.md", "")]);
        let world = world(&all);
        let new = old.replace("deploy", "ship");
        let renaming = moved(&world, old, &new);
        for (name, expected) in [SETTINGS, NESTED].into_iter().zip(expected) {
            let (after, asked) = text_of(&world, &renaming, name);
            let found = (after != text).then_some(asked);
            assert_eq!(found, expected, "{name}: {old} of {files:?}");
            assert!(after == text || after == changed, "{after}");
        }
    }
}

const MARKET: &str = "{\"name\": \"m\", \"plugins\": [{\"name\": \"tea\", \"source\": \"./tea\"}]}";

fn plugin() -> Memory {
    let permissions = "\"Skill(tea:steep)\", \"Skill(tea:steep *)\", \"Agent(tea:cook)\", \"Skill(steep)\", \"Skill(tea:*)\", \"Skill(jam:steep)\"";
    world(&[
        (".claude-plugin/marketplace.json", MARKET),
        ("tea/.claude-plugin/plugin.json", "{\"name\": \"tea\"}"),
        ("tea/skills/steep/SKILL.md", &skill("steep")),
        ("tea/agents/cook.md", &skill("cook")),
        (".claude/agents/waiter.md", &skill("waiter")),
        (
            SETTINGS,
            &format!("{{\"agent\": \"waiter\", \"permissions\": {{\"deny\": [{permissions}]}}}}"),
        ),
        (".claude/settings.local.json", "{\"agent\": \"tea:cook\"}"),
    ])
}

#[test]
fn settings_name_items_of_plugins() {
    let world = plugin();
    let before = text_of(&world, &Renaming::default(), SETTINGS).0;
    for (old, new, words, local) in [
        ("tea/skills/steep", "tea/skills/infuse", ["tea:steep", "tea:infuse"], "tea:cook"),
        ("tea/agents/cook.md", "tea/agents/chef.md", ["tea:cook", "tea:chef"], "tea:chef"),
        (".claude/agents/waiter.md", ".claude/agents/host.md", ["waiter", "host"], "tea:cook"),
    ] {
        let renaming = moved(&world, old, new);
        let expected = (before.replace(words[0], words[1]), false);
        assert_eq!(text_of(&world, &renaming, SETTINGS), expected);
        let (after, _) = text_of(&world, &renaming, ".claude/settings.local.json");
        assert_eq!(after, format!("{{\"agent\": \"{local}\"}}"));
    }
    // The plugin itself, from its manifest and from settings.
    for (name, word) in [("tea/.claude-plugin/plugin.json", ": \"te"), (SETTINGS, "Skill(te")] {
        let renaming = ask(&world, name, &["claude-code"], |document, cx, text| {
            ide::rename::rename(document, cx, after(text, word), "chai").unwrap()
        });
        let expected = (before.replace("tea:", "chai:"), false);
        assert_eq!(text_of(&world, &renaming, SETTINGS), expected);
        let (market, _) = text_of(&world, &renaming, ".claude-plugin/marketplace.json");
        assert_eq!(market, MARKET.replace("\"tea\"", "\"chai\""));
    }
    // Its skill, from settings.
    let renaming = ask(&world, SETTINGS, &["claude-code"], |document, cx, text| {
        ide::rename::rename(document, cx, after(text, "Skill(tea:st"), "infuse").unwrap()
    });
    let expected = (before.replace("tea:steep", "tea:infuse"), false);
    assert_eq!(text_of(&world, &renaming, SETTINGS), expected);
    assert_eq!(renaming.moves[0].1, Path::new("/w/tea/skills/infuse"));
}

#[test]
fn a_name_in_settings_is_one_of_its_workspace_folder() {
    let text = "{\"permissions\": {\"deny\": [\"Skill(deploy)\", \"Skill(tea:steep)\"]}}";
    let agent = "---\nname: cook\ndescription: x\nskills: [deploy, \"tea:steep\"]\n---\n";
    let mut world = Memory::default();
    for root in ["/w/a", "/w/b"] {
        world = world
            .in_folder(root)
            .with(format!("{root}/{SETTINGS}"), text)
            .with(format!("{root}/.claude/skills/deploy/SKILL.md"), &skill("deploy"))
            .with(format!("{root}/.claude/agents/cook.md"), agent)
            .with(format!("{root}/.claude-plugin/plugin.json"), "{\"name\": \"tea\"}")
            .with(format!("{root}/skills/steep/SKILL.md"), &skill("steep"));
    }
    for (word, new) in [("Skill(dep", "ship"), ("Skill(te", "chai"), ("Skill(tea:st", "infuse")] {
        let renaming =
            ask(&world, &format!("a/{SETTINGS}"), &["claude-code"], |document, cx, text| {
                ide::rename::rename(document, cx, after(text, word), new).unwrap()
            });
        let old = match new {
            "ship" => "deploy",
            "chai" => "tea",
            _ => "steep",
        };
        let files = applied(&world, &renaming);
        assert!(files.iter().all(|(name, _)| name.starts_with("a/")), "{files:?}");
        let changed = |name: &str, text: &str| {
            assert_eq!(text_of(&world, &renaming, name), (text.replace(old, new), false), "{name}");
        };
        changed(&format!("a/{SETTINGS}"), text);
        changed("a/.claude/agents/cook.md", agent);
    }
}

#[test]
fn a_plugin_that_moves_keeps_the_paths_inside() {
    let manifest =
        "{\"name\": \"tea\", \"skills\": [\"./skills/brew\"], \"agents\": [\"./agents/cook.md\"]}";
    let market = "{\"plugins\": [{\"name\": \"plug\", \"source\": \"./plug\", \"skills\": [\"./skills/brew\", \"./skills/stir\"]}]}";
    let rooted = "{\"metadata\": {\"pluginRoot\": \"./all\"}, \"plugins\": [{\"name\": \"plug\", \"source\": \"plug\"}]}";
    for (market, expected, old, new) in [
        (market, market.replace("./plug", "./plugin"), "plug", "plugin"),
        (
            market,
            market.replace("./skills/brew", "./skills/make"),
            "plug/skills/brew",
            "plug/skills/make",
        ),
        (
            rooted,
            rooted.replace("source\": \"plug", "source\": \"plugin"),
            "all/plug",
            "all/plugin",
        ),
        (rooted, rooted.replace("./all", "./each"), "all", "each"),
    ] {
        let base = if old.starts_with("all") { "all/plug" } else { "plug" };
        let own = format!("{base}/.claude-plugin/plugin.json");
        let world = world(&[
            (".claude-plugin/marketplace.json", market),
            (&own, manifest),
            (&format!("{base}/skills/brew/SKILL.md"), &skill("brew")),
            (&format!("{base}/agents/cook.md"), &skill("cook")),
        ]);
        let renaming = moved(&world, old, new);
        let (after, _) = text_of(&world, &renaming, ".claude-plugin/marketplace.json");
        assert_eq!(after, expected);
        let (after, _) = text_of(&world, &renaming, &own);
        let inside = old.ends_with("brew");
        assert_eq!(
            after,
            if inside { manifest.replace("brew", "make") } else { manifest.to_owned() }
        );
    }
}

#[test]
fn paths_after_variables_follow_moves() {
    let line = "Run `${CLAUDE_PLUGIN_ROOT}/skills/steep/x.sh`, ${CLAUDE_PLUGIN_ROOT}/skills/steep-too/x.sh.";
    let fenced = "```sh\nbash \"$CLAUDE_PLUGIN_ROOT\"/skills/steep/x.sh\n```\n";
    let hooks = r#"{"hooks": {"Stop": [{"hooks": [{"command": "\"${CLAUDE_PLUGIN_ROOT}\"/skills/steep/x.sh"}]}]}}"#;
    let settings = r#"{"statusLine": {"command": "$CLAUDE_PROJECT_DIR/.claude/skills/pour/y.sh"}}"#;
    let pour = "`${CLAUDE_SKILL_DIR}/y.sh`, `${CLAUDE_PROJECT_DIR}/.claude/skills/pour/y.sh` 🦆\n";
    let own = format!("{}\n{line}\n\n{fenced}", skill("steep"));
    let world = world(&[
        ("tea/.claude-plugin/plugin.json", "{\"name\": \"tea\"}"),
        ("tea/skills/steep/SKILL.md", &own),
        ("tea/skills/steep/x.sh", ""),
        ("tea/skills/steep/notes.md", fenced),
        ("tea/commands/serve.md", line),
        ("tea/hooks/hooks.json", hooks),
        ("jam/.claude-plugin/plugin.json", "{\"name\": \"jam\"}"),
        ("jam/commands/serve.md", line),
        (SETTINGS, settings),
        (".claude/skills/pour/SKILL.md", &(skill("pour") + pour)),
        (".claude/skills/pour/y.sh", ""),
    ]);
    let renaming = moved(&world, "tea/skills/steep", "tea/skills/infuse");
    let new = |text: &str| {
        let text = text.replace("/steep/", "/infuse/").replace("name: steep", "name: infuse");
        (text, false)
    };
    for (name, text) in [
        ("tea/skills/steep/SKILL.md", &*own),
        ("tea/skills/steep/notes.md", fenced),
        ("tea/commands/serve.md", line),
        ("tea/hooks/hooks.json", hooks),
    ] {
        assert_eq!(text_of(&world, &renaming, name), new(text), "{name}");
    }
    assert_eq!(text_of(&world, &renaming, "jam/commands/serve.md").0, line);
    // A file of a skill, the skill itself, and the whole plugin.
    let renaming = moved(&world, ".claude/skills/pour/y.sh", ".claude/skills/pour/z.sh");
    let (after, _) = text_of(&world, &renaming, ".claude/skills/pour/SKILL.md");
    assert_eq!(after, skill("pour") + &pour.replace("y.sh", "z.sh"));
    assert_eq!(text_of(&world, &renaming, SETTINGS).0, settings.replace("y.sh", "z.sh"));
    let renaming = moved(&world, ".claude/skills/pour", ".claude/skills/decant");
    let (after, _) = text_of(&world, &renaming, ".claude/skills/pour/SKILL.md");
    assert_eq!(after, skill("decant") + &pour.replace("/pour/", "/decant/"));
    let renaming = moved(&world, "tea", "chai");
    assert!(renaming.is_empty(), "{renaming:?}");
}

#[test]
fn a_path_into_another_skill_follows_it() {
    let text =
        "Run `${CLAUDE_SKILL_DIR}/../steep/scripts/x.sh`, not `${CLAUDE_SKILL_DIR}/y.sh` 🦆.\n";
    let pour = skill("pour") + text;
    let world = world(&[
        (".claude/skills/steep/SKILL.md", &skill("steep")),
        (".claude/skills/steep/scripts/x.sh", ""),
        (".claude/skills/pour/SKILL.md", &pour),
        (".claude/skills/pour/y.sh", ""),
    ]);
    let own = ".claude/skills/pour/SKILL.md";
    for (old, new, from, to) in [
        ("skills/steep", "skills/infuse", "/steep/", "/infuse/"),
        ("skills/steep/scripts", "skills/steep/bin", "/scripts/", "/bin/"),
        ("skills/steep/scripts/x.sh", "skills/steep/scripts/z.sh", "/x.sh", "/z.sh"),
        ("skills/pour", "skills/tea/pour", "../steep", "../../steep"),
        ("skills/pour", "skills/decant", "pour\n", "decant\n"),
    ] {
        let renaming = moved(&world, &format!(".claude/{old}"), &format!(".claude/{new}"));
        let expected = (pour.replace(from, to), false);
        let (after, asked) = text_of(&world, &renaming, own);
        assert_eq!((after, asked && to != "../../steep"), expected, "{new}");
    }
    // Also when the request is at the name.
    let renaming = ask(&world, ".claude/skills/steep/SKILL.md", &[], |document, cx, text| {
        ide::rename::rename(document, cx, after(text, "name: st"), "infuse").unwrap()
    });
    assert_eq!(text_of(&world, &renaming, own), (pour.replace("/steep/", "/infuse/"), false));
}

#[test]
fn a_missing_path_in_the_folder_of_a_skill_is_reported() {
    let text = "Run `${CLAUDE_SKILL_DIR}/../brew/scripts/x.sh`, `${CLAUDE_SKILL_DIR}/../steep/scripts/x.sh`,\n`${CLAUDE_SKILL_DIR}/y.sh`, `${CLAUDE_SKILL_DIR}/z.sh`, `${CLAUDE_SKILL_DIR}/../$1/a.sh` 🦆, ${CLAUDE_SKILL_DIR}/out/a.json.\n";
    let world = world(&[
        (".claude/skills/steep/SKILL.md", &skill("steep")),
        (".claude/skills/steep/scripts/x.sh", ""),
        (".claude/skills/pour/SKILL.md", &(skill("pour") + text)),
        (".claude/skills/pour/y.sh", ""),
    ]);
    let found = ask(&world, ".claude/skills/pour/SKILL.md", &["claude-code"], |document, cx, _| {
        ide::diagnostics::diagnostics(document, cx)
    });
    let missing = found.iter().filter(|found| found.rule.code == "agent/missing-file");
    let found: Vec<(&str, Option<&str>)> = missing
        .map(|found| (found.message.as_str(), found.fixes.first().map(|fix| fix.title.as_str())))
        .collect();
    assert_eq!(
        found,
        [
            (
                "`../brew/scripts/x.sh` is run here and does not exist",
                Some("Replace with `../steep/scripts/x.sh`")
            ),
            ("`z.sh` is run here and does not exist", Some("Replace with `y.sh`")),
        ]
    );
}

#[test]
fn the_nearer_of_two_projects_is_meant() {
    let agent = "---\nname: cook\ndescription: 日本 🦆\nskills: tea\n---\n";
    let files = [
        (".claude/skills/tea/SKILL.md", skill("tea")),
        (".claude/agents/cook.md", agent.to_owned()),
        ("CLAUDE.md", "The `tea` skill, and `/sub:tea`.\n".to_owned()),
        ("sub/.claude/skills/tea/SKILL.md", skill("tea")),
        ("sub/.claude/agents/chef.md", agent.replace("cook", "chef")),
    ];
    let all: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, &**text)).collect();
    let world = world(&all);
    let outer = [
        ".claude/agents/cook.md",
        ".claude/skills/tea",
        ".claude/skills/tea/SKILL.md",
        "CLAUDE.md",
    ];
    let inner = [
        "CLAUDE.md",
        "sub/.claude/agents/chef.md",
        "sub/.claude/skills/tea",
        "sub/.claude/skills/tea/SKILL.md",
    ];
    for (name, word, expected) in [
        (outer[0], "skills: te", outer),
        (outer[2], "name: te", outer),
        ("CLAUDE.md", "`te", outer),
        ("CLAUDE.md", "sub:te", inner),
        (inner[1], "skills: te", inner),
        (inner[3], "name: te", inner),
    ] {
        let renaming = ask(&world, name, &["claude-code"], |document, cx, text| {
            ide::rename::rename(document, cx, after(text, word), "cha").unwrap()
        });
        let after = applied(&world, &renaming);
        let names: Vec<&str> = after.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, expected, "{name}: {word}");
        let memory = after.iter().find(|(name, _)| name == "CLAUDE.md").unwrap();
        assert_eq!(memory.1.matches("cha").count(), 1, "{memory:?}");
    }
}

#[test]
fn a_name_of_several_projects_below_is_refused() {
    let world = world(&[
        ("CLAUDE.md", "The `tea` skill 🦆.\n"),
        ("a/.claude/skills/tea/SKILL.md", &skill("tea")),
        ("b/.claude/skills/tea/SKILL.md", &skill("tea")),
    ]);
    let refused = ask(&world, "CLAUDE.md", &["claude-code"], |document, cx, text| {
        ide::rename::rename(document, cx, after(text, "`te"), "cha").unwrap_err()
    });
    assert!(
        refused.contains("`a/.claude/skills/tea/SKILL.md` or `b/.claude/skills/tea/SKILL.md`"),
        "{refused}"
    );
}

#[test]
fn references_include_settings() {
    let world = plugin();
    for (name, word, expected) in [
        ("tea/skills/steep/SKILL.md", "name: st", vec!["tea:steep", "tea:steep"]),
        ("tea/agents/cook.md", "name: co", vec!["tea:cook"]),
        (".claude/agents/waiter.md", "name: wa", vec!["waiter"]),
    ] {
        let found = ask(&world, name, &["claude-code"], |document, cx, text| {
            ide::references::references(document, cx, after(text, word), true)
        });
        let settings = text_of(&world, &Renaming::default(), SETTINGS).0;
        let path = Path::new("/w").join(SETTINGS);
        let here = found.iter().filter(|one| one.path.as_ref() == Some(&path));
        let texts: Vec<&str> = here.map(|one| &settings[one.span.clone()]).collect();
        let names: Vec<&str> =
            expected.iter().map(|name| name.rsplit(':').next().unwrap()).collect();
        assert_eq!(texts, names, "{name}: {found:?}");
    }
}

#[test]
fn references_include_paths_of_files_with_another_name() {
    let world = world(&[
        (".claude/agents/code-reviewer.md", "---\nname: critic\ndescription: x\n---\nx\n"),
        (".claude/skills/brew/SKILL.md", &skill("brew")),
        (
            "README.md",
            "[日本](.claude/agents/code-reviewer.md), [b](.claude/skills/brew/SKILL.md)\n",
        ),
    ]);
    for (name, place) in
        [(".claude/agents/code-reviewer.md", "name: "), (".claude/skills/brew/SKILL.md", "name: ")]
    {
        let found = ask(&world, name, &[], |document, cx, text| {
            ide::references::references(document, cx, after(text, place), true)
        });
        let paths: Vec<Option<String>> =
            found.iter().map(|one| one.path.as_deref().map(short)).collect();
        assert_eq!(paths, [None, Some("README.md".to_owned())], "{name}");
    }
}

#[test]
fn commands_follow_a_moved_file() {
    let hooks = "hooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: \"bash ./.claude/skills/brew/日本.sh\"\n";
    let agent = format!("---\nname: a\ndescription: x\n{hooks}---\nx\n");
    let command = "---\r\nallowed-tools: Bash(.claude/skills/brew/日本.sh:*), Read(.claude/skills/brew/**), Bash(brew/x *)\r\n---\r\nx\r\n";
    let settings = "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": \"日本 .claude/skills/brew/日本.sh\"}]}]}, \"permissions\": {\"allow\": [\"Bash(.claude/skills/brew/日本.sh:*)\", \"Read(./.claude/skills/brew/**)\"]}}";
    let world = world(&[
        (SETTINGS, settings),
        (".claude/skills/brew/SKILL.md", &skill("brew")),
        (".claude/skills/brew/日本.sh", ""),
        (".claude/agents/a.md", &agent),
        (".claude/commands/c.md", command),
    ]);
    let renaming = moved(&world, ".claude/skills/brew", ".claude/skills/pour");
    for (name, text) in [
        (".claude/agents/a.md", agent.as_str()),
        (".claude/commands/c.md", command),
        (SETTINGS, settings),
    ] {
        let expected = text.replace(".claude/skills/brew", ".claude/skills/pour");
        assert_eq!(text_of(&world, &renaming, name), (expected, false), "{name}");
    }
}

#[test]
fn no_quotes_are_written_into_yaml_and_json() {
    let front = "---\nname: a\ndescription: x\nhooks:\n  Stop:\n    - hooks:\n        - command: 'sh tools/a.sh'\n        - prompt: see tools/a.sh\n---\n[x](../../tools/a.sh)\n";
    let settings = "{\"model\": \"tools/a.sh\", \"permissions\": {\"allow\": [\"Read(./tools/**)\"]}, \"hooks\": [{\"command\": \"tools/a.sh\"}]}";
    let world = world(&[(".claude/agents/a.md", front), (SETTINGS, settings), ("tools/a.sh", "x")]);
    let after = |to: &str| {
        let renaming = moved(&world, "tools", to);
        [".claude/agents/a.md", SETTINGS].map(|name| text_of(&world, &renaming, name).0)
    };
    assert_eq!(
        after("my 🦆 tools"),
        [front.replace("../../tools/a.sh", "../../my%20🦆%20tools/a.sh"), settings.to_owned()]
    );
    assert_eq!(
        after("made"),
        [
            front
                .replace("sh tools/a.sh", "sh made/a.sh")
                .replace("../../tools/a.sh", "../../made/a.sh"),
            settings.replace("./tools/**", "./made/**").replace("d\": \"tools", "d\": \"made")
        ]
    );
}

#[test]
fn a_command_that_a_skill_hides_keeps_its_name() {
    let agent = "---\nname: a\ndescription: x\nskills: [brew]\n---\n/brew\n";
    let world = world(&[
        (".claude/skills/brew/SKILL.md", &skill("brew")),
        (".claude/commands/brew.md", "Brew.\n"),
        (".claude/agents/a.md", agent),
    ]);
    for word in ["[br", "/br"] {
        let renaming =
            ask(&world, ".claude/agents/a.md", &["claude-code"], |document, cx, text| {
                ide::rename::rename(document, cx, after(text, word), "pour").unwrap()
            });
        let moves: Vec<String> = renaming.moves.iter().map(|(old, _)| short(old)).collect();
        assert_eq!(moves, [".claude/skills/brew"], "{word}");
    }
}

#[test]
fn destinations_of_links_are_written_so_that_they_lead_to_the_file() {
    let text = "[a](other.md#p) ![b](other.md) [c](<other.md> 'x') [d]\r\n\r\n[d]: other.md\r\n[e]: <other.md?x=1>\r\n[f]: ./other.md \"t\"\r\n";
    for name in [
        "a b.md",
        "a (1).md",
        "a(b.md",
        "a)b.md",
        "a#b.md",
        "a?b.md",
        "50%.md",
        "%20.md",
        "a&amp;b.md",
        "<a>.md",
        "a\\b.md",
        "a\u{1}b.md",
        "日本 🦆.md",
        "a`b.md",
        "$a*{b}.md",
        "a|b.md",
        "a\"b.md",
        "c:d.md",
        "~a.md",
        "a...md",
    ] {
        let world = world(&[("CLAUDE.md", text), ("other.md", "# P\n")]);
        let (after, _) = text_of(&world, &moved(&world, "other.md", name), "CLAUDE.md");
        let source = crate::source::Source::new(&after);
        let mut found = 0;
        for placed in source.sections() {
            for link in &source.blocks(placed).links {
                let target = ide::links::target(Some(Path::new("/w/CLAUDE.md")), &link.destination);
                let Some(crate::answer::LinkTarget::File { path, .. }) = target else {
                    panic!("{name}: {after}");
                };
                assert_eq!(path, Path::new("/w").join(name), "{after}");
                found += usize::from(link.destination_span.is_some());
            }
        }
        assert_eq!(found, 6, "{name}: {after}");
        assert!(
            after.contains("#p)") && after.contains("?x=1>") && after.contains("]: ./"),
            "{after}"
        );
        assert_eq!(after.matches('<').count(), 2, "{after}");
    }
    // Spaces stay spaces between angle brackets.
    let world = world(&[("CLAUDE.md", text), ("other.md", "# P\n")]);
    let (after, _) = text_of(&world, &moved(&world, "other.md", "a (b).md"), "CLAUDE.md");
    assert!(
        after.contains("[c](<a (b).md> 'x')") && after.contains("[a](a%20%28b%29.md#p)"),
        "{after}"
    );
}

#[test]
fn paths_with_spaces_are_written_in_the_notation_of_their_readers() {
    let hook = "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": \"sh \\\"$CLAUDE_PROJECT_DIR\\\"/.claude/tools/a.sh\"}]}]}}";
    let text = "Run `bash .claude/tools/a.sh`, see `.claude/tools/a.sh` and [a](.claude/tools/a.sh).\n\n@.claude/tools/a.sh\n";
    let world =
        world(&[("CLAUDE.md", text), (".claude/tools/a.sh", "x"), (".claude/settings.json", hook)]);
    let renaming = moved(&world, ".claude/tools", ".claude/my tools");
    let (after, _) = text_of(&world, &renaming, "CLAUDE.md");
    assert_eq!(
        after,
        "Run `bash '.claude/my tools/a.sh'`, see `.claude/my tools/a.sh` and [a](.claude/my%20tools/a.sh).\n\n@.claude/tools/a.sh\n"
    );
    let (after, _) = text_of(&world, &renaming, ".claude/settings.json");
    assert!(after.contains("\\\"$CLAUDE_PROJECT_DIR\\\"/'.claude/my tools/a.sh'\""), "{after}");
}

#[test]
fn a_path_in_a_marketplace_begins_in_the_folder_of_its_plugin() {
    let list = "{\"plugins\": [\r\n  {\"name\": \"日本\", \"source\": \"./tea\"},\r\n  {\"name\": \"cof\", \"source\": \"./cof\", \"skills\": [\"./skills/brew\", \"./skills/stir\"]}\r\n]}";
    let skill = "---\nname: brew\ndescription: Brews\n---\n";
    let world = Memory::default()
        .in_folder("/w")
        .with("/w/.claude-plugin/marketplace.json", list)
        .with("/w/tea/.claude-plugin/plugin.json", "{\"name\": \"日本\"}")
        .with("/w/cof/.claude-plugin/plugin.json", "{\"name\": \"cof\"}")
        .with("/w/skills/stir/SKILL.md", skill)
        .with("/w/tea/skills/brew/SKILL.md", skill)
        .with("/w/cof/skills/brew/SKILL.md", skill);
    let renamed = |name: &str, word: &str| {
        let renaming = ask(&world, name, &["claude-code"], |document, cx, text| {
            ide::rename::rename(document, cx, after(text, word), "make").unwrap()
        });
        let files = applied(&world, &renaming);
        let list = files.into_iter().find(|(name, _)| name.ends_with("marketplace.json"));
        list.map(|(_, text)| text)
    };
    assert_eq!(renamed("tea/skills/brew/SKILL.md", "name: br"), None);
    assert_eq!(renamed("skills/stir/SKILL.md", "name: br"), None);
    let expected = Some(list.replace("./skills/brew", "./skills/make"));
    assert_eq!(renamed("cof/skills/brew/SKILL.md", "name: br"), expected);
    let file = ".claude-plugin/marketplace.json";
    assert_eq!(renamed(file, "./skills/br"), expected);
    let led = ask(&world, file, &["claude-code"], |document, cx, text| {
        ide::definition::definition(document, cx, after(text, "./skills/br"))
    });
    let paths: Vec<_> = led.iter().filter_map(|target| target.path.as_deref()).map(short).collect();
    assert_eq!(paths, ["cof/skills/brew/SKILL.md"]);
}

#[test]
fn paths_with_spaces_follow_in_quotes() {
    let front = "---\nname: a\ndescription: x\ntools: Bash(\"my tools/日本.sh\" *), Read\nhooks:\n  Stop:\n    - hooks:\n        - command: 'sh \"my tools/日本.sh\" --a'\n        - command: \"sh 'my tools/日本.sh'\"\n        - command: \"\\\"my tools/日本.sh\\\" x\"\n        - command: \"echo 'see my/other and that'\"\n---\n";
    let settings = "{\"permissions\": {\"allow\": [\"Bash('my tools/日本.sh':*)\"]}, \"hooks\": [{\"command\": \"\\\"./my tools/日本.sh\\\" --a\"}, {\"command\": \"\\\"${CLAUDE_PROJECT_DIR}/my tools/日本.sh\\\" a/b\"}]}";
    let world =
        world(&[(".claude/agents/a.md", front), (SETTINGS, settings), ("my tools/日本.sh", "x")]);
    for to in ["made", "our tools"] {
        let renaming = moved(&world, "my tools", to);
        for (name, text) in [(".claude/agents/a.md", front), (SETTINGS, settings)] {
            let expected = (text.replace("my tools/", &format!("{to}/")), false);
            assert_eq!(text_of(&world, &renaming, name), expected, "{name} {to}");
        }
    }
    // Quotes can't contain these.
    let renaming = moved(&world, "my tools", "it's");
    assert_eq!(text_of(&world, &renaming, SETTINGS).0, settings);
}

#[test]
fn links_from_the_root_follow_moves() {
    let text = "See [a](/docs/a.md#x), [b](</docs/a.md>), [c](//docs/a.md), [d](/none/a.md) and `cat /docs/a.md`.\n\n@/docs/a.md\n\n[e]: /docs/a.md\n";
    let world = world(&[("src/CLAUDE.md", text), ("docs/a.md", "日本")]);
    let renaming = moved(&world, "docs", "the pages");
    let (after, _) = text_of(&world, &renaming, "src/CLAUDE.md");
    assert_eq!(
        after,
        "See [a](/the%20pages/a.md#x), [b](</the pages/a.md>), [c](//docs/a.md), [d](/none/a.md) and `cat /docs/a.md`.\n\n@/docs/a.md\n\n[e]: /the%20pages/a.md\n"
    );
    // Moving the document doesn't affect paths from the root.
    let renaming = moved(&world, "src", "lib");
    assert_eq!(text_of(&world, &renaming, "src/CLAUDE.md").0, text);
}

/// A world that counts how often manifests of plugins are read.
struct Counting {
    inner: Memory,
    read: std::sync::atomic::AtomicUsize,
}

impl World for Counting {
    fn read(&self, path: &Path) -> Result<crate::source::Source, crate::world::ReadError> {
        if path.ends_with("plugin.json") {
            self.read.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
        self.inner.read(path)
    }

    fn kind(&self, path: &Path) -> Option<crate::world::EntryKind> {
        self.inner.kind(path)
    }

    fn list(&self, folder: &Path) -> crate::world::Listing {
        self.inner.list(folder)
    }

    fn root(&self, path: Option<&Path>) -> Option<PathBuf> {
        self.inner.root(path)
    }

    fn files(&self) -> Vec<PathBuf> {
        self.inner.files()
    }

    fn known_files(&self) -> Vec<PathBuf> {
        self.inner.known_files()
    }

    fn knowledge(&self) -> crate::world::Knowledge {
        self.inner.knowledge()
    }

    fn memo(&self) -> &crate::markdown::memo::Memo {
        self.inner.memo()
    }
}

#[test]
fn manifests_of_many_plugins_are_read_once_for_all_mentions() {
    let count = 20;
    let mut files: Vec<(String, String)> = Vec::new();
    for index in 0..count {
        let next = (index + 1) % count;
        let text = format!("{}\nUse `p{next}:brew`.\n", skill("brew"));
        files.push((format!("p{index}/skills/brew/SKILL.md"), text));
        let manifest = format!("{{\"name\": \"p{index}\"}}");
        files.push((format!("p{index}/.claude-plugin/plugin.json"), manifest));
    }
    let borrowed: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let world = Counting { inner: world(&borrowed), read: 0.into() };
    let path = Path::new("/w/p1/skills/brew/SKILL.md");
    let config = Config::default();
    let document = Document::new(&files[2].1, Some(path), &config);
    let cx = Context::new(document.source(), Some(path), &world, &config);
    let found = ide::references::references(&document, &cx, after(&files[2].1, "name: b"), true);
    assert_eq!(found.len(), 2, "{found:?}");
    let read = world.read.into_inner();
    assert!(read <= 3 * count, "{read} times");
}
