//! Counts by section, with the names of cases that weren't as expected.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;

/// Bypasses the test harness's capture, since the figures are of interest even if the test passes.
pub fn report(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

#[derive(Debug)]
pub struct Tally<K> {
    title: String,
    found: BTreeMap<String, BTreeMap<K, Vec<String>>>,
}

impl<K: Ord + Copy + std::fmt::Debug> Tally<K> {
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), found: BTreeMap::new() }
    }

    pub fn add(&mut self, section: &str, kind: K, name: &str) {
        self.found
            .entry(section.to_owned())
            .or_default()
            .entry(kind)
            .or_default()
            .push(name.to_owned());
    }

    pub fn count(&self, kind: K) -> usize {
        self.names(kind).len()
    }

    pub fn names(&self, kind: K) -> Vec<&str> {
        self.found
            .values()
            .filter_map(|kinds| kinds.get(&kind))
            .flatten()
            .map(String::as_str)
            .collect()
    }

    pub fn all(&self) -> usize {
        self.found.values().flat_map(BTreeMap::values).map(Vec::len).sum()
    }

    /// Prints one line for each section and kind, then the names for every kind except `good`.
    pub fn report(&self, good: K, label: impl Fn(K) -> &'static str) {
        let mut text =
            format!("{}: {} of {} {}\n", self.title, self.count(good), self.all(), label(good));
        for (section, kinds) in &self.found {
            for (kind, names) in kinds {
                let list =
                    if *kind == good { String::new() } else { format!(": {}", names.join(" ")) };
                let _ = writeln!(text, "  {section:<22} {:>3} {}{list}", names.len(), label(*kind));
            }
        }
        report(&text);
    }
}
