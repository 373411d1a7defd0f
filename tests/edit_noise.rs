//! Edits of real files, remembered as models remember: nothing may land in a wrong place.
//!
//! Every run draws other cases; the seed is printed, and `AGENTMD_NOISE_SEED` draws them again, as `PROPTEST_RNG_SEED` does
//! where everything is to be drawn alike. `AGENTMD_NOISE_CASES` says how many.

#[path = "edit_noise/draw.rs"]
mod draw;
#[path = "edit_noise/kinds.rs"]
mod kinds;
#[path = "edit_noise/verdict.rs"]
mod verdict;
mod packages;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use agentmd::edit::batch::Request;
use agentmd::edit::{self, Dialect};
use draw::Draw;
use kinds::{Case, Kind};
use verdict::{Verdict, judge};

const CASES: u64 = 1000;
/// Larger files are left out: the time goes into many places, not into few.
const LARGEST: usize = 60_000;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Packages with code, documents and data.
const PACKAGES: [&str; 12] = [
    "tokio",
    "jsonschema",
    "tower",
    "clap",
    "clap_builder",
    "serde_json",
    "toml_edit",
    "regex-automata",
    "criterion",
    "proptest",
    "schemars",
    "tree-sitter",
];

/// Text files that people wrote: the same for the same seed, whatever becomes of this project.
fn files() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = PACKAGES.iter().filter_map(|name| packages::folder(name)).collect();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Some(text) = std::fs::read_to_string(&path).ok().filter(|text| text.lines().count() > 30 && text.len() < LARGEST) {
                found.push((path, text.replace("\r\n", "\n")));
            }
        }
    }
    found.sort();
    found
}

#[derive(Default)]
struct Row {
    /// Unasked, and where everything that is offered is taken.
    auto: BTreeMap<Verdict, usize>,
    all: BTreeMap<Verdict, usize>,
}

#[test]
fn what_is_remembered_badly_lands_in_no_wrong_place() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| u64::try_from(time.as_nanos() & u128::from(u64::MAX)).unwrap_or(0));
    let seed = number("AGENTMD_NOISE_SEED").or(number("PROPTEST_RNG_SEED")).unwrap_or(now);
    println!("AGENTMD_NOISE_SEED={seed}");
    let files = files();
    if files.is_empty() {
        // Past the test harness, which shows nothing of a test that passes.
        let _ = writeln!(std::io::stderr(), "skipped: the sources of the packages are not there");
        return;
    }
    assert!(files.len() > 100, "{} files", files.len());
    let mut draw = Draw::new(seed);
    let mut table: BTreeMap<(&str, Kind), Row> = BTreeMap::new();
    let mut wrong = Vec::new();
    let (mut cases, mut offered_wrong) = (0, 0);
    while cases < number("AGENTMD_NOISE_CASES").unwrap_or(CASES) {
        let kind = Kind::ALL[draw.below(Kind::ALL.len())];
        let (path, text) = &files[draw.below(files.len())];
        let other = &files[draw.below(files.len())].1;
        let Some(case) = kinds::make(kind, text, other, &mut draw) else { continue };
        cases += 1;
        for (name, dialect) in [("SEARCH/REPLACE", Dialect::SearchReplace), ("diff", Dialect::UnifiedDiff)] {
            let block = case.block(dialect);
            let apply = |confirmed: bool| edit::apply(Some(&case.before), &[&block], Request { confirmed, ..Request::default() });
            let row = table.entry((name, kind)).or_default();
            for confirmed in [false, true] {
                let verdict = judge(&case, &apply(confirmed));
                *if confirmed { &mut row.all } else { &mut row.auto }.entry(verdict).or_default() += 1;
                if verdict == Verdict::Wrong {
                    offered_wrong += usize::from(confirmed);
                    if !confirmed {
                        wrong.push(report(name, kind, path, &case, &apply(confirmed)));
                    } else if std::env::var_os("AGENTMD_NOISE_SHOW").is_some() {
                        println!("{}", report(name, kind, path, &case, &apply(confirmed)));
                    }
                }
                let shown = std::env::var("AGENTMD_NOISE_SHOW").unwrap_or_default();
                if confirmed && shown == format!("{kind:?}") && verdict != Verdict::Fine && verdict != Verdict::Wrong {
                    println!("{verdict:?} {}", report(name, kind, path, &case, &apply(confirmed)));
                }
            }
        }
    }
    print(&table);
    for wrong in wrong.iter().filter(|_| std::env::var_os("AGENTMD_NOISE_SHOW").is_some()) {
        println!("unasked: {wrong}");
    }
    assert!(wrong.is_empty(), "AGENTMD_NOISE_SEED={seed}: {} blocks went to a wrong place unasked.\n{}", wrong.len(), wrong[0]);
    // Two dialects: one in a hundred of each.
    assert!(offered_wrong as u64 * 100 <= cases * 2, "AGENTMD_NOISE_SEED={seed}: {offered_wrong} wrong places are offered in {cases} cases");
}

fn report(name: &str, kind: Kind, path: &Path, case: &Case, batch: &edit::Batch) -> String {
    let Case { search, replace, line, .. } = case;
    let result = batch.results[0].as_ref().map(|applied| (applied.tier, applied.line + 1)).map_err(|refused| refused.reason);
    let after = similar::TextDiff::from_lines(case.wanted.as_deref().unwrap_or(&case.before), batch.text.as_deref().unwrap_or_default())
        .unified_diff()
        .to_string();
    format!(
        "{name} {kind:?} {} line {}: {result:?}\n--- SEARCH\n{search}--- REPLACE\n{replace}--- wanted and made\n{after}",
        path.display(),
        line + 1
    )
}

fn print(table: &BTreeMap<(&str, Kind), Row>) {
    println!("\n| | kind | unasked: fine | blanks | refused | wrong | offered too: fine | blanks | refused | wrong |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let mut sums: BTreeMap<&str, [usize; 8]> = BTreeMap::new();
    for ((name, kind), row) in table {
        let cells: Vec<usize> =
            [&row.auto, &row.all].iter().flat_map(|side| Verdict::ALL.map(|verdict| side.get(&verdict).copied().unwrap_or_default())).collect();
        let sum = sums.entry(name).or_default();
        sum.iter_mut().zip(&cells).for_each(|(sum, cell)| *sum += cell);
        println!("| {name} | {kind:?} | {} |", cells.iter().map(usize::to_string).collect::<Vec<_>>().join(" | "));
    }
    for (name, sum) in sums {
        println!("| {name} | all | {} |", sum.map(|cell| cell.to_string()).join(" | "));
    }
}
