//! Each cause is one finding, at the place of the cause, with a fix that loses nothing.

use super::*;

/// Codes, severities, marked text and messages of all findings.
fn told(workspace: &Workspace) -> Vec<(&'static str, Severity, String, String)> {
    let found = workspace.found().into_iter();
    let text = |found: &Diagnostic| workspace.text[found.span.clone()].to_owned();
    found
        .map(|found| (found.rule.code, found.severity, text(&found), found.message.clone()))
        .collect()
}

/// The titles of all fixes, whether each is safe, and the text after applying it.
fn offered(workspace: &Workspace) -> Vec<(String, bool, String)> {
    let fixes = workspace.found().into_iter().flat_map(|found| found.fixes);
    fixes.map(|fix| (fix.title, fix.safe, apply(&workspace.text, &fix.edits).unwrap())).collect()
}

#[test]
fn front_matter_below_a_heading_moves_to_the_top() {
    let front =
        "---\nname: planner\ndescription: Plans 日本\ntools: [\"Read\"]\nmodel: sonnet\n---\n";
    let path = ".claude/agents/planner.md";
    for (before, after) in [
        ("# Planner Agent\n\n", "\n# Planner Agent\n"),
        ("<!-- a -->\n# Planner 🦆\n", "\n<!-- a -->\n# Planner 🦆\n"),
        (
            "[![ci](https://x.org/a.svg)](https://x.org)\n\n# Planner\n\n",
            "\n[![ci](https://x.org/a.svg)](https://x.org)\n\n# Planner\n",
        ),
    ] {
        for newline in ["\n", "\r\n"] {
            let written = |text: String| text.replace('\n', newline);
            let text = written(format!("{before}{front}\nYou plan.\n"));
            let workspace = Workspace::new(path, &text).clients(&["claude-code"]);
            assert_eq!(workspace.shown(), ["agent/late-front-matter ---"], "{text}");
            let moved = written(format!("{front}{after}\nYou plan.\n"));
            assert_eq!(workspace.fixed(), moved);
            assert_eq!(Workspace::new(path, &moved).clients(&["claude-code"]).found(), []);
        }
    }
    // A form isn't the front matter of a command.
    let form =
        "# Commit\n\n---\nsummary: one line\npriority: high\nmode: fast\n---\n\nFill it in.\n";
    let workspace = Workspace::new(".claude/commands/commit.md", form).clients(&["claude-code"]);
    assert_eq!(workspace.shown(), [""; 0]);
    // A section between two rules isn't front matter, nor is one below text.
    for text in [
        "# Planner\n\n---\n\nname: planner\n\nYou plan.\n\n---\n",
        "# Planner\n\n---\nname: planner\nYou plan everything.\n---\n",
        "# Planner\n\n## Use\n\n---\nname: planner\ndescription: x\n---\n",
        "# Planner\n\nYou plan.\n\n---\nname: planner\ndescription: x\n---\n",
    ] {
        let workspace = Workspace::new(path, text).clients(&["claude-code"]);
        let codes: Vec<_> = told(&workspace).into_iter().map(|found| found.0).collect();
        assert_eq!(codes, ["agent/missing-front-matter"], "{text}");
    }
}

#[test]
fn a_comment_is_not_a_description() {
    for (text, description) in [
        ("<!-- a -->\n\nYou cook 日本.\n", "You cook 日本."),
        ("<!--\na\n-->\n[![x](y)](z)\n---\n\n# Cook\n", "Cook"),
        ("# Cook\n\nYou cook.\n", "Cook"),
        ("<!-- a -->\n", "cook"),
    ] {
        let workspace = Workspace::new(".claude/agents/cook.md", text).clients(&["claude-code"]);
        let fixes = offered(&workspace);
        let front = format!("---\nname: cook\ndescription: {description}\n---\n\n");
        assert_eq!(fixes.first().map(|fix| &*fix.2), Some(&*format!("{front}{text}")), "{text}");
    }
}

