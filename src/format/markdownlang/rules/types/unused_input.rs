use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::{RuleContext, schema};
use super::{Front, front, groups, judged};
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

/// The results for the latest body, apart from the front matter.
#[derive(Debug)]
pub struct Unread {
    used: Vec<bool>,
    /// The names of the properties that it doesn't read, with their places in the schema.
    fields: Vec<(String, Vec<String>)>,
    /// Undeclared names in the body, and the findings with them.
    found: Option<(Vec<Arc<Mistaken>>, Vec<Diagnostic>)>,
}

/// Undeclared names in a group of units, as fields of the input.
#[derive(Debug, PartialEq, Eq)]
struct Mistaken(BTreeSet<String>);

/// Their dependencies other than the group's analysis.
#[derive(PartialEq)]
struct MistakenKey(Front);

impl Unread {
    fn new(context: &RuleContext, used: Vec<bool>) -> Self {
        let is_used = |declaration: &u32| used.get(*declaration as usize) == Some(&true);
        let types = context.program.types();
        let fields = types.known_fields(&types.root());
        let unread = fields.iter().filter_map(|(name, field)| match field {
            Field::Declared { kind, places, .. } => {
                (!kind.declarations().iter().any(is_used)).then(|| (name.clone(), places.clone()))
            }
            _ => None,
        });
        Self { fields: unread.collect(), used, found: None }
    }
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let program = context.program;
    if !program.has_sound_input() {
        return;
    }
    let checked = program.checked(context.cx.cancelled);
    let Some(used) = checked.used_declarations(&program.body) else { return };
    let mut kept = program.header.unread.lock();
    let unread = match kept.take() {
        Some(known) if known.used == used => known,
        _ => Unread::new(context, used),
    };
    let unread = kept.insert(unread);
    if unread.fields.is_empty() {
        return;
    }
    let mut mistaken: Vec<Arc<Mistaken>> = Vec::new();
    for (_, checked) in groups(context) {
        let names = || {
            let problems = checked.units.iter().flat_map(|unit| judged(context, &unit.checked));
            let names = problems.filter_map(|problem| unknown_in_input(context, problem));
            names.map(str::to_owned).collect()
        };
        let own = checked.memo.get(MistakenKey(front(context)), || Mistaken(names()));
        if !own.0.is_empty() {
            mistaken.push(own);
        }
    }
    let known = unread.found.take().filter(|(known, _)| *known == mistaken);
    let (_, found) = unread.found.insert(known.unwrap_or_else(|| {
        let found = findings(context, &unread.fields, &mistaken);
        (mistaken, found)
    }));
    report.diagnostics.extend(found.iter().cloned());
}

fn findings(
    context: &RuleContext,
    fields: &[(String, Vec<String>)],
    mistaken: &[Arc<Mistaken>],
) -> Vec<Diagnostic> {
    let mut report = Report::default();
    for (name, places) in fields {
        // An undeclared name probably means this property: it is reported there.
        let mut words = mistaken.iter().flat_map(|own| &own.0);
        if words.any(|word| closest(word, [name.as_str()]).is_some()) {
            continue;
        }
        for span in
            places.iter().filter_map(|place| schema::place(context, "input", place, Part::Key))
        {
            let message = format!(
                "`{name}` is never read in the body; use it as `{{{{ .{name} }}}}`, or remove it"
            );
            report.add(&RULE, context.program.absolute(&span), message).unnecessary();
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
