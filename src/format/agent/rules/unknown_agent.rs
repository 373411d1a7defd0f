use super::dead;
use crate::declare_rule;
use crate::format::agent::names::Word;
use crate::format::agent::subject::Subject;
use crate::rule::Report;

declare_rule! {
    /// The front matter hands over to an agent that the client doesn't find: a handoff to it does
    /// nothing, and a skill or a prompt runs without it. Claude Code and VS Code know an agent by
    /// the `name` in its front matter.
    ///
    /// Agents can also be in your home folder or come with a plugin or an extension. A name is
    /// reported only if the project has agents of its own, or one with a similar name. One that the
    /// workspace has where the client doesn't read it is a hint: it may be installed from there.
    ///
    /// ````markdown file=cook.agent.md
    /// ---
    /// description: Cooks
    /// ---
    ///
    /// Cook.
    /// ````
    ///
    /// ````markdown bad path=.github/agents/waiter.agent.md clients=copilot
    /// ---
    /// description: Serves
    /// handoffs:
    ///   - label: Cook it
    ///     agent: kook
    ///     prompt: Cook it.
    /// ---
    ///
    /// Serve.
    /// ````
    ///
    /// ````markdown good path=.github/agents/waiter.agent.md clients=copilot
    /// ---
    /// description: Serves
    /// handoffs:
    ///   - label: Cook it
    ///     agent: cook
    ///     prompt: Cook it.
    /// ---
    ///
    /// Serve.
    /// ````
    pub static RULE = "agent/unknown-agent", Warning, "Unknown agent";
}

pub fn check(subject: &Subject, dead: &[dead::Dead], report: &mut Report) {
    for one in dead {
        if one.in_front && matches!(one.mention.word, Word::Agent(_)) {
            dead::report(subject, &RULE, "agent", one, report);
        }
    }
}
