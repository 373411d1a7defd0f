//! The things that an editor can run: the program, and its tests.

use super::Program;
use super::suite::{self, Subject};
use crate::answer::{Runnable, RunnableKind};
use crate::format::Context;
use crate::world::EntryKind;

/// The program above its first line, with its tests if there are any, and each case of its front
/// matter.
pub fn runnables(program: &Program, cx: &Context) -> Vec<Runnable> {
    let Some(path) = cx.path.filter(|_| program.front.is_some()) else { return Vec::new() };
    let span = program.opening();
    let sample = program.sample().is_some();
    let mut found = vec![Runnable { span: span.clone(), kind: RunnableKind::Run { sample } }];
    let subject = Subject::of_program(cx, program);
    let mut files = suite::of_program(path);
    let is_tested = subject.as_ref().is_some_and(|subject| !subject.cases.cases.is_empty())
        || files.any(|file| cx.world.kind(&file) == Some(EntryKind::File));
    if is_tested {
        found.push(Runnable { span, kind: RunnableKind::Test { case: None } });
    }
    if let Some(subject) = subject {
        found.extend(suite::runnables(&subject.written, &subject.cases));
    }
    found
}
