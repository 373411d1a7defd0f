//! Which files clients load, in order, with the pattern that matched and the line where they stop.
//! A second implementation of Codex's loader is compared on random trees.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Folder;

const SKILL: &str = "---\nname: tea\ndescription: Brews tea\n---\n\nBrew it.\n";

fn loaded(folder: &Folder, path: &str, client: &str) -> Value {
    let answer = folder.run(&["loaded", path, "--for", client, "--json"]);
    assert_eq!(answer.status, 0, "{}", answer.err);
    let json = answer.json();
    assert_eq!(json["clients"].as_array().unwrap().len(), 1);
    json["clients"][0].clone()
}

/// The loaded files as `why path`, in order.
fn lines(load: &Value) -> Vec<String> {
    let files = load["files"].as_array().unwrap();
    files
        .iter()
        .enumerate()
        .map(|(at, file)| {
            assert_eq!(file["order"], at + 1);
            format!("{} {}", file["why"].as_str().unwrap(), file["path"].as_str().unwrap())
        })
        .collect()
}

#[test]
fn memory_with_imports_rules_and_lists_come_in_order() {
    let folder = Folder::with(&[
        (".git/HEAD", ""),
        ("CLAUDE.md", "See @docs/style.md and @docs/none.md or `@docs/code.md`.\n"),
        ("docs/style.md", "@more.md and @../CLAUDE.md\n"),
        ("docs/more.md", "More.\n"),
        ("docs/code.md", "Not loaded.\n"),
        ("src/CLAUDE.md", "About src.\n"),
        ("CLAUDE.local.md", "Mine.\n"),
        (".claude/rules/ts.md", "---\npaths: \"src/**/*.{ts,tsx}, lib/**\"\n---\nTypes.\n"),
        (".claude/rules/py.md", "---\npaths: \"**/*.py\"\n---\nNo types.\n"),
        (".claude/rules/all.md", "Always.\n"),
        (".claude/skills/tea/SKILL.md", SKILL),
        (
            ".claude/skills/off/SKILL.md",
            "---\nname: off\ndescription: x\ndisable-model-invocation: true\n---\nx\n",
        ),
        (".claude/agents/cook.md", "---\nname: cook\ndescription: Cooks\n---\nCook.\n"),
    ]);
    let load = loaded(&folder, "src/deep/a.ts", "claude-code");
    assert_eq!(
        lines(&load),
        [
            "memory CLAUDE.md",
            "import docs/style.md",
            "import docs/more.md",
            "memory CLAUDE.local.md",
            "memory src/CLAUDE.md",
            "always .claude/rules/all.md",
            "listing .claude/skills/tea/SKILL.md",
            "listing .claude/agents/cook.md",
            "rule .claude/rules/ts.md",
        ]
    );
    let rule = load["files"].as_array().unwrap().last().unwrap();
    assert_eq!(rule["pattern"], "src/**/*.{ts,tsx}");
    let sum: u64 =
        load["files"].as_array().unwrap().iter().map(|file| file["tokens"].as_u64().unwrap()).sum();
    assert_eq!(load["tokens"], sum);
    assert_eq!(load["counted"], "bytes/4");
    let problems: Vec<&str> = load["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| problem["message"].as_str().unwrap())
        .collect();
    assert_eq!(
        problems,
        [
            "`@../CLAUDE.md` leads back to a file that is being loaded",
            "`@docs/none.md` is missing: nothing is loaded",
        ]
    );
    // If the client starts at the top, memory files below are loaded with the file.
    let from = folder.run(&["loaded", "src/deep/a.ts", "--from", ".", "--for", "claude", "--json"]);
    let from = &from.json()["clients"][0];
    assert!(lines(from).contains(&"memory src/CLAUDE.md".to_owned()));
    let text = folder.run(&["loaded", "src/deep/a.ts", "--for", "claude-code"]);
    assert!(text.out.starts_with("Claude Code: 9 entries, ~"), "{}", text.out);
    assert!(text.out.contains("matches src/**/*.{ts,tsx}"), "{}", text.out);
}

#[test]
fn instructions_match_as_vs_code_matches_them() {
    let with = |name: &str, globs: &str| {
        (
            format!(".github/instructions/{name}.instructions.md"),
            format!("---\napplyTo: '{globs}'\n---\nx\n"),
        )
    };
    let files = [
        with("any", "**"),
        with("deep", "*.ts"),
        with("list", "docs/**,src/**"),
        with("other", "**/*.py"),
    ];
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let folder = Folder::with(&files);
    let load = loaded(&folder, "src/a/b.TS", "copilot");
    let found: Vec<(String, Option<&str>)> = load["files"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|file| file["why"] != "listing")
        .map(|file| {
            let name = file["path"].as_str().unwrap().rsplit('/').next().unwrap();
            (format!("{} {name}", file["why"].as_str().unwrap()), file["pattern"].as_str())
        })
        .collect();
    assert_eq!(
        found,
        [
            ("always any.instructions.md".to_owned(), Some("**")),
            ("instructions deep.instructions.md".to_owned(), Some("*.ts")),
            ("instructions list.instructions.md".to_owned(), Some("src/**")),
        ]
    );
}

#[test]
fn the_line_where_codex_stops_is_shown() {
    let line = format!("{}\n", "x".repeat(99));
    let folder = Folder::with(&[
        (".git/HEAD", ""),
        ("AGENTS.md", &line.repeat(300)),
        ("a/AGENTS.md", &line.repeat(300)),
        ("a/b/AGENTS.md", "Lost.\n"),
    ]);
    let load = loaded(&folder, "a/b/c.rs", "codex");
    let cut = |at: usize| load["files"][at]["cut"].clone();
    assert_eq!(cut(0), Value::Null);
    assert_eq!(cut(1), serde_json::json!({ "line": 28, "limit": 32768, "bytes": 2768 }));
    assert_eq!(cut(2), serde_json::json!({ "line": 1, "limit": 32768, "bytes": 0 }));
    assert_eq!(load["files"][2]["tokens"], 0);
    assert_eq!(load["limits"][0]["used"], 32768);
    let text = folder.run(&["loaded", "a/b/c.rs", "--for", "codex"]);
    assert!(text.out.contains("stops in line 28: the limit of 32,768 is reached"), "{}", text.out);
    let set = Folder::with(&[
        ("AGENTS.md", "0123456789"),
        (".codex/config.toml", "project_doc_max_bytes = 4\n"),
    ]);
    assert_eq!(loaded(&set, ".", "codex")["files"][0]["bytes"], 4);
    let broken =
        Folder::with(&[("AGENTS.md", "x"), (".codex/config.toml", "ok = 1\nnot toml [\n")]);
    let load = loaded(&broken, ".", "codex");
    assert_eq!(load["files"][0]["path"], "AGENTS.md");
    assert_eq!(load["problems"][0]["path"], ".codex/config.toml");
    assert_eq!(load["problems"][0]["line"], 2);
}

#[test]
fn descriptions_that_do_not_fit_are_named() {
    let long = "word ".repeat(120);
    let files: Vec<(String, String)> = (0..40)
        .map(|number| {
            (
                format!(".agents/skills/s{number:02}/SKILL.md"),
                format!("---\nname: s{number:02}\ndescription: {long}\n---\nx\n"),
            )
        })
        .collect();
    let mut files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let too_long = format!("---\nname: big\ndescription: {}\n---\nx\n", "x".repeat(1025));
    files.push((".agents/skills/big/SKILL.md", &too_long));
    let folder = Folder::with(&files);
    let load = loaded(&folder, ".", "codex");
    let limit = load["limits"].as_array().unwrap().iter().find(|one| one["of"] == "listing");
    let limit = limit.unwrap();
    assert_eq!(limit["trimmed"].as_array().unwrap().len(), 40);
    assert!(limit["used"].as_u64() > limit["limit"].as_u64());
    let listed: u64 =
        load["files"].as_array().unwrap().iter().map(|file| file["tokens"].as_u64().unwrap()).sum();
    assert!(listed <= 5440 && listed > 5400, "{listed}");
    // Codex doesn't load a skill whose description is too long.
    let problem = &load["problems"][0];
    assert_eq!(problem["path"], ".agents/skills/big/SKILL.md");
    assert!(problem["message"].as_str().unwrap().contains("not loaded"), "{problem}");
}

#[test]
fn bad_input_is_reported_and_loses_nothing() {
    let folder = Folder::with(&[("CLAUDE.md", "@a/x.md @b.md\n"), ("b.md", "B.\n")]);
    fs::write(folder.root().join("AGENTS.md"), b"caf\xe9\n").unwrap();
    let load = loaded(&folder, ".", "codex");
    assert_eq!(lines(&load), ["memory AGENTS.md"]);
    assert!(load["problems"][0]["message"].as_str().unwrap().contains("not UTF-8"));
    let unknown = folder.run(&["loaded", ".", "--for", "codx"]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.err.contains("unknown client `codx`; did you mean `codex`?"));
    assert_eq!(folder.run(&["loaded", ".", "--from", "nowhere"]).status, 2);
    // The path doesn't need to exist, since a new file has rules, too.
    assert_eq!(folder.run(&["loaded", "none/x.ts", "--for", "claude-code"]).status, 0);
}

#[cfg(unix)]
#[test]
fn links_are_followed_but_imports_stay_inside() {
    use std::os::unix::fs::symlink;
    let outside = Folder::with(&[("secret.md", "Secret.\n")]);
    let folder = Folder::with(&[
        ("CLAUDE.md", "@./link.md and @docs/../docs/a.md\n"),
        ("docs/a.md", "A.\n"),
        (".claude/skills/tea/SKILL.md", SKILL),
    ]);
    symlink(outside.root().join("secret.md"), folder.root().join("link.md")).unwrap();
    symlink(".", folder.root().join(".claude/skills/loop")).unwrap();
    symlink("../..", folder.root().join(".claude/skills/tea/up")).unwrap();
    let load = loaded(&folder, ".", "claude-code");
    assert_eq!(
        lines(&load),
        ["memory CLAUDE.md", "import docs/a.md", "listing .claude/skills/tea/SKILL.md"]
    );
    assert!(load["problems"][0]["message"].as_str().unwrap().contains("outside"));
    // `**` in a pattern doesn't follow a cycle of symlinks forever.
    let load = loaded(&folder, ".", "opencode");
    assert!(lines(&load).iter().any(|line| line.ends_with("tea/SKILL.md")), "{load}");
}

/// The rules of Codex's `agents_md.rs`: the files it loads, and how many bytes of each.
fn codex(start: &Path) -> Vec<(PathBuf, usize)> {
    let top = start.ancestors().find(|folder| folder.join(".git").exists());
    let mut folders = vec![start.to_owned()];
    if let Some(top) = top {
        folders = start
            .ancestors()
            .take_while(|folder| folder.starts_with(top))
            .map(Path::to_owned)
            .collect();
        folders.reverse();
    }
    let config = folders[0].join(".codex/config.toml");
    let config = fs::read_to_string(config).unwrap_or_default().parse::<toml::Table>().ok();
    let mut names = vec!["AGENTS.override.md".to_owned(), "AGENTS.md".to_owned()];
    let mut left = 32 * 1024;
    if let Some(config) = config {
        let more = config.get("project_doc_fallback_filenames").and_then(toml::Value::as_array);
        for name in more.into_iter().flatten().filter_map(toml::Value::as_str) {
            if !name.is_empty() && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        if let Some(most) = config.get("project_doc_max_bytes").and_then(toml::Value::as_integer) {
            left = usize::try_from(most).unwrap();
        }
    }
    let mut found = Vec::new();
    for folder in folders {
        let file = names.iter().map(|name| folder.join(name)).find(|path| path.is_file());
        let Some(path) = file else { continue };
        if left == 0 {
            break;
        }
        let mut bytes = fs::read(&path).unwrap();
        bytes.truncate(left);
        if !String::from_utf8_lossy(&bytes).trim().is_empty() {
            left -= bytes.len();
            found.push((path, bytes.len()));
        }
    }
    found
}

/// A random number generator that gives the same numbers in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

#[test]
fn codex_loads_the_same_on_a_hundred_trees() {
    let mut dice = Dice(20_261_123);
    let (mut cuts, mut overrides, mut rest, mut none) = (0, 0, 0, 0);
    for tree in 0..120 {
        let folder = Folder::with(&[("keep", "")]);
        let root = folder.root().to_owned();
        let mut places = vec![root.clone()];
        let mut at = root.clone();
        for name in ["a", "b b", "日本", "d"].iter().take(1 + dice.roll(4) as usize) {
            at = at.join(name);
            places.push(at.clone());
        }
        fs::create_dir_all(&at).unwrap();
        if dice.roll(4) > 0 {
            let place = &places[dice.roll(places.len() as u64) as usize];
            match dice.roll(2) {
                0 => fs::create_dir(place.join(".git")).unwrap(),
                _ => fs::write(place.join(".git"), "gitdir: elsewhere\n").unwrap(),
            }
        }
        for place in &places {
            for name in ["AGENTS.md", "AGENTS.override.md", "TEAM.md", ".agents.md"] {
                if dice.roll(5) > 2 {
                    continue;
                }
                let path = place.join(name);
                match dice.roll(9) {
                    0 => fs::write(&path, "").unwrap(),
                    1 => fs::write(&path, " \n\t\n").unwrap(),
                    2 => fs::write(&path, b"bad \xff\xfe bytes\n".repeat(900)).unwrap(),
                    3 => fs::create_dir(&path).unwrap(),
                    4 => fs::write(&path, "日本語の行\n".repeat(1 + dice.roll(2_500) as usize))
                        .unwrap(),
                    #[cfg(unix)]
                    5 => {
                        let target = root.join(format!("target{}", dice.roll(3)));
                        let _ = fs::write(&target, "linked\n".repeat(50));
                        std::os::unix::fs::symlink(target, &path).unwrap();
                    }
                    _ => fs::write(&path, "line of text\n".repeat(1 + dice.roll(2_000) as usize))
                        .unwrap(),
                }
            }
            if dice.roll(3) == 0 {
                let names = "project_doc_fallback_filenames = [\"TEAM.md\", \"\", \"AGENTS.md\", \".agents.md\"]\n";
                let most = ["", "project_doc_max_bytes = 700\n", "project_doc_max_bytes = 0\n"];
                fs::create_dir_all(place.join(".codex")).unwrap();
                let text = format!("{names}{}", most[dice.roll(3) as usize]);
                fs::write(place.join(".codex/config.toml"), text).unwrap();
            }
        }
        let start = &places[dice.roll(places.len() as u64) as usize];
        let start = fs::canonicalize(start).unwrap();
        let expected = codex(&start);
        let answer = folder.run(&["loaded", start.to_str().unwrap(), "--for", "codex", "--json"]);
        assert_eq!(answer.status, 0, "{}", answer.err);
        let json = answer.json();
        let root = fs::canonicalize(&root).unwrap();
        let files = json["clients"][0]["files"].as_array().unwrap();
        let found: Vec<(PathBuf, usize)> = files
            .iter()
            .filter(|file| file["why"] == "memory" && file["bytes"] != 0)
            .map(|file| {
                let bytes = usize::try_from(file["bytes"].as_u64().unwrap()).unwrap();
                (PathBuf::from(file["path"].as_str().unwrap()), bytes)
            })
            .collect();
        // Paths are relative to the workspace, which is the root of the repository.
        let ends = |found: &[(PathBuf, usize)]| -> Vec<(PathBuf, usize)> {
            found.iter().map(|(path, bytes)| (root.join(path), *bytes)).collect()
        };
        let top = start.ancestors().find(|folder| folder.join(".git").exists());
        let base = top.unwrap_or(&root);
        let found: Vec<(PathBuf, usize)> =
            found.iter().map(|(path, bytes)| (base.join(path), *bytes)).collect();
        assert_eq!(ends(&found), expected, "tree {tree}: {json}");
        cuts += usize::from(files.iter().any(|file| file.get("cut").is_some()));
        overrides +=
            usize::from(expected.iter().any(|(path, _)| path.ends_with("AGENTS.override.md")));
        rest += usize::from(expected.iter().any(|(path, _)| path.ends_with("TEAM.md")));
        none += usize::from(expected.is_empty());
    }
    assert!(
        cuts > 10 && overrides > 10 && rest > 2 && none > 5,
        "{cuts} {overrides} {rest} {none}"
    );
}
