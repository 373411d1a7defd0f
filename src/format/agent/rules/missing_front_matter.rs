use std::collections::BTreeSet;

use super::front_matter::is_read_by_every_client;
use crate::client::catalog::folder_names;
use crate::client::{Kind, Outcome, catalog};
use crate::declare_rule;
use crate::format::agent::late;
use crate::format::agent::neighbours;
use crate::format::agent::opening::{Head, Opening};
use crate::format::agent::problem::Cause;
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::Claim;
use crate::markdown::front::{Delimiters, mark_length};
use crate::rule::Fix;
use crate::rule::{Report, Severity};
use crate::text::Edit;
use crate::world::EntryKind;

declare_rule! {
    /// A file of this kind starts with front matter, and clients that find none skip the file or
    /// lose its description.
    ///
    /// It's a hint for:
    ///
    /// - a file among agents that nearly all have front matter, if it doesn't say "You are …": it
    ///   is most likely a page about them;
    /// - instructions that a memory file of the workspace names: a model reads them when that file
    ///   says so;
    /// - `README.instructions.md`, which is about the others;
    /// - an empty file, which says nothing yet;
    /// - a skill with a file such as `skill.yaml` next to it: another program makes one skill of
    ///   the two;
    /// - a skill outside the folders that clients read, if nearly all of several neighbouring
    ///   skills have no front matter either;
    /// - an agent of a plugin whose path a skill or command of the plugin names: a model reads it
    ///   when told to.
    ///
    /// Keys without a line `---` above them, or below `--`, `+++` or a code fence, are reported here too.
    ///
    /// A skill needs at least a `name` and a `description` between two lines `---` at the very top.
    ///
    /// ````markdown bad path=.agents/skills/fold-maps/SKILL.md clients=codex
    /// # Fold maps
    ///
    /// Along the creases.
    /// ````
    ///
    /// ````markdown good path=.agents/skills/fold-maps/SKILL.md clients=codex
    /// ---
    /// name: fold-maps
    /// description: Folds maps along their creases
    /// ---
    ///
    /// # Fold maps
    ///
    /// Along the creases.
    /// ````
    pub static RULE = "agent/missing-front-matter", Warning, "Missing front matter";
}

pub fn check(subject: &Subject, report: &mut Report) {
    if subject.late().is_some()
        || subject.front.as_ref().is_some_and(|front| front.delimiters == Delimiters::Unclosed)
    {
        return;
    }
    if let Some(opening) = subject.unopened().filter(|_| !subject.file.is_plain()) {
        return unopened(subject, opening, report);
    }
    if explains(subject) {
        return;
    }
    for group in subject.groups(Cause::NoFrontMatter) {
        let Some(first) = group.first() else { continue };
        let marked = subject.front.as_ref().is_some_and(|front| front.opening.start > 0);
        let words = match (&subject.front, marked) {
            (Some(_), true) => "the byte order mark hides the front matter",
            (Some(_), false) => "spaces after the opening `---` hide the front matter",
            (None, _) => "missing front matter",
        };
        let spaces = subject.front.as_ref().filter(|_| !marked).map(|front| {
            let start = front.opening.start + 3;
            start..front.opening.end
        });
        let span = spaces.clone().unwrap_or_else(|| first.span.clone());
        let finding = subject.report(&RULE, &group, span, words, report);
        let told = match subject.file.kind {
            Kind::Instructions => is_page(subject) || is_named_in_memory(subject),
            Kind::Skill => neighbours::is_described(subject),
            Kind::Agent => is_called(subject),
            _ => false,
        };
        if told || first.span.is_empty() {
            finding.severity = Severity::Hint;
        }
        if marked {
            finding.fix(Fix::safe("Remove the byte order mark", vec![Edit::delete(0..BOM)]));
        } else if let Some(spaces) = spaces {
            finding.fix(Fix::safe("Remove the spaces", vec![Edit::delete(spaces)]));
        } else if let Some(edit) = skeleton(subject) {
            finding.fix(Fix::suggestion("Insert front matter", vec![edit]));
        }
    }
}

