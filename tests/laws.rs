//! Properties that are true of every document and every edit.

use std::path::Path;

use agentmd::cache::Limit;
use agentmd::config::Config;
use agentmd::document::Document;
use agentmd::format::Context;
use agentmd::ide;
use agentmd::markdown::block;
use agentmd::source::Source;
use agentmd::text::{Edit, Encoding, Rope};
use agentmd::world::{Memory, World};
use proptest::prelude::*;

/// Pieces of text that open, close and confuse blocks.
const PIECES: &[&str] = &[
    "a",
    "Word ",
    " ",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "# H\n",
    "## Two\n\n",
    "#\n",
    "```\n",
    "```rust\n",
    "~~~\n",
    "````\n",
    "- x\n",
    "- ",
    "* ",
    "1. ",
    "2) y\n",
    "  ",
    "    ",
    "\t",
    "> ",
    ">",
    "> q\n",
    "---\n",
    "---\r\n",
    "===\n",
    "| a | b |\n",
    "|---|---|\n",
    "<div>\n",
    "</div>\n",
    "<!-- ",
    "-->\n",
    "<pre>",
    "</pre>\n",
    "<x>\n",
    "[l](u.md)",
    "[r]: /u\n",
    "`",
    "**",
    "é",
    "🦆",
    "日本",
    "\u{301}",
    "name: x\n",
    "input:\n",
    "output: {}\n",
    "key",
    ":",
    "\u{feff}",
    "\0",
    "Paragraph one.\n\n",
    "Alpha beta gamma.\n\n",
    "agentmd-disable-line x\n",
    "Zulu\n\n",
    "Yankee doodle\n\n",
    "Third text here\n\n",
    "fourth\n\n",
    "fifth one\n\n",
    "Sixth thing\n\n",
    "Seventh\n\n",
    "Eight lines\n\n",
    "Ninth\n\n",
    "tenth\n\n",
    "[REASONING]\n",
    "[MOOD] 0.5\n",
    "[ACTION_0_TYPE] create_file\n",
    "[ACTION_0_PATH] a.rs\n",
    "[ACTION_0_CONTENT_START]\n",
    "[ACTION_0_CONTENT_END]\n",
    "[ACTION_1_TYPE] finish\n",
    "## Context\n\n### Code (from a.rs:1-1)\n```lisp\n",
    "\n```\n\n### Text\n```\n",
    "## Request\n",
    "<context>\n### a.rs:1-2 (:file)\n```\n",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..60).prop_map(|pieces| pieces.concat())
}

fn edits() -> impl Strategy<Value = Vec<(u16, u16, String)>> {
    let piece = prop_oneof![3 => prop::sample::select(PIECES).prop_map(str::to_owned), 1 => Just(String::new())];
    prop::collection::vec((any::<u16>(), prop_oneof![3 => 0_u16..4, 1 => 0_u16..80], piece), 1..12)
}

