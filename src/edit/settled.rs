//! Blocks that had been applied before, as the results of the other blocks show.

use std::collections::HashMap;

use super::batch::{Applied, Refused};
use super::block::{Block, Operation};
use super::reason::Reason;

/// Lines this similar to the lines that a block deletes may be their later versions.
const ALIKE: f64 = 0.75;

/// If an applied block contains the result of an earlier block, the earlier one was applied too.
pub(super) fn supersede(blocks: &[&Block], results: &mut [Result<Applied, Refused>]) {
    let is = |result: &Result<Applied, Refused>, reason: Reason| {
        result.as_ref().is_err_and(|refused| refused.reason == reason)
    };
    if !results.iter().any(|result| is(result, Reason::NotFound)) {
        return;
    }
    let says = |line: &&str| line.contains(char::is_alphanumeric);
    // The line where the last applied block was found.
    let mut sought: HashMap<&str, (usize, usize)> = HashMap::new();
    for (index, (block, result)) in blocks.iter().zip(results).enumerate().rev() {
        let Some(split) = block.splits.first() else { continue };
        let made = split.replace.trim_end();
        let place = made.lines().map(str::trim_end).find(says).and_then(|line| sought.get(line));
        if is(result, Reason::NotFound)
            && let Some((later, offset)) = place
            && let Some(later) = blocks.get(*later).and_then(|later| later.splits.first())
            && holds_at(&later.search, *offset, made)
        {
            *result = Err(Refused::because(Reason::AlreadyApplied));
        }
        if is(result, Reason::AlreadyApplied) {
            let mut end = split.search.len();
            for line in split.search.split_inclusive('\n').rev() {
                end -= line.len();
                if says(&line) {
                    sought.insert(line.trim_end(), (index, end));
                }
            }
        }
    }
}

/// Whether the contents have these lines, the first one with a letter at this byte.
fn holds_at(text: &str, offset: usize, lines: &str) -> bool {
    let trimmed = |line: &'_ str| line.trim_end().len();
    let signs = lines.lines().take_while(|line| !line.contains(char::is_alphanumeric)).count();
    let (before, after) = text.split_at_checked(offset).unwrap_or_default();
    let above: Vec<&str> = lines.lines().take(signs).filter(|line| trimmed(line) > 0).collect();
    let mut known = before.lines().rev().filter(|line| trimmed(line) > 0);
    let mut below = after.lines();
    above
        .iter()
        .rev()
        .all(|line| known.next().is_some_and(|known| known.trim_end() == line.trim_end()))
        && lines
            .lines()
            .skip(signs)
            .all(|line| below.next().is_some_and(|known| known.trim_end() == line.trim_end()))
}

/// Missing lines look like lines that a block deleted. If no other block has anything left to do,
/// and some had been applied before, they were deleted.
pub(super) fn settle_deletions(blocks: &[&Block], results: &mut [Result<Applied, Refused>]) {
    let reason =
        |result: &Result<Applied, Refused>| result.as_ref().err().map(|refused| refused.reason);
    let deletes = |block: &Block| {
        block.operation == Operation::Edit
            && block.splits.iter().all(|split| split.replace.trim().is_empty())
    };
    let far = |result: &Result<Applied, Refused>| {
        let nearest = result.as_ref().err().and_then(|refused| refused.nearest.as_ref());
        nearest.is_none_or(|nearest| nearest.similarity < ALIKE)
    };
    let gone = |block: &Block, result: &Result<Applied, Refused>| {
        reason(result) == Some(Reason::NotFound) && deletes(block) && far(result)
    };
    let done = |result: &Result<Applied, Refused>| reason(result) == Some(Reason::AlreadyApplied);
    let all =
        blocks.iter().zip(&*results).all(|(block, result)| done(result) || gone(block, result));
    if all && results.iter().any(done) {
        results
            .iter_mut()
            .filter(|result| !done(result))
            .for_each(|result| *result = Err(Refused::because(Reason::AlreadyApplied)));
    }
}
