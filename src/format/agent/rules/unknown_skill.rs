use super::dead;
use crate::declare_rule;
use crate::format::agent::names::Word;
use crate::format::agent::subject::Subject;
use crate::rule::Report;

declare_rule! {
    /// The front matter names a skill that the client doesn't find, so it skips it without a
    /// message. The skill was renamed, is in another client's folder, or the name is mistyped.
    ///
    /// Skills can also be in your home folder or come with a plugin. A name is reported only if
    /// the project has skills of its own, or one with a similar name.
    ///
    /// ````markdown file=../skills/brew-tea/SKILL.md
    /// ---
    /// name: brew-tea
    /// description: Brews tea
    /// ---
    ///
    /// Brew it.
    /// ````
    ///
    /// ````markdown bad path=.claude/agents/cook.md clients=claude-code
    /// ---
    /// name: cook
    /// description: Cooks
    /// skills: [brew-tee]
    /// ---
    ///
    /// Cook.
    /// ````
    ///
    /// ````markdown good path=.claude/agents/cook.md clients=claude-code
    /// ---
    /// name: cook
    /// description: Cooks
    /// skills: [brew-tea]
    /// ---
    ///
    /// Cook.
    /// ````
    pub static RULE = "agent/unknown-skill", Warning, "Unknown skill";
}

pub fn check(subject: &Subject, dead: &[dead::Dead], report: &mut Report) {
    for one in dead {
        if one.in_front && matches!(one.mention.word, Word::Skill(_)) {
            dead::report(subject, &RULE, "skill", one, report);
        }
    }
}
