use super::super::RuleContext;
use super::text_of;
use crate::declare_rule;
use crate::format::markdownlang::body::Unit;
use crate::rule::{Fix, Report};
use crate::template::check::{Problem, ProblemKind};
use crate::text::Edit;

declare_rule! {
    /// Text is piped into `split`, which takes the text first and the separator last.
    ///
    /// A piped value becomes the last argument, so `.names | split ","` splits the comma at every
    /// `.names`. Write the text after `split`, in parentheses if it is computed.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { names: { type: string } }, required: [names] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ range .names | split "," }}{{ . }} {{ end }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { names: { type: string } }, required: [names] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ range split .names "," }}{{ . }} {{ end }}.
    /// ````
    pub static RULE = "markdownlang/piped-split", Warning, "Text piped into `split`";
}

pub fn check(context: &RuleContext, unit: &Unit, problem: &Problem, report: &mut Report) {
    let ProblemKind::PipedSplit { text, separator } = &problem.kind else { return };
    let (written, separator) = (text_of(context, unit, text), text_of(context, unit, separator));
    let message = format!(
        "the piped value is the separator, so `split` splits {separator}; write the text after `split`"
    );
    let finding = report.add(&RULE, unit.absolute(&problem.span), message);
    let plain = !written.contains(char::is_whitespace)
        || written.starts_with('(') && written.ends_with(')') && written.matches('(').count() == 1;
    let operand = if plain { written } else { format!("({written})") };
    let edit = Edit::replace(
        unit.absolute(&(text.start..problem.span.end)),
        format!("split {operand} {separator}"),
    );
    finding.fix(Fix::suggestion(format!("Replace with `split {operand} {separator}`"), vec![edit]));
}
