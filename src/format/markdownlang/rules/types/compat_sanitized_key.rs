use super::super::{RuleContext, schema};
use crate::declare_rule;
use crate::rule::Report;
use crate::schema::Part;
use crate::template::types::Field;

declare_rule! {
    /// The reference implementation removes all characters except letters, digits, `_` and `-` from
    /// the keys of the input: `a b` becomes `ab` in the body. agentmd keeps the name, for
    /// `index . "a b"`.
    ///
    /// A name of letters, digits and `_` works in both.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { "first name": { type: string } }, required: ["first name"] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ index . "first name" }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { first_name: { type: string } }, required: [first_name] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .first_name }}.
    /// ````
    pub static RULE = "compat/sanitized-key", Info, "Input property that the reference implementation renames", off;
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let types = context.program.types();
    for (name, field) in types.known_fields(&types.root()).iter() {
        let Field::Declared { places, .. } = field else { continue };
        let kept: String = name
            .chars()
            .filter(|char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-'))
            .collect();
        if kept == *name {
            continue;
        }
        for span in
            places.iter().filter_map(|place| schema::place(context, "input", place, Part::Key))
        {
            let message = format!(
                "the reference implementation renames this to `{kept}`; use letters, digits and `_`"
            );
            report.add(&RULE, context.program.absolute(&span), message);
        }
    }
}
