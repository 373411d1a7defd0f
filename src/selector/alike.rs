//! The selectors of documents that are written most like a text (SEL-16).
//!
//! Selectors that begin alike share what is computed of them, and a beginning that no good answer
//! can have is left with all that follows it: the answer is that of comparing every selector, at
//! the cost of comparing a few.

use super::grammar::{BlockType, SegmentKind};
use super::tree::{Node, NodeKind, Tree};

/// How alike two texts must be: 1 means equal.
const LEAST: f64 = 0.4;
/// Longer texts are compared with nothing.
const LONGEST: usize = 200;
/// How much is looked at, should many be alike.
const MOST_STEPS: usize = 400_000;

/// A search for what is most like a text.
#[derive(Debug)]
pub struct Alike {
    wanted: Vec<char>,
    most: usize,
    /// Ratio, distance, selector: the best first.
    best: Vec<(f64, usize, String)>,
    steps: usize,
}

/// The distances of what was written so far to every beginning of the text, as in Levenshtein's
/// table.
type Row = Vec<usize>;

impl Alike {
    pub fn new(text: &str, most: usize) -> Self {
        Self { wanted: text.to_lowercase().chars().collect(), most, best: Vec::new(), steps: 0 }
    }

    /// The selectors that are most alike, the best first. They carry their documents' names also
    /// where the text has none.
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

    /// Looks at everything that can follow in a context.
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

    /// Looks at every number of a list that begins with these digits.
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
            // No number begins with a zero but zero itself.
            if !(first && number == 0) {
                self.numbers(&text, tree, below, number, &path);
            }
        }
    }

    /// Writes several letters; `None` when nothing that begins so can be among the best.
    fn write(&mut self, row: &Row, text: &str) -> Option<Row> {
        text.chars().try_fold(row.clone(), |row, letter| self.step(&row, letter))
    }

    /// Writes one more letter.
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
        // The distance never falls below the least of the row, and the longest of both texts is at
        // most as long as the wanted one and what differs together.
        let least = next.iter().min().copied().unwrap_or_default();
        #[allow(clippy::cast_precision_loss)]
        let highest = self.wanted.len() as f64 / (self.wanted.len() + least) as f64;
        (highest >= self.bar()).then_some(next)
    }

    /// How alike a text must be to be among the best.
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

/// What is written so far: its row, and how many letters it has.
struct Written {
    row: Row,
    length: usize,
}
