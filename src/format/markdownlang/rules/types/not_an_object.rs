use super::super::RuleContext;
use super::from_root;
use crate::declare_rule;
use crate::format::markdownlang::body::Unit;
use crate::rule::Report;
use crate::template::check::{Effect, Problem, ProblemKind};
use crate::template::function::Kinds;

declare_rule! {
    /// A field is read from a value without fields: a string, a number, a list, or a possible null.
    ///
    /// Rendering fails there. Reach the elements of a list with `range` or `index .items 0`; put an
    /// `if` before a value that may be null or of several types.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who.name }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: object, properties: { name: { type: string } }, required: [name] } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who.name }}.
    /// ````
    pub static RULE = "markdownlang/not-an-object", Warning, "Field of a value without fields";
}

pub fn check(_: &RuleContext, unit: &Unit, problem: &Problem, report: &mut Report) {
    let message = match &problem.kind {
        ProblemKind::NotAnObject { name, given, root: true, .. } => {
            let message = format!(
                "`.` is {} here, which has no field `{name}`; did you mean `$.{name}`?",
                given.words()
            );
            let span = unit.absolute(&problem.span);
            report.add(&RULE, span.clone(), message).fix(from_root(name, &span));
            return;
        }
        ProblemKind::NotAnObject { name, given, certain: true, .. } if *given == Kinds::LIST => {
            format!("a list has no field `{name}`; use `range`, or `index` for one element")
        }
        ProblemKind::NotAnObject { name, given, certain: true, .. } => {
            format!(
                "field `{name}` of a value without fields ({}); declare it as an object in `input`, or remove the field",
                given.words()
            )
        }
        ProblemKind::NotAnObject { name, given, certain: false, .. } => {
            format!(
                "field `{name}` of a value that may be {}, which has no fields; guard it, or declare only an object",
                given.words()
            )
        }
        ProblemKind::PossiblyMissing(missing)
            if missing.null && missing.effect == Effect::Fails =>
        {
            format!(
                "`{}` may be null, and then rendering fails; guard it with `if` or `with`",
                missing.name
            )
        }
        _ => return,
    };
    report.add(&RULE, unit.absolute(&problem.span), message);
}
