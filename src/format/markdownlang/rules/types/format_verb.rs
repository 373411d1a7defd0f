use super::super::RuleContext;
use crate::declare_rule;
use crate::format::markdownlang::body::Unit;
use crate::rule::Report;
use crate::template::check::{Problem, ProblemKind};

declare_rule! {
    /// `printf` has too many or too few values for its verbs, or a verb that can't print its value.
    ///
    /// Rendering doesn't fail, but prints `%!d(MISSING)`, `%!(EXTRA string=x)` or `%!d(string=x)`.
    /// `%v` prints anything, `%s` text, `%d` integers, `%.2f` numbers; `%%` is a percent sign.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ printf "%s and %s" .who }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ printf "%s and %s" .who "all" }}.
    /// ````
    pub static RULE = "markdownlang/format-verb", Warning, "Mismatched `printf` verb";
}

pub fn check(_: &RuleContext, unit: &Unit, problem: &Problem, report: &mut Report) {
    let count = |count: usize, word: &str| {
        if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
    };
    let message = match &problem.kind {
        ProblemKind::FormatCount { verbs, given } => {
            format!(
                "the format has {}, but there {} {}; each verb takes one value",
                count(*verbs, "verb"),
                if *given == 1 { "is" } else { "are" },
                count(*given, "value")
            )
        }
        ProblemKind::FormatVerb { verb: '*', given } => {
            format!("`*` takes the width from an integer, but this is {}", given.words())
        }
        ProblemKind::FormatVerb { verb, given } => {
            format!("`%{verb}` cannot print this value: {}; `%v` prints anything", given.words())
        }
        _ => return,
    };
    report.add(&RULE, unit.absolute(&problem.span), message);
}
