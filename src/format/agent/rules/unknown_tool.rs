use crate::declare_rule;
use crate::format::agent::problem::{Cause, Problem};
use crate::format::agent::subject::Subject;
use crate::format::agent::tools;
use crate::rule::Fix;
use crate::rule::Report;
use crate::text::Edit;

declare_rule! {
    /// The client doesn't know the tool: the name is written in another case, was retired, or is
    /// another client's. One finding names all tools of a list.
    ///
    /// ````markdown bad path=.claude/agents/cook.md clients=claude-code
    /// ---
    /// name: cook
    /// description: Cooks
    /// tools: Read, grep, Bash(ls *)
    /// ---
    ///
    /// Cook.
    /// ````
    ///
    /// ````markdown good path=.claude/agents/cook.md clients=claude-code
    /// ---
    /// name: cook
    /// description: Cooks
    /// tools: Read, Grep, Bash(ls *)
    /// ---
    ///
    /// Cook.
    /// ````
    pub static RULE = "agent/unknown-tool", Warning, "Unknown tool";
}

/// Reports it.
pub fn check(subject: &Subject, report: &mut Report) {
    for group in subject.groups(Cause::UnknownTool) {
        let Some(first) = group.first() else { continue };
        let several = first.detail.contains(", ");
        let known: Vec<&str> =
            first.instead.iter().map(String::as_str).filter(|words| !words.is_empty()).collect();
        let meant = match known.as_slice() {
            [one] if !several => format!("; did you mean `{}`?", one.replace(' ', "` or `")),
            _ => String::new(),
        };
        let words =
            format!("unknown {}: {}{meant}", if several { "tools" } else { "tool" }, first.detail);
        let finding = subject.report(&RULE, &group, first.span.clone(), &words, report);
        if let Some(edits) = replaced(subject, first) {
            finding.fix(Fix::suggestion("Use the client's names", edits));
        }
    }
}

/// The value with the client's names in place of the others.
pub fn replaced(subject: &Subject, problem: &Problem) -> Option<Vec<Edit>> {
    let entry = subject.entry(problem.key.as_deref()?)?;
    let wrong: Vec<&str> = problem.detail.split(", ").map(|name| name.trim_matches('`')).collect();
    let named = tools::named(subject, entry);
    let mut kept: Vec<&str> = named
        .iter()
        .map(|named| named.name.as_str())
        .filter(|name| !wrong.contains(name))
        .collect();
    let mut edits = Vec::new();
    for (name, instead) in wrong.iter().zip(&problem.instead) {
        let place = named.iter().find(|named| named.name == *name)?;
        // Each name becomes one that the list does not have yet.
        let new = instead.split(' ').find(|new| !new.is_empty() && !kept.contains(new))?;
        kept.push(new);
        edits.push(Edit::replace(place.span.clone(), new));
    }
    Some(edits)
}
