use super::super::layout::End;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A `[ACTION_N_CONTENT_START]` has no `[ACTION_N_CONTENT_END]`. agentmd ends the content
    /// before the next action, or at the end of the file. The reference parser continues to the
    /// next end marker of any action, loses this content, and adds the lines between to that one.
    ///
    /// At the end of a file it usually means that the reply was cut short: ask for the rest instead
    /// of applying it.
    ///
    /// ````markdown bad
    /// [REASONING]
    /// All tests pass.
    ///
    /// [CONFIDENCE] 0.9
    /// [MOOD] 0.8
    /// [FOCUS] 0.9
    /// [STAMINA] 0.7
    ///
    /// [ACTION_0_TYPE] create_file
    /// [ACTION_0_PATH] hello.py
    /// [ACTION_0_CONTENT_START]
    /// print("hello")
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] Nothing was left to do.
    /// ````
    ///
    /// ````markdown good
    /// [REASONING]
    /// All tests pass.
    ///
    /// [CONFIDENCE] 0.9
    /// [MOOD] 0.8
    /// [FOCUS] 0.9
    /// [STAMINA] 0.7
    ///
    /// [ACTION_0_TYPE] create_file
    /// [ACTION_0_PATH] hello.py
    /// [ACTION_0_CONTENT_START]
    /// print("hello")
    /// [ACTION_0_CONTENT_END]
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/unclosed-content", Error, "Unclosed content";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let layout = context.layout();
    for content in &layout.contents {
        let (End::Missing(next), Some(mark)) = (content.end, context.mark(content.start)) else {
            continue;
        };
        let index = content.index;
        let until = if next.is_some() {
            "which the reference parser loses, up to the next end marker"
        } else {
            "which the reference parser loses; the reply may be cut short"
        };
        let message = format!("unclosed content, {until}; add `[ACTION_{index}_CONTENT_END]`");
        let finding = report.add(&RULE, mark.span.clone(), message);
        let end = mark.line.end;
        let close = context.meant_in(&(end..content.span.end.max(end)));
        if let Some((meant, wrong)) =
            close.and_then(|meant| Some((meant, context.mark(meant.mark)?)))
        {
            finding.relate(wrong.span.clone(), format!("did you mean `[{}]`?", meant.name));
            let name = format!("[{}]", meant.name);
            let indent = context.text(&(wrong.line.start..wrong.span.start));
            let (title, from) = match (indent.trim().is_empty(), context.text(&wrong.span) == name)
            {
                (true, true) => ("Remove the indentation".to_owned(), wrong.line.start),
                (true, false) => (format!("Replace with `{name}`"), wrong.line.start),
                (false, _) => (format!("Replace with `{name}`"), wrong.span.start),
            };
            let edit = Edit::replace(from..wrong.span.end, name);
            finding.fix(Fix::suggestion(title, vec![edit]));
            continue;
        }
        // Blank lines before the next action aren't content.
        let text = context.trimmed_end(&content.span);
        let at = if text == content.span.start { end } else { text };
        let line = format!("{}[ACTION_{index}_CONTENT_END]", context.line_break);
        finding.fix(Fix::suggestion("Add the end", vec![Edit::insert(at, line)]));
    }
}