fn place(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn edit(text: &str, (at, length, new): &(u16, u16, String)) -> Edit {
    let start = place(text, usize::from(*at) % (text.len() + 1));
    let end = place(text, start + usize::from(*length));
    Edit::replace(start..end.max(start), new.clone())
}

fn whole_blocks(source: &Source) -> Vec<String> {
    let front = source.front_matter().map_or(0, |front| front.span.end);
    let text = source.slice(front..source.len());
    let found = block::read(&text, if front == 0 && text.starts_with('\u{feff}') { 3 } else { 0 });
    found
        .blocks
        .iter()
        .map(|b| {
            format!(
                "{:?} {:?} {}",
                shift(&b.kind, front),
                b.span.start + front..b.span.end + front,
                b.depth
            )
        })
        .collect()
}

fn sectioned_blocks(source: &Source) -> Vec<String> {
    source
        .sections()
        .flat_map(|placed| {
            source.blocks(placed).blocks.iter().map(move |b| {
                format!(
                    "{:?} {:?} {}",
                    shift(&b.kind, placed.start),
                    b.span.start + placed.start..b.span.end + placed.start,
                    b.depth
                )
            })
        })
        .collect()
}

fn shift(kind: &block::BlockKind, by: usize) -> block::BlockKind {
    match kind.clone() {
        block::BlockKind::Heading { level, text, title, setext } => {
            block::BlockKind::Heading { level, text: text.start + by..text.end + by, title, setext }
        }
        other => other,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn sections_tile_the_document(text in text()) {
        let source = Source::new(&text);
        let joined: String = source.sections().map(|placed| source.section_text(placed).into_owned()).collect();
        prop_assert_eq!(joined, text);
    }

    #[test]
    fn an_edited_source_equals_a_fresh_one(text in text(), edits in edits()) {
        let mut text = text;
        let mut source = Source::new(&text);
        for step in &edits {
            let edit = edit(&text, step);
            // Reading the section's content must not change the result of an edit.
            for placed in source.sections() {
                source.blocks(placed);
                source.highlights(placed).for_each(drop);
            }
            source = source.edit(&edit);
            text.replace_range(edit.span, &edit.text);
            let fresh = Source::new(&text);
            prop_assert!(source.same_as(&fresh), "edited {:?}\nfresh {:?}", source.sections().map(|s| (s.span(), s.section.kind)).collect::<Vec<_>>(), fresh.sections().map(|s| (s.span(), s.section.kind)).collect::<Vec<_>>());
            for (a, b) in source.sections().zip(fresh.sections()) {
                prop_assert_eq!(source.blocks(a), fresh.blocks(b));
                prop_assert!(source.highlights(a).eq(fresh.highlights(b)));
            }
        }
    }

    #[test]
    fn a_reader_reads_what_the_source_has(text in text(), spans in prop::collection::vec((0..9000usize, 0..400usize), 8)) {
        let source = Source::new(&text.repeat(60));
        let reader = source.reader();
        for (start, length) in spans {
            let span = start..start + length;
            prop_assert_eq!(reader.slice(span.clone()), source.slice(span));
            prop_assert_eq!(reader.byte(start), source.text().get_byte(start));
        }
    }

    #[test]
    fn blocks_read_by_section_equal_blocks_read_whole(text in text()) {
        let source = Source::new(&text);
        prop_assert_eq!(sectioned_blocks(&source), whole_blocks(&source), "{:?}", source.sections().map(|s| s.span()).collect::<Vec<_>>());
    }

    #[test]
    fn positions_round_trip(mark in prop::bool::weighted(0.1), text in text(), at in any::<u16>()) {
        let text = if mark { format!("\u{feff}{text}") } else { text };
        let source = Source::new(&text);
        let offset = place(&text, usize::from(at) % (text.len() + 1));
        let rope = Rope::from_str(&text);
        prop_assert_eq!(source.line_count(), rope.len_lines());
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let position = source.position(offset, encoding);
            prop_assert_eq!(position.line as usize, rope.byte_to_line(offset));
            let back = source.offset(position, encoding);
            // No position is between `\r` and `\n`: both are the end of the line.
            let expected = if text.get(..offset).is_some_and(|t| t.ends_with('\r')) && text.get(offset..).is_some_and(|t| t.starts_with('\n')) { offset - 1 } else { offset };
            prop_assert_eq!(back, expected);
        }
    }
}

/// Real documents: the corpus of every format, the examples, and the docs.
fn corpus() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open = vec![root.join("tests/corpus"), root.join("examples"), root.join("docs")];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.extend(std::fs::read_to_string(path));
            }
        }
    }
    found.sort();
    assert!(found.len() > 20, "the corpus is missing");
    found
}

/// The output of all features for a document, as text.
fn answers(document: &Document, config: &Config, world: &Memory, path: &Path) -> String {
    let cx = Context::new(document.source(), Some(path), world, config);
    let all = 0..document.source().len();
    let diagnostics: Vec<_> = ide::diagnostics::diagnostics(document, &cx)
        .into_iter()
        .map(|d| (d.rule.code, d.span, d.message, d.fixes, d.related))
        .collect();
    format!(
        "{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}",
        document.format(),
        diagnostics,
        ide::symbols::symbols(document, &cx),
        ide::folding::folds(document, &cx),
        ide::links::links(document, &cx),
        ide::semantic_tokens::highlights(document, &cx, all),
        ide::completion::completions(document, &cx, document.source().len()),
    )
}

