use super::Subject;
use super::mission::Verdict;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A `SEARCH_MISSION` block holds the whole mission as it is, and the whole mission as it is to
    /// be. This one holds another text, so it is not applied.
    ///
    /// The fix puts the mission into the block.
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
    /// <<<<<< SEARCH_MISSION
    /// Show the time.
    /// =======
    /// Tell the time and the date.
    /// >>>>>> REPLACE_MISSION
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
    /// <<<<<< SEARCH_MISSION
    /// Tell the time.
    /// =======
    /// Tell the time and the date.
    /// >>>>>> REPLACE_MISSION
    /// ````
    pub static RULE = "llmd/mission-not-found", Error, "A SEARCH_MISSION text that is not the mission";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for found in subject.missions() {
        let message = match found.verdict {
            Verdict::Absent => {
                "This is not the mission of the project, and no part of it. The block is not applied: copy the mission as it stands above."
            }
            Verdict::Ambiguous => {
                "This is in the mission more than once. The block is not applied: give it the whole mission."
            }
            _ => continue,
        };
        let finding = report.add(&RULE, found.item.head().span, message);
        finding.relate(found.place.clone(), "the mission");
        if let Some((search, _)) = found.item.sides(subject.cx.source) {
            let eol = subject.cx.source.line_break();
            let text = format!("{}{eol}", found.current.replace('\n', eol));
            finding.fix(Fix::suggestion(
                "Put the mission into the block",
                vec![Edit::replace(search, text)],
            ));
        }
    }
}
