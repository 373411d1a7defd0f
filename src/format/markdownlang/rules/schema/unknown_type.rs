use super::super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;
use crate::schema::SchemaErrorKind;

declare_rule! {
    /// The `type` doesn't exist. JSON Schema has seven: `string`, `number`, `integer`, `boolean`,
    /// `array`, `object` and `null`.
    ///
    /// Dates, addresses and the like are strings with a `format`.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: str } }, required: [who] }
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
    pub static RULE = "markdownlang/unknown-type", Error, "Unknown type";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    super::errors(context, &RULE, report, |kind| kind == SchemaErrorKind::UnknownType);
}
