use super::super::RuleContext;
use super::text_of;
use crate::declare_rule;
use crate::format::markdownlang::body::Unit;
use crate::rule::Report;
use crate::template::check::{Problem, ProblemKind};

declare_rule! {
    /// A function has too few or too many arguments, or a value that isn't a function has
    /// arguments.
    ///
    /// Rendering fails there. A piped value becomes the last argument: `.name | default "N/A"` is
    /// `default "N/A" .name`. Use parentheses to nest calls: `upper (join .names ", ")`.
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
    pub static RULE = "markdownlang/argument-count", Error, "Wrong number of arguments";
}

pub fn check(context: &RuleContext, unit: &Unit, problem: &Problem, report: &mut Report) {
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
                "`{function}` takes {wanted} {plural}, but this call has {given} (including a piped value)"
            )
        }
        ProblemKind::NotAFunction => {
            format!(
                "`{}` is not a function: it takes no arguments and no piped value",
                text_of(context, unit, &problem.span)
            )
        }
        _ => return,
    };
    report.add(&RULE, unit.absolute(&problem.span), message);
}
