use super::super::Subject;
use super::{problems, text_of};
use crate::declare_rule;
use crate::rule::Report;
use crate::template::check::ProblemKind;

declare_rule! {
    /// A function is called with fewer arguments than it needs, or with more than it takes; or
    /// something that is no function has arguments behind it.
    ///
    /// Rendering fails there. What a pipe brings is the last argument: `.name | default "N/A"` is
    /// `default "N/A" .name`. Parentheses keep calls apart: `upper (join .names ", ")`.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ upper .who .who }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ upper .who }}.
    /// ````
    pub static RULE = "markdownlang/argument-count", Error, "Too few or too many arguments";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for (unit, problem) in problems(subject) {
        let message = match &problem.kind {
            ProblemKind::ArgumentCount { function, least, most, given } => {
                let wanted = match most {
                    Some(most) if most == least => format!("{least}"),
                    Some(most) => format!("{least} to {most}"),
                    None => format!("at least {least}"),
                };
                let plural =
                    if wanted == "1" || wanted == "at least 1" { "argument" } else { "arguments" };
                format!(
                    "`{function}` takes {wanted} {plural}, and this call has {given}. What a pipe brings counts as the last one."
                )
            }
            ProblemKind::NotAFunction => {
                format!(
                    "`{}` is no function: it cannot have arguments, nor take what a pipe brings.",
                    text_of(subject, unit, &problem.span)
                )
            }
            _ => continue,
        };
        report.add(&RULE, unit.absolute(&problem.span), message);
    }
}
