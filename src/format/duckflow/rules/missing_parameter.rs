use super::super::layout::{Action, Parameter};
use super::super::vocabulary::ActionType;
use super::RuleContext;
use super::unknown_parameter;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// An action lacks a parameter that it needs: a path, a command, a query or a result. Parsers
    /// don't check this, so the program that runs the action has to ask, guess or give up.
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
    /// [ACTION_0_TYPE] read_file
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
    /// [ACTION_0_TYPE] read_file
    /// [ACTION_0_PATH] program.md
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/missing-parameter", Warning, "Missing parameter";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (index, action) in context.order.iter().filter(|(index, _)| !context.is_torn(*index)) {
        let (Some(kind), Some((_, span))) = (context.known_type(action), context.type_of(action))
        else {
            continue;
        };
        let missing: Vec<&str> = kind
            .required
            .iter()
            .copied()
            .filter(|key| is_missing(context, *index, action, kind, key))
            .collect();
        for key in missing {
            let empty = context.parameter(action, key);
            let (place, what) = match empty {
                Some(mark) => (mark.span.clone(), format!("empty `{key}`")),
                None => (span.clone(), format!("missing `{key}` for `{}`", kind.name)),
            };
            let finding = report.add(
                &RULE,
                place,
                format!("{what}, so the action cannot run; add the {}", key.to_ascii_lowercase()),
            );
            if let (None, Some(mark)) =
                (empty, action.types.last().and_then(|mark| context.mark(*mark)))
            {
                let line = format!("{}[ACTION_{index}_{key}] ", context.line_break);
                let value = key.to_ascii_lowercase();
                let edits = vec![Edit::insert(mark.line.end, format!("{line}{value}"))];
                // Inserts a placeholder.
                if !matches!(key, "PATH") {
                    finding.fix(
                        Fix::suggestion(format!("Add `{key}`"), edits)
                            .with_snippet(format!("{line}${{1:{value}}}")),
                    );
                }
            }
        }
    }
}

fn is_missing(
    context: &RuleContext,
    index: u64,
    action: &Action,
    kind: &ActionType,
    key: &str,
) -> bool {
    let given = action.parameters.iter().rev().find(|parameter| {
        context.mark(parameter.mark).is_some_and(|mark| context.key(mark) == key)
    });
    if let Some(given) = given {
        return given.pieces.iter().all(|piece| context.text(piece).trim().is_empty());
    }
    let is_meant = |parameter: &Parameter| {
        context.mark(parameter.mark).is_some_and(|mark| {
            unknown_parameter::meant(context, action, kind, &context.key(mark)) == Some(key)
        })
    };
    !context.means_key(index, key) && !action.parameters.iter().any(is_meant)
}
