use super::super::RuleContext;
use crate::declare_rule;
use crate::format::markdownlang::body::Unit;
use crate::rule::Report;
use crate::template::check::{Problem, ProblemKind, Reach};
use crate::template::function::Kinds;

declare_rule! {
    /// `slice` or `index` always goes beyond the end of a value, so rendering always fails.
    ///
    /// The schema limits the value's length (`maxLength`, `maxItems`, or the values of an `enum`), a
    /// position is negative, or the start of a `slice` is after its end. Positions count from 0;
    /// those of a string count characters.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { code: { type: string, maxLength: 8 } }, required: [code] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Explain {{ slice .code 0 20 }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { code: { type: string, maxLength: 8 } }, required: [code] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Explain {{ .code }}.
    /// ````
    pub static RULE = "markdownlang/out-of-range", Warning, "Position out of range";
}

pub fn check(_: &RuleContext, unit: &Unit, problem: &Problem, report: &mut Report) {
    let ProblemKind::OutOfRange { function, reach, certain: true } = &problem.kind else {
        return;
    };
    let message = match reach {
        Reach::Length { needed, longest, kinds, .. } => format!(
            "`{function}` needs {}, but the schema allows at most {}, so rendering fails",
            counted(*needed, *kinds),
            longest.unwrap_or_default()
        ),
        Reach::Negative => format!("`{function}` takes no negative position: rendering fails"),
        Reach::Reversed { start, end } => {
            format!("`slice` starts at {start}, after its end at {end}, so rendering fails")
        }
    };
    report.add(&RULE, unit.absolute(&problem.span), message);
}

/// `3 elements`, `1 character`.
pub fn counted(count: usize, kinds: Kinds) -> String {
    let word = match (kinds.holds(Kinds::STRING), kinds.holds(Kinds::LIST)) {
        (true, false) => "character",
        (false, true) => "element",
        _ => "element or character",
    };
    let words = match word {
        _ if count == 1 => word.to_owned(),
        "element or character" => "elements or characters".to_owned(),
        _ => format!("{word}s"),
    };
    format!("{count} {words}")
}
