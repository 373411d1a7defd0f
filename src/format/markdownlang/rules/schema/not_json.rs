use super::super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;
use crate::yaml::ProblemKind;

declare_rule! {
    /// A schema contains YAML that JSON can't express: `.nan`, `.inf`, an alias inside its own
    /// anchor, aliases that expand without end, or a merge key that doesn't name a mapping.
    ///
    /// The model gets schemas as JSON. Keys that are numbers or booleans are fine: they become
    /// strings.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string }, age: { type: number, maximum: .inf } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}{{ if .age }}, who is {{ .age }}{{ end }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string }, age: { type: number, maximum: 150 } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}{{ if .age }}, who is {{ .age }}{{ end }}.
    /// ````
    pub static RULE = "markdownlang/not-json", Error, "Schema not expressible in JSON";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for problem in context.program.schemas().each().flat_map(|(_, schema)| &schema.problems) {
        if !matches!(
            problem.kind,
            ProblemKind::NonStringKey(_)
                | ProblemKind::DuplicateKey(_)
                | ProblemKind::UndefinedAlias
        ) {
            report.add(&RULE, context.absolute(&problem.span), problem.message.clone());
        }
    }
}
