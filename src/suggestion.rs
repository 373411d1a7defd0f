//! "Did you mean": finds the word of a list that a misspelled word was meant to be.

/// The candidate that `word` most likely means: few letters are wrong, swapped, missing or extra.
/// Case, `-`, `_` and `$` are ignored; among equals, the candidate of the same length is meant, then the one that begins
/// in the same case. A prefix of three letters or more also matches if only one
/// candidate starts with it.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typo = Typo::new(word)?;
    let mut best: Option<((usize, usize, bool), &str)> = None;
    let begins_large = |text: &str| text.starts_with(char::is_uppercase);
    let mut begun: Option<&str> = None;
    let mut begins = 0;
    let mut other = String::new();
    for candidate in candidates {
        fold(candidate, &mut other);
        if typo.begins(&other) {
            begun = Some(candidate);
            begins += 1;
        }
        if let Some(distance) = typo.distance(&other) {
            let longer = typo.length.abs_diff(other.chars().count());
            let rank = (distance, longer, begins_large(candidate) != begins_large(word));
            if best.is_none_or(|(least, _)| rank < least) {
                best = Some((rank, candidate));
            }
        }
    }
    best.map(|(_, candidate)| candidate).or(begun.filter(|_| begins == 1))
}

/// A word that may be misspelled, for comparisons with very many others.
pub struct Typo {
    word: String,
    /// In characters.
    length: usize,
    letters: Option<Letters>,
}

impl Typo {
    /// `None` for a word that is empty or too long for a typo.
    pub fn new(word: &str) -> Option<Self> {
        let mut folded = String::new();
        fold(word, &mut folded);
        let length = folded.chars().count();
        if !(1..=LONGEST).contains(&length) {
            return None;
        }
        let letters = Letters::of(&folded);
        Some(Self { word: folded, length, letters })
    }

    /// Whether [`closest`] finds a candidate that is the only one. `buffer` is overwritten.
    pub fn may_mean(&self, candidate: &str, buffer: &mut String) -> bool {
        fold(candidate, buffer);
        self.begins(buffer) || self.distance(buffer).is_some()
    }

    fn begins(&self, folded: &str) -> bool {
        self.length >= 3 && folded.starts_with(&self.word)
    }

    /// The number of mistakes between the words, if there are few.
    fn distance(&self, folded: &str) -> Option<usize> {
        let length = folded.chars().count();
        let allowed = allowed(self.length.max(length));
        if self.length.abs_diff(length) > allowed
            || self.letters.as_ref().is_some_and(|letters| letters.lacks(folded) > allowed)
        {
            return None;
        }
        let distance = strsim::damerau_levenshtein(&self.word, folded);
        (distance <= allowed && distance < self.length).then_some(distance)
    }
}

/// How often each letter occurs in a word.
struct Letters([u8; 128]);

impl Letters {
    /// `None` for words that aren't ASCII.
    fn of(word: &str) -> Option<Self> {
        let mut counts = [0; 128];
        for letter in word.bytes() {
            *counts.get_mut(usize::from(letter))? += 1;
        }
        Some(Self(counts))
    }

    /// How many letters of another word aren't in this one: there are at least as many changes
    /// between them. Counting is much faster than finding the changes.
    fn lacks(&self, other: &str) -> usize {
        let mut left = self.0;
        let mut lacking = 0;
        for letter in other.bytes() {
            match left.get_mut(usize::from(letter)) {
                Some(0) => lacking += 1,
                Some(count) => *count -= 1,
                // One letter may be several bytes.
                None => return 0,
            }
        }
        lacking
    }
}

/// Like [`closest`] for names with a group, such as `group/name`: authors may leave out the group.
pub fn closest_in_groups<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    closest(word, candidates.iter().copied()).or_else(|| {
        let split = || candidates.iter().filter_map(|name| Some((name.split_once('/')?.1, *name)));
        let meant = closest(word, split().map(|(name, _)| name))?;
        split().find(|(name, _)| *name == meant).map(|(_, whole)| whole)
    })
}

