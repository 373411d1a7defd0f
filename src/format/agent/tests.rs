//! Agent files in small workspaces: judged clients, findings and their places, repairs.

use std::path::{Path, PathBuf};

use super::verdict;
use crate::client::{Kind, Outcome};
use crate::config::{Config, Options};
use crate::document::Document;
use crate::format::Context;
use crate::ide;
use crate::rule::{Diagnostic, Severity};
use crate::text::{Edit, apply};
use crate::world::Memory;

mod causes;
mod clients;
mod completion;
mod elsewhere;
mod front_matter;
mod mentions;
mod shown;
mod tools;
mod unfounded;

/// A workspace with one document in it.
struct Workspace {
    path: PathBuf,
    text: String,
    world: Memory,
    config: Config,
}

impl Workspace {
    fn new(path: &str, text: &str) -> Self {
        let path = Path::new("/w").join(path);
        let world = Memory::default().in_folder("/w").with(&path, text);
        Self { path, text: text.to_owned(), world, config: Config::default() }
    }

    fn with(mut self, path: &str) -> Self {
        self.world = self.world.with(Path::new("/w").join(path), "");
        self
    }

    fn clients(mut self, names: &[&str]) -> Self {
        let options = Options {
            clients: names.iter().map(|name| (*name).to_owned()).collect(),
            ..Options::default()
        };
        self.config = Config::new(PathBuf::from("/w"), options).unwrap();
        self
    }

    fn ask<T>(&self, question: impl FnOnce(&Document, &Context) -> T) -> T {
        let document = Document::new(&self.text, Some(&self.path), &self.config);
        question(
            &document,
            &Context::new(document.source(), Some(&self.path), &self.world, &self.config),
        )
    }

    fn found(&self) -> Vec<Diagnostic> {
        self.ask(ide::diagnostics::diagnostics)
    }

    /// The code and text of every finding above a hint.
    fn shown(&self) -> Vec<String> {
        let found = self.found().into_iter().filter(|found| found.severity > Severity::Hint);
        found.map(|found| format!("{} {}", found.rule.code, &self.text[found.span])).collect()
    }

    fn judged(&self) -> Vec<String> {
        let verdicts = self
            .ask(|_, cx| verdict::verdicts(cx))
            .map(|(_, verdicts)| verdicts)
            .unwrap_or_default();
        verdicts.iter().map(verdict::Verdict::short).collect()
    }

    /// The text after every safe fix.
    fn fixed(&self) -> String {
        apply(&self.text, &ide::code_actions::fix_all(&self.found())).unwrap()
    }
}

const SKILL: &str = "---\nname: brew-tea\ndescription: Brews tea\n---\n\nBrew it.\n";

#[test]
fn clients_are_judged_from_settings_then_workspace_then_specification() {
    let shared = ".agents/skills/brew-tea/SKILL.md";
    assert_eq!(Workspace::new(shared, SKILL).judged(), ["the open specification ✓"]);
    assert_eq!(
        Workspace::new(shared, SKILL).with(".codex/config.toml").with("GEMINI.md").judged(),
        ["Codex ✓", "Gemini CLI ✓"]
    );
    assert_eq!(Workspace::new(shared, SKILL).clients(&["zed", "roo"]).judged(), ["Zed ✓"]);
    assert_eq!(
        Workspace::new(".claude/skills/brew-tea/SKILL.md", SKILL).judged(),
        ["Claude Code ✓"]
    );
    assert_eq!(
        Workspace::new(".claude/skills/brew-tea/SKILL.md", SKILL).clients(&["codex"]).judged(),
        [""; 0]
    );
    assert_eq!(
        Workspace::new("skills/brew-tea/SKILL.md", SKILL).judged(),
        ["the open specification ✓"]
    );
    assert_eq!(
        Workspace::new("p/skills/brew-tea/SKILL.md", SKILL)
            .with("p/.claude-plugin/plugin.json")
            .judged(),
        ["Claude Code ✓"]
    );
}

