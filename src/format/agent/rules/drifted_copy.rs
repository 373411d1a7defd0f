use std::path::Path;

use crate::declare_rule;
use crate::format::agent::convert;
use crate::format::agent::subject::Subject;
use crate::format::agent::sync::{self, Lock, Standing};
use crate::rule::{Fix, Report};
use crate::text;
use crate::world::{World, slashed};

declare_rule! {
    /// `agentmd sync` wrote this copy, and it no longer matches its source: someone changed the
    /// source since, or edited the copy. Clients that read the copy follow other instructions than
    /// those that read the source.
    ///
    /// Change the source, and run `agentmd sync`. To keep the changes in the copy, run
    /// `agentmd sync --take` with its path, which applies them to the source.
    ///
    /// The rule compares the copies that `agentmd.lock` names.
    ///
    /// ````toml file=../../agentmd.lock
    /// version = 1
    ///
    /// [[copy]]
    /// path = ".github/agents/reviewer.agent.md"
    /// source = ".claude/agents/reviewer.md"
    /// to = "copilot-agent"
    /// source-hash = "1f0c5b…"
    /// hash = "6c66c0d4bcab58d96dc3a8946f9875f06c424e6e4803f40b9fd1a07b7c76e3f2"
    /// ````
    ///
    /// ````markdown file=../../.claude/agents/reviewer.md
    /// ---
    /// name: reviewer
    /// description: Reviews code
    /// ---
    ///
    /// Review it, and say what is good.
    /// ````
    ///
    /// ````markdown bad path=.github/agents/reviewer.agent.md
    /// ---
    /// name: reviewer
    /// description: Reviews code
    /// ---
    ///
    /// Review it.
    /// ````
    ///
    /// ````markdown good path=.github/agents/reviewer.agent.md
    /// ---
    /// name: reviewer
    /// description: Reviews code
    /// ---
    ///
    /// Review it, and say what is good.
    /// ````
    pub static RULE = "agent/drifted-copy", Warning, "Copy that differs from its source";
}

/// Longer files aren't compared, because that would slow down typing.
const MOST: usize = 200_000;

pub fn check(subject: &Subject, report: &mut Report) {
    let cx = subject.cx;
    if cx.source.len() > MOST {
        return;
    }
    let own = Some(cx.config.root()).filter(|root| !root.as_os_str().is_empty());
    let Some(root) = own.map(Path::to_owned).or_else(|| cx.root()) else { return };
    let Ok(path) = subject.file.path.strip_prefix(&root).map(slashed) else { return };
    let read = |path: &Path| World::read(cx.world, path).ok().map(|it| it.text().to_string());
    // Most files aren't copies.
    let Some(lock) = read(&root.join(sync::LOCK)).filter(|text| text.contains(&path)) else {
        return;
    };
    let Some(known) = Lock::read(&lock).ok().and_then(|mut lock| lock.copies.remove(&path)) else {
        return;
    };
    let Some(to) = known.to.as_ref().and_then(|name| convert::named(name, None).ok()) else {
        return;
    };
    let Some(source) = read(&root.join(&known.source)).filter(|text| text.len() <= MOST) else {
        let words = format!("the source of this copy is gone: `{}`", known.source);
        report.add(&RULE, subject.first_line(), words);
        return;
    };
    let Ok((_, conversion)) = sync::copy((cx.world, &root), Path::new(&known.source), &source, to)
    else {
        return;
    };
    let now = cx.source.text().to_string();
    let breaks = cx.source.line_break();
    let expected = conversion.text.replace("\r\n", "\n").replace('\n', breaks);
    let words = match sync::standing(Some(&known), &source, Some(&now), &expected) {
        Standing::SourceChanged => {
            format!(
                "copy is out of date: its source `{}` has changed; run `agentmd sync`",
                known.source
            )
        }
        Standing::CopyChanged => format!("copy of `{}` was changed by hand", known.source),
        Standing::BothChanged => {
            format!("copy and its source `{}` were both changed", known.source)
        }
        Standing::UpToDate | Standing::Missing | Standing::NotACopy => return,
    };
    let edits = text::hunks(&now, &expected);
    let Some(first) = edits.first().map(|edit| edit.span.start) else { return };
    let place = cx.source.line_span(first.min(cx.source.len()));
    report
        .add(&RULE, place, words)
        .fix(Fix::suggestion(format!("Take the text of `{}`", known.source), edits));
}
