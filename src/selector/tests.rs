//! SEL-1 to SEL-19 of the conformance list, as far as they do not concern commands.

use proptest::prelude::*;

use super::page::{first_page, pages, word_count};
use super::suggest::suggestions;
use super::*;
use crate::source::Source;

const DOCUMENT: &str = "---\ntitle: x\n---\nBefore.\n\n# One\n\nText.\n\n- a\n\n  ```\n  nested\n  ```\n- b\n  - inner\n\n## Two\n\n> quote\n>\n> ```\n> quoted\n> ```\n\n```rust\nfn main() {}\n```\n\n| a |\n|---|\n| 1 |\n\nSetext\n------\n\n### Deep\n\n    indented\n\n# Last\n\n***\n\n<div>html</div>\n";

fn selected<'t>(text: &'t str, selector: &str) -> Vec<&'t str> {
    let tree = Tree::read(&Source::new(text));
    let selector = parse(selector).unwrap();
    resolve(&tree, &selector).into_iter().map(|found| &text[tree.span(found.node)]).collect()
}

#[track_caller]
fn one(selector: &str, start: &str, end: &str) {
    let found = selected(DOCUMENT, selector);
    let [found] = found.as_slice() else { panic!("{selector}: {found:?}") };
    assert!(found.starts_with(start) && found.ends_with(end), "{selector}: {found:?}");
}

#[test]
fn sel_01_the_tree_of_a_document() {
    one("root", "---\ntitle", "Before.\n\n");
    one("heading:h1[0]", "# One", "indented\n\n");
    one("heading:h2[1]", "Setext\n------", "indented\n\n");
    one("section[4]", "# Last", "</div>\n");
    assert_eq!(selected("> # no\n\n- # no\n", "heading:h1").len(), 0);
}

#[test]
fn sel_02_paths_lead_down() {
    one("heading:h1[0]/section[0]/block:code[0]", "```rust", "```");
    one("heading:h1[0]/heading:h2[1]/heading:h3[0]", "### Deep", "indented\n\n");
    assert!(selected(DOCUMENT, "heading:h2[0]/heading:h2[0]").is_empty());
    assert!(selected(DOCUMENT, "root/section[0]").is_empty());
}

#[test]
fn sel_03_containers_are_entered_by_name_alone() {
    assert_eq!(selected(DOCUMENT, "block:code").len(), 2);
    one("block:list[0]/block:code[0]", "```", "```");
    one("block:list[0]/block:list[0]", "- inner", "inner");
    one("block:blockquote[0]/block:code[0]", "```", "```");
}

#[test]
fn sel_04_block_types() {
    one("block:table[0]", "| a |", "| 1 |");
    one("heading:h3[0]/block:code[0]", "indented", "indented");
    one("heading:h1[1]/block:paragraph[0]", "<div>", "</div>");
    assert_eq!(selected(DOCUMENT, "section[4]/block:paragraph").len(), 1);
}

#[test]
fn sel_05_indices_count_from_0_and_may_be_left_out() {
    assert_eq!(selected(DOCUMENT, "heading:h2").len(), 2);
    assert_eq!(selected(DOCUMENT, "section").len(), 5);
    assert_eq!(selected(DOCUMENT, "root[0]").len(), 1);
    assert!(selected(DOCUMENT, "heading:h2[99999999999999999999999]").is_empty());
}

#[test]
fn sel_07_08_pages_partition_the_text() {
    let shown = |text: &'static str| pages(text, 2).into_iter().map(|page| &text[page]).collect::<Vec<_>>();
    assert_eq!(shown("a b c d e"), ["a b", " c d", " e"]);
    for whole in ["a b  ", "a b", "", " \n"] {
        assert_eq!(shown(whole), [whole]);
    }
    assert_eq!(first_page("a b c", 2), 0..3);
    assert_eq!(parse("section[0]/page[3]").unwrap().segments[1].index, Some(3));
    for wrong in ["page[0]", "section/page[0]/block:code", "section[0]/root"] {
        assert_eq!(parse(wrong).unwrap_err().kind, ProblemKind::MisplacedSegment, "{wrong}");
    }
}

