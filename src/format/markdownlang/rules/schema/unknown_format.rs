use super::super::Subject;
use crate::declare_rule;
use crate::rule::Report;
use crate::schema::LintKind;

declare_rule! {
    /// A `format` that JSON Schema does not define. Nothing checks it; a model may still read it as
    /// a hint.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string, format: datetime } }, required: [who] }
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
    /// input: { type: object, properties: { who: { type: string, format: date-time } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/unknown-format", Info, "A format that the standard does not define";
}

pub fn check(subject: &Subject, report: &mut Report) {
    super::lints(subject, &RULE, report, &[LintKind::UnknownFormat]);
}
