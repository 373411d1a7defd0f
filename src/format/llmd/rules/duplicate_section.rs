use super::Subject;
use crate::declare_rule;
use crate::format::llmd::layout::SectionKind;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// Programs read one section of each kind, the first or the last. What stands in the other is
    /// lost.
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
    /// ````markdown good
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
    pub static RULE = "llmd/duplicate-section", Error, "A section that is there twice";
}

pub fn check(subject: &Subject, report: &mut Report) {
    let (layout, source) = (subject.layout(), subject.cx.source);
    for (index, section) in layout
        .sections
        .iter()
        .enumerate()
        .filter(|(_, section)| section.kind != SectionKind::Unknown)
    {
        let before = layout.sections.get(..index).unwrap_or_default();
        let Some(first) = before.iter().find(|other| other.kind == section.kind) else { continue };
        let heading = subject.text(&section.heading.span);
        let message = format!(
            "`{heading}` is there already. Programs read one of the two, and what stands in the other is lost: make one section of the two."
        );
        let finding = report.add(&RULE, section.heading.span.clone(), message);
        finding.relate(first.heading.span.clone(), "it is here");
        if section.body.len() > LONGEST || subject.open_fence().is_some() {
            continue;
        }
        let eol = source.line_break();
        let (own, body) = (subject.text(&first.body), subject.text(&section.body));
        let at = first.body.start + own.trim_end().len();
        let mut edits = vec![Edit::delete(section.heading.span.start..section.body.end)];
        if !body.trim().is_empty() {
            edits.insert(0, Edit::insert(at, format!("{eol}{eol}{}", body.trim())));
        }
        finding.fix(Fix::suggestion("Move its text to the first", edits));
    }
}

/// Longer texts are not moved by a fix.
const LONGEST: usize = 1 << 20;