/// Whether the highlights per stretch, which the server caches, equal those of the document.
fn is_highlighted_in_parts(document: &Document, cx: &Context) -> bool {
    let whole = ide::semantic_tokens::highlights(document, cx, 0..document.source().len());
    let own = ide::semantic_tokens::own_of_stretches(document, cx);
    let stretches = document.source().stretches().zip(own);
    let parts =
        stretches.flat_map(|(stretch, own)| ide::semantic_tokens::of_stretch(cx, stretch, own));
    parts.take(whole.len()).eq(whole)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn an_edited_document_answers_as_a_fresh_one(text in prop::sample::select(corpus()), edits in edits()) {
        let (config, world, path) = (Config::default(), Memory::default(), Path::new("/w/program.md"));
        let mut text = text;
        let mut document = Document::new(&text, Some(path), &config);
        for step in &edits {
            let edit = edit(&text, step);
            answers(&document, &config, &world, path);
            document = document.edit(std::slice::from_ref(&edit), Some(path), &config);
            text.replace_range(edit.span, &edit.text);
            let fresh = Document::new(&text, Some(path), &config);
            prop_assert_eq!(answers(&document, &config, &world, path), answers(&fresh, &config, &world, path));
            prop_assert!(is_shown_as_found(&document, &Context::new(document.source(), Some(path), &world, &config)));
            prop_assert!(is_highlighted_in_parts(&document, &Context::new(document.source(), Some(path), &world, &config)));
            for span in ide::diagnostics::diagnostics(&document, &Context::new(document.source(), Some(path), &world, &config)).into_iter().map(|d| d.span) {
                prop_assert!(text.get(span.clone()).is_some(), "{:?} is not a span of the text", span);
            }
        }
    }
}

/// Whether an editor's findings, which skip unchanged parts, equal those of a full check.
fn is_shown_as_found(document: &Document, cx: &Context) -> bool {
    [0, 1, 3, 20].into_iter().all(|most| {
        let shown = ide::diagnostics::shown(document, cx, most);
        let mut found = ide::diagnostics::diagnostics(document, cx);
        let rest = if most == 0 { None } else { ide::diagnostics::limit(&mut found, most) };
        shown.list() == found && shown.rest == rest
    })
}