#[test]
fn findings_in_the_body_of_an_installed_file_are_hints() {
    let text = "---\ndescription: 日本\n---\n\nRun it.\r\n\n```sh\nls\n";
    let found = |name: &str, hash: &str, text: &str| {
        let mut workspace =
            Workspace::new(".claude/commands/brew.md", text).clients(&["claude-code"]);
        let manifest = format!(r#"{{"files": {{"{name}": "{hash}"}}}}"#);
        let path = "/w/.claude/gsd-file-manifest.json";
        workspace.world = workspace.world.with(path, &manifest);
        workspace.shown().len()
    };
    let hash = crate::format::agent::sync::hash(text);
    assert_eq!(found("commands/brew.md", &hash, text), 0);
    assert_eq!(found("commands/brew.md", &hash.to_uppercase(), text), 0);
    assert_eq!(found("commands/brew.md", &hash, &text.replace("Run", "Now run")), 1);
    assert_eq!(found("commands/other.md", &hash, text), 1);
    let crlf = text.replace('\n', "\r\n").replace("\r\r", "\r");
    assert_eq!(found("commands/brew.md", &crate::format::agent::sync::digest(&crlf), &crlf), 0);
    assert_eq!(found("commands/brew.md", &hash, &crlf), 0);
}

#[test]
fn findings_in_the_body_of_a_skill_in_a_lock_file_are_hints() {
    let body = "See [x](references/none.md). Run `awk '{print $1}'`.\n\n```sh\nls\n";
    let skill = |name: &str| format!("---\nname: {name}\ndescription: 日本\n---\n\n{body}");
    let lock = |name: &str, kind: &str| {
        format!(r#"{{"version": 1, "skills": {{"{name}": {{"sourceType": "{kind}"}}}}}}"#)
    };
    let found = |path: &str, text: &str, lock: (&str, &str)| {
        let mut workspace = Workspace::new(path, text).clients(&["claude-code", "cline"]);
        workspace.world = workspace.world.with(format!("/w/{}", lock.0), lock.1);
        let all = workspace.found().len();
        (workspace.shown().len(), all)
    };
    let path = ".claude/skills/brew-tea/SKILL.md";
    let own = skill("brew-tea");
    for (file, text, expected) in [
        ("skills-lock.json", lock("brew-tea", "github"), (0, 3)),
        (".claude/skills-lock.json", lock("brew-tea", "well-known"), (0, 3)),
        ("skills-lock.json", lock("brew-teas", "github"), (3, 3)),
        ("skills-lock.json", lock("brew-tea", "local"), (3, 3)),
        ("skills-lock.json", "{".to_owned(), (3, 3)),
        ("other-lock.json", lock("brew-tea", "github"), (3, 3)),
        ("web/skills-lock.json", lock("brew-tea", "github"), (3, 3)),
    ] {
        assert_eq!(found(path, &own, (file, &text)), expected, "{file} {text}");
    }
    // A client doesn't load it, no matter who wrote it.
    let other = skill("tea");
    let listed = lock("brew-tea", "github");
    assert_eq!(found(path, &other, ("skills-lock.json", &listed)).0, 1);
    assert_eq!(found(path, body, ("skills-lock.json", &listed)).0, 1);
    // The nearest lock file decides.
    let mut nearer = Workspace::new("web/.claude/skills/brew-tea/SKILL.md", &own);
    nearer = nearer.clients(&["claude-code"]);
    nearer.world = nearer.world.with("/w/skills-lock.json", &listed);
    assert_eq!(nearer.shown(), [""; 0]);
    nearer.world = nearer.world.with("/w/web/skills-lock.json", &lock("other", "github"));
    assert_eq!(nearer.shown().len(), 3);
}

#[test]
fn text_that_another_reader_leaves_as_it_is_gets_no_escape() {
    let text = "---\nname: brew-tea\ndescription: x\n---\n\nRun `awk '{print $1}'`. 日本\n";
    let titles = |path: &str, clients: &[&str]| {
        let workspace = Workspace::new(path, text).clients(clients);
        let [found] = &workspace.found()[..] else { panic!("{:?}", workspace.found()) };
        let escape = found.fixes.iter().any(|fix| fix.title.contains("Escape"));
        let said = found.message.contains("it as written");
        assert_eq!(found.message.contains("`\\$1`"), escape, "{}", found.message);
        (escape, said)
    };
    let own = ".claude/skills/brew-tea/SKILL.md";
    assert_eq!(titles(own, &["claude-code"]), (true, false));
    assert_eq!(titles(own, &["claude-code", "cline"]), (false, true));
}

#[cfg(unix)]
#[test]
fn a_skill_that_a_link_shares_with_another_reader_gets_no_escape() {
    use crate::world::{Disk, canonicalize};
    let folder = tempfile::tempdir().unwrap();
    let root = canonicalize(folder.path()).unwrap();
    let text = "---\nname: brew-tea\ndescription: x\n---\n\nRun `awk '{print $1}'`. 日本\n";
    let path = root.join(".agents/skills/brew-tea/SKILL.md");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::create_dir_all(root.join(".claude/skills")).unwrap();
    std::fs::write(&path, text).unwrap();
    let target = "../../.agents/skills/brew-tea";
    std::os::unix::fs::symlink(target, root.join(".claude/skills/brew-tea")).unwrap();
    let config = Config::new(root.clone(), Options::default()).unwrap();
    let document = Document::new(text, Some(&path), &config);
    let disk = Disk::default();
    let cx = Context::new(document.source(), Some(&path), &disk, &config);
    let found = ide::diagnostics::diagnostics(&document, &cx);
    let [found] = &found[..] else { panic!("{found:?}") };
    assert_eq!(found.rule.code, "agent/substituted-text");
    assert_eq!(found.fixes, []);
    assert!(found.message.contains("it as written"), "{}", found.message);
}

#[test]
fn globs_of_a_rule_are_marked_where_they_are() {
    let found = |client: &str, path: &str, keys: &str| {
        let text = format!("---\n{keys}---\n\nBe strict. 日本\n");
        let workspace = Workspace::new(path, &text).clients(&[client]).with("src/a.ts");
        let found = told(&workspace).into_iter();
        found.map(|(code, _, text, _)| format!("{code} {text}")).collect::<Vec<_>>()
    };
    let windsurf = |globs: &str| {
        let keys = format!("trigger: glob\nglobs: {globs}\n");
        found("windsurf", ".windsurf/rules/a.md", &keys)
    };
    assert_eq!(windsurf("**/*.tsx"), ["agent/unmatched-glob **/*.tsx"]);
    assert_eq!(windsurf("**/*.ts"), [""; 0]);
    // It's unknown how these are read.
    for globs in ["[\"**/*.tsx\"]", "\"**/*.tsx\"", "'**/*.tsx'", "\n  - \"**/*.tsx\""] {
        assert_eq!(windsurf(globs), [""; 0], "{globs}");
    }
    let cursor = |globs: &str| {
        let keys = format!("description: x\nglobs: {globs}\nalwaysApply: false\n");
        found("cursor", ".cursor/rules/a.mdc", &keys)
    };
    assert_eq!(cursor("**/*.tsx"), ["agent/unmatched-glob **/*.tsx"]);
    assert_eq!(cursor("[\"*.tsx\", \"*.js\"]"), ["agent/narrow-glob [\"*.tsx\", \"*.js\"]"]);
    assert_eq!(cursor("\"**/*.tsx\""), ["agent/narrow-glob \"**/*.tsx\""]);
    let kiro = "inclusion: fileMatch\nfileMatchPattern: \"**/*.tsx\"\n";
    let found = found("kiro", ".kiro/steering/a.md", kiro);
    assert_eq!(found, ["agent/unmatched-glob \"**/*.tsx\""]);
}

#[test]
fn misspelled_models() {
    let agent = |model: &str| {
        let text =
            format!("---\nname: cook\ndescription: Cooks 日本\nmodel: {model}\n---\n\nCook.\n");
        Workspace::new(".claude/agents/cook.md", &text).clients(&["claude-code"])
    };
    for (model, near) in [("sonet", "sonnet"), ("\"opus4\"", "opus"), ("inherits", "inherit")] {
        let misspelled = agent(model);
        assert_eq!(misspelled.shown(), [format!("agent/wrong-value {model}")]);
        let [(.., message)] = &told(&misspelled)[..] else { panic!("{:?}", told(&misspelled)) };
        let name = model.trim_matches('"');
        let start =
            format!("unknown model `{name}`; did you mean `{near}`? (Claude Code: requests fail");
        assert!(message.starts_with(&start), "{message}");
        let fixes = offered(&misspelled);
        let [(_, false, after)] = &fixes[..] else { panic!("{fixes:?}") };
        assert!(after.contains(&format!("\nmodel: {near}\n")), "{after}");
    }
    // Names of other companies and gateways, full names, and words that aren't names.
    for model in [
        "Sonnet",
        "opus[1m]",
        "claude-opus-4-9",
        "gpt-5",
        "us.anthropic.claude-x",
        "fast",
        "bert",
        "beast",
        "opal",
    ] {
        assert_eq!(agent(model).shown(), [""; 0], "{model}");
    }
}

#[test]
fn values_that_are_a_comment() {
    let agent = |key: &str| {
        let text = format!("---\nname: cook\ndescription: Cooks\n{key}\n---\n\nCook. 日本\n");
        Workspace::new(".claude/agents/cook.md", &text).clients(&["claude-code"])
    };
    let color = agent("color: #0d9488");
    let [(code, severity, text, message)] = &told(&color)[..] else { panic!("{:?}", told(&color)) };
    assert_eq!((*code, *severity, text.as_str()), ("agent/wrong-value", Severity::Hint, "#0d9488"));
    assert!(message.starts_with("`#0d9488` is a comment, so `color` is empty; expected `red`"));
    let fixes = offered(&color);
    assert_eq!(fixes[0].0, "Replace with `cyan`");
    assert!(!fixes[0].1 && fixes[0].2.contains("\ncolor: cyan\n"), "{fixes:?}");
    let switch = offered(&agent("background: #true"));
    assert!(switch[0].2.contains("\nbackground: true\n"), "{switch:?}");
    // A name was commented out.
    assert_eq!(told(&agent("model: #opus")), []);
    // Text may be meant.
    let skill = "---\nname: tea\ndescription: #1 place for tea\n---\n\nBrew. 日本\n";
    let skill = Workspace::new(".claude/skills/tea/SKILL.md", skill).clients(&["cline"]);
    let [(code, _, text, message)] = &told(&skill)[..] else { panic!("{:?}", told(&skill)) };
    assert_eq!((*code, text.as_str()), ("agent/missing-key", "#1 place for tea"));
    assert!(
        message.starts_with("`#1 place for tea` is a comment, so `description` is empty; quote it"),
        "{message}"
    );
    let [(title, false, after), ..] = &offered(&skill)[..] else { panic!("{:?}", offered(&skill)) };
    assert_eq!(title, "Quote the value");
    assert!(after.contains("\ndescription: \"#1 place for tea\"\n"), "{after}");
    let note = skill.text.replace("#1 place for tea", "#TODO write this");
    let note = Workspace::new(".claude/skills/tea/SKILL.md", &note).clients(&["cline"]);
    assert!(offered(&note).iter().all(|(title, ..)| title != "Quote the value"));
    // A real comment, and one on the next line.
    for key in ["color: # teal", "color:\n# teal", "color:\n  #teal", "color: red #0d9488"] {
        let found = told(&agent(key));
        assert!(found.iter().all(|found| !found.3.contains("is a comment")), "{key} {found:?}");
    }
}

#[test]
fn an_inner_fence_that_closes_the_outer_one() {
    let outer = |before: &str, inner: &str, after: &str| {
        format!("# Report\n\n{before}\n# Title 日本\n\n{inner}\n{after}\n")
    };
    let inner = "```bash\nls\n```\n\nText.\n\n```json\n{}\n```";
    let path = ".claude/commands/report.md";
    let title = "Lengthen the outer fence to four backticks";
    for newline in ["\n", "\r\n"] {
        let written = |text: String| text.replace('\n', newline);
        let text = written(outer("```markdown", inner, "```"));
        let workspace = Workspace::new(path, &text).clients(&["claude-code"]);
        let fixes = offered(&workspace);
        assert_eq!(fixes[0].0, title, "{fixes:?}");
        assert!(!fixes[0].1);
        let after = written(outer("````markdown", inner, "````"));
        assert_eq!(fixes[0].2, after);
        assert_eq!(Workspace::new(path, &after).clients(&["claude-code"]).found(), []);
    }
    // Text below the outer fence, and an outer one further up.
    let below = outer("````md\nx\n````\n\n```markdown", inner, "```\n\nDone.");
    let workspace = Workspace::new(path, &below).clients(&["claude-code"]);
    let fixed = outer("````md\nx\n````\n\n````markdown", inner, "````\n\nDone.");
    assert_eq!(offered(&workspace)[0].2, fixed);
    // An outer fence without a language, and one with a longer fence inside.
    for (before, inside, longer) in
        [("```", inner, "````"), ("```markdown", "````\nls\n````", "`````markdown")]
    {
        let workspace = Workspace::new(path, &outer(before, inside, "```\n\nDone."));
        let workspace = workspace.clients(&["claude-code"]);
        let ending = longer.trim_end_matches("markdown");
        assert_eq!(offered(&workspace)[0].2, outer(longer, inside, &format!("{ending}\n\nDone.")));
        assert_eq!(workspace.shown(), [format!("agent/unclosed-fence {before}")]);
    }
    // Closing the fence at the end of the file is right only after code.
    for (text, count) in [
        ("```bash\nls\n", 1),
        ("```bash\nls\n\n## 日本\n\nText.\n", 0),
        ("```bash\nls\n```\n\nText.\n```\n\nMore.\n", 0),
        ("```markdown\n## A\n", 0),
        ("```\nls\n", 1),
    ] {
        let workspace = Workspace::new(path, text).clients(&["claude-code"]);
        assert_eq!(workspace.shown().len(), 1, "{text}");
        assert_eq!(offered(&workspace).len(), count, "{text}");
    }
    // The unclosed fence has no outer fence.
    for text in [
        "```bash\nls\n".to_owned(),
        outer("```markdown", "```bash\nls\n```\n\n```json\n{}", "```"),
        outer("```markdown", "```\nls\n```\n\n```\n{}\n```", "```\n\nx"),
    ] {
        let workspace = Workspace::new(path, &text).clients(&["claude-code"]);
        assert!(offered(&workspace).iter().all(|fix| fix.0 != title), "{text}");
    }
}

#[test]
fn items_of_the_wrong_type_are_described_in_words() {
    let messages = |path: &str, client: &str, keys: &str| {
        let text = format!("---\nname: cook\ndescription: 日本\n{keys}\n---\n\nCook.\n");
        let workspace = Workspace::new(path, &text).clients(&[client]);
        told(&workspace).into_iter().map(|found| found.3).collect::<Vec<_>>()
    };
    let agent = ".claude/agents/cook.md";
    let found = messages(agent, "claude-code", "tools: [Read, 3]");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("item 2 of `tools` must be a string"), "{found:?}");
    let found = messages(agent, "claude-code", "tools:\n  - Read\n  - a: b");
    assert!(found[0].starts_with("item 2 of `tools` must be a string"), "{found:?}");
    for (keys, message) in [
        ("tools: 3", "`tools` must be a string or a list"),
        ("skills: [tea, 5]", "item 2 of `skills` must be a string"),
    ] {
        let mut text = format!("---\nname: cook\ndescription: 日本\n{keys}\n---\n\nCook.\n");
        let mut workspace = Workspace::new(agent, &text).clients(&["claude-code"]);
        workspace = workspace.with(".claude/skills/tea/SKILL.md");
        text = told(&workspace).into_iter().map(|found| found.3).collect::<Vec<_>>().join("\n");
        assert!(text.starts_with(message) && !text.contains('\n'), "{text}");
    }
    let found = messages(agent, "claude-code", "background: \"maybe\"");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("`maybe` is not a valid `background`; expected `true` or `false` ("),
        "{found:?}"
    );
}

