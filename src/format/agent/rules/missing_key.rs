use super::front_matter;
use crate::declare_rule;
use crate::format::agent::commented;
use crate::format::agent::problem::{Cause, Problem};
use crate::format::agent::subject::Subject;
use crate::rule::Report;

declare_rule! {
    /// A key that a client needs is missing or has no value. The message names what each client
    /// does without it. Instructions with a `description` but without `applyTo` are a hint: the model loads
    /// them on demand. So is a skill outside the folders that clients read if it has an `id`, or if it lacks
    /// only a `name` and nearly all of several neighbouring skills have none either: a program of the project
    /// reads it. An agent of a plugin has its file's name, so that nothing is lost if all lack another. In
    /// `.agent/skills`, Antigravity takes the folder's name, so that a missing `name` is a hint there.
    ///
    /// ````markdown bad path=.agents/skills/brew-tea/SKILL.md clients=codex,cline
    /// ---
    /// name: brew-tea
    /// ---
    ///
    /// Brew it.
    /// ````
    ///
    /// ````markdown good path=.agents/skills/brew-tea/SKILL.md clients=codex,cline
    /// ---
    /// name: brew-tea
    /// description: Brews tea
    /// ---
    ///
    /// Brew it.
    /// ````
    pub static RULE = "agent/missing-key", Warning, "Missing key";
}

/// Merges groups with the same place if the missing keys of one are a subset of the other's.
fn merged<'s, 'a>(groups: Vec<Vec<&'s Problem<'a>>>) -> Vec<Vec<&'s Problem<'a>>> {
    let mut found: Vec<Vec<&Problem>> = Vec::new();
    let mut groups = groups;
    let keys = |group: &[&Problem]| group.first().map_or(0, |first| first.keys.len());
    groups.sort_by_key(|group| std::cmp::Reverse(keys(group)));
    for group in groups {
        let part = |whole: &&mut Vec<&Problem>| match (whole.first(), group.first()) {
            (Some(whole), Some(part)) => {
                let has = |key: &String| whole.keys.contains(key);
                let plain = whole.reason.is_none() && part.reason.is_none();
                plain && whole.span == part.span && part.keys.iter().all(has)
            }
            _ => false,
        };
        match found.iter_mut().find(part) {
            Some(whole) => whole.extend(group),
            None => found.push(group),
        }
    }
    found
}

pub fn check(subject: &Subject, report: &mut Report) {
    for group in merged(subject.groups(Cause::MissingKey)) {
        let Some(first) = group.first() else { continue };
        let key = first.key().unwrap_or_default();
        if front_matter::explains(subject, key) {
            continue;
        }
        let there = subject.entry(key).is_some();
        let words = if let Some(reason) = &first.reason {
            reason.clone()
        } else if there {
            format!("`{key}` has no value")
        } else {
            format!("missing `{}`", first.keys.join("`, `"))
        };
        let finding = subject.report(&RULE, &group, first.span.clone(), &words, report);
        if there && first.reason.is_some() {
            let fixes = commented::fixes(subject, key, &first.span);
            finding.fixes.extend(fixes);
        }
    }
}
