//! Whole replies, as models send them, through the real program: `agentmd apply - --root DIR`.
//!
//! A reply is applied whole or not at all, and text that only looks like an edit is never applied. The cases come from two files,
//! one of them next to the project; mixtures, nestings and names are generated here.

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

use std::path::Path;

use tally::report;

#[test]
fn known_cases() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/replies.jsonl");
    match std::fs::read_to_string(&path) {
        Ok(text) => case::check("known cases", &text),
        Err(_) => report("skipped: no reply cases next to the project\n"),
    }
}

#[test]
fn unseen_cases() {
    case::check("unseen cases", include_str!("replies/unseen.jsonl"));
}
