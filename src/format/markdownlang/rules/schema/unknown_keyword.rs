use super::super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;
use crate::schema::LintKind;

declare_rule! {
    /// A schema contains a key that isn't a keyword of Draft 2020-12, so it has no effect: it is
    /// misspelled, comes from an earlier draft or from OpenAPI, or is a property that belongs under
    /// `properties`.
    ///
    /// Keys that begin with `x-` are not reported.
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
    pub static RULE = "markdownlang/unknown-keyword", Warning, "Unknown keyword";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    super::lints(context, &RULE, report, &[LintKind::UnknownKeyword, LintKind::RetiredKeyword]);
}
