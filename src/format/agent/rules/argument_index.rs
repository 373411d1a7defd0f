use crate::declare_rule;
use crate::format::agent::arguments;
use crate::format::agent::problem::Cause;
use crate::format::agent::subject::Subject;
use crate::rule::Fix;
use crate::rule::Report;
use crate::text::Edit;

declare_rule! {
    /// Claude Code counts arguments from 0, so `$0` is the first one. A command that starts with
    /// `$1` never uses its first argument. Codex and OpenCode count from 1.
    ///
    /// If `argument-hint` names more arguments than the body uses, this is a hint: `$1` may be meant as
    /// the second one.
    ///
    /// Count from 0, or name the arguments with `arguments:`.
    ///
    /// ````markdown bad path=.claude/commands/swap.md clients=claude-code
    /// ---
    /// description: Swaps two branches
    /// argument-hint: <from> <to>
    /// ---
    ///
    /// Swap $1 with $2.
    /// ````
    ///
    /// ````markdown good path=.claude/commands/swap.md clients=claude-code
    /// ---
    /// description: Swaps two branches
    /// argument-hint: <from> <to>
    /// ---
    ///
    /// Swap $0 with $1.
    /// ````
    pub static RULE = "agent/argument-index", Warning, "Arguments counted from one";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for group in subject.groups(Cause::FirstArgument) {
        let Some(first) = group.first() else { continue };
        let finding = subject.report(
            &RULE,
            &group,
            first.span.clone(),
            "`$1` is the second argument",
            report,
        );
        let count = arguments::counted(subject);
        let edits = arguments::dollars(subject)
            .into_iter()
            .filter(|dollar| dollar.argument && dollar.number <= count)
            .filter_map(|dollar| {
                Some(Edit::replace(dollar.span, format!("${}", dollar.number.checked_sub(1)?)))
            })
            .collect();
        finding.fix(Fix::suggestion("Count arguments from 0", edits));
    }
}
