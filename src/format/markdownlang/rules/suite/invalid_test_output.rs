use serde_json::Value;

use crate::declare_rule;
use crate::format::markdownlang::suite::expect::Expect;
use crate::format::markdownlang::suite::{Found, Subject, follow};
use crate::rule::{Fix, Report, Severity};
use crate::schema::{self, Part, pointer};
use crate::suggestion::{closest, did_you_mean};
use crate::template::function::Kinds;
use crate::template::types::Types;
use crate::text::{Edit, Span};

declare_rule! {
    /// A case expects what the program's `output` schema doesn't allow: a value that doesn't
    /// validate, or a JSON Pointer to a field that can't exist. Such a case can't pass.
    ///
    /// A field that the schema doesn't declare, but allows, is only a hint: without
    /// `additionalProperties: false`, an object may have any.
    ///
    /// ````markdown file=greet.md
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text], additionalProperties: false }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    ///
    /// ````yaml bad path=greet.test.yaml
    /// cases:
    ///   - name: by name
    ///     input: { who: Ada }
    ///     expect: { at: { /txt: Hello Ada } }
    /// ````
    ///
    /// ````yaml good path=greet.test.yaml
    /// cases:
    ///   - name: by name
    ///     input: { who: Ada }
    ///     expect: { at: { /text: Hello Ada } }
    /// ````
    pub static RULE = "markdownlang/invalid-test-output", Error, "Expectation doesn't match the output schema";
}

/// The limit of errors reported for one value.
const MOST: usize = 20;

struct Checker<'a, 's> {
    subject: &'a Subject<'s>,
    types: Types,
    /// The schema in messages.
    shown: String,
}

pub fn check(subject: &Subject, report: &mut Report) {
    let Some(program) = subject.program() else { return };
    let Some(output) = program.schema("output") else { return };
    let Ok(compiled) = schema::compile(output) else { return };
    let shown = program.named("output", subject.written.is_file);
    let checker = Checker { subject, types: Types::new(Some(output)), shown };
    for case in &subject.cases.cases {
        if (subject.cx.cancelled)() {
            return;
        }
        if let Some(value) = &case.expect.equals {
            for error in compiled.errors_in_document(value).into_iter().take(MOST) {
                let at = format!("{}/expect/equals{}", case.pointer, error.pointer);
                let span = subject.written.mark(&at, error.part);
                let shown = &checker.shown;
                let message = format!("the output can't be this, by {shown}: {}", error.message);
                report.add(&RULE, span, message);
            }
        }
        checker.parts(&format!("{}/expect", case.pointer), "", &case.expect, report);
    }
}

impl Checker<'_, '_> {
    /// The expectations at JSON Pointers; `base` leads from the output to the value that they are
    /// about.
    fn parts(&self, at: &str, base: &str, expect: &Expect, report: &mut Report) {
        for (place, wanted) in &expect.at {
            let here = pointer::join(&format!("{at}/at"), place);
            let whole = format!("{base}{place}");
            if !place.is_empty() && !place.starts_with('/') {
                continue;
            }
            let steps = pointer::to_path(&whole);
            let before = pointer::to_path(base).len();
            match follow(&self.types, &steps) {
                Found::Unknown => {}
                // `type: object` alone says nothing about the fields.
                Found::NoField { others, is_closed: false, .. } if others.is_empty() => {}
                Found::NoField { step, others, is_closed } => {
                    let name = steps.get(step).map_or("", String::as_str);
                    let meant = closest(name, others.iter().map(String::as_str));
                    let message =
                        format!("`{name}` is not in {}{}", self.shown, did_you_mean(meant));
                    let span = self.subject.written.mark(&here, Part::Key);
                    let (span, exact) = self.step(span, place, step - before.min(step));
                    let finding = report.add(&RULE, span.clone(), message);
                    if !is_closed {
                        finding.severity = Severity::Hint;
                    }
                    if let Some(meant) = meant.filter(|meant| exact && !meant.contains(['/', '~']))
                    {
                        let edit = Edit::replace(span, meant);
                        finding.fix(Fix::suggestion(format!("Replace with `{meant}`"), vec![edit]));
                    }
                }
                Found::NoParts { step } => {
                    let name = steps.get(step).map_or("", String::as_str);
                    let span = self.subject.written.mark(&here, Part::Key);
                    let message = format!(
                        "there is nothing at `{name}`: by {}, the value before it has no parts",
                        self.shown
                    );
                    report.add(&RULE, self.step(span, place, step - before.min(step)).0, message);
                }
                Found::Type(kind) => {
                    // A plain value is the same as `equals` with that value.
                    let plain = wanted.equals.as_ref().map(|value| {
                        let inner = self.subject.written.value(&here);
                        let own = inner.as_ref() == Some(value);
                        (value, if own { here.clone() } else { format!("{here}/equals") })
                    });
                    if let Some((value, at)) = plain {
                        let allowed = self.types.values(&kind);
                        let kinds = self.types.kinds(&kind);
                        let listed = |values: &Vec<&Value>| {
                            values.iter().any(|other| schema::is_equal(other, value))
                        };
                        let why = match allowed.filter(|values| !listed(values)) {
                            Some(values) => {
                                let words: Vec<String> = values
                                    .iter()
                                    .take(8)
                                    .map(|value| format!("`{value}`"))
                                    .collect();
                                Some(format!("`{value}` is not one of {}", words.join(", ")))
                            }
                            None if !kinds.holds(kind_of(value)) => {
                                Some(format!("expected `{}`, found `{value}`", kinds.words()))
                            }
                            None => None,
                        };
                        if let Some(why) = why {
                            let span = self.subject.written.mark(&at, Part::Value);
                            let message =
                                format!("the output can't be this, by {}: {why}", self.shown);
                            report.add(&RULE, span, message);
                        }
                    }
                    self.parts(&here, &whole, wanted, report);
                }
            }
        }
    }

    /// The span of the step with this number in a pointer, and whether it is written without
    /// escapes.
    fn step(&self, span: Span, place: &str, step: usize) -> (Span, bool) {
        let text = self.subject.cx.source.slice(span.clone());
        let Some(start) = text.find(place) else { return (span, false) };
        let mut at = span.start + start;
        for (index, part) in place.split('/').enumerate() {
            if index == step + 1 {
                return (at..at + part.len(), true);
            }
            at += part.len() + 1;
        }
        (span, false)
    }
}

fn kind_of(value: &Value) -> Kinds {
    match value {
        Value::Null => Kinds::NULL,
        Value::Bool(_) => Kinds::BOOLEAN,
        Value::Number(number) if number.as_f64().is_some_and(|number| number.fract() != 0.0) => {
            Kinds::FLOAT
        }
        Value::Number(_) => Kinds::INTEGER,
        Value::String(_) => Kinds::STRING,
        Value::Array(_) => Kinds::LIST,
        Value::Object(_) => Kinds::OBJECT,
    }
}
