use crate::declare_rule;
use crate::format::agent::files;
use crate::format::agent::subject::Subject;
use crate::rule::Report;
use crate::rule::{Fix, Severity};
use crate::text::{Edit, Span};

declare_rule! {
    /// The file that a link names doesn't exist, neither next to this file nor from the root of the
    /// workspace. A link in quotation marks is a hint: it shows what a document may contain.
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
    for (span, path) in files::links(subject) {
        // Without an ending it may be a page of a wiki.
        let file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
        if !file || !files::is_missing(subject, &path) {
            continue;
        }
        let finding = report.add(&RULE, span.clone(), format!("`{path}` does not exist"));
        let quoted = is_quoted(subject, &span);
        finding.severity = subject.at_most(if quoted { Severity::Hint } else { Severity::Warning });
        if let Some(near) = files::nearest(subject, &path) {
            finding
                .fix(Fix::suggestion(format!("Link to `{near}`"), vec![Edit::replace(span, near)]));
        }
    }
}

/// Whether a link is in quotation marks: words for a document that the model is about to write.
fn is_quoted(subject: &Subject, span: &Span) -> bool {
    let source = subject.cx.source;
    let line = source.line_span(span.start);
    let before = source.slice(line.start..span.start);
    let after = source.slice(span.end..line.end);
    let marks = |text: &str| text.matches('"').count();
    marks(&before) % 2 == 1 && marks(&after) % 2 == 1
}
