use super::{RuleContext, speaker};
use crate::declare_rule;
use crate::format::llmd::event::ASSISTANT;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// Only the last entry may lack an answer. In an earlier entry, the answer was lost, or its
    /// speaker is misspelled.
    ///
    /// ````markdown bad within=clock
    /// ### Entry 2
    ///
    /// **Human:** And the date.
    ///
    /// **Assistant:** Done.
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
    ///
    /// ### Entry 2
    ///
    /// **Human:** And the date.
    /// ````
    pub static RULE = "llmd/missing-assistant", Warning, "Earlier entry without an answer";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let entries = &context.layout().entries;
    for (index, entry) in entries
        .iter()
        .enumerate()
        .filter(|(index, entry)| entry.assistant.is_none() && !context.is_doubled(*index))
    {
        // Only an assistant writes blocks.
        let blocks = &context.layout().blocks;
        let block = blocks.get(blocks.partition_point(|placed| placed.entry < Some(index)));
        let block = block.filter(|placed| placed.entry == Some(index));
        let turn = block.map(|placed| placed.block.span().start);
        let meant = speaker::meant(context, entry, &["assistant", "ai", "model"], turn);
        let last = index + 1 == entries.len();
        if last && meant.is_none() {
            continue;
        }
        let message = "entry without an answer; the answer must start with `**Assistant:**`";
        let finding = report.add(&RULE, entry.heading.span.clone(), message);
        match meant {
            Some(span) => {
                finding.span = span.clone();
                finding.message = format!(
                    "`{}` is not read as a speaker; write `{ASSISTANT}`",
                    context.text(&span)
                );
                finding.fix(Fix::suggestion(
                    format!("Write `{ASSISTANT}`"),
                    vec![Edit::replace(span, ASSISTANT)],
                ));
            }
            None => {
                let eol = context.cx.source.line_break();
                let at = entry.body.start + context.text(&entry.body).trim_end().len();
                finding.fix(Fix::suggestion(
                    format!("Insert `{ASSISTANT}`"),
                    vec![Edit::insert(at, format!("{eol}{eol}{ASSISTANT} "))],
                ));
            }
        }
    }
}
