use std::collections::HashSet;
use std::path::Path;

use super::dead;
use crate::client::{self, Kind};
use crate::declare_rule;
use crate::format::agent::files;
use crate::format::agent::forbidden::introduction;
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::Claim;
use crate::rule::Report;
use crate::rule::{Fix, Severity};
use crate::text::{Edit, Span};

declare_rule! {
    /// The target of a link doesn't exist, neither next to this file nor below the root of the
    /// workspace. agentmd doesn't follow paths out of the workspace. It reports one if the target
    /// would exist with fewer `../`, or if it leads into a folder that the root of the repository has.
    /// A target without an ending may be a page of a site, and counts only if it's a folder such as
    /// `./.cursor/rules/`. Links that are struck out (`~~…~~`) aren't checked.
    ///
    /// Some dead links are only a hint:
    ///
    /// - in quotation marks, also in a list that a quotation introduces, because they show what a
    ///   document may contain
    /// - into a missing folder that is hidden or named for results, such as `output`: the skill may
    ///   create it
    /// - in a rule, into a folder that exists nowhere: the rule is copied to projects that may have it
    /// - in a `markdown` fence that an inner fence closes too early
    /// - called optional or an example by the text, or in a column of examples
    /// - to a file that the text tells the model to write
    /// - to a line (`#L23`) in a skill or an agent, which shows what a report looks like
    /// - in a skill that explains skills
    /// - to a file that an earlier link already names
    /// - correct if seen from the folder of the plugin
    /// - in a folder such as `templates`, whose files become part of another project
    /// - to a file that the repository's `.gitignore` names: something makes it
    /// - in a file that says at its top that it is generated: the mistake is in its source
    /// - after the first, if more than ten are dead: the document was copied
    ///
    /// ````markdown bad path=.claude/skills/bake-bread/SKILL.md clients=claude-code
    /// ---
    /// name: bake-bread
    /// description: Bakes a loaf
    /// ---
    ///
    /// See [the oven](references/oven.md).
    /// ````
    ///
    /// ````markdown good path=.claude/skills/bake-bread/SKILL.md clients=claude-code
    /// ---
    /// name: bake-bread
    /// description: Bakes a loaf
    /// ---
    ///
    /// See [the oven](https://example.com/oven).
    /// ````
    pub static RULE = "agent/dead-link", Warning, "Link to a missing file";
}

/// With more dead links than this, the document was probably copied without its files.
const MOST: usize = 10;

pub fn check(subject: &Subject, report: &mut Report) {
    let dead: Vec<(Span, String)> = files::links(subject)
        .filter(|(_, path)| {
            // Without an extension, it may be a page of a wiki.
            let file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
            (file || is_folder(path)) && files::is_missing(subject, path)
        })
        .collect();
    let about_skills = subject.is_about_skills();
    let count = dead.iter().map(|(_, path)| path).collect::<HashSet<_>>().len();
    let copied = count > MOST;
    let mut seen = HashSet::new();
    for (index, (span, path)) in dead.into_iter().enumerate() {
        let again = !seen.insert(path.clone());
        let words = match (copied, index) {
            (true, 0) => format!("`{path}` does not exist, nor do {} other targets", count - 1),
            _ => format!("`{path}` does not exist"),
        };
        let finding = report.add(&RULE, span.clone(), words);
        let near = files::nearest(subject, &path);
        let hint = again
            || about_skills && near.is_none()
            || is_quoted(subject, &span)
            || is_reported(subject, &span)
            || files::is_shown(subject, &span)
            || is_optional(subject, &span)
            || dead::is_introduced(subject, span.start)
            || dead::is_output(subject, span.start)
            || is_made(subject, &path)
            || files::in_plugin(subject, &path)
            || near.is_none() && files::is_ignored(subject, &path)
            || near.is_none() && is_written(subject, &path)
            || copied && index > 0;
        finding.severity =
            subject.weigh(Claim::Files, if hint { Severity::Hint } else { Severity::Warning });
        if let Some(near) = near {
            finding
                .fix(Fix::suggestion(format!("Link to `{near}`"), vec![Edit::replace(span, near)]));
        }
    }
}

/// Whether a path is that of a folder rather than a page of a site: `./.cursor/rules/`.
fn is_folder(path: &str) -> bool {
    let hidden = |name: &str| name.len() > 1 && name.starts_with('.') && name != "..";
    path.ends_with('/') && (path.starts_with('.') || path.split('/').any(hidden))
}

/// Whether a link leads to a line of a file: in a skill or an agent, it's part of an example
/// report.
fn is_reported(subject: &Subject, span: &Span) -> bool {
    let written = subject.cx.source.slice(span.clone());
    let line = written.rsplit_once('#').and_then(|(_, part)| part.strip_prefix('L'));
    subject.file.kind != Kind::Memory
        && line.is_some_and(|number| number.starts_with(|letter: char| letter.is_ascii_digit()))
}

/// Whether a path begins with a folder that doesn't exist here. If it's hidden or named for
/// results, a skill or an agent may create it; a rule may mean the project that it's copied to.
fn is_made(subject: &Subject, path: &str) -> bool {
    let path = path.trim_start_matches("./");
    let Some((folder, _)) = path.split_once('/') else { return false };
    let named = folder.starts_with('.') || client::is_made(&Path::new(folder).join("_"));
    let made = folder != ".." && (named || subject.file.kind == Kind::Rule);
    made && subject.file.kind != Kind::Memory && !files::exists(subject, &format!("{folder}/"))
}

/// Whether a link in an agent or a command is only a name. They have no files of their own, so it's
/// probably a page that they write.
fn is_written(subject: &Subject, path: &str) -> bool {
    let alone = !path.trim_start_matches("./").contains('/');
    alone && matches!(subject.file.kind, Kind::Agent | Kind::Command)
}

/// Whether the words after a link say that the file may not exist.
fn is_optional(subject: &Subject, span: &Span) -> bool {
    let source = subject.cx.source;
    let line = source.line_span(span.start);
    let after = source.slice(span.end..line.end).to_lowercase();
    OPTIONAL.iter().any(|words| after.contains(words))
}

/// Words that make a file optional.
const OPTIONAL: &[&str] = &[
    "if exists",
    "if it exists",
    "if available",
    "if present",
    "if any",
    "when available",
    "optional",
];

/// Whether a link is in quotation marks, as part of a document that the model will write, or in a
/// list that an open quotation introduces.
fn is_quoted(subject: &Subject, span: &Span) -> bool {
    let source = subject.cx.source;
    let line = source.line_span(span.start);
    let before = source.slice(line.start..span.start);
    let after = source.slice(span.end..line.end);
    let is_open = |text: &str| text.matches('"').count() % 2 == 1;
    is_open(&before) && is_open(&after)
        || introduction(source, span.start)
            .is_some_and(|words| is_open(&words) && words.ends_with(':'))
}
