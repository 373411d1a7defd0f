use super::super::{RuleContext, schema};
use super::problems;
use crate::declare_rule;
use crate::rule::{Diagnostic, Report};
use crate::schema::Part;
use crate::suggestion::closest;
use crate::template::check::{Problem, ProblemKind};
use crate::template::types::Field;

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

/// The latest findings, and what they follow from besides the front matter.
#[derive(Debug)]
pub struct Unread {
    used: Vec<bool>,
    mistaken: Vec<String>,
    found: Vec<Diagnostic>,
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let program = context.program;
    if !program.has_sound_input() {
        return;
    }
    let checked = program.checked(context.cx.cancelled);
    let Some(used) = checked.used_declarations(&program.body) else { return };
    let mistaken: Vec<&str> =
        problems(context).filter_map(|(_, problem)| unknown_in_input(context, problem)).collect();
    let mut known = program.header.unread.lock();
    if let Some(known) = known.as_ref().filter(|known| known.used == used)
        && known.mistaken == mistaken
    {
        report.diagnostics.extend(known.found.iter().cloned());
        return;
    }
    let found = unread(context, &used, &mistaken);
    report.diagnostics.extend(found.iter().cloned());
    let mistaken = mistaken.into_iter().map(str::to_owned).collect();
    *known = Some(Unread { used, mistaken, found });
}

fn unread(context: &RuleContext, used: &[bool], mistaken: &[&str]) -> Vec<Diagnostic> {
    let program = context.program;
    let is_used = |declaration: &u32| used.get(*declaration as usize) == Some(&true);
    let types = program.types();
    let mut report = Report::default();
    for (name, field) in types.known_fields(&types.root()).iter() {
        let Field::Declared { kind, places, .. } = field else { continue };
        // An undeclared name probably means this property: it is reported there.
        let is_meant = || mistaken.iter().any(|word| closest(word, [name.as_str()]).is_some());
        if kind.declarations().iter().any(is_used) || is_meant() {
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
    report.diagnostics
}

fn unknown_in_input<'s>(context: &RuleContext, problem: &'s Problem) -> Option<&'s str> {
    match &problem.kind {
        ProblemKind::UnknownField { name, of, .. } if context.program.types().is_root(of) => {
            Some(name)
        }
        _ => None,
    }
}
