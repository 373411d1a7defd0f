//! The interface of a program for its importers: its front matter, and whether it has errors.

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

/// At most this many errors are kept, since settings may switch off the first ones.
const MOST_ERRORS: usize = 16;

/// The parts of a file that importers read, once per version of its text.
#[derive(Debug, Default)]
pub struct Interface {
    /// The errors of the file alone, in document order.
    pub errors: Box<[Flaw]>,
    /// Equal if importers read the same.
    pub id: u64,
}

/// An error of an imported program.
#[derive(Debug)]
pub struct Flaw {
    pub rule: &'static Rule,
    pub span: Span,
    pub message: String,
}

/// The interface of a file's text. The files that it imports are not read.
pub fn interface(source: &Source) -> Arc<OnceLock<Interface>> {
    let memo = source.memo().get::<OnceLock<Interface>>();
    memo.get_or_init(|| build(source));
    memo
}

/// The interface of a program to the files that import it.
pub static INTERFACE: Aspect = Aspect { name: "interface", state: id, spans_files: false };

/// A hash of the interface of the file at `path`; zero if it has none.
fn id(world: &dyn World, path: &Path) -> u64 {
    world
        .look(path)
        .ok()
        .and_then(|source| interface(&source).get().map(|interface| interface.id))
        .unwrap_or_default()
}

/// Records that an answer depends on the interface of a file.
pub fn note(world: &dyn World, path: &Path, source: Option<&Source>) {
    let id = source
        .and_then(|source| interface(source).get().map(|interface| interface.id))
        .unwrap_or_default();
    world.note(path, &INTERFACE, id);
}

fn build(source: &Source) -> Interface {
    let (world, config) = (Memory::default(), Config::default());
    let mut report = Report::default();
    rules::check(&read(source, None), &Context::new(source, None, &world, &config), &mut report);
    let mut found = report.diagnostics;
    found.retain(|finding| {
        let error = finding.severity == Severity::Error && !finding.rule.off;
        error && !rules::suite::concerns_tests(finding.rule)
    });
    suppress(source, || &[], &mut found);
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
