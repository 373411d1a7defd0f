//! Plain Markdown: all files without another format. Only clear YAML mistakes in their front matter
//! are reported.

pub mod rules;

use std::any::Any;
use std::sync::Arc;

use super::{Context, Format, Model, start};
use crate::answer::{Completion, Later};
use crate::rule::Report;
use crate::text::Span;

pub static FORMAT: Format = Format {
    name: "plain",
    recognise: |_, _| true,
    read: |_, _| Arc::new(Plain),
    rules: rules::all,
    workspace: &(),
    start: &(),
    parse: None,
};

struct Plain;

impl Model for Plain {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn check(&self, cx: &Context, report: &mut Report) {
        start::check(cx, report);
    }

    fn later<'a>(&'a self, cx: &'a Context, span: Span) -> Vec<Later<'a>> {
        start::later(cx, &span)
    }

    fn complete(&self, cx: &Context, offset: usize) -> Vec<Completion> {
        start::complete(cx, offset)
    }
}
