//! Judges the result of a case.

use agentmd::edit::Batch;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::kinds::Case;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The text is as expected; or nothing was applied, and nothing should be.
    Fine,
    /// As expected, except for whitespace in the new line.
    Blanks,
    Refused,
    /// Another line or another place was changed.
    Wrong,
}

impl Verdict {
    pub const ALL: [Self; 4] = [Self::Fine, Self::Blanks, Self::Refused, Self::Wrong];
}

pub fn judge(case: &Case, batch: &Batch) -> Verdict {
    let after = batch.text.as_deref().unwrap_or_default();
    if batch.results.iter().any(Result::is_err) {
        // A refused block must not change anything.
        return match &case.wanted {
            _ if after != case.before => Verdict::Wrong,
            None => Verdict::Fine,
            Some(_) => Verdict::Refused,
        };
    }
    let Some(wanted) = &case.wanted else { return Verdict::Wrong };
    if after == wanted {
        return Verdict::Fine;
    }
    // The same lines must change, and the new lines may differ only in whitespace.
    let (ours, theirs): (Vec<&str>, Vec<&str>) =
        (after.split_inclusive('\n').collect(), wanted.split_inclusive('\n').collect());
    let solid = |line: &str| line.split_whitespace().collect::<String>();
    let kept = |line: &str| case.before.split_inclusive('\n').any(|known| known == line);
    let only_blanks =
        capture_diff_slices(Algorithm::Myers, &ours, &theirs).into_iter().all(|difference| {
            match difference {
                DiffOp::Equal { .. } => true,
                DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                    old_len == new_len
                        && (0..old_len).all(|offset| {
                            let (mine, other) =
                                (ours[old_index + offset], theirs[new_index + offset]);
                            solid(mine) == solid(other) && !kept(other) && ends_alike(mine, other)
                        })
                }
                _ => false,
            }
        });
    if only_blanks { Verdict::Blanks } else { Verdict::Wrong }
}

fn ends_alike(mine: &str, other: &str) -> bool {
    mine.ends_with("\r\n") == other.ends_with("\r\n")
        && mine.ends_with('\n') == other.ends_with('\n')
}
