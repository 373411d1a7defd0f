use super::super::RuleContext;
use super::errors;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::template::error::SyntaxErrorKind;
use crate::text::{Edit, Span};

declare_rule! {
    /// An `{{ end }}` or `{{ else }}` is outside any block: every `if`, `range`, `with`, `define`
    /// and `block` before it is already closed.
    ///
    /// Remove it, or write the action that opens the block.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.{{ end }}
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
    pub static RULE = "markdownlang/unopened-block", Error, "Unmatched `{{ end }}` or `{{ else }}`";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (ref unit, error) in errors(context, |kind| *kind == SyntaxErrorKind::UnopenedBlock) {
        let span = unit.absolute(&error.span);
        let fix = Fix::suggestion("Remove it", vec![Edit::delete(whole_line(context, &span))]);
        report.add(&RULE, span, error.message.clone()).fix(fix);
    }
}

/// The line with its break, if it contains nothing else.
fn whole_line(context: &RuleContext, span: &Span) -> Span {
    let source = context.cx.source;
    let line = source.line_span(span.start);
    let alone = |span: Span| source.slice(span).trim().is_empty();
    if line.end < span.end || !alone(line.start..span.start) || !alone(span.end..line.end) {
        return span.clone();
    }
    let behind = line.end + source.line_break().len();
    line.start..if source.slice(line.end..behind) == source.line_break() {
        behind
    } else {
        line.end
    }
}
