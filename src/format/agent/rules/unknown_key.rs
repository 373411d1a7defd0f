use super::wrong_type;
use crate::declare_rule;
use crate::format::agent::keys;
use crate::format::agent::problem::Cause;
use crate::format::agent::subject::Subject;
use crate::rule::Fix;
use crate::rule::{Report, Severity};
use crate::text::Edit;
use crate::yaml::{Entry, Kind, Node, Style, print_flow_scalar};

declare_rule! {
    /// The key is spelled differently by the clients that read the file, or a client refuses files
    /// with keys that it doesn't know.
    ///
    /// Keys that clients merely ignore are reported by [agent/unused-key](unused-key.md), which is
    /// off by default.
    ///
    /// Outside the folders that clients read, this is a hint if most neighbouring files have the key too:
    /// a program of the project may read it. So is a key without a value that clients ignore.
    ///
    /// ````markdown bad path=.claude/skills/fix-bike/SKILL.md clients=claude-code
    /// ---
    /// name: fix-bike
    /// description: Repairs a bicycle
    /// allowed_tools: Read
    /// ---
    ///
    /// Repair it.
    /// ````
    ///
    /// ````markdown good path=.claude/skills/fix-bike/SKILL.md clients=claude-code
    /// ---
    /// name: fix-bike
    /// description: Repairs a bicycle
    /// allowed-tools: Read
    /// ---
    ///
    /// Repair it.
    /// ````
    pub static RULE = "agent/unknown-key", Warning, "Unknown key";
}

/// The other key and its value that a client needs to read a key, if the file doesn't have that
/// key.
fn needed(subject: &Subject, key: &str) -> Option<(String, String)> {
    let schema = subject.file.judged.iter().find_map(|role| role.reads.key(key))?;
    let with = schema.get("x-only-with")?;
    let name = with.get("key")?.as_str()?;
    let value = with.get("is")?.as_str()?;
    subject.entry(name).is_none().then(|| (name.to_owned(), value.to_owned()))
}

/// The edit that makes the value of a key one that another key accepts, if it isn't one already, and
/// its title within a sentence.
fn converted(subject: &Subject, entry: &Entry, key: &str) -> Option<(String, Edit)> {
    let role = subject.file.judged.iter().find(|role| role.reads.key(key).is_some())?;
    if role.reads.reading.is_by_line() {
        let raw = match &entry.value.kind {
            Kind::Sequence(list) => {
                list.items.iter().map(Node::as_str).collect::<Option<Vec<_>>>()?.join(",")
            }
            Kind::Scalar(scalar) if !matches!(scalar.style, Style::Plain) => scalar.text.clone(),
            _ => return None,
        };
        let edit = wrong_type::written(subject, entry, &raw).filter(|_| !raw.contains('\n'))?;
        return Some(("write the value as a line".to_owned(), edit));
    }
    let wanted = keys::expected(role, key);
    let differs = matches!(
        (&entry.value.kind, wanted.as_str()),
        (Kind::Sequence(_), "a string") | (Kind::Scalar(_), "a list")
    );
    let (title, text) =
        wrong_type::converted(entry, key, &wanted, role.client).filter(|_| differs)?;
    Some((title.to_lowercase(), wrong_type::written(subject, entry, &text)?))
}

pub fn check(subject: &Subject, report: &mut Report) {
    for group in subject.groups(Cause::UnknownKey) {
        let Some(first) = group.first() else { continue };
        let key = first.key().unwrap_or_default();
        let instead = group.iter().find_map(|problem| problem.instead.first());
        let words = match instead {
            Some(instead) => format!("unknown key `{key}`; did you mean `{instead}`?"),
            None => format!("unknown key `{key}`"),
        };
        let finding = subject.report(&RULE, &group, first.span.clone(), &words, report);
        // If a client ignores a key without a value, nothing is lost.
        let entry = first.key().and_then(|key| subject.entry(key));
        if finding.severity == Severity::Warning
            && entry.is_some_and(|entry| entry.value.span.is_empty())
        {
            finding.severity = Severity::Hint;
        }
        if let Some(instead) = instead {
            let mut edits = vec![Edit::replace(first.span.clone(), print_flow_scalar(instead))];
            let mut title = format!("Rename the key to `{instead}`");
            if let Some((key, value)) = needed(subject, instead) {
                let line = subject.cx.source.line_span(first.span.start).start;
                let added = format!("{key}: {}", print_flow_scalar(&value));
                title = format!("{title}, and add `{added}`");
                let line_break = subject.cx.source.line_break();
                edits.insert(0, Edit::replace(line..line, format!("{added}{line_break}")));
            }
            if let Some((converts, edit)) =
                entry.and_then(|entry| converted(subject, entry, instead))
            {
                title = format!("{title}, and {converts}");
                edits.push(edit);
            }
            finding.fix(Fix::suggestion(title, edits));
        }
    }
}
