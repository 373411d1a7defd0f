use super::super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;
use crate::schema::SchemaErrorKind;

declare_rule! {
    /// The target of a `$ref` doesn't exist, is outside the schema, or leads back to itself.
    ///
    /// agentmd doesn't fetch references: define the target under `$defs` and refer to it with
    /// `#/$defs/name`.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { $ref: "#/$defs/person", $defs: { persons: { type: object, properties: { who: { type: string } }, required: [who] } } }
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
    /// input: { $ref: "#/$defs/person", $defs: { person: { type: object, properties: { who: { type: string } }, required: [who] } } }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/unresolved-reference", Error, "Unresolved `$ref`";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    super::errors(context, &RULE, report, |kind| {
        matches!(
            kind,
            SchemaErrorKind::UnresolvedReference
                | SchemaErrorKind::RemoteReference
                | SchemaErrorKind::EndlessReference
        )
    });
}
