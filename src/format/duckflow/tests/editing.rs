//! Editor features, called through the same functions that the server calls.

use std::path::Path;

use crate::answer::{Action, Completion, LinkTarget, Symbol};
use crate::config::Config;
use crate::document::Document;
use crate::format::Context;
use crate::ide;
use crate::text::{self, Span};
use crate::world::Memory;

/// A reply in a workspace, and the offset of the cursor `$0`, which is removed.
struct Desk {
    document: Document,
    world: Memory,
    config: Config,
    cursor: usize,
}

impl Desk {
    fn new(text: &str) -> Self {
        let cursor = text.find("$0").unwrap_or(0);
        let world = Memory::default()
            .with("/w/src/a.py", "one\ntwo\n")
            .with("/w/src/日本/b.py", "")
            .with("/w/c d.txt", "")
            .with("/w/.git/config", "");
        let config = Config::default();
        let path = Path::new("/w/replies/r.md");
        Self {
            document: Document::new(&text.replacen("$0", "", 1), Some(path), &config),
            world: world.in_folder("/w"),
            config,
            cursor,
        }
    }

    fn with<T>(&self, ask: impl FnOnce(&Document, &Context) -> T) -> T {
        ask(
            &self.document,
            &Context::new(
                self.document.source(),
                Some(Path::new("/w/replies/r.md")),
                &self.world,
                &self.config,
            ),
        )
    }

    fn text(&self) -> String {
        self.document.source().slice(0..self.document.source().len()).into_owned()
    }

    fn completions(&self) -> Vec<Completion> {
        let mut found =
            self.with(|document, cx| ide::completion::completions(document, cx, self.cursor).items);
        found.sort_by_key(|item| item.rank);
        found
    }

    fn labels(&self) -> Vec<String> {
        self.completions().into_iter().map(|item| item.label).collect()
    }

    /// The text after accepting the completion with this label.
    fn complete(&self, label: &str) -> String {
        let found = self.completions();
        let item = found
            .iter()
            .find(|item| item.label == label)
            .unwrap_or_else(|| panic!("no {label} in {:?}", self.labels()));
        text::apply(&self.text(), std::slice::from_ref(&item.edit)).unwrap()
    }

    fn hover(&self) -> Option<String> {
        let found = self.with(|document, cx| ide::hover::hover(document, cx, self.cursor))?;
        assert!(found.span.start <= self.cursor && self.cursor <= found.span.end);
        Some(found.markdown)
    }

    fn actions(&self, word: &str) -> Vec<Action> {
        let start = self.text().find(word).unwrap();
        self.with(|document, cx| actions(document, cx, start..start + word.len()))
    }

    fn acted(&self, word: &str, title: &str) -> String {
        let found = self.actions(word);
        let action = found
            .iter()
            .find(|action| action.title == title)
            .unwrap_or_else(|| panic!("no {title} in {found:?}"));
        text::apply(&self.text(), &action.edits).unwrap()
    }

    fn offers(&self) -> Vec<String> {
        let lenses = self.with(|document, cx| ide::code_lens::lenses(document, cx, &|_| true));
        lenses.into_iter().map(|lens| lens.title).collect()
    }
}

/// The refactorings at a position without findings.
fn actions(document: &Document, cx: &Context, span: Span) -> Vec<Action> {
    ide::code_actions::actions(document, cx, &ide::diagnostics::Shown::default(), span, false)
        .into_iter()
        .map(|offer| offer.action)
        .collect()
}

fn outline(symbols: &[Symbol]) -> Vec<String> {
    let children = |symbol: &Symbol| {
        outline(&symbol.children).into_iter().map(|name| format!("  {name}")).collect::<Vec<_>>()
    };
    symbols
        .iter()
        .flat_map(|symbol| [symbol.name.clone()].into_iter().chain(children(symbol)))
        .collect()
}

