use super::super::super::body::{Body, PlacedGroup, Unit};
use super::super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::{closest, did_you_mean};
use crate::text::Edit;

declare_rule! {
    /// A `template` action names a template that the body does not define.
    ///
    /// Rendering fails at this action. Only templates that `{{ define "name" }}` or
    /// `{{ block "name" . }}` defines in the same file can be called.
    ///
    /// Define it anywhere in the body, or correct the name.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// {{ define "greeting" }}Greet {{ . }}.{{ end }}{{ template "greting" .who }}
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// {{ define "greeting" }}Greet {{ . }}.{{ end }}{{ template "greeting" .who }}
    /// ````
    pub static RULE = "markdownlang/undefined-template", Error, "Undefined template";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let body = &context.program.body;
    let units = body.groups().iter().filter(|group| group.has_calls).flat_map(PlacedGroup::units);
    for unit in units {
        check_unit(body, &unit, report);
    }
}

fn check_unit(body: &Body, unit: &Unit, report: &mut Report) {
    for name in &unit.names.calls {
        if body.definition(&name.value).is_some()
            || name.span.is_empty()
            || unit.template.errors.iter().any(|error| touches(&error.span, &name.span))
        {
            continue;
        }
        let suggestion = closest(
            &name.value,
            body.definitions().iter().map(|definition| definition.name.as_str()),
        );
        let advice = if suggestion.is_some() {
            did_you_mean(suggestion)
        } else {
            "; define it with `{{ define }}`".to_owned()
        };
        let span = unit.absolute(&name.span);
        let finding = report.add(
            &RULE,
            span.clone(),
            format!("template \"{}\" not defined{advice}", name.value),
        );
        if let Some(suggestion) = suggestion {
            finding.fix(Fix::suggestion(
                format!("Replace with `{suggestion}`"),
                vec![Edit::replace(span, format!("{suggestion:?}"))],
            ));
        }
    }
}

fn touches(a: &crate::text::Span, b: &crate::text::Span) -> bool {
    a.start < b.end && b.start < a.end
}
