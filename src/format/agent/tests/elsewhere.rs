//! Correct findings that authors don't act on, because of another program, another project, or
//! another file that names theirs.

use super::*;

#[test]
fn numbers_of_a_query_in_a_command_that_takes_all_arguments() {
    let shown = |hint: &str, body: &str| {
        let text = format!("---\ndescription: x\nargument-hint: {hint}\n---\n\n{body}\n");
        loud(".claude/commands/a.md", &text, "claude-code", &[])
    };
    let query = "Name: $ARGUMENTS. In SQL, write only `$1` and `$2`. 日本";
    assert_eq!(shown("\"[name]\"", query), ["agent/substituted-text $1"]);
    assert_eq!(shown("<from> <to>", query), ["agent/argument-index $1"]);
    assert_eq!(shown("<a>", "Use $1 of $ARGUMENTS."), ["agent/argument-index $1"]);
    assert_eq!(shown("<a>", "Use $1 and $2."), ["agent/argument-index $1"]);
}

#[test]
fn hints_in_brackets_are_right_for_codex() {
    for hint in ["[path] [how: walk|jump]", "[what to draw]", "<日本>: x"] {
        let text = format!("---\ndescription: Draws\nargument-hint: {hint}\n---\n\nDraw it.\n");
        let found = Workspace::new(".codex/prompts/a.md", &text).clients(&["codex"]).found();
        assert!(found.is_empty(), "{hint}: {found:?}");
    }
    let brackets = "---\nargument-hint: [path] [how]\n---\n\nDraw it.\n";
    assert_eq!(loud(".claude/commands/a.md", brackets, "claude-code", &[]).len(), 1);
}

#[test]
fn prices_in_a_command_are_not_arguments() {
    for (hint, body, expected) in [
        ("<from> <to>", "Swap $1 with $2 for $5. 日本 🦆", "Swap $0 with $1 for $5. 日本 🦆"),
        ("<from> <to>", "Take $1, $2 and $3.", "Take $0, $1 and $2."),
        ("<a> <b> <c>", "Take $1 and $3, not $9.", "Take $0 and $2, not $9."),
        ("from", "Take $1.", "Take $0."),
    ] {
        let text =
            |body: &str| format!("---\ndescription: x\nargument-hint: {hint}\n---\n\n{body}\n");
        let workspace =
            Workspace::new(".claude/commands/a.md", &text(body)).clients(&["claude-code"]);
        let found = workspace.found();
        let mut fixes = found.iter().flat_map(|found| &found.fixes);
        let fix = fixes.find(|fix| fix.title == "Count arguments from 0").expect("a fix");
        assert_eq!(apply(&workspace.text, &fix.edits).unwrap(), text(expected));
    }
}

#[test]
fn instructions_that_a_memory_file_names_need_no_front_matter() {
    let text = "# Tea\n\nUse the kettle.\n";
    let path = ".agents/rules/tea.instructions.md";
    for (memory, count) in [
        ("Read `.agents/rules/tea.instructions.md` before you brew 日本.\n", 0),
        ("Read `.agents/rules/coffee.instructions.md`.\n", 1),
    ] {
        let mut workspace = Workspace::new(path, text).clients(&["copilot"]);
        workspace.world = workspace.world.with("/w/AGENTS.md", memory);
        assert_eq!(workspace.shown().len(), count, "{memory}");
        let hint = workspace.found().iter().any(|found| found.severity == Severity::Hint);
        assert_eq!(hint, count == 0, "{memory}");
    }
    assert_eq!(loud(path, text, "copilot", &[]).len(), 1);
}

#[test]
fn agents_without_a_required_name_are_not_duplicates() {
    let text = "# Cook\n\nYou are the **cook**. 日本\n";
    let path = ".claude/agents/cook/AGENT.md";
    let mut workspace = Workspace::new(path, text).clients(&["claude-code"]);
    workspace.world =
        workspace.world.with("/w/.claude/agents/chef/AGENT.md", "You are the chef.\n");
    let found = workspace.found();
    let codes: Vec<_> = found.iter().map(|found| found.rule.code).collect();
    assert_eq!(codes, ["agent/missing-front-matter"]);
    let page = Workspace::new(".claude/agents/ROUTING.md", text).clients(&["claude-code"]);
    assert!(page.found().is_empty());
}

