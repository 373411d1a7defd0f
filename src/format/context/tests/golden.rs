//! The output of the original program, byte for byte, and the items read from it.

use super::super::kind::{KINDS, NAMES, capitalize};
use super::super::write::{Entry, Style, unreadable, write};
use super::{entries, entry, layout};

const HOSTILE: &str = "## Context\n\n### Text\n```lisp\nExample: ```lisp\n(+ 1 2)\n```\nafter\n```\n\n### Text\n```lisp\n### Code (from x.lisp:1-2)\n\n## Context\n\n```\n\n### Text\n```lisp\n\n```\n\n### Code\n```lisp\ntrailing\n\n\n```\n\n";

fn hostile() -> Vec<Entry> {
    vec![
        entry("text", None, "Example: ```lisp\n(+ 1 2)\n```\nafter"),
        entry("text", None, "### Code (from x.lisp:1-2)\n\n## Context\n"),
        entry("text", None, ""),
        entry("code", None, "trailing\n\n"),
    ]
}

#[test]
fn aq_01_the_writer_writes_what_the_original_writes() {
    let plain = Style::default();
    assert_eq!(write(&[], plain), "## Context\n\n");
    let item = entry("code", Some(("src/example.lisp", Some((10, 12)))), "(defun foo () 42)");
    assert_eq!(
        write(&[item], plain),
        "## Context\n\n### Code (from src/example.lisp:10-12)\n```lisp\n(defun foo () 42)\n```\n\n"
    );
    assert_eq!(write(&hostile(), plain), HOSTILE);
}

#[test]
fn aq_02_types_are_capitalized_word_by_word() {
    for (kind, shown) in [
        ("code", "Code"),
        ("REPL-HISTORY", "Repl-History"),
        ("a_b c1d", "A_B C1d"),
        ("été-x", "Été-X"),
        ("", ""),
        ("3d-Point", "3d-Point"),
    ] {
        assert_eq!(entry(kind, None, "").title(), shown);
    }
    assert_eq!(KINDS.map(capitalize), NAMES);
}

#[test]
fn aq_03_an_annotation_names_a_file_and_both_lines() {
    let title = |filename: Option<&str>, lines: Option<(&str, &str)>| {
        let lines = lines.map(|(start, end)| (start.to_owned(), end.to_owned()));
        Entry { filename: filename.map(str::to_owned), lines, ..entry("code", None, "") }.title()
    };
    assert_eq!(title(Some("path/with spaces.lisp"), None), "Code (from path/with spaces.lisp)");
    assert_eq!(title(Some("a:b:1-2.lisp"), Some(("3", "9"))), "Code (from a:b:1-2.lisp:3-9)");
    assert_eq!(title(None, Some(("3", "4"))), "Code");
}

#[test]
fn aq_06_a_safe_fence_is_longer_than_any_in_the_content() {
    let safe = Style { safe: true, ..Style::default() };
    assert_eq!(entry("text", None, "a ```` b").write(safe), "### Text\n`````lisp\na ```` b\n`````");
    assert_eq!(entry("text", None, "`a`").write(safe), "### Text\n```lisp\n`a`\n```");
    assert_eq!(unreadable(&hostile(), Style::default()), [0; 0]);
    let torn = entry("text", None, "a\n```\n\n### Code\n```lisp\nb");
    assert_eq!(unreadable(&[entry("code", None, "x"), torn.clone()], Style::default()), [1]);
    assert_eq!(unreadable(&[torn], safe), [0; 0]);
}

#[test]
fn aq_08_hostile_content_is_read_back() {
    for end in ["\n", "\r\n"] {
        let text = HOSTILE.replace('\n', end);
        let expected: Vec<Entry> = hostile()
            .into_iter()
            .map(|item| Entry { content: item.content.replace('\n', end), ..item })
            .collect();
        assert_eq!(entries(&text), expected);
    }
    assert!(layout(HOSTILE).items.iter().all(|item| item.ambiguous.is_none()));
}
