//! A section without a trace contains nothing that leaves this trace.

use proptest::prelude::*;

use crate::edit::{MarkerKind, marker};
use crate::format::context::line::Lines;
use crate::format::duckflow::mark::{self, Mark, MarkKind};
use crate::format::duckflow::sym_ops;
use crate::markdown::Trace;
use crate::selector::mention;
use crate::source::Source;

const PIECES: &[&str] = &[
    "\n",
    "\r",
    "\r\n",
    " ",
    "\t",
    "\u{3000}",
    "-",
    "--",
    "---",
    "+",
    "++",
    "<",
    "<<",
    ">",
    ">>>",
    "=",
    "===",
    "`",
    "```",
    "*",
    "**",
    "*** ",
    "Begin Patch",
    "End Patch",
    "SEARCH",
    "search",
    "Original",
    "REPLACE",
    "Changelog",
    "updated",
    "_MISSION",
    "#",
    "## ",
    "Context",
    "Request",
    "<context>",
    "</context>",
    "Project:",
    "Meta: ",
    "LLMD",
    "Conversation",
    " Thread",
    "[",
    "]",
    "[ACTION_0_TYPE]",
    "[action 0 type]",
    "ACTION_",
    "reasoning",
    "REASONING",
    "Reasoning",
    "_0_",
    "PATH",
    "[R",
    "[Ac",
    "::",
    ":",
    "c0.95",
    "s1 ",
    "mdsel",
    "agentmd",
    "heading:",
    "h1",
    "block:",
    "code[0]",
    "std::vec",
    "ab",
    "agentmd-disable",
    "<!-- ",
    "-->",
    "\u{feff}",
    "日",
    "e\u{301}",
    "🦆",
    "|",
    "# A\n",
    // Rarely made of the pieces above.
    "\n[reasoning]\n",
    "\n  [REASONING] a\n",
    "\n**[Action_0_Type]** create_file\n",
    "\n[aCTION 0 PATH] x\n",
    "\n::c0.95 ::s0.9\n",
    "\n------- search\n",
    "\n----\u{3000}Original\n",
    "\n--- changelog\n",
    "\n+++ REPLACE\n",
    "\n##\tContext \n",
    "\n<context>\n",
    "\n# Project: a\n",
    "\n## Meta: LLMD\n",
    "\n## Conversation Thread\n",
    " `mdsel a.md` ",
];

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(PIECES), 0..24)
        .prop_map(|pieces| pieces.concat())
}

/// A marker by which a reply is recognised, or nearly one.
fn tells(text: &str, mark: &Mark) -> bool {
    let name = text.get(mark.name.clone()).unwrap_or_default().to_ascii_uppercase();
    if !text.get(..mark.name.start).is_some_and(|before| before.ends_with('[')) {
        return false;
    }
    let kind =
        if mark.kind == MarkKind::LookAlike { mark::named(&name) } else { Some(mark.kind.clone()) };
    matches!(
        kind,
        Some(
            MarkKind::Section(0)
                | MarkKind::Action { .. }
                | MarkKind::ContentStart { .. }
                | MarkKind::ContentEnd { .. }
        )
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn all_content_leaves_its_trace(text in text()) {
        let source = Source::new(&text);
        for placed in source.sections() {
            let own = source.section_text(placed);
            let has = |trace: Trace| placed.section.may_have(trace);
            let ends = own.split('\n').filter_map(marker).any(|marker| marker.kind != MarkerKind::Divider);
            prop_assert!(has(Trace::EditMarker) || !ends);
            prop_assert!(has(Trace::Pack) || !Lines::read(&own, placed.start == 0).begins);
            let reply = mark::marks(&own).iter().any(|mark| tells(&own, mark));
            prop_assert!(has(Trace::Reply) || !reply && sym_ops::vitals(&own).is_none());
            prop_assert!(has(Trace::Selector) || mention::mentions(&own, &[]).is_empty());
            let titled = ["Project:", "Meta: LLMD", "Conversation Thread"];
            prop_assert!(has(Trace::Title) || !titled.iter().any(|title| own.contains(title)));
            prop_assert!(has(Trace::Directive) || placed.section.directives.is_empty());
        }
        for stretch in source.stretches() {
            let all = [Trace::Directive, Trace::EditMarker, Trace::Pack, Trace::Reply, Trace::Selector, Trace::Title];
            for trace in all {
                let own = stretch.sections().any(|placed| placed.section.may_have(trace));
                prop_assert_eq!(stretch.may_have(trace), own);
            }
        }
    }
}
