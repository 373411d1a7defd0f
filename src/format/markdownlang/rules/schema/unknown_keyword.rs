use super::super::Subject;
use crate::declare_rule;
use crate::rule::Report;
use crate::schema::LintKind;

declare_rule! {
    /// A schema holds a word that is no keyword of Draft 2020-12, so it has no effect: it is
    /// misspelt, comes from an earlier draft or from OpenAPI, or is a property that must stand
    /// under `properties`.
    ///
    /// Words that begin with `x-` are left alone.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, requird: [who] }
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
    pub static RULE = "markdownlang/unknown-keyword", Warning, "A word that is no keyword of JSON Schema";
}

pub fn check(subject: &Subject, report: &mut Report) {
    super::lints(subject, &RULE, report, &[LintKind::UnknownKeyword, LintKind::RetiredKeyword]);
}
