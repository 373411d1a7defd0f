use super::{RuleContext, speaker};
use crate::declare_rule;
use crate::format::llmd::event::HUMAN;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// An entry begins with the question, marked `**Human:**`. Without it, programs can't tell the
    /// question from the answer.
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
    /// **Human**: Show the local time.
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
    pub static RULE = "llmd/missing-human", Error, "Entry without a human";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for entry in context
        .layout()
        .entries
        .iter()
        .enumerate()
        .filter(|(index, _)| !context.is_doubled(*index))
        .map(|(_, entry)| entry)
    {
        let message = match (&entry.human, &entry.assistant) {
            (Some(human), Some(assistant)) if assistant.start < human.start => {
                "the human speaks first; move `**Human:**` above `**Assistant:**`"
            }
            (Some(_), _) => continue,
            (None, _) => "entry without a question; begin it with `**Human:**`",
        };
        let finding = report.add(&RULE, entry.heading.span.clone(), message);
        if entry.human.is_some() {
            continue;
        }
        match speaker::meant(context, entry, &["human", "user"], None) {
            Some(span) => {
                finding.span = span.clone();
                finding.message =
                    format!("`{}` is not read as a speaker; write `{HUMAN}`", context.text(&span));
                finding.fix(Fix::suggestion(
                    format!("Write `{HUMAN}`"),
                    vec![Edit::replace(span, HUMAN)],
                ));
            }
            None => {
                let eol = context.cx.source.line_break();
                let edit = Edit::insert(entry.heading.span.end, format!("{eol}{eol}{HUMAN} "));
                finding.fix(Fix::suggestion(format!("Insert `{HUMAN}`"), vec![edit]));
            }
        }
    }
}
