//! Editor features, called through the same functions that the server calls.

use std::path::Path;

use super::super::Packs;
use super::super::actions::append;
use super::super::write::Entry;
use crate::answer::LinkTarget;
use crate::config::Config;
use crate::document::Document;
use crate::format::Context;
use crate::ide;
use crate::text;
use crate::world::Memory;

const PATH: &str = "/w/prompts/p.md";

/// A document in a workspace, and the offset of the cursor `$0`, which is removed.
struct Desk {
    document: Document,
    world: Memory,
    config: Config,
    cursor: usize,
}

impl Desk {
    fn new(text: &str) -> Self {
        let world = Memory::default()
            .with("/w/src/a.rs", "fn a() {\r\n    b();\r\n}\r\n\r\nfn c() {}\r\n")
            .with("/w/src/日本 (1).rs", "x\n")
            .with("/w/prompts/beside.md", "one\ntwo\nthree\n")
            .with("/etc/passwd", "root\n")
            .in_folder("/w");
        let config = Config::default();
        let cursor = text.find("$0").unwrap_or(0);
        Self {
            document: Document::new(&text.replacen("$0", "", 1), Some(Path::new(PATH)), &config),
            world,
            config,
            cursor,
        }
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

    fn codes(&self) -> Vec<&'static str> {
        self.with(ide::diagnostics::diagnostics).iter().map(|finding| finding.rule.code).collect()
    }

    fn links(&self) -> Vec<(String, String)> {
        let shown = |target| match target {
            LinkTarget::File { path, fragment } => {
                format!("{}#{}", crate::world::slashed(&path), fragment.unwrap_or_default())
            }
            LinkTarget::Url(url) => url,
        };
        self.with(ide::links::links)
            .into_iter()
            .map(|link| (self.text()[link.span].to_owned(), shown(link.target)))
            .collect()
    }

    fn hover(&self) -> Option<String> {
        let found = self.with(|document, cx| ide::hover::hover(document, cx, self.cursor))?;
        assert!(found.span.start <= self.cursor && self.cursor <= found.span.end);
        Some(found.markdown)
    }

    fn labels(&self) -> Vec<String> {
        self.with(|document, cx| ide::completion::completions(document, cx, self.cursor).items)
            .into_iter()
            .map(|item| item.label)
            .collect()
    }

    /// The text after accepting the completion with this label.
    fn complete(&self, label: &str) -> String {
        let found =
            self.with(|document, cx| ide::completion::completions(document, cx, self.cursor).items);
        let item = found
            .iter()
            .find(|item| item.label == label)
            .unwrap_or_else(|| panic!("no {label} in {:?}", self.labels()));
        text::apply(&self.text(), std::slice::from_ref(&item.edit)).unwrap()
    }

    /// The text after applying an action at the cursor, including fixes.
    fn act(&self, title: &str) -> String {
        let offers = self.with(|document, cx| {
            let found = ide::diagnostics::shown(document, cx, 0);
            ide::code_actions::actions(document, cx, &found, self.cursor..self.cursor, false)
        });
        let titles: Vec<&str> = offers.iter().map(|offer| offer.action.title.as_str()).collect();
        let offer = offers
            .iter()
            .find(|offer| offer.action.title == title)
            .unwrap_or_else(|| panic!("no {title} in {titles:?}"));
        text::apply(&self.text(), &offer.action.edits).unwrap()
    }
}

fn item(header: &str, content: &str) -> String {
    format!("### {header}\n```lisp\n{content}\n```\n\n")
}

fn pack(items: &[String]) -> String {
    format!("\u{feff}# 🦆\n\n## Context\n\n{}", items.concat())
}

