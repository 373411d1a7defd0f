use super::RuleContext;
use crate::declare_rule;
use crate::format::blocks::chain::Manner;
use crate::format::blocks::check::{next_line, whole_lines};
use crate::format::blocks::written::Mark;
use crate::rule::{Fix, Report};
use crate::text::{Edit, Span};

declare_rule! {
    /// The markers of a block start at the beginning of a line, or all after the same one, two or
    /// three spaces. Many programs don't recognise markers that are indented further or differently
    /// from each other.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    /// print(time.time())
    ///   =======
    /// print(time.ctime())
    /// >>>>>> REPLACE
    /// ````
    ///
    /// ````markdown good within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    /// print(time.time())
    /// =======
    /// print(time.ctime())
    /// >>>>>> REPLACE
    /// ````
    pub static RULE = "edit/marker-indent", Warning, "Inconsistent marker indentation";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    if context.manner == Manner::Reply {
        return;
    }
    for item in context.odd() {
        let marks: Vec<Mark> = item.written.marks().map(|mark| mark.shifted(item.start)).collect();
        let indent = item.head().indent();
        let Some(wrong) = marks.iter().find(|mark| mark.indent() != indent || mark.indent() > 3)
        else {
            continue;
        };
        let what = if wrong.indent() == indent {
            "is indented by more than three spaces"
        } else {
            "isn't indented like its block's first one"
        };
        let message = format!("this marker {what}; begin every marker at the start of its line");
        let finding = report.add(&RULE, wrong.span.clone(), message);
        let lead = context.text(&(item.head().line.start..item.head().span.start));
        let lines = lines(context, &whole_lines(context.cx.source, &item.block.span()));
        let blank = |line: &Span| context.text(line).trim().is_empty();
        let all = lines.iter().all(|line| blank(line) || context.text(line).starts_with(&lead));
        let edits = if all && indent > 3 {
            lines
                .iter()
                .filter(|line| !blank(line))
                .map(|line| Edit::delete(line.start..line.start + lead.len()))
                .collect()
        } else {
            marks
                .iter()
                .filter(|mark| mark.indent() > 0)
                .map(|mark| Edit::delete(mark.line.start..mark.span.start))
                .collect()
        };
        finding.fix(Fix::safe("Begin the markers at the start of a line", edits));
    }
}

fn lines(context: &RuleContext, span: &Span) -> Vec<Span> {
    let (mut found, mut at) = (Vec::new(), span.start);
    while at < span.end {
        let line = context.cx.source.line_span(at);
        at = next_line(context.cx.source, line.end).max(at + 1);
        found.push(line);
    }
    found
}
