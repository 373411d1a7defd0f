use super::Subject;
use super::mission::Verdict;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A `SEARCH_MISSION` block holds the whole mission. This one holds a part of it, which is
    /// replaced; programs that compare the whole do not apply the block.
    ///
    /// The fix puts the whole mission into the block, on both sides.
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
    /// the time
    /// =======
    /// the time and the date
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
    pub static RULE = "llmd/mission-part", Warning, "A SEARCH_MISSION text that is a part of the mission only";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for found in subject.missions() {
        let Verdict::Part(after) = &found.verdict else { continue };
        let message =
            "This is a part of the mission only. It is replaced; LLMD asks for the whole mission.";
        let finding = report.add(&RULE, found.item.head().span, message);
        finding.relate(found.place.clone(), "the mission");
        if let Some((search, replace)) = found.item.sides(subject.cx.source) {
            let eol = subject.cx.source.line_break();
            let text = |text: &str| format!("{}{eol}", text.replace('\n', eol));
            let edits = vec![
                Edit::replace(search, text(&found.current)),
                Edit::replace(replace, text(after)),
            ];
            finding.fix(Fix::suggestion("Put the whole mission into the block", edits));
        }
    }
}
