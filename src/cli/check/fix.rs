//! `--fix`: applies safe fixes until none are left. First in memory, all files together, since one
//! file's findings may come from another; then writes each changed file once.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::files::{File, Stdin};
use super::progress::Progress;
use super::{Run, pool};
use crate::cli::{Status, complain, warn, write::write_atomically};
use crate::config::Config;
use crate::plan::Reason;
use crate::rule::{Diagnostic, Severity};
use crate::source::Source;
use crate::text::{self, Edit};
use crate::world::{Disk, ReadError, World, read_text};

/// The limit of passes over one file: fixes that wait for others need several.
const MOST_PASSES: usize = 100;
/// The limit of passes over all files, since a fix in one may enable another.
const MOST_ROUNDS: usize = 10;

/// The result of fixing.
#[derive(Debug, Default)]
pub struct Fixed {
    /// Sorted by path.
    pub files: Vec<FixedFile>,
}

#[derive(Debug)]
pub struct FixedFile {
    pub file: File,
    pub old: String,
    pub new: String,
    /// The number of fixes by code.
    pub codes: BTreeMap<&'static str, usize>,
}

impl Fixed {
    pub fn count(&self) -> usize {
        self.files.iter().flat_map(|file| file.codes.values()).sum()
    }
}

/// Fixes every file in this run's world only.
pub fn all(run: &mut Run) -> Fixed {
    let mut fixed: BTreeMap<File, FixedFile> = BTreeMap::new();
    for _ in 0..MOST_ROUNDS {
        let mut changes = Vec::new();
        let progress = Progress::new(run.files.len(), run.quiet);
        // A file whose check panics is not changed; the report tells the user.
        let work = |index: usize| {
            catch_unwind(AssertUnwindSafe(|| one(run, run.files.get(index)?))).ok().flatten()
        };
        pool::ordered(run.files.len(), &progress, work, |change| {
            changes.extend(change);
            ControlFlow::Continue(())
        });
        drop(progress);
        if changes.is_empty() {
            break;
        }
        for change in changes {
            run.world.insert(change.file.path.clone(), Ok(Source::new(&change.new)));
            match fixed.get_mut(&change.file) {
                None => drop(fixed.insert(change.file.clone(), change)),
                Some(known) => {
                    known.new = change.new;
                    for (code, count) in change.codes {
                        *known.codes.entry(code).or_default() += count;
                    }
                }
            }
        }
    }
    Fixed { files: fixed.into_values().filter(|file| file.old != file.new).collect() }
}

/// Fixes one file until no safe fixes are left.
fn one(run: &Run, file: &File) -> Option<FixedFile> {
    let config = run.config(file)?;
    let source = run.world.read(&file.path).ok()?;
    let old = source.text().to_string();
    let (new, codes) = until_done(run, file, source, &config)?;
    (new != old).then(|| FixedFile { file: file.clone(), old, new, codes })
}

fn until_done(
    run: &Run,
    file: &File,
    mut source: Source,
    config: &Config,
) -> Option<(String, BTreeMap<&'static str, usize>)> {
    let mut text = source.text().to_string();
    let mut codes = BTreeMap::new();
    let mut seen = HashSet::from([text.clone()]);
    for _ in 0..MOST_PASSES {
        let mut checked = run.check_source(file, source, config);
        // Only fix findings that are shown: hints also concern files that authors leave as they
        // are.
        checked.diagnostics.retain(|found| run.verbose || found.severity > Severity::Hint);
        let (edits, applied) = compatible(&checked.diagnostics, &text);
        if edits.is_empty() {
            return Some((text, codes));
        }
        text = text::apply(&text, &edits).ok()?;
        for code in applied {
            *codes.entry(code).or_default() += 1;
        }
        if !seen.insert(text.clone()) {
            break;
        }
        source = Source::new(&text);
    }
    warn(&format!(
        "{}: not fixed, because its fixes undo each other; please report this",
        file.shown
    ));
    None
}

