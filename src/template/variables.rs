//! The variables in scope while a template is parsed.

use rustc_hash::FxHashMap;

/// The variables of one template or definition; `$` always exists.
#[derive(Debug, Default)]
pub(super) struct Variables {
    names: Vec<String>,
    /// The number of declarations of each.
    counts: FxHashMap<String, usize>,
}

impl Variables {
    pub(super) fn declare(&mut self, name: &str) {
        self.names.push(name.to_owned());
        *self.counts.entry(name.to_owned()).or_default() += 1;
    }

    pub(super) fn has(&self, name: &str) -> bool {
        name == "$" || self.counts.contains_key(name)
    }

    /// A mark to return to at the end of a block.
    pub(super) fn mark(&self) -> usize {
        self.names.len()
    }

    /// Forgets the variables declared since the mark.
    pub(super) fn forget(&mut self, mark: usize) {
        for name in self.names.drain(mark.min(self.names.len())..) {
            match self.counts.get_mut(&name) {
                Some(count) if *count > 1 => *count -= 1,
                _ => {
                    self.counts.remove(&name);
                }
            }
        }
    }

    /// The variables declared since the mark, without duplicates, in order.
    pub(super) fn since(&self, mark: usize) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        for name in self.names.get(mark..).unwrap_or_default() {
            if seen.insert(name) {
                found.push(name.clone());
            }
        }
        found
    }
}
