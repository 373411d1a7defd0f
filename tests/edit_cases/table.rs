//! The page with the results of the cases.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::case::Case;
use super::grade::{Grade, Why};

/// The number of cases that the page was generated from.
pub const CASES: usize = 718;

const HEAD: &str = "# Edit conformance

The edit engine runs the cases of other tools' test suites, and its own. *Same*: the same result, or refused as they refuse.
*Better*: an intentional difference, for one of the reasons below; the test verifies the reason for each case. *Worse*: refused
without need. Places that need confirmation (`needs_confirmation`) count as confirmed. An edit in a wrong place fails the test.

`AGENTMD_WRITE=1 cargo test --test edit_cases` writes this table, if the cases are next to the project.

";

pub fn page<'a>(graded: impl Iterator<Item = (&'a Case, Grade)>) -> String {
    let mut suites: BTreeMap<&str, Vec<Grade>> = BTreeMap::new();
    for (case, grade) in graded {
        suites.entry(&case.suite).or_default().push(grade);
    }
    let mut page = String::from(HEAD);
    page.push_str("| suite | cases | same | better | worse | why better |\n| --- | ---: | ---: | ---: | ---: | --- |\n");
    for (suite, grades) in &suites {
        row(&mut page, &format!("`{suite}`"), grades);
    }
    let all: Vec<Grade> = suites.values().flatten().copied().collect();
    row(&mut page, "all", &all);
    let share = |grades: usize| {
        f64::from(u32::try_from(grades).unwrap()) * 100.0
            / f64::from(u32::try_from(all.len().max(1)).unwrap())
    };
    let fine = all.iter().filter(|grade| matches!(grade, Grade::Same | Grade::Better(_))).count();
    writeln!(page, "\n{:.1} % are the same, or better on purpose.\n\n## Why better\n", share(fine))
        .unwrap();
    for why in Why::ALL {
        let count = all.iter().filter(|grade| **grade == Grade::Better(why)).count();
        if count > 0 {
            writeln!(page, "- **{}** ({count}): {}", why.name(), why.reason()).unwrap();
        }
    }
    page
}

fn row(page: &mut String, name: &str, grades: &[Grade]) {
    let count = |wanted: fn(&Grade) -> bool| grades.iter().filter(|grade| wanted(grade)).count();
    let (same, better) =
        (count(|grade| *grade == Grade::Same), count(|grade| matches!(grade, Grade::Better(_))));
    let whys: Vec<String> = Why::ALL
        .iter()
        .map(|why| (why, grades.iter().filter(|grade| **grade == Grade::Better(*why)).count()))
        .filter(|(_, count)| *count > 0)
        .map(|(why, count)| format!("{} {count}", why.name()))
        .collect();
    let worse = grades.len() - same - better;
    writeln!(
        page,
        "| {name} | {} | {same} | {better} | {worse} | {} |",
        grades.len(),
        whys.join(", ")
    )
    .unwrap();
}
