use super::front_matter::is_read_by_every_client;
use crate::declare_rule;
use crate::format::agent::problem::Cause;
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::Claim;
use crate::rule::Report;
use crate::rule::{Fix, Severity};
use crate::text::Edit;

declare_rule! {
    /// Front matter must start with the first character of a file. After a comment, a heading, a blank
    /// line or the start of a fence, clients read it as text, so the file has no name and no
    /// description. Below a heading, only what has two keys of this kind of file is front matter: the
    /// rest may be a form.
    ///
    /// Move the front matter to the top.
    ///
    /// ````markdown bad path=.claude/agents/scribe.md clients=claude-code
    /// <!-- kept in sync by hand -->
    /// ---
    /// name: scribe
    /// description: Writes minutes
    /// ---
    ///
    /// Write.
    /// ````
    ///
    /// ````markdown good path=.claude/agents/scribe.md clients=claude-code
    /// ---
    /// name: scribe
    /// description: Writes minutes
    /// ---
    /// <!-- kept in sync by hand -->
    ///
    /// Write.
    /// ````
    pub static RULE = "agent/late-front-matter", Error, "Front matter below the first line";
}

pub fn check(subject: &Subject, report: &mut Report) {
    let Some(late) = subject.late().filter(|_| !subject.file.is_plain()) else { return };
    let group: Vec<_> =
        subject.problems.iter().filter(|problem| problem.cause == Cause::NoFrontMatter).collect();
    let words = "front matter must start on the first line";
    let finding = subject.report(&RULE, &group, late.opening.clone(), words, report);
    if group.is_empty() {
        finding.severity = subject.weigh(Claim::Text, Severity::Warning);
    }
    let (before, front) =
        (subject.cx.source.slice(late.before.clone()), subject.cx.source.slice(late.span.clone()));
    if !before.contains("```") {
        let source = subject.cx.source;
        let end = source.line_break();
        let ends = front.ends_with('\n');
        let (front, gap) = (front.trim_end(), if before.contains("# ") { end } else { "" });
        let after = source.slice(late.span.end..source.len().min(late.span.end + end.len()));
        // Blank lines before and after the front matter become one.
        let kept = match (before.trim().is_empty(), after == end && ends) {
            (true, _) => String::new(),
            (_, true) => format!("{gap}{}{end}", before.trim()),
            (_, false) => format!("{gap}{before}"),
        };
        let moved = Edit::replace(late.before.start..late.span.end, format!("{front}{end}{kept}"));
        let title = "Move the front matter to the top";
        let lines = front.split_inclusive('\n');
        let yaml: String = lines.skip(1).take_while(|line| line.trim_end() != "---").collect();
        // A form below a heading may have the same keys as this kind of file.
        let clear = !before.lines().any(|line| line.starts_with("# "))
            || yaml.lines().any(|line| line.starts_with("name:"));
        finding.fix(match clear && is_read_by_every_client(subject, &yaml) {
            true => Fix::safe(title, vec![moved]),
            false => Fix::suggestion(title, vec![moved]),
        });
    }
}