#[test]
fn aq_11_headers_lead_to_their_lines() {
    let text = pack(&[
        item("Code (from src/a.rs:2-3)", "x"),
        item("File (from src/日本 (1).rs)", "x"),
        item("Code (from beside.md:2-2)", "two"),
        item("Code (from /etc/passwd:1-1)", "root"),
        item("Code (from ../../../x)", "y"),
        item("Code (from none.rs)", "[a](b.md)"),
    ]);
    for text in [text.clone(), text.replace('\n', "\r\n")] {
        let desk = Desk::new(&text);
        let expected = [
            ("src/a.rs:2-3", "/w/src/a.rs#L2"),
            ("src/日本 (1).rs", "/w/src/日本 (1).rs#"),
            ("beside.md:2-2", "/w/prompts/beside.md#L2"),
            ("/etc/passwd:1-1", "/etc/passwd#L1"),
            ("../../../x", "/../../x#"),
        ];
        assert_eq!(
            desk.links(),
            expected.map(|(shown, target)| (shown.to_owned(), target.to_owned()))
        );
        let at = text.find("a.rs:2").unwrap();
        let found = desk.with(|document, cx| ide::definition::definition(document, cx, at));
        assert_eq!(
            (found[0].path.as_deref(), found[0].selection.clone()),
            (Some(Path::new("/w/src/a.rs")), 10..10)
        );
        let outside = text.find("passwd").unwrap();
        assert_eq!(
            desk.with(|document, cx| ide::definition::definition(document, cx, outside)),
            []
        );
    }
}

#[test]
fn aq_11_hover_shows_the_current_lines_of_the_file() {
    let same = Desk::new(&pack(&[item("Code (from src/$0a.rs:2-3)", "    b();\n}")]));
    assert_eq!(same.hover().as_deref(), Some("`src/a.rs:2-3`\n\n```rust\n    b();\n}\n```"));
    let other = Desk::new(
        &pack(&[item("Code (from src/$0a.rs:2-3)", "    c();\n}")]).replace('\n', "\r\n"),
    );
    let hover = other.hover().unwrap();
    assert!(hover.contains("```diff\n") && hover.contains("-    c();\n+    b();\n }"), "{hover}");
    let outside = Desk::new(&pack(&[item("Code (from /etc/$0passwd:1-1)", "x")])).hover().unwrap();
    assert!(outside.contains("not read") && !outside.contains("root"), "{outside}");
    assert!(Desk::new(&pack(&[item("Co$0de", "x")])).hover().unwrap().starts_with("**Code**"));
    assert_eq!(Desk::new(&pack(&[item("Code", "x$0")])).hover(), None);
}

#[test]
fn aq_10_one_mistake_one_finding() {
    for (header, content, expected) in [
        ("Code (from src/a.rs:2-3)", "    b();\n}", None),
        ("Code (from src/a.rs:2-3)", "    c();\n}", Some("context/stale")),
        ("Error (from src/a.rs:2-3)", "boom", None),
        ("Code (from src/a.rs)", "fn c() {}", None),
        ("Code (from src/a.rs)", "fn d() {}", Some("context/stale")),
        ("File (from src/a.rs)", "fn c() {}", Some("context/stale")),
        ("File (from src/a.rs)", "fn a() {\n    b();\n}\n\nfn c() {}", None),
        ("File (from src/a.rs)", "fn a() {\n    b();\n}\n\nfn c() {}\n", None),
        ("Code (from src/a.rs:5-6)", "x", Some("context/past-end")),
        ("Code (from src/a.rs:3-2)", "x", Some("context/wrong-range")),
        ("Code (from src/a.rs:0-2)", "x", Some("context/wrong-range")),
        ("Code (from src/b.rs:3-2)", "x", Some("context/wrong-range")),
        ("Code (from src/b.rs:1-2)", "x", Some("context/file-not-found")),
        ("Code (from src)", "x", Some("context/unreadable-file")),
        ("Code (from /etc/passwd:7-9)", "x", None),
        ("Code (from src/a.rs:1-2)", " ", Some("context/empty-item")),
        ("Code (from src/a.rs", "x", Some("context/unclosed-annotation")),
        ("Coed", "x", Some("context/unknown-type")),
        ("Text", "```\nx\n```", Some("context/short-fence")),
    ] {
        // A first item, so that another type isn't an ordinary heading.
        let desk = Desk::new(&pack(&[item("Text", "x"), item(header, content)]));
        assert_eq!(desk.codes(), expected.into_iter().collect::<Vec<_>>(), "{header} {content:?}");
    }
}