#[test]
fn front_matter_in_a_folder_of_another_program_is_read_in_its_own_way() {
    let rule = "---\ntargets: *\ndescription: 日本\n---\n\nBe strict.\n";
    for (path, count) in [
        (".syncer/rules/a.md", 0),
        ("app/.syncer/rules/a.md", 0),
        ("notes/a.md", 1),
        (".github/notes/a.md", 1),
        (".claude/notes/a.md", 1),
    ] {
        assert_eq!(loud(path, rule, "claude-code", &[]).len(), count, "{path}");
    }
}

#[test]
fn skills_about_skills_are_recognised_by_name_or_description() {
    let found = |folder: &str, description: &str| {
        let own = "See `references/a.md`, [x](references/none.md) and `references/lost.md`.";
        let text = format!("---\nname: {folder}\ndescription: {description}\n---\n\n{own}\n");
        let path = format!(".claude/skills/{folder}/SKILL.md");
        let page = format!(".claude/skills/{folder}/references/a.md");
        loud(&path, &text, "claude-code", &[&page]).len()
    };
    assert_eq!(found("brew-tea", "Use this skill to brew tea"), 2);
    assert_eq!(found("brew-tea", "Writes skills 日本"), 0);
    assert_eq!(found("skill-maker", "Makes them"), 0);
}

#[test]
fn links_of_a_rule_into_a_folder_that_exists_nowhere() {
    let path = ".roo/rules/tasks.md";
    let rule = |target: &str| format!("Only for tasks in [日本]({target}).\n");
    for (target, others, count) in [
        ("notes/tasks.md", &[] as &[&str], 0),
        ("./notes/tasks.md", &[], 0),
        ("notes/tasks.md", &["notes/a.md"], 1),
        ("tasks-list.md", &[], 1),
        ("../notes/tasks.md", &[], 1),
    ] {
        assert_eq!(loud(path, &rule(target), "roo", others).len(), count, "{target} {others:?}");
    }
    let skill = ".claude/skills/brew-tea/SKILL.md";
    let text = format!("{SKILL}\n[x](notes/tasks.md)\n");
    assert_eq!(loud(skill, &text, "claude-code", &[]).len(), 1);
}

#[test]
fn a_rule_for_every_file_loses_nothing_through_another_key() {
    let rule = |globs: &str| format!("---\nglobs: {globs}\n---\n\nBe strict. 日本\n");
    for (globs, count) in [("['*']", 0), ("['**/*']", 0), ("['*.ts']", 1), ("'*.md'", 1)] {
        let found = loud(".clinerules/a.md", &rule(globs), "cline", &[]);
        assert_eq!(found.len(), count, "{globs} {found:?}");
    }
}

#[test]
fn skills_that_another_program_puts_together() {
    let path = ".agents/skills/brew-tea/SKILL.md";
    let text = "# Tea\n\nBrew it. 日本\n";
    assert_eq!(loud(path, text, "codex", &[]).len(), 1);
    assert_eq!(loud(path, text, "codex", &[".agents/skills/brew-tea/skill.yaml"]), [""; 0]);
    assert_eq!(loud(path, text, "codex", &[".agents/skills/cook/skill.yaml"]).len(), 1);
    let broken = "---\nname: brew-tea\ndescription: a: b\n---\n";
    assert_eq!(loud(path, broken, "codex", &[".agents/skills/brew-tea/skill.yaml"]).len(), 1);
}

#[test]
fn names_that_the_text_rejects_need_not_exist() {
    let text = |words: &str| {
        let own = "Run `/tea-house:brew-pot`.";
        format!("---\nname: brew-pot\ndescription: Brews\n---\n\n{own}\n\n{words}\n")
    };
    let path = "p/skills/brew-pot/SKILL.md";
    for (words, count) in [
        ("Write 日本 `tea-house:brew-pot`, not `tea-house:old-pot`.", 0),
        ("Never `tea-house:old-pot`.", 0),
        ("Formerly `/tea-house:old-pot`.", 0),
        ("Formerly `/tea-house:brew-pots`.", 0),
        ("Run `/tea-house:brew-pots`.", 1),
        ("Use it instead of `/tea-house:old-pot`.", 0),
        ("If you cannot `/tea-house:old-pot`.", 1),
        ("Then run `/tea-house:old-pot`.", 1),
    ] {
        let mut workspace = Workspace::new(path, &text(words)).clients(&["claude-code"]);
        let plugin = "{\"name\": \"tea-house\"}";
        workspace.world = workspace.world.with("/w/p/.claude-plugin/plugin.json", plugin);
        assert_eq!(workspace.shown().len(), count, "{words} {:?}", workspace.shown());
    }
}

