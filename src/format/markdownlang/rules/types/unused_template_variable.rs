use super::super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;
use crate::template::check::Origin;

declare_rule! {
    /// A variable is declared in the body but never read.
    ///
    /// The index of a `range` with two variables is not reported, because it is mandatory. Nor are
    /// variables whose name begins with `_`, which marks them as unused.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// {{ $name := .who }}Greet {{ .who }}.
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
    /// {{ $name := .who }}Greet {{ $name }}.
    /// ````
    pub static RULE = "markdownlang/unused-template-variable", Hint, "Unused template variable";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let body = &context.program.body;
    if body.errors().next().is_some() {
        return;
    }
    for (unit, variable) in context.program.checked(context.cx.cancelled).unused_variables(body) {
        let Some(span) = variable.declaration() else { continue };
        let advice = match variable.origin {
            // Without the second variable, the index would be the element.
            Origin::Element(_) => "use it, or name it `$_`",
            _ => "use it, or remove it",
        };
        let message = format!("`{}` is never read; {advice}", variable.name);
        report.add(&RULE, unit.absolute(span), message).unnecessary();
    }
}
