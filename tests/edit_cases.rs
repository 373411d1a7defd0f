//! The edit engine beside the test suites of other tools. The cases are read in place, from the
//! folder beside the project; without it the test is ignored.
//!
//! What comes out differently is either better on purpose, which a check has to show from the case
//! itself and not by its name, or worse. `AGENTMD_CASES=word` prints the cases that differ,
//! `AGENTMD_WRITE=1` writes `docs/edit-conformance.md`.

#[path = "support/optional.rs"]
mod optional;
#[path = "edit_cases/case.rs"]
mod case;
#[path = "edit_cases/grade.rs"]
mod grade;
#[path = "edit_cases/run.rs"]
mod run;
#[path = "edit_cases/table.rs"]
mod table;

use std::path::{Path, PathBuf};

use case::Case;
use grade::Grade;

/// Where the page goes on with figures of `tests/replies.rs` and `tests/edit_noise.rs`.
const WHOLE_REPLIES: &str = "\n## Whole replies\n";

/// Every case has to come out the same, or better for a reason, but for so many in a hundred.
const MOST_WORSE: usize = 2;

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/all.jsonl")
}

fn main() {
    let missing =
        (!cases().is_file()).then(|| "the edit cases are not next to the project".to_owned());
    optional::main(vec![optional::Optional {
        name: "cases_of_other_tools",
        missing,
        run: cases_of_other_tools,
    }])
}

fn cases_of_other_tools() {
    let text = std::fs::read_to_string(cases()).unwrap();
    let cases: Vec<Case> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let graded: Vec<(&Case, Grade, run::Outcome)> = cases
        .iter()
        .map(|case| {
            let outcome = run::run(case);
            (case, grade::grade(case, &outcome), outcome)
        })
        .collect();
    let only = std::env::var("AGENTMD_CASES").unwrap_or_default();
    for (case, grade, outcome) in graded.iter().filter(|(_, grade, _)| *grade != Grade::Same) {
        let line = format!(
            "{grade:?} {} {}: want {}, have {outcome:?}",
            case.id,
            case.name,
            case.wanted()
        );
        if !only.is_empty() && line.contains(&only) {
            println!("{line}");
        }
    }
    let page = table::page(graded.iter().map(|(case, grade, _)| (*case, *grade)));
    println!("{page}");
    let page_path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/edit-conformance.md");
    let known = std::fs::read_to_string(&page_path).unwrap_or_default();
    // What follows is measured by other tests.
    let (known, rest) =
        known.find(WHOLE_REPLIES).map_or((known.as_str(), ""), |at| known.split_at(at));
    if std::env::var_os("AGENTMD_WRITE").is_some() {
        std::fs::write(&page_path, format!("{page}{rest}")).unwrap();
    }
    let wrong: Vec<&str> = graded
        .iter()
        .filter(|(_, grade, _)| *grade == Grade::Wrong)
        .map(|(case, ..)| case.name.as_str())
        .collect();
    assert!(wrong.is_empty(), "text where it does not belong: {wrong:#?}");
    let worse = graded.iter().filter(|(_, grade, _)| *grade == Grade::Worse).count();
    assert!(worse * 100 <= graded.len() * MOST_WORSE, "{worse} of {} are worse", graded.len());
    // Other cases may lie there than those that the page was made of.
    if graded.len() == table::CASES {
        assert_eq!(
            known, page,
            "AGENTMD_WRITE=1 cargo test --test edit_cases writes the page anew"
        );
    }
}
