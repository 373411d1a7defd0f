use super::RuleContext;
use super::context::{is_coerced, is_tool_name, slug};
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// The name contains characters other than letters, digits, `_` and `-`, or is longer than 64
    /// characters.
    ///
    /// A program that imports this one calls it as a tool with that name, and model providers
    /// reject requests with other tool names.
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
    pub static RULE = "markdownlang/invalid-name", Warning, "Name not valid for a tool";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let (Some(name), Some(node)) = (&context.name, context.value("name")) else { return };
    if name.text.trim().is_empty() || is_tool_name(&name.text) || is_coerced(node) {
        return;
    }
    let message =
        match name.text.len() > 64 && is_tool_name(name.text.get(..64).unwrap_or_default()) {
            true => format!(
                "the name has {} characters, but a tool's name may have at most 64",
                name.text.len()
            ),
            false => "invalid tool name; use only letters, digits, `_` and `-`".to_owned(),
        };
    let finding = report.add(&RULE, name.span.clone(), message);
    if let Some(slug) = slug(&name.text) {
        finding.fix(Fix::suggestion(
            format!("Rename to `{slug}`"),
            vec![Edit::replace(name.span.clone(), context.print(&name.span, &slug))],
        ));
    }
}
