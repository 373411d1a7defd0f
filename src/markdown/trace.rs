//! Traces of the things that readers look for in every document: short sequences of characters, at
//! least one of which each of them contains. One pass finds them when a section is cut. A section
//! without the trace of a reader needn't be read by it.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

/// A thing that a section may contain.
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
    /// A heading that LLMD documents have.
    Title = 32,
}

use Trace::{Directive, EditMarker, Pack, Reply, Selector, Title};

/// The traces of a section.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traces(u8);

/// The traces that each leaves. Where two overlap, as `<<<` and `<context>` or `block:` and `::`, only
/// the first is found. The second isn't at the start of its line then, so nothing reads it.
const SEQUENCES: &[(&str, &[Trace])] = &[
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
    ("Project:", &[Title]),
    ("Meta: LLMD", &[Title]),
    ("Conversation Thread", &[Title]),
    // Mostly a table or a rule: what follows decides.
    (DASHES, &[]),
];

const DASHES: &str = "---";

static FINDER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let sequences = SEQUENCES.iter().map(|(sequence, _)| sequence);
    AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(sequences).ok()
});

impl Traces {
    pub(super) fn read(text: &str) -> Self {
        let Some(finder) = &*FINDER else { return Self(u8::MAX) };
        let mut found = Self::default();
        for place in finder.find_iter(text) {
            match SEQUENCES.get(place.pattern().as_usize()) {
                Some((DASHES, _)) if begins_block(text.get(place.end()..).unwrap_or_default()) => {
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

    /// The traces of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
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
            (Title, &["# Project: a", "## Meta: LLMD", "## Conversation Thread"]),
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

    #[test]
    fn no_sequence_hides_the_next() {
        let own = |sequence: &str| Traces::read(sequence).0;
        for (first, _) in SEQUENCES {
            for (second, _) in SEQUENCES {
                let both = Traces::read(&format!("{first}{second}")).0;
                let expected = own(first) | own(second);
                assert_eq!(both & expected, expected, "{first}{second}");
            }
        }
    }
}
