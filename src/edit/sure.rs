//! Decides which places need no consent: those that can't be confused with other text. A place that
//! resembles the SEARCH text may be its later version, or a sibling. If the file has another line
//! in place of one of the block's, the two look the same, so the author decides. Accepted as slips:
//! other indentation of the same shape, other spacing between the same tokens, one omitted or
//! invented line, or one misspelt word.

use rustc_hash::{FxHashMap, FxHashSet};
use similar::DiffOp;
use strsim::normalized_levenshtein;

use super::context::{is_comment, is_definition};
use super::elision::is_elision;
use super::lines::{Level, Lines, fold, indentation, key, normal};
use super::locate::{Alignment, Found, Place, Tier, is_even};
use super::merge::differences;
use super::slip::{Misspelling, misspelling};
use super::tokens::{self, literals};
use crate::text::Span;

/// With fewer letters and punctuation marks, a match with other whitespace may be a coincidence.
const SOLID: usize = 24;
/// The number of informative lines that must match exactly if one doesn't.
const EXACT: usize = 2;
/// The letters of a line that is alone on its side of a slip.
const ALONE: usize = 6;
/// Lines that belong together may be this much further apart elsewhere.
const SLACK: usize = 4;
/// The maximum number of occurrences of a line to examine.
const MOST_RIVALS: usize = 64;
const LETTERS: usize = 4;
/// With fewer letters, the remains of a deletion may be anywhere.
const TRACE: usize = 8;
/// Lines this similar may be one line before and after a change.
const LIKE: f64 = 0.6;

/// Whether a match may be applied without consent.
pub fn is_sure(target: &Lines, search: &Lines, replace: &Lines, found: &Found) -> bool {
    let alignment = match &found.place {
        Place::Text { span, .. } => {
            return (found.tier == Tier::Exact || is_part(target, span))
                && !joins_lines(target, search, replace, span);
        }
        Place::Lines(alignment) => alignment,
    };
    let look = Look { target, search, replace, alignment, found };
    let shaped = || look.keeps_shape();
    let fits = match found.tier {
        Tier::Exact | Tier::TrailingBlanks | Tier::Unicode | Tier::UniformIndent => true,
        Tier::Indent | Tier::BlankLines => shaped(),
        Tier::InnerBlanks => {
            shaped()
                && look.is_long()
                && look.pairs().all(|(index, line)| look.has_same_tokens(index, line))
        }
        Tier::Punctuation => shaped() && look.differs_in_quotes(),
        Tier::Elision => shaped() && look.is_elided_safely(),
        Tier::Fuzzy => shaped() && look.is_one_slip(),
        Tier::Substring | Tier::LineBreaks | Tier::Context => false,
    };
    fits && !look.deletes_a_twin()
        && (found.tier <= Tier::Unicode || !look.leaves_no_trace())
        && (found.tier == Tier::Exact || !look.loses_hard_break())
}

/// Whether whole lines are replaced by text without a line break at its end, so that it would be
/// joined with the next line: most likely, the break was forgotten.
fn joins_lines(target: &Lines, search: &Lines, replace: &Lines, span: &Span) -> bool {
    let (before, after) = (target.text().get(..span.start), target.text().get(span.end..));
    let first = before.is_some_and(|text| text.is_empty() || text.ends_with('\n'));
    let next = after.and_then(|text| text.lines().next()).unwrap_or_default();
    first
        && search.text().ends_with('\n')
        && !replace.text().is_empty()
        && !replace.text().ends_with(char::is_whitespace)
        && next.starts_with(|first: char| !first.is_whitespace())
}

struct Look<'a, 't> {
    target: &'a Lines<'t>,
    search: &'a Lines<'t>,
    replace: &'a Lines<'t>,
    alignment: &'a Alignment,
    found: &'a Found,
}

