use crate::declare_rule;
use crate::format::agent::problem::Cause;
use crate::format::agent::subject::Subject;
use crate::rule::Fix;
use crate::rule::Report;
use crate::text::Edit;
use crate::yaml::print_scalar;

declare_rule! {
    /// The `name` of a skill must match its folder. Clients that check this skip the skill; others
    /// use one of the two names.
    ///
    /// Set `name` to the folder's name, or rename the folder.
    ///
    /// Outside the folders that clients read, a name that is made from its folder's as those of several
    /// neighbouring skills are, such as `tea-pour` in `tea/pour` or `pour` in `tea-pour`, is a hint: it's a
    /// convention.
    ///
    /// ````markdown bad path=.agents/skills/press-flowers/SKILL.md clients=cline
    /// ---
    /// name: flower-press
    /// description: Presses flowers between pages
    /// ---
    ///
    /// Press them.
    /// ````
    ///
    /// ````markdown good path=.agents/skills/press-flowers/SKILL.md clients=cline
    /// ---
    /// name: press-flowers
    /// description: Presses flowers between pages
    /// ---
    ///
    /// Press them.
    /// ````
    pub static RULE = "agent/name-folder", Warning, "Name differs from the folder";
}

pub fn check(subject: &Subject, report: &mut Report) {
    let invalid: Vec<_> = subject
        .problems
        .iter()
        .filter(|problem| problem.cause == Cause::InvalidName)
        .map(|problem| &problem.span)
        .collect();
    for group in subject.groups(Cause::Folder) {
        let (Some(first), Some(folder)) = (group.first(), subject.file.folder()) else { continue };
        // The invalid name already has the same fix.
        if invalid.contains(&&first.span) {
            continue;
        }
        let words = format!("`{}` differs from the name of the folder, `{folder}`", first.detail);
        let finding = subject.report(&RULE, &group, first.span.clone(), &words, report);
        finding.fix(Fix::suggestion(
            format!("Rename to `{folder}`"),
            vec![Edit::replace(first.span.clone(), print_scalar(folder))],
        ));
    }
}
