//! Editor features, called through the same functions that the server calls.

use std::path::Path;

use super::{CODE, HEAD, MISSION, document};
use crate::answer::{Completion, LinkTarget, Symbol};
use crate::config::Config;
use crate::document::Document;
use crate::format::Context;
use crate::ide;
use crate::text;
use crate::world::Memory;

const PATH: &str = "/w/docs/project.llmd";

/// A document in a workspace, and the offset of the cursor `$0`, which is removed.
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
            .with("/w/src/lib.py", "one\n")
            .with("/w/app.py", "x = 1\n")
            .with("/w/docs/meta.md", "a\nb\n");
        let config = Config::default();
        let document = Document::new(&text.replacen("$0", "", 1), Some(Path::new(PATH)), &config);
        Self { document, world: world.in_folder("/w"), config, cursor }
    }

    fn with<T>(&self, ask: impl FnOnce(&Document, &Context) -> T) -> T {
        ask(
            &self.document,
            &Context::new(self.document.source(), Some(Path::new(PATH)), &self.world, &self.config),
        )
    }

    fn text(&self) -> String {
        self.document.source().slice(0..self.document.source().len()).into_owned()
    }

    fn completions(&self) -> Vec<Completion> {
        let mut found =
            self.with(|document, cx| ide::completion::completions(document, cx, self.cursor).items);
        found.sort_by_key(|item| item.rank);
        for item in &found {
            assert!(
                item.edit.span.start <= self.cursor && self.cursor <= item.edit.span.end,
                "{item:?}"
            );
        }
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

    fn hover(&self) -> String {
        let found = self
            .with(|document, cx| ide::hover::hover(document, cx, self.cursor))
            .expect("a hover");
        assert!(found.span.start <= self.cursor && self.cursor <= found.span.end);
        found.markdown
    }

    fn acted(&self, word: &str, title: &str) -> String {
        let start = self.text().find(word).unwrap();
        let found = self.with(|document, cx| document.model().actions(cx, start..start));
        let action = found
            .iter()
            .find(|action| action.title == title)
            .unwrap_or_else(|| panic!("no {title} in {found:?}"));
        text::apply(&self.text(), &action.edits).unwrap()
    }
}

#[test]
fn missing_sections_are_offered() {
    let empty = Desk::new("$0");
    assert_eq!(empty.labels().first().map(String::as_str), Some("# Project:"));
    let (start, end) = (HEAD.find("## Mission").unwrap(), HEAD.find("## Code").unwrap());
    let desk = Desk::new(&format!("{}$0\n\n{}", &HEAD[..start], &HEAD[end..]));
    assert_eq!(desk.labels(), ["## Mission"]);
    assert!(desk.complete("## Mission").contains("## Mission\n\n## Code"));
    let typed = Desk::new(&format!("{}## Mi$0\n\n{}", &HEAD[..start], &HEAD[end..]));
    assert!(typed.labels().contains(&"## Mission".to_owned()));
}

#[test]
fn entries_and_speakers_are_offered_in_turn() {
    let desk = Desk::new(&document("$0"));
    assert!(desk.labels().contains(&"### Entry 2".to_owned()));
    assert!(desk.complete("### Entry 2").contains("### Entry 2\n\n**Human:** "));
    assert_eq!(
        Desk::new(&document("### Entry 2\n\n$0\n")).labels().first().map(String::as_str),
        Some("**Human:**")
    );
    assert_eq!(
        Desk::new(&document("### Entry 2\n\n**Human:** x\n\n**As$0\n")).labels(),
        ["**Assistant:**"]
    );
}

#[test]
fn blocks_are_offered_where_the_assistant_speaks() {
    let desk = Desk::new(&document("<$0\n"));
    assert_eq!(desk.labels(), ["<<<<<< SEARCH", "<<<<<< SEARCH_MISSION", "<<<<<< CHANGELOG"]);
    assert!(
        desk.complete("<<<<<< SEARCH").contains("app.py\n<<<<<< SEARCH\n=======\n>>>>>> REPLACE")
    );
    assert!(
        desk.complete("<<<<<< SEARCH_MISSION").contains("SEARCH_MISSION\nBe small.\n=======\n")
    );
    let named = Desk::new(&document("src/lib.py\n<$0\n"));
    assert!(named.complete("<<<<<< SEARCH").contains("src/lib.py\n<<<<<< SEARCH\n=======\n"));
    let human = HEAD.split("**Assistant:**").next().unwrap();
    assert_eq!(Desk::new(&format!("{human}<$0\n")).labels(), [""; 0]);
}