/// The safe fixes that don't touch each other, in source order, with their rules. The others wait
/// for the next pass.
fn compatible(diagnostics: &[Diagnostic], text: &str) -> (Vec<Edit>, Vec<&'static str>) {
    let mut taken: Vec<Edit> = Vec::new();
    let mut codes = Vec::new();
    for diagnostic in diagnostics {
        let Some(fix) = diagnostic.fixes.iter().find(|fix| fix.safe && !fix.edits.is_empty())
        else {
            continue;
        };
        // Touching edits may mean two different things by the same offset: `end == start` is a
        // conflict too.
        let apart = |edit: &Edit| {
            taken
                .iter()
                .all(|other| edit.span.end < other.span.start || other.span.end < edit.span.start)
        };
        let changes = |edit: &Edit| text.get(edit.span.clone()).is_some_and(|old| old != edit.text);
        let sound = if let [edit] = fix.edits.as_slice() {
            changes(edit)
        } else {
            text::apply(text, &fix.edits).is_ok_and(|new| new != text)
        };
        if sound && fix.edits.iter().all(apart) {
            taken.extend(fix.edits.iter().cloned());
            codes.push(diagnostic.rule.code);
        }
    }
    (taken, codes)
}

/// Prints the fixed text of stdin. An editor replaces its buffer with it, so unreadable input is
/// printed unchanged.
///
/// # Errors
/// If stdin is too large, or the text can't be printed.
pub fn print(run: &Run, stdin: &Stdin) -> anyhow::Result<Status> {
    let mut out = std::io::stdout().lock();
    match run.world.read(&stdin.file.path) {
        Ok(source) => {
            source.text().chunks().try_for_each(|chunk| out.write_all(chunk.as_bytes()))?;
        }
        Err(error @ ReadError::TooLarge { .. }) => anyhow::bail!("stdin {error}"),
        Err(_) => out.write_all(&stdin.unreadable)?,
    }
    out.flush()?;
    Ok(Status::Fine)
}

/// Writes the fixed content of files.
pub fn write(run: &mut Run, fixed: &mut Fixed) -> Status {
    let (mut status, disk) = (Status::Fine, Disk::default());
    fixed.files.retain(|change| {
        let current = read_text(&change.file.path).map_err(anyhow::Error::from);
        let result = current.and_then(|current| {
            if current == change.new {
                // A link to a file that was just written.
                return Ok(());
            }
            anyhow::ensure!(current == change.old, "the file has changed in the meantime");
            anyhow::ensure!(!disk.protection(&change.file.path).linked, Reason::HardLink.message());
            write_atomically(&change.file.path, &change.new)
        });
        if let Err(error) = &result {
            complain(&format!("{}: not fixed: {error:#}", change.file.shown));
            run.world.remove(&change.file.path);
            status = Status::Found;
        }
        result.is_ok()
    });
    status
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::plain::rules::UNREADABLE;
    use crate::rule::{Fix, Report};

    #[test]
    fn touching_fixes_wait() {
        let mut report = Report::default();
        for (span, safe) in [(0..2, true), (1..3, true), (2..2, true), (4..5, false), (6..7, true)]
        {
            let edits = vec![Edit::replace(span.clone(), "X")];
            let fix = if safe { Fix::safe("Mend", edits) } else { Fix::suggestion("Mend", edits) };
            report.add(&UNREADABLE, span, "").fix(fix);
        }
        let (edits, codes) = compatible(&report.diagnostics, "abcdefgh");
        assert_eq!(edits, [Edit::replace(0..2, "X"), Edit::replace(6..7, "X")]);
        assert_eq!(codes.len(), 2);
    }

    #[test]
    fn a_fix_without_effect_or_with_invalid_edits_is_skipped() {
        let mut report = Report::default();
        report.add(&UNREADABLE, 0..1, "").fix(Fix::safe("Keep", vec![Edit::replace(0..1, "a")]));
        report.add(&UNREADABLE, 0..1, "").fix(Fix::safe("Leave", vec![Edit::replace(7..9, "a")]));
        assert_eq!(compatible(&report.diagnostics, "abc").0, []);
    }
}