/// Broken YAML is reported regardless of the clients in the settings.
#[test]
fn broken_yaml_that_no_judged_client_reads_is_reported_as_in_any_file() {
    let broken = "---\nname: brew-tea\ndescription: Brews: tea 日本\n---\n\nBrew it.\n";
    for (path, text, client, shown) in [
        ("skills/brew-tea/SKILL.md", broken, "codex", true),
        (".claude/skills/brew-tea/SKILL.md", broken, "codex", true),
        (".agents/skills/brew-tea/skill.md", broken, "cursor", true),
        (".github/agents/brew.agent.md", broken, "codex", true),
        (".github/agents/brew.agent.md", SKILL, "codex", false),
        // Claude Code can read it anyway, and Cursor's rules aren't YAML.
        (".claude/agents/brew.md", broken, "codex", false),
        (".cursor/rules/brew.mdc", "---\ndescription: a: b\n---\n\nBrew.\n", "codex", false),
    ] {
        let workspace = Workspace::new(path, text).clients(&[client]);
        let found = workspace.shown();
        let found: Vec<_> = found.iter().filter(|found| found.contains("front-matter")).collect();
        let expected = ["markdown/front-matter Brews: tea 日本"];
        assert_eq!(found, &expected[..usize::from(shown)], "{path}");
    }
    // Messages don't name the clients that aren't judged.
    let workspace = Workspace::new(".claude/skills/brew-tea/SKILL.md", broken);
    let message = &workspace.found()[0].message;
    assert!(
        message.ends_with(
            "(the open specification: not a valid skill; Claude Code: read all the same)"
        ),
        "{message}"
    );
}

#[test]
fn each_client_treats_a_skill_differently() {
    let text = "---\nname: tea\ndescription: Brews tea. Triggers on: kettle\nlicense: MIT\n---\n\nBrew it.\n";
    let workspace = Workspace::new(".claude/skills/brew-tea/SKILL.md", text).clients(&[
        "claude-code",
        "copilot",
        "opencode",
        "cline",
    ]);
    assert_eq!(
        workspace.judged(),
        ["Claude Code ✓", "Copilot: partly", "OpenCode ✓", "Cline: not loaded"]
    );
    assert_eq!(workspace.shown(), ["agent/front-matter Brews tea. Triggers on: kettle"]);
    let (kind, verdicts) = workspace.ask(|_, cx| verdict::verdicts(cx)).unwrap();
    assert_eq!((kind, verdicts[3].outcome), (Kind::Skill, Outcome::NotLoaded));
    assert_eq!(
        verdict::list(kind, &verdicts).lines().last(),
        Some("- Cline: not loaded (invalid front matter)")
    );
    // After the value is quoted, some clients still reject the name.
    let fixed = Workspace::new(".claude/skills/brew-tea/SKILL.md", &workspace.fixed()).clients(&[
        "claude-code",
        "copilot",
        "cline",
    ]);
    assert_eq!(fixed.shown(), ["agent/name-folder tea"]);
    assert_eq!(
        fixed.found()[0].message,
        "`tea` differs from the name of the folder, `brew-tea` (Cline: skill not loaded; Copilot: the folder's name is used (VS Code up to 1.109: skill not loaded))"
    );
}

#[test]
fn findings_are_on_the_value_despite_byte_order_marks_and_line_breaks() {
    for (before, end) in [("", "\n"), ("", "\r\n"), ("\u{feff}", "\n"), ("\u{feff}", "\r\n")] {
        let lines = ["---", "name: 日本 🦆", "description:\tBrews: tea", "---", "", "Brew $1."];
        let text = format!("{before}{}{end}", lines.join(end));
        let workspace = Workspace::new(".agents/skills/brew-tea/SKILL.md", &text).clients(&["zed"]);
        let found = workspace.found();
        if before.is_empty() {
            assert_eq!(workspace.shown(), ["agent/front-matter Brews: tea"], "{text:?}");
            assert!(workspace.fixed().contains("\"Brews: tea\""));
        } else {
            // Zed looks for `---` in the first bytes.
            assert!(
                found.iter().any(|found| found.rule.code == "agent/missing-front-matter"
                    && found.fixes[0].edits == [Edit::delete(0..3)]),
                "{found:#?}"
            );
        }
    }
    let text = "---\r\nname: Tea 🦆\r\ndescription: \"日本\"\r\n---\r\n\r\nText.\r\n";
    assert_eq!(
        Workspace::new(".agents/skills/tea/SKILL.md", text).clients(&["zed"]).shown(),
        ["agent/invalid-name Tea 🦆"]
    );
}

#[test]
fn a_file_at_an_agent_path_is_not_a_program() {
    let text = "---\nname: draw\ndescription: Draws\ninput: a text\noutput: a picture\n---\n\nDraw {{ .x }}.\n";
    let format = |path: &str| Workspace::new(path, text).ask(|document, _| document.format().name);
    assert_eq!(format(".claude/skills/draw/SKILL.md"), "agent");
    assert_eq!(format("skills/draw/SKILL.md"), "agent");
    for other in [
        "draw.md",
        "agents/draw.md",
        ".claude/skills/draw/assets/form.md",
        "docs/commands/draw.md",
        "tests/fixtures/.claude/skills/draw/SKILL.md",
    ] {
        assert_eq!(format(other), "markdownlang", "{other}");
    }
}

