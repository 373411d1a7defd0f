use super::super::Subject;
use crate::declare_rule;
use crate::rule::Report;
use crate::schema::LintKind;

declare_rule! {
    /// An object declares properties and requires none of them: `{}` passes. Where that is not
    /// meant, list in `required` what must be there. This is off by default.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } } }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who | default "all" }}.
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
    /// Greet {{ .who | default "all" }}.
    /// ````
    pub static RULE = "markdownlang/missing-required", Hint, "An object that requires none of its properties", off;
}

pub fn check(subject: &Subject, report: &mut Report) {
    super::lints(subject, &RULE, report, &[LintKind::NothingRequired]);
}
