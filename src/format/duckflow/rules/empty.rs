use super::super::reply::{self, ReplySource};
use super::Subject;
use super::sym_ops;
use crate::declare_rule;
use crate::rule::{Report, Severity};

declare_rule! {
    /// There is neither `[REASONING]` nor an action. Every reader falls back to guessing: it takes
    /// the first lines for the reasoning, and every fence for an action of an unknown type.
    ///
    /// This is found only in files that the settings call replies.
    ///
    /// ````markdown bad
    /// @V
    /// ````
    ///
    /// ````markdown good
    /// [REASONING]
    /// All tests pass.
    ///
    /// [CONFIDENCE] 0.9
    /// [MOOD] 0.8
    /// [FOCUS] 0.9
    /// [STAMINA] 0.7
    ///
    /// [ACTION_0_TYPE] finish
    /// [ACTION_0_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/empty", Error, "A reply without reasoning and actions";
}

pub fn check(subject: &Subject, report: &mut Report) {
    if !subject.is_empty() || sym_ops::found(subject).is_some() {
        return;
    }
    let text = subject.text(&(0..subject.cx.source.len()));
    let source = reply::read(&text).source;
    let reading = match source {
        ReplySource::Markers => return,
        ReplySource::Json => {
            "It is read as JSON. `agentmd convert --to duckflow` writes it with markers."
        }
        ReplySource::Flexible => {
            "Every reader has to guess what is meant. Begin with `[REASONING]`."
        }
    };
    let first = text.trim_start_matches('\u{feff}').trim_start();
    let start = text.len() - first.len();
    let line = first.lines().next().unwrap_or_default().trim_end();
    let finding = report.add(
        &RULE,
        start..start + line.len(),
        format!("There is neither reasoning nor an action. {reading}"),
    );
    if source == ReplySource::Json {
        finding.severity = Severity::Info;
    }
}
