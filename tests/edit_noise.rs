//! Edits of real files, with the mistakes that models make, and traps: blocks whose text is gone
//! while something similar is left. No edit may be applied in a wrong place, no trap may be applied
//! unless it was confirmed, and no edit may be applied twice.
//!
//! Every run draws different cases and prints its seed. `AGENTMD_NOISE_SEED` repeats a run, as does
//! `PROPTEST_RNG_SEED`, which also applies to other tests. `AGENTMD_NOISE_CASES` is the number of
//! cases, and of traps. `AGENTMD_NOISE_SHOW=Typo` (any kind or trap) prints those that are refused,
//! applied wrongly or offered wrongly. `AGENTMD_NOISE_DUMP=FILE` also writes every case and trap to
//! FILE, one JSON object per line. `scripts/edit_engines/measure.py` runs other edit engines on it.

#[path = "edit_noise/draw.rs"]
mod draw;
#[path = "edit_noise/dump.rs"]
mod dump;
#[path = "edit_noise/kinds.rs"]
mod kinds;
#[path = "edit_noise/made.rs"]
mod made;
mod packages;
#[path = "support/optional.rs"]
mod optional;
#[path = "edit_noise/sources.rs"]
mod sources;
#[path = "edit_noise/table.rs"]
mod table;
#[path = "edit_noise/traps.rs"]
mod traps;
#[path = "edit_noise/verdict.rs"]
mod verdict;

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use agentmd::edit::batch::Request;
use agentmd::edit::{self, Batch, Block, Dialect, Reason};
use draw::Draw;
use dump::Dump;
use kinds::{Case, Kind};
use sources::Sources;
use table::{Second, Table};
use traps::Trap;
use verdict::{Verdict, judge};

/// The number of cases, and of traps.
const CASES: u64 = 120;
const DIALECTS: [(&str, Dialect); 2] =
    [("SEARCH/REPLACE", Dialect::SearchReplace), ("diff", Dialect::UnifiedDiff)];

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn main() {
    let missing =
        (Sources::new().len() == 0).then(|| "the sources of the packages are missing".to_owned());
    let run = misremembered_edits_are_never_applied_in_a_wrong_place;
    optional::main(vec![optional::Optional {
        name: "misremembered_edits_are_never_applied_in_a_wrong_place",
        missing,
        run,
    }])
}

fn misremembered_edits_are_never_applied_in_a_wrong_place() {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |time| u64::try_from(time.as_nanos() & u128::from(u64::MAX)).unwrap_or(0));
    let seed = number("AGENTMD_NOISE_SEED").or(number("PROPTEST_RNG_SEED")).unwrap_or(now);
    println!("AGENTMD_NOISE_SEED={seed}");
    let sources = Sources::new();
    assert!(sources.len() > 100, "{} files", sources.len());
    let (mut draw, mut table, mut dump) = (Draw::new(seed), Table::default(), Dump::from_env());
    let wanted = number("AGENTMD_NOISE_CASES").unwrap_or(CASES);
    let mut cases = 0;
    while cases < wanted {
        let kind = Kind::ALL[draw.below(Kind::ALL.len())];
        let (path, text) = sources.draw(&mut draw);
        let Some(case) = kinds::make(kind, &text, &mut draw) else { continue };
        cases += 1;
        dump.write(&case, &format!("{kind:?}"), seed);
        run(&case, &format!("{kind:?}"), path, &mut table);
    }
    let mut traps = 0;
    while traps < wanted {
        let trap = Trap::ALL[draw.below(Trap::ALL.len())];
        let (path, text) = sources.draw(&mut draw);
        let other = sources.draw(&mut draw).1;
        let Some(case) = traps::make(trap, path, &text, &other, &mut draw) else { continue };
        traps += 1;
        dump.write(&case, &format!("{trap:?}"), seed);
        run(&case, &format!("{trap:?}"), path, &mut table);
    }
    table.print();
    let seed = format!("AGENTMD_NOISE_SEED={seed}");
    let Table { wrong, offered_wrong, twice, .. } = &table;
    assert!(
        wrong.is_empty(),
        "{seed}: {} blocks were applied in a wrong place without confirmation.\n{}",
        wrong.len(),
        wrong[0]
    );
    assert!(twice.is_empty(), "{seed}: {} blocks were applied twice.\n{}", twice.len(), twice[0]);
    // One in a hundred for each of two dialects. Confirming a trap is the author's decision.
    assert!(
        *offered_wrong as u64 * 100 <= cases * 2,
        "{seed}: {offered_wrong} wrong places are offered in {cases} cases"
    );
    table.assert_goals(&seed);
}

