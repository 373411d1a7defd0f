//! Tests of programs: cases, each with an input and the expected output. They are in a file
//! `name.test.yaml` next to the program, or in `tests` of its front matter.

mod complete;
pub mod expect;
mod file;
mod hover;
mod keys;
mod lens;
mod links;
pub(super) mod read;
mod subject;
mod symbols;
mod tested;
#[cfg(test)]
mod tests;
mod written;

use std::path::{Path, PathBuf};

use super::program::Header;
use crate::source::Source;
use crate::text::Encoding;
use crate::yaml;
pub(super) use complete::inside;
use expect::is_expectation;
pub use file::FORMAT;
pub(super) use hover::hover;
pub(super) use lens::runnables;
pub(super) use links::links;
pub use read::{Case, Cases, Flaw};
pub use subject::Subject;
pub(super) use symbols::cases as symbols;
pub use tested::{Found, Missing, Tested, follow};
pub use written::Written;

/// The endings of test file names.
const ENDS: &[&str] = &[".test.yaml", ".test.yml"];
/// The field of front matter with the cases of its program.
pub const FIELD: &str = "tests";

/// The cases of one program in one file.
#[derive(Debug)]
pub struct Suite {
    /// The file that contains the cases, as it was named.
    pub shown: String,
    pub path: PathBuf,
    pub program: PathBuf,
    /// Each with its line, counted from 1.
    pub cases: Vec<(u32, Case)>,
}

/// Whether a file is a test file, by its name.
pub fn is_suite(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase());
    name.is_some_and(|name| ENDS.iter().any(|end| name.len() > end.len() && name.ends_with(end)))
}

/// The possible test files of a program: `name.test.yaml` for `name.md`.
pub fn of_program(program: &Path) -> impl Iterator<Item = PathBuf> {
    let stem = program.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    ENDS.iter()
        .filter_map(move |end| Some(program.with_file_name(format!("{}{end}", stem.as_deref()?))))
}

/// The files whose cases are recorded in the same folder as those of a test file, and come first:
/// its program's front matter, and the test file with the other ending.
pub fn recorded_together(file: &Path) -> Vec<PathBuf> {
    let program = file.with_file_name(format!("{}.md", stem(file)));
    let own = file.to_string_lossy().to_lowercase();
    let before = ENDS.iter().take_while(|end| !own.ends_with(**end));
    let before = before.map(|end| file.with_file_name(format!("{}{end}", stem(file))));
    std::iter::once(program.clone()).chain(before).collect()
}

/// The name of a test file or a program without its ending.
fn stem(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let lower = name.to_lowercase();
    let end = ENDS.iter().find(|end| lower.ends_with(**end)).map(|end| end.len());
    match end {
        Some(end) => name.get(..name.len().saturating_sub(end)).unwrap_or_default().to_owned(),
        None => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
    }
}

/// The program of a test file: the one that it names, or the one next to it with its name.
pub fn program_of(file: &Path, named: Option<&str>) -> PathBuf {
    match named {
        Some(named) => crate::world::resolve(file, named),
        None => file.with_file_name(format!("{}.md", stem(file))),
    }
}

/// Whether `text` is meant as one of our test files: other tools have files with the same names, so
/// it must have `cases`.
pub fn is_ours(text: &str) -> bool {
    let tree = yaml::parse(text);
    let root = tree.root.as_ref().and_then(yaml::Node::as_mapping);
    root.is_some_and(|root| root.get("cases").is_some())
}

impl Suite {
    /// Reads a test file.
    ///
    /// # Errors
    /// Every mistake in it: `file:line:column: message`.
    pub fn of_file(path: &Path, shown: &str, text: &str) -> Result<Self, Vec<String>> {
        let tree = yaml::parse(text);
        let source = Source::new(text);
        if !tree.errors.is_empty() {
            let flaws = tree.errors.iter();
            let flaws = flaws.map(|error| place(shown, &source, error.span.start, &error.message));
            return Err(flaws.collect());
        }
        let Some(written) = Written::of_file(text.into(), &tree) else {
            return Err(vec![format!("{shown}: the file is empty; it needs `cases`")]);
        };
        let cases = Cases::of_file(&written);
        let program = program_of(path, cases.program.as_deref());
        Self::new(path, shown, program, &source, &written, cases)
    }

    /// Reads the tests in a program's front matter; `None` if it has none.
    ///
    /// # Errors
    /// Like [`Suite::of_file`].
    pub fn of_front_matter(
        path: &Path,
        shown: &str,
        source: &Source,
        header: &Header,
    ) -> Option<Result<Self, Vec<String>>> {
        let written = Written::of_header(source, header)?;
        let cases = Cases::of_front_matter(&written)?;
        Some(Self::new(path, shown, path.to_owned(), source, &written, cases))
    }

    fn new(
        path: &Path,
        shown: &str,
        program: PathBuf,
        source: &Source,
        written: &Written,
        cases: Cases,
    ) -> Result<Self, Vec<String>> {
        if !cases.flaws.is_empty() {
            let flaws = cases.flaws.iter();
            let mut flaws: Vec<(usize, &str)> = flaws
                .map(|flaw| (written.mark(&flaw.pointer, flaw.part).start, flaw.message.as_str()))
                .collect();
            flaws.sort_by_key(|(start, _)| *start);
            let place = |(start, message)| place(shown, source, start, message);
            return Err(flaws.into_iter().map(place).collect());
        }
        let line =
            |case: &Case| source.position(written.start(&case.pointer), Encoding::Utf32).line;
        let cases = cases.cases.into_iter().map(|case| (line(&case) + 1, case)).collect();
        Ok(Self { shown: shown.to_owned(), path: path.to_owned(), program, cases })
    }

    /// The folder with the recording of a case.
    pub fn recording(&self, case: &Case) -> PathBuf {
        let folder = self.path.with_file_name(format!("{}.recordings", stem(&self.path)));
        folder.join(case.slug())
    }
}

/// `file:line:column: message`, counted from 1, in characters.
fn place(shown: &str, source: &Source, offset: usize, message: &str) -> String {
    let position = source.position(offset, Encoding::Utf32);
    format!("{shown}:{}:{}: {message}", position.line + 1, position.column + 1)
}
