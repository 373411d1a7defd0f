use super::RuleContext;
use crate::declare_rule;
use crate::format::blocks::check::whole_lines;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// `# Project: name` must be the first line of an LLMD document. Only blank lines may come
    /// before it.
    ///
    /// ````markdown bad
    /// Notes of the project.
    ///
    /// # Project: Clock
    ///
    /// ## Meta: LLMD
    ///
    /// The assistant answers with edit blocks.
    ///
    /// ## Mission
    ///
    /// Tell the time.
    ///
    /// ## Code Context
    ///
    /// ### clock.py
    ///
    /// ```python
    /// import time
    ///
    /// print(time.time())
    /// ```
    ///
    /// ## Changelog
    ///
    /// - Created
    ///
    /// ## Conversation Thread
    ///
    /// ### Entry 1
    ///
    /// **Human:** Show the local time.
    ///
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    /// print(time.time())
    /// =======
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
    pub static RULE = "llmd/late-title", Warning, "Title not on the first line";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let (layout, source) = (context.layout(), context.cx.source);
    let Some(project) =
        layout.project.as_ref().filter(|project| project.span.start > layout.extent.start)
    else {
        return;
    };
    let message = "the project title must be the first line of the document; move it there";
    let finding = report.add(&RULE, project.span.clone(), message);
    let eol = source.line_break();
    let lines = whole_lines(source, &project.span);
    let top = source.line_span(layout.extent.start).start;
    let at = if top == 0 && source.text().get_byte(0) == Some(0xef) {
        '\u{feff}'.len_utf8()
    } else {
        top
    };
    if lines.start >= at {
        let title = context.text(&project.span);
        finding.fix(Fix::safe(
            "Move the title to the first line",
            vec![Edit::insert(at, format!("{title}{eol}{eol}")), Edit::delete(lines)],
        ));
    }
}
