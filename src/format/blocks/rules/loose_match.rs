use super::RuleContext;
use super::place::{mend, relate};
use crate::declare_rule;
use crate::edit::Tier;
use crate::format::blocks::chain::Manner;
use crate::rule::Report;

declare_rule! {
    /// The SEARCH text was found, but isn't identical: its lines have other indentation, or differ
    /// in whitespace or in the spelling of characters. The block is applied, and the file keeps its
    /// own spelling. Programs that compare exactly don't find it.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    ///     print(time.time())
    /// =======
    ///     print(time.ctime())
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
    pub static RULE = "edit/loose-match", Hint, "Search text matches inexactly";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    if context.manner == Manner::Reply {
        return;
    }
    for (item, outcome) in context.outcomes() {
        let (Ok(applied), Some(path)) = (&outcome.step.result, context.path(item.block.get()))
        else {
            continue;
        };
        let what = match applied.tier {
            Tier::Exact | Tier::TrailingBlanks => continue,
            Tier::UniformIndent | Tier::Indent => "with other indentation",
            Tier::Unicode => "with other characters that look the same",
            Tier::InnerBlanks => "with other spaces between words",
            Tier::BlankLines => "with other blank lines",
            Tier::Punctuation => "with other punctuation",
            Tier::LineBreaks => "with other line breaks",
            _ => "in other words",
        };
        let message = format!(
            "`{}` contains this text {what}, at line {}; copy the lines of the file to be sure",
            path.text,
            applied.line + 1
        );
        let finding = report.add(&RULE, item.head().span, message);
        let length = item.written.block.searched_lines();
        let place = applied.line..applied.line + length;
        relate(finding, outcome, std::slice::from_ref(&place), "it was found here");
        mend(context, item, outcome, finding);
    }
}