/// Documents in the formats that are read in parts, long enough to have many parts.
fn long() -> Vec<String> {
    let program = "---\nname: a\ndescription: A.\ninput: { type: object, properties: { who: { type: string }, nick: { type: string } }, required: [who] }\noutput: { type: object, properties: { text: { type: string } }, required: [text] }\n---\n\n";
    let unit = |at: usize| {
        format!(
            "## Part {at}\n\nGreet {{{{ .who }}}}, {{{{ upper .nick }}}} and {{{{ .unknown{at} }}}}.\n\n"
        )
    };
    let action = |at: usize| {
        format!(
            "[ACTION_{at}_TYPE] {}\n[ACTION_{at}_PATH] src/{at}.py\n[ACTION_{at}_NOTE] n\n\n",
            ["read_file", "create_file", "edit_fil"][at % 3]
        )
    };
    let item = |at: usize| format!("### Code (from src/{at}.py:{at}-{at})\n```\nx = {at}\n```\n\n");
    let entry = |at: usize| {
        format!(
            "### Entry {at}\n\n**Human:** Do.\n\n**Assistant:** Done.\n\nsrc/a.py\n<<<<<< SEARCH\nx = {at}\n=======\ny\n>>>>>> REPLACE\n\n"
        )
    };
    let many = |one: &dyn Fn(usize) -> String| (0..200).map(one).collect::<String>();
    vec![
        format!("{program}{}", many(&unit)),
        format!("[REASONING]\nMuch.\n\n{}", many(&action)),
        format!("## Context\n\n{}", many(&item)),
        format!(
            "# Project: p\n\n## Meta: LLMD\n\nm\n\n## Mission\n\nm\n\n## Code Context\n\n### src/a.py\n```\nx = 7\n```\n\n## Changelog\n\n- c\n\n## Conversation Thread\n\n{}",
            many(&entry)
        ),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn an_edited_long_document_is_checked_as_a_fresh_one(text in prop::sample::select(long()), edits in edits()) {
        let (config, world, path) = (Config::default(), Memory::default(), Path::new("/w/program.md"));
        let mut text = text;
        let mut document = Document::new(&text, Some(path), &config);
        for step in edits.iter().take(5) {
            let edit = edit(&text, step);
            document.model();
            document = document.edit(std::slice::from_ref(&edit), Some(path), &config);
            text.replace_range(edit.span, &edit.text);
            let fresh = Document::new(&text, Some(path), &config);
            let cx = Context::new(document.source(), Some(path), &world, &config);
            prop_assert_eq!(ide::diagnostics::diagnostics(&document, &cx), ide::diagnostics::diagnostics(&fresh, &Context::new(fresh.source(), Some(path), &world, &config)));
            prop_assert!(is_shown_as_found(&document, &cx));
            prop_assert!(is_highlighted_in_parts(&document, &cx));
        }
    }
}

/// All cached types. Caches change how long an answer takes, but not the answer.
const REMEMBERED: &[&str] = &[
    "cache::Limit",
    "format::agent::names::index::Index",
    "format::blocks::chain::Steps",
    "format::blocks::identity::Number",
    "format::context::file::Version",
    "format::context::layout::passage::Slot",
    "format::context::parts::Long",
    "format::context::parts::Run",
    "format::context::read::Begins",
    "format::context::read::Known",
    "format::duckflow::part::Actions",
    "format::duckflow::read::Run",
    "format::duckflow::recognise::Signs",
    "format::edits::signs::Anything",
    "format::fences::Indented",
    "format::llmd::apply::Remembered",
    "format::llmd::entries::Entries",
    "format::llmd::event::Events",
    "format::llmd::recognise::Titles",
    "format::markdownlang::graph::Graph",
    "format::markdownlang::interface::Interface",
    "format::markdownlang::mention::Found",
    "format::markdownlang::program::Program",
    "format::selectors::moved::Baselines",
    "format::selectors::names::Names",
    "format::selectors::target::Failures",
    "ide::completion::Anchors",
    "plan::standing::Remembered",
    "reply::incremental::Read",
    "selector::mention::Notes",
    "selector::tree::Tree",
];

/// Documents that refer to files of the workspace in all ways.
const REFERRING: &[&str] = &[
    "---\nname: caller\ndescription: Calls.\nimports:\n  - ./helper.md\noutput:\n  type: object\n---\n\nCall helper.\n",
    "# Notes\n\nSee `guide::heading:h2[0]` and `guide::heading:h2[7]`.\n",
    "# Notes\n\n## Setup\n\nSee [the notes](#",
    "# Prompt\n\n## Context\n\n### Code (from src/app.py:1-1)\n```\ny = 2\n```\n\n## Request\n\nGo.\n",
    "src/app.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n\nsrc/app.py\n<<<<<<< SEARCH\nx = 2\n=======\nx = 3\n>>>>>>> REPLACE\n",
];
const SPEAKER: &str = "See `program::heading:h1[0]`.\n";
const HELPER: &str =
    "---\nname: helper\ndescription: Helps.\noutput:\n  type: object\n---\n\nHelp.\n";

/// The output of all features for an offset.
fn answers_at(document: &Document, cx: &Context, offset: usize) -> String {
    format!(
        "{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}",
        ide::hover::hover(document, cx, offset),
        ide::completion::completions(document, cx, offset),
        ide::definition::definition(document, cx, offset),
        ide::document_highlight::occurrences(document, cx, offset),
        ide::selection::selections(document, cx, offset),
        ide::selectors::selector(document, cx, offset),
        ide::inlay_hints::inlays(document, cx, offset..document.source().len()),
    )
}

#[test]
fn every_remembered_value_is_the_same_warm_as_cold() {
    let mut seen = std::collections::BTreeSet::new();
    let texts = corpus().into_iter().chain(REFERRING.iter().map(ToString::to_string));
    for (number, text) in texts.enumerate() {
        let (config, path) = (Config::default(), Path::new("/w/program.md"));
        let world = || {
            Memory::default()
                .in_folder("/w")
                .with("/w/src/app.py", "x = 1\n")
                .with("/w/guide.md", "# Guide\n\n## Setup\n\nRun it.\n")
                .with("/w/helper.md", HELPER)
                .with("/w/speaker.md", SPEAKER)
                .with(path, &text)
        };
        let world = || {
            let world = world();
            let speaker = Path::new("/w/speaker.md");
            ide::workspace::learn(&world, speaker, &world.read(speaker).unwrap());
            world
        };
        let ask = |document: &Document, world: &Memory| {
            let cx = Context::new(document.source(), Some(path), world, &config);
            let mut all = answers(document, &config, world, path);
            let len = document.source().len();
            for part in 0..4 {
                let offset = text.floor_char_boundary(len * part / 4 + number % 7);
                all.push_str(&answers_at(document, &cx, offset.min(len)));
            }
            all.push_str(&format!("{:?}", ide::blocks::lenses::lenses(document, &cx)));
            all.push_str(&format!("{:?}", ide::selectors::rewriting(&cx).is_some()));
            all
        };
        let document = Document::new(&text, Some(path), &config);
        let warm_world = world();
        let cold = ask(&document, &warm_world);
        assert_eq!(ask(&document, &warm_world), cold, "asked twice");
        let fresh = Document::new(&text, Some(path), &config);
        assert_eq!(ask(&fresh, &warm_world), cold, "a fresh document in a warm world");
        assert_eq!(ask(&document, &world()), cold, "a warm document in a fresh world");
        let source = document.source();
        let memos = source.stretches().map(|stretch| stretch.memo().names());
        seen.extend(memos.flatten().chain(source.memo().names()).chain(warm_world.memo().names()));
        for path in ["/w/helper.md", "/w/guide.md", "/w/src/app.py"] {
            seen.extend(warm_world.read(Path::new(path)).unwrap().memo().names());
        }
    }
    // The innermost type is ours, as in `OnceLock<agentmd::selector::tree::Tree>`.
    let own = |name: &'static str| {
        let (_, own) = name.rsplit_once("agentmd::").expect("a type of ours");
        own.trim_end_matches('>')
    };
    let mut seen: Vec<&str> = seen.into_iter().map(own).collect();
    seen.sort();
    assert_eq!(seen, REMEMBERED);
}