#[test]
fn items_are_fixed_from_the_editor() {
    let stale = pack(&[
        item("Code (from src/$0a.rs:1-2)", "    b();\n}"),
        item("Code (from src/a.rs:5-5)", "fn d() {}"),
    ]);
    let whole = stale.replace("$0", "");
    let desk = Desk::new(&stale);
    assert_eq!(
        desk.act("Refresh from the file"),
        whole.replace("    b();\n}", "fn a() {\n    b();")
    );
    assert_eq!(
        desk.act("Adjust the range to 2-3, the current location of the text"),
        whole.replace("1-2", "2-3")
    );
    let both = whole.replace("    b();\n}", "fn a() {\n    b();").replace("fn d() {}", "fn c() {}");
    assert_eq!(desk.act("Refresh all 2 items that are out of date"), both);
    assert_eq!(
        desk.act("Set the language of the fence to `rust`"),
        whole.replacen("```lisp", "```rust", 1)
    );
    assert_eq!(Desk::new(&both).codes(), [""; 0]);
    let indented = pack(&[item("Code (from src/a.rs:5-$05)", "b();\n}")]);
    assert!(
        Desk::new(&indented)
            .act("Adjust the range to 2-3, the current location of the text")
            .contains(":2-3)")
    );
    let fenced = pack(&[item("Text", "$0```\nx\n```")]);
    let safe = Desk::new(&fenced).act("Make the fence longer than any in the content");
    assert!(
        safe.contains("````lisp\n```\nx\n```\n````\n") && Desk::new(&safe).codes().is_empty(),
        "{safe}"
    );
    let no_range = pack(&[item("Code (from src/a.rs$0)", "fn c() {}")]);
    assert!(Desk::new(&no_range).act("Add the range 5-5").contains("(from src/a.rs:5-5)"));
    let markdown = Desk::new(&pack(&[item("File (from pack$0.md)", "x")]));
    assert_eq!(markdown.codes(), ["context/file-not-found"]);
}

/// A refresh would delete the item below.
#[test]
fn aq_10_a_header_that_isnt_read_is_reported_and_kept() {
    for header in
        ["Code(from src/a.rs:1-1)", " Code (From src/a.rs:1-1)", "# Code (from src/a.rs:1-1)"]
    {
        let lost = format!("###{header}\n```lisp\nfn a() {{\n```\n\n");
        let text =
            pack(&[item("Code (from src/a.rs:5-5)", "fn c() {}"), lost, item("Error", "boom")]);
        for eol in ["\n", "\r\n"] {
            let text = text.replace('\n', eol);
            let at = text.find(header).unwrap();
            let desk = Desk::new(&format!("{}$0{}", &text[..at], &text[at..]));
            assert_eq!(desk.codes(), ["context/unread-header"], "{header}");
            let fixed = desk.act("Write `### Code (from src/a.rs:1-1)`");
            assert_eq!(Desk::new(&fixed).codes(), [""; 0], "{fixed}");
            let refreshed = desk.with(|document, cx| {
                let packs = document.model().as_any().downcast_ref::<Packs>().unwrap();
                super::super::refresh::all(packs, cx)
            });
            assert!(refreshed.edits.is_empty() && refreshed.left.len() == 1, "{refreshed:?}");
        }
    }
}

#[test]
fn aq_10_an_annotation_with_more_behind_it() {
    for path in ["app/[id]/page.tsx", "a(1).lisp"] {
        let text = pack(&[item(&format!("Code (from {path}$0"), "x")]);
        assert!(Desk::new(&text).act("Add `)`").contains(&format!("(from {path})\n")), "{path}");
    }
    for more in [":", ".", " -- main", " ###", "]"] {
        let text = pack(&[item(&format!("Code (from src/a.rs:1-1$0){more}"), "fn a() {")]);
        let text = if more == "]" { text.replace(")]", "]") } else { text };
        let desk = Desk::new(&text);
        assert_eq!(desk.codes(), ["context/unclosed-annotation"], "{more}");
        let fixed = desk.act("End it with `)`");
        assert!(fixed.contains("### Code (from src/a.rs:1-1)\n"), "{fixed}");
    }
}

