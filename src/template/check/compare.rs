//! Comparisons that fail, or that have the same result for every input.

use serde_json::Value;

use super::problem::ProblemKind;
use super::subject::{NOWHERE, Subject};
use super::walk::Checker;
use crate::template::function::{Function, Kinds};

/// Kinds that can be compared with each other; both kinds of number can.
const CLASSES: [Kinds; 3] = [Kinds::STRING, Kinds::NUMBER, Kinds::BOOLEAN];

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
                let allowed = self
                    .types
                    .values(&subject.kind)
                    .unwrap_or_default()
                    .into_iter()
                    .cloned()
                    .collect();
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
        if same || left.kind.is_unknown() || right.kind.is_unknown() {
            return true;
        }
        let all = Kinds::STRING.or(Kinds::NUMBER).or(Kinds::BOOLEAN);
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
        let allowed = self.types.values(&subject.kind)?;
        (!allowed.iter().any(|known| is_equal(known, &value))).then_some((literal, subject))
    }
}

/// Missing or unknown.
fn is_nothing(subject: &Subject) -> bool {
    subject.kind.is_unknown() || subject.kind.kinds().without(Kinds::NULL).is_none()
}

fn is_equal(left: &Value, right: &Value) -> bool {
    match (left.as_f64(), right.as_f64()) {
        (Some(left), Some(right)) => left.total_cmp(&right).is_eq() || left == right,
        _ => left == right,
    }
}