#[test]
fn tools_that_the_text_forbids_need_not_be_enabled() {
    let path = ".github/agents/finder.agent.md";
    for (words, count) in [
        ("Use #tool:edit.", 1),
        ("Never use #tool:edit.", 0),
        ("- **Never do:**\n  - Write with another tool, #tool:edit for one", 0),
        ("Read it (no #tool:edit/#tool:editFiles 日本)", 0),
        ("Use #tool:edit/#tool:search.", 1),
    ] {
        let text = format!("---\ndescription: x\ntools: ['search']\n---\n\n{words}\n");
        let workspace = Workspace::new(path, &text).clients(&["copilot"]);
        assert_eq!(workspace.shown().len(), count, "{words} {:?}", workspace.shown());
        assert!(!workspace.found().is_empty(), "{words}");
    }
    // A set is enabled by any of its tools.
    for (tool, count) in [("web", 0), ("web/fetch", 0), ("web/search", 1), ("we", 1)] {
        let text = format!("---\ndescription: x\ntools: ['web/fetch']\n---\n\nUse #tool:{tool}.\n");
        let workspace = Workspace::new(path, &text).clients(&["copilot"]);
        assert_eq!(workspace.shown().len(), count, "{tool} {:?}", workspace.shown());
    }
}

#[test]
fn skills_in_no_clients_place_that_lack_what_their_neighbours_lack() {
    let bare = "# Tea\n\nBrew it. 日本\n";
    let unnamed = "---\ndescription: Brews\n---\n\nBrew it.\n";
    let named = "---\nname: other\ndescription: Brews\n---\n\nBrew it.\n";
    let found = |folder: &str, own: &str, others: &[&str]| {
        let path = format!("{folder}/brew-tea/SKILL.md");
        let mut workspace = Workspace::new(&path, own);
        for (number, other) in others.iter().enumerate() {
            let path = format!("/w/{folder}/other-{number}/SKILL.md");
            workspace.world = workspace.world.with(&path, other);
        }
        (workspace.shown().len(), workspace.found().len())
    };
    for own in [bare, unnamed] {
        assert_eq!(found("bots/tea/skills", own, &[own, own]), (0, 1), "{own}");
        assert_eq!(found("bots/tea/skills", own, &[own]), (1, 1), "{own}");
        assert_eq!(found("bots/tea/skills", own, &[own, named, own]), (1, 1), "{own}");
        assert_eq!(found(".agents/skills", own, &[own, own]).1, 1, "{own}");
    }
    assert_eq!(found("bots/tea/skills", bare, &[unnamed, unnamed]), (1, 1));
    assert_eq!(found("bots/tea/skills", unnamed, &[bare, bare]), (0, 1));
    assert_eq!(found(".claude/skills", bare, &[bare, bare]).0, 0);
    assert_eq!(found(".codex/skills", bare, &[bare, bare]), (1, 1));
    let undescribed = "---\nname: brew-tea\n---\n\nBrew it.\n";
    assert_eq!(found("bots/tea/skills", undescribed, &[undescribed, undescribed]), (1, 1));
    let late = format!("<!-- generated -->\n{named}");
    assert_eq!(found("bots/tea/skills", &late, &[&late, &late]).0, 1);
}

