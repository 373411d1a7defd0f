use super::super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;
use crate::schema::Part;

declare_rule! {
    /// The program's result isn't an object. The specification allows any type, but the reference
    /// implementation only accepts objects. This only matters if the program must run there too:
    /// put the value in a property.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: string }
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
    pub static RULE = "compat/non-object-output", Warning, "Output is not an object", off;
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let Some(kind) =
        context.program.schemas().output.as_ref().and_then(|schema| schema.value.get("type"))
    else {
        return;
    };
    if kind != "object"
        && let Some(span) = super::place(context, "output", "/type", Part::Value)
    {
        report.add(
            &RULE,
            context.absolute(&span),
            "the reference implementation only accepts objects; put this value in a property",
        );
    }
}
