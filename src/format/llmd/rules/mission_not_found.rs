use super::RuleContext;
use super::mission::Verdict;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A `SEARCH_MISSION` block has the whole current mission, and the whole new mission. The text
    /// of this block isn't the current mission, so the block isn't applied.
    ///
    /// The fix puts the current mission in the block.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// <<<<<< SEARCH_MISSION
    /// Show the time.
    /// =======
    /// Tell the time and the date.
    /// >>>>>> REPLACE_MISSION
    /// ````
    ///
    /// ````markdown good within=clock
    /// **Assistant:** Done.
    ///
    /// <<<<<< SEARCH_MISSION
    /// Tell the time.
    /// =======
    /// Tell the time and the date.
    /// >>>>>> REPLACE_MISSION
    /// ````
    pub static RULE = "llmd/mission-not-found", Error, "SEARCH_MISSION text differs from the mission";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for found in context.missions() {
        let message = match found.verdict {
            Verdict::Absent => {
                "not the current mission, so the block is not applied; copy the mission exactly"
            }
            Verdict::Ambiguous => {
                "the mission contains this text more than once; use the whole mission"
            }
            _ => continue,
        };
        let finding = report.add(&RULE, found.item.head().span, message);
        finding.relate(found.place.clone(), "the mission");
        if let Some((search, _)) = found.item.sides(context.cx.source) {
            let eol = context.cx.source.line_break();
            let text = format!("{}{eol}", found.current.replace('\n', eol));
            finding.fix(Fix::suggestion(
                "Put the mission in the block",
                vec![Edit::replace(search, text)],
            ));
        }
    }
}
