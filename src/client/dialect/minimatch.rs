//! npm: minimatch.

use super::machine::{Node, Program};
use super::segment::{alternatives, class, times, wildcard};
use super::{Kind, braces};

pub fn read(glob: &str, dot: bool, ignore_case: bool) -> Kind {
    let bangs = glob.chars().take_while(|letter| *letter == '!').count();
    let negated = bangs % 2 == 1;
    let body = glob.get(bangs..).unwrap_or_default();
    let mut programs = Vec::new();
    if !glob.starts_with('#') {
        for one in braces::expand(body) {
            programs.push(Program { nodes: whole(&one, dot), ignore_case });
        }
    }
    // A comment matches nothing, even after a `!`.
    let negated = negated && !glob.starts_with('#');
    Kind::Programs { programs, negated, literal: None }
}

fn whole(glob: &str, dot: bool) -> Vec<Node> {
    let mut parts: Vec<&str> = Vec::new();
    let written: Vec<&str> = glob.split('/').collect();
    let last = written.len().saturating_sub(1);
    for (index, part) in written.iter().enumerate() {
        // Several slashes are one, and several `**` are one.
        let doubled = part.is_empty() && index > 0 && index < last
            || *part == "**" && parts.last() == Some(&"**");
        if !doubled {
            parts.push(part);
        }
    }
    // `a/../b` is `b`.
    let mut at = 1;
    while at < parts.len() {
        let before = parts.get(at - 1).copied().unwrap_or_default();
        let goes = parts.get(at) == Some(&"..")
            && !before.is_empty()
            && !matches!(before, "." | ".." | "**");
        if goes {
            parts.drain(at - 1..=at);
            at = at.saturating_sub(1).max(1);
        } else {
            at += 1;
        }
    }
    let mut nodes = Vec::new();
    let count = parts.len();
    for (index, part) in parts.iter().enumerate() {
        let last = index + 1 == count;
        if *part == "**" {
            nodes.push(if last { Node::Rest { dot } } else { Node::Parts { dot } });
            continue;
        }
        let letters: Vec<char> = part.chars().collect();
        nodes.extend(segment(&letters, dot));
        if !last {
            nodes.push(Node::Char('/'));
        }
    }
    nodes
}

/// One part of a glob.
fn segment(letters: &[char], dot: bool) -> Vec<Node> {
    let mut nodes = Vec::new();
    let magic = starts(letters);
    if letters.iter().all(|letter| *letter == '*') && !letters.is_empty() {
        nodes.extend([if dot { Node::NoDots } else { Node::NoDot }, Node::Some, Node::Star]);
        return nodes;
    }
    if magic {
        nodes.push(if dot { Node::NoDots } else { Node::NoDot });
    }
    nodes.extend(inner(letters, dot));
    nodes
}

/// Whether a part begins with a wildcard.
fn starts(letters: &[char]) -> bool {
    match letters.first() {
        Some('*' | '?') => true,
        Some('[') => class(letters).is_some(),
        Some('+' | '@') => letters.get(1) == Some(&'(') && alternatives(letters, 1).is_some(),
        _ => false,
    }
}

fn inner(letters: &[char], dot: bool) -> Vec<Node> {
    let mut nodes = Vec::new();
    let mut at = 0;
    while let Some(letter) = letters.get(at).copied() {
        let group = letters.get(at + 1) == Some(&'(');
        if group
            && matches!(letter, '@' | '?' | '+' | '*' | '!')
            && let Some((of, end)) = alternatives(letters, at + 1)
        {
            let of: Vec<Vec<Node>> = of.into_iter().map(|one| inner(one, dot)).collect();
            nodes.push(match times(letter) {
                Some((least, most)) => Node::Group { of, least, most },
                None => Node::Not { of, dot },
            });
            at = end;
            continue;
        }
        if letter == '\\' {
            nodes.push(Node::Char(letters.get(at + 1).copied().unwrap_or('\\')));
            at += 2;
        } else {
            at += wildcard(letters.get(at..).unwrap_or_default(), &mut nodes);
        }
    }
    nodes
}
