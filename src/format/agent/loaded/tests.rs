//! What clients load, in a world in memory.

use std::path::{Path, PathBuf};

use super::*;
use crate::client::catalog;
use crate::config::Options;
use crate::world::Memory;

/// A `?` before the start marks it as assumed.
fn load(world: &Memory, client: &str, start: &str, path: &str, home: Option<&str>) -> Load {
    let config = Config::new(PathBuf::from("/w"), Options::default()).unwrap();
    let files = world.files();
    let question = Question {
        world,
        config: &config,
        root: PathBuf::from("/w"),
        start: PathBuf::from(start.trim_start_matches('?')),
        assumed: start.starts_with('?'),
        path: Some(PathBuf::from(path)),
        home: home.map(PathBuf::from),
        files: Files::new(&files),
        exact: false,
        cancelled: &|| false,
    };
    super::load(&question, catalog().named(client).unwrap())
}

fn paths(load: &Load) -> Vec<&str> {
    load.files.iter().map(|file| file.path.as_str()).collect()
}

#[test]
fn each_client_has_its_own_chain() {
    let world = Memory::default()
        .with("/w/.git/HEAD", "x")
        .with("/w/AGENTS.md", "Top.\n")
        .with("/w/CLAUDE.md", "Claude.\n")
        .with("/w/GEMINI.md", "@./a.md\n")
        .with("/w/a.md", "A.\n")
        .with("/w/.github/copilot-instructions.md", "Copilot.\n")
        .with("/w/s/AGENTS.md", "Sub.\n")
        .with("/w/s/GEMINI.md", "Sub.\n")
        .with("/w/s/t/GEMINI.md", "Deep.\n")
        .in_folder("/w");
    let of = |client: &str| {
        let load = load(&world, client, "/w/s", "/w/s/x.rs", None);
        load.files.iter().map(|file| file.path.clone()).collect::<Vec<_>>()
    };
    assert_eq!(of("codex"), ["AGENTS.md", "s/AGENTS.md"]);
    assert_eq!(of("claude-code"), ["CLAUDE.md"]);
    assert_eq!(of("copilot"), [".github/copilot-instructions.md", "AGENTS.md", "CLAUDE.md"]);
    assert_eq!(of("gemini"), ["GEMINI.md", "a.md", "s/GEMINI.md", "s/t/GEMINI.md"]);
    // The nearest folder first, and one name for all folders.
    assert_eq!(of("opencode"), ["s/AGENTS.md", "AGENTS.md"]);
    assert_eq!(of("zed"), [".github/copilot-instructions.md"]);
    assert_eq!(of("goose"), ["AGENTS.md", "s/AGENTS.md"]);
    assert_eq!(of("qwen"), ["AGENTS.md", "s/AGENTS.md"]);
    assert_eq!(of("continue"), ["AGENTS.md"]);
}