#[test]
fn a_blank_line_with_its_own_break_is_removed() {
    let text = "Intro\n\n## Context\r\n\r\n### Code (from src/a.rs:1-1)\r\n\r\n```li$0sp\r\nfn a() {\r\n```\r\n";
    for text in
        [text.to_owned(), text.replacen("Intro\n", "Intro\r\n", 1).replace("\r\n```li", "\n```li")]
    {
        let fixed = Desk::new(&text).act("Remove the blank line");
        assert!(fixed.contains("(from src/a.rs:1-1)\r\n```lisp"), "{fixed:?}");
    }
}

#[test]
fn a_file_with_fences_gets_a_longer_one() {
    let mut desk = Desk::new(&pack(&[item("File (from fenced$0.md)", "x")]));
    desk.world = desk.world.with("/w/fenced.md", "# x\n\n```\ny\n```\n");
    let text = desk.act("Refresh from the file");
    assert!(text.contains("````lisp\n# x\n\n```\ny\n```\n````\n"), "{text}");
}

#[test]
fn headers_are_completed_part_by_part() {
    let head = "## Context\n\n### Text\n```lisp\nx\n```\n\n";
    let types = ["Code", "Text", "File", "Repl-History", "Error", "Custom"];
    assert_eq!(Desk::new(&format!("{head}### $0")).labels(), types);
    assert_eq!(Desk::new(&format!("{head}##$0")).labels(), types);
    assert_eq!(Desk::new("## Context\n\n### Co$0\n").labels(), types);
    assert_eq!(Desk::new("## Notes\n\n### Co$0\n").labels(), [""; 0]);
    assert_eq!(
        Desk::new(&format!("{head}### Er$0ro (from a)\n```\n```\n")).complete("Error"),
        format!("{head}### Error (from a)\n```\n```\n")
    );
    let desk = Desk::new(&format!("{head}### Code (from $0"));
    assert_eq!(desk.labels(), ["prompts/", "src/"]);
    assert_eq!(
        Desk::new(&format!("{head}### Code (from src/$0")).complete("a.rs"),
        format!("{head}### Code (from src/a.rs)")
    );
    assert_eq!(
        Desk::new(&format!("{head}### Code (from src/$0b.rs:1-2)\n```\nx\n```\n")).complete("a.rs"),
        format!("{head}### Code (from src/a.rs:1-2)\n```\nx\n```\n")
    );
    assert_eq!(Desk::new(&format!("{head}### Code (from ../../$0")).labels(), [""; 0]);
    let desk =
        Desk::new(&format!("{head}### Code (from src/a.rs:$0)\n```lisp\nfn c() {{}}\n```\n"));
    assert_eq!(desk.labels(), ["5-5", "1-5"]);
    assert_eq!(
        desk.complete("5-5"),
        format!("{head}### Code (from src/a.rs:5-5)\n```lisp\nfn c() {{}}\n```\n")
    );
    assert_eq!(
        Desk::new(&format!("{head}### Code (from src/a.rs:3$0")).complete("3-5"),
        format!("{head}### Code (from src/a.rs:3-5)")
    );
    assert_eq!(
        Desk::new(&format!("{head}### Code (from src/a.rs)\n```$0\nx\n```\n")).labels(),
        ["rust", "lisp", "text"]
    );
    assert_eq!(
        Desk::new(&format!("{head}### Code (from src/a.rs)\n```\nx$0\n```\n")).labels(),
        [""; 0]
    );
}

