//! The cases of `tests/replies.rs` that aren't part of this project. They're expected in a folder
//! next to it.

#[path = "replies/case.rs"]
mod case;
#[path = "support/optional.rs"]
mod optional;
#[path = "replies/tally.rs"]
#[allow(dead_code)]
mod tally;
#[path = "replies/workspace.rs"]
#[allow(dead_code)]
mod workspace;

use std::path::{Path, PathBuf};

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/replies.jsonl")
}

fn main() {
    let missing =
        (!cases().is_file()).then(|| "the reply cases are not next to the project".to_owned());
    optional::main(vec![optional::Optional { name: "known_cases", missing, run: known_cases }])
}

fn known_cases() {
    case::check("known cases", &std::fs::read_to_string(cases()).unwrap(), 95);
}
