//! npm: picomatch, which micromatch uses.

use super::Kind;
use super::braces;
use super::machine::{Class, Node, Program};
use super::segment::{alternatives, class, literal, times};

pub fn read(glob: &str, dot: bool, ignore_case: bool) -> Kind {
    let bangs = glob.chars().take_while(|letter| *letter == '!').count();
    let grouped = glob.chars().nth(bangs) == Some('(');
    let bangs = if grouped && bangs > 0 { bangs - 1 } else { bangs };
    let body = glob.get(bangs..).unwrap_or_default();
    let body = body.strip_prefix("./").unwrap_or(body);
    let letters: Vec<char> = body.chars().collect();
    let mut reader = Reader { letters: &letters, dot };
    let nodes = match endings(body) {
        // `**.ts` is short for `**/*.ts`.
        Some(endings) => {
            let mut nodes = vec![reader.guard(), Node::Any];
            nodes.extend(endings.chars().map(Node::Char));
            nodes
        }
        None => reader.range(0, letters.len(), true),
    };
    if reader.unclosed() {
        let literal = Some(glob.to_owned());
        return Kind::Programs { programs: Vec::new(), negated: false, literal };
    }
    let negated = bangs % 2 == 1;
    let literal = (!negated).then(|| glob.to_owned());
    Kind::Programs { programs: vec![Program { nodes, ignore_case }], negated, literal }
}

/// The endings of a glob that has only `**` in front of them.
fn endings(glob: &str) -> Option<&str> {
    let rest = glob.strip_prefix("**")?;
    let mut words = rest.strip_prefix('.')?.split('.');
    let is_word = |word: &str| {
        !word.is_empty()
            && word.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    words.all(is_word).then_some(rest)
}

struct Reader<'l> {
    letters: &'l [char],
    dot: bool,
}

