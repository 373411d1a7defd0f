//! SEL-20: selectors in documents.

use std::path::Path;

use super::names::Names;
use super::{complete, definition, hover, inlays, references};
use crate::cache::Limit;
use crate::config::Config;
use crate::document::Document;
use crate::format::Context;
use crate::ide;
use crate::selector::mention;
use crate::source::Source;
use crate::world::Memory;

const GUIDE: &str =
    "intro\n\n# Guide\n\n## Setup\n\n```sh\nrun\n```\n\n## Use\n\nLong text here.\n\n- a\n  - b\n";

/// The result of `ask` for a document at `/w/doc.md`, with `$0` for the cursor, next to
/// `/w/guide.md`.
fn at<T>(text: &str, ask: impl FnOnce(&Context, usize) -> T) -> T {
    let offset = text.find("$0").unwrap_or(0);
    let text = text.replace("$0", "");
    let (path, config) = (Path::new("/w/doc.md"), Config::default());
    let world = Memory::default()
        .with(path, &text)
        .with("/w/guide.md", GUIDE)
        .with("/w/deep/My Notes.md", "# n\n");
    let source = Source::new(&text);
    ask(&Context::new(&source, Some(path), &world, &config), offset)
}

fn mentioned(text: &str) -> Vec<String> {
    mention::all(&Source::new(text))
        .into_iter()
        .map(|mention| text[mention.span].to_owned())
        .collect()
}

fn findings(text: &str) -> Vec<(String, String)> {
    at(text, |cx, _| {
        let document = Document::new(&cx.source.slice(0..cx.source.len()), cx.path, cx.config);
        let found = ide::diagnostics::diagnostics(&document, cx);
        found
            .into_iter()
            .map(|finding| {
                (finding.rule.code.to_owned(), cx.source.slice(finding.span).into_owned())
            })
            .collect()
    })
}

/// Each search for suggestions reads the whole document.
#[test]
fn sel_16_only_the_first_selectors_get_suggestions() {
    let text = |count: usize| {
        let wrong =
            |at: usize| format!("## H{at}\n\nsee `doc::h2[{}]` and `doc::hed`\n\n", count + at);
        "# T\n\n".to_owned() + &(0..count).map(wrong).collect::<String>()
    };
    let fixed = |text: &str| {
        at(text, |cx, _| {
            let document = Document::new(text, cx.path, cx.config);
            let found = ide::diagnostics::diagnostics(&document, cx);
            (found.len(), found.iter().filter(|finding| !finding.fixes.is_empty()).count())
        })
    };
    let most = super::rules::MOST_SEARCHES;
    let (found, with) = fixed(&text(most));
    assert!(found >= most && with == most, "{found} {with}");
    crate::growth::is_linear("selectors without a match", 800, text, |text| {
        assert!(!findings(&text).is_empty());
    });
}

fn offered(text: &str) -> Vec<String> {
    at(text, |cx, offset| {
        complete::complete(cx, offset).into_iter().map(|item| item.label).collect()
    })
}

#[test]
fn sel_20_recognised_selectors() {
    for (text, expected) in [
        (
            "See `guide::heading:h2[1]` and guide::section[2]/block:code, too.\n",
            &["guide::heading:h2[1]", "guide::section[2]/block:code"][..],
        ),
        (
            "`heading:h2[0]`, `block:code`, `section[0]/block:list[1]`\n",
            &["heading:h2[0]", "block:code"],
        ),
        (
            "guide::root. (guide::h2.1) \"guide::code[0]\"\n",
            &["guide::root", "guide::h2.1", "guide::code[0]"],
        ),
        ("日本guide::root 🦆`x::block:kode[1]`\r\n", &["guide::root", "x::block:kode[1]"]),
        (
            "---\nfrom: guide::heading:h1[0]\nlist: [\"guide::root\", guide::section[1]]\n---\n",
            &["guide::heading:h1[0]", "guide::root", "guide::section[1]"],
        ),
        (
            "```sh\n$ mdsel select h2.1 'guide::section[0]' guide.md --max-words 3 | less h1.0\nagentmd select \"block:code[0]\" # h3\n```\n",
            &["h2.1", "guide::section[0]", "block:code[0]"],
        ),
        ("`agentmd select section[3 guide.md`, `mdsel h2.0 README.md`\n", &["section[3", "h2.0"]),
        // None of these is a selector.
        (
            "`std::vec`, a::b, `a::section_of`, std::list<int>, `x::code`, `a::b::root`, https://a/b::root, `list[0]`, `root`, `h2.1`\n",
            &[],
        ),
        (
            "`std::list::iterator`, `ns::table`, Foo::page, `a::*`, `self.page::rooted`, `crate::h1`\n",
            &[],
        ),
        ("```rust\nlet x = guide::heading:h2[1];\nblock::code\n```\n\n    foo::root\n", &[]),
        (
            "Run `mdsel select SELECTOR… FILE`, `mdsel select $X <file>`, `mdsel index x.md`, `mdsel` and `agentmd check h2.1`\n",
            &[],
        ),
        ("`unclosed guide::section[1]\n\n``a `guide::x` b``\n", &["guide::section[1]"]),
    ] {
        assert_eq!(mentioned(text), expected, "{text}");
    }
}

