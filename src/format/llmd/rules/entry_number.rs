use super::RuleContext;
use crate::declare_rule;
use crate::format::llmd::layout::{Entry, StrayKind};
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// The entries of the conversation are `### Entry 1`, `### Entry 2` and so on. A gap looks as
    /// if an entry were lost, and a duplicate number is ambiguous.
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
    pub static RULE = "llmd/entry-number", Warning, "Entries not numbered in order";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let mut expected = 1;
    let mut wrong = Vec::new();
    let elided = context.project.elided.iter().copied().chain(std::iter::repeat(0));
    // The entries whose headings are written wrongly count.
    let mut meant = vec![0; context.layout().entries.len()];
    for stray in context.layout().strays.iter().filter(|stray| stray.kind != StrayKind::Turn) {
        if let Some(count) = meant.get_mut(stray.entries) {
            *count += 1;
        }
    }
    for ((entry, elided), meant) in context.layout().entries.iter().zip(elided).zip(meant) {
        expected += (elided + meant) as u64;
        if entry.number != Some(expected) {
            wrong.push((entry, expected));
        }
        expected = entry.number.unwrap_or(expected).saturating_add(1);
    }
    // All are renumbered.
    if !wrong.is_empty() && context.project.elided.iter().any(|count| *count > 0) {
        context.lacks_entries.set(true);
        return;
    }
    for (entry, expected) in wrong.into_iter().take(MOST) {
        let message = match entry.number {
            Some(number) => format!(
                "entry {number} is out of order, expected {expected}; number the entries in order"
            ),
            None => format!("entry without a number; write `### Entry {expected}`"),
        };
        let finding = report.add(&RULE, entry.heading.name.clone(), message);
        finding.fix(Fix::suggestion("Renumber the entries", renumber(&context.layout().entries)));
    }
}

/// At most this many are reported: one fix repairs all.
const MOST: usize = 16;

/// The edits that number all entries from 1.
pub(in crate::format::llmd) fn renumber(entries: &[Entry]) -> Vec<Edit> {
    let numbered = (1..).zip(entries).filter(|(number, entry)| entry.number != Some(*number));
    numbered
        .map(|(number, entry)| Edit::replace(entry.heading.name.clone(), format!("Entry {number}")))
        .collect()
}