#[test]
fn edit_blocks_in_agent_files_still_work() {
    let text = "Edit it.\n\nnotes.txt\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n";
    let workspace = Workspace::new("AGENTS.md", text).with("notes.txt");
    assert_eq!(workspace.ask(|document, cx| document.model().blocks(cx).len()), 1);
    assert_eq!(workspace.ask(|document, _| document.format().name), "agent");
}

#[test]
fn a_guess_reports_hints() {
    let text = "---\nname: cook\ndescription: Cooks\ntools: read_file, Nothing\nmodel: opus\n---\n\nCook.\n";
    let workspace = Workspace::new("categories/kitchen/cook.md", text);
    assert!(
        workspace.found().iter().all(|found| found.severity == Severity::Hint)
            && !workspace.found().is_empty()
    );
    assert_eq!(workspace.judged(), [""; 0]);
    assert_eq!(Workspace::new("assets/cook.md", text).found(), []);
    // A part of a skill, and a skill.
    let piece = |path: &str, text: &str| Workspace::new(path, text).shown();
    assert_eq!(piece("flavors/tea/SKILL.md", "# Tea\n\n[x](none.md)\n"), [""; 0]);
    let whole = ["agent/missing-front-matter # Tea"];
    assert_eq!(piece("skills/tea/SKILL.md", "# Tea\n"), whole);
    let late = "<!-- 日本 -->\n---\nname: tea\ndescription: x\n---\n";
    assert_eq!(piece("flavors/tea/SKILL.md", late), ["agent/late-front-matter ---"]);
    // Broken YAML is certain.
    let broken = text.replace("Cooks", "Cooks: all");
    assert_eq!(
        Workspace::new("categories/cook.md", &broken).shown(),
        ["agent/front-matter Cooks: all"]
    );
    // Any Markdown file in a folder that plugins have, but outside a plugin.
    assert_eq!(
        Workspace::new("commands/a.md", "---\ndescription: a: b\n---\n").shown(),
        ["markdown/front-matter a: b"]
    );
}

#[test]
fn plugins_have_their_own_effects() {
    let text = "---\nname: cook\nhooks: { Stop: [] }\n---\n\nCook.\n";
    let own = Workspace::new(".claude/agents/cook.md", text).found();
    assert_eq!((own[0].rule.code, own[0].severity), ("agent/missing-key", Severity::Error));
    let plugin =
        Workspace::new("p/agents/cook.md", text).with("p/.claude-plugin/plugin.json").found();
    let shown: Vec<_> = plugin.iter().map(|found| (found.rule.code, found.severity)).collect();
    assert_eq!(
        shown,
        [("agent/missing-key", Severity::Warning), ("agent/no-effect", Severity::Warning)]
    );
    assert_eq!(
        Workspace::new("p/agents/cook.md", text).with(".claude-plugin/marketplace.json").judged(),
        ["Claude Code: partly"]
    );
    for other in [".kiro/p/agents/cook.md", "skills/x/agents/cook.md"] {
        let workspace = Workspace::new(other, text)
            .with(".claude-plugin/marketplace.json")
            .with("skills/x/SKILL.md");
        assert_eq!(workspace.judged(), [""; 0], "{other}");
    }
}

#[test]
fn hovers_show_verdicts_on_the_first_line_and_the_meaning_of_keys() {
    let workspace =
        Workspace::new(".agents/skills/tea/SKILL.md", SKILL).clients(&["codex", "cline"]);
    let hover = |word: &str| {
        let at = workspace.text.find(word).unwrap() + 1;
        workspace
            .ask(|document, cx| ide::hover::hover(document, cx, at))
            .map(|hover| hover.markdown)
    };
    assert_eq!(
        hover("---").unwrap(),
        "**skill**\n\n- Codex: loaded\n- Cline: not loaded (the name differs from the folder's)"
    );
    let page = hover("description").unwrap();
    assert!(
        page.contains("At most 1024 characters (skill not loaded beyond that)")
            && page.contains("[Cline](https://"),
        "{page}"
    );
    assert_eq!(hover("Brews"), None);
    let lens = workspace.ask(ide::code_lens::summary).unwrap();
    assert_eq!(
        (lens.title.as_str(), &workspace.text[lens.target..lens.target + 8]),
        ("Codex ✓ · Cline: not loaded", "brew-tea")
    );
}

