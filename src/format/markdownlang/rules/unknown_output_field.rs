use std::collections::BTreeSet;

use serde_json::Value;

use super::super::Program;
use super::super::body::{PlacedGroup, Unit};
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::{closest, did_you_mean_or};
use crate::text::{Edit, Span};

declare_rule! {
    /// The body asks for an output field that the `output` schema doesn't have.
    ///
    /// The model follows the schema, so it leaves the field out or its reply is refused. Declare the
    /// field in `output`, or correct its name. Only names in backticks or quotes that the sentence
    /// calls a field, key or property of the result are checked.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}. Return a JSON object with the fields `text` and `tone`.
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
    /// Greet {{ .who }}. Return a JSON object with the field `text`.
    /// ````
    pub static RULE = "markdownlang/unknown-output-field", Warning, "Undeclared output field";
}

/// Words for parts of an object.
const PARTS: [&str; 6] = ["field", "fields", "key", "keys", "property", "properties"];
/// Words that may name a field if the sentence is about JSON.
const KINDS: [&str; 7] = ["array", "list", "object", "string", "number", "boolean", "flag"];
/// Words that make a sentence an instruction about the result.
const VERBS: [&str; 8] =
    ["return", "returns", "output", "outputs", "respond", "reply", "produce", "answer"];
/// Words that may turn a sentence into its opposite, or change its subject.
const DOUBTS: [&str; 12] = [
    "not", "no", "never", "without", "don't", "doesn't", "input", "tool", "call", "from", "if",
    "omit",
];

/// A name, relative to its unit.
#[derive(Debug)]
pub struct Named {
    name: String,
    span: Span,
}

/// The fields of the output and of the input, as far as the front matter declares them.
#[derive(Debug, Default)]
pub struct Fields {
    output: BTreeSet<String>,
    input: BTreeSet<String>,
}

impl Fields {
    /// `None` if the output may have other fields.
    fn read(program: &Program) -> Option<Self> {
        let (mut output, mut input) = (BTreeSet::new(), BTreeSet::new());
        if !lists_fields(program.schema_value("output")?, &mut output) || output.is_empty() {
            return None;
        }
        if let Some(schema) = program.schema_value("input") {
            lists_fields(schema, &mut input);
        }
        let own = |names: BTreeSet<&str>| names.into_iter().map(str::to_owned).collect();
        Some(Self { output: own(output), input: own(input) })
    }

    fn declare(&self, name: &str) -> bool {
        self.output.contains(name) || self.input.contains(name)
    }
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let known = context.program.header.listed.get_or_init(|| Fields::read(context.program));
    let Some(known) = known else { return };
    let names_nothing = |unit: &Unit| {
        unit.named.get_or_init(|| names(unit, &context.cx.source.slice(unit.span()))).is_empty()
    };
    let groups = context.program.body.groups().iter().filter(|group| {
        *group.names_output.get_or_init(|| !group.units().all(|unit| names_nothing(&unit)))
    });
    for unit in groups.flat_map(PlacedGroup::units) {
        let Some(named) = unit.named.get() else { continue };
        for Named { name, span } in named.iter().filter(|named| !known.declare(&named.name)) {
            let meant = closest(name.as_str(), known.output.iter().map(String::as_str));
            let advice = did_you_mean_or(meant, "declare it");
            let span = unit.absolute(span);
            let message = format!("`{name}` is not in the `output` schema{advice}");
            let finding = report.add(&RULE, span.clone(), message);
            if let Some(meant) = meant {
                let edit = Edit::replace(span, meant);
                finding.fix(Fix::suggestion(format!("Replace with `{meant}`"), vec![edit]));
            }
        }
    }
}

/// Collects the names of all properties in a schema. `false` if it allows others somewhere.
fn lists_fields<'v>(schema: &'v Value, names: &mut BTreeSet<&'v str>) -> bool {
    match schema {
        Value::Object(entries) => {
            if let Some(Value::Object(properties)) = entries.get("properties") {
                names.extend(properties.keys().map(String::as_str));
            }
            let open = ["additionalProperties", "unevaluatedProperties", "patternProperties"]
                .iter()
                .filter_map(|keyword| entries.get(*keyword))
                .any(|value| *value != Value::Bool(false));
            all_list_fields(entries.values(), names) && !open
        }
        Value::Array(items) => all_list_fields(items.iter(), names),
        _ => true,
    }
}

/// Visits every schema, so that all names are collected.
fn all_list_fields<'v>(
    schemas: impl Iterator<Item = &'v Value>,
    names: &mut BTreeSet<&'v str>,
) -> bool {
    let mut all = true;
    for schema in schemas {
        all &= lists_fields(schema, names);
    }
    all
}

