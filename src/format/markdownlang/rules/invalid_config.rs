use super::super::field::{CONFIG_FIELDS, Holds, Key, find};
use super::super::read::entries;
use super::RuleContext;
use super::context::describe;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::{closest, did_you_mean};
use crate::text::Edit;
use crate::yaml::{self, Kind, Node, ScalarType};

declare_rule! {
    /// `config` has settings of the model: `temperature`, `top_p`, `max_tokens`, `seed` and
    /// `reasoning_effort`. Other keys and invalid values aren't sent, so they have no effect.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// config:
    ///   temperatur: 0.2
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// config:
    ///   temperature: 0.2
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/invalid-config", Warning, "Invalid model setting";
}

/// Names in other tools.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("topP", "top_p"),
    ("maxTokens", "max_tokens"),
    ("max_output_tokens", "max_tokens"),
    ("maxOutputTokens", "max_tokens"),
    ("max_completion_tokens", "max_tokens"),
    ("num_predict", "max_tokens"),
    ("effort", "reasoning_effort"),
    ("reasoningEffort", "reasoning_effort"),
    ("reasoning", "reasoning_effort"),
];

pub fn check(context: &RuleContext, report: &mut Report) {
    let Some(entry) = context.entry("config") else { return };
    let Some(node) = context.anchors.follow(&entry.value) else { return };
    if yaml::scalar_type(node) == ScalarType::Null {
        return;
    }
    let Some(mapping) = node.as_mapping() else {
        let message = format!(
            "`config` must be {}, but this is {}; it has no effect",
            Holds::Config.expected(),
            describe(node)
        );
        report.add(&RULE, context.absolute(&entry.value.span), message);
        return;
    };
    let entries = entries(mapping, &context.anchors);
    for entry in &entries {
        let name = entry.key.as_str().unwrap_or_default();
        match find(CONFIG_FIELDS, name) {
            Some(key) => value(context, key, &entry.value, report),
            None if name.starts_with("x-") => {}
            None => {
                let has =
                    |name: &&str| entries.iter().any(|entry| entry.key.as_str() == Some(name));
                let free = |other: &&str| !has(other);
                let known = OTHER_NAMES.iter().find(|(other, _)| *other == name);
                let meant = known.map(|(_, meant)| *meant).filter(free);
                let names = CONFIG_FIELDS.iter().map(|key| key.name).filter(free);
                let meant = meant.or_else(|| closest(name, names));
                let span = context.absolute(&entry.key.span);
                let message = format!(
                    "unknown model setting `{name}`, which has no effect{}",
                    did_you_mean(meant)
                );
                let finding = report.add(&RULE, span.clone(), message);
                if let Some(meant) = meant {
                    finding.fix(Fix::suggestion(
                        format!("Rename to `{meant}`"),
                        vec![Edit::replace(span, meant)],
                    ));
                }
            }
        }
    }
}

fn value(context: &RuleContext, key: &Key, value: &Node, report: &mut Report) {
    let Some(node) = context.anchors.follow(value) else { return };
    if yaml::scalar_type(node) == ScalarType::Null {
        return;
    }
    let mut meant = None;
    let fits = match key.holds {
        Holds::OneOf(words) => {
            let word = node.as_str().filter(|_| matches!(node.kind, Kind::Scalar(_)));
            meant = word.and_then(|word| closest(word, words.iter().copied()));
            word.is_some_and(|word| words.contains(&word))
        }
        holds => yaml::to_json(node, &context.anchors)
            .value
            .as_f64()
            .is_some_and(|number| holds.allows_number(number)),
    };
    if fits {
        return;
    }
    let expected = match key.holds {
        Holds::OneOf(words) => format!("one of `{}`", words.join("`, `")),
        holds => {
            let range = holds.range().map(|range| format!(" {range}")).unwrap_or_default();
            format!("{}{range}", holds.expected())
        }
    };
    let span = context.absolute(&value.span);
    let message =
        format!("`{}` must be {expected}; it has no effect{}", key.name, did_you_mean(meant));
    let finding = report.add(&RULE, span.clone(), message);
    if let Some(meant) = meant.filter(|_| std::ptr::eq(node, value)) {
        finding.fix(Fix::suggestion(
            format!("Replace with `{meant}`"),
            vec![Edit::replace(span, meant)],
        ));
    }
}
