use super::super::RuleContext;
use super::{errors, mends, text_of};
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::template::error::SyntaxErrorKind;
use crate::text::Edit;

declare_rule! {
    /// A template action is not closed: its `{{` has no `}}`, or a comment has no `*/}}`.
    ///
    /// The body can't be rendered at all. To check the rest of the body, agentmd ends the action at
    /// the end of its line.
    ///
    /// Write `}}` after the last word of the action. To print two literal braces, write
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
    pub static RULE = "markdownlang/unclosed-action", Error, "Unclosed action";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (ref unit, error) in errors(context, |kind| {
        matches!(kind, SyntaxErrorKind::UnclosedAction | SyntaxErrorKind::UnclosedComment)
    }) {
        let text = text_of(context, unit, &error.span);
        let span = unit.absolute(&error.span);
        let closing = match error.kind {
            SyntaxErrorKind::UnclosedComment => "*/}}",
            _ if text.ends_with('}') => "}",
            _ => " }}",
        };
        // A comment that ends with braces only lacks its own end.
        let end = if closing == "*/}}" && text.ends_with("}}") {
            span.end - 2..span.end
        } else {
            span.end..span.end
        };
        let edits = vec![Edit::replace(end, closing)];
        let mended = mends(context, unit, error, &edits, report);
        let finding = report.add(&RULE, span, error.message.clone());
        if mended {
            finding.fix(Fix::suggestion(format!("Insert `{}`", closing.trim_start()), edits));
        }
    }
}
