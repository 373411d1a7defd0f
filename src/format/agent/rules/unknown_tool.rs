use std::collections::{HashMap, HashSet};

use crate::declare_rule;
use crate::format::agent::problem::{Cause, Problem};
use crate::format::agent::subject::Subject;
use crate::format::agent::tools::{self, Named};
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

pub fn check(subject: &Subject, report: &mut Report) {
    for group in subject.groups(Cause::UnknownTool) {
        let Some(first) = group.first() else { continue };
        let several = first.detail.contains(", ");
        let known: Vec<&str> =
            first.instead.iter().map(String::as_str).filter(|words| !words.is_empty()).collect();
        let granted = tools::grants(subject, first.key().unwrap_or_default());
        let withheld =
            |name: &str| granted && first.client.tools.withheld.iter().any(|other| other == name);
        let meant = match known.as_slice() {
            [one] if !several && withheld(one) => String::new(),
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

/// At most this many tools get a separate fix.
const MOST_FIXES: usize = 20;

/// Adds a fix for each of several tools, and the places of tools outside the finding's span.
pub fn explain(subject: &Subject, problem: &Problem, finding: &mut Diagnostic) {
    let Some(named) = named(subject, problem) else { return };
    let list = List::new(subject, problem, &named);
    if list.wrong.len() > 1 {
        let one = |(name, instead): (&str, &str)| {
            let edits = list.replaced(subject, [(name, instead)])?;
            let title = match edits.as_slice() {
                [edit] if edit.text.is_empty() => format!("Remove `{name}`"),
                [edit] => format!("Replace `{name}` with `{}`", edit.text),
                _ => return None,
            };
            Some(Fix::suggestion(title, edits))
        };
        finding.fixes.extend(list.pairs().filter_map(one).take(MOST_FIXES));
    }
    let wrong: HashSet<&str> = list.wrong.iter().copied().collect();
    for run in tools::runs(&named, |named| wrong.contains(named.name.as_str())) {
        if let Some(place) = tools::place(run).filter(|place| place.start >= finding.span.end) {
            let names: Vec<String> = run.iter().map(|named| format!("`{}`", named.name)).collect();
            finding.relate(place, format!("also {}", names.join(", ")));
        }
    }
}

/// The fix that replaces the names with the client's own; it's safe if each has exactly one
/// replacement.
pub fn mapped(subject: &Subject, problem: &Problem) -> Option<Fix> {
    let edits = replaced(subject, problem)?;
    let title = match (edits.iter().all(|edit| edit.text.is_empty()), wrong(problem).count()) {
        (true, 1) => format!("Remove {}", problem.detail),
        (true, _) => "Remove unknown tools".to_owned(),
        _ => format!("Use the names of {}", problem.client.title),
    };
    // A name that no client has is a typo, whose meaning isn't certain.
    let alike = |name: &str| !problem.client.tools.replaced.iter().any(|other| other == name);
    // Outside the places of clients, the names may be those of a program of the project.
    let exact = !subject.is_unclaimed()
        && problem.instead.iter().all(|names| !names.is_empty() && !names.contains(' '))
        && wrong(problem).all(|name| tools::is_one(name) && alike(name));
    let fix = if exact { Fix::safe(title, edits) } else { Fix::suggestion(title, edits) };
    Some(fix)
}

/// Replaces all other names with the client's own. A name that the list already has isn't added
/// again.
pub fn replaced(subject: &Subject, problem: &Problem) -> Option<Vec<Edit>> {
    let named = named(subject, problem)?;
    let list = List::new(subject, problem, &named);
    list.replaced(subject, list.pairs())
}

/// The wrong names of a problem.
fn wrong<'p>(problem: &'p Problem) -> impl Iterator<Item = &'p str> {
    problem.detail.split(", ").map(|name| name.trim_matches('`'))
}

/// All names of the list that a problem is about.
fn named(subject: &Subject, problem: &Problem) -> Option<Vec<Named>> {
    Some(tools::named(subject, subject.entry(problem.key()?)?))
}

/// A list of tools with the names that a problem is about.
struct List<'n> {
    named: &'n [Named],
    wrong: Vec<&'n str>,
    /// The client's names for each of these.
    instead: &'n [String],
    /// The first position of each name.
    places: HashMap<&'n str, usize>,
    /// The other names, and those that a subagent never gets.
    kept: HashSet<&'n str>,
}

impl<'n> List<'n> {
    fn new(subject: &Subject, problem: &'n Problem, named: &'n [Named]) -> Self {
        let wrong: Vec<&str> = wrong(problem).collect();
        let mut places = HashMap::new();
        for (index, named) in named.iter().enumerate() {
            places.entry(named.name.as_str()).or_insert(index);
        }
        let mut kept: HashSet<&str> = places.keys().copied().collect();
        for name in &wrong {
            kept.remove(name);
        }
        if tools::grants(subject, problem.key().unwrap_or_default()) {
            kept.extend(problem.client.tools.withheld.iter().map(String::as_str));
        }
        Self { named, wrong, instead: &problem.instead, places, kept }
    }

    /// The wrong names, with the client's names for each.
    fn pairs(&self) -> impl Iterator<Item = (&'n str, &'n str)> {
        self.wrong.iter().copied().zip(self.instead.iter().map(String::as_str))
    }

    /// Replaces these names with the client's own.
    fn replaced(
        &self,
        subject: &Subject,
        pairs: impl IntoIterator<Item = (&'n str, &'n str)>,
    ) -> Option<Vec<Edit>> {
        let mut added = HashSet::new();
        let mut edits = Vec::new();
        for (name, instead) in pairs {
            let index = *self.places.get(name)?;
            let place = self.named.get(index)?;
            let mut names = instead.split(' ').filter(|new| !new.is_empty()).peekable();
            names.peek()?;
            // Each name becomes one that the list doesn't have yet.
            let new = names.find(|new| !self.kept.contains(new) && !added.contains(new));
            match new {
                Some(new) => {
                    added.insert(new);
                    edits.push(Edit::replace(place.span.clone(), new));
                }
                None => edits.push(Edit::delete(removed(subject, self.named, index)?)),
            }
            // The same name again.
            let others = self.named.iter().enumerate().skip(index + 1);
            for (other, place) in others.filter(|(_, other)| other.name == name) {
                edits.push(match (removed(subject, self.named, other), new) {
                    (Some(span), _) => Edit::delete(span),
                    (None, Some(new)) => Edit::replace(place.span.clone(), new),
                    (None, None) => return None,
                });
            }
        }
        edits.sort_by_key(|edit| edit.span.start);
        let apart = |pair: &[Edit]| matches!(pair, [a, b] if a.span.end <= b.span.start);
        edits.windows(2).all(apart).then_some(edits)
    }
}

/// The span of an item in a list on one line, with the comma next to it.
fn removed(subject: &Subject, named: &[Named], index: usize) -> Option<Span> {
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
