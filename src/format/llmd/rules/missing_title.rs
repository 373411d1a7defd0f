use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// The first line of an LLMD document names the project: `# Project: name`. Programs recognise
    /// the document by it and skip a file without it.
    ///
    /// ````markdown bad
    /// # Project Clock
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
    pub static RULE = "llmd/missing-title", Error, "Missing project title";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let (layout, source) = (context.layout(), context.cx.source);
    let extent = &layout.extent;
    if let Some(project) = &layout.project {
        if project.text.is_empty() {
            let finding = report.add(
                &RULE,
                project.span.clone(),
                "missing name of the project; write it after `Project:`",
            );
            let at = project.span.start + context.text(&project.span).trim_end().len();
            let edit = Edit::replace(at..project.span.end, " Name");
            finding.fix(Fix::suggestion("Name the project", vec![edit]).with_snippet(" ${1:Name}"));
        }
        return;
    }
    // Lines below an open fence aren't headings.
    if layout.unclosed.is_some() {
        return;
    }
    let first = source.line_span(extent.start);
    let line = context.text(&first);
    let bare = line.trim_start_matches('\u{feff}');
    let start = first.end - bare.len();
    let text = bare.trim_start_matches('#').trim();
    let named = bare.starts_with('#')
        && text.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("project"));
    let span = if bare.trim().is_empty() { start..start } else { start..first.end };
    let finding = report.add(
        &RULE,
        span.clone(),
        "missing title, so programs do not read the document; begin with `# Project: name`",
    );
    let eol = source.line_break();
    if named {
        let name = text.get(7..).unwrap_or_default().trim_start_matches([':', '-', ' ', '\t']);
        let name = if name.is_empty() { "Name" } else { name };
        finding.fix(Fix::suggestion(
            "Write the title in canonical form",
            vec![Edit::replace(span, format!("# Project: {name}"))],
        ));
    } else if extent.is_empty() {
        let text = super::skeleton::document(eol, "Name");
        let snippet = super::skeleton::document(eol, "${1:Name}");
        finding.fix(
            Fix::suggestion("Insert the parts of a document", vec![Edit::insert(extent.end, text)])
                .with_snippet(snippet),
        );
    } else {
        let edit = Edit::insert(start, format!("# Project: Name{eol}{eol}"));
        let snippet = format!("# Project: ${{1:Name}}{eol}{eol}");
        finding.fix(Fix::suggestion("Insert the title", vec![edit]).with_snippet(snippet));
    }
}
