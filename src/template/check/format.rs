//! The verbs of `printf`.

use super::problem::{Effect, ProblemKind};
use super::subject::{Literal, Subject};
use super::walk::Checker;
use crate::template::function::Kinds;
use crate::text::Span;

impl<'a> Checker<'a> {
    pub fn format(&mut self, span: &Span, format: Option<&Subject<'a>>, values: &[Subject<'a>]) {
        values.iter().for_each(|value| self.consume(value, Effect::Nil));
        let Some(Literal::Text(text)) = format.and_then(|format| format.literal) else { return };
        let Some(verbs) = verbs(text) else { return };
        if verbs.len() != values.len() {
            self.problem(
                span.clone(),
                ProblemKind::FormatCount { verbs: verbs.len(), given: values.len() },
            );
            return;
        }
        for (verb, value) in verbs.into_iter().zip(values) {
            // A verb formats lists and objects too, and null or missing values were already
            // reported.
            if let Some(need) = self.need(value) {
                need.kinds = need.kinds.and(printable(verb));
            }
            let through = Kinds::LIST.or(Kinds::OBJECT).or(Kinds::NULL);
            let given = value.kind.kinds().without(printable(verb).or(through));
            if !value.kind.is_unknown()
                && !given.is_none()
                && value.kind.kinds().and(printable(verb)).is_none()
            {
                self.problem(value.span.clone(), ProblemKind::FormatVerb { verb, given });
            }
        }
    }
}

/// The verbs of a format, with `*` for a width that is an argument; `None` if some verbs choose
/// their arguments by number.
fn verbs(format: &str) -> Option<Vec<char>> {
    let mut verbs = Vec::new();
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        if character != '%' {
            continue;
        }
        for character in characters.by_ref() {
            match character {
                '[' => return None,
                '*' => verbs.push('*'),
                '-' | '+' | '#' | ' ' | '.' | '0'..='9' => {}
                '%' => break,
                verb => {
                    verbs.push(verb);
                    break;
                }
            }
        }
    }
    Some(verbs)
}

/// The kinds that a verb accepts.
fn printable(verb: char) -> Kinds {
    match verb {
        'v' | 'T' => Kinds::ANY,
        't' => Kinds::BOOLEAN,
        's' => Kinds::STRING,
        'q' => Kinds::STRING.or(Kinds::INTEGER),
        'x' | 'X' => Kinds::STRING.or(Kinds::NUMBER),
        'd' | 'o' | 'O' | 'c' | 'U' | '*' => Kinds::INTEGER,
        'b' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G' => Kinds::NUMBER,
        _ => Kinds::NONE,
    }
}
