//! Words of code and prose from a few hundred published packages, counted by `scripts/words.py`.

use std::sync::LazyLock;

/// Words that many packages use, in order, one per line.
const FREQUENT: &str = include_str!("frequent.txt");
/// Words and abbreviations in use that are one letter away from a frequent one, sorted, one per
/// line.
const NEAR: &str = include_str!("words.txt");

static FREQUENT_WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| FREQUENT.lines().collect());
static NEAR_WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| NEAR.lines().collect());

/// Whether many packages use a word. It must be in lower case.
pub fn is_frequent(word: &str) -> bool {
    FREQUENT_WORDS.binary_search(&word).is_ok()
}

/// Whether a word similar to a frequent one is in use. It must be in lower case.
pub fn is_known(word: &str) -> bool {
    is_frequent(word) || NEAR_WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_in_order() {
        for list in [FREQUENT, NEAR] {
            let words: Vec<&str> = list.lines().collect();
            assert!(words.is_sorted_by(|a, b| a < b));
        }
        assert!(is_frequent("number") && !is_frequent("numer") && is_known("numer"));
        assert!(!is_known("nubmer"));
    }
}
