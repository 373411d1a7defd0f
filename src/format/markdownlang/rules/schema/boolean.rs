use super::super::Subject;
use crate::declare_rule;
use crate::rule::Report;
use crate::schema::LintKind;

declare_rule! {
    /// `true` is a schema that accepts everything, `false` one that accepts nothing. Both are
    /// valid, and neither tells a model what to write. Say of which type the value is.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: true }, required: [who] }
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
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/boolean-schema", Warning, "`true` or `false` as a schema";
}

pub fn check(subject: &Subject, report: &mut Report) {
    super::lints(subject, &RULE, report, &[LintKind::BooleanSchema]);
}
