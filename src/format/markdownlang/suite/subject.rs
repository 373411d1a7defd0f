//! The input of the rules about tests.

use super::tested::Missing;
use super::{Cases, Tested, Written, program_of};
use crate::format::Context;
use crate::format::markdownlang::program::Program;
use crate::source::Source;
use crate::yaml::Tree;

/// Cases, their document, and the program that they test.
pub struct Subject<'a> {
    pub cx: &'a Context<'a>,
    pub written: Written<'a>,
    pub cases: Cases,
    /// `None` if the document isn't saved, so that other files are unknown.
    pub tested: Option<Result<Tested, Missing>>,
}

impl<'a> Subject<'a> {
    /// A test file; `None` if it is empty.
    pub fn of_file(cx: &'a Context<'a>, source: &'a Source, tree: &'a Tree) -> Option<Self> {
        let written = Written::of_file(source.slice(0..source.len()), tree)?;
        let cases = Cases::of_file(&written);
        let program = cx.path.map(|file| program_of(file, cases.program.as_deref()));
        let tested = program.map(|program| Tested::read(cx, program));
        Some(Self { cx, written, cases, tested })
    }

    /// The tests in a program's front matter, if it has any.
    pub fn of_program(cx: &'a Context<'a>, program: &'a Program) -> Option<Self> {
        let written = Written::of_header(cx.source, &program.header)?;
        let cases = Cases::of_front_matter(&written)?;
        let (shown, path) = (String::new(), cx.path.map(ToOwned::to_owned));
        let tested = Tested { shown, path, header: program.header.clone() };
        Some(Self { cx, written, cases, tested: Some(Ok(tested)) })
    }

    pub fn program(&self) -> Option<&Tested> {
        self.tested.as_ref()?.as_ref().ok()
    }
}
