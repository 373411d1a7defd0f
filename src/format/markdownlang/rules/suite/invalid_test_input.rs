use serde_json::json;

use crate::declare_rule;
use crate::format::markdownlang::suite::Subject;
use crate::rule::Report;
use crate::schema::{self, Part};

declare_rule! {
    /// The input of a case doesn't validate against the program's `input` schema, so the run ends
    /// before it calls a model. A case that expects an `error` isn't reported.
    ///
    /// ````markdown file=greet.md
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    ///
    /// ````yaml bad path=greet.test.yaml
    /// cases:
    ///   - name: by number
    ///     input: { who: 3 }
    ///     expect: { contains: "3" }
    /// ````
    ///
    /// ````yaml good path=greet.test.yaml
    /// cases:
    ///   - name: by number
    ///     input: { who: "3" }
    ///     expect: { contains: "3" }
    ///
    ///   - name: a number is no name
    ///     input: { who: 3 }
    ///     expect: { error: the input does not match }
    /// ````
    pub static RULE = "markdownlang/invalid-test-input", Error, "Test input doesn't match the input schema";
}

/// The limit of errors reported for one input.
const MOST: usize = 20;

pub fn check(subject: &Subject, report: &mut Report) {
    let Some(program) = subject.program() else { return };
    let Some(Ok(input)) = program.schema("input").map(schema::compile) else { return };
    let shown = program.named("input", subject.written.is_file);
    let sample = program.header.sample();
    for case in subject.cases.cases.iter().filter(|case| case.expect.error.is_none()) {
        if (subject.cx.cancelled)() {
            return;
        }
        match (&case.input, &sample) {
            (Some(value), _) => {
                for error in input.errors_in_document(value).into_iter().take(MOST) {
                    let at = format!("{}/input{}", case.pointer, error.pointer);
                    let span = subject.written.mark(&at, error.part);
                    let message = format!("the input doesn't match {shown}: {}", error.message);
                    report.add(&RULE, span, message);
                }
            }
            // `invalid-sample` checks the sample.
            (None, Some(_)) => {}
            (None, None) if input.may_allow(&json!({})) => {}
            (None, None) => {
                let at = format!("{}/name", case.pointer);
                let message = format!(
                    "the case has no `input`, and the program no `sample`: `{{}}` doesn't match {shown}"
                );
                report.add(&RULE, subject.written.mark(&at, Part::Value), message);
            }
        }
    }
}
