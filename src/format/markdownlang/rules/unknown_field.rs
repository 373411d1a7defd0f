use super::super::field::{FIELDS, find};
use super::RuleContext;
use super::missing_field::{absent, stands_for};
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::{closest, did_you_mean};
use crate::text::Edit;

declare_rule! {
    /// The front matter has a key that programs don't define.
    ///
    /// It has no effect. Usually it is a misspelled field. Keys that begin with `x-` are not
    /// reported.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// modle: gpt-4o
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// model: gpt-4o
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/unknown-field", Warning, "Unknown field";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    // `missing-field` reports a misspelled required field.
    let misspelt: Vec<_> = FIELDS
        .iter()
        .filter_map(|key| stands_for(context, key))
        .map(|field| field.key.span.start)
        .collect();
    let absent = absent(context);
    for field in &context.fields {
        let name = field.key.text.as_str();
        if find(FIELDS, name).is_some()
            || name.starts_with("x-")
            || misspelt.contains(&field.key.span.start)
        {
            continue;
        }
        let suggestion = closest(name, absent.iter().copied());
        let shown =
            if name.is_empty() { "with an empty name".to_owned() } else { format!("`{name}`") };
        let message =
            format!("unknown field {shown}, which has no effect{}", did_you_mean(suggestion));
        let finding = report.add(&RULE, field.key.span.clone(), message);
        if let Some(suggestion) = suggestion {
            finding.fix(Fix::suggestion(
                format!("Rename to `{suggestion}`"),
                vec![Edit::replace(field.key.span.clone(), suggestion)],
            ));
        }
    }
}