#[test]
fn the_outline_has_a_symbol_per_item() {
    let desk = Desk::new(&pack(&[
        item("Code (from src/a.rs:2-3)", "# no heading\n## none"),
        item("Error", "boom"),
    ]));
    let symbols = desk.with(ide::symbols::symbols);
    let context = &symbols[0].children[0];
    let names: Vec<_> = context
        .children
        .iter()
        .map(|symbol| (symbol.name.as_str(), symbol.detail.as_deref().unwrap()))
        .collect();
    assert_eq!(
        (context.name.as_str(), names),
        ("Context", vec![("src/a.rs:2-3", "Code, 2 lines"), ("Error", "1 line")])
    );
    assert!(context.children.iter().all(|symbol| symbol.children.is_empty()));
    let text = desk.text();
    let folds: Vec<_> = desk
        .with(ide::folding::folds)
        .into_iter()
        .map(|fold| text[fold.span].lines().next().unwrap().to_owned())
        .collect();
    assert_eq!(folds, ["# 🦆", "## Context", "### Code (from src/a.rs:2-3)", "### Error"]);
    let shown =
        desk.with(|document, cx| ide::semantic_tokens::highlights(document, cx, 0..text.len()));
    let shown: Vec<_> =
        shown.iter().map(|highlight| (&text[highlight.span.clone()], highlight.kind)).collect();
    for expected in [
        ("Code", "type"),
        ("(from", "keyword"),
        ("src/a.rs", "string"),
        ("2", "number"),
        ("3", "number"),
        ("lisp", "property"),
    ] {
        assert!(shown.contains(&expected), "{expected:?} in {shown:?}");
    }
    assert!(!shown.iter().any(|(text, _)| text.contains("heading")), "{shown:?}");
}

#[test]
fn an_item_is_appended_after_the_last() {
    let new = Entry {
        kind: "code".to_owned(),
        filename: Some("b.py".to_owned()),
        lines: Some(("1".to_owned(), "2".to_owned())),
        content: "a\r\nb".to_owned(),
    };
    let appended = |text: &str| {
        let desk = Desk::new(text);
        let edit = desk.with(|document, cx| {
            append(document.model().as_any().downcast_ref::<Packs>(), cx, &new)
        });
        text::apply(text, &[edit]).unwrap()
    };
    let written = |language: &str| format!("### Code (from b.py:1-2)\n```{language}\na\nb\n```\n");
    let old = "## Context\n\n### Text\n```lisp\nx\n```\n";
    assert_eq!(appended(old), format!("{old}\n{}", written("lisp")));
    assert_eq!(
        appended(&format!("{old}\n## Request\n\nGo.\n")),
        format!("{old}\n{}\n## Request\n\nGo.\n", written("lisp"))
    );
    assert_eq!(
        appended(&old.replace("```lisp", "```text")),
        format!("{}\n{}", old.replace("```lisp", "```text"), written("python"))
    );
    assert_eq!(
        appended(&old.replace("\n```\n", "\n")),
        format!("{}\n```\n\n{}", old.trim_end_matches("\n```\n"), written("lisp"))
            .replace("\n```\n\n\n", "\n```\n\n")
    );
    assert_eq!(appended(""), format!("## Context\n\n{}", written("python")));
    assert_eq!(appended("## Context\n"), format!("## Context\n\n{}", written("python")));
    assert_eq!(appended("# Notes\n"), format!("# Notes\n\n## Context\n\n{}", written("python")));
    assert_eq!(
        appended(&old.replace('\n', "\r\n")),
        format!("{old}\n{}", written("lisp")).replace('\n', "\r\n")
    );
}

#[test]
fn a_fence_is_shown_as_the_fix_writes_it() {
    for fence in ["```", "`````", "~~~~"] {
        for last in ["", "``", "``````"] {
            let text = format!(
                "## Context\r\n\r\n### Code (from src/a.rs:1-2)\r\n{fence}rust\r\nfn a() {{ 日本 🦆\r\n{last}"
            );
            let found = Desk::new(&text).with(ide::diagnostics::diagnostics);
            let finding = found.iter().find(|one| one.rule.code == "context/unclosed-fence");
            let Some(finding) = finding else { panic!("{found:#?}") };
            let fix = &finding.fixes[0];
            assert_eq!(fix.edits[0].text.trim(), fence);
            let marks = |text: &str| {
                let mark = fence.chars().next().unwrap();
                text.chars().filter(|letter| *letter == mark).count()
            };
            assert_eq!(
                (marks(&fix.title), marks(&finding.message)),
                (fence.len(), fence.len()),
                "{finding:?}"
            );
        }
    }
}
