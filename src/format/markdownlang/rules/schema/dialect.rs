use super::super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;
use crate::schema::SchemaErrorKind;

declare_rule! {
    /// `$schema` names a dialect other than Draft 2020-12, the only one that programs support.
    ///
    /// The keyword is optional: remove it, or write `https://json-schema.org/draft/2020-12/schema`.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { $schema: "http://json-schema.org/draft-07/schema#", type: object, properties: { who: { type: string } }, required: [who] }
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
    /// input: { $schema: "https://json-schema.org/draft/2020-12/schema", type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/unsupported-dialect", Error, "Unsupported `$schema`";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    super::errors(context, &RULE, report, |kind| kind == SchemaErrorKind::UnsupportedDialect);
}
