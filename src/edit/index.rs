//! Lines by key: built once, queried often.

use rustc_hash::FxHashMap;

use crate::text::Span;

/// The lines of every key, in order.
#[derive(Debug)]
pub struct Index {
    lines: Vec<u32>,
    /// The range of `lines` that belongs to each key.
    stretches: FxHashMap<u64, (u32, u32)>,
}

impl Index {
    pub fn new(keys: impl Iterator<Item = (u64, u32)>) -> Self {
        let mut pairs: Vec<(u64, u32)> = keys.collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut stretches = FxHashMap::default();
        let mut start = 0_u32;
        for run in pairs.chunk_by(|a, b| a.0 == b.0) {
            let end = start.saturating_add(u32::try_from(run.len()).unwrap_or(u32::MAX));
            if let Some((key, _)) = run.first() {
                stretches.insert(*key, (start, end));
            }
            start = end;
        }
        Self { lines: pairs.into_iter().map(|(_, line)| line).collect(), stretches }
    }

    /// The lines with this key.
    pub fn lines(&self, key: u64) -> &[u32] {
        let span: Span =
            self.stretches.get(&key).map_or(0..0, |(start, end)| *start as usize..*end as usize);
        self.lines.get(span).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_by_key() {
        let index = Index::new([(7, 0), (3, 1), (7, 2), (7, 2)].into_iter());
        assert_eq!(
            (index.lines(7), index.lines(3), index.lines(1)),
            ([0, 2].as_slice(), [1].as_slice(), [].as_slice())
        );
    }
}
