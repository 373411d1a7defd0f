use super::super::layout::Action;
use super::super::mark::MarkKind;
use super::super::vocabulary::ActionType;
use super::{RuleContext, content_value};
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::{closest, did_you_mean};
use crate::text::Edit;

declare_rule! {
    /// The format doesn't define this parameter for the action's type. Parsers pass it through,
    /// except that the reference parser skips keys that contain a digit.
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
    /// [ACTION_0_TIMEOT] 60
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
    pub static RULE = "duckflow/unknown-parameter", Hint, "Unknown parameter";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (index, action) in context.order.iter().filter(|(index, _)| !context.is_torn(*index)) {
        let Some(kind) = context.known_type(action) else { continue };
        let content = content_value::found(context, action);
        for mark in action
            .parameters
            .iter()
            .filter(|parameter| content != Some(*parameter))
            .filter_map(|parameter| context.mark(parameter.mark))
        {
            let MarkKind::Action { key: span, .. } = &mark.kind else { continue };
            let key = context.key(mark);
            if names(kind).any(|name| name == key) {
                continue;
            }
            let meant = meant(context, action, kind, &key);
            let reading = if key.bytes().any(|byte| byte.is_ascii_digit()) {
                "; the reference parser skips it"
            } else {
                ""
            };
            let message = format!(
                "unknown parameter `{key}` for `{}`{reading}{}",
                kind.name,
                did_you_mean(meant)
            );
            let finding = report.add(&RULE, span.clone(), message);
            if let Some(meant) = meant {
                finding.fix(Fix::suggestion(
                    format!("Replace with `ACTION_{index}_{meant}`"),
                    vec![Edit::replace(span.clone(), meant)],
                ));
            }
        }
    }
}

fn names(kind: &ActionType) -> impl Iterator<Item = &'static str> {
    kind.required.iter().chain(kind.optional).copied()
}

/// With more parameters than this, the intent is unclear.
const MOST: usize = 64;

/// The parameter that an unknown one was meant to be: one that the action doesn't have yet.
pub fn meant(
    context: &RuleContext,
    action: &Action,
    kind: &ActionType,
    key: &str,
) -> Option<&'static str> {
    let lacks = |name: &&str| context.parameter(action, name).is_none();
    if action.parameters.len() > MOST { None } else { closest(key, names(kind).filter(lacks)) }
}
