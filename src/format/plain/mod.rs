//! Plain Markdown: every file of no other format. In its front matter, only clear YAML mistakes are
//! reported.

mod actions;
mod complete;
pub mod rules;

use std::any::Any;
use std::sync::Arc;

use super::markdownlang::rules::compat_lenient_delimiter as lenient_delimiter;
use super::{Context, Format, Model, duckflow};
use crate::answer::{Completion, Later};
use crate::rule::Report;
use crate::text::Span;

pub static FORMAT: Format = Format {
    name: "plain",
    recognise: |_, _| true,
    read: |_, _| Arc::new(Plain),
    rules: rules::all,
    workspace: &(),
};

struct Plain;

/// Reports mistakes that any Markdown file can have.
pub(super) fn check(cx: &Context, report: &mut Report) {
    rules::front_matter::check(cx, report);
    lenient_delimiter::check_plain(cx, report);
}

/// The completions for any Markdown file.
pub(super) fn complete(cx: &Context, offset: usize) -> Vec<Completion> {
    complete::complete(cx, offset)
}

/// The refactorings for any Markdown file.
pub(super) fn later<'a>(cx: &'a Context, span: &Span) -> Vec<Later<'a>> {
    actions::later(cx, span).into_iter().chain(duckflow::actions::from_json(cx, span)).collect()
}

impl Model for Plain {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn check(&self, cx: &Context, report: &mut Report) {
        check(cx, report);
    }

    fn later<'a>(&'a self, cx: &'a Context, span: Span) -> Vec<Later<'a>> {
        later(cx, &span)
    }

    fn complete(&self, cx: &Context, offset: usize) -> Vec<Completion> {
        complete(cx, offset)
    }
}
