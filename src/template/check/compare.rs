//! Comparisons that fail, or that have the same result for every input.

use super::problem::ProblemKind;
use super::subject::{NOWHERE, Subject};
use super::walk::Checker;
use crate::template::function::{Function, Kinds};

/// Kinds that can be compared with each other; both kinds of number can.
const CLASSES: [Kinds; 3] = [Kinds::STRING, Kinds::NUMBER, Kinds::BOOLEAN];

/// The limit of allowed values that a problem lists.
const MOST_ALLOWED: usize = 500;

impl<'a> Checker<'a> {
    pub fn compare(&mut self, function: &'static Function, given: &[Subject<'a>]) {
        let equality = matches!(function.name, "eq" | "ne");
        let Some((first, others)) = given.split_first() else { return };
        for (index, subject) in given.iter().enumerate() {
            let accepts = function
                .parameters
                .get(index)
                .or(function.parameters.last())
                .map_or(Kinds::ANY, |parameter| parameter.accepts);
            // A list may be compared with nil: it isn't equal. A value that is only sometimes
            // missing is different.
            let beside_nothing =
                if index == 0 { others.iter().all(is_nothing) } else { is_nothing(first) };
            match equality {
                true if beside_nothing => {}
                true => self.equal_argument(function, index, subject, accepts),
                false => self.argument(function, index, subject, accepts),
            }
        }
        for other in others {
            if !self.are_comparable(function, first, other, equality) {
                continue;
            }
            if equality && let Some((literal, subject)) = self.impossible(first, other) {
                let allowed = self.types.first_values(&subject.kind, MOST_ALLOWED);
                let Some(value) = literal.literal.and_then(|literal| literal.value()) else {
                    continue;
                };
                self.problem(
                    literal.span.clone(),
                    ProblemKind::ImpossibleValue { function: function.name, value, allowed },
                );
            }
        }
    }

    /// A missing or null value equals only itself.
    fn equal_argument(
        &mut self,
        function: &'static Function,
        index: usize,
        subject: &Subject<'a>,
        accepts: Kinds,
    ) {
        let there = Subject { kind: subject.kind.there(), ..subject.clone() };
        self.argument(function, index.min(function.parameters.len() - 1), &there, accepts);
    }

    fn are_comparable(
        &mut self,
        function: &'static Function,
        left: &Subject<'a>,
        right: &Subject<'a>,
        equality: bool,
    ) -> bool {
        // A value always has the same kind as itself.
        let same = left.path == right.path && left.path != NOWHERE;
        let all = Kinds::STRING.or(Kinds::NUMBER).or(Kinds::BOOLEAN);
        if same || left.kind.is_unknown() || right.kind.is_unknown() {
            for (unknown, other) in [(left, right), (right, left)] {
                let near = match other.kind.is_unknown() {
                    true if equality => Kinds::NONE,
                    true => Kinds::NUMBER,
                    false => other.kind.kinds().and(all),
                };
                let class = CLASSES.iter().find(|class| class.holds(near));
                if let Some(need) = self.need(unknown).filter(|_| !near.is_none()) {
                    need.near = need.near.or(near);
                    if let Some(class) = class.filter(|_| !other.kind.is_unknown()) {
                        need.kinds = need.kinds.and(*class);
                    }
                }
            }
            return true;
        }
        let (a, b) = (left.kind.kinds(), right.kind.kinds());
        let classes =
            |kinds: Kinds| CLASSES.iter().filter(|class| !kinds.and(**class).is_none()).count();
        let common = CLASSES
            .iter()
            .filter(|class| !a.and(**class).is_none() && !b.and(**class).is_none())
            .count();
        // Lists, objects and null were already reported as arguments.
        if classes(a) == 0 || classes(b) == 0 {
            return true;
        }
        let nullable = equality
            && (a.holds(Kinds::NULL)
                || b.holds(Kinds::NULL)
                || left.kind.may_be_missing()
                || right.kind.may_be_missing());
        let certain = common == 0 && !nullable;
        if common == 0 || classes(a) > 1 || classes(b) > 1 {
            let (left_kinds, right_kinds) = (a.and(all), b.and(all));
            let span = if right.literal.is_some() {
                right.span.clone()
            } else {
                left.span.start.min(right.span.start)..right.span.end.max(left.span.end)
            };
            self.problem(
                span,
                ProblemKind::Incomparable {
                    function: function.name,
                    left: left_kinds,
                    right: right_kinds,
                    certain,
                },
            );
            return false;
        }
        true
    }

    /// A constant, and the value that never equals it.
    fn impossible<'s>(
        &self,
        left: &'s Subject<'a>,
        right: &'s Subject<'a>,
    ) -> Option<(&'s Subject<'a>, &'s Subject<'a>)> {
        let (literal, subject) = match (left.literal, right.literal) {
            (None, Some(_)) => (right, left),
            (Some(_), None) => (left, right),
            _ => return None,
        };
        let value = literal.literal?.value().filter(|value| !value.is_null())?;
        (!self.types.lists(&subject.kind, &value)?).then_some((literal, subject))
    }
}

/// Missing or unknown.
fn is_nothing(subject: &Subject) -> bool {
    subject.kind.is_unknown() || subject.kind.kinds().without(Kinds::NULL).is_none()
}