#[test]
fn opencode_takes_one_name_above_and_the_first_of_each_folder_below() {
    let of = |files: &[&str]| {
        let world = files.iter().fold(Memory::default(), |world, path| {
            world.with(Path::new("/w").join(path), "日本 🦆\n")
        });
        let load = load(&world.in_folder("/w"), "opencode", "/w/s", "/w/s/t/u/x.rs", None);
        load.files.iter().map(|file| file.path.clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        of(&["CLAUDE.md", "s/t/AGENTS.md", "s/t/CLAUDE.md", "s/t/u/CONTEXT.md"]),
        ["CLAUDE.md", "s/t/u/CONTEXT.md", "s/t/AGENTS.md"]
    );
    assert_eq!(of(&["AGENTS.md", "s/CLAUDE.md", "s/t/CLAUDE.md"]), ["AGENTS.md", "s/t/CLAUDE.md"]);
}

#[test]
fn settings_determine_where_a_project_of_codex_begins() {
    let of = |markers: &str| {
        let world = Memory::default()
            .with("/w/.git/HEAD", "x")
            .with("/w/AGENTS.md", "Top.\n")
            .with("/w/a/package.json", "{}")
            .with("/w/a/AGENTS.md", "A.\n")
            .with("/w/a/b/AGENTS.md", "B.\n")
            .with("/w/.codex/config.toml", "project_root_markers = [\"nothing\"]\n")
            .with("/home/me/.codex/config.toml", markers)
            .in_folder("/w");
        let load = load(&world, "codex", "/w/a/b", "/w/a/b/x.rs", Some("/home/me"));
        load.files.iter().map(|file| file.path.clone()).collect::<Vec<_>>()
    };
    assert_eq!(of(""), ["AGENTS.md", "a/AGENTS.md", "a/b/AGENTS.md"]);
    assert_eq!(of("project_root_markers = [\"package.json\"]\n"), ["a/AGENTS.md", "a/b/AGENTS.md"]);
    assert_eq!(of("project_root_markers = []\n"), ["a/b/AGENTS.md"]);
}

#[test]
fn files_of_older_versions_are_loaded() {
    let world = |more: &[&str]| {
        let files = [".cursorrules", ".windsurfrules", ".roorules", ".clinerules"];
        let all = files.iter().chain(more).map(|name| format!("/w/{name}"));
        all.fold(Memory::default(), |world, path| world.with(path, "日本 🦆\n")).in_folder("/w")
    };
    let of = |client: &str, more: &[&str]| {
        let load = load(&world(more), client, "/w", "/w/s/x.rs", None);
        load.files.iter().map(|file| file.path.clone()).collect::<Vec<_>>()
    };
    assert_eq!(of("cursor", &["s/.cursorrules"]), [".cursorrules"]);
    assert_eq!(of("windsurf", &[]), [".windsurfrules"]);
    assert_eq!(of("cline", &[]), [".clinerules", ".cursorrules", ".windsurfrules"]);
    assert_eq!(of("roo", &[]), [".roorules"]);
    // Rules in a folder replace the file.
    assert_eq!(of("roo", &[".roo/rules/a.md"]), [".roo/rules/a.md"]);
    assert_eq!(of("roo", &[".roo/commands/a.md"]), [".roorules"]);
}

#[test]
fn copilot_loads_the_files_of_claude_code() {
    let world = |settings: &str| {
        Memory::default()
            .with("/w/.vscode/settings.json", settings)
            .with("/w/.github/copilot-instructions.md", "Copilot.\n")
            .with("/w/AGENTS.md", "Agents.\n")
            .with("/w/CLAUDE.md", "Claude.\n")
            .with("/w/CLAUDE.local.md", "Local.\n")
            .with("/w/.claude/CLAUDE.md", "Inner.\n")
            .with("/w/.claude/rules/all.md", "日本 🦆\n")
            .with("/w/.claude/rules/ts.md", "---\npaths: [\"**/*.ts\"]\n---\nTS\n")
            .with("/w/.claude/rules/py.md", "---\npaths: [\"**/*.py\"]\n---\nPY\n")
            .with("/w/.claude/agents/cook.md", "---\nname: cook\ndescription: x\n---\n")
            .in_folder("/w")
    };
    let of = |settings: &str| {
        let load = load(&world(settings), "copilot", "/w", "/w/a.ts", None);
        let whole = load.files.iter().filter(|file| file.why != Why::Listing);
        whole.map(|file| file.path.clone()).collect::<Vec<_>>()
    };
    let rules = [".claude/rules/all.md", ".claude/rules/ts.md"];
    let claude = ["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"];
    let own = [".github/copilot-instructions.md", "AGENTS.md"];
    assert_eq!(of("{}"), [&rules[..], &own, &claude].concat());
    let off = "// off\n{\"chat.useClaudeMdFile\": false, \"chat.useAgentsMdFile\": true}";
    assert_eq!(of(off), [&rules[..], &own].concat());
}

#[test]
fn a_value_of_the_wrong_type_meets_no_condition() {
    for (client, file, front, loaded) in [
        ("cline", ".clinerules/r.md", "paths: \"**/*.py\"", Some(Why::Always)),
        ("cline", ".clinerules/r.md", "paths: [\"**/*.py\"]", None),
        ("cline", ".clinerules/r.md", "paths: [\"**/*.ts\"]", Some(Why::Rule)),
        ("cline", ".clinerules/r.md", "paths: []", None),
        ("copilot", ".github/instructions/r.instructions.md", "applyTo: [\"**/*.ts\"]", None),
        (
            "copilot",
            ".github/instructions/r.instructions.md",
            "applyTo: \"**/*.ts\"",
            Some(Why::Instructions),
        ),
    ] {
        let world = Memory::default()
            .with(format!("/w/{file}"), &format!("---\n{front}\n---\n日本 🦆\n"))
            .in_folder("/w");
        let load = load(&world, client, "/w", "/w/a.ts", None);
        let whole = load.files.iter().find(|found| found.why != Why::Listing);
        assert_eq!(whole.map(|found| found.why), loaded, "{client}: {front}");
    }
}

/// A value that a client ignores because of its type doesn't meet a condition.
#[test]
fn conditions_agree_with_the_types_of_keys() {
    for client in &catalog().clients {
        for reads in &client.reads {
            for (key, schema) in reads.properties() {
                let ignored =
                    schema.get("x-effect").and_then(|effect| effect.get("type")).is_some();
                let mut conditions = reads.when.iter();
                let Some(condition) = conditions.find(|when| {
                    let globs = when.globs.as_ref().or(when.key.as_ref());
                    when.mode == Mode::Match && globs.is_some_and(|globs| globs == key)
                }) else {
                    continue;
                };
                let wrong = match schema.get("type").and_then(Value::as_str) {
                    Some("string") => serde_json::json!(["**"]),
                    Some("array") => serde_json::json!("**"),
                    _ => continue,
                };
                let holds = condition.of.is_none_or(|of| of.has(&wrong));
                assert!(!(ignored && holds), "{}: {key}", client.name);
            }
        }
    }
}

#[test]
fn settings_exclude_files_of_claude_code() {
    let world = |settings: &str, local: &str| {
        Memory::default()
            .with("/w/CLAUDE.md", "@./a.md\n")
            .with("/w/a.md", "A.\n")
            .with("/w/日本/CLAUDE.md", "Sub 🦆.\n")
            .with("/w/日本/.claude/rules/r.md", "Rule.\n")
            .with("/w/.claude/rules/r.md", "Rule.\n")
            .with("/w/.claude/settings.json", settings)
            .with("/w/.claude/settings.local.json", local)
            .with("/home/me/.claude/settings.json", r#"{"claudeMdExcludes": ["**/a.md"]}"#)
            .in_folder("/w")
    };
    let of = |settings: &str, local: &str, home: Option<&str>| {
        let load = load(&world(settings, local), "claude-code", "/w", "/w/日本/x.rs", home);
        load.files.iter().map(|file| file.path.clone()).collect::<Vec<_>>()
    };
    let all =
        ["CLAUDE.md", "a.md", "日本/CLAUDE.md", ".claude/rules/r.md", "日本/.claude/rules/r.md"];
    assert_eq!(of("{}", "{}", None), all);
    assert_eq!(of(r#"{"claudeMdExcludes": ["日本/**"]}"#, "{}", None), all);
    let nested = r#"{"claudeMdExcludes": ["**/日本/**"]}"#;
    assert_eq!(of(nested, "{}", None), [all[0], all[1], all[3]]);
    let rule = "{\r\n  \"claudeMdExcludes\": [\"/w/.claude/rules/*.md\"]\r\n}\r\n";
    assert_eq!(of(nested, rule, None), [all[0], all[1]]);
    assert_eq!(of(nested, rule, Some("/home/me")), [all[0]]);
    let broken = load(&world("{\"a\": ", "{}"), "claude-code", "/w", "/w/x.rs", None);
    assert_eq!(broken.problems.len(), 1, "{:?}", broken.problems);
}

#[test]
fn claude_code_reads_other_memory_files_only_without_its_own() {
    let of = |files: &[&str], path: &str| {
        let world = files.iter().fold(Memory::default().in_folder("/w"), |world, file| {
            world.with(Path::new("/w").join(file), "@./none.txt 日本\n")
        });
        let load = load(&world, "claude-code", "/w", path, None);
        load.files.iter().map(|file| file.path.clone()).collect::<Vec<_>>()
    };
    let inside = "/w/日本/x.rs";
    for (files, loaded) in [
        (&["AGENTS.md", "日本/AGENTS.md"][..], &["AGENTS.md", "日本/AGENTS.md"][..]),
        (&["CLAUDE.md", "AGENTS.md", "日本/AGENTS.md"], &["CLAUDE.md"]),
        (&["CLAUDE.local.md", "AGENTS.md"], &["CLAUDE.local.md"]),
        (&["AGENTS.md", ".claude/AGENTS.md"], &["AGENTS.md", ".claude/AGENTS.md"]),
        (&["AGENTS.md", "日本/AGENTS.md", "日本/CLAUDE.md"], &["AGENTS.md", "日本/CLAUDE.md"]),
    ] {
        assert_eq!(of(files, inside), loaded, "{files:?}");
    }
}

#[test]
fn settings_name_the_memory_files_of_gemini() {
    let of = |settings: &str, home: Option<&str>| {
        let world = Memory::default()
            .with("/w/.git/HEAD", "x")
            .with("/w/AGENTS.md", "Agents.\n")
            .with("/w/GEMINI.md", "Gemini.\n")
            .with("/w/s/AGENTS.md", "Sub.\n")
            .with("/w/s/.gemini/settings.json", settings)
            .with("/home/me/.gemini/AGENTS.md", "Mine.\n")
            .with("/home/me/.gemini/settings.json", r#"{"context": {"fileName": "AGENTS.md"}}"#)
            .in_folder("/w");
        let load = load(&world, "gemini", "/w/s", "/w/s/x.rs", home);
        load.files.iter().map(|file| file.path.clone()).collect::<Vec<_>>()
    };
    assert_eq!(of("{}", None), ["GEMINI.md"]);
    let one = r#"{"context": {"fileName": "AGENTS.md"}}"#;
    assert_eq!(of(one, None), ["AGENTS.md", "s/AGENTS.md"]);
    let two =
        "{\r\n  // 日本\r\n  \"context\": {\"fileName\": [\"AGENTS.md\", \"GEMINI.md\"]}\r\n}";
    assert_eq!(of(two, None), ["AGENTS.md", "GEMINI.md", "s/AGENTS.md"]);
    assert_eq!(of("{}", Some("/home/me")), ["~/.gemini/AGENTS.md", "AGENTS.md", "s/AGENTS.md"]);
    let outside = r#"{"context": {"fileName": "../secret.md"}}"#;
    assert_eq!(of(outside, None), [""; 0]);
}

#[test]
fn settings_name_more_files_of_opencode() {
    let load = |config: &str, home: Option<&str>| {
        let world = Memory::default()
            .with("/w/AGENTS.md", "Agents.\n")
            .with("/w/docs/a.md", "A.\n")
            .with("/w/docs/ü 🦆.md", "U.\n")
            .with("/w/docs/deep/b.md", "B.\n")
            .with("/w/docs/c.txt", "C.\n")
            .with("/w/s/docs/a.md", "Sub.\n")
            .with("/w/s/opencode.json", config)
            .with("/w/opencode.jsonc", "{\n  // first\n  \"instructions\": [\"docs/c.txt\"],\n}")
            .with("/secret/x.md", "No.\n")
            .with("/home/me/x.md", "Mine.\n")
            .in_folder("/w");
        load(&world, "opencode", "/w/s", "/w/s/x.rs", home)
    };
    let of = |globs: &str, home: Option<&str>| {
        let found = load(&format!("{{\"instructions\": {globs}}}"), home);
        found.files.iter().map(|file| file.path.clone()).collect::<Vec<_>>()
    };
    let base = ["AGENTS.md", "docs/c.txt"];
    assert_eq!(of("[]", None), base);
    assert_eq!(
        of(r#"["docs/*.md"]"#, None),
        [&base[..], &["s/docs/a.md", "docs/a.md", "docs/ü 🦆.md"]].concat()
    );
    assert_eq!(of(r#"["/w/docs/**/b.md"]"#, None), [&base[..], &["docs/deep/b.md"]].concat());
    assert_eq!(of(r#"["docs/{c,a}.{txt,md}", "AGENTS.md"]"#, None).len(), 4);
    for outside in [
        r#"["/secret/*.md"]"#,
        r#"["../../secret/x.md"]"#,
        r#"["https://x.org/a.md"]"#,
        r#"["~/x.md"]"#,
    ] {
        assert_eq!(of(outside, None), base, "{outside}");
    }
    assert_eq!(of(r#"["~/x.md"]"#, Some("/home/me")), [&base[..], &["~/x.md"]].concat());
    let found = load(r#"{"instructions": ["docs/a.md"]}"#, None);
    let last = found.files.last().expect("a file");
    assert_eq!((last.why, last.pattern.as_deref()), (Why::Instructions, Some("docs/a.md")));
}

#[test]
fn the_home_folder_counts_only_if_it_is_given() {
    let world = Memory::default()
        .with("/w/CLAUDE.md", "@~/mine.md\n")
        .with("/home/me/.claude/CLAUDE.md", "Home.\n")
        .with("/home/me/mine.md", "Mine.\n")
        .with("/home/me/.claude/skills/tea/SKILL.md", "---\nname: tea\ndescription: x\n---\nx\n")
        .with("/home/me/.claude/rules/ts.md", "---\npaths: \"**/*.ts\"\n---\nTypes.\n")
        .in_folder("/w");
    let without = load(&world, "claude-code", "/w", "/w/a.ts", None);
    assert_eq!(paths(&without), ["CLAUDE.md"]);
    let with = load(&world, "claude-code", "/w", "/w/a.ts", Some("/home/me"));
    assert_eq!(
        paths(&with),
        [
            "~/.claude/CLAUDE.md",
            "CLAUDE.md",
            "~/mine.md",
            "~/.claude/skills/tea/SKILL.md",
            "~/.claude/rules/ts.md"
        ]
    );
}

#[test]
fn imports_end_at_the_depth_that_the_client_follows() {
    let mut world = Memory::default().with("/w/CLAUDE.md", "@./1.md\n").in_folder("/w");
    for level in 1..8 {
        let text = format!("@./{}.md\n", level + 1);
        world = world.with(format!("/w/{level}.md"), &text);
    }
    let load = load(&world, "claude-code", "/w", "/w/x", None);
    assert_eq!(paths(&load), ["CLAUDE.md", "1.md", "2.md", "3.md", "4.md"]);
    assert_eq!(load.problems.len(), 1);
    assert_eq!(load.problems[0].message, "`@./5.md` is more than 4 levels deep: not loaded");
}

#[test]
fn imports_in_comments_are_followed_by_clients_that_keep_comments() {
    let text = "<!-- @./a.md\n@./b.md -->\n\n@./c.md\n\n<!-- done -->\n@./d.md\n";
    let mut world = Memory::default().in_folder("/w");
    for name in ["CLAUDE.md", "GEMINI.md"] {
        world = world.with(Path::new("/w").join(name), text);
    }
    for name in ["a", "b", "c", "d"] {
        world = world.with(format!("/w/{name}.md"), "Text.\n");
    }
    let claude = load(&world, "claude-code", "/w", "/w/x", None);
    assert_eq!(paths(&claude), ["CLAUDE.md", "c.md", "d.md"]);
    let gemini = load(&world, "gemini", "/w", "/w/x", None);
    assert_eq!(paths(&gemini), ["GEMINI.md", "a.md", "b.md", "c.md", "d.md"]);
}

#[test]
fn a_list_that_is_too_long_is_cut() {
    let mut world = Memory::default().in_folder("/w");
    for number in 0..400 {
        let text = format!("---\nname: s{number}\ndescription: Does {number} things\n---\nx\n");
        world = world.with(format!("/w/.agents/skills/s{number:05}/SKILL.md"), &text);
    }
    let load = load(&world, "codex", "/w", "/w/x", None);
    let limit = load.limits.iter().find(|limit| limit.of == "listing").unwrap();
    assert!(limit.used > limit.limit, "{limit:?}");
    assert!(load.tokens <= 5440, "{}", load.tokens);
    assert!(load.files.len() > 200);
}

#[test]
fn a_list_is_filled_in_once() {
    let world = Memory::default()
        .with(
            "/w/.agents/skills/tea/SKILL.md",
            "---\nname: tea\ndescription: \"{path} {name}\"\n---\nx\n",
        )
        .in_folder("/w");
    let load = load(&world, "codex", "/w", "/w/x", None);
    let expected = "- tea: {path} {name} (file: .agents/skills/tea/SKILL.md)\n";
    assert_eq!(load.files[0].bytes, expected.len());
    assert!(Path::new(&load.files[0].path).ends_with("SKILL.md"));
}

#[test]
fn imports_that_load_nothing_are_read_once_up_to_a_limit() {
    let troubles = |text: String| {
        let world = Memory::default().with("/w/CLAUDE.md", &text).in_folder("/w");
        load(&world, "claude-code", "/w", "/w/x.rs", None).problems
    };
    assert_eq!(troubles("@./gone.md\n".repeat(10)).len(), 1);
    let many = troubles((0..5000).map(|number| format!("@./gone{number}.md\n")).collect());
    assert_eq!(many.len(), 4097);
    assert_eq!(many.last().and_then(|trouble| trouble.line), Some(4097));
}

#[test]
fn a_client_lists_the_skill_that_it_uses_among_those_with_one_name() {
    let skill = "---\nname: tea\ndescription: x\n---\nx\n";
    let world = [".claude", ".github", ".agents", ".opencode", ".gemini"]
        .iter()
        .fold(Memory::default().with("/w/.git/HEAD", "x"), |world, folder| {
            world.with(format!("/w/{folder}/skills/tea/SKILL.md"), skill)
        })
        .with("/w/.agents/skills/pot/SKILL.md", &skill.replace("tea", "pot"))
        .in_folder("/w");
    let of = |client: &str| {
        let load = load(&world, client, "/w", "/w/x.rs", None);
        let listed = load.files.iter().filter(|file| file.why == Why::Listing);
        listed.map(|file| file.path.clone()).collect::<Vec<_>>()
    };
    let pot = ".agents/skills/pot/SKILL.md";
    assert_eq!(of("copilot"), [".github/skills/tea/SKILL.md", pot]);
    assert_eq!(of("gemini"), [pot, ".agents/skills/tea/SKILL.md"]);
    assert_eq!(of("codex"), [pot, ".agents/skills/tea/SKILL.md"]);
    assert_eq!(of("opencode").len(), 2);
}

#[test]
fn the_nearest_settings_count_if_the_start_is_only_assumed() {
    let settings = r#"{"claudeMdExcludes": ["**/a/CLAUDE.md"]}"#;
    let gemini = r#"{"context": {"fileName": "日本.md"}}"#;
    let world = Memory::default()
        .with("/.claude/settings.json", r#"{"claudeMdExcludes": ["**"]}"#)
        .with("/w/.git/HEAD", "x")
        .with("/w/CLAUDE.md", "Top.\n")
        .with("/w/a/CLAUDE.md", "Sub.\n")
        .with("/w/日本.md", "日本 🦆\n")
        .with("/w/GEMINI.md", "Gemini.\n")
        .with("/w/.claude/settings.json", settings)
        .with("/w/.gemini/settings.json", gemini)
        .with("/w/c/.claude/settings.local.json", "{}")
        .in_folder("/w");
    let of = |client: &str, start: &str| {
        let load = load(&world, client, start, "/w/a/b/x.rs", None);
        load.files.iter().map(|file| file.path.clone()).collect::<Vec<_>>()
    };
    assert_eq!(of("claude-code", "?/w/a/b"), ["CLAUDE.md"]);
    assert_eq!(of("claude-code", "/w/a/b"), ["CLAUDE.md", "a/CLAUDE.md"]);
    assert_eq!(of("claude-code", "?/w/c"), ["CLAUDE.md"]);
    assert_eq!(of("gemini", "?/w/a/b"), ["日本.md"]);
    assert_eq!(of("gemini", "/w/a/b"), ["GEMINI.md"]);
}

#[test]
fn globs_of_opencode_have_all_wildcards() {
    let world = |glob: &str| {
        let config = serde_json::json!({"instructions": [glob]}).to_string();
        Memory::default()
            .with("/w/docs/a.md", "A.\n")
            .with("/w/docs/b.md", "B.\n")
            .with("/w/docs/日.md", "日.\n")
            .with("/w/docs/ab.md", "AB.\n")
            .with("/w/opencode.json", &config)
            .in_folder("/w")
    };
    for (glob, expected) in [
        ("docs/?.md", &["docs/a.md", "docs/b.md", "docs/日.md"][..]),
        ("docs/[ab].md", &["docs/a.md", "docs/b.md"]),
        ("do[c-d]s/[!a].md", &["docs/b.md", "docs/日.md"]),
        ("d??s/a*.md", &["docs/a.md", "docs/ab.md"]),
        ("docs/[.md", &[]),
    ] {
        let load = load(&world(glob), "opencode", "/w", "/w/x.rs", None);
        assert_eq!(paths(&load), expected, "{glob}");
    }
}

#[test]
fn qwen_loads_memory_files_of_the_folder_above_its_root() {
    let world = Memory::default()
        .with("/QWEN.md", "Outside.\n")
        .with("/w/QWEN.md", "Above.\n")
        .with("/w/.qwen/QWEN.local.md", "Not at the top.\n")
        .with("/w/s/.git/HEAD", "x")
        .with("/w/s/QWEN.md", "Top.\n")
        .with("/w/s/.qwen/QWEN.local.md", "Local.\n")
        .in_folder("/w");
    let of = |start: &str, home: Option<&str>| {
        let load = load(&world, "qwen", start, "/w/s/x.rs", home);
        let problems: Vec<&str> = load.problems.iter().map(|one| one.path.as_str()).collect();
        (paths(&load).join(" "), problems.join(" "))
    };
    let inside = "s/.qwen/QWEN.local.md QWEN.md s/QWEN.md";
    assert_eq!(of("/w/s/t", None), (inside.to_owned(), String::new()));
    // Without a root, all folders above are read.
    assert_eq!(of("/w/t", None), ("QWEN.md".to_owned(), "/QWEN.md".to_owned()));
    assert_eq!(of("/w/t", Some("/home/me")), ("/QWEN.md QWEN.md".to_owned(), String::new()));
}

#[test]
fn settings_of_claude_code_determine_which_skills_are_listed() {
    let skill = |name: &str| format!("---\nname: {name}\ndescription: Does {name}.\n---\n");
    let world = ["brew", "sip", "stir", "pour"].iter().fold(Memory::default(), |world, name| {
        world.with(format!("/w/.claude/skills/{name}/SKILL.md"), &skill(name))
    });
    let world = world
        .with(
            "/w/.claude/settings.json",
            r#"{"skillOverrides": {"brew": "name-only", "sip": "off", "stir": "off", "pour": "?"}}"#,
        )
        .with("/w/.claude/settings.local.json", r#"{"skillOverrides": {"stir": "user-invocable-only"}}"#)
        .in_folder("/w");
    let load = load(&world, "claude-code", "/w", "/w/x.rs", None);
    let lines: Vec<(&str, usize)> =
        load.files.iter().map(|file| (file.path.as_str(), file.bytes)).collect();
    assert_eq!(
        lines,
        [
            (".claude/skills/brew/SKILL.md", "- brew\n".len()),
            (".claude/skills/pour/SKILL.md", "- pour: Does pour.\n".len()),
        ]
    );
    let files = world.files();
    let config = Config::new(PathBuf::from("/w"), Options::default()).unwrap();
    let question = Question {
        world: &world,
        config: &config,
        root: PathBuf::from("/w"),
        start: PathBuf::from("/w"),
        assumed: false,
        path: None,
        home: None,
        files: Files::new(&files),
        exact: false,
        cancelled: &|| false,
    };
    let cost = cost::costs(&question, &[catalog().named("claude-code").unwrap()]).remove(0);
    let demand = cost.files.iter().filter(|file| file.when == cost::When::Demand);
    assert_eq!(demand.count(), 3, "skills that are off are never loaded");
}
