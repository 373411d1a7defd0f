use super::super::RuleContext;
use super::{from_root, inferred, objects, text_of, weighed};
use crate::declare_rule;
use crate::format::markdownlang::body::Unit;
use crate::rule::{Fix, Report};
use crate::schema::Change;
use crate::suggestion::closest;
use crate::template::check::{Problem, ProblemKind, Wanted};
use crate::template::types::Type;
use crate::text::Edit;

declare_rule! {
    /// The body uses a field that the `input` schema doesn't declare.
    ///
    /// If it isn't in the input, the model reads `<no value>`. Objects are assumed to have the
    /// properties that their schema lists; those with `additionalProperties: true`, and those
    /// without a list, may have any. agentmd follows `.` through `range`, `with`, variables and
    /// called templates, and schemas through `$ref`, `allOf`, `anyOf` and `oneOf`.
    ///
    /// Correct the name, declare it, or allow others with `additionalProperties`. Inside `range` and
    /// `with`, `.` is the element or value; `$.name` is a field of the input.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }} and {{ .whom }}.
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
    pub static RULE = "markdownlang/unknown-variable", Warning, "Undeclared field";
}

/// At most this many names are listed in a message.
const MOST_LISTED: usize = 5;

pub fn check(context: &RuleContext, unit: &Unit, problem: &Problem, report: &mut Report) {
    let ProblemKind::UnknownField { name, of, root, wanted } = &problem.kind else { return };
    let fields = context.program.types().known_fields(of);
    let known: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
    let suggestion = closest(name, known.iter().copied());
    let span = unit.absolute(&problem.span);
    if *root && suggestion.is_none() {
        let owner = owner(context, unit, problem, of);
        let message =
            format!("{owner} has no field `{name}`, but the input does; did you mean `$.{name}`?");
        report.add(&RULE, span.clone(), message).fix(from_root(name, &span));
        return;
    }
    let owner = owner(context, unit, problem, of);
    let message = format!("{owner} has no field `{name}`{}", advice(suggestion, &known));
    let finding = report.add(&RULE, span.clone(), message);
    let quoted = is_quoted(context, unit, problem);
    if let Some(suggestion) = suggestion.filter(|suggestion| quoted || is_plain(suggestion)) {
        finding.fix(Fix::suggestion(
            format!("Replace with `{suggestion}`"),
            vec![Edit::replace(span, suggestion)],
        ));
    }
    if let Some(fix) = declare(context, name, of, wanted) {
        finding.fix(fix);
    }
}

/// The object that lacks the field, as the template names it.
fn owner(context: &RuleContext, unit: &Unit, problem: &Problem, of: &Type) -> String {
    if context.program.types().is_root(of) {
        return "`input`".to_owned();
    }
    let before = text_of(context, unit, &(0..problem.span.start));
    let Some(chain) = before.strip_suffix('.') else { return "this object".to_owned() };
    let part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$');
    let name = chain.get(chain.trim_end_matches(part).len()..).unwrap_or_default();
    match name {
        "" if chain.ends_with(')') => "this object".to_owned(),
        "" => "`.`".to_owned(),
        name => format!("`{name}`"),
    }
}

fn advice(suggestion: Option<&str>, known: &[&str]) -> String {
    let listed = known.iter().take(MOST_LISTED).map(|name| format!("`{name}`")).collect::<Vec<_>>();
    match (suggestion, listed.split_last()) {
        (Some(suggestion), _) => format!("; did you mean `{suggestion}`?"),
        (None, None) => ", which has no properties; declare it".to_owned(),
        (None, Some((only, []))) => format!("; the only field is {only}"),
        (None, Some(_)) if known.len() > MOST_LISTED => {
            format!("; its fields include {}", listed.join(", "))
        }
        (None, Some((last, rest))) => format!("; its fields are {} and {last}", rest.join(", ")),
    }
}

/// The name is in quotes, after `index`.
fn is_quoted(context: &RuleContext, unit: &Unit, problem: &Problem) -> bool {
    problem
        .span
        .start
        .checked_sub(1)
        .is_some_and(|before| text_of(context, unit, &(before..problem.span.start)) != ".")
}

/// A name that can follow a dot.
fn is_plain(name: &str) -> bool {
    name.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && name.chars().all(|char| char.is_alphanumeric() || char == '_')
}

/// Adds the property to the schema, with a type inferred from its use, and requires it.
fn declare(context: &RuleContext, name: &str, of: &Type, wanted: &Wanted) -> Option<Fix> {
    let pointer = objects(context, of).into_iter().next()?;
    let everywhere = context.program.checked(context.cx.cancelled);
    let everywhere = everywhere.wanted(context.program.types(), &pointer, name);
    let value = inferred::schema(everywhere.unwrap_or(wanted))?;
    let insert =
        Change::Insert { pointer: format!("{pointer}/properties"), key: name.to_owned(), value };
    let require = Change::Require { pointer, name: name.to_owned() };
    let edits = weighed::suggested(context, &[insert, require])?;
    Some(Fix::suggestion(format!("Declare `{name}` in the input schema"), context.edits(edits)))
}
