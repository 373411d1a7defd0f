//! SEL-1 to SEL-19 of the conformance list, except for commands.

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
    one("heading:h3[0]/block:code[0]", "    indented", "indented");
    one("heading:h1[1]/block:paragraph[0]", "<div>", "</div>");
    assert_eq!(selected(DOCUMENT, "section[4]/block:paragraph").len(), 1);
}

#[test]
fn sel_04_every_untyped_block_is_a_paragraph() {
    let text = "\u{feff}One [a].\n\n[a]: http://a\n[b]: http://b\n  \"B\"\n\n# H\n[c]: c\n\nTwo\n\n***\n\n> [d]: d\n\n[e]: e";
    let expected = ["One [a].", "[a]: http://a\n[b]: http://b\n  \"B\"", "[c]: c", "Two", "[e]: e"];
    assert_eq!(selected(text, "block:paragraph"), expected);
    let crlf = text.replace('\n', "\r\n");
    assert_eq!(selected(&crlf, "block:paragraph[3]"), ["Two"]);
    assert_eq!(selected(&crlf, "heading:h1[0]/block:paragraph[0]"), ["[c]: c"]);
}

#[test]
fn sel_04_indented_code_keeps_its_indentation() {
    for (text, whole) in [
        ("# A\n\n    line1\n      line2\n    line3\n", "    line1\n      line2\n    line3"),
        ("# A\n\n\tline1\n\tline2\n", "\tline1\n\tline2"),
        ("# A\n\n      日本\n    🦆\n", "      日本\n    🦆"),
        ("1.  item\n\n        code\n        more\n", "    code\n        more"),
    ] {
        for eol in ["\n", "\r\n"] {
            let (text, whole) = (text.replace('\n', eol), whole.replace('\n', eol));
            let path =
                if text.starts_with('#') { "block:code[0]" } else { "block:list[0]/block:code[0]" };
            let found = selected(&text, path);
            assert_eq!(found.len(), 1, "{text:?}");
            assert_eq!(found[0].trim_end(), whole, "{text:?}");
        }
    }
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
    let shown =
        |text: &'static str| pages(text, 2).into_iter().map(|page| &text[page]).collect::<Vec<_>>();
    assert_eq!(shown("a b c d e"), ["a b", " c d", " e"]);
    for whole in ["a b  ", "a b", "", " \n"] {
        assert_eq!(shown(whole), [whole]);
    }
    assert_eq!(first_page("a b c", 2), 0..3);
    assert_eq!(parse("section[0]/page[3]").unwrap().segments[1].index, Some(Index::one(3)));
    for wrong in ["page[0]", "section/page[0]/block:code", "section[0]/root"] {
        assert_eq!(parse(wrong).unwrap_err().kind, ProblemKind::MisplacedSegment, "{wrong}");
    }
}

#[test]
fn sel_09_queries() {
    assert!(parse("root?full=TRUE").unwrap().query.full);
    let odd = parse("root?full=true&full=false&x=1").unwrap();
    assert!(odd.query.full);
    assert_eq!(odd.warnings.len(), 2);
    for wrong in ["root?full", "root?=", "root?full=maybe", "root?"] {
        assert_eq!(parse(wrong).unwrap_err().kind, ProblemKind::MalformedQuery, "{wrong}");
    }
}

