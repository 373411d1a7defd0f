use super::super::RuleContext;
use super::out_of_range::counted;
use super::text_of;
use crate::declare_rule;
use crate::format::markdownlang::body::Unit;
use crate::rule::Report;
use crate::template::check::{Problem, ProblemKind, Reach};

declare_rule! {
    /// `slice` or `index` goes beyond the end of a value that the schema allows to be shorter, and no
    /// condition checks its length.
    ///
    /// For such an input rendering fails. Require the length in the schema with `minItems` or
    /// `minLength`, or check it: inside `{{ if .files }}` there is a first file, and inside
    /// `{{ if ge (len .text) 200 }}` a text has 200 characters.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { files: { type: array, items: { type: string } } }, required: [files] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Start with {{ index .files 0 }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { files: { type: array, items: { type: string }, minItems: 1 } }, required: [files] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Start with {{ index .files 0 }}.
    /// ````
    pub static RULE = "markdownlang/possibly-out-of-range", Hint, "Position possibly out of range";
}

pub fn check(context: &RuleContext, unit: &Unit, problem: &Problem, report: &mut Report) {
    let ProblemKind::OutOfRange { function, reach, certain: false } = &problem.kind else {
        return;
    };
    let Reach::Length { needed, of, kinds, .. } = reach else { return };
    let value = text_of(context, unit, of);
    let guard = match needed {
        1 => format!("`if {value}`"),
        needed => format!("`if ge (len {value}) {needed}`"),
    };
    let message = format!(
        "`{function}` needs {}, and rendering fails if the input has fewer; guard it with {guard}",
        counted(*needed, *kinds)
    );
    report.add(&RULE, unit.absolute(&problem.span), message);
}
