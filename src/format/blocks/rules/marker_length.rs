use super::RuleContext;
use crate::declare_rule;
use crate::edit::MarkerKind;
use crate::format::blocks::chain::Manner;
use crate::format::blocks::written::Mark;
use crate::rule::{Fix, Report, Severity};
use crate::text::Edit;

declare_rule! {
    /// LLMD writes six `<`, seven `=` and six `>`; Git and other tools write seven of each. agentmd
    /// reads any length from five to nine. Not every program does.
    ///
    /// The fix writes the markers as LLMD does.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<<< SEARCH
    /// print(time.time())
    /// =======
    /// print(time.ctime())
    /// >>>>>>> REPLACE
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
    pub static RULE = "edit/marker-length", Hint, "Unusual marker length";
}

/// The lengths of a head, a divider and an end.
const CANONICAL: [usize; 3] = [6, 7, 6];

pub fn check(context: &RuleContext, report: &mut Report) {
    if context.manner == Manner::Reply {
        return;
    }
    for item in context.odd() {
        let [head, divider, end] = CANONICAL;
        let wanted = |mark: &Mark| match mark.marker.kind {
            MarkerKind::Head(_) => head,
            MarkerKind::Divider => divider,
            MarkerKind::End(_) => end,
        };
        // If there are several dividers, the target depends on which one is meant.
        let marks: Vec<Mark> = item.written.marks().map(|mark| mark.shifted(item.start)).collect();
        let wrong: Vec<&Mark> =
            marks.iter().filter(|mark| mark.marker.length != wanted(mark)).collect();
        let Some(first) = wrong.first().filter(|_| item.written.dividers.len() <= 1) else {
            continue;
        };
        let known = wrong.iter().all(|mark| (5..=9).contains(&mark.marker.length));
        let length = first.marker.length;
        let message = match known {
            true => format!("this marker has {length} characters; LLMD uses {}", wanted(first)),
            false => format!(
                "this marker has {length} characters, and programs that accept 5 to 9 miss it; LLMD uses {}",
                wanted(first)
            ),
        };
        let finding = report.add(&RULE, first.run(), message);
        if !known {
            finding.severity = Severity::Warning;
        }
        let edits = wrong.iter().map(|mark| {
            let character = context.text(&mark.run()).chars().next().unwrap_or('=');
            Edit::replace(mark.run(), character.to_string().repeat(wanted(mark)))
        });
        finding.fix(Fix::safe("Write the markers of this block as LLMD does", edits.collect()));
    }
}
