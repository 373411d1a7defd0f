//! LLMD-1 to LLMD-21 of the conformance list, as far as reading and applying go.

use super::layout::{Layout, Role, SectionKind};
use super::{FORMAT, plan};
use crate::edit::Reason;
use crate::source::Source;
use crate::text::apply;

const HEAD: &str = "# Project: T\n\n## Meta: LLMD\n\n1. SEARCH / REPLACE:\n\n   ```\n   filepath/to/file.py\n   <<<<<< SEARCH\n   [Original code]\n   =======\n   [Modified code]\n   >>>>>> REPLACE\n   ```\n\n## Mission\n\nBe small.\n\n## Code Context\n\n### app.py\n\n```python\nx = 1\n```\n\n## Changelog\n\n- Created\n\n## Conversation Thread\n\n### Entry 1\n\n**Human:** do it\n\n**Assistant:** ok\n\n";

fn layout(text: &str) -> Layout {
    (*super::read(&Source::new(text), None).layout).clone()
}

fn document(reply: &str) -> String {
    format!("{HEAD}{reply}")
}

/// The document after applying its live blocks, or why they fail.
fn applied(text: &str) -> Result<String, Vec<Reason>> {
    let layout = layout(text);
    let plan = plan::to_context(text, &layout, &plan::live(&layout, None), false);
    let reasons: Vec<Reason> = plan
        .results
        .iter()
        .filter_map(|result| result.as_ref().err())
        .map(|refused| refused.reason)
        .collect();
    if reasons.is_empty() { Ok(apply(text, &plan.edits).unwrap()) } else { Err(reasons) }
}

#[track_caller]
fn makes(reply: &str, changes: &[(&str, &str)]) {
    for eol in ["\n", "\r\n"] {
        let (text, mut expected) = (document(reply), document(reply));
        for (old, new) in changes {
            expected = expected.replacen(old, new, 1);
        }
        let (text, expected) = (text.replace('\n', eol), expected.replace('\n', eol));
        assert_eq!(applied(&text).as_deref(), Ok(expected.as_str()));
    }
}

const CODE: &str = "app.py\n<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>> REPLACE\n";
const MISSION: &str =
    "<<<<<< SEARCH_MISSION\nBe small.\n=======\nBe big.\n>>>>>> REPLACE_MISSION\n";
const LOG: &str = "<<<<<< CHANGELOG\nImproved\n- Added a\n- Added b\n>>>>>> CHANGELOG\n";

#[test]
fn llmd_01_what_a_document_is() {
    let is = |path: Option<&str>, text: &str| {
        (FORMAT.recognise)(path.map(std::path::Path::new), &Source::new(text))
    };
    assert!(is(Some("/w/a.ll.md"), "") && is(Some("/w/a.llmd"), "") && is(None, HEAD));
    assert!(is(None, "## Meta: LLMD (Large Language Model Markdown Format)\n"));
    assert!(is(None, "\u{feff}# Project: x\n\n## Conversation Thread\n"));
    assert!(
        !is(None, "# Project: x\n\n## Notes\n")
            && !is(None, "# Title\n\n# Project: x\n\n## Conversation Thread\n")
            && !is(Some("/w/a.md"), "")
    );
}

#[test]
fn llmd_03_sections_in_document_order() {
    let layout = layout(HEAD);
    let kinds: Vec<SectionKind> = layout.sections.iter().map(|section| section.kind).collect();
    use SectionKind::{Changelog, CodeContext, Conversation, Meta, Mission};
    assert_eq!(kinds, [Meta, Mission, CodeContext, Changelog, Conversation]);
    assert_eq!(layout.project.map(|project| project.text.to_string()), Some("T".to_owned()));
}

#[test]
fn llmd_03_sections_may_be_included() {
    let text = "# Project: x\n\n{% include 'meta.md' %}\n\n```\n{% include 'shown.md' %}\n```\n{% include meta %}\n";
    let found = layout(text).includes;
    let shown: Vec<_> = found
        .iter()
        .map(|include| (&text[include.span.clone()], &text[include.path.clone()]))
        .collect();
    assert_eq!(shown, [("{% include 'meta.md' %}", "meta.md")]);
}

