//! How a document of a format begins, in a file that isn't one yet.

use super::front_matter::rules::front_matter;
use super::{Context, FORMATS};
use crate::answer::{Completion, Later};
use crate::rule::Report;
use crate::text::Span;

/// The features of a format in files of no special format. Every method is optional.
pub trait Start: Sync {
    /// Reports mistakes that keep a file from being recognised.
    fn check(&self, _: &Context, _: &mut Report) {}
    /// Completes the text that a document of the format begins with.
    fn complete(&self, _: &Context, _offset: usize) -> Vec<Completion> {
        Vec::new()
    }
    /// Converts the document to the format.
    fn later<'a>(&self, _: &'a Context, _span: &Span) -> Option<Later<'a>> {
        None
    }
}

/// For formats that are recognised by their paths.
impl Start for () {}

fn all() -> impl Iterator<Item = &'static dyn Start> {
    FORMATS.iter().map(|format| format.start)
}

/// Reports mistakes that any Markdown file can have.
pub fn check(cx: &Context, report: &mut Report) {
    front_matter::check(cx, report);
    all().for_each(|start| start.check(cx, report));
}

/// The completions of the first format that has any.
pub fn complete(cx: &Context, offset: usize) -> Vec<Completion> {
    let mut found = all().map(|start| start.complete(cx, offset));
    found.find(|found| !found.is_empty()).unwrap_or_default()
}

/// The conversions of all formats.
pub fn later<'a>(cx: &'a Context, span: &Span) -> Vec<Later<'a>> {
    all().filter_map(|start| start.later(cx, span)).collect()
}
