//! How a context pack begins: its first header.

use super::{complete, rules};
use crate::answer::Completion;
use crate::format::Context;
use crate::format::start::Start;
use crate::rule::Report;

pub struct Begun;

impl Start for Begun {
    fn check(&self, cx: &Context, report: &mut Report) {
        rules::check_start(cx, report);
    }

    fn complete(&self, cx: &Context, offset: usize) -> Vec<Completion> {
        complete::start(cx, offset)
    }
}