/// Reports front matter without its opening line.
fn unopened(subject: &Subject, opening: &Opening, report: &mut Report) {
    let group: Vec<_> =
        subject.problems.iter().filter(|problem| problem.cause == Cause::NoFrontMatter).collect();
    // A rule may begin with an example.
    if opening.head == Head::Fence
        && group.iter().all(|problem| problem.effect.outcome < Outcome::NotLoaded)
    {
        return;
    }
    let finding = subject.report(&RULE, &group, opening.span.clone(), &opening.message, report);
    if group.is_empty() {
        finding.severity = subject.weigh(Claim::Text, Severity::Warning);
    }
    if opening.edits.is_empty() {
        return;
    }
    let clear = matches!(opening.head, Head::Key | Head::Dashes | Head::Indented);
    let safe = clear && opening.closed && is_read_by_every_client(subject, &opening.yaml);
    let title = "Start the front matter with `---`";
    finding.fix(match safe {
        true => Fix::safe(title, opening.edits.clone()),
        false => Fix::suggestion(title, opening.edits.clone()),
    });
}

/// Whether a file next to agents has the name of a page for people: `ATTRIBUTION.md`. `AGENT.md` in
/// its own folder is an agent.
fn explains(subject: &Subject) -> bool {
    let stem = subject.file.stem().unwrap_or_default();
    let capital = |letter: char| letter.is_ascii_uppercase() || matches!(letter, '_' | '-');
    subject.file.kind == Kind::Agent
        && stem.len() > 3
        && stem.chars().all(capital)
        && !stem.eq_ignore_ascii_case(subject.file.kind.name())
}

/// Whether instructions have the name of a page about other files: `README.instructions.md`.
fn is_page(subject: &Subject) -> bool {
    let page = subject.file.stem().map(|stem| format!("{stem}.md"));
    page.is_some_and(|page| folder_names().pages.contains(&page))
}

/// Whether a memory file at the root of the workspace contains the name of this file.
fn is_named_in_memory(subject: &Subject) -> bool {
    let cx = subject.cx;
    let (Some(root), Some(name)) = (cx.root(), subject.file.path.file_name()) else { return false };
    let name = name.to_string_lossy();
    let groups = catalog().clients.iter().flat_map(|client| &client.loading.memory);
    let files: BTreeSet<&str> = groups.flat_map(|group| &group.names).map(String::as_str).collect();
    files.into_iter().any(|file| {
        let path = root.join(file);
        cx.world.kind(&path).is_some()
            && cx.world.read(&path).is_ok_and(|text| text.text().to_string().contains(&*name))
    })
}

/// Whether a skill or command of the same plugin contains the path of an agent.
fn is_called(subject: &Subject) -> bool {
    let (world, path) = (subject.cx.world, subject.file.path);
    let mut roles = subject.file.judged.iter();
    let Some(role) = roles.next().filter(|role| role.plugin && roles.all(|role| role.plugin))
    else {
        return false;
    };
    let Some(plugin) = path.ancestors().nth(role.parts) else { return false };
    let Ok(named) = path.strip_prefix(plugin) else { return false };
    let named = crate::world::slashed(named);
    let below = |folder: &str| {
        let folder = plugin.join(folder);
        let entries = world.list(&folder);
        let names = entries.iter().take(MOST_CALLERS).map(|entry| folder.join(&entry.name));
        names.collect::<Vec<_>>()
    };
    let commands = below("commands").into_iter();
    let skills = below("skills").into_iter().map(|folder| folder.join("SKILL.md"));
    let mut callers = commands.chain(skills).chain([plugin.join("SKILL.md")]);
    callers.any(|caller| {
        world.kind(&caller) == Some(EntryKind::File)
            && world.read(&caller).is_ok_and(|text| text.slice(0..text.len()).contains(&*named))
    })
}

/// At most this many commands, and this many skills, are read.
const MOST_CALLERS: usize = 64;

/// The length of a byte order mark.
const BOM: usize = '\u{feff}'.len_utf8();

/// Front matter built from the file itself: its name and its first line.
fn skeleton(subject: &Subject) -> Option<Edit> {
    let source = subject.cx.source;
    let name = match subject.file.kind {
        Kind::Skill => subject.file.folder()?,
        Kind::Agent => subject.file.stem()?,
        _ => return None,
    };
    let first = late::first_text(source);
    let title = first.as_deref().unwrap_or(name);
    let mark = mark_length(&source.slice(0..source.len().min(BOM)));
    let end = source.line_break();
    let (name, title) = (crate::yaml::print_scalar(name), crate::yaml::print_scalar(title));
    Some(Edit::insert(
        mark,
        format!("---{end}name: {name}{end}description: {title}{end}---{end}{end}"),
    ))
}