#[test]
fn keys_that_neighbours_in_no_clients_place_have() {
    let found = |path: &str, own: &str, others: &[(&str, &str)]| {
        let mut workspace = Workspace::new(path, own).clients(&["copilot", "spec"]);
        for (path, other) in others {
            workspace.world = workspace.world.with(format!("/w/{path}"), other);
        }
        (workspace.shown().len(), workspace.found().len())
    };
    let agent = "---\ndescription: 日本\nallowed-tools: [bash]\n---\n\nYou cook.\n";
    let plain = "---\ndescription: Bakes\n---\n\nYou bake.\n";
    for (folder, first, second, count) in [
        ("agents", agent, agent, (0, 1)),
        ("agents", agent, plain, (1, 1)),
        ("agents", plain, plain, (1, 1)),
        (".github/agents", agent, agent, (1, 1)),
    ] {
        let path = |name: &str| format!("{folder}/{name}.agent.md");
        let others = [(path("baker"), first), (path("brewer"), second)];
        let others: Vec<(&str, &str)> =
            others.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        assert_eq!(found(&path("cook"), agent, &others), count, "{folder} {first} {second}");
    }
    let skill = |name: &str| {
        let editors = "compatibility:\n  editors: [a]\n";
        format!("---\nname: {name}\ndescription: Brews\n{editors}---\n\nBrew it.\n")
    };
    let (one, two, three) = (skill("one"), skill("two"), skill("three"));
    let others: [(&str, &str); 2] =
        [("skills/two/SKILL.md", &two), ("skills/three/SKILL.md", &three)];
    assert_eq!(found("skills/one/SKILL.md", &one, &others), (0, 1));
    assert_eq!(found("skills/one/SKILL.md", &one, &others[..1]), (1, 1));
}

/// The loud findings and all findings in a file, with other files around it.
pub fn among(path: &str, own: &str, clients: &[&str], others: &[(&str, &str)]) -> (usize, usize) {
    let mut workspace = Workspace::new(path, own).clients(clients);
    for (path, other) in others {
        workspace.world = workspace.world.with(format!("/w/{path}"), other);
    }
    (workspace.shown().len(), workspace.found().len())
}

#[test]
fn names_made_from_their_folders_as_neighbours_do() {
    let skill = |name: &str| format!("---\nname: {name}\ndescription: 日本\n---\n\nBrew it.\n");
    for (own, one, two, count) in [
        (("pour", "tea-pour"), ("boil", "tea-boil"), ("sip", "tea-sip"), (0, 1)),
        (("pour", "tea-pour"), ("boil", "tea-boil"), ("sip", "sip"), (1, 1)),
        (("pour", "tea-pour"), ("boil", "pot-boil"), ("sip", "pot-sip"), (1, 1)),
        (("tea-pour", "pour"), ("tea-boil", "boil"), ("tea-sip", "sip"), (0, 1)),
        (("tea-pour", "pour"), ("tea-boil", "boil"), ("tea-sip", "tea-sip"), (1, 1)),
        (("tea-pour", "pour"), ("boil", "tea-boil"), ("sip", "tea-sip"), (1, 1)),
        (("pour", "teapour"), ("boil", "teaboil"), ("sip", "teasip"), (1, 1)),
        (("pour", "pours"), ("boil", "boils"), ("sip", "sips"), (1, 1)),
        (("tea.pour", "tea.pour"), ("tea.boil", "tea.boil"), ("tea.sip", "tea.sip"), (0, 1)),
        (("tea-pour", "'tea:pour'"), ("tea-boil", "'tea:boil'"), ("tea-sip", "'tea:sip'"), (0, 1)),
        (("tea-pour", "'tea:pour'"), ("tea-boil", "'tea:boil'"), ("sip", "sip"), (1, 1)),
        (("tea.pour", "tea.pour"), ("tea.boil", "tea.boil"), ("pot.sip", "pot.sip"), (0, 1)),
        (("tea.pour", "tea.pour"), ("tea.boil", "tea.boil"), ("sip", "sip"), (1, 1)),
        (("a_b", "a_b"), ("c_d", "c_d"), ("e_f", "e_f"), (0, 1)),
        (("a_b", "a_b"), ("c_d", "c_d"), ("e-f", "e-f"), (1, 1)),
        (("a-b", "Ab"), ("c-d", "Cd"), ("e-f", "Ef"), (1, 1)),
    ] {
        let found = |folder: &str, clients: &[&str]| {
            let path = |name: &str| format!("{folder}/{name}/SKILL.md");
            let (first, second) = ((path(one.0), skill(one.1)), (path(two.0), skill(two.1)));
            let others = [(first.0.as_str(), first.1.as_str()), (&second.0, &second.1)];
            among(&path(own.0), &skill(own.1), clients, &others)
        };
        assert_eq!(found("skills", &["spec"]), count, "{own:?} {one:?} {two:?}");
        // Cline requires the folder's name.
        assert_eq!(found(".cline/skills", &["cline"]).0, found(".cline/skills", &["cline"]).1);
    }
    for (other, count) in [("tea-boil", 0), ("boil", 1), ("pot-boil", 1)] {
        let others = [("skills/boil/SKILL.md", skill(other))];
        let others = others.each_ref().map(|(path, text)| (*path, text.as_str()));
        let found = among("skills/pour/SKILL.md", &skill("tea-pour"), &["spec"], &others);
        assert_eq!(found, (count, 1), "{other}");
    }
}

