//! VS Code's own globs.

use super::Kind;
use super::machine::{Class, Node, Program};

pub fn read(glob: &str, ignore_case: bool) -> Kind {
    let glob = glob.trim();
    let letters: Vec<char> = trimmed(glob).chars().collect();
    let programs =
        sequence(&letters, 0).map(|nodes| vec![Program { nodes, ignore_case }]).unwrap_or_default();
    Kind::Programs { programs, negated: false, literal: None }
}

/// In a glob of plain names, a slash at the end is ignored.
fn trimmed(glob: &str) -> &str {
    let Some(without) = glob.strip_suffix('/') else { return glob };
    let names = without.strip_prefix("**/").unwrap_or(without);
    let plain = names.split('/').all(|name| {
        !name.is_empty()
            && name
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '-'))
    });
    if plain { without } else { glob }
}

/// Parts that a character separates, outside of braces and brackets.
fn split(letters: &[char], by: char) -> Vec<&[char]> {
    let (mut found, mut start) = (Vec::new(), 0);
    let (mut braces, mut brackets) = (false, false);
    for (at, letter) in letters.iter().enumerate() {
        match letter {
            letter if *letter == by && !braces && !brackets => {
                found.extend(letters.get(start..at));
                start = at + 1;
            }
            '{' => braces = true,
            '}' => braces = false,
            '[' => brackets = true,
            ']' => brackets = false,
            _ => {}
        }
    }
    found.extend(letters.get(start..).filter(|rest| !rest.is_empty()));
    found
}

/// Braces inside braces aren't supported, so this is never deep.
const DEEPEST: usize = 8;

/// The nodes of a glob; `None` if it is invalid.
fn sequence(letters: &[char], depth: usize) -> Option<Vec<Node>> {
    if depth > DEEPEST {
        return None;
    }
    let stars = ['*', '*'];
    let parts = split(letters, '/');
    if letters.is_empty() {
        return Some(Vec::new());
    }
    if parts.iter().all(|part| **part == stars) {
        return Some(vec![Node::Any]);
    }
    let mut nodes = Vec::new();
    let mut before = false;
    let count = parts.len();
    for (index, part) in parts.iter().enumerate() {
        if **part == stars {
            if !before {
                nodes.push(if index + 1 == count { trailing() } else { leading() });
            }
            before = true;
            continue;
        }
        before = false;
        segment(part, &mut nodes, depth)?;
        let next = parts.get(index + 1);
        if next.is_some_and(|next| **next != stars || index + 2 < count) {
            nodes.push(Node::Char('/'));
        }
    }
    Some(nodes)
}

fn name() -> Vec<Node> {
    vec![Node::Some, Node::Star]
}

/// Any number of slashes and of names with a slash.
fn leading() -> Node {
    let mut named = name();
    named.push(Node::Char('/'));
    Node::Group { of: vec![vec![Node::Char('/')], named], least: 0, most: usize::MAX }
}

/// The same, and a slash with a name.
fn trailing() -> Node {
    let mut named = name();
    named.push(Node::Char('/'));
    let mut after = vec![Node::Char('/')];
    after.extend(name());
    Node::Group { of: vec![vec![Node::Char('/')], named, after], least: 0, most: usize::MAX }
}

fn segment(letters: &[char], nodes: &mut Vec<Node>, depth: usize) -> Option<()> {
    let (mut braces, mut brackets) = (None::<usize>, None::<Vec<char>>);
    for (at, letter) in letters.iter().enumerate() {
        if let Some(open) = braces {
            if *letter == '}' {
                choices(letters.get(open + 1..at)?, nodes, depth)?;
                braces = None;
            }
            continue;
        }
        if let Some(text) = &mut brackets {
            if *letter == ']' && !text.is_empty() {
                nodes.push(Node::Class(class(text)?));
                brackets = None;
            } else if *letter != '/' {
                text.push(*letter);
            }
            continue;
        }
        match letter {
            '{' => braces = Some(at),
            '[' => brackets = Some(Vec::new()),
            '}' => choices(&[], nodes, depth)?,
            // A bracket without an opening one matches nothing, like empty brackets.
            ']' => nodes.push(Node::Class(Class::default())),
            '?' => nodes.push(Node::One),
            '*' => nodes.push(Node::Star),
            letter => nodes.push(Node::Char(*letter)),
        }
    }
    Some(())
}

fn choices(inside: &[char], nodes: &mut Vec<Node>, depth: usize) -> Option<()> {
    let choices = split(inside, ',');
    let of: Option<Vec<Vec<Node>>> =
        choices.into_iter().map(|choice| sequence(choice, depth + 1)).collect();
    let of = of?;
    if !of.is_empty() {
        nodes.push(Node::Group { of, least: 1, most: 1 });
    }
    Some(())
}

/// A class of a regular expression; `None` if it is invalid.
fn class(text: &[char]) -> Option<Class> {
    let mut class = Class { slash: true, ..Class::default() };
    let negated = matches!(text.first(), Some('!' | '^'));
    class.negated = negated;
    let text = if negated { text.get(1..)? } else { text };
    let mut at = 0;
    while let Some(low) = text.get(at) {
        match (text.get(at + 1), text.get(at + 2)) {
            (Some('-'), Some(high)) => {
                if low > high {
                    return None;
                }
                class.ranges.push((*low, *high));
                at += 3;
            }
            _ => {
                class.ranges.push((*low, *low));
                at += 1;
            }
        }
    }
    Some(class)
}
