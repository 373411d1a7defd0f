use crate::declare_rule;
use crate::format::agent::problem::{Cause, Problem};
use crate::format::agent::subject::Subject;
use crate::format::agent::tools;
use crate::rule::{Diagnostic, Fix, Report};
use crate::text::{Edit, Span};

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
    /// ````markdown bad path=.claude/agents/cook.md clients=claude-code
    /// ---
    /// name: cook
    /// description: Cooks
    /// tools: Read, Grp
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
        finding.fixes.extend(mapped(subject, first));
        explain(subject, first, finding);
    }
}

/// Adds a fix for each of several tools, and the places of those that the finding's span lacks.
pub fn explain(subject: &Subject, problem: &Problem, finding: &mut Diagnostic) {
    let Some(entry) = problem.key().and_then(|key| subject.entry(key)) else { return };
    let names: Vec<&str> = wrong(problem).collect();
    if let [_, _, ..] = names[..] {
        let one = |name: &&str| {
            let edits = replaced(subject, problem, |other| other == *name)?;
            let title = match edits.as_slice() {
                [edit] if edit.text.is_empty() => format!("Remove `{name}`"),
                [edit] => format!("Replace `{name}` by `{}`", edit.text),
                _ => return None,
            };
            Some(Fix::suggestion(title, edits))
        };
        finding.fixes.extend(names.iter().filter_map(one));
    }
    let named = tools::named(subject, entry);
    for run in tools::runs(&named, |named| names.contains(&named.name.as_str())) {
        if let Some(place) = tools::place(run).filter(|place| place.start >= finding.span.end) {
            let list: Vec<String> = run.iter().map(|named| format!("`{}`", named.name)).collect();
            finding.relate(place, format!("also {}", list.join(", ")));
        }
    }
}

/// The fix that puts the client's own names in the place of the others: safe if each has exactly
/// one.
pub fn mapped(subject: &Subject, problem: &Problem) -> Option<Fix> {
    let edits = replaced(subject, problem, |_| true)?;
    let title = format!("Use the names of {}", problem.client.title);
    // A name that no client has is mistyped, and may mean another.
    let exact = problem.instead.iter().all(|names| !names.is_empty() && !names.contains(' '))
        && wrong(problem).all(tools::is_one);
    let fix = if exact { Fix::safe(title, edits) } else { Fix::suggestion(title, edits) };
    Some(fix)
}

/// The names of a problem.
fn wrong<'p>(problem: &'p Problem) -> impl Iterator<Item = &'p str> {
    problem.detail.split(", ").map(|name| name.trim_matches('`'))
}

/// The client's names in place of these others. A name that the list has already is not added
/// again.
pub fn replaced(
    subject: &Subject,
    problem: &Problem,
    these: impl Fn(&str) -> bool,
) -> Option<Vec<Edit>> {
    let entry = subject.entry(problem.key()?)?;
    let wrong: Vec<&str> = wrong(problem).collect();
    let named = tools::named(subject, entry);
    let mut kept: Vec<&str> = named
        .iter()
        .map(|named| named.name.as_str())
        .filter(|name| !wrong.contains(name))
        .collect();
    let mut edits = Vec::new();
    for (name, instead) in wrong.iter().zip(&problem.instead).filter(|(name, _)| these(name)) {
        let index = named.iter().position(|named| named.name == *name)?;
        let place = named.get(index)?;
        let mut names = instead.split(' ').filter(|new| !new.is_empty()).peekable();
        names.peek()?;
        // Each name becomes one that the list does not have yet.
        match names.find(|new| !kept.contains(new)) {
            Some(new) => {
                kept.push(new);
                edits.push(Edit::replace(place.span.clone(), new));
            }
            None => edits.push(Edit::delete(removed(subject, &named, index)?)),
        }
    }
    Some(edits)
}

/// An item of a list on one line with the comma next to it.
fn removed(subject: &Subject, named: &[tools::Named], index: usize) -> Option<Span> {
    let own = named.get(index)?.span.clone();
    let text = |span: Span| subject.cx.source.slice(span);
    let plain = |span: &Span| {
        let between = text(span.clone());
        between.contains(',')
            && between.chars().all(|letter| matches!(letter, ',' | ' ' | '"' | '\''))
            && !between.contains(['"', '\''])
    };
    let before = index.checked_sub(1).and_then(|last| named.get(last));
    let before = before.map(|last| last.span.end..own.start).filter(plain);
    let after = named.get(index + 1).map(|next| own.end..next.span.start).filter(plain);
    match (before, after) {
        (Some(before), _) if !text(own.end..own.end + 1).starts_with('(') => {
            Some(before.start..own.end)
        }
        (None, Some(after)) => Some(own.start..after.end),
        _ => None,
    }
}
