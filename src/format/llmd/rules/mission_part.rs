use super::RuleContext;
use super::mission::Verdict;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A `SEARCH_MISSION` block should have the whole mission. This one has a part of it. agentmd
    /// replaces that part, but programs that compare the whole mission don't apply the block.
    ///
    /// The fix puts the whole mission in the block, on both sides.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// <<<<<< SEARCH_MISSION
    /// the time
    /// =======
    /// the time and the date
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
    pub static RULE = "llmd/mission-part", Warning, "SEARCH_MISSION text is only part of the mission";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for found in context.missions() {
        let Verdict::Part(after) = &found.verdict else { continue };
        let message = "this is only part of the mission; LLMD requires the whole mission";
        let finding = report.add(&RULE, found.item.head().span, message);
        finding.relate(found.place.clone(), "the mission");
        if let Some((search, replace)) = found.item.sides(context.cx.source) {
            let eol = context.cx.source.line_break();
            let text = |text: &str| format!("{}{eol}", text.replace('\n', eol));
            let edits = vec![
                Edit::replace(search, text(&found.current)),
                Edit::replace(replace, text(after)),
            ];
            finding.fix(Fix::suggestion("Put the whole mission in the block", edits));
        }
    }
}