fn run(case: &Case, kind: &str, path: &Path, table: &mut Table) {
    let shown = std::env::var("AGENTMD_NOISE_SHOW").unwrap_or_default();
    for (name, dialect) in DIALECTS {
        let block = case.block(dialect);
        for confirmed in [false, true] {
            let batch = apply(&case.before, &block, confirmed);
            let verdict = judge(case, &batch);
            if shown == kind && verdict != Verdict::Fine
                || shown == "wrong" && verdict == Verdict::Wrong
            {
                println!(
                    "confirmed: {confirmed} {verdict:?} {}",
                    report(name, kind, path, case, &batch)
                );
            }
            table.take((name, kind), case, confirmed, verdict, &batch);
            if verdict == Verdict::Wrong && !confirmed {
                table.wrong.push(report(name, kind, path, case, &batch));
            }
            if case.wanted.is_some() && batch.results[0].is_ok() {
                again(case, &block, &batch, (name, kind, path, confirmed), table);
            }
        }
    }
}

/// Applies the same block again, to its own result.
fn again(
    case: &Case,
    block: &Block,
    first: &Batch,
    (name, kind, path, confirmed): (&str, &str, &Path, bool),
    table: &mut Table,
) {
    let made = first.text.as_deref().unwrap_or_default();
    let shown = std::env::var("AGENTMD_NOISE_SHOW").unwrap_or_default();
    let second = apply(made, block, confirmed);
    let known = match &second.results[0] {
        _ if second.text.as_deref() != Some(made) => Second::Twice,
        Ok(_) => Second::Twice,
        Err(refused) if refused.reason == Reason::AlreadyApplied => Second::Known,
        Err(_) => Second::Asked,
    };
    // Confirming a place is the author's decision, even if it's a sibling of the changed one.
    table.confirmed_twice += usize::from(confirmed && known == Second::Twice);
    if known == Second::Twice && (!confirmed || shown == "twice") {
        let after = similar::TextDiff::from_lines(made, second.text.as_deref().unwrap_or_default())
            .unified_diff()
            .to_string();
        let report = format!("{}\n--- second\n{after}", report(name, kind, path, case, first));
        if confirmed { println!("twice, confirmed: {report}") } else { table.twice.push(report) }
    }
    if !confirmed && shown == "second" && known == Second::Asked {
        println!(
            "second: {:?} {}",
            second.results[0].as_ref().err().map(|refused| refused.reason),
            report(name, kind, path, case, first)
        );
    }
    if !confirmed {
        table.second(kind, known);
    }
}

fn apply(text: &str, block: &Block, confirmed: bool) -> Batch {
    edit::apply(Some(text), &[block], Request { confirmed, ..Request::default() })
}

fn report(name: &str, kind: &str, path: &Path, case: &Case, batch: &Batch) -> String {
    let Case { search, replace, line, .. } = case;
    let result = batch.results[0]
        .as_ref()
        .map(|applied| (applied.tier, applied.line + 1))
        .map_err(|refused| refused.reason);
    let after = similar::TextDiff::from_lines(
        case.wanted.as_deref().unwrap_or(&case.before),
        batch.text.as_deref().unwrap_or_default(),
    )
    .unified_diff()
    .to_string();
    let there: String = case
        .before
        .lines()
        .skip(*line)
        .take(search.lines().count() + 2)
        .map(|line| format!("{line}\n"))
        .collect();
    format!(
        "{name} {kind} {} line {}: {result:?}\n--- SEARCH\n{search}--- REPLACE\n{replace}--- FILE\n{there}--- wanted and made\n{after}",
        path.display(),
        line + 1
    )
}
