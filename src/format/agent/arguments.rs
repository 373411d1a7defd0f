//! Arguments in the body: text that a client replaces and its author may have meant literally, or
//! counted from another number.

use super::body;
use super::problem::{Cause, Problem};
use super::subject::Subject;
use crate::client::{Effect, Kind, Outcome};
use crate::text::Span;

/// Text in the body that clients replace by mistake.
pub fn problems<'a>(subject: &Subject<'a>) -> Vec<Problem<'a>> {
    let roles = subject.file.judged.iter().filter(|role| {
        role.reads.substitutes.as_ref().is_some_and(|substitutes| substitutes.first.is_some())
    });
    let mut roles = roles.peekable();
    if roles.peek().is_none() {
        return Vec::new();
    }
    let mut dollars: Vec<(Span, u32)> = Vec::new();
    let mut all = false;
    for (placed, found) in body::mentions(subject.cx.source) {
        all |= found.all;
        dollars.extend(found.dollars.iter().map(|dollar| {
            (placed.start + dollar.span.start..placed.start + dollar.span.end, dollar.number)
        }));
    }
    let Some((first, _)) = dollars.first() else { return Vec::new() };
    let has = |key: &str| subject.entry(key).is_some_and(|entry| !entry.value.is_absent());
    let takes_arguments = all || has("arguments") || has("argument-hint");
    let smallest = dollars.iter().map(|(_, number)| *number).min().unwrap_or_default();
    let mut found = Vec::new();
    for role in roles {
        let Some(from) = role.reads.substitutes.as_ref().and_then(|substitutes| substitutes.first)
        else {
            continue;
        };
        if !takes_arguments && subject.file.kind == Kind::Skill {
            let effect = Effect {
                outcome: Outcome::Partly,
                text: "replaced by arguments, in code too".to_owned(),
            };
            let problem =
                Problem::new(Cause::Substituted, role.client, None, first.clone(), effect);
            found.push(problem.with((dollars.len() - 1).to_string()));
        } else if from == 0 && smallest == 1 && has("argument-hint") && !has("arguments") {
            let (span, _) = dollars.iter().find(|(_, number)| *number == 1).unwrap_or(&dollars[0]);
            let effect =
                Effect { outcome: Outcome::Partly, text: "`$0` is the first argument".to_owned() };
            found.push(Problem::new(Cause::FirstArgument, role.client, None, span.clone(), effect));
        }
    }
    found
}

/// Every `$N` of the body, with its number.
pub fn dollars(subject: &Subject) -> Vec<(Span, u32)> {
    let all = body::mentions(subject.cx.source);
    all.flat_map(|(placed, found)| {
        found
            .dollars
            .iter()
            .map(|dollar| {
                (placed.start + dollar.span.start..placed.start + dollar.span.end, dollar.number)
            })
            .collect::<Vec<_>>()
    })
    .collect()
}