/// Agent files that mention each other, one of which is edited.
#[test]
fn names_of_agent_files_are_the_same_warm_as_cold() {
    let config = Config::default();
    let skill = Path::new("/w/.claude/skills/tea/SKILL.md");
    let agent = Path::new("/w/.claude/agents/cook.md");
    let agent_text = "---\nname: cook\ndescription: 日本\nskills: [tea, coffee]\ntools: mcp__kettle__boil\n---\n\nRun /tea, `/coffee`, $tea and [it](../skills/tea/SKILL.md).\n";
    let skills = ["tea", "coffee", "tee"]
        .map(|name| format!("---\nname: {name}\ndescription: x\n---\n\nSee `scripts/a.py`.\n"));
    let world = |text: &str| {
        Memory::default()
            .in_folder("/w")
            .with(skill, text)
            .with(agent, agent_text)
            .with("/w/.mcp.json", "{\"mcpServers\": {\"kettle\": {}}}")
    };
    let ask = |document: &Document, world: &Memory| {
        let cx = Context::new(document.source(), Some(agent), world, &config);
        let mut all = answers(document, &config, world, agent);
        let places = (0..agent_text.len()).filter(|at| agent_text.is_char_boundary(*at));
        for offset in places.step_by(3) {
            all.push_str(&answers_at(document, &cx, offset));
            let found = ide::references::references(document, &cx, offset, true);
            let renamed = ide::rename::rename(document, &cx, offset, "new-name");
            all.push_str(&format!("{found:?}{renamed:?}"));
        }
        all
    };
    let document = Document::new(agent_text, Some(agent), &config);
    // One world in which the skill changes, compared with a fresh one for each version.
    let learned = world(&skills[0]);
    for text in skills.iter().chain(&skills) {
        let fresh = world(text);
        let cold = ask(&document, &fresh);
        assert_eq!(ask(&document, &fresh), cold, "asked twice");
        let other = Document::new(agent_text, Some(agent), &config);
        assert_eq!(ask(&other, &fresh), cold, "a fresh document in a warm world");
        ide::workspace::learn(&learned, skill, &fresh.read(skill).unwrap());
        let names = |world: &Memory| {
            let index = agentmd::format::agent::names::Index::of(world);
            index.all(world).iter().map(|declared| format!("{declared:?}")).collect::<Vec<_>>()
        };
        assert_eq!(names(&learned), names(&fresh));
    }
}

