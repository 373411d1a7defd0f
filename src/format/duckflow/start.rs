//! How a reply begins: its first marker, and the conversion of a reply in JSON.

use super::{actions, complete};
use crate::answer::{Completion, Later};
use crate::format::Context;
use crate::format::start::Start;
use crate::text::Span;

pub struct Begun;

impl Start for Begun {
    fn complete(&self, cx: &Context, offset: usize) -> Vec<Completion> {
        complete::start(cx, offset)
    }

    fn later<'a>(&self, cx: &'a Context, span: &Span) -> Option<Later<'a>> {
        actions::from_json(cx, span)
    }
}
