//! The parts of globs, and how a path is compared with them.

/// A step of a glob.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    Char(char),
    /// A character other than a slash.
    One,
    /// Any number of characters other than slashes.
    Star,
    /// Any characters.
    Any,
    Class(Class),
    /// One of these, repeated between `least` and `most` times.
    Group {
        of: Vec<Vec<Self>>,
        least: usize,
        most: usize,
    },
    /// Characters other than slashes, unless one of these matches all of them, together with the
    /// rest; `dot`: they may begin with a dot.
    Not {
        of: Vec<Vec<Self>>,
        dot: bool,
    },
    /// None of these match the following text: all of it, or its beginning.
    Unless {
        of: Vec<Vec<Self>>,
        whole: bool,
    },
    /// The next character isn't a dot.
    NoDot,
    /// The next part isn't `.` or `..`.
    NoDots,
    /// This part isn't at its end.
    Some,
    /// Any number of parts, each with its slash; `dot`: they may begin with a dot.
    Parts {
        dot: bool,
    },
    /// One or more parts up to the end.
    Rest {
        dot: bool,
    },
    /// The end of the path.
    End,
}

/// Characters in brackets.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Class {
    pub negated: bool,
    pub ranges: Vec<(char, char)>,
    /// It can match a slash.
    pub slash: bool,
}

/// A whole glob.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    pub nodes: Vec<Node>,
    pub ignore_case: bool,
}

/// A glob that needs more steps for a path doesn't match it: no reasonable glob does.
const MOST_STEPS: usize = 200_000;

/// The nodes after those that are being compared.
#[derive(Clone, Copy)]
struct Next<'a> {
    nodes: &'a [Node],
    then: Option<&'a Self>,
}

struct Run<'p> {
    path: &'p [char],
    ignore_case: bool,
    steps: usize,
    depth: usize,
}

impl Program {
    pub fn matches(&self, path: &[char]) -> bool {
        let mut run = Run { path, ignore_case: self.ignore_case, steps: 0, depth: 0 };
        run.nodes(&self.nodes, None, 0)
    }
}

/// The limit of nested calls: a group in a group, and one more for each character.
const DEEPEST: usize = 2_000;

impl Run<'_> {
    fn at(&self, at: usize) -> Option<char> {
        self.path.get(at).copied()
    }

    fn same(&self, a: char, b: char) -> bool {
        a == b || self.ignore_case && a.to_lowercase().eq(b.to_lowercase())
    }

    fn in_class(&self, class: &Class, letter: char) -> bool {
        if letter == '/' && !class.slash {
            return false;
        }
        let holds =
            |letter: char| class.ranges.iter().any(|(low, high)| (*low..=*high).contains(&letter));
        let found = holds(letter)
            || self.ignore_case
                && (letter.to_lowercase().any(holds) || letter.to_uppercase().any(holds));
        found != class.negated
    }

    /// Whether a part begins at `at`.
    fn begins(&self, at: usize) -> bool {
        at == 0 || self.at(at - 1) == Some('/')
    }

    fn dots(&self, at: usize) -> bool {
        let end = |at: usize| matches!(self.at(at), None | Some('/'));
        self.at(at) == Some('.') && (end(at + 1) || self.at(at + 1) == Some('.') && end(at + 2))
    }

    fn nodes(&mut self, nodes: &[Node], then: Option<&Next>, at: usize) -> bool {
        self.depth += 1;
        let found = self.depth < DEEPEST && self.step(nodes, then, at);
        self.depth -= 1;
        found
    }

    fn step(&mut self, nodes: &[Node], then: Option<&Next>, mut at: usize) -> bool {
        let mut nodes = nodes;
        loop {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return false;
            }
            let Some((node, rest)) = nodes.split_first() else {
                return match then {
                    Some(next) => self.nodes(next.nodes, next.then, at),
                    None => at == self.path.len(),
                };
            };
            match node {
                Node::Char(char) => match self.at(at) {
                    Some(letter) if self.same(letter, *char) => at += 1,
                    _ => return false,
                },
                Node::One => match self.at(at) {
                    Some(letter) if letter != '/' => at += 1,
                    _ => return false,
                },
                Node::Class(class) => match self.at(at) {
                    Some(letter) if self.in_class(class, letter) => at += 1,
                    _ => return false,
                },
                Node::NoDot => {
                    if self.at(at) == Some('.') {
                        return false;
                    }
                }
                Node::NoDots => {
                    if self.dots(at) {
                        return false;
                    }
                }
                Node::Some => {
                    if matches!(self.at(at), None | Some('/')) {
                        return false;
                    }
                }
                Node::End => {
                    if at != self.path.len() {
                        return false;
                    }
                }
                Node::Star | Node::Any => loop {
                    if self.nodes(rest, then, at) {
                        return true;
                    }
                    match self.at(at) {
                        Some('/') if *node == Node::Star => return false,
                        Some(_) => at += 1,
                        None => return false,
                    }
                },
                Node::Parts { dot } => loop {
                    if self.nodes(rest, then, at) {
                        return true;
                    }
                    match self.part(at, *dot) {
                        Some(end) if self.at(end) == Some('/') => at = end + 1,
                        _ => return false,
                    }
                },
                Node::Rest { dot } => loop {
                    match self.part(at, *dot) {
                        Some(end) if end == self.path.len() => {
                            return self.nodes(rest, then, end);
                        }
                        Some(end) => at = end + 1,
                        None => return false,
                    }
                },
                Node::Group { of, least, most } => {
                    return self.group(of, (*least, *most), &Next { nodes: rest, then }, at);
                }
                Node::Not { of, dot } => {
                    return self.not(of, *dot, &Next { nodes: rest, then }, at);
                }
                Node::Unless { of, whole } => {
                    let any = [Node::Any];
                    let next = Next { nodes: if *whole { &[] } else { &any }, then: None };
                    if of.iter().any(|nodes| self.nodes(nodes, Some(&next), at)) {
                        return false;
                    }
                }
            }
            nodes = rest;
        }
    }

    /// The end of the part that begins at `at`.
    fn part(&self, at: usize, dot: bool) -> Option<usize> {
        let length = self.path.get(at..)?.iter().take_while(|letter| **letter != '/').count();
        let hidden = if dot { self.dots(at) } else { self.at(at) == Some('.') };
        (length > 0 && !hidden).then_some(at + length)
    }

    fn group(
        &mut self,
        of: &[Vec<Node>],
        (least, most): (usize, usize),
        next: &Next,
        at: usize,
    ) -> bool {
        if least == 0 && self.nodes(next.nodes, next.then, at) {
            return true;
        }
        if most == 0 {
            return false;
        }
        let again = [Node::Group {
            of: if most > 1 { of.to_vec() } else { Vec::new() },
            least: least.saturating_sub(1),
            most: if most == usize::MAX { most } else { most - 1 },
        }];
        let once = most == 1;
        of.iter().any(|nodes| {
            if once {
                return self.nodes(nodes, Some(next), at);
            }
            let next = Next { nodes: &again, then: Some(next) };
            self.nodes(nodes, Some(&next), at)
        })
    }

    fn not(&mut self, of: &[Vec<Node>], dot: bool, next: &Next, at: usize) -> bool {
        let refused = of.iter().any(|nodes| self.nodes(nodes, Some(next), at));
        if refused {
            return false;
        }
        let star = [Node::Star];
        let dots = if dot { self.dots(at) } else { self.at(at) == Some('.') };
        let hidden = self.begins(at) && dots;
        !hidden && self.nodes(&star, Some(next), at)
    }
}
