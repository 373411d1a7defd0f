use std::path::Path;

use crate::client::{self, Kind};
use crate::declare_rule;
use crate::format::agent::misplaced::has_keys;
use crate::format::agent::problem::Cause;
use crate::format::agent::subject::Subject;
use crate::format::agent::{names, neighbours};
use crate::rule::{Report, Severity};
use crate::world::{EntryKind, Knowledge};

declare_rule! {
    /// The file is next to those that a client reads, and its name is not one that it reads: `.md`
    /// in Cursor's rules, `skill.md` instead of `SKILL.md`, a skill without its folder. A page for people
    /// is a hint: one without front matter among skills or commands; among rules, one with a name in capitals, or whose front matter
    /// has no key of a rule, or one without front matter next to rules with a name that is read. So is a file that the manifest of a plugin names, a
    /// skill in a hidden folder among skills, and any file in a folder of templates.
    ///
    /// Of several files in one folder of `.claude/skills` without a `SKILL.md`, all but the first are hints, and so
    /// are all but the first of several skills in a folder of them; if only some files are checked, the first of these
    /// counts.
    ///
    /// ````markdown bad path=.cursor/rules/naming.md clients=cursor
    /// ---
    /// description: Names
    /// alwaysApply: true
    /// ---
    ///
    /// Spell words out.
    /// ````
    ///
    /// ````markdown good path=.cursor/rules/naming.mdc clients=cursor
    /// ---
    /// description: Names
    /// alwaysApply: true
    /// ---
    ///
    /// Spell words out.
    /// ````
    pub static RULE = "agent/misplaced-file", Error, "File with a name that no client reads";
}

pub fn check(subject: &Subject, report: &mut Report) {
    let mut follows = None;
    for group in subject.groups(Cause::Misplaced) {
        let Some(first) = group.first() else { continue };
        let remedy = first.instead.first().map(String::as_str).unwrap_or_default();
        let words = match skill_of_its_name(subject).or_else(|| taken(subject, remedy)) {
            Some(other) => format!("this file is not read, but `{other}` is; merge the two"),
            None if subject.file.judged.iter().any(|role| !role.reads.anywhere) => {
                format!("not every client reads this file: {remedy}")
            }
            None => format!("this file is not read: {remedy}"),
        };
        let finding = subject.report(&RULE, &group, first.span.clone(), &words, report);
        let listed = || {
            let root = subject.cx.root();
            names::is_listed(subject.cx.world, subject.file.path, root.as_deref())
        };
        let mut follows = || *follows.get_or_insert_with(|| follows_another(subject));
        if is_page(subject) || is_anothers(subject.file.path) || listed() || follows() {
            finding.severity = Severity::Hint;
        }
    }
}

/// Whether a skill is in a hidden folder among skills, such as the `.system` that Codex fills: a program looks for it
/// there.
fn is_anothers(path: &Path) -> bool {
    let name = |at: usize| path.ancestors().nth(at)?.file_name()?.to_str();
    path.ends_with("SKILL.md")
        && name(2).is_some_and(|folder| folder.starts_with('.'))
        && name(3) == Some("skills")
}

/// Whether an earlier file in the folder, or an earlier skill, is misplaced for the same reason:
/// each cause is reported once.
fn follows_another(subject: &Subject) -> bool {
    let cx = subject.cx;
    let path = subject.file.path;
    let keys = |path: &Path| {
        let wrong = client::misplaced(cx.place_of(path)).into_iter().map(|(_, _, wrong)| wrong);
        wrong.map(|wrong| &wrong.keys).find(|keys| !keys.is_empty())
    };
    // A skill is a folder.
    let skill = path.file_name().filter(|name| *name == "SKILL.md");
    let own = if skill.is_some() { path.parent() } else { Some(path) };
    let Some((keys, own)) = keys(path).zip(own) else { return false };
    let Some(folder) = own.parent() else { return false };
    let before = cx.world.list(folder).into_iter().filter(|entry| {
        let other = Path::new(&entry.name);
        let alike = skill.is_some() || other.extension() == path.extension();
        alike && Some(other.as_os_str()) < own.file_name()
    });
    // If only some files are checked, the others don't count.
    let checked = match cx.world.knowledge() {
        Knowledge::Some => cx.world.known_files(),
        Knowledge::Later | Knowledge::All => Vec::new(),
    };
    let some = checked.iter().any(|file| file == path);
    before.take(MOST_SIBLINGS).any(|entry| {
        let other = folder.join(entry.name);
        let other = skill.map_or_else(|| other.clone(), |skill| other.join(skill));
        if some && !checked.contains(&other) {
            return false;
        }
        (skill.is_some() || client::roles(cx.place_of(&other)).is_empty())
            && neighbours::look(cx.world, &other).is_some_and(|other| has_keys(&other, keys))
    })
}

