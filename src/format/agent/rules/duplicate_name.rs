use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::Path;

use crate::client::Kind;
use crate::declare_rule;
use crate::format::agent::files;
use crate::format::agent::names::{self, Duplicate};
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::Claim;
use crate::rule::Report;
use crate::rule::Severity;
use crate::source::Source;

declare_rule! {
    /// Two files of one client have the same name, and the client uses only one of them: two agents
    /// in one folder tree, or a command and a skill, which takes precedence. Some systems treat
    /// names that differ only in case as the same file.
    ///
    /// Two skills in different folders of one client, such as `.github/skills/` and
    /// `.claude/skills/`, are a hint: each may be meant for another client. So is a command that
    /// mentions the skill, because it was probably made from it, and a command that the skill names by its
    /// path, that has the same description, or that only says to follow a file as the skill does: both are meant. Identical copies aren't reported.
    ///
    /// ````markdown file=kitchen/cook.md
    /// ---
    /// name: cook
    /// description: Cooks dinner
    /// ---
    ///
    /// Cook dinner.
    /// ````
    ///
    /// ````markdown bad path=.claude/agents/chef.md clients=claude-code
    /// ---
    /// name: cook
    /// description: Cooks lunch
    /// ---
    ///
    /// Cook lunch.
    /// ````
    ///
    /// ````markdown good path=.claude/agents/chef.md clients=claude-code
    /// ---
    /// name: chef
    /// description: Cooks lunch
    /// ---
    ///
    /// Cook lunch.
    /// ````
    pub static RULE = "agent/duplicate-name", Warning, "Name that another file has";
}

/// Whether a command and the skill with its name are made for each other: the command mentions the
/// skill or its file, the skill mentions the command's file, or both have the same description.
fn knows(subject: &Subject, other: &Duplicate) -> bool {
    let folder = other.path.parent().and_then(Path::file_name).and_then(OsStr::to_str);
    let (Kind::Command, Kind::Skill, Some(name)) = (subject.file.kind, other.kind, folder) else {
        return false;
    };
    if subject.entry("skill").is_some_and(|entry| entry.value.as_str() == Some(name)) {
        return true;
    }
    let text = subject.cx.source.slice(0..subject.cx.source.len());
    let named = ["/SKILL.md", " skill", "` skill", "** skill", "\" skill"]
        .iter()
        .any(|after| text.contains(&format!("{name}{after}")));
    named
        || subject
            .cx
            .world
            .read(&other.path)
            .is_ok_and(|skill| is_made_for(subject, &skill) || leads_to_same_file(subject, &skill))
}

/// Whether a command does little more than follow a file that the skill also mentions.
fn leads_to_same_file(subject: &Subject, skill: &Source) -> bool {
    let paths = |source: &Source| -> HashSet<String> {
        let mentions = names::of(source, &[]).into_iter();
        let paths = mentions.filter_map(|mention| match mention.word {
            names::Word::File(path) => Some(path),
            _ => None,
        });
        paths.collect()
    };
    let source = subject.cx.source;
    let body = source.slice(subject.body()..source.len());
    if body.split_whitespace().nth(MOST_WORDS).is_some() {
        return false;
    }
    let own = paths(source);
    paths(skill).iter().any(|path| own.contains(path) && files::exists(subject, path))
}

/// A longer command does more than follow a file.
const MOST_WORDS: usize = 40;

/// Whether a skill mentions the file of a command, or has its description.
fn is_made_for(subject: &Subject, skill: &Source) -> bool {
    let file = subject.file.path.file_name().and_then(OsStr::to_str);
    let folder = subject.file.folder();
    let path = file.zip(folder).map(|(file, folder)| format!("{folder}/{file}"));
    let own = subject.entry("description").and_then(|entry| entry.value.as_str());
    let theirs = skill.front_matter().and_then(|front| front.tree.get("description"));
    path.is_some_and(|path| skill.slice(0..skill.len()).contains(&path))
        || own.is_some() && own == theirs.and_then(|entry| entry.value.as_str())
}

pub fn check(subject: &Subject, report: &mut Report) {
    let cx = subject.cx;
    let roles = names::readers(&subject.file);
    let Some(other) = names::duplicate(cx, &roles) else { return };
    let span = match names::name(cx.source) {
        Some((_, span)) => span,
        None => subject.first_line(),
    };
    let root = cx.root();
    let short = root.as_ref().and_then(|root| other.path.strip_prefix(root).ok());
    let path = crate::world::slashed(short.unwrap_or(&other.path));
    let words = match (other.case, other.kind, subject.file.kind) {
        (true, ..) => format!("the name differs only in case from that of `{path}`"),
        (false, Kind::Skill, Kind::Command) => {
            format!("the skill `{path}` has the same name ({}: the skill is used)", other.client)
        }
        _ => format!("`{path}` has the same name ({}: only one of them is used)", other.client),
    };
    let finding = report.add(&RULE, span, words);
    let hint = other.apart || !other.case && knows(subject, &other);
    let severity = if hint { Severity::Hint } else { Severity::Warning };
    finding.severity = subject.weigh(Claim::Files, severity);
}
