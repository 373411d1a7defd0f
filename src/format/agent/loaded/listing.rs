//! Lists of files that a client can load later: a line for each skill, agent or rule that fits.

use std::collections::HashSet;

use super::found::Found;
use super::tokens::{Counter, estimate};
use super::{Limit, Loaded, Question, Why};
use crate::client::loading::{Budget, BudgetUnit, Listing, Mode, Over, SameName};
use crate::client::{Client, Kind};

/// An entry of a list.
struct Line<'f> {
    found: &'f Found,
    name: String,
    description: String,
    path: String,
    /// Not in the list at all.
    omitted: bool,
    /// How many characters of the description are in the list.
    kept: usize,
}

/// The lines of all lists, and the limits of those that have one.
pub fn lines(
    question: &Question,
    client: &Client,
    found: &[Found],
    counter: &Counter,
) -> (Vec<Loaded>, Vec<Limit>) {
    let (mut all, mut limits) = (Vec::new(), Vec::new());
    for listing in &client.loading.listings {
        let mut lines: Vec<Line> = found
            .iter()
            .filter(|found| is_listed(listing, found))
            .map(|found| line(question, listing, found))
            .collect();
        if lines.is_empty() {
            continue;
        }
        if let Some(which) = listing.same_name {
            keep_one_of_each_name(&mut lines, which);
        }
        if let Some(budget) = &listing.budget {
            limits.push(fit(listing, budget, &mut lines));
        }
        for line in lines.iter().filter(|line| !line.omitted) {
            let text = format!("{}\n", line.text(listing));
            all.push(Loaded {
                path: line.path.clone(),
                kind: line.found.reads.kind.name(),
                why: Why::Listing,
                pattern: line.found.pattern.clone(),
                order: 0,
                tokens: counter.count(&text),
                bytes: text.len(),
                cut: None,
                by: None,
            });
        }
    }
    (all, limits)
}

fn keep_one_of_each_name(lines: &mut Vec<Line>, which: SameName) {
    let mut known = HashSet::new();
    let mut keep = |line: &Line| known.insert(line.name.clone());
    match which {
        SameName::First => lines.retain(keep),
        SameName::Last => {
            lines.reverse();
            lines.retain(|line| keep(line));
            lines.reverse();
        }
    }
}

fn is_listed(listing: &Listing, found: &Found) -> bool {
    let listed = match found.mode {
        Mode::Listed => true,
        // Files that are loaded as a whole on a match are all listed; others only if they match.
        Mode::Match => {
            found.reads.kind == Kind::Instructions || found.on_demand() && found.pattern.is_some()
        }
        Mode::Always => found.on_demand() || found.reads.kind == Kind::Instructions,
        Mode::Demand | Mode::Never => false,
    };
    listed && listing.kinds.contains(&found.reads.kind)
}

fn line<'f>(question: &Question, listing: &Listing, found: &'f Found) -> Line<'f> {
    let own = found.key("name").filter(|_| !listing.folder_name);
    let mut description = found.key("description").unwrap_or_default().to_owned();
    if let Some(more) = listing.also.as_ref().and_then(|key| found.key(key)) {
        if !description.is_empty() {
            description.push_str(" - ");
        }
        description.push_str(more);
    }
    if let Some(most) = listing.most_characters
        && let Some((at, _)) = description.char_indices().nth(most)
    {
        description.truncate(at);
    }
    if found.bare {
        description.clear();
    }
    let kept = description.chars().count();
    Line {
        found,
        name: own.map_or_else(|| found.stem(), str::to_owned),
        description,
        path: question.shown(&found.path),
        omitted: false,
        kept,
    }
}

impl Line<'_> {
    fn text(&self, listing: &Listing) -> String {
        let end = self.description.char_indices().nth(self.kept).map(|(at, _)| at);
        let description =
            self.description.get(..end.unwrap_or(self.description.len())).unwrap_or_default();
        let form = if description.is_empty() { &listing.bare } else { &listing.line };
        fill(form, &self.name, description, &self.path)
    }

    fn bare(&self, listing: &Listing) -> String {
        fill(&listing.bare, &self.name, "", &self.path)
    }
}

