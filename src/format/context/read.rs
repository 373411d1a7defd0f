//! Reads the packs of a document, once per version.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::line::Lines;
use super::parts::Parts;
use crate::markdown::Trace;
use crate::source::{Source, Stretch};

#[derive(Debug, Default)]
struct Known(OnceLock<Arc<Parts>>);

/// One of the sections can start a pack.
#[derive(Debug, Default)]
struct Begins(OnceLock<bool>);

/// The packs of a document.
pub fn read(source: &Source) -> Arc<Parts> {
    let known = source.memo().get::<Known>();
    Arc::clone(known.0.get_or_init(|| Arc::new(Parts::read(source))))
}

/// Whether a document contains a pack (AQ-7).
pub fn recognise(_: Option<&Path>, source: &Source) -> bool {
    source
        .stretches()
        .filter(|stretch| stretch.may_have(Trace::Pack))
        .any(|stretch| *stretch.memo().get::<Begins>().0.get_or_init(|| begins(source, stretch)))
        && !read(source).is_empty()
}

fn begins(source: &Source, stretch: Stretch) -> bool {
    let mut sections = stretch.sections().filter(|placed| placed.section.may_have(Trace::Pack));
    sections.any(|placed| Lines::of(source, placed).begins)
}