/// The names that `text` calls fields of the result.
fn names(unit: &Unit, text: &str) -> Vec<Named> {
    let mut found = Vec::new();
    let (mut start, mut fenced) = (0, false);
    for line in text.split_inclusive(['\n', '\r']) {
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            fenced = !fenced;
        } else if !fenced {
            let mut at = start;
            for sentence in line.split_inclusive(". ") {
                let named = of_sentence(sentence, at);
                if !named.is_empty() {
                    let actions = unit.template.actions(&(at..at + sentence.len()));
                    let outside = |span: &Span| {
                        actions.iter().all(|action| {
                            span.end <= action.span.start || action.span.end <= span.start
                        })
                    };
                    found.extend(named.into_iter().filter(|one| outside(&one.span)));
                }
                at += sentence.len();
            }
        }
        start += line.len();
    }
    found
}

fn of_sentence(sentence: &str, start: usize) -> Vec<Named> {
    // Most sentences don't name anything.
    if !sentence.contains(['`', '"']) {
        return Vec::new();
    }
    let words = |text: &str| -> Vec<String> {
        text.split(|char: char| !char.is_alphanumeric() && char != '\'')
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    let all = words(sentence);
    let has = |list: &[&str]| all.iter().any(|word| list.contains(&word.as_str()));
    if !has(&VERBS) || has(&DOUBTS) {
        return Vec::new();
    }
    let json = all.iter().any(|word| word == "json");
    let mut found = Vec::new();
    for run in runs(sentence) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        let before = words(sentence.get(..first.start - 1).unwrap_or_default());
        let after = words(sentence.get(last.end + 1..).unwrap_or_default());
        let mut before = before.iter().rev().skip_while(|word| {
            ["named", "called", "the", "a", "an", "with"].contains(&word.as_str())
        });
        let is_part =
            |word: Option<&String>| word.is_some_and(|word| PARTS.contains(&word.as_str()));
        let touches = sentence.get(last.end + 1..).is_some_and(|rest| rest.starts_with(' '));
        let kind =
            json && touches && after.first().is_some_and(|word| KINDS.contains(&word.as_str()));
        if is_part(before.next()) || touches && is_part(after.first()) || kind {
            found.extend(run.iter().filter_map(|span| {
                let name = sentence.get(span.clone())?.to_owned();
                Some(Named { name, span: start + span.start..start + span.end })
            }));
        }
    }
    found
}

/// Names in backticks or quotes, with commas or `and` between them.
fn runs(sentence: &str) -> Vec<Vec<Span>> {
    let mut runs: Vec<Vec<Span>> = Vec::new();
    let mut at = 0;
    while let Some(open) = sentence.get(at..).and_then(|rest| rest.find(['`', '"'])) {
        let open = at + open;
        let rest = sentence.get(open + 1..).unwrap_or_default();
        let mark = sentence.get(open..open + 1).unwrap_or_default();
        let Some(length) = rest.find(mark) else { break };
        let span = open + 1..open + 1 + length;
        let text = rest.get(..length).unwrap_or_default();
        let is_name = text.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && text.chars().all(|char| char.is_alphanumeric() || char == '_');
        if is_name {
            let between = |last: &Span| sentence.get(last.end + 1..open).unwrap_or_default().trim();
            let joins = |last: &Span| [",", "and", ", and", "or"].contains(&between(last));
            match runs.last_mut().filter(|run| run.last().is_some_and(joins)) {
                Some(run) => run.push(span.clone()),
                None => runs.push(vec![span.clone()]),
            }
        }
        at = span.end + 1;
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_fields_of_the_result_are_named() {
        let names = |sentence: &str| {
            of_sentence(sentence, 0).into_iter().map(|named| named.name).collect::<Vec<_>>()
        };
        assert_eq!(names("Return the fields `a`, `b`, and `c`."), ["a", "b", "c"]);
        assert_eq!(names("Return a JSON object with a \"results\" array of strings."), ["results"]);
        assert_eq!(names("Output JSON with a `mean` property and a `sum` key"), ["mean", "sum"]);
        assert_eq!(names("Return an object with a field called `é_日`"), ["é_日"]);
        assert!(names("Return the `items` list in order.").is_empty());
        assert!(names("The `name` field of a user is secret.").is_empty());
        assert!(names("Do not return a `debug` field.").is_empty());
        assert!(names("Return the `id` field from the input.").is_empty());
        assert!(names("Return `a b` key, `x-y` key, ` key and \"open key").is_empty());
    }
}