impl Look<'_, '_> {
    /// Non-empty lines, with their partners.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let filled = (0..self.search.len()).filter(|index| !self.search.is_blank(*index));
        filled.filter_map(|index| Some((index, self.alignment.partner(index)?)))
    }

    fn is_long(&self) -> bool {
        self.search.len() >= 3
            || self.search.text().chars().filter(|character| !character.is_whitespace()).count()
                >= SOLID
    }

    /// The changed or deleted lines of the SEARCH text, and the lines before which new ones are
    /// inserted.
    fn changes(&self) -> (Vec<Span>, Vec<usize>) {
        let (mut touched, mut seams) = (Vec::new(), Vec::new());
        for difference in differences(self.search, self.replace, self.found.tier) {
            match difference {
                DiffOp::Equal { .. } => {}
                DiffOp::Insert { old_index, .. } => seams.push(old_index),
                other => touched.push(other.old_range()),
            }
        }
        (touched, seams)
    }

    /// The lines of the SEARCH text that are deleted without replacement.
    fn deleted(&self) -> Vec<Span> {
        let all = differences(self.search, self.replace, self.found.tier);
        all.iter()
            .filter(|difference| matches!(difference, DiffOp::Delete { .. }))
            .map(DiffOp::old_range)
            .collect()
    }

    /// The block only deletes, and the lines that it keeps are uninformative: a second run couldn't
    /// distinguish this place from another.
    fn leaves_no_trace(&self) -> bool {
        let (touched, seams) = self.changes();
        let letters = self
            .replace
            .text()
            .chars()
            .filter(|letter| letter.is_alphanumeric())
            .take(TRACE)
            .count();
        let count = |spans: &[Span]| spans.iter().map(ExactSizeIterator::len).sum::<usize>();
        letters < TRACE && seams.is_empty() && count(&touched) == count(&self.deleted())
    }

    /// A deleted line has a twin next to it that the block doesn't show: a second run would delete
    /// that one.
    fn deletes_a_twin(&self) -> bool {
        let keys = self.target.keys(Level::Trimmed);
        let mine = self.search.keys(Level::Trimmed);
        let shown = |index: Option<usize>, line: usize| {
            index.and_then(|index| self.alignment.partner(index)) == Some(line)
        };
        self.deleted().into_iter().any(|lines| {
            let (Some(first), Some(last)) =
                (self.alignment.partner(lines.start), self.alignment.partner(lines.end - 1))
            else {
                return false;
            };
            // The whole deleted run again: if several lines are deleted, a line equal to the last
            // or first one isn't a twin.
            let run = mine.get(lines.clone());
            let below = !shown(Some(lines.end), last + 1)
                && keys.get(last + 1..last + 1 + lines.len()) == run;
            let above = first.checked_sub(lines.len()).is_some_and(|start| {
                !shown(lines.start.checked_sub(1), first - 1) && keys.get(start..first) == run
            });
            !self.search.is_blank(lines.start) && below
                || !self.search.is_blank(lines.end - 1) && above
        })
    }

    /// Lines of equal indentation are equal in the file, and deeper ones deeper. If brackets define
    /// the structure, any indentation is accepted.
    fn keeps_shape(&self) -> bool {
        let depth = |line: &str| {
            indentation(line).chars().map(|blank| if blank == '\t' { 8 } else { 1 }).sum::<usize>()
        };
        let depths: Vec<(usize, usize)> = self
            .pairs()
            .map(|(index, line)| {
                (depth(self.search.content(index)), depth(self.target.content(line)))
            })
            .collect();
        let ordered =
            depths.windows(2).all(|pair| matches!(pair, [a, b] if a.0.cmp(&b.0) == a.1.cmp(&b.1)));
        // Only one kind of difference is accepted at a time.
        let lenient = self.found.tier < Tier::Punctuation;
        ordered && is_even(self.target, self.search, self.found) || lenient && self.is_bracketed()
    }

    fn is_bracketed(&self) -> bool {
        let ends = |signs: &[char]| {
            self.pairs()
                .filter(|(_, line)| self.target.content(*line).trim_end().ends_with(signs))
                .count()
        };
        ends(&[';', '{', '}']) * 2 > self.pairs().count() && ends(&[':']) == 0
    }

    /// A changed line ends with a Markdown hard break in the file that neither side of the block
    /// has.
    fn loses_hard_break(&self) -> bool {
        let breaks = |line: &str| {
            let text = line.trim_end();
            line.strip_prefix(text).is_some_and(|blanks| blanks.starts_with("  "))
                && !text.ends_with(['{', '}', '(', ')', ';', '[', ']', '=', '<', '>'])
        };
        let loses = |difference: &DiffOp| {
            let new = difference.new_range();
            let unknown = |index: &usize| !breaks(self.search.content(*index));
            let there = |index: usize| {
                self.alignment.partner(index).is_some_and(|line| {
                    breaks(self.target.content(line)) && !self.target.is_blank(line + 1)
                })
            };
            matches!(difference, DiffOp::Replace { .. })
                && difference.old_range().filter(unknown).any(there)
                && !new.into_iter().any(|index| breaks(self.replace.content(index)))
        };
        differences(self.search, self.replace, self.found.tier).iter().any(loses)
    }

    fn has_same_tokens(&self, index: usize, line: usize) -> bool {
        let (mine, theirs) = (fold(self.search.content(index)), fold(self.target.content(line)));
        mine.trim() == theirs.trim()
            || tokens::agree(&mine, &theirs) && !self.is_in_long_literal(line)
    }

    /// Whether a line is inside a multi-line string literal.
    fn is_in_long_literal(&self, line: usize) -> bool {
        let before = self.target.text().get(..self.target.line(line).start).unwrap_or_default();
        ["\"\"\"", "'''"].iter().any(|quotes| before.matches(quotes).count() % 2 == 1)
    }

    /// Changed lines match exactly, and the others except for the kind of quotes around more than
    /// one character.
    fn differs_in_quotes(&self) -> bool {
        let (touched, _) = self.changes();
        self.pairs().all(|(index, line)| {
            let same = self.has_same_tokens(index, line);
            same || !touched.iter().any(|lines| lines.contains(&index))
                && is_quoted_otherwise(self.search.content(index), self.target.content(line))
        })
    }

    /// Each changed part occurs only once, and what isn't shown stays within the enclosing block.
    fn is_elided_safely(&self) -> bool {
        let (touched, seams) = self.changes();
        let mut start = 0;
        // The body of a Python stub is code.
        let stub = |index: &usize| {
            let above = (0..*index).rfind(|above| !self.search.is_blank(*above));
            self.search.content(*index).trim() == "..."
                && above.is_some_and(|above| self.search.content(above).trim_end().ends_with(':'))
        };
        let keys = self.search.keys(Level::Trimmed);
        // If the file has this line, the block may mean it literally.
        let content = |index: &usize| {
            is_elision(self.search.content(*index))
                && keys
                    .get(*index..*index + 1)
                    .is_some_and(|line| !self.target.places(Level::Trimmed, line, 1).is_empty())
        };
        if (0..self.search.len()).any(|index| stub(&index) || content(&index)) {
            return false;
        }
        // The line above, and whether its part occurs only once.
        let mut last: Option<(usize, bool)> = None;
        while start < self.search.len() {
            let end = (start..self.search.len())
                .find(|index| is_elision(self.search.content(*index)))
                .unwrap_or(self.search.len());
            let changes = touched.iter().any(|lines| lines.start < end && start < lines.end)
                || seams.iter().any(|at| (start..=end).contains(at));
            let filled: Vec<usize> =
                (start..end).filter(|index| !self.search.is_blank(*index)).collect();
            if let (Some(first), Some(bottom)) = (filled.first(), filled.last()) {
                let segment = keys.get(*first..*bottom + 1).unwrap_or_default();
                // A single line may be left over from another place.
                let says =
                    filled.iter().filter(|index| is_telling(self.search.content(**index))).count()
                        >= EXACT;
                let sure = says && self.target.places(Level::Trimmed, segment, 2).len() == 1;
                if changes && !sure {
                    return false;
                }
                let header = is_definition(self.search.content(*first))
                    || is_heading(self.search.content(*first));
                if let (Some((above, known)), Some(below)) = (last, self.alignment.partner(*first))
                    && !(header || known && sure)
                    && self.leaves(above, below)
                {
                    return false;
                }
                last = self.alignment.partner(*bottom).map(|line| (line, sure));
            }
            start = end + 1;
        }
        true
    }

    /// Whether the lines between two leave the enclosing block, or enter a neighbouring definition.
    fn leaves(&self, above: usize, below: usize) -> bool {
        let depth = |line: usize| indentation(self.target.content(line)).len();
        let least = depth(above).min(depth(below));
        (above + 1..below).filter(|line| !self.target.is_blank(*line)).any(|line| {
            let content = self.target.content(line);
            depth(line) < least
                || depth(line) <= least && (is_definition(content) || is_heading(content))
        })
    }

    /// One line is omitted, invented or misspelt, and all others match exactly.
    fn is_one_slip(&self) -> bool {
        let (touched, seams) = self.changes();
        let is_touched = |index: &usize| touched.iter().any(|lines| lines.contains(index));
        let filled: Vec<usize> =
            (0..self.search.len()).filter(|index| !self.search.is_blank(*index)).collect();
        let key = |lines: &Lines, index: usize| lines.keys(Level::Trimmed).get(index).copied();
        let partner = |index: &usize| self.alignment.partner(*index);
        let exact = |index: &usize| {
            partner(index).is_some_and(|line| key(self.target, line) == key(self.search, *index))
        };
        let known: Vec<usize> = filled.iter().filter_map(partner).collect();
        let gaps = |pair: &[usize]| match pair {
            [above, below] => {
                (above + 1..*below).filter(|line| !self.target.is_blank(*line)).collect()
            }
            _ => Vec::new(),
        };
        let omitted: Vec<usize> = known.windows(2).flat_map(gaps).collect();
        let missing: Vec<usize> =
            filled.iter().copied().filter(|index| partner(index).is_none()).collect();
        let typos: Vec<usize> = filled
            .iter()
            .copied()
            .filter(|index| partner(index).is_some() && !exact(index))
            .collect();
        let telling = |index: &&usize| is_telling(self.search.content(**index)) && exact(index);
        if filled.iter().filter(telling).count() < EXACT || self.has_rival() {
            return false;
        }
        // A change right at the slip may apply to unknown text.
        let goes = self.deleted();
        let is_gone = |index: &usize| goes.iter().any(|lines| lines.contains(index));
        let beside = |before: usize, after: usize| {
            let inserted = seams.iter().any(|at| *at > before && *at <= after);
            inserted
                || is_touched(&before) && is_touched(&after)
                || is_gone(&before)
                || is_gone(&after)
        };
        match (omitted.as_slice(), missing.as_slice(), typos.as_slice()) {
            ([line], [], []) => {
                let before = filled
                    .iter()
                    .copied()
                    .rfind(|index| partner(index).is_some_and(|partner| partner < *line));
                let after = filled
                    .iter()
                    .copied()
                    .find(|index| partner(index).is_some_and(|partner| partner > *line));
                let (Some(before), Some(after)) = (before, after) else { return false };
                let neighbours = [before, after]
                    .iter()
                    .filter_map(partner)
                    .map(|line| indentation(self.target.content(line)).len())
                    .min();
                let content = self.target.content(*line);
                // A line that the block also has was moved.
                let moved = is_telling(content)
                    && filled
                        .iter()
                        .any(|index| key(self.search, *index) == key(self.target, *line));
                // A line like its neighbours may be the new version of one of them, unless two
                // different lines on either side match exactly.
                let like = !self.has_several_on_both_sides(&filled, after)
                    && [before, after]
                        .iter()
                        .any(|index| is_like(self.search.content(*index), content));
                let within = neighbours.is_some_and(|least| indentation(content).len() >= least);
                within
                    && !moved
                    && !like
                    && !is_definition(content)
                    && !is_heading(content)
                    && !beside(before, after)
                    && self.has_strong_sides(&filled, after)
            }
            ([], [index], []) => {
                let before = filled.iter().copied().rfind(|other| other < index);
                let after = filled.iter().copied().find(|other| other > index);
                let (Some(before), Some(after)) = (before, after) else { return false };
                let content = self.search.content(*index);
                // If a neighbour occurs twice, one of the two may be the line's new version.
                let line = |index: usize| partner(&index).and_then(|line| key(self.target, line));
                let next = |from: usize| {
                    (from + 1..self.target.len()).find(|line| !self.target.is_blank(*line))
                };
                let last = |from: usize| (0..from).rfind(|line| !self.target.is_blank(*line));
                let below = partner(&after).and_then(next).and_then(|line| key(self.target, line));
                let above = partner(&before).and_then(last).and_then(|line| key(self.target, line));
                if below == line(after) || above == line(before) {
                    return false;
                }
                let content_is_other =
                    is_definition(content) || is_heading(content) || !is_telling(content);
                !content_is_other
                    && !beside(before, after)
                    && filled.iter().filter(telling).count() > EXACT
            }
            ([], [], [index]) => {
                let (mine, line) =
                    (self.search.content(*index), partner(index).unwrap_or_default());
                let theirs = self.target.content(line);
                let new: String = self.new_lines();
                match misspelling(self.target, mine, theirs, &new) {
                    Some(Misspelling::Plain) => true,
                    Some(Misspelling::Likely) => !is_heading(theirs),
                    None => false,
                }
            }
            _ => false,
        }
    }

    /// Two different informative lines precede a slip, and two follow from `after` on.
    fn has_several_on_both_sides(&self, filled: &[usize], after: usize) -> bool {
        let (above, below) = filled.split_at(filled.partition_point(|index| *index < after));
        let several = |side: &[usize]| {
            let telling = side.iter().map(|index| self.search.content(*index).trim());
            telling.filter(|line| is_telling(line)).collect::<FxHashSet<_>>().len() >= 2
        };
        several(above) && several(below)
    }

    /// The lines before a slip and those from `after` on both identify the place.
    fn has_strong_sides(&self, filled: &[usize], after: usize) -> bool {
        let (above, below) = filled.split_at(filled.partition_point(|index| *index < after));
        let known = |side: &[usize]| -> Vec<&str> {
            side.iter()
                .filter(|index| self.alignment.partner(**index).is_some())
                .map(|index| self.search.content(*index))
                .collect()
        };
        let unique = |line: &&str| {
            is_telling(line) && self.target.places(Level::Trimmed, &[line_key(line)], 2).len() == 1
        };
        [known(above), known(below)].iter().all(|side| match side.as_slice() {
            [line] => {
                line.chars().filter(|letter| letter.is_alphanumeric()).count() >= ALONE
                    && unique(line)
            }
            lines => lines.iter().any(&unique),
        })
    }

    /// The lines that the block adds.
    fn new_lines(&self) -> String {
        let new = differences(self.search, self.replace, self.found.tier);
        let new = new.iter().filter(|difference| !matches!(difference, DiffOp::Equal { .. }));
        new.flat_map(|difference| difference.new_range())
            .map(|index| format!("{}\n", self.replace.content(index)))
            .collect()
    }

    /// Whether most informative lines also occur elsewhere, near each other: the file has siblings
    /// of this place, or its text has changed.
    fn has_rival(&self) -> bool {
        let telling: Vec<usize> = (0..self.search.len())
            .filter(|index| is_telling(self.search.content(*index)))
            .collect();
        let keys = self.search.keys(Level::Trimmed);
        let wanted: FxHashSet<u64> =
            telling.iter().filter_map(|index| keys.get(*index).copied()).collect();
        let (start, end) = self.found.lines();
        let mut elsewhere: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        self.target.each_of(Level::Trimmed, &wanted, |key, line| {
            let lines = elsewhere.entry(key).or_default();
            if !(start..end).contains(&line) && lines.len() < MOST_RIVALS {
                lines.push(line);
            }
        });
        let places = |index: &usize| {
            keys.get(*index).and_then(|key| elsewhere.get(key)).into_iter().flatten()
        };
        // By the line where the SEARCH text would begin.
        let mut starts: Vec<(usize, usize)> = telling
            .iter()
            .flat_map(|index| {
                places(index).map(move |line| (line + self.search.len() - index, *index))
            })
            .collect();
        starts.sort_unstable();
        let mut first = 0;
        (0..starts.len()).any(|last| {
            let Some((at, _)) = starts.get(last) else { return false };
            while starts.get(first).is_some_and(|(begin, _)| begin + SLACK < *at) {
                first += 1;
            }
            let near: FxHashSet<usize> = starts
                .get(first..=last)
                .unwrap_or_default()
                .iter()
                .map(|(_, index)| *index)
                .collect();
            near.len() >= 2 && near.len() * 3 >= telling.len() * 2
        })
    }
}

