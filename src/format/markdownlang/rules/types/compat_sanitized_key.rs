use super::super::{Subject, schema};
use crate::declare_rule;
use crate::rule::Report;
use crate::schema::Part;
use crate::template::types::Field;

declare_rule! {
    /// The original markdownlang drops characters from the keys of the input, all but letters,
    /// digits, `_` and `-`: what is called `a b` comes to the body as `ab`. Here it keeps its name,
    /// and is read with `index . "a b"`.
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
    pub static RULE = "compat/sanitized-key", Info, "The original renames this input property", off;
}

pub fn check(subject: &Subject, report: &mut Report) {
    let types = subject.program.types();
    for (name, field) in types.fields(&types.root()) {
        let Field::Declared { places, .. } = field else { continue };
        let kept: String = name
            .chars()
            .filter(|char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-'))
            .collect();
        if kept == name {
            continue;
        }
        for span in
            places.iter().filter_map(|place| schema::place(subject, "input", place, Part::Key))
        {
            let message = format!(
                "The original markdownlang gives this to the body as `{kept}`. Letters, digits and `_` work everywhere."
            );
            report.add(&RULE, subject.program.absolute(&span), message);
        }
    }
}
