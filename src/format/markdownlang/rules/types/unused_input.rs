use super::super::{RuleContext, schema};
use super::problems;
use crate::declare_rule;
use crate::rule::Report;
use crate::schema::Part;
use crate::suggestion::closest;
use crate::template::check::{Problem, ProblemKind};

declare_rule! {
    /// The body never reads a property of the `input` schema.
    ///
    /// Callers fill it in for nothing. A body that prints the whole input, `{{ . }}`, reads all
    /// properties.
    ///
    /// Use it, or remove it from the schema.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string }, style: { type: string } }, required: [who] }
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
    /// input: { type: object, properties: { who: { type: string }, style: { type: string } }, required: [who, style] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }} in a {{ .style }} way.
    /// ````
    pub static RULE = "markdownlang/unused-input", Hint, "Unused input property";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let program = context.program;
    if !program.has_sound_input() {
        return;
    }
    let Some(unused) =
        program.checked(context.cx.cancelled).unused_fields(&program.body, program.types())
    else {
        return;
    };
    if unused.is_empty() {
        return;
    }
    let mistaken: Vec<&str> =
        problems(context).filter_map(|(_, problem)| unknown_in_input(context, problem)).collect();
    for (name, places) in unused {
        // An undeclared name probably means this property: it is reported there.
        if mistaken.iter().any(|word| closest(word, [name.as_str()]).is_some()) {
            continue;
        }
        for span in
            places.iter().filter_map(|place| schema::place(context, "input", place, Part::Key))
        {
            let message = format!(
                "`{name}` is never read in the body; use it as `{{{{ .{name} }}}}`, or remove it"
            );
            report.add(&RULE, program.absolute(&span), message).unnecessary();
        }
    }
}

fn unknown_in_input<'s>(context: &RuleContext, problem: &'s Problem) -> Option<&'s str> {
    match &problem.kind {
        ProblemKind::UnknownField { name, of, .. } if context.program.types().is_root(of) => {
            Some(name)
        }
        _ => None,
    }
}