const REPLY: &str = "\u{feff}[REASONING]\r\nDéjà vu 🦆.\r\n\r\n# Why\r\n\r\nso\r\n\r\n[CONFIDENCE] 0.9\r\n[MOOD] 0.5\r\n\r\n[ACTION_0_TYPE] create_file\r\n[ACTION_0_PATH] src/a.py\r\n[ACTION_0_CONTENT_START]\r\n# 日本\r\n- [x](y.md)\r\n\r\n## two\r\n```\r\n[ACTION_0_CONTENT_END]\r\n\r\n[ACTION_1_TYPE] finish\r\n[ACTION_1_RESULT] done\r\n";

#[test]
fn content_is_not_markdown() {
    let desk = Desk::new(REPLY);
    let symbols = desk.with(ide::symbols::symbols);
    let expected = [
        "REASONING",
        "  Why",
        "VITALS",
        "  CONFIDENCE",
        "  MOOD",
        "0 create_file src/a.py",
        "  content",
        "1 finish done",
    ];
    assert_eq!(outline(&symbols), expected);
    let text = desk.text();
    let content = text.find("# 日本").unwrap()..text.find("\r\n[ACTION_0_CONTENT_END]").unwrap();
    let all = 0..text.len();
    for highlight in
        desk.with(|document, cx| ide::semantic_tokens::highlights(document, cx, all.clone()))
    {
        assert!(
            highlight.span.end <= content.start || highlight.span.start >= content.end,
            "{:?}",
            &text[highlight.span]
        );
    }
    let links: Vec<_> = desk
        .with(ide::links::links)
        .into_iter()
        .map(|link| (text[link.span].to_owned(), link.target))
        .collect();
    assert_eq!(
        links,
        [("src/a.py".to_owned(), LinkTarget::File { path: "/w/src/a.py".into(), fragment: None })]
    );
    let folds: Vec<_> = desk
        .with(ide::folding::folds)
        .into_iter()
        .map(|fold| text[fold.span].lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let ends: Vec<_> =
        folds.iter().map(|lines| (lines[0].as_str(), lines[lines.len() - 1].as_str())).collect();
    let expected = [
        ("\u{feff}[REASONING]", "so"),
        ("# Why", "so"),
        ("[ACTION_0_TYPE] create_file", "[ACTION_0_CONTENT_END]"),
        ("[ACTION_0_CONTENT_START]", "[ACTION_0_CONTENT_END]"),
        ("[ACTION_1_TYPE] finish", "[ACTION_1_RESULT] done"),
    ];
    assert_eq!(ends, expected);
}

#[test]
fn markers_are_highlighted_part_by_part() {
    let desk = Desk::new(REPLY);
    let text = desk.text();
    let found =
        desk.with(|document, cx| ide::semantic_tokens::highlights(document, cx, 0..text.len()));
    let shown: Vec<_> =
        found.iter().map(|highlight| (&text[highlight.span.clone()], highlight.kind)).collect();
    for expected in [
        ("[REASONING]", "class"),
        ("[CONFIDENCE]", "keyword"),
        ("0.9", "number"),
        ("PATH", "property"),
        ("src/a.py", "string"),
        ("Why", "class"),
    ] {
        assert!(shown.contains(&expected), "{expected:?} in {shown:?}");
    }
    assert!(found.is_sorted_by(|a, b| a.span.end <= b.span.start), "{shown:?}");
}

#[test]
fn selections_grow_from_content_to_action_to_document() {
    let desk = Desk::new(&REPLY.replace("two", "t$0wo"));
    let text = desk.text();
    let found = desk.with(|document, cx| ide::selection::selections(document, cx, desk.cursor));
    let shown: Vec<_> =
        found.iter().map(|span| text[span.clone()].lines().next().unwrap()).collect();
    assert_eq!(
        shown,
        [
            "two",
            "## two",
            "# 日本",
            "[ACTION_0_CONTENT_START]",
            "[ACTION_0_TYPE] create_file",
            "\u{feff}[REASONING]"
        ]
    );
}

#[test]
fn missing_parts_are_offered_first() {
    let desk = Desk::new("[CONFIDENCE] 0.9\n$0\n[ACTION_0_TYPE] finish\n");
    assert_eq!(desk.labels()[..4], ["[REASONING]", "[MOOD]", "[FOCUS]", "[STAMINA]"]);
    let snippet =
        desk.completions().into_iter().find(|item| item.label == "[MOOD]").unwrap().snippet;
    assert_eq!(snippet.as_deref(), Some("[MOOD] ${1:0.9}"));
    assert!(desk.labels().contains(&"[ACTION_1_TYPE] create_file".to_owned()));
}

#[test]
fn an_action_is_offered_its_missing_parts() {
    let head =
        "[REASONING]\r\nr 日本\r\n[CONFIDENCE] 1\r\n[MOOD] 1\r\n[FOCUS] 1\r\n[STAMINA] 1\r\n";
    let desk = Desk::new(&format!("{head}[ACTION_0_TYPE] create_file\r\n  [ACT$0\r\n"));
    let expected = [
        "[ACTION_0_PATH]",
        "[ACTION_0_CONTENT_START]",
        "[ACTION_0_DESCRIPTION]",
        "[ACTION_1_TYPE] create_file",
    ];
    assert_eq!(desk.labels()[..4], expected);
    assert_eq!(
        desk.complete("[ACTION_0_PATH]"),
        format!("{head}[ACTION_0_TYPE] create_file\r\n  [ACTION_0_PATH] \r\n")
    );
    let desk = Desk::new(&format!(
        "{head}[ACTION_0_TYPE] run_command\n[ACTION_0_COMMAND] ls\n[ACTION_0_T$0]\n"
    ));
    assert_eq!(
        desk.labels()[..3],
        ["[ACTION_0_WORKING_DIR]", "[ACTION_0_TIMEOUT]", "[ACTION_0_DESCRIPTION]"]
    );
    assert!(!desk.labels().iter().any(|label| label.contains("CONTENT")));
    let desk = Desk::new(&format!("{head}[ACTION_0_PATH] x\n$0"));
    assert_eq!(desk.labels()[0], "[ACTION_0_TYPE]");
    // The index on the current line doesn't count as used yet.
    let desk = Desk::new(&format!(
        "{head}[ACTION_0_TYPE] finish\n[ACTION_0_RESULT] x\n\n[ACTION_1_TYPE$0]"
    ));
    assert!(desk.labels().contains(&"[ACTION_1_TYPE] finish".to_owned()), "{:?}", desk.labels());
}

#[test]
fn only_the_end_marker_is_offered_in_content() {
    let at = |text: &str| Desk::new(text).labels();
    let head = "[ACTION_0_TYPE] create_file\n[ACTION_0_CONTENT_START]\n";
    assert_eq!(at(&format!("{head}[$0\n[ACTION_0_CONTENT_END]\n")), [""; 0]);
    assert_eq!(at(&format!("{head}[a]($0\n[ACTION_0_CONTENT_END]\n")), [""; 0]);
    assert_eq!(at(&format!("{head}code\n$0\n[ACTION_0_CONTENT_END]\n")), [""; 0]);
    assert_eq!(at(&format!("{head}code\n[AC$0")), ["[ACTION_0_CONTENT_END]"]);
    assert_eq!(
        at(&format!("{head}code\n[$0\n\n[ACTION_1_TYPE] finish\n")),
        ["[ACTION_0_CONTENT_END]"]
    );
    assert_eq!(at(&format!("{head}code\nfoo$0")), [""; 0]);
    for rest in ["code\n$0", "code\n\n\n$0\n", "$0", "code\n\n$0\n[ACTION_1_TYPE] finish\n"] {
        for eol in ["\n", "\r\n"] {
            let text = format!("{head}{rest}").replace('\n', eol);
            assert_eq!(at(&text), ["[ACTION_0_CONTENT_END]"], "{text:?}");
        }
    }
}

#[test]
fn values_are_offered_after_markers() {
    let desk = Desk::new("[ACTION_0_TYPE] crea$0te\n");
    assert_eq!(desk.labels().len(), 7);
    assert_eq!(desk.complete("edit_file"), "[ACTION_0_TYPE] edit_file\n");
    let new = Desk::new("[ACTION_3_TYPE] $0\n")
        .completions()
        .into_iter()
        .find(|item| item.label == "create_file")
        .unwrap();
    assert_eq!(
        new.snippet.as_deref(),
        Some(
            "create_file\n[ACTION_3_PATH] ${1}\n[ACTION_3_CONTENT_START]\n$0\n[ACTION_3_CONTENT_END]"
        )
    );
    assert_eq!(Desk::new("[REASONING]\n[MOOD] $0").labels()[0], "0.9");
    assert_eq!(Desk::new("[REASONING]\nA word, $0 and more\n").labels(), [""; 0]);
    assert_eq!(Desk::new("[REASONING]\nword$0\n").labels(), [""; 0]);
}

#[test]
fn paths_of_the_workspace_are_offered() {
    let desk = Desk::new("[ACTION_0_TYPE] edit_file\n[ACTION_0_PATH] $0");
    assert_eq!(desk.labels(), ["c d.txt", "src/"]);
    let desk = Desk::new("[ACTION_0_TYPE] edit_file\n[ACTION_0_PATH] src/日$0x\n");
    assert_eq!(desk.complete("日本/"), "[ACTION_0_TYPE] edit_file\n[ACTION_0_PATH] src/日本/\n");
    assert_eq!(Desk::new("[ACTION_0_WORKING_DIR] $0").labels(), ["src/"]);
    assert_eq!(Desk::new("[ACTION_0_PATH] ../$0").labels(), [""; 0]);
    assert_eq!(Desk::new("[ACTION_0_PATH] /$0").labels(), [""; 0]);
    assert_eq!(Desk::new("[ACTION_0_DESCRIPTION] $0").labels(), [""; 0]);
}

#[test]
fn a_reply_can_be_started_in_an_empty_file() {
    let desk = Desk::new("[REAS$0");
    assert_eq!(desk.labels(), ["[REASONING]"]);
    let snippet = desk.completions()[0].snippet.clone().unwrap();
    assert!(
        snippet.contains("[STAMINA] ${5:0.8}\n\n[ACTION_0_TYPE] ${6|create_file,"),
        "{snippet}"
    );
    assert_eq!(desk.complete("[REASONING]"), "[REASONING]\n");
    for nothing in
        ["$0", "[$0", "A word [RE$0", "[link$0", "```\n[REAS$0\n```\n", "- [REA$0", "    [REAS$0"]
    {
        assert!(
            !Desk::new(nothing).labels().iter().any(|label| label.starts_with('[')),
            "{nothing}"
        );
    }
}

#[test]
fn hover_explains_and_previews() {
    let at = |word: &str| {
        Desk::new(&REPLY.replacen(word, &format!("{}$0{}", &word[..2], &word[2..]), 1)).hover()
    };
    assert!(at("[CONFIDENCE]").unwrap().contains("`1.0` (certain)"));
    let page = at("[ACTION_0_TYPE]").unwrap();
    assert!(
        page.contains("Required: `PATH`, and content")
            && page.contains("```diff")
            && page.contains("-one"),
        "{page}"
    );
    assert!(at("[ACTION_1_RESULT]").unwrap().contains("Required by `finish`"));
    assert!(at("src/a.py").unwrap().contains("replaces its contents"));
    assert_eq!(at("two"), None);
    assert!(at("[ACTION_0_CONTENT_START]").unwrap().contains("5 lines"));
    let refused = Desk::new(
        "[ACTION_0_TYPE] ed$0it_file\n[ACTION_0_PATH] src/a.py\n[ACTION_0_CONTENT_START]\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n[ACTION_0_CONTENT_END]\n",
    );
    let page = refused.hover().unwrap();
    assert!(page.contains("the SEARCH text isn't in `src/a.py`"), "{page}");
}

#[test]
fn definition_leads_from_a_path_to_its_file() {
    let at = |text: &str| {
        let desk = Desk::new(text);
        desk.with(|document, cx| ide::definition::definition(document, cx, desk.cursor))
            .into_iter()
            .map(|target| target.path)
            .collect::<Vec<_>>()
    };
    assert_eq!(at("[ACTION_0_PATH] src/日本/b$0.py"), [Some("/w/src/日本/b.py".into())]);
    assert_eq!(at("[ACTION_0_PATH] src/none$0.py"), []);
    assert_eq!(at("[ACTION_0_PATH] ../w/src/a$0.py"), []);
}

#[test]
fn actions_are_sorted_with_everything_that_belongs_to_them() {
    let text = "[REASONING]\r\n🦆\r\n\r\n[ACTION_1_TYPE] finish\r\n[ACTION_1_RESULT] done\r\n\r\n[ACTION_0_TYPE] create_file\r\n[ACTION_0_CONTENT_START]\r\n  a\r\n[ACTION_0_CONTENT_END]\r\n";
    let sorted = "[REASONING]\r\n🦆\r\n\r\n[ACTION_0_TYPE] create_file\r\n[ACTION_0_CONTENT_START]\r\n  a\r\n[ACTION_0_CONTENT_END]\r\n\r\n[ACTION_1_TYPE] finish\r\n[ACTION_1_RESULT] done\r\n";
    assert_eq!(Desk::new(text).acted("done", "Sort the actions by index"), sorted);
    assert_eq!(Desk::new(sorted).actions("done"), []);
    // Unclosed content can't be moved.
    assert!(
        Desk::new(&text.replace("[ACTION_0_CONTENT_END]", ""))
            .actions("done")
            .iter()
            .all(|action| !action.title.starts_with("Sort"))
    );
}

#[test]
fn lines_become_the_content_of_an_action() {
    let text = "[REASONING]\nr\n\ndef f():\n    return '${1}'\n\n[ACTION_4_TYPE] finish\n";
    let after =
        Desk::new(text).acted("f():\n    return", "Make the selection the content of a new action");
    assert_eq!(
        after,
        "[REASONING]\nr\n\n[ACTION_4_TYPE] create_file\n[ACTION_4_PATH] path\n[ACTION_4_CONTENT_START]\ndef f():\n    return '${1}'\n[ACTION_4_CONTENT_END]\n\n[ACTION_5_TYPE] finish\n"
    );
    assert_eq!(Desk::new(text).actions("return '${1}'\n\n[ACTION_4"), []);
    assert_eq!(
        Desk::new("[ACTION_0_CONTENT_START]\nabc\n[ACTION_0_CONTENT_END]\n").actions("abc"),
        []
    );
}

#[test]
fn a_new_action_keeps_the_order_of_the_others() {
    const TITLE: &str = "Make the selection the content of a new action";
    let codes = |text: &str| {
        let desk = Desk::new(text);
        let found = desk.with(ide::diagnostics::diagnostics);
        let codes = found.iter().map(|found| found.rule.code);
        codes.filter(|code| code.ends_with("order") || code.ends_with("finish")).collect::<Vec<_>>()
    };
    let vitals = "[CONFIDENCE] 0.9\n[MOOD] 0.8\n[FOCUS] 0.9\n[STAMINA] 0.7\n\n";
    let text = format!(
        "[REASONING]\nr\n\nxyz 日本 🦆\n\n{vitals}[ACTION_0_TYPE] create_file\n[ACTION_0_PATH] n.py\n[ACTION_0_CONTENT_START]\n[ACTION_0_TYPE] a\n[ACTION_0_CONTENT_END]\n\nuvw\n\n[ACTION_1_TYPE] finish\n[ACTION_1_RESULT] ok\n\nafter\n"
    );
    for eol in ["\n", "\r\n"] {
        let text = text.replace('\n', eol);
        assert_eq!(codes(&text), [""; 0]);
        let after = Desk::new(&text).acted("xyz", TITLE);
        assert_eq!(codes(&after), [""; 0], "{after}");
        let expected = format!(
            "[ACTION_1_CONTENT_START]{eol}[ACTION_0_TYPE] a{eol}[ACTION_1_CONTENT_END]{eol}"
        );
        assert!(after.contains(&expected), "{after}");
        assert!(after.contains("[ACTION_2_TYPE] finish") && after.contains("[ACTION_2_RESULT]"));
        let found = Desk::new(&text).actions("xyz");
        let action = found.iter().find(|action| action.title == TITLE).unwrap();
        assert_eq!(action.edits.len(), 1);
        let snippet = action.snippet.as_ref().unwrap();
        assert_eq!(crate::format::snippet::plain(snippet), action.edits[0].text);
    }
    let found = Desk::new(&text).actions("after");
    assert!(found.iter().all(|action| action.title != TITLE), "{found:?}");
}

#[test]
fn an_action_without_a_type_gets_the_one_that_its_content_implies() {
    for (content, kind) in [
        ("<<<<<<< SEARCH\none\n=======\n日本 🦆\n>>>>>>> REPLACE", "edit_file"),
        ("one", "create_file"),
    ] {
        for eol in ["\n", "\r\n"] {
            let text = format!("[REASONING]\nr\n\n[ACTION_0_PATH] src/a.py\n[ACTION_0_CONTENT_START]\n{content}\n[ACTION_0_CONTENT_END]\n").replace('\n', eol);
            let desk = Desk::new(&text);
            let found = desk.with(ide::diagnostics::diagnostics);
            let finding =
                found.iter().find(|one| one.rule.code == "duckflow/missing-type").unwrap();
            assert_eq!(finding.fixes[0].title, format!("Add the type `{kind}`"));
        }
    }
    let text = "[REASONING]\nr\n\n[ACTION_0_TYPE] create_file\n[ACTION_0_PATH] src/日本/\n[ACTION_0_CONTENT_START]\nx\n[ACTION_0_CONTENT_END]\n";
    let desk = Desk::new(text);
    let found = desk.with(ide::diagnostics::diagnostics);
    let finding = found.iter().find(|one| one.rule.code == "duckflow/path-exists").unwrap();
    assert_eq!(finding.message, "`src/日本/` is a folder; name a file in it");
}

#[test]
fn duck_15_a_reply_becomes_json_and_markers_again() {
    let text = "\u{feff}[REASONING]\nr 🦆\n\n[MOOD] 0.5\n\n[ACTION_0_TYPE] create_file\n[ACTION_0_PATH] a\n[ACTION_0_CONTENT_START]\n\"x\"\n\n[ACTION_0_CONTENT_END]\n";
    let json = Desk::new(text).acted("[REASONING]", "Convert the reply to JSON");
    assert!(json.starts_with("\u{feff}{"), "{json}");
    assert_eq!(Desk::new(&json).acted("{", "Convert the reply to markers"), text);
    assert!(
        Desk::new(text).actions("\"x\"").iter().all(|action| !action.title.starts_with("Convert"))
    );
    // A conversion with losses isn't offered.
    assert!(
        Desk::new(&text.replace("[MOOD]", "x\n[ACTION_4_PATH]"))
            .actions("[REASONING]")
            .iter()
            .all(|action| !action.title.starts_with("Convert"))
    );
    assert_eq!(Desk::new("{\"a\": 1}\n").actions("{"), []);
}

#[test]
fn file_actions_are_offered_one_by_one_and_together() {
    let action = |index: u32, kind: &str, path: &str, content: &str| {
        format!(
            "[ACTION_{index}_TYPE] {kind}\n[ACTION_{index}_PATH] {path}\n[ACTION_{index}_CONTENT_START]\n{content}\n[ACTION_{index}_CONTENT_END]\n\n"
        )
    };
    let text = action(0, "create_file", "new.py", "x")
        + &action(1, "edit_file", "src/a.py", "y")
        + "[ACTION_2_TYPE] delete_file\n[ACTION_2_PATH] c d.txt\n";
    assert_eq!(
        Desk::new(&text).offers(),
        [
            "Apply 3 changes in 3 files",
            "Create new.py",
            "Replace all of src/a.py",
            "Delete c d.txt"
        ]
    );
    let refused = text.replace("new.py", "../new.py")
        + "[ACTION_3_TYPE] run_command\n[ACTION_3_COMMAND] rm -rf .\n";
    assert_eq!(
        Desk::new(&refused).offers(),
        ["Apply 2 of 3 changes in 2 files", "Replace all of src/a.py", "Delete c d.txt"]
    );
    assert_eq!(
        Desk::new(&action(0, "create_file", "src/a.py", "x")).offers(),
        ["Overwrite src/a.py"]
    );
    let cut = action(0, "create_file", "n", "x").replace("[ACTION_0_CONTENT_END]", "");
    for not in [
        cut,
        action(0, "edit_file", "none", "x"),
        action(0, "create_file", "src/a.py", "one\ntwo\n"),
        action(0, "create_file", "n", "x").replace("CONTENT", "STUFF"),
    ] {
        assert_eq!(Desk::new(&not).offers(), [""; 0], "{not}");
    }
}

#[test]
fn duck_06_a_file_gets_the_content_byte_for_byte() {
    for content in ["", "a", "a\r\n", "\n", "  🦆\t\r\n\r\n"] {
        let text = format!(
            "[ACTION_0_TYPE] create_file\r\n[ACTION_0_PATH] n\r\n[ACTION_0_CONTENT_START]\r\n{content}\r\n[ACTION_0_CONTENT_END]\r\n"
        );
        let plan = Desk::new(&text).with(|document, cx| ide::apply::plan(document, cx, &[0]));
        assert_eq!(
            plan.changes.iter().map(|change| change.after.as_deref()).collect::<Vec<_>>(),
            [Some(content)]
        );
    }
}

/// More than one look per marker would take minutes here.
#[test]
fn tens_of_thousands_of_markers_are_answered() {
    let torn = "[ACTION_0_NOTE] x\n[ACTION_1_NOTE] y\n".repeat(10_000);
    let many: String = (0..10_000)
        .map(|index| {
            format!("[ACTION_{index}_TYPE] create_file\n[ACTION_{index}_PATH] src/{index}\n")
        })
        .collect();
    for text in [torn, many] {
        let desk = Desk::new(&text);
        let end = desk.text().len();
        desk.with(|document, cx| {
            assert!(ide::symbols::symbols(document, cx).len() >= 10_000);
            ide::folding::folds(document, cx);
            ide::links::links(document, cx);
            ide::semantic_tokens::highlights(document, cx, 0..end);
            assert!(!ide::completion::completions(document, cx, end).items.is_empty());
            assert!(ide::hover::hover(document, cx, 3).is_some());
            ide::selection::selections(document, cx, end / 2);
            ide::code_lens::lenses(document, cx, &|_| true);
            actions(document, cx, 0..end);
        });
    }
}

const PIECES: &[&str] = &[
    "[REASONING]\n",
    "[REASONING] r",
    "[CONFIDENCE] 0.5\r\n",
    "[MOOD] x\n",
    "[EXTRA] 1\n",
    "[NOTES]\n",
    "[ACTION_0_TYPE] create_file\n",
    "[ACTION_0_PATH] src/a.py\n",
    "[ACTION_0_PATH] ",
    "[ACTION_0_CONTENT_START]\n",
    "[ACTION_0_CONTENT_END]\n",
    "[ACTION_1_TYPE] delete_file\r\n",
    "[ACTION_1_TYPE] ",
    "[ACTION_1_PATH] c d.txt\r\n",
    "[ACTION_1_CONTENT_START]\r",
    "[ACTION_2_CONTENT_END]\n",
    "[ACTION_18446744073709551615_TYPE] edit_file\n",
    "[ACTION_0_",
    "[action_0_type] x\n",
    "[CONF\n",
    "# H\n",
    "## 日本\n\n",
    "```\n",
    "- [x](y.md)\n",
    "text 🦆 e\u{301}\n",
    "\n",
    "\r\n",
    "  ",
    "\t",
    "\u{feff}",
    "[",
];

fn holds(text: &str, span: &std::ops::Range<usize>) -> bool {
    text.get(span.clone()).is_some()
}

fn nested(symbols: &[Symbol], text: &str, around: &std::ops::Range<usize>) {
    for symbol in symbols {
        assert!(
            holds(text, &symbol.span)
                && around.start <= symbol.span.start
                && symbol.span.end <= around.end,
            "{symbol:?} in {around:?}"
        );
        assert!(
            symbol.span.start <= symbol.selection.start && symbol.selection.end <= symbol.span.end,
            "{symbol:?}"
        );
        assert!(!symbol.name.trim().is_empty(), "{symbol:?}");
        nested(&symbol.children, text, &symbol.span);
    }
}

#[test]
fn a_line_of_equal_signs_does_not_turn_markers_into_a_heading() {
    for text in [
        "[REASONING] I will\n[CONFIDENCE] 0.9\n=======\n",
        "[CONFIDENCE] 0.9\n[## Context\n",
        "[REASONING]\nr\n\n[ACTION_0_TYPE] create_file\n[ACTION_0_PATH] a\n[ACTION_0_CONTENT_STAR]\na\n=======\nb\n[ACTION_0_CONTENT_END]\n",
        "[REASONING]\r\nText\r\nmore 🦆\r\n---\r\n[MOOD] 0.9\r\n",
    ] {
        Desk::new(text).with(|document, cx| {
            nested(&ide::symbols::symbols(document, cx), text, &(0..text.len()))
        });
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 256, ..Default::default() })]

    #[test]
    fn every_answer_is_in_the_text(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..24), at in 0_usize..400, length in 0_usize..40) {
        let desk = Desk::new(&pieces.concat());
        let text = desk.text();
        let floor = |mut at: usize| {
            at = at.min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (start, end) = (floor(at), floor(at + length));
        desk.with(|document, cx| {
            for item in ide::completion::completions(document, cx, start).items {
                let span = &item.edit.span;
                assert!(holds(&text, span) && span.start <= start && start <= span.end && !text[span.clone()].contains(['\n', '\r']), "{item:?}");
            }
            if let Some(hover) = ide::hover::hover(document, cx, start) {
                assert!(holds(&text, &hover.span) && hover.span.start <= start && start <= hover.span.end);
            }
            for target in ide::definition::definition(document, cx, start) {
                assert!(holds(&text, &target.origin));
            }
            for span in ide::selection::selections(document, cx, start) {
                assert!(holds(&text, &span) && span.start <= start && start <= span.end);
            }
            for link in ide::links::links(document, cx) {
                assert!(holds(&text, &link.span));
            }
            nested(&ide::symbols::symbols(document, cx), &text, &(0..text.len()));
            for fold in ide::folding::folds(document, cx) {
                assert!(holds(&text, &fold.span) && text[fold.span.clone()].contains(['\n', '\r']), "{fold:?}");
            }
            let found = ide::semantic_tokens::highlights(document, cx, 0..text.len());
            assert!(found.iter().all(|one| holds(&text, &one.span)) && found.is_sorted_by(|a, b| a.span.end <= b.span.start), "{found:?}");
            for action in actions(document, cx, start..end) {
                assert!(text::apply(&text, &action.edits).is_ok(), "{action:?}");
            }
            for (_, span) in document.model().blocks(cx) {
                assert!(holds(&text, &span));
            }
            for lens in ide::code_lens::lenses(document, cx, &|_| true) {
                assert!(holds(&text, &lens.span) && lens.changes.iter().all(|change| change.path.starts_with("/w")));
            }
        });
    }

    #[test]
    fn an_edited_reply_answers_like_a_fresh_one(
        pieces in proptest::collection::vec(proptest::sample::select(PIECES), 1..24),
        edits in proptest::collection::vec((0_usize..400, 0_usize..60, proptest::sample::select(PIECES)), 1..6),
    ) {
        let answers = |desk: &Desk| {
            desk.with(|document, cx| {
                let all = 0..cx.source.len();
                let lenses = ide::code_lens::lenses(document, cx, &|_| true);
                let highlights = ide::semantic_tokens::highlights(document, cx, all);
                let at = crate::text::floor(cx.source.text(), cx.source.len() / 2);
                let typed = ide::completion::completions(document, cx, at).items;
                format!("{:?}\n{:?}\n{lenses:?}\n{highlights:?}\n{typed:?}", ide::symbols::symbols(document, cx), ide::folding::folds(document, cx))
            })
        };
        let mut desk = Desk::new(&pieces.concat());
        for (at, length, piece) in edits {
            // Asked before the edit, to test that the cached answers aren't reused for another
            // text.
            answers(&desk);
            let floor = |at: usize| crate::text::floor(desk.document.source().text(), at.min(desk.document.source().len()));
            let edit = crate::text::Edit::replace(floor(at)..floor(at + length), piece);
            desk.document = desk.document.edit(&[edit], Some(Path::new("/w/replies/r.md")), &desk.config);
            proptest::prop_assert_eq!(answers(&desk), answers(&Desk::new(&desk.text())));
        }
    }
}
