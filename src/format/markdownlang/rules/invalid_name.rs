use super::Subject;
use super::subject::{is_coerced, is_tool_name, slug};
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// The name is more than letters, digits, `_` and `-`, or longer than 64 of them.
    ///
    /// A program that imports this one calls it as a tool of that name, and providers of models
    /// refuse requests with tools named otherwise.
    ///
    /// ````markdown bad
    /// ---
    /// name: Greet a person!
    /// description: Greets a person
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
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/invalid-name", Warning, "A name that no tool can have";
}

pub fn check(subject: &Subject, report: &mut Report) {
    let (Some(name), Some(node)) = (&subject.name, subject.value("name")) else { return };
    if name.text.trim().is_empty() || is_tool_name(&name.text) || is_coerced(node) {
        return;
    }
    let message =
        match name.text.len() > 64 && is_tool_name(name.text.get(..64).unwrap_or_default()) {
            true => format!("The name has {} characters. Tools may have 64.", name.text.len()),
            false => "A name may hold only letters, digits, `_` and `-`: it is the name of a tool."
                .to_owned(),
        };
    let finding = report.add(&RULE, name.span.clone(), message);
    if let Some(slug) = slug(&name.text) {
        finding.fix(Fix::suggestion(
            format!("Rename to `{slug}`"),
            vec![Edit::replace(name.span.clone(), subject.print(&name.span, &slug))],
        ));
    }
}
