use super::super::RuleContext;
use crate::declare_rule;
use crate::format::markdownlang::body::Unit;
use crate::rule::Report;
use crate::template::check::{Problem, ProblemKind};
use crate::template::function::Kinds;

declare_rule! {
    /// `range` is used on a value without elements: a string, a number, a boolean.
    ///
    /// Rendering fails there. `range` only takes lists and objects; to loop over the parts of a
    /// string, write `range split .text ","`.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { names: { type: string } }, required: [names] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// {{ range .names }}Greet {{ . }}.{{ end }}
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { names: { type: string } }, required: [names] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// {{ range split .names "," }}Greet {{ . }}.{{ end }}
    /// ````
    pub static RULE = "markdownlang/range-over-scalar", Warning, "`range` over a value without elements";
}

pub fn check(_: &RuleContext, unit: &Unit, problem: &Problem, report: &mut Report) {
    let ProblemKind::NotIterable { given, certain } = &problem.kind else { return };
    let verb = if *certain { "is" } else { "may be" };
    let advice = if *given == Kinds::STRING {
        "; to loop over the parts of a string, use `split`"
    } else {
        ""
    };
    let message =
        format!("`range` takes a list or an object, but this {verb} {}{advice}", given.words());
    report.add(&RULE, unit.absolute(&problem.span), message);
}
