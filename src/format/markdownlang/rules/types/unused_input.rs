use super::super::{Subject, schema};
use super::problems;
use crate::declare_rule;
use crate::rule::Report;
use crate::schema::Part;
use crate::suggestion::closest;
use crate::template::check::{Problem, ProblemKind};

declare_rule! {
    /// A property of the `input` schema is never read in the body.
    ///
    /// Whoever calls the program fills it in for nothing. A body that prints the input as a whole,
    /// `{{ . }}`, reads all of it.
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
    pub static RULE = "markdownlang/unused-input", Hint, "An input property that the body never reads";
}

pub fn check(subject: &Subject, report: &mut Report) {
    let program = subject.program;
    if !program.has_sound_input() {
        return;
    }
    let Some(unused) =
        program.checked(subject.cx.cancelled).unused_fields(&program.body, program.types())
    else {
        return;
    };
    let mistaken: Vec<&str> =
        problems(subject).filter_map(|(_, problem)| unknown_in_input(subject, problem)).collect();
    for (name, places) in unused {
        // It is meant by a name that is not declared: that is said there.
        if mistaken.iter().any(|word| closest(word, [name.as_str()]).is_some()) {
            continue;
        }
        for span in
            places.iter().filter_map(|place| schema::place(subject, "input", place, Part::Key))
        {
            let message = format!(
                "`{name}` is never read in the body. Use it as `{{{{ .{name} }}}}`, or remove it."
            );
            report.add(&RULE, program.absolute(&span), message).unnecessary();
        }
    }
}

fn unknown_in_input<'s>(subject: &Subject, problem: &'s Problem) -> Option<&'s str> {
    match &problem.kind {
        ProblemKind::UnknownField { name, of } if subject.program.types().is_root(of) => Some(name),
        _ => None,
    }
}