#[test]
fn a_page_about_instructions() {
    for (name, count) in [("README", 0), ("tea", 1)] {
        let path = format!(".github/instructions/{name}.instructions.md");
        let found = among(&path, "# Tea\n", &["copilot"], &[]);
        assert_eq!(found, (count, 1), "{name}");
    }
}

#[test]
fn rules_of_clients_that_do_not_read_yaml() {
    for (key, count) in [("trigger: glob", 0), ("alwaysApply: false", 0), ("title: Tea", 1)] {
        let text = format!("---\n{key}\ndescription: 日本\nglobs: **/*.ts\n---\n\nBe strict.\n");
        assert_eq!(loud("kit/rules/tea.md", &text, "spec", &[]).len(), count, "{key}");
    }
}

#[test]
fn agents_of_a_plugin_that_all_have_their_files_names() {
    let agent = |keys: &str| format!("---\n{keys}description: 日本\n---\n\nYou cook.\n");
    let (nameless, named) = (agent(""), agent("name: other\n"));
    let found = |folder: &str, one: &str, two: &str| {
        let paths = ["one", "two", "cook"].map(|name| format!("{folder}/{name}.md"));
        let marker = ("p/.claude-plugin/plugin.json", "{\"name\": \"p\"}");
        let others = [(paths[0].as_str(), one), (paths[1].as_str(), two), marker];
        among(&paths[2], &nameless, &["claude-code"], &others)
    };
    assert_eq!(found("p/agents", &nameless, &nameless), (0, 1));
    assert_eq!(found("p/agents", &nameless, &named), (1, 1));
    assert_eq!(found(".claude/agents", &nameless, &nameless), (1, 1));
}

#[test]
fn agents_of_a_plugin_that_a_skill_or_command_names_by_their_path() {
    let agent = "# Cook\n\nYou are the cook. 日本\n";
    let skill = |body: &str| format!("{SKILL}\n{body}\n");
    let marker = ("p/.claude-plugin/plugin.json", "{\"name\": \"p\"}");
    let reads = skill("Read `${CLAUDE_PLUGIN_ROOT}/agents/cook.md`.");
    let others = skill("Read `agents/baker.md`.");
    for (path, text, count) in [
        ("p/skills/brew-tea/SKILL.md", &reads, (0, 1)),
        ("p/commands/dinner.md", &reads, (0, 1)),
        ("p/SKILL.md", &reads, (0, 1)),
        ("p/skills/brew-tea/SKILL.md", &others, (1, 1)),
        ("skills/brew-tea/SKILL.md", &reads, (1, 1)),
    ] {
        let found = among("p/agents/cook.md", agent, &["claude-code"], &[marker, (path, text)]);
        assert_eq!(found, count, "{path} {text}");
    }
    let called = ("p/skills/brew-tea/SKILL.md", reads.as_str());
    let own = among(".claude/agents/cook.md", agent, &["claude-code"], &[called]);
    assert_eq!(own, (1, 1));
}

#[test]
fn keys_of_another_program_in_no_clients_place() {
    let agent =
        |keys: &str| format!("---\ndescription: 日本\ntools: false\n{keys}---\n\nYou cook.\n");
    for (path, keys, count) in [
        ("app/cook.agent.md", "flows:\n  on: true\n", 0),
        ("app/cook.agent.md", "flows: true\n", 1),
        (".github/agents/cook.agent.md", "flows:\n  on: true\n", 1),
    ] {
        assert_eq!(loud(path, &agent(keys), "copilot", &[]).len(), count, "{path} {keys}");
    }
}