#[test]
fn a_folder_of_skills_without_a_skill_is_reported_once() {
    let skill = "---\nname: boil\ndescription: Boils 日本\ntols: Read\n---\n\nBoil.\n";
    let found = |path: &str, text: &str, others: &[&str]| {
        let mut workspace = Workspace::new(path, text).clients(&["claude-code"]);
        for other in others {
            workspace.world = workspace.world.with(format!("/w/{other}"), skill);
        }
        (workspace.shown(), workspace.found().len())
    };
    let path = ".claude/skills/tea/boil.md";
    let told = vec!["agent/misplaced-file ---".to_owned()];
    assert_eq!(found(path, skill, &[]), (told.clone(), 1));
    assert_eq!(found(path, skill, &[".claude/skills/tea/pour.md"]), (told, 1));
    for others in [[".claude/skills/tea/SKILL.md"], [".claude/skills/tea/skill.md"]] {
        assert_eq!(found(path, skill, &others), (vec![], 0), "{others:?}");
    }
    // The one before it may not be checked, so this is a hint.
    assert_eq!(found(path, skill, &[".claude/skills/tea/a.md"]), (vec![], 1));
    for text in ["# Boil\n", "---\ntitle: Boil\n---\n\nBoil.\n"] {
        assert_eq!(found(path, text, &[]), (vec![], 0), "{text}");
    }
}

