//! Rendering any template with any input ends within its limits, and every span is in the text, on
//! character boundaries.

use agentmd::template::parse;
use agentmd::template::render::{Limits, render};

use super::Input;

pub fn run(input: &mut Input) {
    let (text, json) = (input.text(), input.text());
    let input = serde_json::from_str(&json).unwrap_or(serde_json::Value::Null);
    let limits = Limits { output: 1 << 20, memory: 4 << 20, steps: 200_000, cancelled: &|| false };
    match render(&parse(&text, &[]), &text, &input, &limits) {
        Ok(rendered) => {
            assert!(rendered.text.len() <= limits.output);
            assert!(rendered.missing.iter().all(|span| text.get(span.clone()).is_some()));
        }
        Err(error) => assert!(text.get(error.span).is_some() && !error.message.is_empty()),
    }
}
