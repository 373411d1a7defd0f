use super::super::Subject;
use crate::declare_rule;
use crate::rule::Report;
use crate::schema::SchemaErrorKind;

declare_rule! {
    /// `input` or `output` is not a JSON Schema of Draft 2020-12: a keyword has a value that it
    /// cannot have.
    ///
    /// Nothing can be checked against such a schema, so the program does not run.
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
    pub static RULE = "markdownlang/invalid-schema", Error, "A schema that is not valid";
}

pub fn check(subject: &Subject, report: &mut Report) {
    super::errors(subject, &RULE, report, |kind| {
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
