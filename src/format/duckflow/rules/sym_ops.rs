use super::super::sym_ops;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;
use crate::text::Span;

declare_rule! {
    /// The reply is written in Sym-Ops, the language of Duckflow's current agent: `>>` for
    /// thoughts, `::c0.9` for vitals, `::name @path` for actions, `<<<` and `>>>` around content.
    /// The specification doesn't include it, so the reference parser finds nothing. agentmd
    /// recognises it, but only reads its fences and first lines.
    ///
    /// ````markdown bad
    /// >> All tests pass.
    /// ::c0.95 ::s0.9 ::m0.6 ::f0.9
    ///
    /// ::finish
    /// <<<
    /// Nothing was left to do.
    /// >>>
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
    pub static RULE = "duckflow/sym-ops", Info, "Reply in Sym-Ops";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    if let Some(span) = found(context) {
        let message = "this reply is in Sym-Ops, not Duckflow markers; its actions are not read";
        report.add(&RULE, span, message);
    }
}

/// The first line of vitals in a reply without markers.
pub fn found(context: &RuleContext) -> Option<Span> {
    let layout = context.layout();
    let marked =
        !layout.sections.is_empty() || !layout.vitals.is_empty() || !layout.actions.is_empty();
    if marked { None } else { sym_ops::vitals(&context.text(&(0..context.cx.source.len()))) }
}