#[test]
fn sel_20_findings() {
    let one = |code: &str, text: &str| vec![(format!("selector/{code}"), text.to_owned())];
    assert_eq!(findings("`guide::heading:h2[1]` guide::root guide::h2.0\n"), []);
    assert_eq!(findings("`guide::heading:h2[2]`\n"), one("unresolved", "heading:h2[2]"));
    assert_eq!(
        findings("guide::heading:h2[0]/block:list[0]\n"),
        one("unresolved", "block:list[0]")
    );
    assert_eq!(findings("guide::section[0]/page[3]\n"), one("unresolved", "page[3]"));
    assert_eq!(findings("`guide::heading:h8[2]`\n"), one("malformed", "heading:h8"));
    assert_eq!(findings("`giude::heading:h2[1]`\n"), one("unknown-document", "giude"));
    assert_eq!(findings("`my-notes::heading:h1[0]` `doc::root` `doc-2::block:code[0]`\n"), []);
    assert_eq!(findings("# x\n\n`doc::heading:h1[1]`\n"), one("unresolved", "heading:h1[1]"));
    // The documents of these are unknown.
    assert_eq!(findings("`heading:h2[9]` `x::root` foo::section[1]\n"), []);
    assert_eq!(findings("```sh\nmdsel select h2.7 guide.md\n```\n"), one("unresolved", "h2.7"));
    assert_eq!(
        findings(
            "```sh\nmdsel select h2.7 gone.md\nmdsel select h2.1 guide.md\nmdsel select h2.x\n```\n"
        ),
        []
    );
    assert_eq!(findings("---\nfrom: guide::section[9]\n---\n"), one("unresolved", "section[9]"));
    assert_eq!(findings("`guide::section[9]` <!-- agentmd-disable-line selector -->\n"), []);
}

#[test]
fn sel_20_fixes_resolve() {
    at("Read `guide::heading:h2[7]?full=true`.\n", |cx, _| {
        let document = Document::new(&cx.source.slice(0..cx.source.len()), cx.path, cx.config);
        let found = ide::diagnostics::diagnostics(&document, cx);
        let fix = &found[0].fixes[0];
        assert_eq!(
            (fix.title.as_str(), fix.edits[0].text.as_str()),
            ("Write `guide::heading:h2[1]?full=true`", "guide::heading:h2[1]?full=true")
        );
        assert_eq!(
            found[0].message,
            "index 7 is out of range: `heading:h2` goes from 0 to 1 in the document"
        );
    });
}

#[test]
fn sel_20_hover_shows_the_selected_nodes() {
    let shown =
        |text: &str| at(text, |cx, offset| hover::hover(cx, offset).map(|hover| hover.markdown));
    let one = shown("a `guide::head$0ing:h2[1]` b\n").unwrap();
    assert_eq!(
        one,
        "**`guide::heading:h2[1]`** · 9 words · `guide.md`\n\n```markdown\n## Use\n\nLong text here.\n\n- a\n  - b\n```"
    );
    assert_eq!(
        shown("guide::h2.0/code.$00\n").unwrap(),
        "**`guide::block:code[0]`** · 3 words · `guide.md`\n\n````markdown\n```sh\nrun\n```\n````"
    );
    assert_eq!(
        shown("guide::h$02[0-1]\n").unwrap(),
        "**2 matches** in `guide.md`\n\n- `guide::heading:h2[0]` `## Setup`\n- `guide::heading:h2[1]` `## Use`"
    );
    assert_eq!(
        shown("# Own\n\n`heading:h1[$00]`\n").unwrap().lines().next(),
        Some("**`doc::heading:h1[0]`** · 3 words · this document")
    );
    for nothing in
        ["`guide::heading:h$02[7]`\n", "std::$0vec\n", "x\n", "`guide::heading:h7[$00]`\n"]
    {
        assert_eq!(shown(nothing), None);
    }
}

