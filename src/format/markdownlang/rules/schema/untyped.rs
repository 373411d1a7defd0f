use super::super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;
use crate::schema::LintKind;

declare_rule! {
    /// A schema has no `type`, no reference and no other constraint, so it accepts every value.
    ///
    /// The specification requires a `type` in all schemas. With `const` and `enum`, which list the
    /// allowed values, agentmd doesn't insist on one.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { minLength: 1 } }, required: [who] }
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
    pub static RULE = "markdownlang/untyped-schema", Warning, "Schema without a type";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    super::lints(context, &RULE, report, &[LintKind::Untyped]);
}
