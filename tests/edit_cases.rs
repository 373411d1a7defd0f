//! The edit engine beside the test suites of other tools. The cases are read in place, from the folder beside the project;
//! without it the test passes and says that it was skipped.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use agentmd::edit::{self, Batch, Block, Dialect, Reason};
use serde_json::Value;

/// How a case came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    Same,
    /// Refused where the other tool picks one of several places or guesses.
    Refused,
    Worse,
}

#[test]
fn cases_of_other_tools() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/all.jsonl");
    let Ok(text) = std::fs::read_to_string(&path) else {
        let _ = writeln!(std::io::stderr(), "skipped: no edit cases beside the project");
        return;
    };
    let mut table: BTreeMap<String, BTreeMap<Grade, usize>> = BTreeMap::new();
    let mut bad = Vec::new();
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        if let Some((grade, said)) = run(&case) {
            *table.entry(case["suite"].as_str().unwrap().to_owned()).or_default().entry(grade).or_default() += 1;
            if grade != Grade::Same {
                bad.push(format!("{grade:?} {} {}: {said}", case["id"], case["name"]));
            }
        }
    }
    let total: usize = table.values().flat_map(BTreeMap::values).sum();
    let same: usize = table.values().filter_map(|row| row.get(&Grade::Same)).sum();
    // What is refused or differs is listed by AGENTMD_CASES=word; the share may only grow.
    let only = std::env::var("AGENTMD_CASES").unwrap_or_default();
    for line in bad.iter().filter(|line| !only.is_empty() && line.contains(&only)) {
        println!("{line}");
    }
    println!("{table:#?}\n{same} of {total}");
    assert!(same * 100 >= total * 85, "{same} of {total}");
}

fn run(case: &Value) -> Option<(Grade, String)> {
    let before = case["file_before"].as_str();
    let kind = case["kind"].as_str()?;
    let blocks = match kind {
        "apply" => edit::read(case["block_text"].as_str()?),
        "apply-substring" if case["edits"].is_null() && case["search"].is_null() => edit::read(case["block_text"].as_str()?),
        "apply-substring" => strings(case),
        _ => return None,
    };
    let path = case["path"].as_str().unwrap_or_default();
    let named = blocks.iter().any(|block| block.path.as_ref().is_some_and(|named| named.text == path));
    let several = blocks.iter().filter_map(|block| block.path.as_ref()).any(|named| named.text != path);
    let mine: Vec<&Block> = blocks.iter().filter(|block| !(named && several) || block.path.as_ref().is_none_or(|named| named.text == path)).collect();
    let batch = edit::apply(before, &mine, edit::batch::Request { confirmed: true, sequential: kind == "apply-substring" });
    let expected = case.get("our_expected").unwrap_or(&case["expected"]);
    Some(grade(expected, &batch, &mine))
}

/// The edits of tools that name old and new text.
fn strings(case: &Value) -> Vec<Block> {
    let one = |old: Option<&str>, new: Option<&str>, all: &Value| {
        old.zip(new).map(|(old, new)| Block { all: all.as_bool().unwrap_or_default(), ..Block::of(Dialect::Strings, old, new) })
    };
    match case["edits"].as_array() {
        Some(edits) => edits.iter().filter_map(|edit| one(edit["old"].as_str(), edit["new"].as_str(), &edit["allowMultiple"])).collect(),
        None => one(case["search"].as_str(), case["replace"].as_str(), &case["options"]["replace_all"]).into_iter().collect(),
    }
}

fn grade(expected: &Value, batch: &Batch, blocks: &[&Block]) -> (Grade, String) {
    let reasons: Vec<&str> = batch.results.iter().filter_map(|result| result.as_ref().err()).map(|refused| refused.reason.name()).collect();
    let failed = blocks.is_empty() || !reasons.is_empty();
    let settled = reasons.iter().all(|reason| matches!(*reason, "already_applied" | "no_op"));
    let shown = format!("{reasons:?} {:?}", batch.text);
    if let Some(error) = expected["error"].as_str() {
        let fits = failed && (Reason::NotFound.name() == "not_found") && (!is_reason(error) || reasons.contains(&error));
        return (if fits { Grade::Same } else { Grade::Worse }, format!("want {error}, have {shown}"));
    }
    let want = expected["after"].as_str().or(expected["after_confirm"].as_str());
    if let Some(want) = want {
        let grade = match failed {
            _ if settled && batch.text.as_deref().unwrap_or_default() == want => Grade::Same,
            true if !settled => Grade::Refused,
            _ => Grade::Worse,
        };
        return (grade, format!("{reasons:?} want {want:?}, have {shown}"));
    }
    let applies = expected["applies"].as_bool() == Some(!failed);
    (if applies { Grade::Same } else { Grade::Refused }, format!("want {expected}, have {shown}"))
}

/// A reason of ours, and not the words of another tool.
fn is_reason(error: &str) -> bool {
    [
        "unterminated_block",
        "overlap",
        "empty_search_on_nonempty_file",
        "no_op",
        "already_applied",
        "elision_in_replace",
        "elision_unpaired",
        "ambiguous",
        "not_found",
    ]
    .contains(&error)
}
