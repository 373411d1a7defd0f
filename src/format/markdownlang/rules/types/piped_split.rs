use super::super::Subject;
use super::{problems, text_of};
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::template::check::ProblemKind;
use crate::text::Edit;

declare_rule! {
    /// A text is piped into `split`, which takes the text first and the separator last.
    ///
    /// What a pipe brings is the last argument, so `.names | split ","` splits the comma at every
    /// `.names`. Write the text behind `split`, or what it is computed by in parentheses.
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
    pub static RULE = "markdownlang/piped-split", Warning, "A text that is piped into split";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for (unit, problem) in problems(subject) {
        let ProblemKind::PipedSplit { text, separator } = &problem.kind else { continue };
        let (written, separator) =
            (text_of(subject, unit, text), text_of(subject, unit, separator));
        let message = format!(
            "The pipe brings the separator here, so {separator} is what is split. Write the text behind `split`."
        );
        let finding = report.add(&RULE, unit.absolute(&problem.span), message);
        let plain = !written.contains(char::is_whitespace)
            || written.starts_with('(')
                && written.ends_with(')')
                && written.matches('(').count() == 1;
        let operand = if plain { written } else { format!("({written})") };
        let edit = Edit::replace(
            unit.absolute(&(text.start..problem.span.end)),
            format!("split {operand} {separator}"),
        );
        finding.fix(Fix::suggestion(
            format!("Replace with `split {operand} {separator}`"),
            vec![edit],
        ));
    }
}
