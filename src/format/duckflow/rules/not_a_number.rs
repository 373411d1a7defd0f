use super::super::mark::MarkKind;
use super::super::vocabulary::{self, ParameterKind};
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// `TIMEOUT` is a number of seconds, `MAX_RESULTS` a whole number. Parsers pass any value
    /// through; the program that runs the action expects a number.
    ///
    /// ````markdown bad
    /// [REASONING]
    /// All tests pass.
    ///
    /// [CONFIDENCE] 0.9
    /// [MOOD] 0.8
    /// [FOCUS] 0.9
    /// [STAMINA] 0.7
    ///
    /// [ACTION_0_TYPE] run_command
    /// [ACTION_0_COMMAND] cargo test
    /// [ACTION_0_TIMEOUT] 60s
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] Nothing was left to do.
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
    /// [ACTION_0_TYPE] run_command
    /// [ACTION_0_COMMAND] cargo test
    /// [ACTION_0_TIMEOUT] 60
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/not-a-number", Warning, "Parameter value is not a number";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (_, mark) in context
        .marks()
        .filter(|(_, mark)| matches!(mark.kind, MarkKind::Action { .. }) && !mark.value.is_empty())
    {
        let key = context.key(mark);
        let what = match vocabulary::parameter(&key).map(|parameter| parameter.kind) {
            Some(ParameterKind::Number) => "number",
            Some(ParameterKind::Integer) => "whole number",
            _ => continue,
        };
        let place = context.value(mark);
        let value = context.text(&place);
        let digits = value
            .bytes()
            .take_while(|byte| byte.is_ascii_digit() || *byte == b'.' && what == "number")
            .count();
        let number = value.get(..digits).filter(|number| number.parse::<f64>().is_ok());
        if number == Some(&*value) {
            continue;
        }
        let message = format!("`{value}` is not a {what}; write `{key}` in digits");
        let finding = report.add(&RULE, place.clone(), message);
        // `1.5` results can't be rounded either way.
        if let Some(number) = number.filter(|_| {
            !value.get(digits..).is_some_and(|rest| rest.starts_with(['.', ',', '-', 'e', 'E']))
        }) {
            finding.fix(Fix::suggestion(
                format!("Replace with `{number}`"),
                vec![Edit::replace(place, number)],
            ));
        }
    }
}
