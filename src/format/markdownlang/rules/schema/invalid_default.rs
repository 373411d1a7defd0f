use super::super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;
use crate::schema::LintKind;

declare_rule! {
    /// The schema rejects its own `default`.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string, default: 7 } } }
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
    /// input: { type: object, properties: { who: { type: string, default: Ada } } }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who | default "all" }}.
    /// ````
    pub static RULE = "markdownlang/invalid-default", Warning, "Invalid `default`";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    super::lints(context, &RULE, report, &[LintKind::InvalidDefault]);
}
