use crate::declare_rule;
use crate::format::agent::imports;
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::Claim;
use crate::rule::Report;
use crate::rule::Severity;

declare_rule! {
    /// An imported file imports another one, and so on, for more levels than the client follows.
    /// The client silently ignores everything below the last level. Import the deep file here.
    ///
    /// Claude Code follows four levels, Gemini CLI five.
    ///
    /// ````markdown file=a.md
    /// @b.md
    /// ````
    ///
    /// ````markdown file=b.md
    /// @c.md
    /// ````
    ///
    /// ````markdown file=c.md
    /// @d.md
    /// ````
    ///
    /// ````markdown file=d.md
    /// @e.md
    /// ````
    ///
    /// ````markdown file=e.md
    /// The rules.
    /// ````
    ///
    /// ````markdown bad path=CLAUDE.md clients=claude-code
    /// # Project
    ///
    /// @a.md
    /// ````
    ///
    /// ````markdown good path=CLAUDE.md clients=claude-code
    /// # Project
    ///
    /// @b.md
    /// ````
    pub static RULE = "agent/deep-import", Warning, "Import below the last level that is loaded";
}

pub fn check(subject: &Subject, report: &mut Report) {
    let Some((role, most)) = imports::reader(subject) else { return };
    for (import, reach) in imports::reaches(subject) {
        let Some((deep, from)) = &reach.deep else { continue };
        let words = format!(
            "{} is not loaded: {} imports it on level {} ({} follows {most})",
            imports::shown(subject, deep),
            imports::shown(subject, from),
            most + 1,
            role.client.title
        );
        report.add(&RULE, import.span.clone(), words).severity =
            subject.weigh(Claim::Text, Severity::Warning);
    }
}