/// Two lines that are mostly the same.
fn is_like(mine: &str, theirs: &str) -> bool {
    normalized_levenshtein(mine.trim(), theirs.trim()) >= LIKE
}

fn line_key(line: &str) -> u64 {
    key(line, Level::Trimmed)
}

fn is_telling(line: &str) -> bool {
    line.chars().filter(|letter| letter.is_alphanumeric()).take(LETTERS).count() == LETTERS
}

/// A line that names what follows: `# Title`, `[section]`, `name:`.
fn is_heading(line: &str) -> bool {
    let line = line.trim();
    let key = line.strip_suffix([':', '{']).map(str::trim_end).unwrap_or_default();
    let control = matches!(key, "else" | "try" | "finally" | "do" | "loop" | "default" | "unsafe");
    let is_key = !key.is_empty()
        && !control
        && key.chars().all(|letter| letter.is_alphanumeric() || "-_.\"':".contains(letter));
    line.starts_with('#') && line.trim_start_matches('#').starts_with(' ') && !is_code_comment(line)
        || line.starts_with('[') && line.ends_with(']')
        || is_key
}

/// `# like this, with a small letter or a sign`: a comment of code rather than a title.
fn is_code_comment(line: &str) -> bool {
    is_comment(line)
        && line.trim_start_matches(['#', ' ']).starts_with(|first: char| !first.is_uppercase())
}

