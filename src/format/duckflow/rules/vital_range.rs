use super::super::mark::MarkKind;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::did_you_mean;
use crate::text::Edit;

declare_rule! {
    /// The number of a vital is less than 0 or more than 1. The reference parser doesn't check the
    /// range: it reads `85%` as 85, which makes the agent eighty-five times as sure as possible.
    ///
    /// Write a fraction from 0 to 1: `0.85` for `85%`, `0.7` for seven out of ten.
    ///
    /// ````markdown bad
    /// [REASONING]
    /// All tests pass.
    ///
    /// [CONFIDENCE] 85%
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
    /// [CONFIDENCE] 0.85
    /// [MOOD] 0.8
    /// [FOCUS] 0.9
    /// [STAMINA] 0.7
    ///
    /// [ACTION_0_TYPE] finish
    /// [ACTION_0_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/vital-range", Error, "Vital out of range";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for vital in &context.layout().vitals {
        let (Some((number, span)), Some(mark)) = (&vital.number, context.mark(vital.mark)) else {
            continue;
        };
        let end = context.value(mark).end.max(span.end);
        let place = vital.rest.start.min(end)..vital.rest.end.min(end);
        let meant = context.meant_as(vital.mark);
        let is_action = meant.is_some_and(|meant| !matches!(meant.kind, MarkKind::Vital(_)));
        if is_action || (0.0..=1.0).contains(number) && !is_percent(&context.text(&place)) {
            continue;
        }
        let (name, value, rest) =
            (context.text(&mark.name), context.text(span), context.text(&place));
        let fraction = fraction(*number, &value, &rest);
        let reading =
            if *number < 0.0 { "ignores it".to_owned() } else { format!("reads it as {number}") };
        let suggestion = did_you_mean(fraction.as_ref().map(|(fraction, _)| fraction.as_str()));
        let span = span.start..place.end.max(span.end);
        let written = context.text(&span);
        let wrong = match (0.0..=1.0).contains(number) {
            true => "has a percent sign",
            false => "is out of range",
        };
        let message = format!(
            "`{written}` {wrong}: the reference parser {reading}; write `{name}` from 0 to 1{suggestion}"
        );
        let finding = report.add(&RULE, span.clone(), message);
        if let Some((fraction, safe)) = fraction {
            finding.fix(Fix {
                safe,
                ..Fix::suggestion(
                    format!("Replace with `{fraction}`"),
                    vec![Edit::replace(span, fraction)],
                )
            });
        }
    }
}

/// Whether what follows a number is a percent sign.
pub fn is_percent(rest: &str) -> bool {
    rest.split('#').next().is_some_and(|rest| rest.trim() == "%")
}

/// The fraction that was meant, and whether that is unambiguous.
fn fraction(number: f64, digits: &str, rest: &str) -> Option<(String, bool)> {
    let (places, safe) = if is_percent(rest) {
        // `0.9%` may have been meant as 0.9.
        (2, number > 1.0)
    } else if rest.starts_with("/100") || rest.is_empty() && number > 10.0 {
        (2, false)
    } else if rest.starts_with("/10") || rest.is_empty() && number > 1.0 {
        (1, false)
    } else {
        return None;
    };
    (0.0..=10_f64.powi(places)).contains(&number).then_some(())?;
    // Moves the decimal point in the text, to avoid rounding.
    let (whole, part) = digits
        .trim_start_matches('+')
        .split_once('.')
        .unwrap_or((digits.trim_start_matches('+'), ""));
    let padded = format!("{whole:0>width$}", width = places as usize + 1);
    let (whole, moved) = padded.split_at_checked(padded.len() - places as usize)?;
    let decimals = format!("{moved}{part}");
    let (whole, decimals) = (whole.trim_start_matches('0'), decimals.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    Some((
        if decimals.is_empty() { format!("{whole}.0") } else { format!("{whole}.{decimals}") },
        safe,
    ))
}

#[cfg(test)]
mod tests {
    use super::fraction;

    #[test]
    fn duck_04_a_percentage_becomes_a_fraction() {
        for (number, digits, rest, expected) in [
            (85.0, "85", "%", Some(("0.85", true))),
            (85.0, "85", " % # sure", Some(("0.85", true))),
            (100.0, "100", "%", Some(("1.0", true))),
            (0.5, "0.5", "%", Some(("0.005", false))),
            (0.95, "0.95", " %", Some(("0.0095", false))),
            (1.0, "1", "%", Some(("0.01", false))),
            (99.9, "99.9", "%", Some(("0.999", true))),
            (7.0, "7", "", Some(("0.7", false))),
            (10.0, "10", "", Some(("1.0", false))),
            (8.0, "8", "/10", Some(("0.8", false))),
            (85.0, "85", "/100", Some(("0.85", false))),
            (85.0, "85", "", Some(("0.85", false))),
            (850.0, "850", "", None),
            (-0.5, "-0.5", "", None),
        ] {
            assert_eq!(
                fraction(number, digits, rest).as_ref().map(|(text, safe)| (text.as_str(), *safe)),
                expected,
                "{digits}{rest}"
            );
        }
    }
}