#[test]
fn sel_09_queries() {
    assert!(parse("root?full=TRUE").unwrap().full);
    let odd = parse("root?full=true&full=false&x=1").unwrap();
    assert!(odd.full);
    assert_eq!(odd.warnings.len(), 2);
    for wrong in ["root?full", "root?=", "root?full=maybe", "root?"] {
        assert_eq!(parse(wrong).unwrap_err().kind, ProblemKind::MalformedQuery, "{wrong}");
    }
}

#[test]
fn sel_15_mistakes_have_a_place() {
    for (text, kind, part) in [
        ("doc::heading:h9[1]", ProblemKind::UnknownSegment, "heading:h9"),
        ("section[x]", ProblemKind::BadIndex, "[x]"),
        ("section[1", ProblemKind::BadIndex, "[1"),
        ("a b::root", ProblemKind::BadNamespace, "a b"),
        ("root//section", ProblemKind::UnknownSegment, ""),
        (" ", ProblemKind::Empty, " "),
    ] {
        let problem = parse(text).unwrap_err();
        assert_eq!((problem.kind, &text[problem.span]), (kind, part), "{text}");
    }
}

#[test]
fn sel_16_what_was_meant() {
    let tree = Tree::read(&Source::new(DOCUMENT));
    let documents = [("doc", &tree)];
    assert_eq!(suggestions("doc::heading:h2[7]", &documents)[0], "doc::heading:h2[1]");
    assert_eq!(suggestions("#deep", &documents)[0], "doc::heading:h3[0]");
    assert!(suggestions("block:cod[0]", &documents).contains(&"doc::block:code[0]".to_owned()));
    assert!(suggestions("block:cod[0]", &documents).len() <= 5);
}

#[test]
fn sel_17_short_forms_are_written_out() {
    for (short, long) in [
        ("h2.1", "heading:h2[1]"),
        ("H2[1]", "heading:h2[1]"),
        ("doc::para.0", "doc::block:paragraph[0]"),
        ("quote", "block:blockquote"),
        ("root[0]", "root"),
    ] {
        assert_eq!(parse(short).unwrap().to_string(), long);
    }
}

proptest! {
    #[test]
    fn sel_03_every_node_is_selected_by_its_own_path(lines in prop::collection::vec(prop::sample::select(vec!["# a", "## b", "text", "", "- item", "  - inner", "> quote", "> - x", "```", "    code", "| a |", "|---|", "Setext", "===", "***", "<b>", "\t", "日本 e\u{301}"]), 0..30), crlf in any::<bool>()) {
        let text = lines.join(if crlf { "\r\n" } else { "\n" });
        let tree = Tree::read(&Source::new(&text));
        let mut reached = vec![false; text.len()];
        for node in tree.nodes() {
            let selector = parse(&tree.path(node)).unwrap();
            prop_assert_eq!(selector.to_string(), tree.path(node));
            prop_assert_eq!(resolve(&tree, &selector), vec![Match { node, page: None }]);
            let span = tree.span(node);
            prop_assert!(text.get(span.clone()).is_some());
            reached[span].fill(true);
        }
        let missed = text.bytes().zip(&reached).find(|(byte, reached)| !byte.is_ascii_whitespace() && !**reached);
        prop_assert!(missed.is_none(), "{:?}", missed);
    }

    #[test]
    fn sel_08_pages_joined_are_the_text(text in "[a-c \n\u{3000}é]{0,60}", size in 1..6usize) {
        let found = pages(&text, size);
        prop_assert_eq!(found.iter().map(|page| &text[page.clone()]).collect::<String>(), text.as_str());
        let full = found.len() - 1;
        prop_assert!(found.iter().take(full).all(|page| word_count(&text[page.clone()]) == size));
    }

    #[test]
    fn sel_19_parsing_never_panics(text in "\\PC{0,40}|(doc::|root|section|heading:h2|block:code|page|/|\\[|\\]|[0-9]|\\?|full=true|&|\\.){0,12}") {
        if let Err(problem) = parse(&text) {
            prop_assert!(text.get(problem.span).is_some());
        }
    }
}