#[test]
fn commands_and_skills_that_are_made_for_each_other() {
    let command = |words: &str| format!("---\ndescription: {words}\n---\n\nBrew it.\n");
    let skill = |words: &str, body: &str| {
        format!("---\nname: brew-tea\ndescription: {words}\n---\n\n{body} 日本\n")
    };
    let path = ".claude/commands/brew-tea.md";
    for (own, theirs, count) in [
        (command("Brews"), skill("Brews", "Brew."), (0, 1)),
        (command("Brews"), skill("Pours", "Follow `../../commands/brew-tea.md`."), (0, 1)),
        (command("Brews"), skill("Pours", "Brew."), (1, 1)),
        ("Brew it.\n".to_owned(), "---\nname: brew-tea\n---\n\nPour.\n".to_owned(), (1, 1)),
    ] {
        let other = (".claude/skills/brew-tea/SKILL.md", theirs.as_str());
        assert_eq!(among(path, &own, &["claude-code"], &[other]), count, "{own} {theirs}");
    }
}

#[test]
fn front_matter_with_names_that_something_fills_in() {
    for (path, value, count) in [
        ("notes/a.md", "{project-root}/日本", 0),
        ("notes/a.md", "{a, b}/c", 1),
        ("_bmad/notes/a.md", "@home", 0),
        (".claude/agent-memory/cook/a.md", "@home", 0),
        (".claude/notes/a.md", "@home", 1),
        ("notes/a.md", "@home", 1),
    ] {
        let text = format!("---\ntitle: x\npath: {value}\n---\n\nText.\n");
        assert_eq!(loud(path, &text, "claude-code", &[]).len(), count, "{path} {value}");
    }
}

#[test]
fn files_that_a_skill_makes() {
    let skill = |path: &str| format!("{SKILL}\nSee `references/a.md`. It has `{path}`. 日本\n");
    let own = ".claude/skills/brew-tea/SKILL.md";
    let other = [".claude/skills/brew-tea/references/a.md"];
    assert_eq!(loud(own, &skill("references/cache/b.json"), "claude-code", &other), [""; 0]);
    assert_eq!(loud(own, &skill("references/more/b.json"), "claude-code", &other).len(), 1);
}

#[test]
fn links_in_files_that_are_made_from_others() {
    let text = |words: &str| format!("<!-- {words} -->\n\nSee [日本](docs/none.md).\n");
    for (words, count) in [
        ("Generated by sync: do not edit", 0),
        ("AUTO-GENERATED. Don't edit", 0),
        ("Generated ideas", 1),
        ("Do not edit", 1),
    ] {
        let path = ".claude/rules/a.md";
        assert_eq!(loud(path, &text(words), "claude-code", &["docs/a.md"]).len(), count, "{words}");
        let found = Workspace::new(path, &text(words)).clients(&["claude-code"]).with("docs/a.md");
        assert_eq!(found.found().len(), 1, "{words}");
    }
}

#[test]
fn skills_whose_own_key_says_what_they_are_for() {
    let skill = |name: &str, keys: &str| format!("---\nname: {name}\n{keys}---\n\nBrew. 日本\n");
    for (own, theirs, count) in [
        ("purpose: Brews black tea\n", "purpose: Pours tea\n", (0, 1)),
        ("purpose: Brews black tea\n", "", (1, 1)),
        ("purpose: Brews black tea\n", "purpose: x\ndescription: Pours\n", (1, 1)),
        ("source: house\n", "source: house\n", (1, 1)),
        ("source: |\n  A house of tea\n  MIT\n", "source: house\n", (1, 1)),
        ("license: MIT\n", "license: MIT\n", (1, 1)),
    ] {
        let found = |folder: &str, client: &str| {
            let path = |name: &str| format!("{folder}/{name}/SKILL.md");
            let (one, two) = (skill("one", theirs), skill("two", theirs));
            let (first, second) = (path("one"), path("two"));
            let others = [(first.as_str(), one.as_str()), (second.as_str(), two.as_str())];
            among(&path("tea"), &skill("tea", own), &[client], &others)
        };
        assert_eq!(found("skills", "spec"), count, "{own} {theirs}");
        assert_eq!(found(".codex/skills", "codex").0, 1, "{own} {theirs}");
    }
}

#[test]
fn skills_with_a_manifest_of_another_program() {
    let text = "---\nname: Brew Tea\ndescription: 日本\n---\n\nBrew.\n";
    let path = "workspace/skills/tea/SKILL.md";
    for (text, other, count) in [
        (text, "workspace/skills/tea/pot.plugin.json", 0),
        (text, "workspace/skills/tea/pot.json", 1),
        ("# Tea\n", "workspace/skills/tea/pot.plugin.json", 0),
        ("# Tea\n", "workspace/skills/tea/pot.json", 1),
    ] {
        assert_eq!(loud(path, text, "spec", &[other]).len(), count, "{text} {other}");
    }
}

