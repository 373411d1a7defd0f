use super::RuleContext;
use super::vital_range::is_percent;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::did_you_mean;
use crate::text::Edit;

declare_rule! {
    /// The number of a vital is followed by text that is neither a comment (`# …`) nor a percent
    /// sign. The reference parser reads the number and ignores the rest; the author's newer parser
    /// ignores the vital.
    ///
    /// Parsers read digits and a point: `1e-1` and `1/2` as 1, `0,95` as 0.
    ///
    /// Write only the number, or add a comment after it.
    ///
    /// ````markdown bad
    /// [REASONING]
    /// All tests pass.
    ///
    /// [CONFIDENCE] 0.9/1.0
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
    /// [CONFIDENCE] 0.9 # the tests pass
    /// [MOOD] 0.8
    /// [FOCUS] 0.9
    /// [STAMINA] 0.7
    ///
    /// [ACTION_0_TYPE] finish
    /// [ACTION_0_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/vital-text", Warning, "Text after the number of a vital";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for vital in &context.layout().vitals {
        let Some((number, span)) = &vital.number else { continue };
        let Some(mark) = context.mark(vital.mark) else { continue };
        let end = context.value(mark).end.max(span.end);
        let place = vital.rest.start.min(end)..vital.rest.end.min(end);
        let rest = context.text(&place);
        if rest.is_empty() || !(0.0..=1.0).contains(number) || is_percent(&rest) {
            continue;
        }
        if place.start == span.end && changes_number(&rest) {
            let (word, after) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
            let written = format!("{}{word}", context.text(span));
            let meant = meant(&written);
            if meant != Some(*number) {
                let meant = meant.map(shown);
                let place = span.start..place.end - after.len();
                let message = format!(
                    "parsers read `{written}` as {number}, or ignore the vital; write a decimal number{}",
                    did_you_mean(meant.as_deref())
                );
                let finding = report.add(&RULE, place.clone(), message);
                if let Some(meant) = meant {
                    let title = format!("Replace with `{meant}`");
                    finding.fix(Fix::suggestion(title, vec![Edit::replace(place, meant)]));
                }
                continue;
            }
        }
        let message =
            format!("`{rest}` after the number makes some parsers ignore the vital; remove it");
        let edits = vec![Edit::delete(span.end..place.end)];
        report
            .add(&RULE, place, message)
            .fix(Fix::suggestion("Remove the text after the number", edits));
    }
}

/// Whether what directly follows a number may make it another one.
fn changes_number(rest: &str) -> bool {
    let mut letters = rest.chars();
    match letters.next() {
        Some('e' | 'E') => letters.next().is_none_or(|next| !next.is_alphabetic()),
        Some(',' | '/') => letters.next().is_some_and(|next| next.is_ascii_digit()),
        _ => false,
    }
}

/// The number from 0 to 1 that `1e-1`, `0,95` or `1/2` was meant to be.
fn meant(written: &str) -> Option<f64> {
    let number = match written.split_once('/') {
        Some((part, whole)) => part.parse::<f64>().ok()? / whole.parse::<f64>().ok()?,
        None => written.replacen(',', ".", 1).parse().ok()?,
    };
    (0.0..=1.0).contains(&number).then_some(number)
}

/// A number in decimal; of one with many digits, such as a third, only the first ones.
fn shown(number: f64) -> String {
    let exact = number.to_string();
    if exact.len() <= LONGEST { exact } else { format!("{number:.4}") }
}

const LONGEST: usize = 12;
