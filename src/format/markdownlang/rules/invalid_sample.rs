use super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;
use crate::schema;
use crate::yaml;

declare_rule! {
    /// `sample` is an example of the input: `agentmd render --sample`, `agentmd run --sample` and
    /// tests without an input use it. This one doesn't validate against the `input` schema.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// sample:
    ///   who: 3
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
    /// sample:
    ///   who: Ada
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/invalid-sample", Warning, "Sample doesn't match the input schema";
}

/// The limit of errors reported for one sample.
const MOST: usize = 20;

pub fn check(context: &RuleContext, report: &mut Report) {
    let Some(entry) = context.entry("sample") else { return };
    let Some(sample) = context.sample().filter(|_| context.has_sound_input()) else { return };
    let Some(input) = &context.schemas().input else { return };
    let Ok(compiled) = schema::compile(&input.value) else { return };
    for error in compiled.errors_in_document(&sample).into_iter().take(MOST) {
        let place = yaml::locate(&entry.value, &error.pointer, &context.anchors);
        let span = place.map_or(entry.value.span.clone(), |place| place.node.span.clone());
        // A block has no better place than its key.
        let span = if span.is_empty() || context.text(&span).contains('\n') {
            entry.key.span.clone()
        } else {
            span
        };
        report.add(
            &RULE,
            context.absolute(&span),
            format!("the sample doesn't match `input`: {}", error.message),
        );
    }
}