#[test]
fn sel_15_errors_have_a_span() {
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
fn sel_17_ranges_lists_and_blocks_of_every_type() {
    assert_eq!(selected(DOCUMENT, "section[1-2]").len(), 2);
    assert_eq!(selected(DOCUMENT, "section[2,0,0-1,9]"), selected(DOCUMENT, "section[0-2]"));
    assert_eq!(selected(DOCUMENT, "section[0-99999999999999999999999]").len(), 5);
    assert_eq!(selected(DOCUMENT, "heading:h2[0]/*").len(), 3);
    assert_eq!(
        selected(DOCUMENT, "heading:h2[0]/*[1]"),
        selected(DOCUMENT, "heading:h2[0]/block:code[0]")
    );
    assert_eq!(selected(DOCUMENT, "block:list[0]/*").len(), 4);
    for wrong in
        ["section[2-1]", "section[1-]", "section[,]", "section[1,,2]", "section[-1]", "section[ 1]"]
    {
        assert_eq!(parse(wrong).unwrap_err().kind, ProblemKind::BadIndex, "{wrong}");
    }
}

fn shown(text: &str, selector: &str, max_words: usize) -> Vec<(String, bool)> {
    let tree = Tree::read(&Source::new(text));
    let selector = parse(selector).unwrap();
    let found = resolve(&tree, &selector);
    let each = found.iter().flat_map(|found| {
        contents(&tree, &text[tree.span(found.node)], found, &selector.query, max_words)
            .unwrap_or_default()
    });
    each.map(|content| (text[content.span].to_owned(), content.truncated)).collect()
}

#[test]
fn sel_17_lines_of_a_node() {
    let text = "# A\r\none\r\n\r\n## B\r\ntwo\r\nthree\r\n";
    let one = |selector: &str| shown(text, selector, 500).into_iter().next().unwrap();
    assert_eq!(one("h1.0?head=2"), ("# A\r\none\r\n".to_owned(), true));
    assert_eq!(one("h1.0?tail=1"), ("three\r\n".to_owned(), true));
    assert_eq!(one("h1.0?until=h2.0"), ("# A\r\none\r\n\r\n".to_owned(), true));
    assert_eq!(one("h1.0?until=h2.0&tail=2"), ("one\r\n\r\n".to_owned(), true));
    assert_eq!(one("h1.0?head=0"), (String::new(), true));
    for all in ["h1.0?head=6", "h1.0?tail=99999999999999999999999", "h1.0?until=h5.0", "h1.0"] {
        assert_eq!(one(all), (text.to_owned(), false), "{all}");
    }
    for wrong in [
        "root?head=x",
        "root?tail=-1",
        "root?until=a::root",
        "root?until=x",
        "root?until=root",
        "root?head=",
    ] {
        assert_eq!(parse(wrong).unwrap_err().kind, ProblemKind::MalformedQuery, "{wrong}");
    }
}

#[test]
fn sel_08_a_page_is_what_truncation_leaves() {
    let words = |text: &str, selector: &str| shown(text, selector, 2);
    let text = "a b c d e";
    assert_eq!(words(text, "root"), [("a b".to_owned(), true)]);
    assert_eq!(words(text, "root/page[0]"), words(text, "root"));
    assert_eq!(
        words(text, "root/page").into_iter().map(|(text, _)| text).collect::<String>(),
        text
    );
    assert_eq!(words(text, "root?full=true"), [(text.to_owned(), false)]);
    assert_eq!(words("a b", "root/page[0]"), [("a b".to_owned(), false)]);
    assert!(words(text, "root/page[3]").is_empty());
}

#[test]
fn sel_10_names_of_documents() {
    for (file, name) in [
        ("README.md", "readme"),
        ("My Notes.v2.md", "my-notes-v2"),
        ("日本.md", "--"),
        ("Makefile", "makefile"),
        (".md", "-md"),
        ("a_b-C.markdown", "a_b-c"),
    ] {
        assert_eq!(namespace(file), name);
    }
    let mut names = super::namespace::Namespaces::default();
    let given = ["A.md", "x/a.md", "a-2.md", "a.md", "b.md"]
        .map(|file| names.next(file.rsplit('/').next().unwrap()));
    assert_eq!(given, ["a", "a-2", "a-2-2", "a-3", "b"]);
}

#[test]
fn sel_16_grammar_that_is_almost_right() {
    let tree = Tree::read(&Source::new(DOCUMENT));
    let documents = [("doc", &tree)];
    for (wrong, meant) in [
        ("h20", "doc::heading:h2[0]"),
        ("heading:2(1)", "doc::heading:h2[1]"),
        ("heading.0", "doc::heading:h1[0]"),
        ("heading:h2 1", "doc::heading:h2[1]"),
        ("doc:section 3", "doc::section[3]"),
        ("DOC/sections[3", "doc::section[3]"),
        ("doc.md::h2(1)", "doc::heading:h2[1]"),
        ("doc::#two", "doc::heading:h2[0]"),
        ("doc::heading:h1[0]/codeblock", "doc::block:code[0]"),
        ("code[1", "doc::block:code[1]"),
        ("block[0]", "doc::block:paragraph[0]"),
        ("dok::section[4]", "doc::section[4]"),
        ("heading:h2[0]/block:code[3]", "doc::block:code[0]"),
    ] {
        assert_eq!(
            suggestions(wrong, &documents).first().map(String::as_str),
            Some(meant),
            "{wrong}"
        );
    }
}

/// The reference: compares every selector.
fn compared(wanted: &str, namespace: &str, tree: &Tree) -> Vec<String> {
    let mut ranked: Vec<(f64, usize, usize, String)> = tree
        .nodes()
        .map(|node| (tree.path(node), wanted.contains("::")))
        .map(|(path, qualified)| {
            let full = format!("{namespace}::{path}");
            let compared = if qualified { &full } else { &path };
            let distance = strsim::levenshtein(&wanted.to_lowercase(), compared);
            (
                1.0 - distance as f64 / wanted.chars().count().max(compared.chars().count()) as f64,
                distance,
                full.len(),
                full,
            )
        })
        .filter(|ranked| ranked.0 >= 0.4)
        .collect();
    ranked.sort_by(|a, b| {
        b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)).then_with(|| a.3.cmp(&b.3))
    });
    ranked.into_iter().take(5).map(|ranked| ranked.3).collect()
}

