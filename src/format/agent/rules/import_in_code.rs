use crate::declare_rule;
use crate::format::agent::subject::Subject;
use crate::format::agent::{body, files, imports};
use crate::rule::{Fix, Report, Severity};
use crate::text::Edit;

declare_rule! {
    /// `@path` names a file that exists, but it's in backticks, and clients don't follow imports in
    /// code. Remove the backticks if the file should be loaded.
    ///
    /// ````markdown file=docs/rules.md
    /// Write tests.
    /// ````
    ///
    /// ````markdown bad path=CLAUDE.md clients=claude-code
    /// # Project
    ///
    /// Read `@docs/rules.md` first.
    /// ````
    ///
    /// ````markdown good path=CLAUDE.md clients=claude-code
    /// # Project
    ///
    /// Read @docs/rules.md first.
    /// ````
    pub static RULE = "agent/import-in-code", Hint, "Import in code";
}

pub fn check(subject: &Subject, report: &mut Report) {
    if imports::reader(subject).is_none() {
        return;
    }
    for (placed, found) in body::mentions(subject.cx.source) {
        for (span, written) in &found.quoted {
            let there = imports::path(written).filter(|path| files::exists(subject, path));
            let Some(path) = there else { continue };
            let span = placed.start + span.start..placed.start + span.end;
            let words = format!("`{path}` is not imported: `@` has no effect in code");
            let finding = report.add(&RULE, span.clone(), words);
            finding.severity = Severity::Hint;
            finding.fix(Fix::suggestion(
                "Remove the backticks",
                vec![Edit::replace(span, format!("@{written}"))],
            ));
        }
    }
}
