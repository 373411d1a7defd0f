//! Did you mean?

/// The candidate that `word` is most likely a misspelling of: alike but for case and separators, or
/// a few letters away.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 64;
    if word.is_empty() || word.len() > LONGEST {
        return None;
    }
    let folded = fold(word);
    let length = word.chars().count();
    let allowed = match length {
        0..=2 => 0,
        3..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate == word || candidate.len() > LONGEST {
            continue;
        }
        let distance = match fold(candidate) == folded {
            true => 0,
            false if candidate.chars().count().abs_diff(length) > allowed => continue,
            false => strsim::damerau_levenshtein(word, candidate),
        };
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

fn fold(word: &str) -> String {
    word.chars()
        .filter(|character| !matches!(character, '-' | '_' | ' ' | '$'))
        .flat_map(char::to_lowercase)
        .collect()
}