#[test]
fn sel_20_definition_and_references() {
    at("`guide::heading:h2[1]/block:l$0ist[0]`\n", |cx, offset| {
        let found = definition::definition(cx, offset);
        assert_eq!(
            (
                found[0].path.as_deref(),
                &GUIDE[found[0].span.clone()],
                &GUIDE[found[0].selection.clone()]
            ),
            (Some(Path::new("/w/guide.md")), "- a\n  - b", "- a")
        );
    });
    let text = "# A$0\n\n`doc::heading:h1[0]` `heading:h1[0]` doc::section[0] doc::section[0]/block:paragraph[0]\n\n`guide::root`\n";
    at(text, |cx, offset| {
        let found = references::references(cx, offset);
        let found: Vec<_> =
            found.into_iter().map(|place| cx.source.slice(place.span).into_owned()).collect();
        assert_eq!(found, ["doc::heading:h1[0]", "heading:h1[0]", "doc::section[0]"]);
    });
}

#[test]
fn sel_20_completion_goes_part_by_part() {
    assert_eq!(
        offered("```sh\nagentmd select $0\n```\n"),
        ["deep::", "doc::", "guide::", "my-notes::"]
            .map(str::to_owned)
            .into_iter()
            .filter(|name| name != "deep::")
            .collect::<Vec<_>>()
    );
    assert_eq!(offered("`gu$0`\n"), ["guide::"]);
    let kinds = [
        "root",
        "heading:h1",
        "heading:h2",
        "section",
        "block:paragraph",
        "block:list",
        "block:code",
        "*",
    ];
    for text in [
        "`guide::$0`\n",
        "text guide::$0\n",
        "---\nfrom: guide::$0\n---\n",
        "```sh\nmdsel select 'guide::$0'\n```\n",
    ] {
        assert_eq!(offered(text), kinds, "{text}");
    }
    assert_eq!(offered("guide::heading:h2$0"), ["heading:h2", "heading:h2[0]", "heading:h2[1]"]);
    assert_eq!(offered("guide::heading:h2[$0]"), ["heading:h2[0]", "heading:h2[1]"]);
    assert_eq!(offered("guide::heading:h2[1]/$0"), ["block:paragraph", "block:list", "*"]);
    assert_eq!(offered("guide::block:list[0]/block:list[$0"), ["block:list[0]"]);
    assert_eq!(offered("guide::root?$0"), ["full=true", "head=", "tail=", "until="]);
    assert_eq!(
        offered("```sh\nmdsel select sec$0 guide.md\n```\n"),
        ["section", "section[0]", "section[1]", "section[2]"]
    );
    for nothing in [
        "std::$0",
        "`std::$0`",
        "guide::h2[7]/$0",
        "```rust\nguide::$0\n```\n",
        "`$0`",
        "gu$0",
        "guide::vec$0",
    ] {
        assert_eq!(offered(nothing), Vec::<String>::new(), "{nothing}");
    }
    at("guide::heading:h2[$0] x", |cx, offset| {
        let item = &complete::complete(cx, offset)[1];
        assert_eq!(
            (item.detail.as_deref(), item.documentation.as_deref()),
            (Some("Use"), Some("```markdown\n## Use\n\nLong text here.\n\n- a\n  - b\n```"))
        );
        // The closing bracket from the editor is replaced too.
        assert_eq!(cx.source.slice(item.edit.span.clone()), "heading:h2[]");
    });
}

#[test]
fn sel_20_hints_name_the_headings() {
    at("# A\n\nx\n\n## B\n", |cx, _| {
        let found: Vec<_> = inlays::inlays(cx, &(0..cx.source.len()))
            .into_iter()
            .map(|inlay| (inlay.offset, inlay.label))
            .collect();
        assert_eq!(found, [(3, "  heading:h1[0]".to_owned()), (12, "  heading:h2[0]".to_owned())]);
    });
}

#[test]
fn names_stay_within_their_share_and_report_that_they_are_incomplete() {
    let limit = Limit::new(64 << 10);
    let world = Memory::default().with("/w/doc.md", "").with_limit(limit.clone());
    let names = Names::of(&world);
    assert!(names.is_complete());
    let most = (0..1000)
        .inspect(|number| {
            let text = format!("`agentmd select page-{number}:section[0]`\n");
            names.learn(Path::new(&format!("/w/{number}.md")), &Source::new(&text));
            assert!(names.held() <= (64 << 10) / 8, "{} after {number}", names.held());
        })
        .take_while(|_| names.is_complete())
        .count();
    assert!((5..100).contains(&most), "{most}");
    assert_eq!(names.documents("1.md").len() + names.documents("1").len(), 1);
    // Forgotten names make room.
    (0..1000).for_each(|number| names.forget(Path::new(&format!("/w/{number}.md"))));
    names.forget(Path::new("/w/doc.md"));
    assert_eq!(names.held(), 0);
}

