use super::dead;
use crate::declare_rule;
use crate::format::agent::names::Word;
use crate::format::agent::subject::Subject;
use crate::rule::Report;

declare_rule! {
    /// `plugin:name` names a plugin of this repository, and the plugin has no skill, command or
    /// agent of that name.
    ///
    /// Plugins from elsewhere aren't checked. In running text, a name that stands for any
    /// (`/plugin:command`) is a hint.
    ///
    /// ````json file=../../tea/.claude-plugin/plugin.json
    /// {"name": "tea"}
    /// ````
    ///
    /// ````markdown file=../../tea/skills/brew/SKILL.md
    /// ---
    /// name: brew
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
    /// skills: ["tea:bruw"]
    /// ---
    ///
    /// Cook.
    /// ````
    ///
    /// ````markdown good path=.claude/agents/cook.md clients=claude-code
    /// ---
    /// name: cook
    /// description: Cooks
    /// skills: ["tea:brew"]
    /// ---
    ///
    /// Cook.
    /// ````
    pub static RULE = "agent/unknown-plugin-item", Warning, "Unknown skill, command or agent of a plugin";
}

pub fn check(subject: &Subject, dead: &[dead::Dead], report: &mut Report) {
    for one in dead.iter().filter(|one| matches!(one.mention.word, Word::Scoped(..))) {
        dead::report(subject, &RULE, "plugin item", one, report);
    }
}
