use super::super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;
use crate::schema::{LintKind, SchemaErrorKind};

declare_rule! {
    /// Validating values against the schema takes too much work.
    ///
    /// Every nested `anyOf`, `oneOf` and `$ref` multiplies the work: twenty levels of `anyOf` with
    /// three branches each need three billion comparisons. agentmd estimates the steps first and
    /// doesn't validate such a `default` or example. `agentmd run` rejects values that cost more
    /// than two million steps.
    ///
    /// Use fewer levels. If branches differ in one property, describe that property with `enum` or
    /// `type` instead of repeating the whole schema.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input:
    ///   type: object
    ///   properties: { who: { $ref: "#/$defs/a", default: 1 } }
    ///   required: [who]
    ///   $defs:
    ///     a: { anyOf: [{ $ref: "#/$defs/b" }, { $ref: "#/$defs/b" }, { $ref: "#/$defs/b" }, { $ref: "#/$defs/b" }] }
    ///     b: { anyOf: [{ $ref: "#/$defs/c" }, { $ref: "#/$defs/c" }, { $ref: "#/$defs/c" }, { $ref: "#/$defs/c" }] }
    ///     c: { anyOf: [{ $ref: "#/$defs/d" }, { $ref: "#/$defs/d" }, { $ref: "#/$defs/d" }, { $ref: "#/$defs/d" }] }
    ///     d: { anyOf: [{ $ref: "#/$defs/e" }, { $ref: "#/$defs/e" }, { $ref: "#/$defs/e" }, { $ref: "#/$defs/e" }] }
    ///     e: { anyOf: [{ $ref: "#/$defs/f" }, { $ref: "#/$defs/f" }, { $ref: "#/$defs/f" }, { $ref: "#/$defs/f" }] }
    ///     f: { anyOf: [{ $ref: "#/$defs/g" }, { $ref: "#/$defs/g" }, { $ref: "#/$defs/g" }, { $ref: "#/$defs/g" }] }
    ///     g: { anyOf: [{ $ref: "#/$defs/h" }, { $ref: "#/$defs/h" }, { $ref: "#/$defs/h" }, { $ref: "#/$defs/h" }] }
    ///     h: { anyOf: [{ $ref: "#/$defs/i" }, { $ref: "#/$defs/i" }, { $ref: "#/$defs/i" }, { $ref: "#/$defs/i" }] }
    ///     i: { anyOf: [{ type: string }, { type: integer }, { type: boolean }, { type: array, items: { type: string } }] }
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
    /// input:
    ///   type: object
    ///   properties: { who: { $ref: "#/$defs/a", default: 1 } }
    ///   required: [who]
    ///   $defs:
    ///     a: { anyOf: [{ type: string }, { type: integer }, { type: boolean }] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/complex-schema", Warning, "Schema too complex to check";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    super::errors(context, &RULE, report, |kind| kind == SchemaErrorKind::TooComplex);
    super::lints(context, &RULE, report, &[LintKind::TooComplex]);
}