#[test]
fn sel_16_many_headings_are_ranked_like_few() {
    let tree = Tree::read(&Source::new(&"## x\n\n- a\n  - b\n\n> c\n\n".repeat(3000)));
    for wanted in [
        "doc::heading:h2[29999]",
        "heding:h2[17]",
        "DOC::section[290]",
        "block:list[100]/block:lst[1]",
        "dc::blok:blockquote[1]",
        "quux",
    ] {
        assert_eq!(
            super::alike::Alike::new(wanted, 5).search(&[("doc", &tree)]),
            compared(wanted, "doc", &tree),
            "{wanted}"
        );
    }
}

#[test]
fn sel_16_suggestions() {
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
        ("h2[1-3]", "heading:h2[1-3]"),
        ("h2.1-3", "heading:h2[1-3]"),
        ("h2.0,2,5-7", "heading:h2[0,2,5-7]"),
        ("H1.0/Code.2?HEAD=3&full=TRUE", "heading:h1[0]/block:code[2]?full=true&head=3"),
        ("*", "*"),
        ("section.1/*[2]?tail=4&until=h3.0", "section[1]/*[2]?tail=4&until=heading:h3[0]"),
    ] {
        assert_eq!(parse(short).unwrap().to_string(), long);
    }
}

#[test]
fn sel_16_a_misspelled_part_is_the_one_it_resembles() {
    let tree = Tree::read(&Source::new("# a\n\n## b\n\n- x\n\n### c\n\n| a |\n|---|\n| 1 |\n"));
    let first = |text: &str| suggestions(text, &[("doc", &tree)]).into_iter().next();
    let message = |text: &str| parse(text).unwrap_err().message;
    for (text, word, meant) in [
        ("heading:h3[0]/block:tabl[0]", "block:table", "doc::block:table[0]"),
        ("heading:h2[0]/block:lst[0]", "block:list", "doc::block:list[0]"),
        ("sectoin[0]", "section", "doc::section[0]"),
    ] {
        assert_eq!(first(text).as_deref(), Some(meant), "{text}");
        assert!(message(text).ends_with(&format!("did you mean `{word}`?")), "{}", message(text));
    }
    assert!(message("heading:h7[0]").ends_with("headings have the levels 1 to 6"));
    assert!(message("widget[0]").contains("; write `root`, "));
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
            prop_assert_eq!(resolve(&tree, &selector), vec![Match { node, pages: None }]);
            let span = tree.span(node);
            prop_assert!(text.get(span.clone()).is_some());
            reached[span].fill(true);
        }
        let missed = text.bytes().zip(&reached).find(|(byte, reached)| !byte.is_ascii_whitespace() && !**reached);
        prop_assert!(missed.is_none(), "{:?}", missed);
    }

    #[test]
    fn sel_06_what_is_selected_is_a_slice_of_the_source(lines in prop::collection::vec(prop::sample::select(vec!["# a", "## 日本", "\ttext  ", "", "- e\u{301}\u{a0}", "> 🦆", "```", "| a |", "|---|", "<b>"]), 0..20), ending in prop::sample::select(vec!["\n", "\r\n"])) {
        let text = lines.iter().map(|line| format!("{line}{ending}")).collect::<String>();
        let tree = Tree::read(&Source::new(&text));
        for node in tree.nodes() {
            let selector = parse(&format!("doc::{}?full=true", tree.path(node))).unwrap();
            let selected = super::selection::select("doc", &text, &tree, &selector, 1).unwrap();
            prop_assert_eq!(selected.iter().map(|one| one.content).collect::<Vec<_>>(), vec![&text[tree.span(node)]]);
        }
    }

    #[test]
    fn sel_08_pages_joined_are_the_text(text in "[a-c \n\u{3000}é]{0,60}", size in 1..6usize) {
        let found = pages(&text, size);
        prop_assert_eq!(found.iter().map(|page| &text[page.clone()]).collect::<String>(), text.as_str());
        let full = found.len() - 1;
        prop_assert!(found.iter().take(full).all(|page| word_count(&text[page.clone()]) == size));
    }

    #[test]
    fn sel_16_the_search_equals_the_comparison(lines in prop::collection::vec(prop::sample::select(vec!["# a", "## b", "text", "", "- item", "  - inner", "> quote", "> - x", "```"]), 0..40), wanted in "((doc::)?(heading:h[1-3]|section|block:(code|list|paragraph)|root|hed)[\\[(]?[0-9]{0,2}\\]?/?){1,2}") {
        let tree = Tree::read(&Source::new(&lines.join("\n")));
        prop_assert_eq!(super::alike::Alike::new(&wanted, 5).search(&[("doc", &tree)]), compared(&wanted, "doc", &tree));
    }

    #[test]
    fn sel_16_suggestions_resolve(lines in prop::collection::vec(prop::sample::select(vec!["# a", "## b", "text", "- item", "  - inner", "> quote"]), 0..20), wanted in "\\PC{0,20}|(doc::|root|section|heading|h|:|2|block:|code|list|page|/|\\[|\\]|[0-9]|\\?|#|a| ){0,8}") {
        let tree = Tree::read(&Source::new(&lines.join("\n")));
        let found = suggestions(&wanted, &[("doc", &tree)]);
        prop_assert!(found.len() <= 5);
        for suggestion in found {
            let selector = parse(&suggestion).unwrap();
            prop_assert_eq!(selector.namespace.as_deref(), Some("doc"));
            prop_assert_eq!(resolve(&tree, &selector).len(), 1, "{}", suggestion);
        }
    }

    #[test]
    fn sel_07_words_of_a_part(text in "[a-c \n\u{3000}é]{0,900}", a in 0..900usize, b in 0..900usize) {
        let (a, b) = (text.floor_char_boundary(a.min(b)), text.floor_char_boundary(a.max(b)));
        prop_assert_eq!(super::page::Words::new(&text).count(a..b), text[a..b].split_whitespace().count());
        prop_assert_eq!(word_count(&text), text.split_whitespace().count());
        prop_assert_eq!(&text[first_page(&text, 3)], &text[pages(&text, 3)[0].clone()]);
    }

    #[test]
    fn sel_19_parsing_never_panics(text in "\\PC{0,40}|(doc::|root|section|heading:h2|block:code|page|/|\\[|\\]|[0-9]|\\?|full=true|&|\\.){0,12}") {
        if let Err(problem) = parse(&text) {
            prop_assert!(text.get(problem.span).is_some());
        }
    }
}