#[test]
fn a_line_break_that_is_cut_is_not_missed() {
    let path = ".windsurf/workflows/brew.md";
    let text = |end: &str| format!("---\ndescription: Brews\n---\n{}", "茶".repeat(11_973)) + end;
    for (end, found) in [("\n", 0), ("\r\n\r\n", 0), ("\n茶", 1), ("茶茶茶", 1)] {
        let workspace = Workspace::new(path, &text(end)).clients(&["windsurf"]);
        let long =
            workspace.found().into_iter().filter(|found| found.rule.code == "agent/too-long");
        assert_eq!(long.count(), found, "{end:?}");
    }
}

#[test]
fn an_argument_is_meant_only_where_some_are_declared() {
    let message = |keys: &str, body: &str| {
        let text = format!("---\nname: tea\ndescription: 日本\n{keys}---\n\n{body}\n");
        let workspace = Workspace::new(".claude/skills/tea/SKILL.md", &text);
        told(&workspace.clients(&["claude-code"])).remove(0).3
    };
    let query = "`SELECT a WHERE b = $1`";
    assert!(!message("", query).contains("`$0`"), "{}", message("", query));
    let hinted = message("argument-hint: '[a]'\n", &format!("$ARGUMENTS {query} and $2, $3"));
    assert!(hinted.contains("`$0`"), "{hinted}");
    // These are no arguments, so they aren't the first one either.
    for body in ["Use $ARGUMENTS, not $1.", "$ARGUMENTS\n\n`awk '{print $1}' 日本`"] {
        let other = message("argument-hint: '[a]'\n", body);
        assert!(other.contains("`$1` is read as an argument"), "{other}");
        assert!(!other.contains("`$0`"), "{other}");
    }
}

#[test]
fn a_tool_that_does_something_else_is_a_suggestion() {
    for (tool, instead, safe) in
        [("TodoRead", "TaskList", false), ("LS", "Glob", false), ("KillShell", "TaskStop", true)]
    {
        let text = format!("---\nname: cook\ndescription: 日本\ntools: Bash, {tool}\n---\n\nx\n");
        let workspace = Workspace::new(".claude/agents/cook.md", &text).clients(&["claude-code"]);
        let fixes = offered(&workspace);
        assert!(fixes[0].2.contains(instead), "{fixes:?}");
        assert_eq!(fixes[0].1, safe, "{tool}");
    }
}
