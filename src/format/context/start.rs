//! How a context pack begins: its first header.

use super::complete;
use crate::answer::Completion;
use crate::format::Context;
use crate::format::start::Start;

pub struct Begun;

impl Start for Begun {
    fn complete(&self, cx: &Context, offset: usize) -> Vec<Completion> {
        complete::start(cx, offset)
    }
}
