//! Characters that a block keeps: the file's quotes, dashes and spaces stay as they are, even if the
//! block writes them differently.

use std::borrow::Cow;

use super::lines::fold;

/// A new line with the file's spelling of the characters that it shares with the old one. `search`
/// is how the block writes the file's line `target`.
pub fn respelt<'r>(search: &str, target: &str, replace: &'r str) -> Cow<'r, str> {
    let (old, there) = (search.trim(), target.trim());
    let new = replace.trim();
    if old == there || old.is_ascii() && there.is_ascii() || new.is_empty() {
        return Cow::Borrowed(replace);
    }
    let (Some(old_parts), Some(there_parts)) = (parts(old), parts(there)) else {
        return Cow::Borrowed(replace);
    };
    if old_parts.concat() != there_parts.concat() {
        return Cow::Borrowed(replace);
    }
    let same = |(a, b): &(char, char)| a == b;
    let most = old.chars().count().min(new.chars().count());
    let mut head = old.chars().zip(new.chars()).take_while(same).count();
    let mut tail = old.chars().rev().zip(new.chars().rev()).take_while(same).count();
    tail = tail.min(most - head);
    // Up to a place that exists in both spellings.
    let from = loop {
        match place(&old_parts, &there_parts, head) {
            Some(from) => break from,
            None => head -= 1,
        }
    };
    let to = loop {
        match place(&old_parts, &there_parts, old_parts.len() - tail) {
            Some(to) => break to,
            None => tail -= 1,
        }
    };
    let kept = |range: std::ops::Range<usize>| -> String {
        there.chars().skip(range.start).take(range.len()).collect()
    };
    let plain = plain_of(old, there, &old_parts, &there_parts);
    let differ = signs(there, old);
    let length = new.chars().count();
    let middle: String = new
        .chars()
        .skip(head)
        .take(length - head - tail)
        .map(|letter| match plain.iter().find(|(mine, _)| *mine == letter) {
            Some((_, to)) => *to,
            // Other quotes of a block that is typographic where the file isn't.
            None if !plain.is_empty() && there.is_ascii() => sign(letter).unwrap_or(letter),
            None => letter,
        })
        .collect();
    // New quotes or dashes would mix the block's style with that of the file.
    if middle.chars().any(|letter| {
        sign(letter).is_some_and(|sign| differ.contains(&sign)) && !there.contains(letter)
    }) {
        return Cow::Borrowed(replace);
    }
    let lead = replace.len() - replace.trim_start().len();
    let (before, after) = (
        replace.get(..lead).unwrap_or_default(),
        replace.get(lead + new.len()..).unwrap_or_default(),
    );
    let head = kept(0..from);
    let tail = kept(to..there_parts.len());
    Cow::Owned(format!("{before}{head}{middle}{tail}{after}"))
}

/// The plain form of a quote, a dash or a bracket.
fn sign(letter: char) -> Option<char> {
    let plain = fold(letter.encode_utf8(&mut [0; 4])).chars().next()?;
    "'\"-()[]{}<>".contains(plain).then_some(plain)
}

/// The plain forms of the non-ASCII signs in `text` that `plain` doesn't contain.
fn signs(text: &str, plain: &str) -> Vec<char> {
    let other = |letter: &char| !letter.is_ascii() && !plain.contains(*letter);
    text.chars().filter(other).filter_map(sign).collect()
}

/// The plain form of each character; `None` if it depends on the neighbours.
fn parts(text: &str) -> Option<Vec<String>> {
    let parts: Vec<String> =
        text.chars().map(|letter| fold(letter.encode_utf8(&mut [0; 4])).into_owned()).collect();
    (parts.concat() == fold(text)).then_some(parts)
}

/// The number of characters in the other spelling that correspond to the first `count`.
fn place(parts: &[String], others: &[String], count: usize) -> Option<usize> {
    let said: usize = parts.iter().take(count).map(String::len).sum();
    let mut sum = 0;
    for (index, part) in others.iter().enumerate() {
        if sum == said && !part.is_empty() {
            return Some(index);
        }
        sum += part.len();
    }
    (sum == said).then_some(others.len())
}

/// Characters that the block writes in a typographic way, and the file always in plain ASCII.
fn plain_of(old: &str, there: &str, parts: &[String], others: &[String]) -> Vec<(char, char)> {
    let mut found: Vec<(char, char)> = Vec::new();
    if parts.len() != others.len() {
        return found;
    }
    for (mine, theirs) in old.chars().zip(there.chars()) {
        match found.iter().position(|(known, _)| *known == mine) {
            Some(at) if found.get(at).is_some_and(|(_, to)| *to != theirs) => {
                found.swap_remove(at);
            }
            None if !mine.is_ascii() && theirs.is_ascii() => found.push((mine, theirs)),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_text_is_spelt_as_in_the_file() {
        for (search, target, replace, expected) in [
            ("open(p, “w”)", "open(p, \"w\")", "open(p, “wb”)", "open(p, \"wb\")"),
            (
                "open(p, “w”)",
                "    open(p, \"w\")",
                "    open(q, “r”, “x”)",
                "    open(q, \"r\", \"x\")",
            ),
            (
                "Don't use \"a\" - it's slow.",
                "Don’t use “a” — it’s slow.",
                "Don't use \"a\" - it's very slow.",
                "Don’t use “a” — it’s very slow.",
            ),
            ("Wait... no", "Wait… no", "Wait... yes", "Wait… yes"),
            ("a\u{a0}b c", "a b c", "a\u{a0}b d", "a b d"),
            ("x = \"a\"", "x = “a”", "x = f(\"b\", 'c')", "x = f(\"b\", 'c')"),
            ("same", "same", "“other”", "“other”"),
            ("\"a\" it's", "“a” it’s", "\"a\" it's \"b\"", "\"a\" it's \"b\""),
            ("x = \"a\"", "x = “a”", "x = \"a\" + \"b\"", "x = \"a\" + \"b\""),
            ("a(b)", "a（b）", "a(b)(c)", "a(b)(c)"),
            ("1-5 and", "1–5 and", "1-5 - x and", "1-5 - x and"),
            ("f(); // don't", "f(); // don’t", "f(\"x\"); // don't", "f(\"x\"); // don’t"),
            ("print(“a”)", "print(\"a\")", "print(“a”, ‘b’)", "print(\"a\", 'b')"),
            ("it's", "it’s", "it's", "it’s"),
            ("it's", "it’s", "", ""),
        ] {
            assert_eq!(respelt(search, target, replace), expected, "{search} {replace}");
        }
    }
}