/// The skill with the name of a loose file next to it: the file can't be moved there.
fn skill_of_its_name(subject: &Subject) -> Option<String> {
    let skill = format!("{}/SKILL.md", subject.file.stem()?);
    let exists = || {
        let path = subject.file.path.parent()?.join(&skill);
        subject.cx.world.kind(&path)
    };
    (subject.file.kind == Kind::Skill && exists() == Some(EntryKind::File)).then_some(skill)
}

/// The file name in a remedy, if another file already has it.
fn taken(subject: &Subject, remedy: &str) -> Option<String> {
    let name = remedy.strip_prefix("rename the file to `")?.strip_suffix('`')?;
    let path = subject.file.path;
    let own = path.file_name()?.to_str()?;
    // On some disks, a name that differs only in case is the same file.
    let exists = !own.eq_ignore_ascii_case(name)
        && subject.cx.world.kind(&path.with_file_name(name)) == Some(EntryKind::File);
    exists.then(|| name.to_owned())
}

/// Whether a file next to rules or skills is a page: it has no front matter; next to rules, its
/// name must also be in capitals, as in `README`, or its front matter isn't that of a rule.
fn is_page(subject: &Subject) -> bool {
    let stem = subject.file.stem().unwrap_or_default();
    if subject.file.kind == Kind::Skill && !stem.eq_ignore_ascii_case("skill") {
        return subject.front.is_none();
    }
    if subject.file.kind == Kind::Command {
        return subject.front.is_none();
    }
    let plain = !RULE_KEYS.iter().any(|key| subject.entry(key).is_some());
    let other = subject.entries().next().is_some() && plain;
    if subject.file.kind == Kind::Rule && other {
        return true;
    }
    // Next to rules that are read, a file without any key of a rule is a page about them.
    if subject.file.kind == Kind::Rule && plain && has_read_siblings(subject) {
        return true;
    }
    let capitals = stem.contains(|letter: char| letter.is_ascii_uppercase())
        && !stem.contains(|letter: char| letter.is_ascii_lowercase());
    capitals && subject.file.kind == Kind::Rule && subject.front.is_none()
}

/// Keys that only rules have.
const RULE_KEYS: &[&str] = &["description", "globs", "alwaysApply", "paths", "trigger"];

/// Whether the folder has a file of the same kind under a name that the client reads.
fn has_read_siblings(subject: &Subject) -> bool {
    let path = subject.file.path;
    let Some(folder) = path.parent() else { return false };
    let clients: Vec<&str> = subject
        .problems
        .iter()
        .filter(|problem| problem.cause == Cause::Misplaced)
        .map(|problem| problem.client.name.as_str())
        .collect();
    let is_read = |name: String| {
        let other = folder.join(name);
        let roles = client::roles(subject.cx.place_of(&other));
        roles.iter().any(|role| clients.contains(&role.client.name.as_str()))
    };
    let entries = subject.cx.world.list(folder).into_iter();
    let files = entries.filter(|entry| entry.kind == EntryKind::File).take(MOST_SIBLINGS);
    files.map(|entry| entry.name).any(is_read)
}

/// At most this many files in the same folder are checked.
const MOST_SIBLINGS: usize = 400;