#[test]
fn files_that_git_ignores_are_made() {
    let own = [
        ("CLAUDE.md", "Read @.made/a.md and @日本/b.md first.\n"),
        ("CLAUDE.md", "Read [a](.made/a.md) and [b](日本/b.md).\n"),
    ];
    for (path, text) in own {
        for (ignored, count) in [("/.made/", 1), ("*.md", 0), ("# .made/", 2), ("a.txt", 2)] {
            let found = among(path, text, &["claude-code"], &[(".gitignore", ignored)]);
            assert_eq!(found, (count, 2), "{text} {ignored}");
        }
    }
    // A file with a similar name makes no difference.
    let others = [(".gitignore", ".made/"), ("made/a.md", "x"), ("b.md", "x")];
    assert_eq!(among("CLAUDE.md", "Read @.made/a.md.\n", &["claude-code"], &others), (0, 1));
}

#[test]
fn a_skill_that_is_a_template_for_others() {
    let skill = |name: &str| format!("---\nname: {name}\ndescription: 日本\n---\n\nBrew.\n");
    for (folder, name, count) in [
        ("skill-template", "skill-name", 0),
        ("tea_template", "Your Skill", 0),
        ("tea-template", "Tea-Template", 1),
        ("template-engine", "template-engines", 1),
        ("tea", "skill-name", 1),
        ("tea_template", "tea_template", 1),
    ] {
        let path = format!("skills/{folder}/SKILL.md");
        assert_eq!(loud(&path, &skill(name), "spec", &[]).len(), count, "{folder} {name}");
    }
}

#[test]
fn a_skill_in_small_letters_is_misplaced_for_every_client() {
    for (folder, client) in [
        (".agents", "spec"),
        (".claude", "claude-code"),
        (".codex", "codex"),
        (".gemini", "gemini"),
        (".opencode", "opencode"),
        (".github", "spec"),
    ] {
        for name in ["skill.md", "Skill.md"] {
            let path = format!("{folder}/skills/brew-tea/{name}");
            let found = loud(&path, "# Brew\n", client, &[]);
            assert_eq!(found, ["agent/misplaced-file # Brew"], "{path}");
        }
    }
}

#[test]
fn a_skill_in_a_hidden_folder_among_skills_is_a_programs() {
    let skill = "---\nname: tea\ndescription: 日本\n---\n\nBrew.\n";
    for (folder, count) in [
        (".claude/skills/.system/tea", 0),
        (".claude/skills/system/tea", 1),
        (".claude/skills/.system", 0),
    ] {
        let path = format!("{folder}/SKILL.md");
        let found = among(&path, skill, &["claude-code"], &[]);
        assert_eq!(found.0, count, "{folder}");
    }
}

#[test]
fn files_among_forms_may_get_another_name() {
    let prompt = "---\nmode: agent\n---\n\n日本\n";
    let rule = "---\ndescription: 日本\n---\n\nBrew.\n";
    for (folder, count) in [("templates/web/", 0), ("web/templates/", 0), ("web/", 1), ("", 1)] {
        let found = among(&format!("{folder}.github/prompts/p.md"), prompt, &["copilot"], &[]);
        assert_eq!(found, (count, 1), "{folder}");
        let found = among(&format!("{folder}.cursor/rules/r.md"), rule, &["cursor"], &[]);
        assert_eq!(found, (count, 1), "{folder}");
    }
}

