//! What the text tells a model not to do: in the same sentence, in the items of a list around it,
//! or in the heading above.

use crate::source::Source;

/// At most this many bytes before a place are read. Lines can be very long.
pub const MOST_BEFORE: usize = 512;

/// Whether the text advises against what it mentions at a place.
pub fn is_forbidden(source: &Source, at: usize) -> bool {
    let line = source.line_span(at);
    let before = source.slice(line.start.max(at.saturating_sub(MOST_BEFORE))..at).to_lowercase();
    let sentence = last_sentence(&before);
    let clause = sentence.rsplit(['(', ';', '—']).next().unwrap_or_default();
    let clause = clause.trim_start_matches(is_between);
    let right_before = sentence.trim_end_matches(is_between);
    forbids(sentence)
        || DENIES.iter().any(|word| ends_with(right_before, word) || begins_with(clause, word))
        || is_below_forbidding(source, line.start)
}

/// The part of the current sentence before a place. It doesn't end at a full stop inside emphasis:
/// `**Never guess.**`
fn last_sentence(before: &str) -> &str {
    let ends = before.char_indices().rev().find_map(|(at, letter)| {
        let rest = before.get(at + letter.len_utf8()..)?;
        let ends = match letter {
            '.' => rest.starts_with(' '),
            _ => FULL_STOPS.contains(&letter) && !rest.starts_with('*'),
        };
        ends.then_some(rest)
    });
    ends.unwrap_or(before)
}

/// Punctuation that ends a sentence even without a space.
const FULL_STOPS: &[char] = &['。', '！', '？'];

/// Whether the text has words that forbid what follows them.
fn forbids(text: &str) -> bool {
    has_any(text, FORBIDS) || FORBIDS_UNSPACED.iter().any(|word| text.contains(word))
}

/// Words that forbid what comes right after them, and everything in a clause that begins with them.
const DENIES: &[&str] = &["no", "not", "nor"];

fn is_between(letter: char) -> bool {
    !letter.is_alphanumeric()
}

/// Words that forbid what follows them.
const FORBIDS: &[&str] = &[
    "never",
    "do not",
    "don't",
    "must not",
    "cannot",
    "can't",
    "avoid",
    "without",
    "instead of",
    "rather than",
    "other than",
    "forbidden",
    "prohibited",
    "not allowed",
    // German, French, Spanish, Portuguese, Russian.
    "niemals",
    "auf keinen fall",
    "verboten",
    "jamais",
    "interdit",
    "nunca",
    "prohibido",
    "proibido",
    "никогда",
    "нельзя",
    "запрещено",
];

/// The same for languages without spaces between words, or with inflected endings.
const FORBIDS_UNSPACED: &[&str] = &[
    "严禁",
    "禁止",
    "不要",
    "不得",
    "不可",
    "不能",
    "不准",
    "不允许",
    "切勿",
    "请勿",
    "勿用",
    "避免",
    "嚴禁",
    "請勿",
    "금지",
];

/// Whether an enclosing item, the text that introduces the list, or the heading forbids what the
/// list contains.
fn is_below_forbidding(source: &Source, start: usize) -> bool {
    let line = |at: usize| {
        let span = source.line_span(at);
        (span.start, source.slice(span).into_owned())
    };
    let (mut at, own) = line(start);
    let (mut indent, mut introduced) = (indent_of(&own), !is_item(&own));
    for _ in 0..MOST_LINES {
        let Some(above) = at.checked_sub(1) else { return false };
        let (begin, text) = line(above);
        at = begin;
        let words = text.trim();
        if words.is_empty() {
            continue;
        }
        let heading = words.starts_with('#') && words.trim_start_matches('#').starts_with(' ');
        let around = is_item(&text) && indent_of(&text) < indent;
        let introduces = !introduced && !is_item(&text) && indent_of(&text) <= indent;
        if (heading || around || introduces) && forbids(&words.to_lowercase()) {
            return true;
        }
        if heading {
            return false;
        }
        if around {
            indent = indent_of(&text);
        }
        introduced |= introduces;
    }
    false
}

/// At most this many lines above are read.
const MOST_LINES: usize = 40;

/// The line that introduces the list around a place.
pub fn introduction(source: &Source, at: usize) -> Option<String> {
    let own = source.line_span(at);
    let text = source.slice(own.clone());
    let indent = indent_of(&text);
    let mut start = own.start;
    for _ in 0..if is_item(&text) { MOST_LINES } else { 0 } {
        let line = source.line_span(start.checked_sub(1)?);
        start = line.start;
        let above = source.slice(line);
        let words = above.trim();
        let around = !is_item(&above) && indent_of(&above) <= indent || indent_of(&above) < indent;
        if !words.is_empty() && around {
            return Some(words.to_owned());
        }
    }
    None
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn is_item(line: &str) -> bool {
    let words = line.trim_start();
    let number = words.trim_start_matches(|letter: char| letter.is_ascii_digit());
    ["- ", "* ", "+ "].iter().any(|mark| words.starts_with(mark))
        || number.len() < words.len() && (number.starts_with(". ") || number.starts_with(") "))
}

/// Whether the text contains one of some words as a whole word.
fn has_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| {
        text.match_indices(word).any(|(at, _)| {
            let (before, after) = (text.get(..at), text.get(at + word.len()..));
            !before.is_some_and(|before| before.ends_with(char::is_alphanumeric))
                && !after.is_some_and(|after| after.starts_with(char::is_alphanumeric))
        })
    })
}

fn begins_with(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|after| !after.starts_with(char::is_alphanumeric))
}

/// Whether the text ends with a whole word.
pub fn ends_with(text: &str, word: &str) -> bool {
    text.strip_suffix(word).is_some_and(|before| !before.ends_with(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_forbid_a_name() {
        for (text, forbidden) in [
            ("Never use TOOL.", true),
            ("日本 (no TOOL)", true),
            ("Read it (no #a, #b/TOOL)", true),
            ("Notably, use TOOL (not #a).", false),
            ("Read it with a tool other than 🦆 (or TOOL)", true),
            ("## Never do\n\nText.\n\n- Run TOOL", true),
            ("- Don't:\r\n  - Edit\r\n  - Run TOOL", true),
            ("Do not:\n\n- Edit\n- Run TOOL", true),
            ("1. **Never**\n   1. Run TOOL", true),
            ("- **严禁运行命令。** 包括 `TOOL`", true),
            ("# 禁止事项\n\n- 运行 TOOL", true),
            ("Niemals TOOL", true),
            ("不要猜测。运行 TOOL", false),
            ("Use TOOL.", false),
            ("Nevertheless, use TOOL.", false),
            ("Never guess. Use TOOL.", false),
            ("Do not guess.\n\nUse TOOL.", false),
            ("- Never guess\n- Use TOOL", false),
            ("- Never:\n  - Guess\n- Use TOOL", false),
            ("# Never\n\n## Always\n\n- Use TOOL", false),
            ("Never guess.\n\nDo this:\n\n- Use TOOL", false),
            ("If there is nothing, use TOOL.", false),
        ] {
            let at = text.find("TOOL").unwrap();
            assert_eq!(is_forbidden(&Source::new(text), at), forbidden, "{text:?}");
        }
    }
}
