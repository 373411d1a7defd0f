//! `slice` and `index` beyond the end of a string or list.

use super::problem::{ProblemKind, Reach};
use super::subject::{Literal, Subject};
use super::walk::Checker;
use crate::template::function::Kinds;
use crate::template::node::Number;
use crate::text::Span;

const COUNTED: Kinds = Kinds::STRING.or(Kinds::LIST);

impl<'a> Checker<'a> {
    /// The bounds of a `slice`: all of `given` except for the sliced value. `span` is the call.
    pub fn sliced(&mut self, given: &[Subject<'a>], whole: usize, span: &Span) {
        let bounds = given.iter().enumerate().filter(|(index, _)| *index != whole);
        let bounds: Vec<Option<i64>> = bounds
            .map(|(_, subject)| match subject.literal {
                Some(Literal::Number(number)) => number.integer,
                _ => None,
            })
            .collect();
        if bounds.iter().flatten().any(|bound| *bound < 0) {
            return self.beyond("slice", Reach::Negative, true, span);
        }
        let positive = |bound: Option<i64>| bound.and_then(|bound| u64::try_from(bound).ok());
        let positions: Vec<Option<u64>> = bounds.into_iter().map(positive).collect();
        if let [Some(start), Some(end), ..] = positions.as_slice()
            && start > end
        {
            let reach = Reach::Reversed { start: *start, end: *end };
            return self.beyond("slice", reach, true, span);
        }
        let needed = positions.into_iter().flatten().max().unwrap_or_default();
        if let Some(of) = given.get(whole) {
            self.long_enough("slice", of, needed, span);
        }
    }

    /// A constant index. `span` is its own.
    pub fn indexed(&mut self, of: &Subject<'a>, index: Number, span: &Span) {
        let Some(index) = index.integer else { return };
        match u64::try_from(index) {
            Ok(index) => self.long_enough("index", of, index.saturating_add(1), span),
            Err(_) => self.beyond("index", Reach::Negative, true, span),
        }
    }

    fn long_enough(&mut self, function: &'static str, of: &Subject<'a>, needed: u64, span: &Span) {
        let needed = usize::try_from(needed).unwrap_or(usize::MAX);
        let range = match of.literal {
            Some(Literal::Text(text)) => {
                let count = text.chars().count();
                Some((count, Some(count)))
            }
            _ => self.types.length(&of.kind),
        };
        let guarded = self.facts.length(&self.paths, of.path);
        if let Some(need) = self.need(of).filter(|_| needed > guarded) {
            need.least = need.least.max(needed);
        }
        let Some((least, longest)) = range else { return };
        let least = least.max(guarded);
        if needed <= least {
            return;
        }
        let certain = longest.is_some_and(|longest| longest < needed);
        let kinds = of.kind.kinds().and(COUNTED);
        let reach = Reach::Length { needed, longest, of: of.span.clone(), kinds };
        self.beyond(function, reach, certain, span);
    }

    fn beyond(&mut self, function: &'static str, reach: Reach, certain: bool, span: &Span) {
        self.problem(span.clone(), ProblemKind::OutOfRange { function, reach, certain });
    }
}
