//! The results of all cases, by kind and by tier.

use std::collections::BTreeMap;

use agentmd::edit::{Batch, Reason};

use super::kinds::Case;
use super::verdict::Verdict;

/// The result of applying a block a second time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Second {
    Known,
    Asked,
    Twice,
}

#[derive(Default)]
struct Row {
    /// Results without confirmation, and with everything confirmed.
    auto: BTreeMap<Verdict, usize>,
    all: BTreeMap<Verdict, usize>,
}

/// The blocks placed by one tier.
#[derive(Default)]
struct Tier {
    /// Cases in the right place, without and with confirmation.
    right: [usize; 2],
    wrong: [usize; 2],
    /// Traps that the tier falls into.
    traps: [usize; 2],
}

#[derive(Default)]
pub struct Table {
    rows: BTreeMap<(bool, String, String), Row>,
    tiers: BTreeMap<&'static str, Tier>,
    reasons: BTreeMap<(&'static str, bool), usize>,
    seconds: BTreeMap<(String, Second), usize>,
    pub wrong: Vec<String>,
    pub twice: Vec<String>,
    pub offered_wrong: usize,
    pub confirmed_twice: usize,
}

/// The fewest cases for which a percentage is meaningful.
const ENOUGH: usize = 1000;

impl Table {
    pub fn take(
        &mut self,
        (name, kind): (&str, &str),
        case: &Case,
        confirmed: bool,
        verdict: Verdict,
        batch: &Batch,
    ) {
        let trap = case.wanted.is_none();
        let row = self.rows.entry((trap, name.to_owned(), kind.to_owned())).or_default();
        *if confirmed { &mut row.all } else { &mut row.auto }.entry(verdict).or_default() += 1;
        self.offered_wrong += usize::from(confirmed && !trap && verdict == Verdict::Wrong);
        match &batch.results[0] {
            Ok(applied) => {
                let tier = self.tiers.entry(applied.tier.name()).or_default();
                let cell = match verdict {
                    _ if trap => &mut tier.traps,
                    Verdict::Wrong => &mut tier.wrong,
                    _ => &mut tier.right,
                };
                cell[usize::from(confirmed)] += 1;
            }
            Err(refused) if !confirmed && (!trap || refused.reason == Reason::AlreadyApplied) => {
                *self.reasons.entry((refused.reason.name(), trap)).or_default() += 1;
            }
            Err(_) => {}
        }
    }

    pub fn second(&mut self, kind: &str, known: Second) {
        *self.seconds.entry((kind.to_owned(), known)).or_default() += 1;
    }

    fn sum(&self, trap: bool, verdicts: &[Verdict]) -> usize {
        let rows = self.rows.iter().filter(|((is_trap, ..), _)| *is_trap == trap);
        rows.flat_map(|(_, row)| {
            verdicts.iter().map(|verdict| row.auto.get(verdict).copied().unwrap_or_default())
        })
        .sum()
    }

    fn seconds(&self, known: Second) -> usize {
        self.seconds.iter().filter(|((_, kind), _)| *kind == known).map(|(_, count)| count).sum()
    }

    pub fn print(&self) {
        println!(
            "\n| | kind | unasked: right | whitespace | refused | wrong | confirmed: right | whitespace | refused | wrong |"
        );
        println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
        let mut sums: BTreeMap<(bool, &str), [usize; 8]> = BTreeMap::new();
        for ((trap, name, kind), row) in &self.rows {
            let cells: Vec<usize> = [&row.auto, &row.all]
                .iter()
                .flat_map(|side| {
                    Verdict::ALL.map(|verdict| side.get(&verdict).copied().unwrap_or_default())
                })
                .collect();
            sums.entry((*trap, name))
                .or_default()
                .iter_mut()
                .zip(&cells)
                .for_each(|(sum, cell)| *sum += cell);
            println!(
                "| {name} | {kind} | {} |",
                cells.iter().map(usize::to_string).collect::<Vec<_>>().join(" | ")
            );
        }
        for ((trap, name), sum) in sums {
            println!(
                "| {name} | all {} | {} |",
                if trap { "traps" } else { "cases" },
                sum.map(|cell| cell.to_string()).join(" | ")
            );
        }
        println!(
            "\n| tier | unasked: right | wrong | traps | confirmed: right | wrong | traps |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
        );
        for (name, Tier { right, wrong, traps }) in &self.tiers {
            println!(
                "| {name} | {} | {} | {} | {} | {} | {} |",
                right[0], wrong[0], traps[0], right[1], wrong[1], traps[1]
            );
        }
        println!("\nrefused without confirmation (reason, trap): {:?}", self.reasons);
        let right = self.sum(false, &[Verdict::Fine, Verdict::Blanks]);
        let (all, traps) = (self.sum(false, &Verdict::ALL), self.sum(true, &Verdict::ALL));
        let (wrong, fallen) =
            (self.sum(false, &[Verdict::Wrong]), self.sum(true, &[Verdict::Wrong]));
        let (known, asked, twice) =
            (self.seconds(Second::Known), self.seconds(Second::Asked), self.seconds(Second::Twice));
        println!("second run by kind: {:?}", self.seconds);
        println!(
            "unasked: {right} of {all} cases right, {wrong} wrong; {fallen} of {traps} traps written"
        );
        println!(
            "second run: {known} known, {asked} asked, {twice} applied twice; confirmed, {} applied at a sibling",
            self.confirmed_twice
        );
    }

    /// Checks the percentages that a large run must reach.
    pub fn assert_goals(&self, seed: &str) {
        let (right, all) =
            (self.sum(false, &[Verdict::Fine, Verdict::Blanks]), self.sum(false, &Verdict::ALL));
        let (known, asked) = (self.seconds(Second::Known), self.seconds(Second::Asked));
        if all >= ENOUGH {
            assert!(
                right * 100 >= all * 80,
                "{seed}: {right} of {all} cases are right without confirmation"
            );
            assert!(
                known * 100 >= (known + asked) * 93,
                "{seed}: {known} of {} second runs are known",
                known + asked
            );
        }
    }
}