/// A longer word isn't a typo.
const LONGEST: usize = 80;

/// The number of mistakes allowed in a word of this length.
fn allowed(length: usize) -> usize {
    match length {
        0..=3 => 1,
        4..=8 => 2,
        _ => 3,
    }
}

/// Writes a word without the ignored characters to `folded`.
fn fold(word: &str, folded: &mut String) {
    folded.clear();
    let letters = word.chars().filter(|letter| !matches!(letter, '-' | '_' | ' ' | '$'));
    if word.is_ascii() {
        folded.extend(letters.map(|letter| letter.to_ascii_lowercase()));
    } else {
        folded.extend(letters.flat_map(char::to_lowercase));
    }
}

/// A value as messages quote it: in backticks, or in more of them if it has some itself.
pub fn quoted(value: &str) -> String {
    let longest = value.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    match longest {
        0 => format!("`{value}`"),
        _ => {
            let ticks = "`".repeat(longest + 1);
            format!("{ticks} {value} {ticks}")
        }
    }
}

/// `; did you mean …?` or nothing, to end a message.
pub fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion
        .map_or_else(String::new, |suggestion| format!("; did you mean {}?", quoted(suggestion)))
}

/// The same, or the advice without a suggestion.
pub fn did_you_mean_or(suggestion: Option<&str>, advice: &str) -> String {
    suggestion.map_or_else(|| format!("; {advice}"), |suggestion| did_you_mean(Some(suggestion)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_word_is_not_a_typo() {
        assert_eq!(closest(&"a".repeat(300), ["a"]), None);
        assert!(Typo::new("").is_none());
    }

    #[test]
    fn one_candidate_may_be_meant_if_it_is_the_closest() {
        let words = ["brew", "brew-tea", "Brew_Tea", "tea", "日本茶", "日本", "", "b"];
        let mut buffer = String::new();
        for word in words {
            for candidate in words {
                let expected = closest(word, [candidate]).is_some();
                let found =
                    Typo::new(word).is_some_and(|typo| typo.may_mean(candidate, &mut buffer));
                assert_eq!(found, expected, "{word} {candidate}");
            }
        }
    }

    #[test]
    fn the_closest_word() {
        let words = ["name", "description", "input", "output", "imports", "mcp_servers", "model"];
        for (typed, meant) in [
            ("nmae", Some("name")),
            ("desciption", Some("description")),
            ("desc", Some("description")),
            ("Inputs", Some("input")),
            ("mcpServers", Some("mcp_servers")),
            ("mcp-servers", Some("mcp_servers")),
            ("import", Some("imports")),
            ("version", None),
            ("tools", None),
            ("x", None),
            ("", None),
            ("日本", None),
        ] {
            assert_eq!(closest(typed, words), meant, "{typed}");
        }
    }

    #[test]
    fn the_length_and_the_case_decide_between_equals() {
        for (typed, words, meant) in [
            ("modle", ["mode", "model"], "model"),
            ("raed", ["Read", "read"], "read"),
            ("Raed", ["read", "Read"], "Read"),
            ("日米", ["日本酒", "日本"], "日本"),
        ] {
            assert_eq!(closest(typed, words), Some(meant), "{typed}");
        }
    }

    #[test]
    fn the_group_may_be_left_out() {
        let known = ["markdown/unreadable", "markdownlang/unknown-field", "markdownlang"];
        for (typed, meant) in [
            ("markdown/unreadble", Some("markdown/unreadable")),
            ("unknown-feild", Some("markdownlang/unknown-field")),
            ("Markdownlang/Unknown-Field", Some("markdownlang/unknown-field")),
            ("zzz", None),
        ] {
            assert_eq!(closest_in_groups(typed, known), meant, "{typed}");
        }
    }
}
