use super::Subject;
use crate::declare_rule;
use crate::edit::Subject as About;
use crate::format::edits::check::whole_lines;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A `CHANGELOG` block adds its text to the changelog as one item. There is none in it, so
    /// nothing is added.
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
    /// <<<<<< CHANGELOG
    /// >>>>>> CHANGELOG
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
    /// <<<<<< CHANGELOG
    /// Shows the local time
    /// >>>>>> CHANGELOG
    /// ````
    pub static RULE = "llmd/empty-changelog", Error, "A CHANGELOG block without text";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for item in subject
        .blocks
        .live()
        .filter(|item| item.block.subject == About::Changelog && item.block.error.is_none())
    {
        if item.block.splits.iter().all(|split| split.replace.trim().is_empty()) {
            let message = "This block has no text, so it adds nothing to the changelog. Say what has changed.";
            let lines = whole_lines(subject.cx.source, &item.block.span);
            report
                .add(&RULE, item.head().span, message)
                .fix(Fix::suggestion("Remove the block", vec![Edit::delete(lines)]));
        }
    }
}
