use super::super::RuleContext;
use super::{errors, fields_at, is_affordable, text_of};
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::{closest, did_you_mean};
use crate::template::error::SyntaxErrorKind;
use crate::template::node::{Pipeline, Template};
use crate::template::walk::Item;
use crate::text::Edit;

declare_rule! {
    /// A variable is used outside its scope.
    ///
    /// `{{ $name := … }}` declares it from there to the end of the enclosing block. A definition
    /// doesn't see the variables around it.
    ///
    /// Declare it first; if it is used after a block, declare it before the block.
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
    pub static RULE = "markdownlang/undefined-variable", Error, "Undefined variable";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (ref unit, error) in
        errors(context, |kind| matches!(kind, SyntaxErrorKind::UndefinedVariable(_)))
    {
        let SyntaxErrorKind::UndefinedVariable(name) = &error.kind else { continue };
        let bare = name.trim_start_matches('$');
        let visible = if is_affordable(unit, report) {
            visible(&unit.template, &unit.outer, error.span.start)
        } else {
            Vec::new()
        };
        // A name that is declared elsewhere isn't a typo.
        let variable = closest(bare, visible.iter().map(|name| name.trim_start_matches('$')))
            .filter(|found| *found != bare);
        let field = fields_at(context, unit, error.span.start, report)
            .into_iter()
            .find(|field| field == bare)
            .filter(|_| variable.is_none());
        let said = format!("undefined variable \"{name}\"");
        let shown = variable.map(|variable| format!("${variable}"));
        let message = match &field {
            Some(field) => format!("{said}; the field of the input is `.{field}`"),
            None if shown.is_some() => format!("{said}{}", did_you_mean(shown.as_deref())),
            None => error.message.clone(),
        };
        let span = unit.absolute(&error.span);
        // The variable, without the fields after it.
        let replaced = text_of(context, unit, &error.span) == *name;
        let finding = report.add(&RULE, span.clone(), message);
        if let Some(new) = field.map(|field| format!(".{field}")).or(shown).filter(|_| replaced) {
            finding.fix(Fix::suggestion(
                format!("Replace with `{new}`"),
                vec![Edit::replace(span.clone(), new)],
            ));
        }
    }
}

/// The variables declared before a location, in this unit or earlier ones, in any block.
fn visible<'t>(template: &'t Template, outer: &'t [String], place: usize) -> Vec<&'t str> {
    let declared = template.walk().filter_map(|item| match item {
        Item::Pipeline(Pipeline { declarations, assigns: false, .. }) => Some(declarations),
        _ => None,
    });
    let inner =
        declared.flatten().filter(|name| name.span.end <= place).map(|name| name.text.as_str());
    outer.iter().map(String::as_str).chain(inner).collect()
}
