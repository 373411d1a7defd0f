//! Parts: a long reply is checked in parts that begin with the type of an action. A part caches its
//! findings, so a key press only checks the part that it touches.

use super::Response;
use super::mark::MarkKind;
use super::read::Marks;
use super::rules::facts::{Checked, Summary};
use crate::format::Context;
use crate::source::parts::{self, Division};
use crate::source::{Placed, Source};

/// How replies are divided.
#[derive(Debug)]
pub struct Actions;

impl Division for Actions {
    type Part = Checked;
    type Group = Summary;

    fn begins(source: &Source, placed: Placed) -> bool {
        let marks = Marks::of(source, placed);
        marks.iter().next().is_some_and(|mark| {
            mark.span.start == 0 && matches!(mark.kind, MarkKind::Action { is_type: true, .. })
        })
    }
}

/// The parts of a reply.
pub type Parts = parts::Parts<Actions>;
pub type PlacedPart = parts::PlacedPart<Checked>;
pub type PlacedGroup = parts::PlacedGroup<Checked, Summary>;

impl PlacedPart {
    /// The findings of the part, and what other parts need to know about it.
    pub fn checked(&self, cx: &Context) -> &Checked {
        self.made(|part| {
            let response = Response::new(&part.source, None);
            // Compute the whole cached value, regardless of which caller waits for it.
            let cx = Context { source: &part.source, cancelled: &|| false, ..*cx };
            Checked::new(&response, &cx, part.is_head, part.line_break)
        })
    }
}

impl PlacedGroup {
    /// What other groups need to know about the parts, and their findings.
    pub fn summary(&self, cx: &Context) -> &Summary {
        self.made(|parts| Summary::new(parts, cx))
    }
}
