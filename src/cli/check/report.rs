//! What every output format has in common.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::Serialize;

use super::files::File;
use crate::client::Kind;
use crate::format::agent::verdict::Verdict;
use crate::rule::{Diagnostic, Related, Severity};
use crate::source::Source;
use crate::text::{Encoding, Span};
use crate::world::{World, canonicalize, slashed};

/// One file and what was found in it.
pub struct Checked<'a> {
    pub file: &'a File,
    pub source: Source,
    /// The name of its format.
    pub format: &'static str,
    pub diagnostics: Vec<Diagnostic>,
    /// What an agent file is, and what becomes of it in each judged client; only where the report
    /// says so.
    pub verdicts: Option<(Kind, Vec<Verdict>)>,
    pub world: &'a dyn World,
}

/// An output format. Files are printed on many threads; what they give is written in order.
pub trait Reporter: Sync {
    fn begin(&self) -> String {
        String::new()
    }
    /// Nothing for a file that is not mentioned.
    fn file(&self, checked: &Checked) -> String;
    fn between(&self) -> &'static str {
        ""
    }
    fn end(&self, summary: &Summary) -> String;
    /// Whether a file with nothing but hints is one with findings.
    fn shows_hints(&self) -> bool {
        true
    }
}

/// What was found in one file, in numbers.
#[derive(Debug)]
pub struct Tally {
    severities: BTreeMap<Severity, usize>,
    codes: BTreeMap<&'static str, usize>,
    mentioned: bool,
}

impl Tally {
    pub fn of(checked: &Checked, hints: bool) -> Self {
        let mut tally =
            Self { severities: BTreeMap::new(), codes: BTreeMap::new(), mentioned: false };
        for diagnostic in &checked.diagnostics {
            *tally.severities.entry(diagnostic.severity).or_default() += 1;
            if hints || diagnostic.severity > Severity::Hint {
                *tally.codes.entry(diagnostic.rule.code).or_default() += 1;
                tally.mentioned = true;
            }
        }
        tally
    }
}

/// What was found in all files, in numbers.
#[derive(Debug, Default)]
pub struct Summary {
    pub files: usize,
    /// Files with findings that are shown.
    pub mentioned: usize,
    pub codes: BTreeMap<&'static str, usize>,
    pub severities: BTreeMap<Severity, usize>,
    /// Fixes that `--fix` applied.
    pub fixed: usize,
    /// Files whose check panicked.
    pub crashed: usize,
}

impl Summary {
    pub fn add(&mut self, tally: Tally) {
        self.files += 1;
        self.mentioned += usize::from(tally.mentioned);
        for (severity, count) in tally.severities {
            *self.severities.entry(severity).or_default() += count;
        }
        for (code, count) in tally.codes {
            *self.codes.entry(code).or_default() += count;
        }
    }

    pub fn of(&self, severity: Severity) -> usize {
        self.severities.get(&severity).copied().unwrap_or_default()
    }

    /// Whether the run found what must not be.
    pub fn fails(&self, strict: bool) -> bool {
        self.of(Severity::Error) > 0 || (strict && self.of(Severity::Warning) > 0)
    }
}

/// A place as machines read it: line and column count from 1, the column in characters; the offset
/// counts bytes from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Place {
    pub line: usize,
    pub column: usize,
    pub offset: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Range {
    pub start: Place,
    pub end: Place,
}

impl Range {
    pub fn of(source: &Source, span: &Span) -> Self {
        let place = |offset: usize| {
            let offset = offset.min(source.len());
            let position = source.position(offset, Encoding::Utf32);
            Place { line: position.line as usize + 1, column: position.column as usize + 1, offset }
        };
        Self { start: place(span.start), end: place(span.end) }
    }
}

/// The document that a related place is in, and how its path is shown; `None` when it cannot be
/// read (any more).
pub fn related_source(checked: &Checked, related: &Related) -> Option<(Source, String)> {
    match &related.path {
        None => Some((checked.source.clone(), checked.file.shown.clone())),
        Some(path) => Some((checked.world.read(path).ok()?, relative(path))),
    }
}

/// The path from the current folder on, with `/` between its parts; a path outside it stays
/// absolute.
pub fn relative(path: &Path) -> String {
    static HERE: OnceLock<PathBuf> = OnceLock::new();
    let here = HERE.get_or_init(|| {
        std::env::current_dir().and_then(|here| canonicalize(&here)).unwrap_or_default()
    });
    slashed(path.strip_prefix(here).unwrap_or(path))
}
