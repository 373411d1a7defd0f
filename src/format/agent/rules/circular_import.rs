use crate::declare_rule;
use crate::format::agent::imports;
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::Claim;
use crate::rule::Report;
use crate::rule::Severity;

declare_rule! {
    /// Memory files import each other in a circle. Every client stops at a different point, so the
    /// files it loads depend on where it starts.
    ///
    /// ````markdown file=docs/rules.md
    /// # Rules
    ///
    /// See @../CLAUDE.md for the rest.
    /// ````
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
    pub static RULE = "agent/circular-import", Warning, "Circular import";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for (import, reach) in imports::reaches(subject) {
        let Some(ring) = &reach.ring else { continue };
        let files: Vec<String> = ring.iter().map(|path| imports::shown(subject, path)).collect();
        let words = format!("circular import: {}", files.join(" → "));
        report.add(&RULE, import.span.clone(), words).severity =
            subject.weigh(Claim::Text, Severity::Warning);
    }
}
