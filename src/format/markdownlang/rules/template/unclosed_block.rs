use super::super::RuleContext;
use super::{errors, mends};
use crate::declare_rule;
use crate::format::markdownlang::body::Unit;
use crate::rule::{Fix, Report};
use crate::template::error::{SyntaxError, SyntaxErrorKind};
use crate::text::Edit;

declare_rule! {
    /// An `if`, `range`, `with`, `define` or `block` has no `{{ end }}`.
    ///
    /// Each of them needs its own: an `{{ end }}` closes the innermost open block, so the outermost
    /// one is reported, even if you forgot the end of an inner one.
    ///
    /// Write `{{ end }}` where the block ends.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// {{ if .who }}Greet {{ .who }}.
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
    /// {{ if .who }}Greet {{ .who }}.{{ end }}
    /// ````
    pub static RULE = "markdownlang/unclosed-block", Error, "Block without `{{ end }}`";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (ref unit, error) in errors(context, |kind| *kind == SyntaxErrorKind::UnclosedBlock) {
        let fixes: Vec<Fix> = places(context, unit, error)
            .into_iter()
            .filter(|(_, edit)| mends(context, unit, error, std::slice::from_ref(edit), report))
            .map(|(title, edit)| Fix::suggestion(title, vec![edit]))
            .collect();
        let finding = report.add(&RULE, unit.absolute(&error.span), error.message.clone());
        finding.fixes.extend(fixes);
    }
}

/// Where the block may end: at the end of the line or the paragraph that it begins, or of the body.
fn places(context: &RuleContext, unit: &Unit, error: &SyntaxError) -> Vec<(&'static str, Edit)> {
    let source = context.cx.source;
    let (opening, line_break) = (unit.absolute(&error.span), source.line_break());
    let line_end = source.line_span(opening.end).end;
    let text = source.slice(unit.span());
    let near = if source.slice(opening.end..line_end).trim().is_empty() {
        let mut end = line_end;
        // The paragraph below: lines that aren't blank.
        while end < unit.span().end {
            let next = source.line_span(source.line_span(end).end + line_break.len());
            if next.start <= end
                || next.end > unit.span().end
                || source.slice(next.clone()).trim().is_empty()
            {
                break;
            }
            end = next.end;
        }
        (
            "Insert `{{ end }}` after the paragraph",
            Edit::insert(end, format!("{line_break}{{{{ end }}}}")),
        )
    } else {
        ("Insert `{{ end }}` at the end of the line", Edit::insert(line_end, "{{ end }}"))
    };
    let end = unit.start + text.trim_end().len();
    let last = (
        "Insert `{{ end }}` at the end of the body",
        Edit::insert(end, format!("{line_break}{{{{ end }}}}")),
    );
    if near.1.span == last.1.span { vec![near] } else { vec![near, last] }
}
