use crate::config;
use crate::declare_rule;
use crate::format::Context;
use crate::format::agent::sync::{self, Lock};
use crate::rule::Report;
use crate::world::World;

declare_rule! {
    /// An entry in `[[sync]]` can't be used: it names an unknown kind, its source isn't a path or
    /// a glob below the folder of `agentmd.toml`, or files of its kind can't become what it asks
    /// for. `agentmd sync` stops at it; all other settings apply. It also stops if `agentmd.lock`
    /// can't be read, for example because it has conflict markers of Git.
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

/// Reports sync entries that can't be used, and a lock file that can't be read.
pub fn check(cx: &Context, report: &mut Report) {
    let text = cx.source.text().to_string();
    for (span, message) in sync::problems(&text) {
        report.add(&RULE, span, message);
    }
    // Without sync entries, the lock file isn't needed.
    if !text.contains("[[sync]]") {
        return;
    }
    let lock = cx.path.map(|path| path.with_file_name(sync::LOCK));
    let lock = lock.and_then(|path| World::read(cx.world, &path).ok());
    if let Some(Err(message)) = lock.map(|lock| Lock::read(&lock.text().to_string())) {
        let remedy = "resolve conflicts in it, or write it again with `agentmd sync --force`";
        let words = format!("`{}` can't be read: {message}; {remedy}", sync::LOCK);
        report.add(&RULE, config::sync::place(&text, 0, ""), words);
    }
}
