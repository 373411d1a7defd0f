use super::super::RuleContext;
use super::{text_of, weighed};
use crate::declare_rule;
use crate::format::markdownlang::body::Unit;
use crate::rule::{Fix, Report};
use crate::schema::{self, Change, pointer};
use crate::template::check::{Effect, Missing, Problem, ProblemKind};
use crate::template::function::Kinds;
use crate::text::Edit;

declare_rule! {
    /// A value is used that the input may lack: it isn't among the `required` properties, or it may
    /// be null, and no condition checks it.
    ///
    /// If it is missing, the text contains `<no value>`, and functions such as `upper` fail. Inside
    /// `{{ if .nick }}`, `{{ with .nick }}` and the like it is known to exist, and `default` and
    /// `or` replace a missing value.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string }, nick: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}, called {{ .nick }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string }, nick: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}{{ if .nick }}, called {{ .nick }}{{ end }}.
    /// ````
    pub static RULE = "markdownlang/possibly-missing", Hint, "Possibly missing value";
}

pub fn check(context: &RuleContext, unit: &Unit, problem: &Problem, report: &mut Report) {
    let ProblemKind::PossiblyMissing(missing) = &problem.kind else { return };
    if missing.null && missing.effect == Effect::Fails {
        return;
    }
    let finding = report.add(&RULE, unit.absolute(&problem.span), message(missing));
    let place = if missing.null || missing.of.is_none() {
        None
    } else {
        context.program.types().places(&missing.kind).into_iter().next()
    };
    if let Some(place) = place
        && let Some(fix) = require(context, missing, &place)
    {
        finding.fix(fix);
    }
    if let Some(fix) = default(context, unit, missing) {
        finding.fix(fix);
    }
    if let Some(fix) = guard(context, unit, problem, missing) {
        finding.fix(fix);
    }
}

fn message(missing: &Missing) -> String {
    let name = &missing.name;
    let name = if name == "." { "`.`".to_owned() } else { format!("`{name}`") };
    let lack = if missing.null { "may be null" } else { "may be missing" };
    let effect = match missing.effect {
        Effect::NoValue => "`<no value>` is printed",
        Effect::Nil => "`<nil>` is printed",
        Effect::Fails => "rendering fails",
    };
    format!("{name} {lack}, and then {effect}; guard it with `if`, or add a `default`")
}

fn require(context: &RuleContext, missing: &Missing, place: &str) -> Option<Fix> {
    let (properties, name) = pointer::split_last(place)?;
    let (owner, keyword) = properties.rsplit_once('/')?;
    if keyword != "properties" || name != missing.name {
        return None;
    }
    // With several shapes, requiring it in one would leave it missing in the others.
    let of = missing.of.as_ref()?;
    if !context.program.types().is_described_by(of, owner) {
        return None;
    }
    let shape = context.program.schema_value("input")?.pointer(owner)?;
    if schema::required(shape).any(|required| required == name) {
        return None;
    }
    let edits = weighed::suggested(
        context,
        &[Change::Require { pointer: owner.to_owned(), name: name.clone() }],
    )?;
    Some(Fix::suggestion(format!("Require `{name}`"), context.edits(edits)))
}

/// Adds a default of the right kind.
fn default(context: &RuleContext, unit: &Unit, missing: &Missing) -> Option<Fix> {
    let kinds = missing.kind.kinds();
    let constant = match () {
        () if missing.kind.is_unknown() => return None,
        () if kinds.holds(Kinds::STRING) => "\"\"",
        () if !kinds.and(Kinds::NUMBER).is_none() => "0",
        () if kinds.holds(Kinds::BOOLEAN) => "false",
        () => return None,
    };
    let title = format!("Add `default {constant}`");
    let expression = unit.absolute(&missing.expression);
    // A whole output takes a pipe; an argument needs parentheses.
    let edits = match missing.effect {
        Effect::NoValue if missing.expression == missing.path => {
            vec![Edit::insert(expression.end, format!(" | default {constant}"))]
        }
        _ if missing.expression == missing.path => {
            let text = text_of(context, unit, &missing.path);
            vec![Edit::replace(expression, format!("({text} | default {constant})"))]
        }
        _ => return None,
    };
    Some(Fix::suggestion(title, edits))
}

/// Wraps the action in `if`.
fn guard(context: &RuleContext, unit: &Unit, problem: &Problem, missing: &Missing) -> Option<Fix> {
    let action = text_of(context, unit, &problem.action);
    let inside = action.strip_prefix("{{")?.trim_start_matches('-').trim_start();
    let path = text_of(context, unit, &missing.path);
    let printed = missing.effect == Effect::NoValue || missing.effect == Effect::Nil;
    if !printed && !inside.starts_with(path.as_str()) && missing.effect != Effect::Fails
        || is_keyword(inside)
        || path.is_empty()
    {
        return None;
    }
    let span = unit.absolute(&problem.action);
    let left = if action.starts_with("{{-") { "{{- if " } else { "{{ if " };
    let right = if action.ends_with("-}}") { "{{ end -}}" } else { "{{ end }}" };
    let edits =
        vec![Edit::insert(span.start, format!("{left}{path} }}}}")), Edit::insert(span.end, right)];
    Some(Fix::suggestion(format!("Wrap in `{{{{ if {path} }}}}`"), edits))
}

/// The action doesn't print: `if`, `range`, a declaration.
fn is_keyword(inside: &str) -> bool {
    let word = inside.split(|char: char| !char.is_ascii_alphabetic()).next().unwrap_or_default();
    let declares = inside.starts_with('$')
        && inside.split(['|', '(']).next().is_some_and(|start| start.contains('='));
    declares
        || matches!(
            word,
            "if" | "else" | "range" | "with" | "template" | "block" | "define" | "end"
        )
}
