//! Grades a case. If the result differs, a check must show why ours is better.

use agentmd::edit::lines::{Level, indentation, normal};
use agentmd::edit::{self, Batch, Block, Dialect, Lines, Operation, Tier};

use super::case::Case;
use super::run::Outcome;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    Same,
    Better(Why),
    /// Refused, but should not be.
    Worse,
    /// Applied, but not as requested.
    Wrong,
}

/// The reason for an intentional difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    Ambiguous,
    ChangedLine,
    Elision,
    Whole,
    Undone,
    Kept,
    Verbatim,
    ExactWins,
    Guessed,
    Named,
    CutOff,
    Hinted,
    AtTop,
}

impl Why {
    pub const ALL: [Self; 13] = [
        Self::Ambiguous,
        Self::ChangedLine,
        Self::Elision,
        Self::Whole,
        Self::Undone,
        Self::Kept,
        Self::Verbatim,
        Self::ExactWins,
        Self::Guessed,
        Self::Named,
        Self::CutOff,
        Self::Hinted,
        Self::AtTop,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Ambiguous => "ambiguous",
            Self::ChangedLine => "changed line",
            Self::Elision => "elision",
            Self::Whole => "all or nothing",
            Self::Undone => "undone",
            Self::Kept => "kept lines",
            Self::Verbatim => "verbatim",
            Self::ExactWins => "exact wins",
            Self::Guessed => "guess",
            Self::Named => "name",
            Self::CutOff => "cut off",
            Self::Hinted => "line number",
            Self::AtTop => "at the top",
        }
    }

    pub fn reason(self) -> &'static str {
        match self {
            Self::Ambiguous => {
                "The search text occurs several times, and nothing says which one is meant. The other tool picks one; agentmd asks, with all lines."
            }
            Self::ChangedLine => {
                "A line that the block changes or deletes differs in the file: it has changed since, or it's a similar one. The other tool overwrites it; agentmd shows the nearest lines and their differences."
            }
            Self::Elision => {
                "`...` replaces lines that would be lost or duplicated. agentmd never drops lines that you haven't seen."
            }
            Self::Whole => {
                "One block can't be applied. The other tool writes the rest; agentmd writes nothing without `--partial`, which gives the same result."
            }
            Self::Undone => {
                "The file already contains the new text, and the other tool reverts the edit. agentmd reverts only on request, with the same result."
            }
            Self::Kept => {
                "Lines that the block doesn't change keep the file's bytes, and new lines use the file's indentation. The other tool writes the model's."
            }
            Self::Verbatim => {
                "Spaces and blank lines of the new text are kept as written: they have a meaning in Markdown."
            }
            Self::ExactWins => {
                "The search text matches one place exactly, and others with different whitespace. The exact one is used."
            }
            Self::Guessed => {
                "The search text isn't in the file. The other tool takes a passage with the same beginning and end."
            }
            Self::Named => {
                "The file isn't named by its path. The other tool takes one with a similar name; agentmd only suggests it."
            }
            Self::Hinted => {
                "The search text occurs several times, and the call names a line: the nearest place is used."
            }
            Self::AtTop => {
                "`@@ -0,0 +1 @@` of a file with the same name on both sides: `git diff -U0` writes this for lines before the first, and git inserts them there. The other tool takes it for a new file."
            }
            Self::CutOff => "The block has no end: it may have been cut off, and is not applied.",
        }
    }
}

pub fn grade(case: &Case, outcome: &Outcome) -> Grade {
    match outcome {
        Outcome::Text { blocks, batch } => text(case, blocks, batch, &outcome.reasons()),
        Outcome::Files { .. } => files(case, outcome),
        Outcome::Blocks(blocks) => parsed(case, blocks),
        Outcome::Place(found) => place(case, found),
    }
}

/// Whether this reason for a refusal means that the text is already as expected.
fn is_settled(reason: &str) -> bool {
    matches!(reason, "already_applied" | "no_op")
}

/// Whether the error is the expected one. If that isn't one of ours, any error will do.
fn is_error(wanted: &str, reasons: &[&str]) -> bool {
    let ours = edit::Reason::ALL.iter().any(|reason| reason.name() == wanted)
        || wanted == "path_outside_root";
    // A SEARCH text of blank lines counts as empty, too, but has its own reason.
    let same = |reason: &str| {
        reason == wanted
            || wanted == "empty_search_on_nonempty_file" && reason == "whitespace_only_search"
    };
    if ours { reasons.iter().any(|reason| same(reason)) } else { !reasons.is_empty() }
}

