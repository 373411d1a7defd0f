//! Mentions: places in a body that name a tool, the built-in `python` or an imported program. A
//! mention never crosses a section, so each section is read once and caches its mentions.

mod complete;
mod definition;
mod highlight;
mod hover;
mod references;
mod rename;
mod scan;
mod server;
mod thing;

use std::sync::{Arc, LazyLock, OnceLock};

use parking_lot::Mutex;

use crate::markdown::SectionKind;
use crate::source::{Placed, Source};
use crate::text::Span;
pub use complete::complete;
pub use definition::definition;
pub use highlight::highlights;
pub use hover::hover;
pub use references::{occurrences, references};
pub use rename::{renamable, rename};
pub use scan::{mentions, named};
pub use server::{Resolved, Servers, resolve};
pub use thing::{Thing, program, thing};

/// The built-in interpreter's name as a tool.
pub const PYTHON: &str = "python";

/// A mention, in bytes of the text that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    pub span: Span,
    pub kind: MentionKind,
    /// It is in a string of an action.
    pub in_action: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MentionKind {
    /// `mcp__server__tool`, or `mcp__server` alone.
    Tool {
        /// The intended name, with `mcp__`.
        name: String,
        /// As Markdown formatters write it: `mcp**server**tool`, `mcp\_\_server\_\_tool`.
        mangled: bool,
    },
    /// The built-in interpreter: `` `python` ``, "the python tool".
    Python,
}

impl Mention {
    /// The same mention in a document that has `by` bytes before this one.
    #[must_use]
    pub fn shifted(&self, by: usize) -> Self {
        Self {
            span: self.span.start + by..self.span.end + by,
            kind: self.kind.clone(),
            in_action: self.in_action,
        }
    }
}

/// The mentions in one section.
#[derive(Debug, Default)]
struct Notes {
    mentions: OnceLock<Box<[Mention]>>,
    /// The names searched for last, and the locations of each.
    names: Mutex<Option<Named>>,
}

type Named = (Arc<[String]>, Arc<[(usize, Span)]>);

/// The mentions in a stretch of sections, from its start.
#[derive(Debug, Default)]
struct Found(Box<[Mention]>);

/// Most stretches have none.
static NOTHING: LazyLock<Arc<Found>> = LazyLock::new(Arc::default);

/// Every mention in the body, in order, with locations in the document.
pub fn all(source: &Source) -> impl Iterator<Item = Mention> + use<> {
    let mut found = Vec::new();
    for stretch in source.stretches() {
        let own = stretch.memo().share(|| {
            let sections = stretch.sections().filter(|placed| is_body(*placed));
            let each = sections
                .flat_map(|placed| of_section(source, placed, placed.start - stretch.start));
            let own: Box<[Mention]> = each.collect();
            if own.is_empty() { Arc::clone(&NOTHING) } else { Arc::new(Found(own)) }
        });
        found.extend(own.0.iter().map(|mention| mention.shifted(stretch.start)));
    }
    found.into_iter()
}

/// The mentions that touch a span.
pub fn within<'a>(source: &'a Source, span: &'a Span) -> impl Iterator<Item = Mention> + 'a {
    let sections = source.sections_in(span).filter(|placed| is_body(*placed));
    sections
        .flat_map(move |placed| of_section(source, placed, placed.start))
        .filter(move |mention| mention.span.start < span.end && span.start < mention.span.end)
}

/// The mentions in a section, which begins at `start`.
fn of_section(source: &Source, placed: Placed, start: usize) -> Vec<Mention> {
    let notes = placed.section.memo.get::<Notes>();
    let found = notes.mentions.get_or_init(|| mentions(&source.section_text(placed)).into());
    found.iter().map(|mention| mention.shifted(start)).collect()
}

/// The mention that touches `offset`.
pub fn at(source: &Source, offset: usize) -> Option<Mention> {
    let placed = source.section_at(offset).filter(|placed| is_body(*placed))?;
    let notes = placed.section.memo.get::<Notes>();
    let found = notes.mentions.get_or_init(|| mentions(&source.section_text(placed)).into());
    let touches = |mention: &&Mention| {
        (mention.span.start..=mention.span.end).contains(&(offset - placed.start))
    };
    found.iter().find(touches).map(|mention| mention.shifted(placed.start))
}

/// Where the body contains one of these names as a separate word, ignoring case: the index of the
/// name and its location in the document, in order.
pub fn names(source: &Source, names: &Arc<[String]>) -> Vec<(usize, Span)> {
    let mut found = Vec::new();
    for placed in sections(source) {
        let notes = placed.section.memo.get::<Notes>();
        let mut known = notes.names.lock();
        let own = match &*known {
            Some((same, places)) if same == names => Arc::clone(places),
            _ => {
                let text = source.section_text(placed);
                let each = names.iter().enumerate().flat_map(|(index, name)| {
                    named(&text, name).into_iter().map(move |span| (index, span))
                });
                let mut places: Vec<_> = each.collect();
                places.sort_by_key(|(_, span)| (span.start, span.end));
                let places: Arc<[_]> = places.into();
                *known = Some((Arc::clone(names), Arc::clone(&places)));
                places
            }
        };
        found.extend(
            own.iter()
                .map(|(index, span)| (*index, span.start + placed.start..span.end + placed.start)),
        );
    }
    found
}

fn sections(source: &Source) -> impl Iterator<Item = Placed<'_>> {
    source.sections().filter(|placed| is_body(*placed))
}

fn is_body(placed: Placed) -> bool {
    !matches!(placed.section.kind, SectionKind::Front(_))
}

#[cfg(test)]
mod tests;
