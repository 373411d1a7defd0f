use crate::declare_rule;
use crate::format::Context;
use crate::format::agent::sync;
use crate::rule::Report;

declare_rule! {
    /// An entry in `[[sync]]` can't be used: it names an unknown kind, its source isn't a path or
    /// a glob below the folder of `agentmd.toml`, or files of its kind can't become what it asks
    /// for. `agentmd sync` stops at it; all other settings apply.
    ///
    /// A kind is the name of a client and what it reads, such as `claude-agent`, `copilot-prompt`
    /// or `cursor-rule`.
    ///
    /// ````toml bad path=agentmd.toml
    /// [[sync]]
    /// source = ".claude/agents/*.md"
    /// to = ["copilot-agnet"]
    /// ````
    ///
    /// ````toml good path=agentmd.toml
    /// [[sync]]
    /// source = ".claude/agents/*.md"
    /// to = ["copilot-agent"]
    /// ````
    pub static RULE = "settings/unusable-sync", Error, "Sync entry that can't be used";
}

/// Reports it.
pub fn check(cx: &Context, report: &mut Report) {
    let text = cx.source.text().to_string();
    for (span, message) in sync::problems(&text) {
        report.add(&RULE, span, message);
    }
}
