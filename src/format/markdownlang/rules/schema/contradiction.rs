use super::super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;
use crate::schema::LintKind;

declare_rule! {
    /// The limits of a schema contradict each other, so it rejects every value that has them:
    /// `minimum` is above `maximum`, `minLength` above `maxLength`, or `minItems` above `maxItems`.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string, minLength: 9, maxLength: 3 } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string, minLength: 3, maxLength: 9 } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/contradiction", Warning, "Contradictory limits";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    super::lints(context, &RULE, report, &[LintKind::Contradiction]);
}
