use super::RuleContext;
use crate::declare_rule;
use crate::format::llmd::layout::SectionKind;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A section appears twice. Programs read only the first or only the last one, and lose the
    /// other.
    ///
    /// The fix moves the text of the second to the end of the first.
    ///
    /// ````markdown bad
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
    /// ## Mission
    ///
    /// Ring at noon.
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
    pub static RULE = "llmd/duplicate-section", Error, "Duplicate section";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let (layout, source) = (context.layout(), context.cx.source);
    for (index, section) in layout
        .sections
        .iter()
        .enumerate()
        .filter(|(_, section)| section.kind != SectionKind::Unknown)
    {
        let before = layout.sections.get(..index).unwrap_or_default();
        let Some(first) = before.iter().find(|other| other.kind == section.kind) else { continue };
        let heading = context.text(&section.heading.span);
        let message =
            format!("duplicate section `{heading}`; merge the two, since programs read only one");
        let finding = report.add(&RULE, section.heading.span.clone(), message);
        finding.relate(first.heading.span.clone(), "first defined here");
        if section.body.len() > LONGEST || context.open_fence().is_some() {
            continue;
        }
        let eol = source.line_break();
        let (own, body) = (context.text(&first.body), context.text(&section.body));
        let at = first.body.start + own.trim_end().len();
        let mut before = eol.repeat(2);
        if own.trim().is_empty() {
            // The body is empty: end the line of the heading.
            before = eol.repeat(if source.line_span(at).start == at { 1 } else { 2 });
        }
        // A blank line before what follows.
        let breaks = own.get(own.trim_end().len()..).unwrap_or_default().matches('\n').count();
        let after = eol.repeat(2_usize.saturating_sub(breaks));
        let mut edits = vec![Edit::delete(section.heading.span.start..section.body.end)];
        if !body.trim().is_empty() {
            edits.insert(0, Edit::insert(at, format!("{before}{}{after}", body.trim())));
        }
        finding.fix(Fix::suggestion("Move its text to the first", edits));
    }
}

/// A fix doesn't move longer text.
const LONGEST: usize = 1 << 20;
