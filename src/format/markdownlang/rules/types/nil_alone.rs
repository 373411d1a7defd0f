use super::super::Subject;
use super::problems;
use crate::declare_rule;
use crate::rule::Report;
use crate::template::check::ProblemKind;

declare_rule! {
    /// `nil` stands where a template wants a value: alone in an action, in a condition, in
    /// parentheses, behind `:=`.
    ///
    /// Rendering fails there with *nil is not a command*: Go knows `nil` only as an argument of a
    /// function. Leave the action out, ask for the value itself (`{{ if .note }}`), or compare:
    /// `{{ if eq .note nil }}`.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}{{ nil }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: [string, "null"] } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ if ne .who nil }}{{ .who }}{{ end }}.
    /// ````
    pub static RULE = "markdownlang/nil-alone", Error, "`nil` where a value is wanted";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for (unit, problem) in problems(subject) {
        if problem.kind == ProblemKind::NilAlone {
            let message = "`nil` alone is no value: rendering fails here. Leave it out, or compare with it, as in `eq .x nil`.";
            report.add(&RULE, unit.absolute(&problem.span), message);
        }
    }
}
