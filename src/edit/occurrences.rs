//! Finds all occurrences of a sequence in another, including overlapping ones, in linear time
//! (Knuth, Morris, Pratt).

/// The start of every occurrence of `needle`, up to `most`; none for an empty one.
pub fn occurrences<T: PartialEq>(text: &[T], needle: &[T], most: usize) -> Vec<usize> {
    if needle.is_empty() || needle.len() > text.len() || most == 0 {
        return Vec::new();
    }
    let table = borders(needle);
    let mut found = Vec::new();
    let mut matched = 0;
    for (index, item) in text.iter().enumerate() {
        while matched > 0 && needle.get(matched) != Some(item) {
            matched = table.get(matched - 1).copied().unwrap_or_default();
        }
        if needle.get(matched) == Some(item) {
            matched += 1;
        }
        if matched == needle.len() {
            found.push(index + 1 - needle.len());
            if found.len() == most {
                break;
            }
            matched = table.get(matched - 1).copied().unwrap_or_default();
        }
    }
    found
}

/// The length of the longest beginning of `needle` that occurs, in linear time as well.
pub fn longest_prefix<T: PartialEq>(text: &[T], needle: &[T]) -> usize {
    let table = borders(needle);
    let (mut matched, mut longest) = (0, 0);
    for item in text {
        while matched > 0 && needle.get(matched) != Some(item) {
            matched = table.get(matched - 1).copied().unwrap_or_default();
        }
        if needle.get(matched) == Some(item) {
            matched += 1;
        }
        longest = longest.max(matched);
    }
    longest
}

/// For every prefix, the length of the longest one that is also its end.
fn borders<T: PartialEq>(needle: &[T]) -> Vec<usize> {
    let mut table = vec![0; needle.len()];
    let mut length = 0;
    for (index, item) in needle.iter().enumerate().skip(1) {
        while length > 0 && needle.get(length) != Some(item) {
            length = table.get(length - 1).copied().unwrap_or_default();
        }
        if needle.get(length) == Some(item) {
            length += 1;
        }
        if let Some(slot) = table.get_mut(index) {
            *slot = length;
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_occurrences_count() {
        assert_eq!(occurrences(b"aaaa", b"aa", 9), [0, 1, 2]);
        assert_eq!(occurrences(b"abcabcabd", b"abcabd", 9), [3]);
        assert!(occurrences(b"ab", b"abc", 9).is_empty());
        assert!(occurrences(b"ab", b"", 9).is_empty());
    }

    #[test]
    fn the_longest_beginning_counts() {
        assert_eq!(longest_prefix(b"xabcabdx", b"abcx"), 3);
        assert_eq!(longest_prefix(b"aab", b"ab"), 2);
        assert_eq!(longest_prefix(b"xyz", b"ab"), 0);
        assert_eq!(longest_prefix(b"xyz", b""), 0);
    }

    #[test]
    fn hostile_text_takes_linear_time() {
        let text = vec![b'a'; 1 << 20];
        let mut needle = vec![b'a'; 1 << 19];
        needle.push(b'b');
        assert!(occurrences(&text, &needle, 9).is_empty());
    }
}
