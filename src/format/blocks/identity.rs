//! Identifies text without reading it: by the numbers of sections and sources, which are never
//! reused.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHasher;

use crate::source::Source;
use crate::text::Span;

/// The parts of some text: the numbers of its sections, and where in them it begins and ends. Equal
/// keys mean equal text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Key(Box<[u64]>);

/// A number that no other section or source has or has ever had.
#[derive(Debug)]
struct Number(u64);

impl Default for Number {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The key of the text at `span`.
pub fn key(source: &Source, span: &Span) -> Key {
    let (mut key, mut at) = (vec![span.len() as u64], span.start);
    while at < span.end {
        let Some(placed) = source.section_at(at) else { break };
        if key.len() == 1 {
            key.push((at - placed.start) as u64);
        }
        key.push(placed.section.memo.get::<Number>().0);
        at = placed.span().end.max(at + 1);
    }
    Key(key.into())
}

/// The number of a whole text.
pub fn number(source: &Source) -> u64 {
    source.memo().get::<Number>().0
}

/// A hash of some values.
pub fn digest(values: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    values.hash(&mut hasher);
    hasher.finish()
}
