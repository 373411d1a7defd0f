use crate::declare_rule;
use crate::format::agent::body;
use crate::format::agent::subject::Subject;
use crate::rule::{Fix, Report, Severity};
use crate::text::Edit;

declare_rule! {
    /// `` !`command` `` runs only at the start of a line or after white space. Here a character is
    /// in front of it, so the client leaves the text as it is, while it runs another command of the
    /// same file.
    ///
    /// ````markdown bad path=.claude/commands/state.md clients=claude-code
    /// ---
    /// description: Shows the state
    /// ---
    ///
    /// State: !`git status`
    ///
    /// Branch=!`git branch`
    /// ````
    ///
    /// ````markdown good path=.claude/commands/state.md clients=claude-code
    /// ---
    /// description: Shows the state
    /// ---
    ///
    /// State: !`git status`
    ///
    /// Branch: !`git branch`
    /// ````
    pub static RULE = "agent/unrun-command", Hint, "Shell command that does not run";
}

pub fn check(subject: &Subject, report: &mut Report) {
    let runs = subject.file.judged.iter().any(|role| {
        let substitutes = role.reads.substitutes.as_ref();
        substitutes.is_some_and(|given| given.shell && given.shell_after_space)
    });
    if !runs || body::mentions(subject.cx.source).all(|(_, found)| found.shell.is_empty()) {
        return;
    }
    for (placed, found) in body::mentions(subject.cx.source) {
        for span in &found.glued {
            let span = placed.start + span.start..placed.start + span.end;
            let finding =
                report.add(&RULE, span.clone(), "the command does not run: put a space before `!`");
            finding.severity = Severity::Hint;
            finding.fix(Fix::suggestion("Insert a space", vec![Edit::insert(span.start, " ")]));
        }
    }
}
