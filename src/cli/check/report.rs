//! The common parts of all output formats.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::Serialize;

use super::files::File;
use super::spelling::Spelling;
use crate::client::Kind;
use crate::format::agent::verdict::Verdict;
use crate::rule::{Diagnostic, Related, Severity};
use crate::source::Source;
use crate::text::{Encoding, Span};
use crate::world::{World, canonicalize, slashed};

/// One file and its findings.
pub struct Checked<'a> {
    pub file: &'a File,
    pub source: Source,
    /// The name of its format.
    pub format: &'static str,
    pub diagnostics: Vec<Diagnostic>,
    /// The kind of an agent file, and each client's verdict; only if the report includes them.
    pub verdicts: Option<(Kind, Vec<Verdict>)>,
    pub world: &'a dyn World,
    pub spelling: &'a Spelling,
}

/// An output format. Files are formatted on many threads; the results are written in order.
pub trait Reporter: Sync {
    fn begin(&self) -> String {
        String::new()
    }
    /// Returns an empty string for a file that isn't mentioned.
    fn file(&self, checked: &Checked) -> String;
    fn between(&self) -> &'static str {
        ""
    }
    fn end(&self, summary: &Summary) -> String;
    /// Whether a file with only hints counts as having findings.
    fn shows_hints(&self) -> bool {
        true
    }
}

/// Prints nothing.
pub struct Silent;

impl Reporter for Silent {
    fn file(&self, _: &Checked) -> String {
        String::new()
    }

    fn end(&self, _: &Summary) -> String {
        String::new()
    }
}

/// The counts of one file.
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

/// The counts of all files.
#[derive(Debug, Default)]
pub struct Summary {
    pub files: usize,
    /// Files with visible findings.
    pub mentioned: usize,
    pub codes: BTreeMap<&'static str, usize>,
    pub severities: BTreeMap<Severity, usize>,
    /// Fixes applied by `--fix`.
    pub fixed: usize,
    /// Files whose check panicked.
    pub crashed: usize,
    /// A settings file can't be used, so that no file below it was checked.
    pub unusable: bool,
    /// A settings file contains unknown names.
    pub misread: bool,
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

    /// Whether the run must fail.
    pub fn fails(&self, strict: bool) -> bool {
        self.of(Severity::Error) > 0 || (strict && self.of(Severity::Warning) > 0)
    }
}

/// A position for programs: line and column count from 1, the column in characters; the offset in
/// bytes from 0.
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

/// The document of a related place, and its displayed path; `None` if it can't be read.
pub fn related_source(checked: &Checked, related: &Related) -> Option<(Source, String)> {
    match &related.path {
        None => Some((checked.source.clone(), checked.file.shown.clone())),
        Some(path) => Some((checked.world.read(path).ok()?, checked.spelling.of(path))),
    }
}

/// The path relative to the current folder, with `/` between its parts; a path outside of it stays
/// absolute.
pub fn relative(path: &Path) -> String {
    static HERE: OnceLock<PathBuf> = OnceLock::new();
    let here = HERE.get_or_init(|| {
        std::env::current_dir().and_then(|here| canonicalize(&here)).unwrap_or_default()
    });
    slashed(path.strip_prefix(here).unwrap_or(path))
}
