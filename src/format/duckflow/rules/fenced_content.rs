use std::path::Path;

use super::super::plan::holds_edit_blocks;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::{Edit, Span};
use crate::world::is_markdown;

declare_rule! {
    /// The content of an action is in a Markdown fence. Content is taken as it is, so the lines of
    /// the fence become part of the file.
    ///
    /// Remove them. In a Markdown file, and around edit blocks, a fence isn't reported.
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
    /// [ACTION_0_PATH] new.py
    /// [ACTION_0_CONTENT_START]
    /// ```python
    /// print("hello")
    /// ```
    /// [ACTION_0_CONTENT_END]
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] There is a greeting.
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
    /// [ACTION_0_PATH] new.py
    /// [ACTION_0_CONTENT_START]
    /// print("hello")
    /// [ACTION_0_CONTENT_END]
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] There is a greeting.
    /// ````
    pub static RULE = "duckflow/fenced-content", Warning, "Content in a Markdown fence";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (_, action) in &context.order {
        let Some(path) = context.parameter(action, "PATH") else { continue };
        let path = context.text(&context.value(path));
        // Without an extension, it may be Markdown too.
        if !path.contains('.') || is_markdown(Path::new(&*path)) {
            continue;
        }
        let contents = action.contents.iter();
        for content in contents.filter_map(|at| context.layout().contents.get(*at)) {
            let Some((open, close)) = fence(context, &content.span) else { continue };
            let message = "the fence becomes part of the file; write the content without it";
            let finding = report.add(&RULE, open.clone(), message);
            finding.relate(close.clone(), "the fence ends here");
            let pair = |at: usize| context.text(&(at..at + 2)) == "\r\n";
            let first = open.end + 1 + usize::from(pair(open.end));
            let above = close.start - 1 - usize::from(pair(close.start - 2));
            let edits = vec![
                Edit::delete(open.start..first),
                Edit::delete(above.max(first)..content.span.end),
            ];
            finding.fix(Fix::suggestion("Remove the fence", edits));
        }
    }
}

/// The lines of the only fence in some content, if they are its first and its last line.
fn fence(context: &RuleContext, content: &Span) -> Option<(Span, Span)> {
    let head = context.text(&(content.start..content.end.min(content.start + LONGEST)));
    let first = head.lines().next()?.trim_end();
    let tick = first.chars().next().filter(|tick| matches!(tick, '`' | '~'))?;
    let run = first.len() - first.trim_start_matches(tick).len();
    if run < 3 || first.get(run..)?.contains(['`', ' ']) {
        return None;
    }
    let text = context.text(content);
    let body = text.trim_end();
    let last = body.len() - body.rsplit(['\n', '\r']).next()?.len();
    let mark = first.get(..run)?;
    let inside = body.get(first.len()..last)?;
    let only = !inside.lines().any(|line| line.trim_start().starts_with(mark));
    (last > first.len() && body.get(last..)? == mark && only && !holds_edit_blocks(&text)).then(
        || {
            let start = content.start;
            (start..start + first.len(), start + last..start + body.len())
        },
    )
}

/// The opening line of a fence is shorter, in bytes.
const LONGEST: usize = 128;
