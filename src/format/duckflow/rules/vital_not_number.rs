use super::super::layout::Vital;
use super::super::mark::{Mark, MarkKind};
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// The value of a vital doesn't start with a decimal number. Every parser ignores the vital,
    /// and the reference parser even adds the line to the reasoning above it.
    ///
    /// The reference parser also does this if the number has a sign, or if no space precedes it.
    ///
    /// Write a space and a number from 0 to 1.
    ///
    /// ````markdown bad
    /// [REASONING]
    /// All tests pass.
    ///
    /// [CONFIDENCE] high
    /// [MOOD] 0.8
    /// [FOCUS] 0.9
    /// [STAMINA] 0.7
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
    pub static RULE = "duckflow/vital-not-number", Error, "Vital without a number";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for vital in &context.layout().vitals {
        let Some(mark) = context.mark(vital.mark) else { continue };
        if let Some((number, _)) = vital.number {
            if matches!(mark.kind, MarkKind::Vital(_)) && (0.0..=1.0).contains(&number) {
                check_number(context, vital, mark, report);
            }
            continue;
        }
        let (name, value) = (context.text(&mark.name), context.text(&mark.value));
        if let Some(below) = context.value_below(vital.mark) {
            let message = format!(
                "`{name}` is ignored because its number is below it; write the number after the marker"
            );
            let line = format!(" {}", context.text(&below));
            let edits = vec![Edit::replace(mark.span.end..below.end, line)];
            report
                .add(&RULE, mark.span.clone(), message)
                .fix(Fix::safe("Move the number to the marker", edits));
            continue;
        }
        if context.value(mark).start > mark.value.start {
            // `value-sign` reports it.
            continue;
        }
        let (span, message) = if value.is_empty() {
            (mark.span.clone(), format!("missing value of `{name}`; write a number from 0 to 1"))
        } else {
            (
                mark.value.clone(),
                format!(
                    "`{value}` is not a number, so `{name}` is ignored; write a number from 0 to 1"
                ),
            )
        };
        report.add(&RULE, span, message);
    }
}

/// Reports a number that the reference parser doesn't read.
fn check_number(context: &RuleContext, vital: &Vital, mark: &Mark, report: &mut Report) {
    let Some((_, number)) = &vital.number else { return };
    let (name, value) = (context.text(&mark.name), context.text(number));
    let bare = value.trim_start_matches(['+', '-']);
    let sign = number.start..number.start + value.len() - bare.len();
    let adjacent = mark.span.end == number.start;
    let (span, reason, remedy) = match (adjacent, sign.is_empty()) {
        (false, true) => return,
        (true, _) => (mark.span.clone(), "no space follows the marker", "add one"),
        (false, false) => (sign.clone(), "its number has a sign", "remove it"),
    };
    let title = match (adjacent, sign.is_empty()) {
        (true, true) => "Add a space",
        (true, false) => "Add a space, and remove the sign",
        _ => "Remove the sign",
    };
    let edit = match adjacent {
        true => Edit::replace(mark.span.end..sign.end, " "),
        false => Edit::delete(sign),
    };
    report
        .add(
            &RULE,
            span,
            format!("the reference parser ignores `{name}` because {reason}; {remedy}"),
        )
        .fix(Fix::safe(title, vec![edit]));
}
