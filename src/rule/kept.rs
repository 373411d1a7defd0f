//! Findings that are cached with the part of a document that they are about.

use std::fmt;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::{Diagnostic, Rule};
use crate::markdown::memo::Memo;
use crate::text::Span;

/// The findings of a part of a document, in order. They, and the data derived from them, survive
/// edits elsewhere.
pub struct Kept {
    /// Where the part began when they were found. Spans before it don't move with the part.
    start: usize,
    items: Box<[Diagnostic]>,
    /// Their rules, each with the number of its findings.
    rules: Box<[(&'static Rule, usize)]>,
    /// Equal for the same rules in the same order, and rarely for others.
    rules_id: u64,
    has_safe_fix: bool,
    memo: Memo,
}

impl fmt::Debug for Kept {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.debug_struct("Kept").field("start", &self.start).field("items", &self.items).finish()
    }
}

impl Kept {
    /// The findings of a part that begins at `start`.
    pub fn new(start: usize, mut items: Vec<Diagnostic>) -> Self {
        sort(&mut items);
        let mut rules: Vec<(&'static Rule, usize)> = Vec::new();
        for item in &items {
            match rules.iter_mut().find(|(rule, _)| *rule == item.rule) {
                Some((_, count)) => *count += 1,
                None => rules.push((item.rule, 1)),
            }
        }
        let mut hasher = FxHasher::default();
        rules.iter().for_each(|(rule, _)| std::ptr::from_ref(*rule).hash(&mut hasher));
        Self {
            start,
            rules_id: hasher.finish(),
            has_safe_fix: items.iter().any(Diagnostic::has_safe_fix),
            items: items.into(),
            rules: rules.into(),
            memo: Memo::default(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn rules(&self) -> &[(&'static Rule, usize)] {
        &self.rules
    }

    /// A key for finding others with [`Self::has_rules_of`].
    pub fn rules_id(&self) -> u64 {
        self.rules_id
    }

    /// Whether the findings of both are of the same rules, in the same order.
    pub fn has_rules_of(&self, other: &Self) -> bool {
        self.rules.len() == other.rules.len()
            && self.rules.iter().zip(&other.rules).all(|((a, _), (b, _))| std::ptr::eq(*a, *b))
    }

    /// The rule of a finding, as an index of [`Self::rules`].
    pub fn rule(&self, index: usize) -> Option<usize> {
        let item = self.items.get(index)?;
        self.rules.iter().position(|(rule, _)| *rule == item.rule)
    }

    /// Whether one of them has a safe fix.
    pub fn has_safe_fix(&self) -> bool {
        self.has_safe_fix
    }

    /// A finding as it was found.
    pub fn item(&self, index: usize) -> Option<&Diagnostic> {
        self.items.get(index)
    }

    /// A finding, now that the part begins at `start`.
    pub fn get(&self, index: usize, start: usize) -> Option<Diagnostic> {
        self.items.get(index).map(|item| item.moved(self.start, start))
    }

    /// The span of a finding, now that the part begins at `start`.
    pub fn span(&self, index: usize, start: usize) -> Option<Span> {
        self.items.get(index).map(|item| moved(&item.span, self.start, start))
    }

    /// Every finding, now that the part begins at `start`.
    pub fn all(&self, start: usize) -> impl Iterator<Item = Diagnostic> {
        self.items.iter().map(move |item| item.moved(self.start, start))
    }

    /// Data derived from the findings.
    pub fn memo(&self) -> &Memo {
        &self.memo
    }
}

fn moved(span: &Span, from: usize, to: usize) -> Span {
    if span.start < from {
        return span.clone();
    }
    span.start - from + to..span.end - from + to
}

impl Diagnostic {
    pub fn has_safe_fix(&self) -> bool {
        self.fixes.iter().any(|fix| fix.safe)
    }

    /// The same finding in a part that began at `from` and begins at `to` now. Spans before the
    /// part, such as changes of the front matter, stay.
    #[must_use]
    pub fn moved(&self, from: usize, to: usize) -> Self {
        let mut found = self.clone();
        if from == to {
            return found;
        }
        let shift = |span: &mut Span| *span = moved(span, from, to);
        shift(&mut found.span);
        found
            .fixes
            .iter_mut()
            .flat_map(|fix| &mut fix.edits)
            .for_each(|edit| shift(&mut edit.span));
        found
            .related
            .iter_mut()
            .filter(|related| related.path.is_none())
            .for_each(|related| shift(&mut related.span));
        found
    }
}

/// In the order of the document, each finding once.
pub fn sort(found: &mut Vec<Diagnostic>) {
    found.sort_by(|a, b| {
        (a.span.start, a.span.end, a.rule.code, &a.message).cmp(&(
            b.span.start,
            b.span.end,
            b.rule.code,
            &b.message,
        ))
    });
    found.dedup_by(|a, b| a.span == b.span && a.rule == b.rule && a.message == b.message);
}