#[test]
fn llmd_04_headings_in_fences_and_blocks_are_text() {
    let text = document(
        "```\n## Mission\n### Entry 9\n```\n\n### A heading\n\napp.py\n<<<<<< SEARCH\n## Changelog\n```\n=======\n### Entry 5\n>>>>>> REPLACE\n\n### Entry 2\n\n**Human:** x\n",
    );
    let layout = layout(&text);
    assert_eq!(layout.sections.len(), 5);
    assert_eq!(
        layout.entries.iter().map(|entry| entry.number).collect::<Vec<_>>(),
        [Some(1), Some(2)]
    );
}

#[test]
fn llmd_05_a_file_is_a_heading_and_a_fence() {
    let layout = layout(HEAD);
    let [file] = layout.files.as_slice() else { panic!("{:?}", layout.files) };
    assert_eq!((plan::name_of(file), &HEAD[file.fences[0].content.clone()]), ("app.py", "x = 1\n"));
}

#[test]
fn llmd_06_an_entry_has_a_human_and_an_assistant() {
    let text = document("fine\n\n### Entry 2\n\n**Human:** more\n");
    let layout = layout(&text);
    let said =
        |span: &Option<crate::text::Span>| span.clone().map(|span| text[span].trim().to_owned());
    assert_eq!(said(&layout.entries[0].human).as_deref(), Some("do it"));
    assert_eq!(said(&layout.entries[0].assistant).as_deref(), Some("ok\n\nfine"));
    assert_eq!(
        (said(&layout.entries[1].human).as_deref(), said(&layout.entries[1].assistant)),
        (Some("more"), None)
    );
}

#[test]
fn llmd_06_what_was_meant_to_begin_an_entry() {
    use super::layout::StrayKind::{Heading, Speaker, Turn};
    let strays = |text: &str| -> Vec<_> {
        let layout = layout(text);
        let found = layout.strays.iter();
        found
            .map(|stray| (text[stray.span.clone()].to_owned(), stray.kind, stray.entries))
            .collect()
    };
    for heading in [
        "#### Entry 2",
        "## Entry 2",
        "# entry 2",
        "### entry 2",
        "### ENTRY #2:",
        " ### Entry 2",
        "###Entry 2",
        "##### Entry 2 – 更多🦆",
    ] {
        let text = document(&format!("{heading}\n\ntext\n"));
        let written = heading.trim_start().trim_end().to_owned();
        let found = strays(&text);
        assert_eq!(found.len(), 1, "{heading}");
        assert_eq!((found[0].0.trim().to_owned(), found[0].1, found[0].2), (written, Heading, 1));
    }
    for heading in [
        "### Entry 2",
        "#### Entry points",
        "#### Entry",
        "## Entry 3 levels",
        "# entry 2 of the list",
        "#### entrypoint",
        "```\n#### Entry 2\n```",
    ] {
        assert_eq!(strays(&document(&format!("{heading}\n"))), [], "{heading}");
    }
    let again = "**Human:** once\n\n**Human:** more\n\n**Assistant:** again\n";
    let human = "**Human:**".to_owned();
    assert_eq!(strays(&document(again)), [(human.clone(), Turn, 1)]);
    let bare = HEAD.replace("### Entry 1\n\n", "");
    assert_eq!(strays(&bare), [(human, Speaker, 0)]);
    assert_eq!(strays("#### Entry 1\n\n**Human:** x\n"), []);
}

#[test]
fn llmd_09_the_turn_of_the_assistant_ends_where_a_human_speaks() {
    let quoted = format!("**Human:** why\n\n{CODE}\n**Assistant:** Sorry.\n");
    let found = layout(&document(&quoted));
    assert_eq!(found.blocks.iter().filter(|placed| placed.role == Role::Live).count(), 0);
    let asides = &found.entries[0].asides;
    assert_eq!(asides.len(), 1);
    assert!(document(&quoted)[asides[0].clone()].contains("why"));
    // The answer continues where the assistant speaks again.
    let sample = format!("**Human:** like this\n\n**Assistant:** so\n\n{CODE}");
    let found = layout(&document(&sample));
    assert_eq!(found.blocks.iter().filter(|placed| placed.role == Role::Live).count(), 1);
    assert_eq!(found.strays.len(), 1);
}

