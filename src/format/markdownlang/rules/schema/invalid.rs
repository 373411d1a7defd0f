use super::super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;
use crate::schema::SchemaErrorKind;

declare_rule! {
    /// `input` or `output` isn't a JSON Schema of Draft 2020-12: a keyword has an invalid value.
    ///
    /// Such a schema can't validate anything, so the program doesn't run.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: who }
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
    pub static RULE = "markdownlang/invalid-schema", Error, "Invalid schema";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    super::errors(context, &RULE, report, |kind| {
        !matches!(
            kind,
            SchemaErrorKind::UnknownType
                | SchemaErrorKind::UnsupportedDialect
                | SchemaErrorKind::UnresolvedReference
                | SchemaErrorKind::RemoteReference
                | SchemaErrorKind::EndlessReference
                | SchemaErrorKind::TooComplex
        )
    });
}