impl Reader<'_> {
    fn get(&self, at: usize) -> Option<char> {
        self.letters.get(at).copied()
    }

    /// Whether a brace is never closed, which makes the glob invalid.
    fn unclosed(&self) -> bool {
        let (mut depth, mut at) = (0_usize, 0);
        while let Some(letter) = self.get(at) {
            match letter {
                '\\' => at += 1,
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            at += 1;
        }
        depth > 0
    }

    /// The guard of a part that begins with a wildcard.
    fn guard(&self) -> Node {
        if self.dot { Node::NoDots } else { Node::NoDot }
    }

    /// The nodes of the letters from `at` to `end`; `outer`: outside of groups.
    fn range(&mut self, mut at: usize, end: usize, outer: bool) -> Vec<Node> {
        let mut nodes: Vec<Node> = Vec::new();
        while at < end {
            let Some(letter) = self.get(at) else { break };
            let begins = at == 0 || self.get(at - 1) == Some('/');
            let grouped = self.get(at + 1) == Some('(');
            if grouped
                && matches!(letter, '@' | '?' | '+' | '*' | '!')
                && let Some((of, after)) = alternatives(self.letters, at + 1)
            {
                let of: Vec<Vec<Node>> = of.into_iter().map(|one| self.piece(one)).collect();
                match times(letter) {
                    Some((least, most)) => nodes.push(Node::Group { of, least, most }),
                    // The negated text is either the whole rest, or any beginning of it.
                    None => {
                        let whole = after >= self.letters.len();
                        nodes.extend([Node::Unless { of, whole }, Node::Star]);
                    }
                }
                at = after;
                continue;
            }
            match letter {
                '\\' => {
                    at += 1;
                    nodes.push(Node::Char(self.get(at).unwrap_or('\\')));
                    at += 1;
                }
                '*' => at = self.stars(at, end, begins, outer, &mut nodes),
                '?' => {
                    if begins {
                        nodes.push(self.guard());
                    }
                    nodes.push(Node::One);
                    at += 1;
                }
                '[' => at = self.brackets(at, &mut nodes),
                '{' => at = self.braces(at, end, &mut nodes),
                '(' => match alternatives(self.letters, at) {
                    Some((of, after)) => {
                        let of = of.into_iter().map(|one| self.piece(one)).collect();
                        nodes.push(Node::Group { of, least: 1, most: 1 });
                        at = after;
                    }
                    None => {
                        nodes.push(Node::Char('('));
                        at += 1;
                    }
                },
                letter => {
                    nodes.push(Node::Char(letter));
                    at += 1;
                }
            }
        }
        nodes
    }

    fn piece(&self, letters: &[char]) -> Vec<Node> {
        Reader { letters, dot: self.dot }.range(0, letters.len(), false)
    }

    fn stars(
        &self,
        at: usize,
        end: usize,
        begins: bool,
        outer: bool,
        nodes: &mut Vec<Node>,
    ) -> usize {
        let mut after = at;
        while after < end && self.get(after) == Some('*') {
            after += 1;
        }
        let ends = after >= end || self.get(after) == Some('/');
        let three = after - at > 2;
        if after - at < 2 || three || !begins || !ends {
            if begins && !three {
                nodes.push(self.guard());
            }
            let alone = begins && ends && !three;
            if alone {
                nodes.push(Node::Some);
            }
            nodes.push(Node::Star);
            if outer && after >= end && self.letters.last() == Some(&'*') && after - at == 1 {
                nodes.push(slash());
            }
            return after;
        }
        // `**/**/` is one.
        let mut next = after;
        while self.get(next) == Some('/')
            && self.get(next + 1) == Some('*')
            && self.get(next + 2) == Some('*')
            && (next + 3 >= end || self.get(next + 3) == Some('/'))
        {
            next += 3;
        }
        if next >= end {
            let rest = Node::Group {
                of: vec![vec![Node::Rest { dot: self.dot }], vec![Node::End]],
                least: 1,
                most: 1,
            };
            // `a/**` is `a` too, but `*/**` is not `*`.
            let starred = at > 1 && self.get(at - 2) == Some('*');
            if !outer {
                nodes.push(Node::Any);
            } else if nodes.last() == Some(&Node::Char('/')) && nodes.len() > 1 && !starred {
                nodes.pop();
                let with = vec![Node::Char('/'), rest];
                nodes.push(Node::Group { of: vec![with, vec![Node::End]], least: 1, most: 1 });
            } else {
                nodes.push(rest);
            }
            return end;
        }
        if !outer && nodes.is_empty() {
            // If nothing precedes it, there must be a slash.
            nodes.extend([Node::Any, Node::Char('/')]);
        } else if nodes.last() == Some(&Node::Char('/')) && nodes.len() > 1 {
            // Nothing may follow, since the rest can be empty.
            nodes.pop();
            let mut of = vec![vec![Node::Char('/'), Node::Parts { dot: self.dot }]];
            of.extend((next + 1 < end).then(|| vec![Node::End]));
            nodes.push(Node::Group { of, least: 1, most: 1 });
        } else {
            nodes.push(Node::Parts { dot: self.dot });
        }
        next + 1
    }

    fn brackets(&self, at: usize, nodes: &mut Vec<Node>) -> usize {
        let rest = self.letters.get(at..).unwrap_or_default();
        let mut escaped = rest.to_vec();
        // Only `^` negates a class.
        let bang = rest.get(1) == Some(&'!');
        if bang {
            escaped.insert(1, '\\');
        }
        let Some((found, length)) = class(&escaped) else {
            nodes.push(Node::Char('['));
            return at + 1;
        };
        let length = length - usize::from(bang);
        let text = rest.get(1..length - 1).unwrap_or_default();
        let plain = !text.iter().any(|letter| "-*+?.^${}(|)[]\\".contains(*letter));
        let class = Node::Class(found);
        if plain {
            // Without other signs, the brackets may also be literal.
            let written = literal(rest.get(..length).unwrap_or_default()).collect();
            nodes.push(Node::Group { of: vec![written, vec![class]], least: 1, most: 1 });
        } else {
            nodes.push(class);
        }
        at + length
    }

    fn braces(&mut self, at: usize, end: usize, nodes: &mut Vec<Node>) -> usize {
        let before_end = self.letters.get(..end).unwrap_or(self.letters);
        let Some(close) = braces::closing(before_end, at) else {
            nodes.push(Node::Char('{'));
            return at + 1;
        };
        let inside = self.letters.get(at + 1..close).unwrap_or_default();
        let parts = braces::parts(inside);
        let text: String = inside.iter().collect();
        if parts.len() > 1 {
            let of = parts.into_iter().map(|part| self.piece(part)).collect();
            nodes.push(Node::Group { of, least: 1, most: 1 });
        } else if let Some(class) = dots(&text) {
            nodes.push(Node::Class(class));
        } else {
            nodes.push(Node::Char('{'));
            nodes.extend(self.range(at + 1, close, false));
            nodes.push(Node::Char('}'));
        }
        close + 1
    }
}

/// An optional slash at the end.
fn slash() -> Node {
    Node::Group { of: vec![vec![Node::Char('/'), Node::End]], least: 0, most: 1 }
}

/// `1..3` as `[1-3]`.
fn dots(text: &str) -> Option<Class> {
    let mut ends: Vec<&str> = text.split("..").collect();
    if ends.len() < 2 {
        return None;
    }
    ends.sort_unstable();
    let written: Vec<char> = format!("[{}]", ends.join("-")).chars().collect();
    class(&written).filter(|(_, length)| *length == written.len()).map(|(class, _)| class)
}
