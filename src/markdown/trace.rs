//! Traces of what readers look for in every document: words and signs that all of it contains. They
//! are found in one pass when a section is cut, so that a section without a trace needs no reader.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

/// Something that a section may contain; it isn't certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trace {
    /// A comment that suppresses findings.
    Directive = 1,
    /// A marker of edit blocks, or a mention of one.
    EditMarker = 2,
    /// The first line of a context pack.
    Pack = 4,
    /// A marker of a reply's reasoning or actions, or a line of vitals.
    Reply = 8,
    /// A selector, or a command that takes some.
    Selector = 16,
}

use Trace::{Directive, EditMarker, Pack, Reply, Selector};

/// The traces of a section.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traces(u8);

/// Each leaves the traces next to it. None begins within another that leaves others.
const SIGNS: &[(&str, &[Trace])] = &[
    ("agentmd", &[Directive, Selector]),
    ("mdsel", &[Selector]),
    ("heading:h", &[Selector]),
    ("block:", &[Selector]),
    ("::", &[Selector, Reply]),
    ("[RE", &[Reply]),
    ("[Re", &[Reply]),
    ("[rE", &[Reply]),
    ("[re", &[Reply]),
    ("[AC", &[Reply]),
    ("[Ac", &[Reply]),
    ("[aC", &[Reply]),
    ("[ac", &[Reply]),
    ("Context", &[Pack]),
    ("<context>", &[Pack]),
    ("<<<", &[EditMarker]),
    (">>>", &[EditMarker]),
    ("+++", &[EditMarker]),
    ("`===", &[EditMarker]),
    ("*** Begin Patch", &[EditMarker]),
    ("*** End Patch", &[EditMarker]),
    // Mostly a table or a rule: what follows decides.
    (DASHES, &[]),
];

const DASHES: &str = "---";

static FINDER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let signs = SIGNS.iter().map(|(sign, _)| sign);
    AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(signs).ok()
});

impl Traces {
    pub(super) fn read(text: &str) -> Self {
        let Some(finder) = &*FINDER else { return Self(u8::MAX) };
        let mut found = Self::default();
        for sign in finder.find_iter(text) {
            match SIGNS.get(sign.pattern().as_usize()) {
                Some((DASHES, _)) if begins_block(text.get(sign.end()..).unwrap_or_default()) => {
                    found.add(EditMarker);
                }
                Some((_, traces)) => traces.iter().for_each(|trace| found.add(*trace)),
                None => {}
            }
        }
        found
    }

    fn add(&mut self, trace: Trace) {
        self.0 |= trace as u8;
    }

    pub fn has(self, trace: Trace) -> bool {
        self.0 & trace as u8 != 0
    }
}

/// Whether three dashes before this may be those of `------- SEARCH`, with any of its words.
fn begins_block(rest: &str) -> bool {
    if rest.starts_with(DASHES) {
        return false;
    }
    let word = rest.trim_start_matches('-');
    let word = word.trim_start_matches(|letter: char| letter.is_whitespace() && letter != '\n');
    word.starts_with(['S', 's', 'O', 'o', 'C', 'c'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_the_traces_of_what_it_contains() {
        let has = |text: &str, trace: Trace| Traces::read(text).has(trace);
        for (trace, texts) in [
            (Directive, &["<!-- agentmd-disable -->"][..]),
            (
                EditMarker,
                &[
                    "<<<<<<< SEARCH",
                    "<<<<",
                    ">>>>>>> REPLACE",
                    "------- SEARCH",
                    "---search",
                    "--------- \t ORIGINAL",
                    "---\u{3000}CHANGELOG",
                    "+++++++ REPLACE",
                    "--- a/x\n+++ b/x",
                    "*** Begin Patch",
                    "*** End Patch",
                    "`=======`",
                    "| --- | ------- SEARCH",
                ],
            ),
            (Pack, &["## Context", "##\tContext ", "<context>", "<<context>"]),
            (Reply, &["[REASONING]", "[reasoning]", "**[Action_0_type]**", "::c0.95 ::s0.9"]),
            (Selector, &["a::b", "block:1", "x::block:code[0]", "mdsel", "heading:h1"]),
        ] {
            for text in texts {
                assert!(has(text, trace), "{trace:?}: {text}");
            }
        }
        for text in ["", "|---|:---|\n", "----\nSome", "--- # a", "é🦆日本", "a: b", "**bold**"]
        {
            assert_eq!(Traces::read(text), Traces::default(), "{text}");
        }
    }

    /// A sign that ends where another begins doesn't hide it.
    #[test]
    fn no_sign_hides_another() {
        let own = |sign: &str| Traces::read(sign).0;
        for (first, _) in SIGNS {
            for (second, _) in SIGNS {
                let both = Traces::read(&format!("{first}{second}")).0;
                let expected = own(first) | own(second);
                assert_eq!(both & expected, expected, "{first}{second}");
            }
        }
    }
}
