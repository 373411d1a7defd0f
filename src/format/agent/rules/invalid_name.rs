use crate::client::Kind;
use crate::declare_rule;
use crate::format::agent::problem::Cause;
use crate::format::agent::subject::Subject;
use crate::rule::Fix;
use crate::rule::Report;
use crate::text::Edit;

declare_rule! {
    /// Names of skills consist of lowercase letters, digits and single hyphens and have at most 64
    /// characters. Clients that check this skip the file.
    ///
    /// Outside the folders that clients read, a name that is made from its folder's as those of several
    /// neighbouring skills are, such as `tea:pour` in `tea-pour`, is a hint: it's a convention.
    ///
    /// ````markdown bad path=.agents/skills/tie-knots/SKILL.md clients=zed
    /// ---
    /// name: Tie Knots
    /// description: Ties a bowline
    /// ---
    ///
    /// Tie it.
    /// ````
    ///
    /// ````markdown good path=.agents/skills/tie-knots/SKILL.md clients=zed
    /// ---
    /// name: tie-knots
    /// description: Ties a bowline
    /// ---
    ///
    /// Tie it.
    /// ````
    pub static RULE = "agent/invalid-name", Warning, "Invalid name";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for group in subject.groups(Cause::InvalidName) {
        let Some(first) = group.first() else { continue };
        let finding = subject.report(
            &RULE,
            &group,
            first.span.clone(),
            &format!("`{}` is not a valid name", brief(&first.detail)),
            report,
        );
        let slug = match subject.file.kind {
            Kind::Skill => subject
                .file
                .folder()
                .filter(|folder| is_slug(folder))
                .map_or_else(|| slug(&first.detail), str::to_owned),
            _ => slug(&first.detail),
        };
        if is_slug(&slug) {
            finding.fix(Fix::suggestion(
                format!("Rename to `{slug}`"),
                vec![Edit::replace(first.span.clone(), slug)],
            ));
        }
    }
}

fn brief(name: &str) -> String {
    if name.chars().count() > 70 {
        name.chars().take(70).chain(['…']).collect()
    } else {
        name.to_owned()
    }
}

/// A valid name similar to the one written: lowercase letters, digits and single hyphens.
pub fn slug(name: &str) -> String {
    let letters = name.chars().map(|letter| {
        if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { ' ' }
    });
    letters.collect::<String>().split_whitespace().collect::<Vec<_>>().join("-")
}

fn is_slug(name: &str) -> bool {
    !name.is_empty() && name.len() <= 64 && slug(name) == name
}
