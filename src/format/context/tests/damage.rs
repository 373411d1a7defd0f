//! Packs as people and models damage them: every damage is found, and its fix restores the pack.

use std::path::Path;

use crate::config::Config;
use crate::document::Document;
use crate::format::Context;
use crate::ide;
use crate::rule::Diagnostic;
use crate::text;
use crate::world::Memory;

const GOOD: &str = "## Context\n\n### Code (from src/a.lisp:3-4)\n```lisp\n(line 3)\n(line 4) 🦆\n```\n\n\
    ### Text (from notes.txt:1-2)\n```text\none\ntwo\n```\n\n### Error\n```lisp\nboom\n```\n\n## Request\n\nDo it.\n";

fn findings(text: &str) -> Vec<Diagnostic> {
    let (config, path) = (Config::default(), Path::new("/w/p.md"));
    let world = Memory::default()
        .with("/w/src/a.lisp", "(line 1)\n(line 2)\n(line 3)\n(line 4) 🦆\n")
        .with("/w/notes.txt", "one\ntwo\n")
        .in_folder("/w");
    let document = Document::new(text, Some(path), &config);
    let cx = Context::new(document.source(), Some(path), &world, &config);
    ide::diagnostics::diagnostics(&document, &cx)
}

/// The document after the first fix of each finding in turn, until none has one.
fn repaired(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..16 {
        let found = findings(&text);
        let Some(fix) = found.iter().find_map(|finding| finding.fixes.first()) else { break };
        text = text::apply(&text, &fix.edits).unwrap();
    }
    text
}

#[track_caller]
fn restored(bad: &str, good: &str) {
    for eol in ["\n", "\r\n"] {
        let (bad, good) = (bad.replace('\n', eol), good.replace('\n', eol));
        assert!(!findings(&bad).is_empty(), "{bad}");
        assert_eq!(repaired(&bad), good, "{bad}");
    }
}

#[track_caller]
fn swapped(old: &str, new: &str) {
    assert!(GOOD.contains(old), "{old}");
    restored(&GOOD.replacen(old, new, 1), GOOD);
}

#[test]
fn the_pack_is_good() {
    assert_eq!(findings(GOOD), []);
}

#[test]
fn ranges_in_other_notations_are_rewritten() {
    for range in [
        ":3,4",
        ":3..4",
        "#L3-L4",
        "#L3-4",
        ":L3-L4",
        ":3:4",
        " lines 3-4",
        ", lines 3-4",
        ":3–4",
        ":3-4:",
        ":[3-4]",
        ":3 - 4",
        " (3-4)",
        "@3-4",
        ":3",
        " line 3",
    ] {
        swapped(":3-4", range);
    }
    swapped("src/a.lisp", "src\\a.lisp");
}

#[test]
fn an_item_without_its_fences_gets_them() {
    swapped("```lisp\n(line 3)\n(line 4) 🦆\n```\n", "(line 3)\n(line 4) 🦆\n");
    swapped("```text\none\ntwo\n```\n", "one\ntwo\n");
    swapped("```lisp\n(line 3)", "(line 3)");
    swapped("```text\none", "one");
    swapped("```text\none", "``text\none");
    swapped("two\n```", "two");
    for fence in ["> ```", "\\```", "``"] {
        swapped("```text", &format!("{fence}text"));
        swapped("```lisp\n(line 3)", &format!("{fence}lisp\n(line 3)"));
    }
    swapped("```text", "  ```text");
    let header = "### Text (from notes.txt:1-2)\n";
    swapped(header, &format!("{header}{header}"));
    for fence in ["``", "> ```", "  ```", "\\```", "``` end", "````", "~~~"] {
        swapped("two\n```", &format!("two\n{fence}"));
    }
}

#[test]
fn two_unclosed_items_are_two() {
    let bad = GOOD.replacen("🦆\n```", "🦆", 1).replacen("two\n```", "two", 1);
    assert_eq!(findings(&bad).len(), 2);
    restored(&bad, GOOD);
    let bad = GOOD.replacen("two\n```", "two", 1).replacen("boom\n```", "boom", 1);
    restored(&bad, GOOD);
}

#[test]
fn a_pack_without_its_heading_or_first_header_is_found() {
    for heading in [
        "# Context",
        "### Context",
        "##Context",
        "## Context:",
        "**Context**",
        "## 📄 Context",
        "## 1. Context",
    ] {
        swapped("## Context", heading);
    }
    for header in [
        "### Code(from src/a.lisp:3-4)",
        "#### Code (from src/a.lisp:3-4)",
        "### code (from src/a.lisp:3-4)",
        "### Code (src/a.lisp:3-4)",
        "### Code: src/a.lisp:3-4",
    ] {
        swapped("### Code (from src/a.lisp:3-4)", header);
    }
    for text in [
        "## Context\n\nText.\n\n### Code (from a.py)\n```\nx\n```\n",
        "# Context\n\n### Code\n\n```\nx\n```\n",
        "## Context\n\n### Codes of conduct\n```\nx\n```\n",
    ] {
        assert_eq!(findings(text), [], "{text}");
    }
}

#[test]
fn a_damaged_header_names_the_right_file() {
    for header in [
        "## Text (from notes.txt:1-2)",
        "**Text (from notes.txt:1-2)**",
        "Text (from notes.txt:1-2)",
        "### Text from `notes.txt:1-2`",
        "### Text (in notes.txt:1-2)",
        "### Text: notes.txt (1-2)",
        "### Text - notes.txt:1-2",
        "### Text (notes.txt#L1-L2)",
        "  ### Text (from notes.txt:1-2)",
        "### 1. Text (from notes.txt:1-2)",
        "### **Text (from notes.txt:1-2)**",
    ] {
        swapped("### Text (from notes.txt:1-2)", header);
    }
}

/// Refreshing the item above would delete the text.
#[test]
fn an_item_that_swallowed_another_is_not_out_of_date() {
    let bad = GOOD.replacen("### Text (from notes.txt:1-2)", "### notes.txt", 1);
    let found = findings(&bad);
    assert!(found.iter().all(|finding| finding.rule.code != "context/stale"), "{found:#?}");
}
