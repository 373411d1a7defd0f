use serde_json::Value;

use super::super::RuleContext;
use crate::declare_rule;
use crate::format::markdownlang::body::Unit;
use crate::rule::{Fix, Report};
use crate::suggestion::closest;
use crate::template::check::{Problem, ProblemKind};
use crate::text::Edit;

declare_rule! {
    /// Two values are compared that are never equal: a property with an `enum` or `const` and a
    /// value that isn't listed, or values of incompatible types.
    ///
    /// The first is always false (or, with `ne`, always true); the second makes rendering fail.
    /// Usually it is a typo.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string, enum: [world, moon] } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// {{ if eq .who "wolrd" }}Greet all.{{ end }}
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string, enum: [world, moon] } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// {{ if eq .who "world" }}Greet all.{{ end }}
    /// ````
    pub static RULE = "markdownlang/impossible-comparison", Warning, "Impossible comparison";
}

/// At most this many values are listed in a message.
const MOST_LISTED: usize = 8;

pub fn check(_: &RuleContext, unit: &Unit, problem: &Problem, report: &mut Report) {
    let span = unit.absolute(&problem.span);
    match &problem.kind {
        ProblemKind::ImpossibleValue { function, value, allowed } => {
            let words = allowed.iter().filter_map(Value::as_str);
            let suggestion = value.as_str().and_then(|value| closest(value, words));
            let outcome = if *function == "ne" { "always true" } else { "never true" };
            let advice = match suggestion {
                Some(suggestion) => format!("; did you mean `{suggestion}`?"),
                None => format!("; the schema allows {}", listed(allowed)),
            };
            let finding = report.add(
                &RULE,
                span.clone(),
                format!("the schema does not allow {value}, so this is {outcome}{advice}"),
            );
            if let Some(suggestion) = suggestion {
                let edit = Edit::replace(span, Value::from(suggestion).to_string());
                finding.fix(Fix::suggestion(format!("Replace with `{suggestion}`"), vec![edit]));
            }
        }
        ProblemKind::Incomparable { function, left, right, certain } => {
            let verb = if *certain { "are" } else { "may be" };
            let message = format!(
                "`{function}` compares values of one type, but these {verb} {} and {}: rendering fails",
                left.words(),
                right.words()
            );
            report.add(&RULE, span, message);
        }
        _ => {}
    }
}

fn listed(allowed: &[Value]) -> String {
    let mut words: Vec<String> =
        allowed.iter().take(MOST_LISTED).map(|value| format!("`{value}`")).collect();
    if allowed.len() > MOST_LISTED {
        words.push("others".to_owned());
    }
    match words.split_last() {
        None => "nothing".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}
