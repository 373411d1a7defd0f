use super::super::Subject;
use super::{errors, fields_at};
use crate::declare_rule;
use crate::format::suggestion::{closest, did_you_mean};
use crate::rule::{Fix, Report};
use crate::template::error::SyntaxErrorKind;
use crate::template::function::FUNCTIONS;
use crate::text::Edit;

declare_rule! {
    /// A word of the template is no function.
    ///
    /// A word alone is a function; a field of the input has a dot in front, `.name`, and text stands in quotes. The functions are
    /// those of Go (`and`, `call`, `eq`, `ge`, `gt`, `html`, `index`, `js`, `le`, `len`, `lt`, `ne`, `not`, `or`, `print`, `printf`,
    /// `println`, `slice`, `urlquery`) and `default`, `join`, `lower`, `split`, `title`, `upper`.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ uper .who }}.
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
    /// Greet {{ upper .who }}.
    /// ````
    pub static RULE = "markdownlang/unknown-function", Error, "A function that does not exist";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for (unit, error) in errors(subject, |kind| matches!(kind, SyntaxErrorKind::UnknownFunction(_))) {
        let SyntaxErrorKind::UnknownFunction(name) = &error.kind else { continue };
        let span = unit.absolute(&error.span);
        let field = fields_at(subject, unit, error.span.start, report).into_iter().find(|field| field == name);
        let function = closest(name, FUNCTIONS.iter().map(|function| function.name)).filter(|_| field.is_none());
        let said = format!("function \"{name}\" not defined.");
        let message = match &field {
            Some(field) => format!("{said} The field of the input is `.{field}`, with a dot."),
            None if function.is_some() => format!("{said}{}", did_you_mean(function)),
            None => error.message.clone(),
        };
        let finding = report.add(&RULE, span.clone(), message);
        if field.is_some() {
            finding.fix(Fix::suggestion("Put a dot in front", vec![Edit::insert(span.start, ".")]));
        } else if let Some(function) = function {
            finding.fix(Fix::suggestion(format!("Replace with `{function}`"), vec![Edit::replace(span, function)]));
        }
    }
}
