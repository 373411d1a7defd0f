use super::dead;
use crate::declare_rule;
use crate::format::agent::names::Word;
use crate::format::agent::subject::Subject;
use crate::rule::Report;

declare_rule! {
    /// The text tells the model or the reader to run `/name`. That command, skill or prompt doesn't
    /// exist, but one with a similar name does. It's a hint if the file may be in a client's folder that
    /// `.gitignore` names.
    ///
    /// Other names after a slash aren't reported: they may be paths, or your own commands. A single
    /// word, such as `/preview` next to a command `review`, is a hint if the text names no command
    /// that exists, or if the front matter of that command writes it so.
    ///
    /// ````markdown file=../commands/review-recipe.md
    /// Review it.
    /// ````
    ///
    /// ````markdown bad path=.claude/agents/cook.md clients=claude-code
    /// ---
    /// name: cook
    /// description: Cooks
    /// ---
    ///
    /// Run `/review-recipes` first.
    /// ````
    ///
    /// ````markdown good path=.claude/agents/cook.md clients=claude-code
    /// ---
    /// name: cook
    /// description: Cooks
    /// ---
    ///
    /// Run `/review-recipe` first.
    /// ````
    pub static RULE = "agent/unknown-command", Warning, "Unknown command";
}

pub fn check(subject: &Subject, dead: &[dead::Dead], report: &mut Report) {
    for one in dead.iter().filter(|one| !one.in_front && one.near.is_some()) {
        let what = match one.mention.word {
            Word::Slash(_) => "command",
            Word::Dollar(_) => "skill",
            _ => continue,
        };
        dead::report(subject, &RULE, what, one, report);
    }
}
