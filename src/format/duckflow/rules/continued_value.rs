use super::{RuleContext, content_value};
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// The value of a parameter continues on the next lines. agentmd and the author's newer parser
    /// accept that, but the reference parser drops every line after the first.
    ///
    /// Put the value on one line, or give the action a content block.
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
    /// [ACTION_0_TYPE] finish
    /// [ACTION_0_RESULT] Nothing was left to do,
    /// since all tests pass.
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
    /// [ACTION_0_TYPE] finish
    /// [ACTION_0_RESULT] Nothing was left to do, since all tests pass.
    /// ````
    pub static RULE = "duckflow/continued-value", Warning, "Value over several lines", strict;
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (index, action) in &context.order {
        let content = content_value::found(context, action);
        for parameter in action.parameters.iter().filter(|parameter| content != Some(*parameter)) {
            let (Some(mark), Some(first), Some(last)) =
                (context.mark(parameter.mark), parameter.pieces.first(), parameter.pieces.last())
            else {
                continue;
            };
            let rest = mark.line.end.max(first.start)..last.end;
            let text = context.text(&rest);
            let lines: Vec<&str> =
                text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
            if lines.is_empty()
                || context.holds_meant(&rest)
                || context.lacks_start(last.end)
                || context.closes_fence(last.end)
            {
                continue;
            }
            let start = rest.start + text.len() - text.trim_start().len();
            let span = start..start + text.trim().len();
            let count = if lines.len() == 1 {
                "1 more line".to_owned()
            } else {
                format!("{} more lines", lines.len())
            };
            let key = context.key(mark);
            let message =
                format!("the reference parser drops {count} of `{key}`; put the value on one line");
            let value = context.text(&mark.value);
            let joined: Vec<&str> = std::iter::once(value.as_ref())
                .filter(|value| !value.is_empty())
                .chain(lines)
                .collect();
            let finding = report.add(&RULE, span.clone(), message);
            finding.relate(mark.span.clone(), format!("`{key}` of action {index}"));
            finding.fix(Fix::suggestion(
                "Put the value on one line",
                vec![Edit::replace(mark.span.end..span.end, format!(" {}", joined.join(" ")))],
            ));
        }
    }
}
