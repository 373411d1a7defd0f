//! Laws that hold for every document and every edit.

use agentmd::markdown::block;
use agentmd::source::Source;
use agentmd::text::{Edit, Encoding, Rope};
use proptest::prelude::*;

/// Pieces that open, close and confuse blocks.
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
    found.blocks.iter().map(|b| format!("{:?} {:?} {}", shift(&b.kind, front), b.span.start + front..b.span.end + front, b.depth)).collect()
}

fn sectioned_blocks(source: &Source) -> Vec<String> {
    source
        .sections()
        .flat_map(|placed| {
            source
                .blocks(placed)
                .blocks
                .iter()
                .map(move |b| format!("{:?} {:?} {}", shift(&b.kind, placed.start), b.span.start + placed.start..b.span.end + placed.start, b.depth))
        })
        .collect()
}

fn shift(kind: &block::BlockKind, by: usize) -> block::BlockKind {
    match kind.clone() {
        block::BlockKind::Heading { level, text, setext } => block::BlockKind::Heading { level, text: text.start + by..text.end + by, setext },
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
            // Reading what the section means must not change what an edit makes of it.
            for placed in source.sections() {
                source.blocks(placed);
                source.highlights(placed);
            }
            source = source.edit(&edit);
            text.replace_range(edit.span, &edit.text);
            let fresh = Source::new(&text);
            prop_assert!(source.same_as(&fresh), "edited {:?}\nfresh {:?}", source.sections().map(|s| (s.span(), s.section.kind)).collect::<Vec<_>>(), fresh.sections().map(|s| (s.span(), s.section.kind)).collect::<Vec<_>>());
            for (a, b) in source.sections().zip(fresh.sections()) {
                prop_assert_eq!(source.blocks(a), fresh.blocks(b));
                prop_assert_eq!(source.highlights(a), fresh.highlights(b));
            }
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
            // Between `\r` and `\n` there is no position: both are the line's end.
            let expected = if text.get(..offset).is_some_and(|t| t.ends_with('\r')) && text.get(offset..).is_some_and(|t| t.starts_with('\n')) { offset - 1 } else { offset };
            prop_assert_eq!(back, expected);
        }
    }
}