fn text(case: &Case, blocks: &[Block], batch: &Batch, reasons: &[&str]) -> Grade {
    let after = batch.text.as_deref().unwrap_or_default();
    let untouched = after == case.before();
    if let Some(wanted) = case.wanted_error() {
        return match reasons {
            _ if is_error(wanted, reasons) => Grade::Same,
            [] if wanted == "ambiguous"
                && case.option("start_line").is_some()
                && case.tools_text() == Some(after) =>
            {
                Grade::Better(Why::Hinted)
            }
            [] if exact_wins(case, blocks, batch) => Grade::Better(Why::ExactWins),
            [] if goes_to_top(case, blocks, after) => Grade::Better(Why::AtTop),
            [] => Grade::Wrong,
            _ => Grade::Worse,
        };
    }
    let failed = !reasons.iter().all(|reason| is_settled(reason));
    let Some(wanted) = case.wanted_text() else {
        let applies = case.wanted()["applies"].as_bool();
        return match failed {
            _ if applies == Some(!failed) => Grade::Same,
            true if untouched && changes_unknown_line(case, blocks) => {
                Grade::Better(Why::ChangedLine)
            }
            true => Grade::Worse,
            false => Grade::Wrong,
        };
    };
    if !failed && after == wanted {
        return Grade::Same;
    }
    if failed {
        return match reasons {
            _ if after == wanted => Grade::Better(Why::Whole),
            _ if reasons.contains(&"ambiguous") => Grade::Better(Why::Ambiguous),
            _ if reasons.contains(&"unterminated_block") => Grade::Better(Why::CutOff),
            _ if reasons.iter().any(|reason| reason.starts_with("elision")) => {
                Grade::Better(Why::Elision)
            }
            _ if changes_unknown_line(case, blocks) => Grade::Better(Why::ChangedLine),
            _ => Grade::Worse,
        };
    }
    if undone(case, blocks, wanted) && reasons.contains(&"already_applied") {
        return Grade::Better(Why::Undone);
    }
    differing(case, blocks, after, wanted).map_or(Grade::Wrong, Grade::Better)
}

/// Whether a block changes or deletes a line that isn't in the file, even ignoring whitespace.
fn changes_unknown_line(case: &Case, blocks: &[Block]) -> bool {
    let has = |lines: &Lines, wanted: &str| {
        lines
            .contents()
            .any(|line| normal(line, Level::Punctuation) == normal(wanted, Level::Punctuation))
    };
    let file = Lines::new(case.before());
    let changed = |block: &Block| {
        let split = &block.splits[0];
        let (search, replace) = (Lines::new(&split.search), Lines::new(&split.replace));
        search
            .contents()
            .any(|line| !line.trim().is_empty() && !has(&replace, line) && !has(&file, line))
    };
    blocks.iter().any(changed)
}

/// Whether the reversed blocks give the expected text.
fn undone(case: &Case, blocks: &[Block], wanted: &str) -> bool {
    let reversed: Vec<Block> = blocks.iter().rev().map(|block| block.reversed()).collect();
    let batch = edit::apply(
        case.file_before.as_deref(),
        &reversed.iter().collect::<Vec<_>>(),
        edit::batch::Request { confirmed: true, ..edit::batch::Request::default() },
    );
    batch.is_complete() && batch.text.as_deref() == Some(wanted)
}

/// Whether a diff of an existing file only inserts lines before its first one.
fn goes_to_top(case: &Case, blocks: &[Block], after: &str) -> bool {
    let [block] = blocks else { return false };
    let split = &block.splits[0];
    block.dialect == Dialect::UnifiedDiff
        && block.hint == Some(0)
        && split.search.is_empty()
        && case.block_text.as_ref().is_some_and(|text| !text.contains("/dev/null"))
        && after == split.replace.clone() + case.before()
}

fn exact_wins(case: &Case, blocks: &[Block], batch: &Batch) -> bool {
    let once = |block: &Block| {
        case.before()
            .lines()
            .filter(|line| *line == block.splits[0].search.trim_end_matches('\n'))
            .count()
            == 1
    };
    blocks.iter().all(once)
        && batch
            .results
            .iter()
            .all(|result| result.as_ref().is_ok_and(|applied| applied.tier == Tier::Exact))
}

