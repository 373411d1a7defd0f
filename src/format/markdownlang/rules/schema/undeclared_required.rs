use super::super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;
use crate::schema::LintKind;

declare_rule! {
    /// `required` names a property that `properties` doesn't declare. Usually one of the two is
    /// misspelled, so no value with the declared names is valid.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [whom] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet everyone in {{ . }}.
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
    /// Greet everyone in {{ . }}.
    /// ````
    pub static RULE = "markdownlang/undeclared-required", Warning, "Required property is not declared";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    super::lints(context, &RULE, report, &[LintKind::UndeclaredRequired]);
}
