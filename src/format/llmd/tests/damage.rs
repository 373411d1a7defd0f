//! Documents damaged the way people and models damage them: each mistake is found, and its fix
//! restores the document.

use std::path::Path;

use crate::config::Config;
use crate::document::Document;
use crate::format::Context;
use crate::format::tests::repaired;
use crate::ide;
use crate::rule::Diagnostic;
use crate::world::Memory;

const GOOD: &str = "# Project: Ducks\n\n## Meta: LLMD (Large Language Model Markdown Format)\n\nWhat this is.\n\n\
    ## Mission\n\nCount the ducks 🦆.\n\n## Code Context\n\n### pond.py\n\n```python\nducks = 1\n```\n\n\
    ## Changelog\n\n- Added ducks.\n\n## Conversation Thread\n\n### Entry 1\n\n**Human:** One more.\n\n\
    **Assistant:** Sure.\n\npond.py\n<<<<<< SEARCH\nducks = 1\n=======\nducks = 2\n>>>>>> REPLACE\n\n\
    <<<<<< SEARCH_MISSION\nCount the ducks 🦆.\n=======\nCount the geese.\n>>>>>> REPLACE_MISSION\n\n\
    <<<<<< CHANGELOG\nCounted again.\n>>>>>> CHANGELOG\n\n### Entry 2\n\n**Human:** Thanks.\n\n**Assistant:** Bye.\n";

fn findings(text: &str) -> Vec<Diagnostic> {
    let (config, path) = (Config::default(), Path::new("/w/p.llmd"));
    let world = Memory::default().in_folder("/w");
    let document = Document::new(text, Some(path), &config);
    let cx = Context::new(document.source(), Some(path), &world, &config);
    ide::diagnostics::diagnostics(&document, &cx)
}

#[track_caller]
fn restored(old: &str, new: &str) {
    assert!(GOOD.contains(old), "{old}");
    for eol in ["\n", "\r\n"] {
        let (good, bad) = (GOOD.replace('\n', eol), GOOD.replacen(old, new, 1).replace('\n', eol));
        assert!(!findings(&bad).is_empty(), "{bad}");
        assert_eq!(repaired(&bad, findings), good, "{bad}");
    }
}

#[test]
fn the_original_document_has_no_findings() {
    assert_eq!(findings(GOOD), []);
}

#[test]
fn headings_of_sections_at_other_levels_are_not_missing_sections() {
    for name in ["Mission", "Code Context", "Changelog", "Conversation Thread"] {
        let right = format!("## {name}");
        for (before, after) in [
            ("# ", ""),
            ("### ", ""),
            ("#### ", ""),
            ("##", ""),
            ("#", ""),
            ("**", "**"),
            ("\\## ", ""),
        ] {
            restored(&right, &format!("{before}{name}{after}"));
        }
    }
    let meta = "Meta: LLMD (Large Language Model Markdown Format)";
    restored(&format!("## {meta}"), &format!("# {meta}"));
    for (old, new) in [
        ("## Mission", "## Mission Statement"),
        ("## Code Context", "## Context Code"),
        ("## Changelog", "## CHANGE LOG"),
        ("## Mission", "## **Mission**"),
        ("## Mission", "## 🦆 Mission"),
        ("## Conversation Thread", "## Conversation"),
    ] {
        restored(old, new);
    }
}

#[test]
fn words_in_other_sections_are_not_headings() {
    let text = GOOD.replacen("What this is.", "What this is.\n\n### Changelog\n\n**Mission**", 1);
    assert_eq!(findings(&text), [], "{text}");
}

#[test]
fn a_file_of_the_code_context_keeps_its_level() {
    let text = GOOD.replacen("### pond.py", "## pond.py", 1);
    let found = findings(&text);
    assert_eq!(found[0].rule.code, "llmd/unknown-section", "{found:#?}");
    assert_eq!(repaired(&text, findings), GOOD);
}

#[test]
fn misspelt_speakers_are_found() {
    for (old, new) in [
        ("**Assistant:**", "**Asistant:**"),
        ("**Assistant:**", "**Claude:**"),
        ("**Assistant:**", "**assistant:**"),
        ("**Assistant:**", "**Assistant**:"),
        ("**Assistant:**", "Assistant:"),
        ("**Human:**", "**Humen:**"),
        ("**Human:**", "**User:**"),
    ] {
        restored(old, new);
    }
    // Emphasis isn't a speaker unless something shows that the speaker changes.
    let text = GOOD.replacen("Thanks.\n\n**Assistant:** Bye.\n", "Thanks.\n\n**Note:** Bye.\n", 1);
    assert_eq!(findings(&text), [], "{text}");
}

#[test]
fn renumbering_keeps_the_titles_of_entries() {
    let titled = |heading: &str| GOOD.replacen("### Entry 2", heading, 1);
    for (heading, title) in [
        ("### Entry 2: Say thanks 🦆", "Say thanks 🦆"),
        ("### Entry 2 - Say thanks", "Say thanks"),
        ("### Entry 7: Say thanks", "Say thanks"),
        ("### Entry 1. Say thanks", "Say thanks"),
        ("### Entry Say thanks", "Say thanks"),
    ] {
        let expected = titled(&format!("### Entry 2\n\n{title}"));
        assert_eq!(repaired(&titled(heading), findings), expected, "{heading}");
    }
    for heading in [
        "### Entry 3",
        "### Entry two",
        "### Entry",
        "### Entry #2",
        "#### Entry 2",
        "### Entry 2:",
    ] {
        assert_eq!(repaired(&titled(heading), findings), GOOD, "{heading}");
    }
    restored("### Entry 2\n", "### Entry 2\n\n### Entry 2\n");
    let found = findings(&titled("### Entry 2: Say thanks"));
    assert_eq!(found.len(), 1, "{found:#?}");
}

#[test]
fn markers_with_spaces_are_markers() {
    for (old, new) in [
        ("<<<<<< SEARCH_MISSION", "<<<<<< SEARCH MISSION"),
        (">>>>>> REPLACE_MISSION", ">>>>>> REPLACE MISSION"),
        ("<<<<<< CHANGELOG", "<<<<<< CHANGE LOG"),
        (">>>>>> CHANGELOG", ">>>>>> CHANGE LOG"),
        (
            "<<<<<< CHANGELOG\nCounted again.\n>>>>>> CHANGELOG",
            "<<<<<< CHANGE LOG\nCounted again.\n>>>>>> CHANGE LOG",
        ),
    ] {
        restored(old, new);
    }
}

#[test]
fn a_misspelt_end_of_a_block_is_replaced() {
    for (old, ends) in [
        (
            ">>>>>> REPLACE\n",
            &[
                ">>>>>>",
                "> REPLACE",
                "<<<<<< REPLACE",
                ">>>>>> END",
                ">>>>>> REPLAC",
                ">>>>>> END REPLACE",
            ][..],
        ),
        (
            ">>>>>> CHANGELOG",
            &[">>>>>>", ">>>>>> END CHANGELOG", "<<<<<< CHANGE_LOG", ">>>>>> CHANGLOG"][..],
        ),
    ] {
        for end in ends {
            let new = if old.ends_with('\n') { format!("{end}\n") } else { (*end).to_owned() };
            restored(old, &new);
        }
    }
}

#[test]
fn a_misspelt_divider_is_replaced() {
    for divider in ["-------", "~~~~~", "=======>"] {
        restored("=======\nducks", &format!("{divider}\nducks"));
    }
}
