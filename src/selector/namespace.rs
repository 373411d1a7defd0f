//! The names of documents in selectors (SEL-10).

use rustc_hash::FxHashMap;

/// The name of a document in a file with this name.
pub fn namespace(file_name: &str) -> String {
    let stem = match file_name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => file_name,
    };
    let kept = |letter: char| {
        if matches!(letter, 'a'..='z' | '0'..='9' | '_' | '-') { letter } else { '-' }
    };
    let name: String = stem.to_lowercase().chars().map(kept).collect();
    if name.is_empty() { "-".to_owned() } else { name }
}

/// Gives every document a unique name, in order: the second of two equal ones is `name-2`.
#[derive(Debug, Default)]
pub struct Namespaces {
    /// How many documents wanted each name, and the next number to try.
    wanted: FxHashMap<String, usize>,
    taken: rustc_hash::FxHashSet<String>,
}

impl Namespaces {
    /// The name of the next document. If it's taken, a number is appended.
    pub fn next(&mut self, file_name: &str) -> String {
        let base = namespace(file_name);
        let count = self.wanted.entry(base.clone()).or_insert(0);
        *count += 1;
        let mut name = if *count == 1 { base.clone() } else { format!("{base}-{count}") };
        while !self.taken.insert(name.clone()) {
            *count += 1;
            name = format!("{base}-{count}");
        }
        name
    }
}
