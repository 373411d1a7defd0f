//! npm: ignore, which matches as git does, ignoring case.

use super::machine::{Node, Program};
use super::segment::wildcard;

/// A line of a `.gitignore`.
#[derive(Debug)]
pub struct Rule {
    negated: bool,
    /// `None` for a comment.
    program: Option<Program>,
}

impl Rule {
    pub fn read(line: &str) -> Self {
        let none = Self { negated: false, program: None };
        if line.starts_with('#') {
            return none;
        }
        let (negated, line) = line.strip_prefix('!').map_or((false, line), |line| (true, line));
        let escaped = line.trim_end().ends_with('\\');
        let line = if escaped { line } else { line.trim_end() };
        let folder = line.ends_with('/');
        let body = line.strip_suffix('/').unwrap_or(line);
        if body.is_empty() {
            return none;
        }
        let anchored = body.contains('/');
        let body = body.strip_prefix('/').unwrap_or(body);
        let mut nodes = Vec::new();
        if !anchored {
            nodes.push(Node::Parts { dot: true });
        }
        let parts: Vec<&str> = body.split('/').collect();
        let count = parts.len();
        for (index, part) in parts.iter().enumerate() {
            let last = index + 1 == count;
            if part.len() > 1 && part.chars().all(|letter| letter == '*') && count > 1 {
                if last {
                    nodes.extend([Node::Some, Node::Any]);
                    let program = Program { nodes, ignore_case: true };
                    return Self { negated, program: Some(program) };
                }
                nodes.push(Node::Parts { dot: true });
                continue;
            }
            let letters: Vec<char> = part.chars().collect();
            if letters.first() == Some(&'*') && (last || letters.iter().all(|l| *l == '*')) {
                nodes.push(Node::Some);
            }
            inner(&letters, &mut nodes);
            if !last {
                nodes.push(Node::Char('/'));
            }
        }
        let slash = vec![vec![Node::Char('/')]];
        nodes.push(Node::Group { of: slash, least: usize::from(folder), most: 1 });
        Self { negated, program: Some(Program { nodes, ignore_case: true }) }
    }

    fn matches(&self, path: &[char]) -> bool {
        self.program.as_ref().is_some_and(|program| program.matches(path))
    }
}

fn inner(letters: &[char], nodes: &mut Vec<Node>) {
    let mut at = 0;
    while let Some(letter) = letters.get(at) {
        if *letter == '\\' {
            nodes.extend(letters.get(at + 1).map(|letter| Node::Char(*letter)));
            at += 2;
        } else {
            at += wildcard(letters.get(at..).unwrap_or_default(), nodes);
        }
    }
}

/// Whether the rules ignore a file, or a folder that it is in.
pub fn ignores(rules: &[Rule], path: &str) -> bool {
    decides(rules, path).is_some()
}

/// The rule that ignores a file.
pub fn decides(rules: &[Rule], path: &str) -> Option<usize> {
    let letters: Vec<char> = path.chars().collect();
    let folders =
        letters.iter().enumerate().filter(|(_, letter)| **letter == '/').map(|(at, _)| at + 1);
    for end in folders.chain([letters.len()]) {
        let path = letters.get(..end).unwrap_or_default();
        let last = rules.iter().enumerate().rev().find(|(_, rule)| rule.matches(path));
        if let Some((at, rule)) = last
            && !rule.negated
        {
            return Some(at);
        }
    }
    None
}
