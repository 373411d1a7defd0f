use super::super::sym_ops;
use super::Subject;
use crate::declare_rule;
use crate::rule::Report;
use crate::text::Span;

declare_rule! {
    /// The reply is written in Sym-Ops, the language that Duckflow's own agent speaks today: `>>`
    /// for thoughts, `::c0.9` for vitals, `::name @path` for actions, `<<<` and `>>>` around
    /// content. It is not part of the specification, whose reader finds nothing here. agentmd says
    /// what it is and reads no more of it than fences and first lines.
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
    pub static RULE = "duckflow/sym-ops", Info, "A reply in Sym-Ops";
}

pub fn check(subject: &Subject, report: &mut Report) {
    if let Some(span) = found(subject) {
        let message = "This is Sym-Ops, not the markers of the specification, whose reader finds nothing here. agentmd recognises it, but does not read its actions.";
        report.add(&RULE, span, message);
    }
}

/// The first line of vitals in a reply without markers.
pub fn found(subject: &Subject) -> Option<Span> {
    let layout = subject.layout();
    let marked =
        !layout.sections.is_empty() || !layout.vitals.is_empty() || !layout.actions.is_empty();
    if marked { None } else { sym_ops::vitals(&subject.text(&(0..subject.cx.source.len()))) }
}