#[test]
fn folders_missing_from_a_list_of_plugins_are_not_plugins() {
    let agent = "---\nname: cook\ndescription: Cooks\ntools:\n  - shell\n---\n\nCook.\n";
    let found = |path: &str, source: &str| {
        let list = format!(r#"{{"plugins": [{{"name": "p", "source": {source}}}]}}"#);
        let mut workspace = Workspace::new(path, agent).clients(&["claude-code"]);
        workspace.world = workspace.world.with("/w/.claude-plugin/marketplace.json", &list);
        workspace.shown().len()
    };
    let other = r#"{"source": "github", "repo": "o/日本"}"#;
    for (path, source, count) in [
        ("forge/agents/cook.md", "\"./forge\"", 1),
        ("forge/agents/cook.md", "\"./other\"", 0),
        ("forge/agents/cook.md", other, 0),
        ("agents/cook.md", other, 1),
    ] {
        assert_eq!(found(path, source), count, "{path} {source}");
    }
}

#[test]
fn empty_files_say_nothing_yet() {
    let path = ".github/instructions/tea.instructions.md";
    for (text, count) in [("\u{feff}", 0), ("\n\n", 0), ("Brew.\n", 1)] {
        assert_eq!(loud(path, text, "copilot", &[]).len(), count, "{text:?}");
    }
}

#[test]
fn memory_files_that_are_kept_in_a_folder_of_a_client() {
    let text = "See [a](docs/a.md).\n";
    for (path, count) in [
        ("CLAUDE.md", 1),
        (".claude/CLAUDE.md", 1),
        (".github/workflows/CLAUDE.md", 1),
        ("web/CLAUDE.md", 1),
        (".claude/setup/CLAUDE.md", 0),
        ("web/.cursor/setup/web/CLAUDE.md", 0),
    ] {
        assert_eq!(loud(path, text, "claude-code", &[]).len(), count, "{path}");
    }
}

#[test]
fn unknown_keys_without_a_value_are_hints() {
    for (key, count) in [
        ("agents:", 0),
        ("agents:  # 日本", 0),
        ("agents: cook", 1),
        ("allowed_tools:\n  - Read", 1),
        ("agents: ''", 1),
    ] {
        let text = format!("---\nname: tea\ndescription: Brews tea\n{key}\n---\n\nBrew.\n");
        let found = among(".claude/skills/tea/SKILL.md", &text, &["claude-code"], &[]);
        assert_eq!(found, (count, 1), "{key}");
    }
    // Gemini CLI rejects the file.
    let agent = "---\nname: tea\ndescription: Brews tea\ncolor:\n---\n\nBrew.\n";
    assert_eq!(loud(".gemini/agents/tea.md", agent, "gemini", &[]).len(), 1);
}

#[test]
fn markdown_among_the_commands_of_gemini_is_not_read() {
    let path = ".gemini/commands/git/brew.md";
    let command = "---\ndescription: 日本\n---\n\nBrew.\n";
    let found = |text: &str, others: &[(&str, &str)]| among(path, text, &["gemini"], others);
    assert_eq!(loud(path, command, "gemini", &[]), ["agent/misplaced-file ---"]);
    assert_eq!(found("Brew.\n", &[]), (0, 1));
    assert_eq!(found(command, &[(".gemini/commands/git/brew.toml", "prompt = 'x'")]), (0, 0));
    assert_eq!(loud(path, command, "claude-code", &[]), [""; 0]);
}

#[test]
fn files_that_a_command_includes() {
    let path = ".claude/commands/tea/brew.md";
    let found = |body: &str, client: &str| {
        let others = [("docs/pots.md", "x"), (".gitignore", "made/"), ("made/out.md", "x")];
        let text = format!("---\ndescription: 日本\n---\n\n{body}\n");
        among(path, &text, &[client], &others)
    };
    for (body, told) in [
        ("Read @docs/pots.md.", (0, 0)),
        ("Read @docs/pot.md, 日本.", (1, 1)),
        ("Never read @docs/pot.md.", (0, 1)),
        ("Read @docs/kettles.md.", (0, 1)),
        ("Read @made/ot.md.", (0, 1)),
        ("Ask @user, @scope/name.js and `@docs/pot.md`.", (0, 0)),
        ("Read @$1/pots.md and @docs/*.md.", (0, 0)),
    ] {
        assert_eq!(found(body, "claude-code"), told, "{body}");
    }
    assert_eq!(found("Read @docs/pot.md.", "factory"), (0, 0));
    let text = "Read @docs/pot.md now.\n";
    let mut workspace = Workspace::new(path, text).clients(&["claude-code"]).with("docs/pots.md");
    workspace.text = text.to_owned();
    let found = workspace.found();
    let fix = found.iter().flat_map(|found| &found.fixes).next().expect("a fix");
    assert_eq!(apply(&workspace.text, &fix.edits).unwrap(), "Read @docs/pots.md now.\n");
}
