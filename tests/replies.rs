//! Whole replies, as models send them, applied by the real program: `agentmd apply - --root DIR`.
//!
//! A reply is applied as a whole or not at all, and text that only looks like an edit is never
//! applied. The cases come from two files, one of them next to the project; mixtures, nestings and
//! names are generated here.

#[path = "replies/bad_input.rs"]
mod bad_input;
#[path = "replies/case.rs"]
mod case;
#[path = "replies/construct.rs"]
mod construct;
#[path = "replies/mixtures.rs"]
mod mixtures;
#[path = "replies/names.rs"]
mod names;
#[path = "replies/nestings.rs"]
mod nestings;
#[path = "replies/tally.rs"]
mod tally;
#[path = "replies/workspace.rs"]
mod workspace;

#[test]
fn unseen_cases() {
    case::check("unseen cases", include_str!("replies/unseen.jsonl"), 95);
}

#[test]
fn cases_that_are_easily_misread() {
    case::check("easily misread", include_str!("replies/misread.jsonl"), 100);
}