/// The same except for the quotes around the same text, which has more than one character and
/// nothing that the quotes affect.
fn is_quoted_otherwise(mine: &str, theirs: &str) -> bool {
    let (mine, theirs) = (fold(mine), fold(theirs));
    let plain = |line: &str| line.trim().replace(['"', '`'], "'");
    let inner = |line: &str| {
        literals(line).into_iter().all(|span| {
            let text = line.get(span.start + 1..span.end.saturating_sub(1)).unwrap_or_default();
            let formatted = line
                .get(..span.start)
                .is_some_and(|before| before.ends_with(char::is_alphanumeric))
                && text.contains('{');
            text.chars().nth(1).is_some()
                && !text.contains(['\\', '$', '"', '\'', '`'])
                && !formatted
        })
    };
    tokens::agree(&plain(&mine), &plain(&theirs))
        && inner(&theirs)
        && normal(&mine, Level::Punctuation) == normal(&theirs, Level::Punctuation)
}

/// Whether a part of a line is an expression used by the rest of the line: never a whole line, so
/// it isn't the remains of a deleted one.
fn is_part(target: &Lines, span: &Span) -> bool {
    let line = target.line(target.index_at(span.start));
    let part = |span: Span| target.text().get(span).unwrap_or_default();
    // Across lines: if the whole lines are gone, longer lines like them must not match.
    if span.end > line.end {
        return false;
    }
    let (before, expression, after, whole) = (
        part(line.start..span.start),
        part(span.clone()),
        part(span.end..line.end).trim_start(),
        part(line.start..line.end),
    );
    let in_literal = |at: usize| {
        literals(whole)
            .iter()
            .any(|literal| line.start + literal.start < at && at < line.start + literal.end)
    };
    let lead = before.trim_end();
    let taken = lead.len() < before.len() && lead.ends_with('=') && !lead.ends_with("==")
        || lead.ends_with(['(', '[']);
    let commented = ["//", "# ", "--", "/*", "<!--"].iter().any(|mark| before.contains(mark));
    let operates =
        [" * ", " + ", " - ", " / ", " && ", " || ", " == ", " != ", " < ", " > ", " ? "]
            .iter()
            .any(|sign| expression.contains(sign));
    let assigns = expression.contains(" = ") || expression.contains("+= ");
    let begins = expression.starts_with(|first: char| {
        first.is_alphanumeric() || matches!(first, '_' | '(' | '"' | '\'')
    });
    taken
        && begins
        && operates
        && !assigns
        && !commented
        && after.starts_with([')', ']', ',', ';'])
        && balanced(expression)
        && !in_literal(span.start)
        && !in_literal(span.end)
}

/// Brackets are balanced and nested.
fn balanced(part: &str) -> bool {
    let mut open = Vec::new();
    for letter in part.chars() {
        match letter {
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ')' | ']' | '}' if open.pop() != Some(letter) => return false,
            _ => {}
        }
    }
    open.is_empty()
}
