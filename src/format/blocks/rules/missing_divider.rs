use super::RuleContext;
use crate::declare_rule;
use crate::edit::lines::Level;
use crate::edit::{Dialect, Lines, Reason, longest_prefix};
use crate::format::blocks::check::{Item, next_line};
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A line of seven `=` divides the text to find from its replacement. Without it, agentmd can't
    /// tell the two apart and doesn't apply the block.
    ///
    /// If the first lines of the block exist in the file, the fix inserts the divider after them.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    /// print(time.time())
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
    pub static RULE = "edit/missing-divider", Error, "Missing divider";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for item in
        context.odd().filter(|item| item.written.block.error == Some(Reason::MissingDivider))
    {
        if item.written.block.dialect != Dialect::SearchReplace {
            continue;
        }
        let message = "this block has no `=======` between the old and the new text, so it isn't applied; insert that line";
        let at = divide(context, item);
        let finding = report.add(&RULE, item.head().span, message);
        if let Some(at) = at {
            let divider = format!("======={}", context.cx.source.line_break());
            // A line of other signs was meant to divide it.
            let line = context.cx.source.line_span(at);
            let next = next_line(context.cx.source, line.end);
            let edit = match is_like_divider(&context.text(&line)) {
                true => Edit::replace(line.start..next, divider),
                false => Edit::insert(at, divider),
            };
            finding.fix(Fix::suggestion(
                "Divide the block after the lines that are in the file",
                vec![edit],
            ));
        }
    }
}

/// Whether a line consists of signs that draw a line: `-------`, `=====>`
fn is_like_divider(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 5 && line.bytes().all(|byte| b"-=_~*>".contains(&byte))
}

/// Where the divider belongs: after as many lines as also exist in the file.
fn divide(context: &RuleContext, item: &Item) -> Option<usize> {
    let source = context.cx.source;
    let start = next_line(source, item.head().line.end);
    let end = item.end()?.line.start;
    let path = context.path(item.block.get())?;
    let mut chain = context.candidate(&path.text)?;
    let file = chain.text();
    let written = context.text(&(start..end.max(start)));
    let written = Lines::new(written.as_str());
    let known = longest_prefix(file.keys(Level::Exact), written.keys(Level::Exact));
    let filled = (0..=known).any(|line| !written.is_blank(line));
    (0 < known && known < written.len() && filled).then(|| start + written.line(known).start)
}
