use super::super::Subject;
use super::{errors, fields_at, is_affordable, text_of};
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::{closest, did_you_mean};
use crate::template::error::SyntaxErrorKind;
use crate::template::node::{Pipeline, Template};
use crate::template::walk::Item;
use crate::text::Edit;

declare_rule! {
    /// A variable is used where it is not declared.
    ///
    /// `{{ $name := … }}` declares it; it is known from there to the end of the block that it is
    /// declared in, and nowhere else. In a definition none of the variables around it is known.
    ///
    /// Declare it first, outside the blocks if it is used behind them.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// {{ $name := upper .who }}Greet {{ $nmae }}.
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
    /// {{ $name := upper .who }}Greet {{ $name }}.
    /// ````
    pub static RULE = "markdownlang/undefined-variable", Error, "A variable that is not declared";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for (unit, error) in
        errors(subject, |kind| matches!(kind, SyntaxErrorKind::UndefinedVariable(_)))
    {
        let SyntaxErrorKind::UndefinedVariable(name) = &error.kind else { continue };
        let bare = name.trim_start_matches('$');
        let visible = if is_affordable(unit, report) {
            visible(&unit.template, &unit.outer, error.span.start)
        } else {
            Vec::new()
        };
        // A name that is declared elsewhere is no typing mistake.
        let variable = closest(bare, visible.iter().map(|name| name.trim_start_matches('$')))
            .filter(|found| *found != bare);
        let field = fields_at(subject, unit, error.span.start, report)
            .into_iter()
            .find(|field| field == bare)
            .filter(|_| variable.is_none());
        let said = format!("undefined variable \"{name}\".");
        let shown = variable.map(|variable| format!("${variable}"));
        let message = match &field {
            Some(field) => format!("{said} The field of the input is `.{field}`."),
            None if shown.is_some() => format!("{said}{}", did_you_mean(shown.as_deref())),
            None => error.message.clone(),
        };
        let span = unit.absolute(&error.span);
        // The variable, not the fields behind it.
        let replaced = text_of(subject, unit, &error.span) == *name;
        let finding = report.add(&RULE, span.clone(), message);
        if let Some(new) = field.map(|field| format!(".{field}")).or(shown).filter(|_| replaced) {
            finding.fix(Fix::suggestion(
                format!("Replace with `{new}`"),
                vec![Edit::replace(span.clone(), new)],
            ));
        }
    }
}

/// The variables that are declared before a place, in this unit or those before it, whatever block
/// they belong to.
fn visible<'t>(template: &'t Template, outer: &'t [String], place: usize) -> Vec<&'t str> {
    let declared = template.walk().filter_map(|item| match item {
        Item::Pipeline(Pipeline { declarations, assigns: false, .. }) => Some(declarations),
        _ => None,
    });
    let inner =
        declared.flatten().filter(|name| name.span.end <= place).map(|name| name.text.as_str());
    outer.iter().map(String::as_str).chain(inner).collect()
}