/// The reason why the result differs from the expected text, if that is on purpose.
fn differing(case: &Case, blocks: &[Block], after: &str, wanted: &str) -> Option<Why> {
    let (ours, theirs, file) = (Lines::new(after), Lines::new(wanted), Lines::new(case.before()));
    let holds = |text: &str, wanted: &str| Lines::new(text).contents().any(|line| line == wanted);
    let new = |line: &str| blocks.iter().any(|block| holds(&block.splits[0].replace, line));
    let context = |line: &str| {
        blocks.iter().any(|block| {
            holds(&block.splits[0].replace, line) && holds(&block.splits[0].search, line)
        })
    };
    if ours.len() == theirs.len() {
        let pairs =
            || ours.contents().zip(theirs.contents()).filter(|(ours, theirs)| ours != theirs);
        let of_file = |line: &str| file.contents().any(|known| known == line);
        let style: String = file.contents().map(indentation).collect();
        let indented_as_file =
            |line: &str| indentation(line).chars().all(|blank| style.contains(blank));
        let blanks =
            |ours: &str, theirs: &str| normal(ours, Level::Blanks) == normal(theirs, Level::Blanks);
        if pairs().all(|(ours, theirs)| blanks(ours, theirs) && new(ours)) {
            return Some(Why::Verbatim);
        }
        if pairs().all(|(ours, theirs)| {
            of_file(ours) && (blanks(ours, theirs) || context(theirs))
                || blanks(ours, theirs) && indented_as_file(ours)
        }) {
            return Some(Why::Kept);
        }
        return None;
    }
    let filled = |lines: &Lines| {
        lines
            .contents()
            .filter(|line| !line.trim().is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let blank = |block: &Block| block.splits[0].replace.lines().any(|line| line.trim().is_empty());
    (filled(&ours) == filled(&theirs) && blocks.iter().any(blank)).then_some(Why::Verbatim)
}

fn files(case: &Case, outcome: &Outcome) -> Grade {
    let (Outcome::Files { files, .. }, reasons) = (outcome, outcome.reasons()) else {
        return Grade::Worse;
    };
    let wanted = case.wanted()["after_files"].as_object();
    let same = match (wanted, case.wanted_text(), case.path.as_ref()) {
        (Some(wanted), ..) => {
            wanted.len() == files.len()
                && wanted
                    .iter()
                    .all(|(path, text)| files.get(path).map(String::as_str) == text.as_str())
        }
        (None, Some(text), Some(path)) => files.get(path).map(String::as_str) == Some(text),
        _ => true,
    };
    match case.wanted_error() {
        Some(wanted) if !is_error(wanted, &reasons) => {
            if reasons.is_empty() {
                Grade::Wrong
            } else {
                Grade::Worse
            }
        }
        // The other tool applied only some blocks, as `--partial` does.
        Some(_) if same && *files != case.files_before && wanted.is_some() => {
            Grade::Better(Why::Whole)
        }
        None if !reasons.is_empty() => Grade::Worse,
        _ if same => Grade::Same,
        _ => Grade::Wrong,
    }
}

fn parsed(case: &Case, blocks: &[Block]) -> Grade {
    if case.wanted_error().is_some() {
        let broken = blocks.is_empty()
            || blocks.iter().any(|block| block.error.is_some() || block.path.is_none());
        return if broken { Grade::Same } else { Grade::Wrong };
    }
    let wanted: Vec<(Option<&str>, Option<&str>, Option<&str>)> = case.wanted()["edits"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|edit| (edit["path"].as_str(), edit["search"].as_str(), edit["replace"].as_str()))
        .collect();
    let ours: Vec<(Option<&str>, Option<&str>, Option<&str>)> = blocks
        .iter()
        .filter(|block| block.error.is_none() && block.operation == Operation::Edit)
        .map(|block| {
            let split = &block.splits[0];
            (
                block.path.as_ref().map(|path| path.text.as_str()),
                Some(split.search.as_str()),
                Some(split.replace.as_str()),
            )
        })
        .collect();
    if ours == wanted {
        return Grade::Same;
    }
    // The same edits, but the reply doesn't name the expected file.
    let texts = |edits: &[(Option<&str>, Option<&str>, Option<&str>)]| {
        edits.iter().map(|(_, old, new)| format!("{old:?}{new:?}")).collect::<Vec<_>>()
    };
    let written = |path: Option<&str>| {
        path.is_none_or(|path| {
            case.block_text
                .as_ref()
                .is_some_and(|text| text.lines().any(|line| line.contains(path)))
        })
    };
    let guessed = ours
        .iter()
        .zip(&wanted)
        .all(|(ours, wanted)| ours.0 == wanted.0 || written(ours.0) && !written(wanted.0));
    if texts(&ours) == texts(&wanted) && guessed { Grade::Better(Why::Named) } else { Grade::Wrong }
}

fn place(case: &Case, found: &Result<String, &'static str>) -> Grade {
    match (found, case.wanted()["matched"].as_str()) {
        (Ok(text), Some(wanted)) if text == wanted => Grade::Same,
        (Err(_), None) => Grade::Same,
        (Err(_), Some(wanted))
            if case.search.as_ref().is_some_and(|search| search.trim() != wanted.trim()) =>
        {
            Grade::Better(Why::Guessed)
        }
        (Err(_), Some(_)) => Grade::Worse,
        (Ok(_), _) => Grade::Wrong,
    }
}
