//! Which documents contain packs, and where a pack ends (AQ-7, AQ-8, AQ-12).

use super::super::FORMAT;
use super::{entries, entry, layout};
use crate::source::Source;

fn is(text: &str) -> bool {
    (FORMAT.recognise)(None, &Source::new(text))
}

const ITEM: &str = "### Code (from src/a.lisp:1-2)\n```lisp\n(a)\n```\n\n";

#[test]
fn aq_07_documents_with_a_pack() {
    for text in [
        format!("## Context\n\n{ITEM}"),
        format!("\u{feff}## Context\r\n\r\n{}", ITEM.replace('\n', "\r\n")),
        format!("# Prompt\n\nDo it.\n\n## Context\n{ITEM}## Request\n\nGo.\n"),
        "## Context\n\n### Error\n```\nboom\n```\n".to_owned(),
        "## Context\n\n### Repl-History\n~~~\n> 1\n~~~\n".to_owned(),
        "## Context  \n\n\n### Code (from a.rs)\n\n```\nx\n```\n".to_owned(),
        "## Context\n\n### Code (from a.rs:1-2)\n```lisp\nx".to_owned(),
    ] {
        assert!(is(&text), "{text}");
    }
}

#[test]
fn aq_07_documents_without_a_pack() {
    for text in [
        // A header by itself, in prose.
        format!("# Notes\n\nThe format looks like this:\n\n{ITEM}"),
        // A heading with text below it.
        "## Context\n\nWe met in spring.\n\n### Code (from a.lisp)\n```lisp\nx\n```\n".to_owned(),
        // Headings of other kinds below it.
        "## Context\n\n### Background\n```\nx\n```\n".to_owned(),
        "## Context\n\n### Code of conduct\n\nBe kind.\n".to_owned(),
        // No fence, or not at once.
        "## Context\n\n### Code (from a.lisp)\n\nSee there.\n".to_owned(),
        "## Context\n\n### Code\n\n```python\nx = 1\n```\n".to_owned(),
        // Another level, another title.
        format!("# Context\n\n{ITEM}"),
        format!("### Context\n\n{ITEM}"),
        format!("## Contexts\n\n{ITEM}"),
        format!("## Context of the work\n\n{ITEM}"),
        // A pack shown in a fence, or indented.
        format!("# Format\n\n````markdown\n## Context\n\n{ITEM}````\n"),
        "    ## Context\n\n    ### Code (from a.lisp)\n    ```lisp\n    x\n    ```\n".to_owned(),
        "## Context\n\n#### Code (from a.lisp)\n```lisp\nx\n```\n".to_owned(),
        "## Context\n\n".to_owned(),
        // A tag in prose.
        "Put it in `<context>`:\n\n<context>\nsome text\n</context>\n".to_owned(),
        "<context>\n### Notes (draft)\n```\nx\n```\n</context>\n".to_owned(),
        String::new(),
    ] {
        assert!(!is(&text), "{text}");
    }
}

#[test]
fn aq_08_a_pack_ends_where_the_document_continues() {
    let item = entry("code", Some(("src/a.lisp", Some((1, 2)))), "(a)");
    let text =
        format!("## Context\n\n{ITEM}{ITEM}## Request\n\nDo it:\n\n### Error\n```\nx\n```\n");
    let found = layout(&text);
    assert_eq!(found.items.len(), 2);
    assert_eq!(
        found.request.map(|span| text[span].trim().to_owned()).as_deref(),
        Some("Do it:\n\n### Error\n```\nx\n```")
    );
    let text = format!(
        "# Prompt\n\n## Context\n\n{ITEM}## Rules\n\n```python\n# comment\n```\n\n# Other\n"
    );
    assert_eq!(entries(&text), std::slice::from_ref(&item));
    let text = format!("## Context\n\n{ITEM}## Context\n\n{ITEM}");
    assert_eq!((entries(&text), layout(&text).packs.len()), (vec![item.clone(), item.clone()], 2));
    let text = format!("## Context\n\n{ITEM}Some words.\n\n{ITEM}");
    assert_eq!(entries(&text), [item.clone(), item.clone()]);
}

#[test]
fn aq_08_an_unclosed_item() {
    let first = entry("code", Some(("a.py", None)), "# x\nx = 1");
    let text = "## Context\n\n### Code (from a.py)\n```lisp\n# x\nx = 1\n\n### Error\n```lisp\nboom\n```\n";
    assert_eq!(entries(text), [first.clone(), entry("error", None, "boom")]);
    assert_eq!(layout(text).items[0].closer, None);
    assert_eq!(entries("## Context\n\n### Code (from a.py)\n```lisp\n# x\nx = 1\n\n"), [first]);
    assert_eq!(
        entries("## Context\n\n### Code (from a.py)\n```lisp"),
        [entry("code", Some(("a.py", None)), "")]
    );
    assert_eq!(
        entries("## Context\n\n### Code (from a.py)\n```lisp\n```\n\n### Text\n```lisp\nx\n```\n")
            .len(),
        2
    );
}

#[test]
fn aq_08_a_pack_in_a_pack_is_content() {
    let readme = format!("# Packs\n\n## Context\n\n{}\n\nThat is all.", ITEM.trim_end());
    let outer = entry("text", Some(("README.md", None)), &readme);
    let text = super::write::write(
        &[entry("code", None, "a"), outer.clone(), entry("code", None, "b")],
        super::write::Style::default(),
    );
    assert_eq!(entries(&text), [entry("code", None, "a"), outer, entry("code", None, "b")]);
    let two = format!("````\n## Context\n\n{ITEM}{ITEM}````");
    let text = super::write::write(
        &[entry("text", None, &two), entry("code", None, "b")],
        super::write::Style::default(),
    );
    assert_eq!(entries(&text), [entry("text", None, &two), entry("code", None, "b")]);
}

#[test]
fn aq_12_the_dialect_of_the_chat() {
    let text = "Explain this.\n\n<context>\n### a.lisp (:file)\n```\n(a)\n```\n\n### b.lisp:3-4 (:region)\n```\n(b)\n```\n</context>\n\n### Code\n```\nx\n```\n";
    assert!(is(text));
    let found = layout(text);
    assert_eq!(
        entries(text),
        [
            entry("file", Some(("a.lisp", None)), "(a)"),
            entry("region", Some(("b.lisp", Some((3, 4)))), "(b)")
        ]
    );
    assert!(
        found.packs.len() == 1
            && found.packs[0].chat
            && text[..found.packs[0].end].ends_with("</context>")
    );
}
