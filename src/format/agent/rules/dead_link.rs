use crate::declare_rule;
use crate::format::agent::files;
use crate::format::agent::subject::Subject;
use crate::markdown::LinkKind;
use crate::rule::Report;
use crate::rule::{Fix, Severity};
use crate::text::Edit;

declare_rule! {
    /// The file that a link names doesn't exist, neither next to this file nor from the root of the
    /// workspace.
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

/// Reports it.
pub fn check(subject: &Subject, report: &mut Report) {
    for placed in subject.cx.source.sections() {
        for link in &subject.cx.source.blocks(placed).links {
            let Some(span) =
                link.destination_span.clone().filter(|_| link.kind != LinkKind::Autolink)
            else {
                continue;
            };
            let Some(path) = files::relative(&link.destination) else { continue };
            // Without an ending it may be a page of a wiki.
            let file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
            if !file || files::exists(subject, &path) {
                continue;
            }
            let span = placed.start + span.start..placed.start + span.end;
            let finding = report.add(&RULE, span.clone(), format!("`{path}` does not exist"));
            finding.severity = subject.at_most(Severity::Warning);
            if let Some(near) = files::nearest(subject, &path) {
                finding.fix(Fix::suggestion(
                    format!("Link to `{near}`"),
                    vec![Edit::replace(span, near)],
                ));
            }
        }
    }
}
