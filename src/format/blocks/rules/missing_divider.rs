use super::RuleContext;
use crate::declare_rule;
use crate::edit::Reason;
use crate::format::blocks::chain::Chain;
use crate::format::blocks::check::{Item, next_line};
use crate::format::blocks::files::Lookup;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A line of seven `=` divides the text to find from its replacement. Without that line the two
    /// can't be told apart, so the block isn't applied.
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
        let message = "this block has no `=======` between the old and the new text, so it isn't applied; insert that line";
        let at = divide(context, item);
        let finding = report.add(&RULE, item.head().span, message);
        if let Some(at) = at {
            let edit = Edit::insert(at, format!("======={}", context.cx.source.line_break()));
            finding.fix(Fix::suggestion(
                "Divide the block after the lines that are in the file",
                vec![edit],
            ));
        }
    }
}

/// Where the line belongs: behind the lines that stand in the file, as many as do.
fn divide(context: &RuleContext, item: &Item) -> Option<usize> {
    let source = context.cx.source;
    let start = next_line(source, item.head().line.end);
    let end = item.end()?.line.start;
    let path = context.path(item.block.get())?;
    let Lookup::File(place, identity) = context.files.find(&path.text) else { return None };
    let text = Chain::new(place, identity, context.manner).text().replace("\r\n", "\n");
    let text = format!("\n{text}\n");
    let (mut known, mut at, mut best) = ("\n".to_owned(), start, None);
    while at < end {
        let line = source.line_span(at);
        known.push_str(&context.text(&line));
        known.push('\n');
        if !text.contains(&known) {
            break;
        }
        at = next_line(source, line.end).max(at + 1);
        best = Some(at);
    }
    best.filter(|at| *at < end && !known.trim().is_empty())
}
