use super::Subject;
use crate::declare_rule;
use crate::format::llmd::layout::Entry;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// The entries of the conversation are `### Entry 1`, `### Entry 2` and so on. A gap looks as
    /// if an entry had been lost, and a number that is there twice cannot be asked for.
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
    /// ### Entry 2
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
    pub static RULE = "llmd/entry-number", Warning, "Entries that are not numbered one after another";
}

pub fn check(subject: &Subject, report: &mut Report) {
    let mut expected = 1;
    let mut wrong = Vec::new();
    for entry in &subject.layout().entries {
        if entry.number != Some(expected) {
            wrong.push((entry, expected));
        }
        expected = entry.number.unwrap_or(expected).saturating_add(1);
    }
    for (entry, expected) in wrong.into_iter().take(MOST) {
        let message = match entry.number {
            Some(number) => format!(
                "This is entry {number}, where entry {expected} is expected. Number the entries in their order."
            ),
            None => format!("This entry has no number. Write `### Entry {expected}`."),
        };
        let finding = report.add(&RULE, entry.heading.name.clone(), message);
        finding
            .fix(Fix::suggestion("Number the entries anew", renumber(&subject.layout().entries)));
    }
}

/// More places are not named: one fix mends all.
const MOST: usize = 16;

/// The edits that number all entries from 1.
pub(in crate::format::llmd) fn renumber(entries: &[Entry]) -> Vec<Edit> {
    let numbered = (1..).zip(entries).filter(|(number, entry)| entry.number != Some(*number));
    numbered
        .map(|(number, entry)| Edit::replace(entry.heading.name.clone(), format!("Entry {number}")))
        .collect()
}
