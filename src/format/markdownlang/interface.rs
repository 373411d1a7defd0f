//! What a program shows to those that import it: its front matter, and whether it works.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::{header, read, rules};
use crate::config::Config;
use crate::format::Context;
use crate::rule::suppression::suppress;
use crate::rule::{Report, Rule, Severity};
use crate::source::Source;
use crate::text::{Encoding, Span};
use crate::world::{Aspect, Memory, World};

/// The errors that are kept: settings may switch off the first ones.
const MOST_ERRORS: usize = 16;

/// What importers read of a file, once for every version of its text.
#[derive(Debug, Default)]
pub struct Interface {
    /// What is wrong with the file alone, in the order of the text.
    pub errors: Box<[Flaw]>,
    /// Equal when importers read the same.
    pub id: u64,
}

/// An error of an imported program.
#[derive(Debug)]
pub struct Flaw {
    pub rule: &'static Rule,
    pub span: Span,
    pub message: String,
}

/// The interface of a text. Files that it imports are not looked at.
pub fn interface(source: &Source) -> Arc<OnceLock<Interface>> {
    let memo = source.memo().get::<OnceLock<Interface>>();
    memo.get_or_init(|| build(source));
    memo
}

/// What the interface of the file at `path` is, in a number; zero where there is none.
pub fn id(world: &dyn World, path: &Path) -> u64 {
    world
        .look(path)
        .ok()
        .and_then(|source| interface(&source).get().map(|interface| interface.id))
        .unwrap_or_default()
}

/// Tells the world that an answer rests on the interface of a file.
pub fn note(world: &dyn World, path: &Path, source: Option<&Source>) {
    let id = source
        .and_then(|source| interface(source).get().map(|interface| interface.id))
        .unwrap_or_default();
    world.note(path, Aspect::Interface, id);
}

fn build(source: &Source) -> Interface {
    let (world, config) = (Memory::default(), Config::default());
    let mut report = Report::default();
    rules::check(&read(source, None), &Context::new(source, None, &world, &config), &mut report);
    let mut found = report.diagnostics;
    found.retain(|finding| finding.severity == Severity::Error && !finding.rule.off);
    suppress(source, &mut found);
    found.sort_by_key(|finding| (finding.span.start, finding.span.end));
    found.truncate(MOST_ERRORS);
    let mut hasher = DefaultHasher::new();
    header(source).id.hash(&mut hasher);
    for finding in &found {
        let place = |offset| source.position(offset, Encoding::Utf16);
        let (start, end) = (place(finding.span.start), place(finding.span.end));
        (finding.rule.code, &finding.message, start.line, start.column, end.line, end.column)
            .hash(&mut hasher);
    }
    let errors = found.into_iter().map(|finding| Flaw {
        rule: finding.rule,
        span: finding.span,
        message: finding.message,
    });
    Interface { errors: errors.collect(), id: hasher.finish() }
}
