use super::RuleContext;
use crate::declare_rule;
use crate::format::llmd::event::HUMAN;
use crate::format::llmd::layout::{Role, Stray, StrayKind};
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// Each entry of the conversation begins with a heading of level 3: `### Entry 1`. Under another
    /// heading, nothing is an entry, and the blocks in it aren't applied. One entry has one question
    /// and one answer: the blocks after a second `**Human:**` aren't applied, up to the next
    /// `**Assistant:**`. Those after a `**User:**` in the answer are, because it isn't read as a
    /// speaker.
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
    /// #### Entry 1
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
    pub static RULE = "llmd/entry-heading", Error, "Entry without its heading";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let matters = |stray: &&Stray| stray.kind != StrayKind::User || blocks_follow(context, stray);
    for stray in context.layout().strays.iter().filter(matters).take(MOST) {
        let number = number(context, stray);
        let line = context.text(&stray.span);
        let heading = format!("### Entry {number}");
        let eol = context.cx.source.line_break();
        let above = || Edit::insert(stray.span.start, format!("{heading}{eol}{eol}"));
        let (message, title, edit) = match stray.kind {
            StrayKind::Heading => (
                format!("`{}` doesn't begin an entry; write `{heading}`", line.trim()),
                format!("Write `{heading}`"),
                Edit::replace(stray.span.clone(), heading.clone()),
            ),
            StrayKind::Speaker => (
                format!("outside any entry, so it isn't read; begin one with `{heading}`"),
                format!("Insert `{heading}`"),
                above(),
            ),
            StrayKind::Turn => (
                format!(
                    "the entry has its answer, so the blocks from here to the next answer aren't \
                     applied; begin the next entry with `{heading}`"
                ),
                format!("Insert `{heading}`"),
                above(),
            ),
            StrayKind::User => (
                format!(
                    "`{line}` is not read as a speaker, so the blocks below it are applied; begin \
                     the next entry with `{heading}`"
                ),
                format!("Insert `{heading}`, and write `{HUMAN}`"),
                Edit::replace(stray.span.clone(), format!("{heading}{eol}{eol}{HUMAN}")),
            ),
        };
        report.add(&RULE, stray.span.clone(), message).fix(Fix::suggestion(title, vec![edit]));
    }
}

/// Whether the entry has blocks after this line.
fn blocks_follow(context: &RuleContext, stray: &Stray) -> bool {
    let entry = stray.entries.checked_sub(1);
    let blocks = &context.layout().blocks;
    let first = blocks.partition_point(|placed| placed.block.span.start < stray.span.start);
    blocks.get(first).is_some_and(|placed| placed.entry == entry && placed.role == Role::Live)
}

/// At most this many are reported.
const MOST: usize = 16;

/// The number that is written in a line, or the next one.
fn number(context: &RuleContext, stray: &Stray) -> u64 {
    let written = context.text(&stray.span);
    let digits = written.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    let end = digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len());
    let own = digits.get(..end).and_then(|digits| digits.parse().ok());
    let entries = &context.layout().entries;
    let before = stray.entries.checked_sub(1).and_then(|index| entries.get(index));
    own.unwrap_or_else(|| {
        before.and_then(|entry| entry.number).unwrap_or_default().saturating_add(1)
    })
}