#[test]
fn a_block_is_offered_its_missing_markers() {
    let open = document("app.py\n<<<<<< SEARCH\nx = 1\n$0\n");
    assert_eq!(Desk::new(&open).labels(), ["=======", ">>>>>> REPLACE"]);
    let divided = document("app.py\n<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>$0\n");
    assert_eq!(Desk::new(&divided).labels(), [">>>>>> REPLACE"]);
    // The text of a block gets no completions.
    assert_eq!(Desk::new(&document(&CODE.replace("x = 2", "# $0"))).labels(), [""; 0]);
    assert_eq!(Desk::new(&HEAD.replace("x = 1", "#$0")).labels(), [""; 0]);
}

#[test]
fn paths_are_offered_above_a_block() {
    let desk = Desk::new(&document(&CODE.replace("app.py", "a$0")));
    assert_eq!(desk.labels(), ["app.py", "docs/", "src/"]);
    assert_eq!(desk.complete("app.py"), document(CODE));
    let folder = Desk::new(&document(&CODE.replace("app.py", "src/$0")));
    assert!(folder.complete("lib.py").contains("\nsrc/lib.py\n<<<<<<"));
    assert_eq!(Desk::new(&document("Word$0\n")).labels(), [""; 0]);
    let include = Desk::new("# Project: x\n\n{% include '$0' %}\n");
    assert_eq!(include.labels(), ["meta.md"]);
    assert!(include.complete("meta.md").contains("{% include 'meta.md' %}"));
}

#[test]
fn everything_has_a_hover() {
    let at = |text: &str, mark: &str| {
        Desk::new(&document(text).replacen(mark, &format!("{}$0{}", &mark[..3], &mark[3..]), 1))
            .hover()
    };
    assert!(at(CODE, "## Code Context").starts_with("**Code Context**"));
    // The hover starts with the effect of the block.
    assert!(at(CODE, "<<<<<< SEARCH\nx").contains("\n---\n\n**SEARCH**"));
    assert!(at(MISSION, ">>>>>> REPLACE_MISSION").contains("**REPLACE_MISSION**"));
    assert!(at(CODE, "### app.py").contains("1 line"));
    assert!(at(CODE, "### Entry 1").contains("1 block"));
    assert!(Desk::new("# Project: x\n\n{% incl$0ude 'meta.md' %}\n").hover().contains("2 lines"));
}

fn outline(symbols: &[Symbol]) -> Vec<String> {
    let children = |symbol: &Symbol| {
        outline(&symbol.children).into_iter().map(|name| format!("  {name}")).collect::<Vec<_>>()
    };
    symbols
        .iter()
        .flat_map(|symbol| std::iter::once(symbol.name.clone()).chain(children(symbol)))
        .collect()
}

#[test]
fn the_outline_has_the_blocks_but_not_their_text() {
    let text = document(&format!("{}\n{MISSION}", CODE.replace("x = 2", "# Title\n## Other")));
    let found = Desk::new(&text).with(ide::symbols::symbols);
    let expected = [
        "Project: T",
        "  Meta: LLMD",
        "  Mission",
        "  Code Context",
        "    app.py",
        "  Changelog",
        "  Conversation Thread",
        "    Entry 1",
        "      app.py",
        "      Mission",
    ];
    assert_eq!(outline(&found), expected);
}

#[test]
fn blocks_fold_and_are_selected_by_their_parts() {
    let desk = Desk::new(&document(&CODE.replace("x = 2", "x$0 = 2")));
    let text = desk.text();
    let folds = desk.with(ide::folding::folds);
    let folded: Vec<&str> = folds.iter().map(|fold| &text[fold.span.clone()]).collect();
    assert!(
        folded.contains(&"<<<<<< SEARCH\nx = 1") && folded.contains(&"=======\nx = 2"),
        "{folded:#?}"
    );
    let selections = desk.with(|document, cx| document.model().selections(cx, desk.cursor));
    let selected: Vec<&str> = selections.iter().map(|span| &text[span.clone()]).collect();
    assert!(selected.contains(&"x = 2\n") && selected.contains(&CODE.trim_end()), "{selected:#?}");
}

