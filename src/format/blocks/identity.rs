//! What tells texts apart without reading them: sections and sources have numbers that are never
//! given twice.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHasher;

use crate::source::Source;
use crate::text::Span;

/// What some text is made of: the numbers of its sections, and where in them it begins and ends.
/// Equal keys, equal texts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Key(Box<[u64]>);

/// A number that no other section or source has, not even one that was there before.
#[derive(Debug)]
struct Number(u64);

impl Default for Number {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// What the text at `span` is made of.
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

/// Some values as one number.
pub fn digest(values: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    values.hash(&mut hasher);
    hasher.finish()
}
