//! Documents of each format and of any size.

use std::path::Path;

use agentmd::config::Config;
use agentmd::document::Document;

/// The place at which the benchmarks type.
pub const PLACE: &str = "words to type in";
/// The path of the documents.
pub const PATH: &str = "/w/doc.md";

type Part = fn(usize) -> String;

/// The name of each format, the start of its document, and its repeated part.
pub const FORMATS: &[(&str, &str, Part)] = &[
    ("plain", "# Title\n\n", |at| {
        format!(
            "## Part {at}\n\nSome {PLACE}, and `code`.\n\n- a [link](#part-{at})\n- **another** item\n\n"
        )
    }),
    (
        "markdownlang",
        "---\nname: a\ndescription: A.\ninput: { type: object, properties: { who: { type: string }, nick: { type: string } }, required: [who] }\noutput: { type: object, properties: { text: { type: string } }, required: [text] }\nimports: [./missing.md]\n---\n\n",
        |at| {
            format!(
                "## Part {at}\n\nGreet {{{{ .who }}}} and {{{{ upper .nick }}}}, with {PLACE}.\n\n"
            )
        },
    ),
    (
        "duckflow",
        "[REASONING]\nMuch.\n\n[CONFIDENCE] 0.5\n[MOOD] 0.5\n[FOCUS] 0.5\n[STAMINA] 0.5\n\n",
        |at| {
            format!(
                "[ACTION_{at}_TYPE] edit_file\n[ACTION_{at}_PATH] src/{at}.py\n[ACTION_{at}_CONTENT_START]\n# {PLACE}\n[ACTION_{at}_CONTENT_END]\n\n"
            )
        },
    ),
    (
        "llmd",
        "# Project: p\n\n## Meta: LLMD\n\nm\n\n## Mission\n\nm\n\n## Code Context\n\n### src/a.py\n```\nx = 7\n```\n\n## Changelog\n\n- c\n\n## Conversation Thread\n\n",
        |at| {
            let at = at + 1;
            format!(
                "### Entry {at}\n\n**Human:** Some {PLACE}.\n\n**Assistant:** Done.\n\nsrc/a.py\n<<<<<< SEARCH\nx = {at}\n=======\ny\n>>>>>> REPLACE\n\n"
            )
        },
    ),
    ("context", "## Context\n\n", |at| {
        format!("### Code (from src/{at}.py:{at}-{at})\n```\nSome {PLACE}\n```\n\n")
    }),
];

/// A document of a format with at least `size` bytes, and an offset in its middle to type at.
pub fn document(format: &str, size: usize) -> (String, usize) {
    let (name, start, part) =
        FORMATS.iter().find(|(name, ..)| *name == format).expect("a known format");
    let mut text = (*start).to_owned();
    let mut parts = (0..).map(part);
    while text.len() < size {
        text.extend(parts.next());
    }
    let middle = text.len() / 2;
    let place = middle + text[middle..].find(PLACE).unwrap_or(0);
    let document = Document::new(&text, Some(Path::new(PATH)), &Config::default());
    assert_eq!(document.format().name, *name);
    (text, place)
}
