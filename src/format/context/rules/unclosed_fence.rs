use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::{Edit, Span};

declare_rule! {
    /// The fence of the item is never closed, so other parsers treat everything below as its
    /// content. A closing fence must be as long as the opening one, and alone on its line.
    ///
    /// ````markdown bad
    /// ## Context
    ///
    /// ### Code (from a.lisp)
    /// ```lisp
    /// (a)
    ///
    /// ### Error
    /// ```lisp
    /// Unbound variable FOO
    /// ```
    /// ````
    ///
    /// ````markdown good
    /// ## Context
    ///
    /// ### Code (from a.lisp)
    /// ```lisp
    /// (a)
    /// ```
    ///
    /// ### Error
    /// ```lisp
    /// Unbound variable FOO
    /// ```
    /// ````
    ///
    /// ````markdown file=a.lisp
    /// (a)
    /// ````
    pub static RULE = "context/unclosed-fence", Warning, "Unclosed fence";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for item in context.items().filter(|item| item.closer.is_none()) {
        let fence = char::from(item.fence.mark).to_string().repeat(item.fence.length);
        let content = context.text(&item.content);
        let last = last_line(&content)
            .filter(|line| content.get(line.clone()).is_some_and(is_like_closer));
        match last {
            Some(line) => {
                let span = line.start + item.content.start..line.end + item.content.start;
                let message = format!("this line does not close the fence; write {fence}");
                report.add(&RULE, span.clone(), message).fix(Fix::suggestion(
                    format!("Replace with {fence}"),
                    vec![Edit::replace(span, fence)],
                ));
            }
            None => {
                let end = context.cx.source.line_break();
                let text = if item.content.end == item.content.start
                    && item.content.start == item.opener.end
                    || !content.is_empty()
                {
                    format!("{end}{fence}")
                } else {
                    format!("{fence}{end}")
                };
                let message =
                    format!("unclosed fence; write {fence} after the last line of the content");
                let fix = Fix::suggestion(
                    format!("Close the fence with {fence}"),
                    vec![Edit::insert(item.content.end, text)],
                );
                report.add(&RULE, item.opener.clone(), message).fix(fix);
            }
        }
    }
}

/// The last line of some content.
fn last_line(content: &str) -> Option<Span> {
    let text = content.trim_end();
    let start = text.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    (!text.is_empty()).then_some(start..text.len())
}

/// Whether a line is meant to close a fence, but has the wrong length, or is indented, quoted or
/// escaped, or isn't empty after it.
fn is_like_closer(line: &str) -> bool {
    let text = line.trim_start_matches([' ', '\t', '>', '\\']);
    let Some(tick) = text.chars().next().filter(|tick| matches!(tick, '`' | '~')) else {
        return false;
    };
    let rest = text.trim_start_matches(tick);
    let run = text.len() - rest.len();
    run >= 2 && !rest.contains(['`', '~']) && (run >= 3 || rest.trim().is_empty())
}
