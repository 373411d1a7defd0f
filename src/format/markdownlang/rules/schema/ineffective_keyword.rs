use super::super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;
use crate::schema::LintKind;

declare_rule! {
    /// A keyword has no effect: it applies to values of another type than the declared one, or
    /// needs another keyword next to it.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string, minimum: 1 } }, required: [who] }
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
    /// input: { type: object, properties: { who: { type: string, minLength: 1 } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/ineffective-keyword", Info, "Keyword without effect";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    super::lints(context, &RULE, report, &[LintKind::IneffectiveKeyword]);
}
