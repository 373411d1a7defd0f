use super::super::Subject;
use super::problems;
use crate::declare_rule;
use crate::rule::Report;
use crate::template::check::{Effect, ProblemKind};
use crate::template::function::Kinds;

declare_rule! {
    /// A field is looked for in something that has no fields: a string, a number, a list, or what
    /// may be null.
    ///
    /// Rendering fails there. The elements of a list are reached with `range` or `index .items 0`;
    /// something that may be null or of several types needs an `if` in front that tells them apart.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who.name }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: object, properties: { name: { type: string } }, required: [name] } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who.name }}.
    /// ````
    pub static RULE = "markdownlang/not-an-object", Warning, "A field of something that has no fields";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for (unit, problem) in problems(subject) {
        let message = match &problem.kind {
            ProblemKind::NotAnObject { name, given, certain: true } if *given == Kinds::LIST => {
                format!(
                    "A list has no field `{name}`: go through it with `range`, or take one element with `index`."
                )
            }
            ProblemKind::NotAnObject { name, given, certain: true } => {
                format!(
                    "`{name}` is looked for in a value that has no fields: {}. Declare it as an object in `input`, or leave the field out.",
                    given.words()
                )
            }
            ProblemKind::NotAnObject { name, given, certain: false } => {
                format!(
                    "`{name}` is looked for in a value that may be {}, which has no fields. Guard it, or declare it as an object alone.",
                    given.words()
                )
            }
            ProblemKind::PossiblyMissing(missing)
                if missing.null && missing.effect == Effect::Fails =>
            {
                format!(
                    "`{}` may be null, and rendering fails then. Guard it with `if` or `with`.",
                    missing.name
                )
            }
            _ => continue,
        };
        report.add(&RULE, unit.absolute(&problem.span), message);
    }
}
