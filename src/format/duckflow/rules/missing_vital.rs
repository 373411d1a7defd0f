use super::super::vocabulary::VITALS;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A reply has four vitals: `CONFIDENCE`, `MOOD`, `FOCUS` and `STAMINA`, each a number from 0
    /// to 1. The reference parser doesn't require them, but a program that asks for one gets
    /// nothing.
    ///
    /// `check --strict` makes this an error.
    ///
    /// ````markdown bad
    /// [REASONING]
    /// All tests pass.
    ///
    /// [CONFIDENCE] 0.9
    /// [MOOD] 0.8
    ///
    /// [ACTION_0_TYPE] finish
    /// [ACTION_0_RESULT] Nothing was left to do.
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
    pub static RULE = "duckflow/missing-vital", Warning, "Missing vital", strict;
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let (missing, layout) = (context.missing_vitals(), context.layout());
    let names: Vec<&str> =
        missing.iter().filter_map(|vital| VITALS.get(*vital)).map(|vital| vital.name).collect();
    // A reply without content lacks more than these.
    let present = layout.vitals.iter().rev().find_map(|vital| context.mark(vital.mark));
    let Some(place) = present
        .or_else(|| context.marks().map(|(_, mark)| mark).find(|mark| mark.kind.is_marker()))
        .filter(|_| !names.is_empty() && !context.is_empty())
    else {
        return;
    };
    let listed = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let remedy = match names.as_slice() {
        [name] => format!("add a line such as `[{name}] 0.8`"),
        _ => "add a line with a number from 0 to 1 for each".to_owned(),
    };
    let message = format!("missing {listed}; {remedy}");
    let finding = report.add(&RULE, place.span.clone(), message);
    let line_break = context.line_break;
    let lines = |value: &dyn Fn(usize) -> String| {
        names
            .iter()
            .enumerate()
            .map(|(at, name)| format!("[{name}] {}", value(at)))
            .collect::<Vec<_>>()
            .join(line_break)
    };
    let (at, before, after) = match (present, context.reasoning_end()) {
        (Some(mark), _) => (mark.line.end, line_break.to_owned(), String::new()),
        (None, Some(end)) => (end, line_break.repeat(2), String::new()),
        (None, None) => (place.line.start, String::new(), line_break.repeat(2)),
    };
    let wrap = |lines: String| format!("{before}{lines}{after}");
    let snippet = wrap(lines(&|at| format!("${{{}:0.5}}", at + 1)));
    finding.fix(
        Fix::suggestion(
            "Add the missing vitals",
            vec![Edit::insert(at, wrap(lines(&|_| "0.5".to_owned())))],
        )
        .with_snippet(snippet),
    );
}