#[test]
fn answers_are_the_same_with_tiny_caches() {
    let (config, path) = (Config::default(), Path::new("/w/program.md"));
    let small = Limit::new(4096);
    let mut evicted = false;
    for text in corpus() {
        let world = || Memory::default().with("/w/src/app.py", "x = 1\n").with(path, &text);
        let document = |world: &Memory| {
            let source = Document::new(&text, Some(path), &config);
            answers(&source, &config, world, path)
        };
        let cold = document(&world());
        let (warm, tight) = (world(), world().with_limit(small.clone()));
        for _ in 0..2 {
            assert_eq!(document(&warm), cold);
            assert_eq!(document(&tight), cold);
            assert!(small.held() <= 4096, "{}", small.held());
        }
        evicted |= warm.limit().held() > 4096;
    }
    assert!(evicted, "the corpus fits into the smallest caches");
}

/// The cost of an edit, measured in bytes read, doesn't depend on the size of the document.
#[test]
fn an_edit_reads_the_same_bytes_in_a_document_a_hundred_times_as_long() {
    let part = "# Title\n\nSome words.\n\n```rust\nfn main() {}\n```\n\n## Part\n\n- a\n- b\n\nMore words, and the end.\n\n";
    let header = "---\nname: x\ndescription: y\ninput: {}\noutput: {}\n---\n\n";
    for typed in ["x", "\n", "# ", "```rust\nlet x;\n```\n", "- item\n"] {
        let cost = |copies: usize| {
            let text = header.to_owned() + &part.repeat(copies);
            let place = header.len() + part.len() * (copies / 2) + part.find("words").unwrap();
            let source = Source::new(&text).edit(&Edit::insert(place, typed));
            let front = Source::new(&text)
                .edit(&Edit::insert(header.find("description").unwrap(), "model: m\n"));
            (source.reread(), front.reread())
        };
        let (short, long) = (cost(20), cost(2000));
        assert_eq!(short, long, "typing {typed:?}");
        assert!(long.0 < 4 * part.len() + header.len(), "typing {typed:?} reads {} bytes", long.0);
    }
}

/// A closing delimiter far below is searched for in growing steps, not again for each section.
#[test]
fn opening_front_matter_reads_the_text_only_a_few_times() {
    for sections in [10, 100, 1000] {
        let text = "# Title\n\nSome words.\n\n".repeat(sections) + "---\n\nThe end.\n";
        let source = Source::new(&text).edit(&Edit::insert(0, "---\n"));
        assert!(source.front_matter().is_some());
        assert!(source.reread() <= 4 * text.len(), "{} bytes of {}", source.reread(), text.len());
    }
}

/// A link with many sequences that look like the start of a destination: each is examined once.
#[test]
fn a_link_full_of_brackets_is_read() {
    for (brackets, prefix, suffix) in [
        ("](", "[a](b \"", "\")\n"),
        ("]:", "[a](b \"", "\")\n"),
        ("](", "[a]: b \"", "\"\n"),
        ("]:", "[a]: b \"", "\"\n"),
    ] {
        let text = format!("{prefix}{}{suffix}", brackets.repeat(1 << 19));
        let links = block::read(&text, 0).links;
        let place = prefix.find('b').expect("the destination");
        assert_eq!(
            links.iter().map(|link| link.destination_span.clone()).collect::<Vec<_>>(),
            [Some(place..place + 1)],
            "{brackets} in {prefix}"
        );
    }
}

#[test]
fn a_closing_line_may_end_in_the_next_section() {
    let text =
        "---\nname: a\ninput:\n  type: { x## y\nz, min: 3 }\n  required: [text]\n---\n\n| a |\n";
    let path = Path::new("/w/program.md");
    let config = Config::default();
    let end = text.find("---\n\n").unwrap();
    for span in [end + 3..end + 4, end + 1..end + 4, end + 2..end + 3] {
        let document = Document::new(text, Some(path), &config);
        let edit = Edit::replace(span, "");
        let edited = document.edit(std::slice::from_ref(&edit), Some(path), &config);
        let mut fresh = text.to_owned();
        fresh.replace_range(edit.span, "");
        let fresh = Document::new(&fresh, Some(path), &config);
        let sections = |document: &Document| -> Vec<_> {
            let placed = |placed: agentmd::source::Placed| (placed.start, placed.section.kind);
            document.source().sections().map(placed).collect()
        };
        assert_eq!(sections(&edited), sections(&fresh), "{:?}", edited.source().text());
    }
}