/// Fills in a template in a single pass: the inserted values aren't expanded again.
fn fill(form: &str, name: &str, description: &str, path: &str) -> String {
    let mut out = String::new();
    let mut rest = form;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let (key, after) = after.split_once('}').unwrap_or((after, ""));
        out.push_str(match key {
            "name" => name,
            "description" => description,
            _ => path,
        });
        rest = after;
    }
    out.push_str(rest);
    out
}

fn cost(unit: BudgetUnit, line: &str) -> usize {
    match unit {
        BudgetUnit::Tokens => estimate(&format!("{line}\n")),
        BudgetUnit::Characters => line.chars().count() + 1,
        BudgetUnit::Bytes => line.len() + 1,
    }
}

/// Cuts a list to its limit, and returns what was cut.
fn fit(listing: &Listing, budget: &Budget, lines: &mut [Line]) -> Limit {
    let whole: usize = lines.iter().map(|line| cost(budget.unit, &line.text(listing))).sum();
    let mut limit = Limit {
        of: "listing",
        limit: budget.most,
        unit: budget.unit,
        used: whole,
        dropped: Vec::new(),
        trimmed: Vec::new(),
        text: budget.text.clone(),
    };
    if whole <= budget.most {
        return limit;
    }
    match budget.over {
        Over::Trim => trim(listing, budget, lines, &mut limit),
        Over::DropDescriptions => {
            let mut left = whole;
            for line in lines.iter_mut().rev().filter(|line| line.kept > 0) {
                if left <= budget.most {
                    break;
                }
                let with = cost(budget.unit, &line.text(listing));
                line.kept = 0;
                left = left - with + cost(budget.unit, &line.text(listing));
                limit.dropped.push(line.path.clone());
            }
            limit.dropped.reverse();
        }
        Over::DropEntries => {
            let mut used = 0;
            for line in lines.iter_mut() {
                used += cost(budget.unit, &line.text(listing));
                if used > budget.most {
                    line.omitted = true;
                    limit.dropped.push(line.path.clone());
                }
            }
        }
    }
    limit
}

/// Gives each description one more character in turn, as long as that fits. If there's no room for
/// descriptions, lines that don't fit are left out.
fn trim(listing: &Listing, budget: &Budget, lines: &mut [Line], limit: &mut Limit) {
    let bare: Vec<usize> =
        lines.iter().map(|line| cost(budget.unit, &line.bare(listing))).collect();
    let least: usize = bare.iter().sum();
    if least > budget.most {
        let mut used = 0;
        for (line, cost) in lines.iter_mut().zip(bare) {
            line.kept = 0;
            if used + cost <= budget.most {
                used += cost;
            } else {
                line.omitted = true;
                limit.dropped.push(line.path.clone());
            }
        }
        return;
    }
    let mut left = budget.most - least;
    let costs: Vec<Vec<usize>> = lines
        .iter()
        .zip(&bare)
        .map(|(line, bare)| growing(budget.unit, listing, line, *bare))
        .collect();
    let mut kept = vec![0_usize; lines.len()];
    loop {
        let mut changed = false;
        for (costs, kept) in costs.iter().zip(kept.iter_mut()) {
            let (Some(now), Some(next)) = (costs.get(*kept), costs.get(*kept + 1)) else {
                continue;
            };
            let more = next.saturating_sub(*now);
            if more <= left {
                *kept += 1;
                left -= more;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    for (line, kept) in lines.iter_mut().zip(kept) {
        if kept < line.kept {
            line.kept = kept;
            let list = if kept == 0 { &mut limit.dropped } else { &mut limit.trimmed };
            list.push(line.path.clone());
        }
    }
}

/// The additional cost of a line over the bare one, for each number of characters of its
/// description.
fn growing(unit: BudgetUnit, listing: &Listing, line: &Line, bare: usize) -> Vec<usize> {
    // The space before the description counts with its first character.
    let text = line.bare(listing);
    let (mut characters, mut bytes) = (text.chars().count() + 2, text.len() + 2);
    let mut costs = vec![0];
    for letter in line.description.chars() {
        characters += 1;
        bytes += letter.len_utf8();
        let whole = match unit {
            BudgetUnit::Tokens => bytes.div_ceil(4),
            BudgetUnit::Characters => characters,
            BudgetUnit::Bytes => bytes,
        };
        costs.push(whole.saturating_sub(bare));
    }
    costs
}
