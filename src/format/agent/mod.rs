//! Agent files: skills, agents, commands, prompts, rules, instructions and memory files that at
//! least one client of the catalog reads. The catalog contains which client reads what; this module
//! determines what each client does with a file.
//!
//! - [`file`]: the clients that read a path, and those that are judged
//! - [`reading`]: how each client reads front matter
//! - [`keys`], [`tools`], [`arguments`]: what clients do differently, one [`problem`] each
//! - [`names`]: what files declare, and where they mention each other
//! - [`verdict`]: what each client does with the file; [`rules`]: the same problems as findings

mod arguments;
mod body;
mod commands;
mod commented;
mod complete;
mod conditions;
pub mod convert;
mod declared;
pub mod editor;
mod file;
mod files;
mod forbidden;
mod globs;
mod highlight;
pub mod hooks;
mod hover;
mod imports;
mod installed;
mod keys;
mod late;
pub mod loaded;
mod mentioned;
mod misplaced;
mod models;
pub mod names;
mod neighbours;
mod nested;
mod nested_fences;
mod opening;
mod outline;
mod problem;
pub mod reading;
mod recognise;
pub mod rules;
mod shown;
pub mod skeleton;
mod subject;
pub mod sync;
mod tags;
pub mod tools;
pub mod verdict;
mod weight;

#[cfg(test)]
mod tests;

use std::any::Any;
use std::path::Path;
use std::sync::Arc;

use super::{Context, Format, Model, edits, start};
use crate::answer::{
    Action, Call, Callable, Completion, Fold, Highlight, Hover, Insertion, Later, Link, Occurrence,
    Renamable, Renaming, Symbol, Target,
};
use crate::plan::Plan;
use crate::plan::choice::Goal;
use crate::plan::order::Order;
use crate::plan::standing::Standing;
use crate::rule::{Report, Severity};
use crate::source::Source;
use crate::text::Span;

use file::File;
pub use files::is_elsewhere;
pub use imports::{Import, is_meant as is_meant_import, of as imports_of};
use subject::Subject;

pub static FORMAT: Format = Format {
    name: "agent",
    recognise: recognise::recognise,
    read: |source, _| Arc::new(Agent::read(source)),
    rules: rules::all,
    workspace: &names::Names,
    start: &(),
    parse: None,
};

/// Files that are agent files only if their folder is a plugin, and files that look like an agent:
/// tried after all formats that recognise their documents.
pub static GUESS: Format = Format {
    name: "agent",
    recognise: recognise::guess,
    read: |source, _| Arc::new(Agent::read(source)),
    rules: rules::all,
    workspace: &(),
    start: &(),
    parse: None,
};

/// The model of an agent file. The meaning of its path is determined for each request: a model
/// doesn't know its path.
struct Agent {
    /// The edit blocks in the body, if the file is also a reply.
    reply: Option<edits::Reply>,
}

impl Agent {
    fn read(source: &Source) -> Self {
        Self { reply: (edits::FORMAT.recognise)(None, source).then(|| edits::Reply::read(source)) }
    }
}

impl Model for Agent {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn opaque(&self) -> &[Span] {
        self.reply.as_ref().map_or(&[], Model::opaque)
    }

    fn check(&self, cx: &Context, report: &mut Report) {
        match File::of(cx) {
            Some(file) => rules::check(&Subject::new(cx, file), report),
            None => start::check(cx, report),
        }
        if let Some(reply) = &self.reply {
            // An agent file is more likely to explain edits than to contain some.
            let mut found = Report::default();
            reply.check(cx, &mut found);
            report.diagnostics.extend(found.diagnostics.into_iter().map(|mut found| {
                found.severity = Severity::Hint;
                found
            }));
        }
    }

    fn hover(&self, cx: &Context, offset: usize) -> Option<Hover> {
        names::hover(cx, offset).or_else(|| hover::hover(cx, offset))
    }

    fn definition(&self, cx: &Context, offset: usize) -> Vec<Target> {
        names::definition(cx, offset)
    }

    fn links(&self, cx: &Context) -> Vec<Link> {
        names::links(cx)
    }

    fn insertions(&self, cx: &Context, offset: usize, file: &Path) -> Vec<Insertion> {
        imports::insertion(cx, offset, file).into_iter().collect()
    }

    fn references(&self, cx: &Context, offset: usize) -> Vec<Occurrence> {
        names::references(cx, offset)
    }

    fn occurrences(&self, cx: &Context, offset: usize) -> Vec<Occurrence> {
        names::occurrences(cx, offset)
    }

    fn callable(&self, cx: &Context, offset: usize) -> Option<Callable> {
        names::callable(cx, offset)
    }

    fn callers(&self, cx: &Context, _tool: Option<&str>) -> Vec<Call> {
        names::callers(cx)
    }

    fn calls(&self, cx: &Context) -> Vec<Call> {
        names::calls(cx)
    }

    fn renamable(&self, cx: &Context, offset: usize) -> Option<Renamable> {
        names::renamable(cx, offset)
    }

    fn rename(&self, cx: &Context, offset: usize, name: &str) -> Result<Renaming, String> {
        names::rename(cx, offset, name)
    }

    fn complete(&self, cx: &Context, offset: usize) -> Vec<Completion> {
        match File::of(cx) {
            Some(file) => complete::complete(&Subject::new(cx, file), offset),
            None => start::complete(cx, offset),
        }
    }

    fn highlights(&self, cx: &Context, span: Span) -> Vec<Highlight> {
        if let Some(reply) = &self.reply {
            return reply.highlights(cx, span);
        }
        File::of(cx)
            .map_or_else(Vec::new, |file| highlight::highlights(&Subject::new(cx, file), &span))
    }

    fn symbols(&self, cx: &Context) -> Vec<Symbol> {
        let own = outline::symbols(cx);
        let reply = self.reply.as_ref().map_or_else(Vec::new, |reply| reply.symbols(cx));
        own.into_iter().chain(reply).collect()
    }

    fn folds(&self, cx: &Context) -> Vec<Fold> {
        let own = outline::folds(cx);
        let reply = self.reply.as_ref().map_or_else(Vec::new, |reply| reply.folds(cx));
        own.into_iter().chain(reply).collect()
    }

    fn actions(&self, cx: &Context, _: Span) -> Vec<Action> {
        // This runs whenever the cursor moves, and actions are only for nearly empty documents.
        if cx.source.len() > 64 {
            return Vec::new();
        }
        File::of(cx).map_or_else(Vec::new, |file| skeleton::actions(&Subject::new(cx, file)))
    }

    fn later<'a>(&'a self, cx: &'a Context, span: Span) -> Vec<Later<'a>> {
        start::later(cx, &span)
    }

    fn blocks(&self, cx: &Context) -> Vec<(u64, Span)> {
        self.reply.as_ref().map_or_else(Vec::new, |reply| reply.blocks(cx))
    }

    fn goals(&self) -> &'static [Goal] {
        self.reply.as_ref().map_or(&[], Model::goals)
    }

    fn standings(&self, cx: &Context, goal: Goal) -> Vec<Standing> {
        self.reply.as_ref().map_or_else(Vec::new, |reply| reply.standings(cx, goal))
    }

    fn apply(&self, cx: &Context, order: &Order) -> Option<Plan> {
        self.reply.as_ref()?.apply(cx, order)
    }
}