#[test]
fn paths_lead_to_their_files() {
    let desk = Desk::new(&document(&CODE.replace("app.py", "ap$0p.py")));
    let links = desk.with(ide::links::links);
    let text = desk.text();
    let shown: Vec<_> = links
        .iter()
        .filter_map(|link| match &link.target {
            LinkTarget::File { path, .. } => {
                Some((&text[link.span.clone()], crate::world::slashed(path)))
            }
            LinkTarget::Url(_) => None,
        })
        .collect();
    // A live block leads to the lines that it changes.
    assert_eq!(shown, [("app.py", "/w/app.py".to_owned()), ("app.py", PATH.to_owned())]);
    let target =
        desk.with(|document, cx| ide::definition::definition(document, cx, desk.cursor)).remove(0);
    assert_eq!((target.path, &text[target.selection]), (None, "app.py"));
    let context = Desk::new(&HEAD.replace("### app.py", "### ap$0p.py"));
    let target = context
        .with(|document, cx| ide::definition::definition(document, cx, context.cursor))
        .remove(0);
    assert_eq!(target.path.as_deref(), Some(Path::new("/w/app.py")));
}

#[test]
fn markers_paths_and_speakers_are_highlighted() {
    let desk = Desk::new(&document(CODE));
    let text = desk.text();
    let found =
        desk.with(|document, cx| ide::semantic_tokens::highlights(document, cx, 0..text.len()));
    let shown: Vec<_> =
        found.iter().map(|highlight| (&text[highlight.span.clone()], highlight.kind)).collect();
    for expected in [
        ("<<<<<< SEARCH", "keyword"),
        ("=======", "keyword"),
        (">>>>>> REPLACE", "keyword"),
        ("app.py", "string"),
        ("**Human:**", "class"),
    ] {
        assert!(shown.contains(&expected), "{expected:?} in {shown:?}");
    }
}

#[test]
fn the_refactorings_of_a_document() {
    let desk = Desk::new(&document(CODE));
    assert!(
        desk.acted("Entry 1", "Add entry 2")
            .ends_with(">>>>>> REPLACE\n\n### Entry 2\n\n**Human:** \n")
    );
    let changelog = "## Changelog\n\n- Created\n\n";
    let late = Desk::new(&format!("{}\n{changelog}", HEAD.replacen(changelog, "", 1)));
    assert_eq!(late.acted("## Changelog", "Reorder the sections").trim_end(), HEAD.trim_end());
    let seven = CODE.replace("<<<<<<", "<<<<<<<").replace(">>>>>>", ">>>>>>>");
    let both = Desk::new(&document(&format!("{seven}\n{}", MISSION.replace("<<<<<<", "<<<<<"))));
    assert_eq!(
        both.acted("<<<<<<< SEARCH", "Write the markers of all blocks in canonical form"),
        document(&format!("{CODE}\n{MISSION}"))
    );
    let numbered = Desk::new(&document("### Entry 7\n\n**Human:** x\n"));
    assert_eq!(
        numbered.acted("### Entry 7", "Renumber the entries"),
        document("### Entry 2\n\n**Human:** x\n")
    );
}

#[test]
fn a_filled_line_is_not_replaced() {
    let labels = |text: &str| {
        let found = Desk::new(&document(text)).labels();
        let crlf = Desk::new(&document(text).replace('\n', "\r\n")).labels();
        assert_eq!(found, crlf, "{text}");
        found
    };
    let none: [String; 0] = [];
    for text in [
        "$0Some 日本 🦆 text\n",
        "$0word\n",
        "*$0*Human:** do it\n",
        "**Assis$0tant:** I do.\n",
        "### Ent$0ry 1 and more\n",
        // In the text of a block.
        "app.py\n<<<<<< SEARCH\n$0x = 1\n",
        "app.py\n<<<<<< SEARCH\nx = 1\n    $0\n",
        "app.py\n<<<<<< SEARCH\nx = 1\n    =$0\n",
        // In code.
        "```python\n$0\n",
        "```python\nx = 1\n$0",
        "```python\n$0\n```\n",
        "~~~\n#$0\n~~~\n",
    ] {
        assert_eq!(labels(text), none, "{text}");
    }
    assert_eq!(labels("app.py\n<<<<<< SEARCH\nx = 1\n$0\n"), ["=======", ">>>>>> REPLACE"]);
    assert!(!labels("```python\nx = 1\n```\n$0\n").is_empty());
    assert!(!labels("$0\n").is_empty());
    let files =
        format!("{}\n### new.py\n\n```python\n$0", HEAD.split("\n## Changelog").next().unwrap());
    assert_eq!(Desk::new(&files).labels(), none);
}
