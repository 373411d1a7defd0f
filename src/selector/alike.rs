//! Finds the selectors most similar to a given one (SEL-16).
//!
//! Selectors with a common prefix share its computation, and a prefix that can't lead to a good
//! match is skipped together with everything after it: the result equals that of comparing every
//! selector, at the cost of comparing a few.

use super::grammar::{BlockType, SegmentKind};
use super::tree::{Node, NodeKind, Tree};

/// The minimum similarity: 1 means equal.
const LEAST: f64 = 0.4;
/// Longer input isn't compared.
const LONGEST: usize = 200;
/// Limits the work if many selectors are similar.
const MOST_STEPS: usize = 400_000;

/// A search for the most similar selectors.
#[derive(Debug)]
pub struct Alike {
    wanted: Vec<char>,
    most: usize,
    /// Ratio, distance, selector: the best first.
    best: Vec<(f64, usize, String)>,
    steps: usize,
}

/// The distances of the current prefix to every prefix of the wanted selector, as in Levenshtein's
/// table.
type Row = Vec<usize>;

impl Alike {
    pub fn new(text: &str, most: usize) -> Self {
        Self { wanted: text.to_lowercase().chars().collect(), most, best: Vec::new(), steps: 0 }
    }

    /// The most similar selectors, best first. They include the document's name, even if the input
    /// has none.
    pub fn search(mut self, documents: &[(&str, &Tree)]) -> Vec<String> {
        if self.wanted.is_empty() || self.wanted.len() > LONGEST {
            return Vec::new();
        }
        let qualified = self.wanted.windows(2).any(|pair| pair == [':', ':']);
        let first: Row = (0..=self.wanted.len()).collect();
        for (namespace, tree) in documents {
            let prefix = format!("{namespace}::");
            let row = if qualified { self.write(&first, &prefix) } else { Some(first.clone()) };
            let Some(row) = row else { continue };
            let path = Written { row, length: if qualified { prefix.chars().count() } else { 0 } };
            self.children(&prefix, tree, None, &path);
        }
        self.best.into_iter().map(|(_, _, selector)| selector).collect()
    }

    /// Visits everything that can follow in a context.
    fn children(&mut self, text: &str, tree: &Tree, context: Option<Node>, path: &Written) {
        let levels = (1..=6).map(SegmentKind::Heading).filter(|_| context.is_none());
        let others =
            [SegmentKind::Root, SegmentKind::Section].into_iter().filter(|_| context.is_none());
        for kind in others.chain(levels).chain(BlockType::ALL.map(SegmentKind::Block)) {
            let below = tree.below(context, kind);
            if below.is_empty() {
                continue;
            }
            let word =
                if kind == SegmentKind::Root { "root".to_owned() } else { format!("{kind}[") };
            let Some(row) = self.write(&path.row, &word) else { continue };
            let text = format!("{text}{word}");
            let path = Written { row, length: path.length + word.chars().count() };
            if kind == SegmentKind::Root {
                self.offer(&text, &path);
            } else {
                self.numbers(&text, tree, &below, 0, &path);
            }
        }
    }

    /// Visits every number of a list that begins with these digits.
    fn numbers(
        &mut self,
        text: &str,
        tree: &Tree,
        below: &super::resolve::Below,
        begun: usize,
        path: &Written,
    ) {
        for digit in 0..10 {
            let first = text.ends_with('[');
            let Some(number) = begun
                .checked_mul(10)
                .and_then(|number| number.checked_add(digit))
                .filter(|number| *number < below.len())
            else {
                return;
            };
            let text = format!("{text}{digit}");
            let digit = char::from_digit(digit as u32, 10).unwrap_or('0');
            let Some(row) = self.step(&path.row, digit) else { continue };
            let path = Written { row, length: path.length + 1 };
            if let (Some(node), Some(row)) = (below.get(number), self.step(&path.row, ']')) {
                let whole = Written { row, length: path.length + 1 };
                let text = format!("{text}]");
                self.offer(&text, &whole);
                if node.kind == NodeKind::Block
                    && let Some(row) = self.step(&whole.row, '/')
                {
                    self.children(
                        &format!("{text}/"),
                        tree,
                        Some(node),
                        &Written { row, length: whole.length + 1 },
                    );
                }
            }
            // Numbers other than zero have no leading zero.
            if !(first && number == 0) {
                self.numbers(&text, tree, below, number, &path);
            }
        }
    }

    /// Appends several characters; `None` if nothing with this prefix can be among the best.
    fn write(&mut self, row: &Row, text: &str) -> Option<Row> {
        text.chars().try_fold(row.clone(), |row, letter| self.step(&row, letter))
    }

    /// Appends a character.
    fn step(&mut self, row: &Row, letter: char) -> Option<Row> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return None;
        }
        let mut next = Vec::with_capacity(row.len());
        let mut left = row.first()? + 1;
        next.push(left);
        for ((wanted, corner), above) in self.wanted.iter().zip(row).zip(row.iter().skip(1)) {
            left = (corner + usize::from(*wanted != letter)).min(left + 1).min(above + 1);
            next.push(left);
        }
        // The distance never falls below the row's minimum, and the longer string has at most the
        // wanted length plus the characters that differ.
        let least = next.iter().min().copied().unwrap_or_default();
        #[allow(clippy::cast_precision_loss)]
        let highest = self.wanted.len() as f64 / (self.wanted.len() + least) as f64;
        (highest >= self.bar()).then_some(next)
    }

    /// The similarity required to be among the best.
    fn bar(&self) -> f64 {
        self.best.get(self.most.saturating_sub(1)).map_or(LEAST, |(ratio, _, _)| *ratio)
    }

    fn offer(&mut self, text: &str, path: &Written) {
        let distance = path.row.last().copied().unwrap_or_default();
        #[allow(clippy::cast_precision_loss)]
        let ratio = 1.0 - distance as f64 / self.wanted.len().max(path.length) as f64;
        if ratio < LEAST {
            return;
        }
        let better = |(other, far, known): &(f64, usize, String)| {
            other
                .total_cmp(&ratio)
                .reverse()
                .then(far.cmp(&distance))
                .then(known.len().cmp(&text.len()))
                .then_with(|| known.as_str().cmp(text))
                .is_lt()
        };
        let place = self.best.partition_point(better);
        if place < self.most {
            self.best.insert(place, (ratio, distance, text.to_owned()));
            self.best.truncate(self.most);
        }
    }
}

/// The current prefix: its row, and its length in characters.
struct Written {
    row: Row,
    length: usize,
}
