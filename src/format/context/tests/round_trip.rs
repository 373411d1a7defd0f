//! `read(write(x)) == x` (AQ-13), and reading after an edit equals reading from scratch.

use proptest::prelude::*;

use super::super::kind::KINDS;
use super::super::write::{Entry, Style, unreadable, write};
use super::entries;
use crate::source::Source;
use crate::text::Edit;

/// Lines without any that looks like a header.
const LINES: &[&str] = &[
    "x",
    "",
    "  (a)",
    "# c",
    "## d",
    "`",
    "日本 🦆",
    "\t",
    "text ```",
    "### some words",
    "- ",
    "<context>",
    "a\r",
    "e\u{301}",
];

/// Fences that are closed, with anything in them.
const FENCED: &[&str] = &[
    "```\nx\n```",
    "```lisp\n### Code\n```",
    "````\n```\n\n### Code (from x:1-2)\n```lisp\nx\n```\n````",
    "~~~\n```\n~~~",
    "````md\n## Context\n\n### Text\n```lisp\ny\n```\n\n## Request\n\nz\n````",
    "```\n\n```",
    "   ```\nq\n  ```",
];

fn line() -> impl Strategy<Value = String> {
    prop_oneof![3 => prop::sample::select(LINES), 1 => prop::sample::select(FENCED)]
        .prop_map(str::to_owned)
}

fn content() -> impl Strategy<Value = String> {
    prop::collection::vec(line(), 0..6).prop_map(|lines| lines.join("\n"))
}

fn entry(content: impl Strategy<Value = String>) -> impl Strategy<Value = Entry> {
    let name = prop_oneof![
        "[a-z/ ().:日🦆-]{1,12}x",
        Just("a:1-2.lisp".to_owned()),
        Just("C:\\win\\p (1).lisp".to_owned()),
        Just("b (from c)".to_owned())
    ];
    let place = prop::option::of((name, prop::option::of((0_u32..300, 0_u32..300))));
    (prop::sample::select(&KINDS[..]), place, content).prop_map(|(kind, place, content)| {
        let lines = place
            .as_ref()
            .and_then(|(_, lines)| *lines)
            .map(|(start, end)| (start.to_string(), end.to_string()));
        Entry { kind: kind.to_owned(), filename: place.map(|(name, _)| name), lines, content }
    })
}

/// Anything at all, including frames of packs.
const HOSTILE: &[&str] = &[
    "```",
    "````",
    "```lisp",
    "~~~",
    "### Code",
    "### Code (from a:1-2)",
    "### Foo (from a)",
    "## Context",
    "## Request",
    "# h",
    "",
    "x",
    "</context>",
];

fn hostile() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(HOSTILE), 0..8).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn aq_13_a_written_pack_is_read_back(items in prop::collection::vec(entry(content()), 1..6), languages in any::<bool>(), safe in any::<bool>()) {
        let text = write(&items, Style { languages, safe });
        prop_assert_eq!(entries(&text), items, "{}", text);
    }

    #[test]
    fn aq_13_a_safe_fence_keeps_anything(items in prop::collection::vec(entry(hostile()), 1..6)) {
        let text = write(&items, Style { languages: false, safe: true });
        prop_assert_eq!(entries(&text), items, "{}", text);
    }

    #[test]
    fn aq_06_items_that_cannot_be_read_back_are_named(items in prop::collection::vec(entry(hostile()), 1..6)) {
        let plain = Style::default();
        let lost = entries(&write(&items, plain)) != items;
        prop_assert_eq!(lost, !unreadable(&items, plain).is_empty());
    }

    #[test]
    fn an_edited_pack_is_read_like_a_fresh_one(items in prop::collection::vec(entry(hostile()), 1..4), edits in prop::collection::vec((any::<u16>(), 0_usize..6, prop::sample::select(HOSTILE)), 1..6)) {
        let mut source = Source::new(&write(&items, Style::default()));
        for (at, length, new) in edits {
            let start = usize::from(at) % (source.len() + 1);
            source = source.edit(&Edit::replace(start..(start + length).min(source.len()), format!("\n{new}\n")));
            let text = source.slice(0..source.len()).into_owned();
            let (edited, fresh) = (super::super::read::read(&source), super::super::read::read(&Source::new(&text)));
            prop_assert_eq!(&**edited, &**fresh);
            for item in &edited.items {
                for span in [&item.line, &item.content, &item.opener, &item.header.kind] {
                    prop_assert!(text.get(span.clone()).is_some());
                }
                prop_assert!(item.line.end <= item.opener.start && item.opener.end <= item.content.start && item.content.end <= item.end);
            }
            prop_assert!(edited.items.is_sorted_by(|a, b| a.end <= b.line.start));
        }
    }
}
