use super::super::RuleContext;
use crate::declare_rule;
use crate::format::markdownlang::body::Unit;
use crate::rule::Report;
use crate::template::check::{Problem, ProblemKind};

declare_rule! {
    /// `nil` is used where a template needs a value: alone in an action, in a condition, in
    /// parentheses, or after `:=`.
    ///
    /// Rendering fails with *nil is not a command*: Go only accepts `nil` as an argument of a
    /// function. Remove the action, test the value itself (`{{ if .note }}`), or compare:
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
    pub static RULE = "markdownlang/nil-alone", Error, "`nil` used as a value";
}

pub fn check(_: &RuleContext, unit: &Unit, problem: &Problem, report: &mut Report) {
    if problem.kind == ProblemKind::NilAlone {
        let message =
            "`nil` is not a value, so rendering fails; remove it, or compare, as in `eq .x nil`";
        report.add(&RULE, unit.absolute(&problem.span), message);
    }
}
