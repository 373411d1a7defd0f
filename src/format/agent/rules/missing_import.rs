use crate::declare_rule;
use crate::format::agent::subject::Subject;
use crate::format::agent::{body, files};
use crate::rule::Report;
use crate::rule::{Fix, Severity};
use crate::text::Edit;

declare_rule! {
    /// `@path` outside of code includes another file. If it doesn't exist, the client includes
    /// nothing, silently.
    ///
    /// ````markdown bad path=CLAUDE.md clients=claude-code
    /// # Project
    ///
    /// Read @docs/rules.md first.
    /// ````
    ///
    /// ````markdown good path=CLAUDE.md clients=claude-code
    /// # Project
    ///
    /// Read `docs/rules.md` first.
    /// ````
    pub static RULE = "agent/missing-import", Warning, "Imported file is missing";
}

/// Reports it.
pub fn check(subject: &Subject, report: &mut Report) {
    if !subject.file.judged.iter().any(|role| role.reads.imports.is_some()) {
        return;
    }
    for (placed, found) in body::mentions(subject.cx.source) {
        for (span, path) in &found.imports {
            let name = path.rsplit('/').next().unwrap_or_default();
            let file = name.rsplit_once('.').is_some_and(|(stem, ending)| {
                !stem.is_empty()
                    && (1..=5).contains(&ending.len())
                    && ending.chars().all(char::is_alphanumeric)
            });
            let relative = files::relative(path).filter(|path| !path.starts_with('~'));
            let Some(relative) =
                relative.filter(|_| file && (path.contains('/') || name.ends_with(".md")))
            else {
                continue;
            };
            if files::exists(subject, &relative) {
                continue;
            }
            let span = placed.start + span.start..placed.start + span.end;
            let finding = report.add(
                &RULE,
                span.clone(),
                format!("`{relative}` does not exist, so nothing is imported"),
            );
            finding.severity = subject.at_most(Severity::Warning);
            if let Some(near) = files::nearest(subject, &relative) {
                finding.fix(Fix::suggestion(
                    format!("Import `{near}`"),
                    vec![Edit::replace(span, format!("@{near}"))],
                ));
            }
        }
    }
}
