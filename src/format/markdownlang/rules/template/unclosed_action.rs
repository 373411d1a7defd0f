use super::super::Subject;
use super::{errors, mends, text_of};
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::template::error::SyntaxErrorKind;
use crate::text::Edit;

declare_rule! {
    /// An action of the template is not closed: no `}}` stands behind its `{{`, or a comment has no
    /// `*/}}`.
    ///
    /// Nothing of the body can be rendered then. What the action was meant to hold ends with its
    /// line at the latest here, so that the rest of the body can be checked all the same.
    ///
    /// Write `}}` behind the last word of the action. To show two braces as they are, write
    /// `{{ "{{" }}`.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who in one sentence.
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
    /// Greet {{ .who }} in one sentence.
    /// ````
    pub static RULE = "markdownlang/unclosed-action", Error, "An action without `}}`";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for (unit, error) in errors(subject, |kind| {
        matches!(kind, SyntaxErrorKind::UnclosedAction | SyntaxErrorKind::UnclosedComment)
    }) {
        let text = text_of(subject, unit, &error.span);
        let span = unit.absolute(&error.span);
        let closing = match error.kind {
            SyntaxErrorKind::UnclosedComment => "*/}}",
            _ if text.ends_with('}') => "}",
            _ => " }}",
        };
        // A comment that ends with braces lacks its own end alone.
        let end = if closing == "*/}}" && text.ends_with("}}") {
            span.end - 2..span.end
        } else {
            span.end..span.end
        };
        let edits = vec![Edit::replace(end, closing)];
        let mended = mends(subject, unit, error, &edits, report);
        let finding = report.add(&RULE, span, error.message.clone());
        if mended {
            finding.fix(Fix::suggestion(format!("Insert `{}`", closing.trim_start()), edits));
        }
    }
}
