//! Compares the edit engine with the test suites of other tools. The cases are read from a folder
//! next to the project; without it, the test is ignored.
//!
//! A different result is either better on purpose, which a check must show from the case itself
//! rather than from its name, or worse. `AGENTMD_CASES=word` prints the cases that differ, and
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

/// The start of the section with figures from `tests/replies.rs` and `tests/edit_noise.rs`.
const WHOLE_REPLIES: &str = "\n## Whole replies\n";

/// The percentage of cases that may be worse. All others must be the same, or better for a reason.
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
    // The rest of the page comes from other tests.
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
    assert!(wrong.is_empty(), "text in the wrong place: {wrong:#?}");
    let worse = graded.iter().filter(|(_, grade, _)| *grade == Grade::Worse).count();
    assert!(worse * 100 <= graded.len() * MOST_WORSE, "{worse} of {} are worse", graded.len());
    // Skipped if the cases aren't the ones that the page was generated from.
    if graded.len() == table::CASES {
        assert_eq!(
            known, page,
            "run AGENTMD_WRITE=1 cargo test --test edit_cases to update the page"
        );
    }
}
