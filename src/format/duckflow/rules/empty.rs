use super::super::reply::{self, ReplySource};
use super::RuleContext;
use super::sym_ops;
use crate::declare_rule;
use crate::rule::{Report, Severity};

declare_rule! {
    /// The file has no `[REASONING]` and no actions. Parsers fall back to guessing: the first lines
    /// become the reasoning, and every fence becomes an action of an unknown type.
    ///
    /// Only files that the settings declare as replies are checked.
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
    pub static RULE = "duckflow/empty", Error, "Reply without reasoning and actions";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    if !context.is_empty() || sym_ops::found(context).is_some() {
        return;
    }
    let text = context.text(&(0..context.cx.source.len()));
    let source = reply::read(&text).source;
    let reading = match source {
        ReplySource::Markers => return,
        ReplySource::Json => {
            "it is read as JSON; run `agentmd convert --to duckflow` to write markers"
        }
        ReplySource::Flexible => "parsers must guess; begin with `[REASONING]`",
    };
    let first = text.trim_start_matches('\u{feff}').trim_start();
    let start = text.len() - first.len();
    let line = first.lines().next().unwrap_or_default().trim_end();
    let finding = report.add(
        &RULE,
        start..start + line.len(),
        format!("the reply has neither reasoning nor actions: {reading}"),
    );
    if source == ReplySource::Json {
        finding.severity = Severity::Info;
    }
}
