//! LLMD: project documents whose conversation edits the project (LLMD of the conformance list).

mod apply;
mod event;
pub mod layout;
pub mod plan;
pub mod read;
mod recognise;
pub mod rules;

use std::any::Any;
use std::sync::Arc;

use super::{Context, Format, Model};
use crate::plan::Plan;
use crate::plan::choice::{Choice, Goal};
use crate::plan::standing::Standing;
use crate::rule::Report;
use crate::source::Source;
use crate::text::Span;
use layout::Layout;
use read::Passages;

pub static FORMAT: Format =
    Format { name: "llmd", recognise: recognise::recognise, read: |source, previous| Arc::new(read(source, previous)), rules: rules::all };

/// The model of a document.
#[derive(Debug)]
pub struct Project {
    pub layout: Layout,
    passages: Passages,
}

/// Reads a document; what is as it was in `previous` is not read again.
pub fn read(source: &Source, previous: Option<&dyn Model>) -> Project {
    let known = previous.and_then(|model| model.as_any().downcast_ref::<Project>()).map(|project| &project.passages);
    let (layout, passages) = read::read(source, known);
    Project { layout, passages }
}

impl Model for Project {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn check(&self, cx: &Context, report: &mut Report) {
        rules::check(self, cx, report);
    }

    fn blocks(&self, _: &Context) -> Vec<(u64, Span)> {
        apply::blocks(self)
    }

    fn plan(&self, cx: &Context, blocks: &[u64]) -> Plan {
        self.apply(cx, &blocks.iter().map(|number| Choice::found(*number)).collect::<Vec<_>>(), Goal::Workspace)
    }

    fn goals(&self) -> &'static [Goal] {
        &[Goal::Context, Goal::Workspace]
    }

    fn standings(&self, cx: &Context, goal: Goal) -> Vec<Standing> {
        apply::standings(self, cx, goal)
    }

    fn apply(&self, cx: &Context, choices: &[Choice], goal: Goal) -> Plan {
        apply::apply(self, cx, choices, goal)
    }
}

#[cfg(test)]
mod tests;