#[test]
fn llmd_09_blocks_live_where_the_assistant_speaks() {
    let text = document(CODE)
        .replace("do it", "do it\n\napp.py\n<<<<<< SEARCH\nq\n=======\nr\n>>>>>> REPLACE\n");
    let roles: Vec<Role> = layout(&text).blocks.iter().map(|placed| placed.role).collect();
    assert_eq!(roles, [Role::Documentation, Role::Quoted, Role::Live]);
}

#[test]
fn llmd_19_code_mission_and_changelog_are_rewritten_in_the_document() {
    makes(CODE, &[("x = 1\n```", "x = 2\n```")]);
    makes(MISSION, &[("Be small.\n\n## Code", "Be big.\n\n## Code")]);
    makes(LOG, &[("- Created\n", "- Created\n- Improved\n  - Added a\n  - Added b\n")]);
    let all = format!("{CODE}\n{MISSION}\n<<<<<< CHANGELOG\nDid it\n>>>>>> CHANGELOG\n");
    makes(
        &all,
        &[
            ("x = 1\n```", "x = 2\n```"),
            ("Be small.\n\n## Code", "Be big.\n\n## Code"),
            ("- Created\n", "- Created\n- Did it\n"),
        ],
    );
}

#[test]
fn llmd_19_applying_twice_changes_nothing_more() {
    let all = format!("{CODE}\n{MISSION}\n{LOG}");
    let once = applied(&document(&all)).unwrap();
    assert_eq!(applied(&once), Err(vec![Reason::AlreadyApplied; 3]));
}

#[test]
fn llmd_15_an_empty_search_creates_a_file() {
    let reply = "new.py\n<<<<<< SEARCH\n=======\n```\ny = 1\n>>>>>> REPLACE\n";
    makes(reply, &[("x = 1\n```\n", "x = 1\n```\n\n### new.py\n\n````\n```\ny = 1\n````\n")]);
}

#[test]
fn llmd_08_10_17_refusals() {
    let refused = |reply: &str| applied(&document(reply)).unwrap_err();
    assert_eq!(refused(&CODE.replace("app.py", "other.py")), [Reason::FileMissing]);
    assert_eq!(
        refused(&CODE.replace(">>>>>> REPLACE", ">>>>>> REPLACE_MISSION")),
        [Reason::MismatchedEnd]
    );
    assert_eq!(refused(&MISSION.replace("Be small.", "Be tiny.")), [Reason::NotFound]);
    assert_eq!(refused("<<<<<< CHANGELOG\n\n>>>>>> CHANGELOG\n"), [Reason::NoOp]);
}

#[test]
fn llmd_05_content_with_a_fence_gets_a_longer_one() {
    let reply = "app.py\n<<<<<< SEARCH\nx = 1\n=======\n```\nx\n```\n>>>>>> REPLACE\n";
    makes(reply, &[("```python\nx = 1\n```", "````python\n```\nx\n```\n````")]);
}

#[test]
fn llmd_14_blocks_see_the_results_of_the_ones_before_them() {
    let second = CODE.replace("x = 2", "x = 3").replace("x = 1", "x = 2");
    makes(&format!("{CODE}\n{second}"), &[("x = 1\n```", "x = 3\n```")]);
}

#[test]
fn every_layout_is_inside_its_text() {
    let all = document(&format!("{CODE}{MISSION}{LOG}"));
    for end in (0..all.len()).filter(|end| all.is_char_boundary(*end)) {
        let text = &all[..end];
        let Layout { sections, files, entries, blocks, .. } = layout(text);
        let spans = sections.iter().map(|section| section.body.clone());
        let spans = spans.chain(
            files.iter().flat_map(|file| file.fences.iter().map(|fence| fence.span.clone())),
        );
        let spans = spans
            .chain(entries.iter().map(|entry| entry.body.clone()))
            .chain(blocks.iter().map(|placed| placed.block.span.clone()));
        for span in spans {
            assert!(text.get(span.clone()).is_some(), "{span:?} of {end}");
        }
    }
}

mod damage;
mod editing;
mod laws;
mod rules;
