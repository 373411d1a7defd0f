//! Arguments in the body: text that a client replaces, although its author may have meant it
//! literally or counted from another number.

use std::collections::BTreeSet;

use super::body::{self, Dollar};
use super::problem::{Cause, Problem};
use super::subject::Subject;
use crate::client::{Effect, Kind, Outcome};

/// Text in the body that clients replace by mistake.
pub fn problems<'a>(subject: &Subject<'a>) -> Vec<Problem<'a>> {
    let roles = subject.file.judged.iter().filter(|role| {
        role.reads.substitutes.as_ref().is_some_and(|substitutes| substitutes.first.is_some())
    });
    let mut roles = roles.peekable();
    if roles.peek().is_none() {
        return Vec::new();
    }
    let dollars = dollars(subject);
    let all = body::mentions(subject.cx.source).any(|(_, found)| found.all);
    let Some(first) = dollars.first().map(|dollar| &dollar.span) else { return Vec::new() };
    let has = |key: &str| subject.entry(key).is_some_and(|entry| !entry.value.is_absent());
    let takes_arguments = all || has("arguments") || has("argument-hint");
    // `$1` in a shell function is not an argument of the command, nor is one that isn't to be used.
    let meant = || dollars.iter().filter(|dollar| dollar.argument);
    let smallest = meant().min_by_key(|dollar| dollar.number);
    let largest = meant().map(|dollar| dollar.number).max().unwrap_or_default();
    let exceeds = |count: usize| usize::try_from(largest).is_ok_and(|largest| largest > count);
    let hinted = hinted(subject);
    // If a command takes its arguments as a whole and has more numbers than arguments, the numbers
    // mean something else, such as parameters of a query.
    let foreign = all && hinted > 0 && exceeds(hinted) && !has("arguments");
    let mut found = Vec::new();
    for role in roles {
        let Some(from) = role.reads.substitutes.as_ref().and_then(|substitutes| substitutes.first)
        else {
            continue;
        };
        let others = takes_arguments && smallest.is_none();
        let none = !takes_arguments && subject.file.kind == Kind::Skill;
        if none || others || foreign {
            let keeps = role.reads.substitutes.as_ref().is_some_and(|given| given.keeps_missing);
            let effect = if keeps && dollars.iter().all(|dollar| dollar.number > MOST_ARGUMENTS) {
                let text = "replaced only if so many arguments are given".to_owned();
                Effect { outcome: Outcome::Loaded, text }
            } else {
                let text = "replaced by arguments, in code too".to_owned();
                Effect { outcome: Outcome::Partly, text }
            };
            let problem =
                Problem::new(Cause::Substituted, role.client, None, first.clone(), effect);
            // Authors who declare no arguments don't mean any.
            let second = takes_arguments
                && from == 0
                && dollars.first().is_some_and(|dollar| dollar.argument && dollar.number == 1);
            let first_one = second.then(|| "$0".to_owned()).into_iter().collect();
            found.push(problem.with((dollars.len() - 1).to_string()).instead(first_one));
        } else if let Some(smallest) = smallest.filter(|dollar| {
            from == 0 && dollar.number == 1 && has("argument-hint") && !has("arguments")
        }) {
            // Authors who count from one use as many as the hint names. Fewer may be counted from
            // zero.
            let all_used = hinted == 0 || exceeds(hinted - 1);
            let outcome = if all_used { Outcome::Partly } else { Outcome::Loaded };
            let effect = Effect { outcome, text: "`$0` is the first argument".to_owned() };
            let span = smallest.span.clone();
            found.push(Problem::new(Cause::FirstArgument, role.client, None, span, effect));
        }
    }
    found
}

/// The highest number that means an argument: the command uses all numbers from `$1` up to it, or
/// `argument-hint` names that many. `$5` in a command with two arguments is a price.
pub fn counted(subject: &Subject) -> u32 {
    let used: BTreeSet<u32> = dollars(subject)
        .iter()
        .filter(|dollar| dollar.argument)
        .map(|dollar| dollar.number)
        .collect();
    let run = (1..=MOST_ARGUMENTS).take_while(|number| used.contains(number)).last();
    let hinted = u32::try_from(hinted(subject)).unwrap_or(u32::MAX);
    run.unwrap_or_default().max(hinted)
}

/// How many arguments `argument-hint` names: `[from] [to]`, or words. Its line is read as written,
/// because such a value often isn't valid YAML.
fn hinted(subject: &Subject) -> usize {
    let Some(entry) = subject.entry("argument-hint") else { return 0 };
    let line = subject.cx.source.line_span(subject.place(&entry.key.span).start);
    let text = subject.cx.source.slice(line);
    let value = text.split_once(':').map_or("", |(_, value)| value).trim();
    let mut depth = 0_u32;
    let mut groups = 0;
    for letter in value.chars() {
        match letter {
            '[' | '<' | '{' => {
                groups += usize::from(depth == 0);
                depth += 1;
            }
            ']' | '>' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    if groups > 0 { groups } else { value.split_whitespace().count().min(1) }
}

/// A call has no more arguments than this: `$250` is a price.
const MOST_ARGUMENTS: u32 = 9;

/// Every `$N` of the body.
pub fn dollars(subject: &Subject) -> Vec<Dollar> {
    let mut all = Vec::new();
    for (placed, found) in body::mentions(subject.cx.source) {
        all.extend(found.dollars.iter().map(|dollar| Dollar {
            span: placed.start + dollar.span.start..placed.start + dollar.span.end,
            ..dollar.clone()
        }));
    }
    all
}
