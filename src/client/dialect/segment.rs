//! Brackets and groups, which most dialects write in the same way.

use super::machine::{Class, Node};

/// A class in brackets at the start of `letters`, and its length; `None` if it isn't one.
pub fn class(letters: &[char]) -> Option<(Class, usize)> {
    let mut at = 1;
    let mut class = Class::default();
    if matches!(letters.get(at), Some('!' | '^')) {
        class.negated = true;
        at += 1;
    }
    let first = at;
    loop {
        let letter = *letters.get(at)?;
        if letter == ']' && at > first {
            break;
        }
        if letter == '['
            && letters.get(at + 1) == Some(&':')
            && let Some((ranges, length)) = named(letters.get(at..)?)
        {
            class.ranges.extend(ranges);
            at += length;
            continue;
        }
        let (low, length) = one(letters, at)?;
        at += length;
        let is_range = letters.get(at) == Some(&'-')
            && letters.get(at + 1).is_some_and(|letter| *letter != ']');
        if is_range {
            let (high, length) = one(letters, at + 1)?;
            at += 1 + length;
            // A descending range is empty.
            if low <= high {
                class.ranges.push((low, high));
            }
        } else {
            class.ranges.push((low, low));
        }
    }
    Some((class, at + 1))
}

fn one(letters: &[char], at: usize) -> Option<(char, usize)> {
    match letters.get(at)? {
        '\\' => letters.get(at + 1).map(|letter| (*letter, 2)),
        letter => Some((*letter, 1)),
    }
}

fn named(letters: &[char]) -> Option<(Vec<(char, char)>, usize)> {
    let text: String = letters.iter().take(12).collect();
    let (name, _) = text.strip_prefix("[:")?.split_once(":]")?;
    let ranges: &[(char, char)] = match name {
        "alpha" => &[('a', 'z'), ('A', 'Z')],
        "digit" => &[('0', '9')],
        "alnum" => &[('a', 'z'), ('A', 'Z'), ('0', '9')],
        "lower" => &[('a', 'z')],
        "upper" => &[('A', 'Z')],
        "space" => &[(' ', ' '), ('\t', '\r')],
        "word" => &[('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')],
        "xdigit" => &[('a', 'f'), ('A', 'F'), ('0', '9')],
        "punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        _ => return None,
    };
    Some((ranges.to_vec(), name.len() + 4))
}

/// The alternatives of a group in parentheses that opens at `open`, and the index after it.
pub fn alternatives(letters: &[char], open: usize) -> Option<(Vec<&[char]>, usize)> {
    let (mut found, mut depth, mut start, mut at) = (Vec::new(), 0_usize, open + 1, open);
    while let Some(letter) = letters.get(at) {
        match letter {
            '\\' => at += 1,
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    found.push(letters.get(start..at)?);
                    return Some((found, at + 1));
                }
            }
            '|' if depth == 1 => {
                found.push(letters.get(start..at)?);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// How often a group after this character matches.
pub fn times(kind: char) -> Option<(usize, usize)> {
    Some(match kind {
        '@' => (1, 1),
        '?' => (0, 1),
        '+' => (1, usize::MAX),
        '*' => (0, usize::MAX),
        _ => return None,
    })
}

/// Literal text.
pub fn literal(letters: &[char]) -> impl Iterator<Item = Node> + use<'_> {
    letters.iter().map(|letter| Node::Char(*letter))
}

/// Reads `*`, `?`, a class or a plain character at the start of `letters`, and returns its length.
pub fn wildcard(letters: &[char], nodes: &mut Vec<Node>) -> usize {
    let mut length = 1;
    match letters.first() {
        Some('*') if nodes.last() == Some(&Node::Star) => {}
        Some('*') => nodes.push(Node::Star),
        Some('?') => nodes.push(Node::One),
        Some('[') => match class(letters) {
            Some((class, end)) => {
                nodes.push(Node::Class(class));
                length = end;
            }
            None => nodes.push(Node::Char('[')),
        },
        Some(letter) => nodes.push(Node::Char(*letter)),
        None => {}
    }
    length
}