#[test]
fn a_rewrite_too_large_to_remember_is_not_offered_again() {
    let (path, config) = (Path::new("/w/guide.md"), Config::default());
    let saved = GUIDE.to_owned() + &"x\n".repeat(4000);
    let edited = |new: &str| Source::new(&saved.replace("## Setup", &format!("{new}## Setup")));
    let offered = |limit: Limit| {
        let other = "---\nfrom: guide::heading:h2[0]\n---\n";
        let world =
            Memory::default().with(path, &saved).with("/w/other.md", other).with_limit(limit);
        Names::of(&world).learn(Path::new("/w/other.md"), &Source::new(other));
        let (first, second) = (edited("## New\n\n"), edited("## Newer\n\n## New\n\n"));
        let cx = Context::new(&first, Some(path), &world, &config);
        let before = ide::selectors::rewriting(&cx).map(|found| found.count);
        ide::selectors::rewritten(&cx);
        let cx = Context::new(&second, Some(path), &world, &config);
        (before, ide::selectors::rewriting(&cx).map(|found| found.count))
    };
    assert_eq!(offered(Limit::default()), (Some(1), Some(1)));
    // Names fit, the text doesn't.
    assert_eq!(offered(Limit::new(64 << 10)), (Some(1), None));
}

#[test]
fn sel_15_each_index_of_a_list_must_exist() {
    let found = |selector: &str| findings(&format!("日本 🦆 `{selector}`.\r\n"));
    let unresolved = |text: &str| [("selector/unresolved".to_owned(), text.to_owned())];
    assert_eq!(found("guide::h2[0,1]"), []);
    assert_eq!(found("guide::h2[0-5]"), []);
    assert_eq!(found("guide::h2[0,5]"), unresolved("h2[0,5]"));
    assert_eq!(found("guide::h1[0]/section[0,5-7]/block:code"), unresolved("section[0,5-7]"));
}

#[test]
fn sel_20_lists_and_levels_follow_what_moves() {
    const SAVED: &str = "# T\n\n## One\n\np1\n\n### In\n\n## Two\n\n日本 🦆\n\n## Three\n";
    let rewritten = |edited: &str, selectors: &str| {
        let (path, config) = (Path::new("/w/guide.md"), Config::default());
        let mut found = Vec::new();
        for eol in ["\n", "\r\n"] {
            let other = format!("See 🦆 {selectors}.\n").replace('\n', eol);
            let saved = SAVED.replace('\n', eol);
            let world = Memory::default().with(path, &saved).with("/w/other.md", &other);
            Names::of(&world).learn(Path::new("/w/other.md"), &Source::new(&other));
            let source = Source::new(&edited.replace('\n', eol));
            let cx = Context::new(&source, Some(path), &world, &config);
            let files = ide::selectors::rewriting(&cx).map(|found| found.files).unwrap_or_default();
            let edits: Vec<_> = files.into_iter().flat_map(|file| file.edits).collect();
            let after = crate::text::apply(&other, &edits).unwrap();
            found.push(after.replace(eol, "\n"));
        }
        assert_eq!(found[0], found[1]);
        found[0].trim_start_matches("See 🦆 ").trim_end_matches(".\n").to_owned()
    };
    let before = SAVED.replace("## One", "## Zero\n\n## One");
    let between = SAVED.replace("## Two", "## New\n\n## Two");
    let up = SAVED.replace("## Two", "# Two");
    let gone = SAVED.replace("## Two\n\n日本 🦆\n\n", "");
    for (edited, selectors, expected) in [
        (
            &before,
            "`guide::h2[0-1]` `guide::h2.0,2` `guide::heading:h2[0,1,2]`",
            "`guide::h2[1-2]` `guide::h2.1,3` `guide::heading:h2[1-3]`",
        ),
        (
            &between,
            "`guide::h2[0-1]` `guide::h2[1-2]` `guide::h2[0]`",
            "`guide::h2[0,2]` `guide::h2[2-3]` `guide::h2[0]`",
        ),
        (&before, "`guide::h2[0-9]` `guide::h2`", "`guide::h2[0-9]` `guide::h2`"),
        (
            &up,
            "`guide::heading:h2[1]` `guide::h2.2` `guide::h2[0-1]`",
            "`guide::heading:h1[1]` `guide::h2.1` `guide::h2[0-1]`",
        ),
        (
            &up,
            "`guide::h1[0]/h2[0]/h3[0]` `guide::h1[0]/h2[0]`",
            "`guide::h1[0]/h2[0]/h3[0]` `guide::h1[0]/h2[0]`",
        ),
        (&gone, "`guide::h2[0-1]` `guide::h2[0,2]`", "`guide::h2[0-1]` `guide::h2[0-1]`"),
    ] {
        assert_eq!(rewritten(edited, selectors), expected, "{edited}");
    }
}
