//! Laws: an edited document gives the same answers as a new one, broken documents can be read, and
//! every answer is within the text.

use std::path::Path;

use proptest::prelude::*;

use super::{CODE, HEAD, LOG, MISSION, document};
use crate::config::Config;
use crate::document::Document;
use crate::format::Context;
use crate::format::llmd::{Project, entries, rules};
use crate::ide;
use crate::rule::Report;
use crate::text::{Edit, apply};
use crate::world::Memory;

const PATH: &str = "/w/a.llmd";

const PIECES: &[&str] = &[
    "# Project: x\n",
    "## Meta: LLMD\n",
    "## Mission\n",
    "## Code Context\n",
    "## Changelog\n",
    "## Conversation Thread\n",
    "### Entry 1\n",
    "### Entry 2\n",
    "### app.py\n",
    "**Human:** ",
    "**Assistant:** ",
    "```\n",
    "```py\n",
    "````\n",
    "<<<<<< SEARCH\n",
    "<<<<<<< SEARCH\n",
    "=======\n",
    ">>>>>> REPLACE\n",
    ">>>>>>> REPLACE\n",
    "<<<<<< CHANGELOG\n",
    ">>>>>> CHANGELOG\n",
    "<<<<<< SEARCH_MISSION\n",
    ">>>>>> REPLACE_MISSION\n",
    "<<<<<< SERACH\n",
    "app.py\n",
    "x = 1\n",
    "x = 2\n",
    "\n",
    " ",
    "é🦆",
    "\r\n",
    "{% include 'a.md' %}\n",
    "Words of a paragraph.\n\n",
    "- item\n",
    "\u{feff}",
];

fn shown(document: &Document, world: &Memory) -> String {
    let config = Config::default();
    let cx = Context::new(document.source(), Some(Path::new(PATH)), world, &config);
    let found = ide::diagnostics::diagnostics(document, &cx);
    let project = document.model().as_any().downcast_ref::<Project>();
    let layout = project.map(|project| format!("{:?}", *project.layout));
    if let Some(project) = project {
        // Entries left out of a check have no findings.
        let (mut some, mut all) = (Report::default(), Report::default());
        rules::check(project, &cx, &mut some);
        rules::check_whole(project, &cx, &mut all);
        assert_eq!(some.diagnostics, all.diagnostics);
    }
    format!(
        "{layout:?}\n{found:?}\n{:?}\n{:?}",
        ide::symbols::symbols(document, &cx),
        ide::folding::folds(document, &cx)
    )
}

/// A key press reads only the entry that it touches, and a check looks at few entries.
#[test]
fn other_entries_are_kept() {
    let entry = |at: usize| {
        format!(
            "### Entry {at}\n\n**Human:** {at}\n\n**Assistant:** ok\n\napp.py\n<<<<<< SEARCH\nx = {at}\n=======\ny\n>>>>>> REPLACE\n\n"
        )
    };
    let head = HEAD.split("### Entry 1").next().unwrap();
    let text = format!("{head}{}", (1..=200).map(entry).collect::<String>());
    let config = Config::default();
    let before = Document::new(&text, Some(Path::new(PATH)), &config);
    let project = |document: &Document| {
        let project = document.model().as_any().downcast_ref::<Project>().unwrap();
        let groups = project.parts.groups().to_vec();
        let seen = entries::reduced(project, document.source(), &[]).unwrap().layout.entries.len();
        (groups, seen)
    };
    let (old, _) = project(&before);
    let at = text.find("**Human:** 100").unwrap() + 14;
    let after = before.edit(&[Edit::insert(at, "!")], Some(Path::new(PATH)), &config);
    let (new, seen) = project(&after);
    let same = new.iter().filter(|group| old.iter().any(|old| old.same_as(group))).count();
    assert!(new.len() > 8 && same + 1 == new.len(), "{same} of {}", new.len());
    assert!(seen <= 2 * new.len(), "{seen} entries in {} groups", new.len());
}

/// A block that doesn't match may depend on earlier blocks for its file: a check reads no others.
#[test]
fn a_failing_block_needs_few_other_entries() {
    let entry = |at: usize| {
        let file = if at.is_multiple_of(50) { "app.py" } else { "src.py" };
        format!(
            "### Entry {at}\n\n**Human:** {at}\n\n**Assistant:** ok\n\n{file}\n<<<<<< SEARCH\nz = {at}\n=======\nz = {}\n>>>>>> REPLACE\n\n",
            at + 50
        )
    };
    let head = HEAD.split("### Entry 1").next().unwrap();
    let text = format!("{head}{}", (1..=1000).map(entry).collect::<String>());
    let (config, world) = (Config::default(), world());
    let document = Document::new(&text, Some(Path::new(PATH)), &config);
    let project = document.model().as_any().downcast_ref::<Project>().unwrap();
    let seen = |paths: &[String]| {
        entries::reduced(project, document.source(), paths).unwrap().layout.entries.len()
    };
    let (few, more) = (seen(&[]), seen(&["app.py".to_owned()]));
    assert!(few < more && more <= few + 20, "{few} {more}");
    assert!(shown(&document, &world).contains("edit/search-not-found"));
}

fn world() -> Memory {
    Memory::default().with("/w/a.md", "").with("/w/src.py", "x = 1\nx = 2\n").in_folder("/w")
}

