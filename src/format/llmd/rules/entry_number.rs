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
    let (mut wrong, mut titled, mut doubled) = (Vec::new(), Vec::new(), Vec::new());
    let elided = context.project.elided.iter().copied().chain(std::iter::repeat(0));
    // Entries with malformed headings count.
    let mut meant = vec![0; context.layout().entries.len()];
    for stray in context
        .layout()
        .strays
        .iter()
        .filter(|stray| !matches!(stray.kind, StrayKind::Turn | StrayKind::User))
    {
        if let Some(count) = meant.get_mut(stray.entries) {
            *count += 1;
        }
    }
    let entries = context.layout().entries.iter().enumerate();
    for (((index, entry), elided), meant) in entries.zip(elided).zip(meant) {
        expected += (elided + meant) as u64;
        if context.is_doubled(index) {
            doubled.push(entry);
            continue;
        }
        if entry.number != Some(expected) {
            wrong.push((entry, expected));
        } else if !entry.title.is_empty() {
            titled.push(entry);
        }
        expected = entry.number.unwrap_or(expected).saturating_add(1);
    }
    for entry in doubled.into_iter().take(MOST) {
        let message = "the entry has two headings; remove one";
        let line = entry.heading.span.start..entry.body.end;
        report
            .add(&RULE, entry.heading.name.clone(), message)
            .fix(Fix::suggestion("Remove the heading", vec![Edit::delete(line)]));
    }
    for entry in titled.into_iter().take(MOST) {
        let number = entry.number.unwrap_or_default();
        let message = format!(
            "some programs don't read this as the heading of entry {number}; write only the number"
        );
        let finding = report.add(&RULE, entry.title.clone(), message);
        let edit = untitled(context, entry, number);
        finding.fix(Fix::suggestion("Move the text below the heading", vec![edit]));
    }
    // The fix renumbers all entries.
    if !wrong.is_empty() && context.project.elided.iter().any(|count| *count > 0) {
        context.lacks_entries.set(true);
        return;
    }
    for (entry, expected) in wrong.into_iter().take(MOST) {
        let words = context.text(&entry.digits);
        let message = match entry.number {
            Some(number) => format!(
                "entry {number} is out of order, expected {expected}; number the entries in order"
            ),
            None if words.starts_with(|first: char| first.is_ascii_digit()) => {
                format!("`{words}` isn't the number of an entry; write `### Entry {expected}`")
            }
            None => format!("entry without a number; write `### Entry {expected}`"),
        };
        let finding = report.add(&RULE, entry.heading.name.clone(), message);
        let is_text = entry.number.is_none() && words.trim().contains(char::is_whitespace);
        finding.fix(match is_text {
            true => Fix::suggestion(
                "Move the text below the heading",
                vec![untitled(context, entry, expected)],
            ),
            false => Fix::suggestion("Renumber the entries", renumber(&context.layout().entries)),
        });
    }
}

/// At most this many are reported: one fix repairs all.
const MOST: usize = 16;

/// The edit that leaves only the number in the heading of an entry.
fn untitled(context: &RuleContext, entry: &Entry, number: u64) -> Edit {
    let eol = context.cx.source.line_break();
    let text = if entry.title.is_empty() { &entry.digits } else { &entry.title };
    let text = context.text(text);
    let name = entry.heading.name.start..entry.heading.span.end;
    let below = match text.contains(char::is_alphanumeric) {
        true => format!("{eol}{eol}{}", text.trim()),
        false => String::new(),
    };
    Edit::replace(name, format!("Entry {number}{below}"))
}

/// The edits that number all entries from 1. Text instead of a number stays, unless it's a word.
pub(in crate::format::llmd) fn renumber(entries: &[Entry]) -> Vec<Edit> {
    let numbered = (1..).zip(entries).filter(|(number, entry)| entry.number != Some(*number));
    numbered
        .map(|(number, entry)| {
            let span = entry.heading.name.start..entry.digits.end;
            Edit::replace(span, format!("Entry {number}"))
        })
        .collect()
}
