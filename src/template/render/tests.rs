mod golden;
mod improvements;
mod laws;
mod limits;
mod printing;
mod statements;

use serde_json::Value;

use super::{Limits, Rendered, render};
use crate::template::parse;

/// The output of a template, or the message.
fn attempt(template: &str, input: &Value) -> Result<String, String> {
    render(&parse(template, &[]), template, input, &Limits::default())
        .map(|rendered| rendered.text)
        .map_err(|error| error.message)
}

/// The output of a template for an input in JSON.
#[track_caller]
fn check(template: &str, input: &str, expected: &str) {
    let input = serde_json::from_str(input).unwrap();
    assert_eq!(attempt(template, &input).as_deref(), Ok(expected), "{template}");
}

/// A message and the text it marks.
#[track_caller]
fn refuse(template: &str, input: &str, place: &str, message: &str) {
    let input = serde_json::from_str(input).unwrap();
    let error =
        render(&parse(template, &[]), template, &input, &Limits::default()).expect_err(template);
    assert_eq!((&template[error.span], error.message.as_str()), (place, message), "{template}");
}

#[track_caller]
fn rendered(template: &str, input: &str) -> Rendered {
    render(
        &parse(template, &[]),
        template,
        &serde_json::from_str(input).unwrap(),
        &Limits::default(),
    )
    .expect(template)
}