fn place(text: &str, at: usize) -> usize {
    let at = at % (text.len() + 1);
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn an_edited_document_answers_as_a_fresh_one(
        whole in any::<bool>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..30, prop::sample::select(PIECES)), 1..10)
    ) {
        let config = Config::default();
        let world = world();
        let mut text = if whole { document(&format!("{CODE}\n{MISSION}\n{LOG}")) } else { HEAD.to_owned() };
        let mut edited = Document::new(&text, Some(Path::new(PATH)), &config);
        for (at, length, piece) in edits {
            let start = place(&text, at.index(text.len() + 1));
            let end = place(&text, (start + length).min(text.len())).max(start);
            let edit = Edit::replace(start..end, piece);
            text = apply(&text, std::slice::from_ref(&edit)).unwrap();
            edited = edited.edit(&[edit], Some(Path::new(PATH)), &config);
            let fresh = Document::new(&text, Some(Path::new(PATH)), &config);
            prop_assert_eq!(shown(&edited, &world), shown(&fresh, &self::world()), "{:?}", text);
        }
    }

    #[test]
    fn any_pieces_are_a_document(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
        let text = pieces.concat();
        sound(&text);
    }
}

/// Checks that every span is in the text, every fix applies, and every request gets an answer.
fn sound(text: &str) -> Vec<&'static str> {
    let (config, world) = (Config::default(), world());
    let document = Document::new(text, Some(Path::new(PATH)), &config);
    let cx = Context::new(document.source(), Some(Path::new(PATH)), &world, &config);
    let found = ide::diagnostics::diagnostics(&document, &cx);
    for finding in &found {
        assert!(
            text.get(finding.span.clone()).is_some(),
            "{} {:?}",
            finding.rule.code,
            finding.span
        );
        for related in finding.related.iter().filter(|related| related.path.is_none()) {
            assert!(
                text.get(related.span.clone()).is_some(),
                "{} {:?}",
                finding.rule.code,
                related.span
            );
        }
        for fix in &finding.fixes {
            apply(text, &fix.edits).unwrap_or_else(|error| {
                panic!("{}: {}: {error}\n{text}", finding.rule.code, fix.title)
            });
        }
    }
    let layout = &document.model().as_any().downcast_ref::<Project>().unwrap().layout;
    assert_eq!(layout.pieces().map(|piece| &text[piece]).collect::<String>(), text);
    found.iter().map(|finding| finding.rule.code).collect()
}

fn whole() -> String {
    let second = "### Entry 2\n\n**Human:** é 🦆\n\n**Assistant:** last\n\n";
    format!("{}{second}{CODE}\n{MISSION}\n{LOG}", document(""))
}

#[test]
fn documents_cut_anywhere_are_read() {
    let text = whole();
    for eol in ["\n", "\r\n"] {
        let text = text.replace('\n', eol);
        for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
            sound(&text[..end]);
        }
    }
}

#[test]
fn one_mistake_gives_one_finding() {
    let text = whole();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let with = |at: usize, new: &str| -> String {
        lines.iter().enumerate().map(|(index, line)| if index == at { new } else { line }).collect()
    };
    let mut wrong = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        for (what, new) in [
            ("dropped", String::new()),
            ("doubled", format!("{line}{line}")),
            ("indented", format!("  {line}")),
        ] {
            let found = sound(&with(at, &new));
            if found.len() > 1 {
                wrong.push(format!("{what} {}: {found:?}", line.trim_end()));
            }
        }
    }
    assert_eq!(wrong, KNOWN, "{wrong:#?}");
}

/// Single mistakes that cause two findings, each with its own fix.
const KNOWN: &[&str] = &[];

/// `LLMD_ENTRIES=1000 cargo test --release --lib llmd::tests::laws::what_a_key_costs -- --nocapture`
/// prints the cost of a key press in a document with that many entries.
#[test]
fn what_a_key_costs() {
    let entries: usize =
        std::env::var("LLMD_ENTRIES").ok().and_then(|count| count.parse().ok()).unwrap_or(20);
    let words = "The answer goes on for a while, with words that nobody looks at.\n".repeat(10);
    let mut text = document(&format!("{CODE}\n"));
    for number in 2..=entries {
        text.push_str(&format!("### Entry {number}\n\n**Human:** And {number}?\n\n{words}\n**Assistant:** Yes.\n\n## Steps\n\n{words}\n{CODE}\n"));
    }
    let (config, world, path) = (Config::default(), world(), Path::new(PATH));
    let mut edited = Document::new(&text, Some(path), &config);
    let check = |document: &Document| {
        let cx = Context::new(document.source(), Some(path), &world, &config);
        ide::diagnostics::diagnostics(document, &cx).len()
    };
    check(&edited);
    let (mut at, start) = (text.find("### Entry 10").unwrap_or(0) + 40, std::time::Instant::now());
    for _ in 0..20 {
        edited = edited.edit(&[Edit::insert(at, "x")], Some(path), &config);
        at += 1;
        check(&edited);
    }
    println!("{} bytes, {entries} entries: {:?} a key", text.len(), start.elapsed() / 20);
    let key = |entry: &crate::format::llmd::layout::Part| {
        crate::format::blocks::identity::key(edited.source(), &entry.span)
    };
    let project = edited.model().as_any().downcast_ref::<Project>().unwrap();
    assert_eq!(
        project.layout.parts.iter().map(key).collect::<std::collections::HashSet<_>>().len(),
        project.layout.parts.len()
    );
}
