use super::super::Subject;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// A variable is declared in the body and never read.
    ///
    /// The index of a `range` with two variables is not meant: it cannot be left out. Nor are
    /// variables whose name begins with `_`: that says that nobody reads them.
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
    pub static RULE = "markdownlang/unused-template-variable", Hint, "A variable of the body that is never read";
}

pub fn check(subject: &Subject, report: &mut Report) {
    let body = &subject.program.body;
    if body.errors().next().is_some() {
        return;
    }
    for (unit, variable) in subject.program.checked(subject.cx.cancelled).unused_variables() {
        let (Some(unit), Some(span)) = (body.units.get(unit), variable.declaration()) else {
            continue;
        };
        report
            .add(
                &RULE,
                unit.absolute(span),
                format!("`{}` is never read. Use it, or leave it out.", variable.name),
            )
            .unnecessary();
    }
}