#[test]
fn a_glob_is_marked_where_it_is_and_not_in_another() {
    let text = "---\ndescription: Rules\napplyTo: \"./日本/*.ts,*.ts\"\n---\n\nText.\n";
    let rule =
        Workspace::new(".github/instructions/ts.instructions.md", text).clients(&["copilot"]);
    let found = rule.found();
    let narrow = found.iter().filter(|found| found.rule.code == "agent/narrow-glob");
    let places: Vec<_> =
        narrow.map(|found| (&text[found.span.clone()], found.span.start)).collect();
    assert_eq!(places.last(), Some(&("*.ts", text.rfind("*.ts").unwrap())), "{places:?}");
}

#[test]
fn replaced_text_is_highlighted_as_the_client_replaces_it() {
    let text = "---\ndescription: Swaps\narguments: from to\n---\n\nSwap $0, \\$1, $from, $fro, $HOME, ${CLAUDE_SKILL_DIR}, ${x} 日本 $ARGUMENTS: !`git status` a!`b`.\n";
    let shown = |path: &str, clients: &[&str]| {
        let workspace = Workspace::new(path, text).clients(clients);
        let all = workspace.ask(|document, cx| document.model().highlights(cx, 0..text.len()));
        all.into_iter().map(|highlight| text[highlight.span].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        shown(".claude/commands/swap.md", &["claude"]),
        ["$0", "$from", "${CLAUDE_SKILL_DIR}", "$ARGUMENTS", "!`git status`"]
    );
    assert_eq!(shown(".codex/prompts/swap.md", &["codex"]), ["$ARGUMENTS"]);
    assert_eq!(shown("AGENTS.md", &["codex"]), [""; 0]);
    let workspace = Workspace::new(".claude/commands/swap.md", text).clients(&["claude"]);
    let hover = workspace
        .ask(|document, cx| ide::hover::hover(document, cx, text.find("$0").unwrap()))
        .unwrap();
    assert_eq!(
        hover.markdown,
        "`$0` is replaced before a model reads it\n\n- Claude Code: argument 1"
    );
}

#[test]
fn names_similar_to_those_that_are_read() {
    assert_eq!(
        Workspace::new(".claude/skills/tea.md", SKILL).shown(),
        ["agent/misplaced-file ---"]
    );
    // There's already a skill at the right place.
    let message = |others: &[&str]| {
        let workspace = Workspace::new(".claude/skills/tea.md", SKILL);
        let workspace = others.iter().fold(workspace, |workspace, other| workspace.with(other));
        workspace.found().remove(0).message
    };
    assert!(message(&[]).contains("move the file to `tea/SKILL.md`"));
    let taken = message(&[".claude/skills/tea/SKILL.md"]);
    assert!(
        taken.contains("this file is not read, but `tea/SKILL.md` is; merge the two"),
        "{taken}"
    );
    let rule = |others: &[&str]| {
        let workspace =
            Workspace::new(".cursor/rules/tea.md", "---\ndescription: Tea\n---\n\nBrew.\n");
        let workspace = others.iter().fold(workspace, |workspace, other| workspace.with(other));
        workspace.clients(&["cursor"]).found().remove(0).message
    };
    assert!(rule(&[]).contains("rename the file to `tea.mdc`"), "{}", rule(&[]));
    let taken = rule(&[".cursor/rules/tea.mdc"]);
    assert!(taken.contains("but `tea.mdc` is; merge the two"), "{taken}");
    assert_eq!(
        Workspace::new(".claude/skills/tea/skill.md", SKILL).judged(),
        ["Claude Code: not loaded"]
    );
    assert_eq!(
        Workspace::new(".cursor/rules/a.md", "Text.\n").clients(&["claude"]).shown(),
        [""; 0]
    );
    let rule = |globs: &str| {
        let text = format!("---\nglobs: {globs}\nalwaysApply: false\n---\n\nx\n");
        Workspace::new(".cursor/rules/a.mdc", &text).clients(&["cursor"]).shown()
    };
    assert_eq!(rule("[]"), [""; 0]);
    assert_eq!(rule("[a]"), ["agent/narrow-glob [a]"]);
    // A rule that is always loaded needs no globs.
    for (glob, always, severity) in [
        ("**/*", "true", Severity::Hint),
        ("**/*", "false", Severity::Warning),
        ("src/**", "true", Severity::Hint),
    ] {
        let text = format!(
            "---\ndescription: Rules\nglobs:\n  - \"{glob}\"\nalwaysApply: {always}\n---\n\nx\n"
        );
        let all = Workspace::new(".cursor/rules/a.mdc", &text).clients(&["cursor"]).found();
        assert_eq!(all.iter().map(|found| found.severity).collect::<Vec<_>>(), [severity]);
    }
}

#[test]
fn large_and_odd_front_matter() {
    let long = format!("---\nname: tea\ndescription: {}\n---\n", "a: b ".repeat(40_000));
    assert_eq!(
        Workspace::new(".agents/skills/tea/SKILL.md", &long).clients(&["codex"]).found().len(),
        1
    );
    for text in [
        "+++\nname = \"tea\"\n+++\n",
        "{\"name\": \"tea\"}\n",
        "---\n---\n---\n",
        "---\n- a\n- b\n---\n",
        "---\nname: [\n---\n",
        "---\n\t\n---\n",
        "",
    ] {
        Workspace::new(".agents/skills/tea/SKILL.md", text).found();
    }
    let fence = "# Tea\n\n```\n---\nname: a\n---\n```\n";
    assert_eq!(Workspace::new(".claude/skills/tea/SKILL.md", fence).shown(), [""; 0]);
}

proptest::proptest! {
    #[test]
    fn safe_fixes_keep_every_key(text in "(name: tea|description: |tools: |model: x|: |[\\[\\]\"'@*|>-]|[a-z]{1,5}|<a>|\\r?\\n|\\n  |🦆|日本|\u{feff}| ){0,24}") {
        let text = format!("---\nname: tea\n{text}\n---\n\nBody $1.\n");
        let workspace = Workspace::new(".claude/skills/tea/SKILL.md", &text).clients(&["claude-code", "cline", "opencode"]);
        for found in workspace.found() {
            proptest::prop_assert!(text.get(found.span.clone()).is_some());
        }
        let fixed = Workspace::new(".claude/skills/tea/SKILL.md", &workspace.fixed()).clients(&["claude-code", "cline", "opencode"]);
        if workspace.found().iter().any(|found| found.rule.code == "agent/front-matter" && found.fixes.iter().any(|fix| fix.safe)) {
            proptest::prop_assert!(fixed.found().iter().all(|found| found.rule.code != "agent/front-matter"), "{}", fixed.text);
        }
    }
}

#[test]
fn valid_files_have_at_most_hints() {
    let skill = ".claude/skills/brew-tea/SKILL.md";
    let front =
        |more: &str| format!("---\nname: brew-tea\ndescription: Brews tea\n{more}---\n\nx\n");
    for (path, text, shown) in [
        // A list of clients isn't a list of tools, and a list isn't an agent.
        (skill, front("tools: [claude, cursor]\n"), vec![]),
        (skill, front("tools: [Read, 日本]\n"), vec!["agent/unknown-key tools"]),
        (skill, front("agents:\n  - codex\n"), vec![]),
        (skill, front("argument-hints: x\n"), vec!["agent/unknown-key argument-hints"]),
        // One wrong letter in five can be a typo, unless the rest is a word itself.
        (skill, front("modl: opus\n"), vec!["agent/unknown-key modl"]),
        (skill, front("mdoel: opus\n"), vec!["agent/unknown-key mdoel"]),
        (skill, front("mode: opus\n"), vec![]),
        (skill, front("agent: Explore\n"), vec!["agent/no-effect agent"]),
        (skill, front("agent: Explore\ncontext: fork\n"), vec![]),
        // A form, and a page for people among agents.
        (
            ".claude/commands/form.md",
            "---\nname: {{NAME}}\ndescription: x\n---\n\n[x](none.md)\n".to_owned(),
            vec![],
        ),
        (".claude/agents/ATTRIBUTION.md", "# Thanks\n".to_owned(), vec![]),
        (
            ".claude/agents/thanks.md",
            "# Thanks\n".to_owned(),
            vec!["agent/missing-front-matter # Thanks"],
        ),
        // Files that agents read, and a memory file among skills.
        (".claude/agents/tea/references/green.md", "# Green\n".to_owned(), vec![]),
        (".claude/skills/CLAUDE.md", "# Skills\n".to_owned(), vec![]),
        (".claude/agents/shared/rules/milk.md", "---\ntitle: Milk\n---\n\nx\n".to_owned(), vec![]),
        (
            ".claude/agents/shared/rules/milk.md",
            "---\nname: milk\n---\n\nx\n".to_owned(),
            vec!["agent/missing-key ---"],
        ),
        // A rule for every file is always loaded.
        (".claude/rules/a.md", "---\napplyTo: \"**\"\n---\n\nx\n".to_owned(), vec![]),
        (".claude/rules/a.md", "---\nglobs: [a, '**/*']\n---\n\nx\n".to_owned(), vec![]),
        (".claude/rules/a.md", "---\nglobs: ['*.*']\n---\n\nx\n".to_owned(), vec![]),
        (
            ".claude/rules/a.md",
            "---\nglobs: '日/**'\n---\n\nx\n".to_owned(),
            vec!["agent/unknown-key globs"],
        ),
        // Markdown reads the first fence as HTML. A model doesn't.
        (skill, front("") + "<use>\n```sh\nls\n\nls\n```\n</use>\n\nEnd.\n", vec![]),
        (
            skill,
            front("") + "<use>\n```sh\nls\n\nls\n```\n</use>\n\n```sh\nls\n",
            vec!["agent/unclosed-fence ```sh"],
        ),
        // Words for a document that the model writes.
        (skill, front("") + "Write \"See [日](none.md) first\".\n", vec![]),
        (skill, front("") + "\"See\" [日](none.md).\n", vec!["agent/dead-link none.md"]),
        // Relative to the root of the workspace only without `..`.
        (
            skill,
            front("") + "[x](../../none.md) [y](../../../../out.md)\n",
            vec!["agent/dead-link ../../none.md"],
        ),
    ] {
        let workspace = Workspace::new(path, &text).clients(&["claude-code"]);
        assert_eq!(workspace.shown(), shown, "{text}");
    }
}

#[test]
fn arguments_of_shell_functions_are_not_those_of_the_command() {
    let shown = |body: &str| {
        let text = format!("---\ndescription: x\nargument-hint: <a>\n---\n\n{body}");
        Workspace::new(".claude/commands/a.md", &text).clients(&["claude-code"]).shown()
    };
    let function = "```sh\nstop() {\n  kill $1 $2 # 日本\n}\n```\n";
    assert_eq!(shown(function), ["agent/substituted-text $1"]);
    assert_eq!(shown(&format!("{function}\nUse $1.\n")), ["agent/argument-index $1"]);
    assert_eq!(shown(&format!("{function}\nUse $0.\n")), [""; 0]);
    assert_eq!(shown("```sh\nkill $1\n```\n"), ["agent/argument-index $1"]);
    // Fields of another program, with and without an argument in code.
    let fields = "Run `wc 日本 | awk '{print $1+1}'`.\n";
    assert_eq!(shown(fields), ["agent/substituted-text $1"]);
    assert_eq!(shown(&format!("{fields}\nUse `$1`.\n")), ["agent/argument-index $1"]);
    assert_eq!(shown("In awk, say `$1`.\n"), ["agent/argument-index $1"]);
    // Numbers that the text says not to use are still replaced.
    for refused in ["Use `$ARGUMENTS` (NOT `$1`, `$2`).\n", "Use $ARGUMENTS 日本 instead of $1.\n"]
    {
        assert_eq!(shown(refused), ["agent/substituted-text $1"], "{refused}");
        assert_eq!(shown(&format!("{refused}\nCook $1.\n")), ["agent/argument-index $1"]);
    }
    assert_eq!(shown("If it is not $1, stop.\n"), ["agent/argument-index $1"]);
}

#[test]
fn files_that_exist_in_another_clone() {
    let text = format!("{SKILL}\n[a](../../../docs/inner/a.md) [b](../../../docs/b.md)\n");
    let path = ".claude/skills/brew-tea/SKILL.md";
    let dead = "agent/dead-link ../../../docs/inner/a.md";
    let alive = Workspace::new(path, &text).with("docs/b.md");
    assert_eq!(alive.shown(), [dead]);
    let modules = "[submodule \"x\"]\n\tpath = docs/inner\n\turl = https://example.org\n";
    let mut submodule = Workspace::new(path, &text).with("docs/b.md");
    submodule.world = submodule.world.with("/w/.gitmodules", modules);
    assert_eq!(submodule.shown(), [""; 0]);
    let text = "Read `@docs/inner/a.md`.\n";
    let mut module = Workspace::new("CLAUDE.md", text).clients(&["claude-code"]);
    module.world = module.world.with("/w/.gitmodules", modules);
    assert_eq!(module.found(), [], "nothing says that it exists");
    // It's checked out, so the file is missing.
    assert_eq!(submodule.with("docs/inner/c.md").shown(), [dead]);
}

#[test]
fn skills_in_groups_of_a_catalog() {
    let text = SKILL.replace("Brew it.", "See [milk](../milk/SKILL.md), [日](../rice/SKILL.md).");
    let path = "skills/(hot)/brew-tea/SKILL.md";
    let workspace = Workspace::new(path, &text).with("skills/(cold)/milk/SKILL.md");
    assert_eq!(workspace.shown(), ["agent/dead-link ../rice/SKILL.md"]);
}

#[test]
fn the_text_of_a_link_is_not_a_path() {
    let body = "See [`references/tea.md`](../other/references/tea.md), `references/milk.md` and \
        `references/none.md`.";
    let text = SKILL.replace("Brew it.", body);
    let workspace = Workspace::new(".claude/skills/brew-tea/SKILL.md", &text)
        .with(".claude/skills/other/references/tea.md")
        .with(".claude/skills/brew-tea/references/milk.md");
    assert_eq!(workspace.shown(), ["agent/missing-file references/none.md"]);
}

#[test]
fn each_path_is_looked_up_once_up_to_a_limit() {
    let imports = |count: usize| {
        let names: Vec<String> = (0..count).map(|number| format!("@none{number}.md")).collect();
        Workspace::new("CLAUDE.md", &names.join("\n")).clients(&["claude-code"]).shown().len()
    };
    assert_eq!(imports(100), 100);
    assert_eq!(imports(5000), 4096);
    let same = "@none.md\n".repeat(5000);
    assert_eq!(Workspace::new("CLAUDE.md", &same).clients(&["claude-code"]).shown().len(), 5000);
}

#[test]
fn agents_of_another_client_in_a_plugin() {
    let text = "---\nname: cook\ndescription: Cooks\ntools: [read, search]\n---\n\nCook.\n";
    let of = |path: &str| {
        Workspace::new(path, text)
            .with("p/.claude-plugin/plugin.json")
            .with(".github/a.md")
            .judged()
    };
    assert_eq!(of("p/agents/cook.md"), ["Claude Code: not loaded"]);
    // Copilot's plugins have such files, and Claude Code's marker.
    assert_eq!(of("p/agents/cook.agent.md"), [""; 0]);
}

#[test]
fn files_that_a_skill_makes_or_shows() {
    let shown = |body: &str| {
        let text = format!("---\nname: brew-tea\ndescription: Brews tea\n---\n\n{body}");
        Workspace::new(".claude/skills/brew-tea/SKILL.md", &text)
            .with(".claude/skills/brew-tea/scripts/brew.sh")
            .clients(&["claude-code"])
            .shown()
    };
    assert_eq!(shown("```sh\ncp -r scripts/brew.sh scripts/mine.sh\n```\n"), [""; 0]);
    assert_eq!(shown("```sh\ntouch scripts/日.sh\n```\n"), [""; 0]);
    assert_eq!(shown("```sql\n-- scripts/pour.sql\n```\n"), [""; 0]);
    for elsewhere in [
        "`cook` skill `scripts/pour.md`",
        "`cook` → `scripts/pour.md`",
        "The project has `scripts/pour.sh`",
    ] {
        assert_eq!(shown(elsewhere), [""; 0]);
    }
    assert_eq!(shown("`import oven from './scripts/oven.png'`\n"), [""; 0]);
    let run = shown("```\nbash scripts/brew.sh\nbash scripts/pour.sh\n```\n");
    assert_eq!(run, ["agent/missing-file scripts/pour.sh"]);
}

#[test]
fn imports_are_followed_as_far_as_the_client_goes() {
    let memory = |text: &str| Workspace::new("CLAUDE.md", text).clients(&["claude-code"]);
    let with = |mut workspace: Workspace, path: &str, text: &str| {
        workspace.world = workspace.world.with(Path::new("/w").join(path), text);
        workspace
    };
    let chain = |end: &str| {
        let mut workspace = memory("@a.md\n");
        for (path, text) in
            [("a.md", "@b.md"), ("b.md", "@c.md"), ("c.md", "@日.md"), ("日.md", end)]
        {
            workspace = with(workspace, path, text);
        }
        with(workspace, "e.md", "x")
    };
    assert_eq!(chain("x").shown(), [""; 0]);
    assert_eq!(chain("@e.md").shown(), ["agent/deep-import @a.md"]);
    assert_eq!(chain("@none.md").shown(), [""; 0]);
    assert_eq!(chain("@b.md").shown(), ["agent/circular-import @a.md"]);
    assert_eq!(memory("@CLAUDE.md\n").shown(), ["agent/circular-import @CLAUDE.md"]);
    assert_eq!(with(memory("`@a.md`\n"), "a.md", "@CLAUDE.md").shown(), [""; 0]);
}

#[test]
fn scripts_count_where_they_can_be_run() {
    let memory = |text: &str, files: &[(&str, &str)]| {
        let mut workspace = Workspace::new("AGENTS.md", text).clients(&["codex"]);
        for (path, text) in files {
            workspace.world = workspace.world.with(Path::new("/w").join(path), text);
        }
        workspace.shown()
    };
    let root = ("package.json", "{\"scripts\": {\"test\": \"\"}}");
    let web = ("apps/web/package.json", "{\"scripts\": {\"build\": \"\"}}");
    let text = "日本 `npm run build` and `npm run test`.\n\n```sh\nmake all\nmake test\n```\n";
    assert_eq!(memory(text, &[]), [""; 0]);
    assert_eq!(memory(text, &[root]), ["agent/missing-script build"]);
    assert_eq!(memory(text, &[root, web]), [""; 0]);
    assert_eq!(memory(text, &[("Makefile", "test:\n")]), ["agent/missing-script all"]);
    assert_eq!(memory(text, &[("Makefile", "include x.mk\n")]), [""; 0]);
    let colon = ("Makefile", "test\\:all: test\ntest:\n");
    let found = memory("```sh\nmake test:all\nmake test:none\n```\n", &[colon]);
    assert_eq!(found, ["agent/missing-script test:none"]);
    assert_eq!(memory(text, &[("package.json", "{")]), [""; 0]);
    assert_eq!(memory("```sh\ncd web\nnpm run x1\n```\n", &[root]), [""; 0]);
    // A file in `.github` is about the project around it.
    let mut copilot =
        Workspace::new(".github/copilot-instructions.md", "`npm run build`, `npm run x1`\n")
            .clients(&["copilot"]);
    for (path, text) in [root, ("scripts/package.json", web.1)] {
        copilot.world = copilot.world.with(Path::new("/w").join(path), text);
    }
    assert_eq!(copilot.shown(), ["agent/missing-script x1"]);
}

/// The findings above a hint in a file of one client.
fn loud(path: &str, text: &str, client: &str, others: &[&str]) -> Vec<String> {
    let workspace = Workspace::new(path, text).clients(&[client]);
    others.iter().fold(workspace, |workspace, other| workspace.with(other)).shown()
}

#[test]
fn broken_yaml_hides_no_refusal_by_a_client_that_repairs_it() {
    for (path, keys, client, refused) in [
        (
            ".opencode/agents/o.md",
            "description: a: b\ntools: Read\nmode: subagent",
            "opencode",
            true,
        ),
        (".opencode/agents/o.md", "description: a: b\nmode: subagent", "opencode", false),
        (".claude/agents/m.md", "description: a: b", "claude-code", true),
        (".claude/agents/m.md", "name: m\ndescription: a: b", "claude-code", false),
    ] {
        let text = format!("---\n{keys}\n---\n\nDo it.\n");
        let judged = Workspace::new(path, &text).clients(&[client]).judged();
        assert_eq!(!judged[0].ends_with('✓'), refused, "{keys}: {judged:?}");
    }
}

#[test]
fn front_matter_below_a_comment_gives_no_keys_and_moves_safely_only_if_it_can_be_read() {
    let text = "<!-- a -->\n---\nname: c\ndescription: d\n---\n\nDo it.\n";
    let command = Workspace::new(".claude/commands/c.md", text).clients(&["claude-code"]);
    assert_ne!(command.judged(), ["Claude Code ✓"]);
    let moved = "---\nname: c\ndescription: d\n---\n<!-- a -->\n\nDo it.\n";
    assert_eq!(command.fixed(), moved);
    let broken = text.replace("description: d", "\tdescription: d: e");
    assert_eq!(
        Workspace::new(".claude/commands/c.md", &broken).clients(&["claude-code"]).fixed(),
        broken
    );
}

#[test]
fn a_block_of_commands_needs_permission_like_a_command() {
    let text =
        "---\r\nallowed-tools: Read\r\n---\r\n\r\n日本 🦆\r\n\r\n```!\r\ngit status\r\n```\r\n";
    for (text, found) in [
        (text.to_owned(), vec!["agent/shell-permission ```!"]),
        (text.replace("```!", "```sh"), vec![]),
        (text.replace("Read", "Bash"), vec![]),
        (text.replace("🦆", "🦆 !`ls`"), vec!["agent/shell-permission !`"]),
    ] {
        let command = Workspace::new(".claude/commands/c.md", &text).clients(&["claude-code"]);
        assert_eq!(command.shown(), found, "{text}");
    }
}
