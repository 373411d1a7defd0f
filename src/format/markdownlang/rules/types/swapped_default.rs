use super::super::RuleContext;
use super::text_of;
use crate::declare_rule;
use crate::format::markdownlang::body::Unit;
use crate::rule::{Fix, Report};
use crate::template::check::{Problem, ProblemKind};
use crate::text::Edit;

declare_rule! {
    /// The arguments of `default` are in the wrong order: the fallback comes first, the value last.
    ///
    /// `default .tone "friendly"` always gives `friendly`, because a constant is never missing. Write
    /// `default "friendly" .tone`, or `.tone | default "friendly"`.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string }, tone: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }} in a {{ default .tone "friendly" }} tone.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string }, tone: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }} in a {{ .tone | default "friendly" }} tone.
    /// ````
    pub static RULE = "markdownlang/swapped-default", Warning, "Swapped arguments of `default`";
}

pub fn check(context: &RuleContext, unit: &Unit, problem: &Problem, report: &mut Report) {
    let ProblemKind::SwappedDefault { value, fallback } = &problem.kind else { return };
    let (constant, read) = (text_of(context, unit, value), text_of(context, unit, fallback));
    let message = format!(
        "`default` takes the fallback first, so this is always `{constant}`; swap the arguments"
    );
    let edits = vec![
        Edit::replace(unit.absolute(value), read),
        Edit::replace(unit.absolute(fallback), constant),
    ];
    report
        .add(&RULE, unit.absolute(&problem.span), message)
        .fix(Fix::suggestion("Swap the arguments", edits));
}
