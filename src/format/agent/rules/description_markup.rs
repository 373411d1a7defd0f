use crate::declare_rule;
use crate::format::agent::problem::Cause;
use crate::format::agent::subject::Subject;
use crate::rule::Report;

declare_rule! {
    /// The client removes `<tags>` from the description before a model sees it. Write the words
    /// without angle brackets.
    ///
    /// ````markdown bad path=.github/skills/draw-boxes/SKILL.md clients=copilot
    /// ---
    /// name: draw-boxes
    /// description: Draws <svg> boxes
    /// ---
    ///
    /// Draw.
    /// ````
    ///
    /// ````markdown good path=.github/skills/draw-boxes/SKILL.md clients=copilot
    /// ---
    /// name: draw-boxes
    /// description: Draws SVG boxes
    /// ---
    ///
    /// Draw.
    /// ````
    pub static RULE = "agent/description-markup", Warning, "Tags in a description";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for group in subject.groups(Cause::Markup) {
        let Some(first) = group.first() else { continue };
        subject.report(&RULE, &group, first.span.clone(), "the description contains a tag", report);
    }
}
