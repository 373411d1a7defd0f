use serde_json::Value;

use crate::declare_rule;
use crate::format::agent::subject::Subject;
use crate::rule::{Report, Severity};

declare_rule! {
    /// The description of every agent is in the context of every conversation, used or not. This
    /// one costs more than most agents do. Keep what decides when the agent is used, and move
    /// examples to the body.
    ///
    /// It is a hint: nothing is lost.
    ///
    /// ````markdown bad path=.claude/agents/helper.md clients=claude-code
    /// ---
    /// name: helper
    /// description: >-
    ///   Use this agent when the user asks for help with tea, kettles, cups, water or leaves (0).
    ///   Use this agent when the user asks for help with tea, kettles, cups, water or leaves (1).
    ///   Use this agent when the user asks for help with tea, kettles, cups, water or leaves (2).
    ///   Use this agent when the user asks for help with tea, kettles, cups, water or leaves (3).
    ///   Use this agent when the user asks for help with tea, kettles, cups, water or leaves (4).
    ///   Use this agent when the user asks for help with tea, kettles, cups, water or leaves (5).
    ///   Use this agent when the user asks for help with tea, kettles, cups, water or leaves (6).
    ///   Use this agent when the user asks for help with tea, kettles, cups, water or leaves (7).
    ///   Use this agent when the user asks for help with tea, kettles, cups, water or leaves (8).
    ///   Use this agent when the user asks for help with tea, kettles, cups, water or leaves (9).
    ///   Use this agent when the user asks for help with tea, kettles, cups, water or leaves (10).
    ///   Use this agent when the user asks for help with tea, kettles, cups, water or leaves (11).
    ///   Use this agent when the user asks for help with tea, kettles, cups, water or leaves (12).
    ///   Use this agent when the user asks for help with tea, kettles, cups, water or leaves (13).
    ///   Use this agent when the user asks for help with tea, kettles, cups, water or leaves (14).
    ///   Use this agent when the user asks for help with tea, kettles, cups, water or leaves (15).
    ///   Use this agent when the user asks for help with tea, kettles, cups, water or leaves (16).
    ///   Use this agent when the user asks for help with tea, kettles, cups, water or leaves (17).
    /// ---
    ///
    /// Help.
    /// ````
    ///
    /// ````markdown good path=.claude/agents/helper.md clients=claude-code
    /// ---
    /// name: helper
    /// description: Use this agent when the user asks for help with tea.
    /// ---
    ///
    /// Help.
    /// ````
    pub static RULE = "agent/long-description", Hint, "Long description";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for role in &subject.file.judged {
        let long = |(key, schema): (&str, &Value)| {
            let most = schema.get("x-advised")?.as_u64()?;
            let entry = subject.entry(key)?;
            let length = u64::try_from(entry.value.as_str()?.chars().count()).ok()?;
            (length > most).then(|| (key.to_owned(), subject.place(&entry.key.span), length))
        };
        if let Some((key, span, length)) = role.reads.properties().find_map(long) {
            let words = format!(
                "`{key}` has {length} characters (about {} tokens), and {} always has it in context",
                length / 4,
                role.client.title
            );
            report.add(&RULE, span, words).severity = Severity::Hint;
            return;
        }
    }
}
