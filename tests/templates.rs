//! Templates render as in Go, except for the improvements listed in `docs/render.md`. The cases
//! come from `scripts/templates.sh`; `GO_TEMPLATES` names a file with others.

use agentmd::template::render::Limits;
use agentmd::template::{parse, render};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Case {
    template: String,
    input: Value,
    /// Go's output; `None` if it failed.
    text: Option<String>,
    #[serde(default)]
    error: String,
}

#[test]
fn mdl_13_random_templates_render_as_in_go() {
    let known = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/templates/go.jsonl");
    let path = std::env::var("GO_TEMPLATES").unwrap_or_else(|_| known.to_owned());
    let text = std::fs::read_to_string(path).unwrap();
    let (mut count, mut differences) = (0, Vec::new());
    for line in text.lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let template = parse(&case.template, &[]);
        let found = render(&template, &case.template, &case.input, &Limits::default());
        count += 1;
        let same = match (&found, &case.text) {
            (Ok(found), Some(text)) => found.text == *text,
            // Go reports this only when execution reaches it.
            (Err(error), Some(_)) => error.message.starts_with("undefined variable"),
            (found, text) => found.is_err() && text.is_none(),
        };
        if !same {
            let found = found.map(|found| found.text).map_err(|error| error.message);
            differences.push(format!(
                "{:?}\n  over {}\n  Go:   {:?} {}\n  ours: {found:?}",
                case.template, case.input, case.text, case.error
            ));
        }
    }
    assert!(count >= 1000, "{count} cases are too few");
    let shown = differences.iter().take(25).cloned().collect::<Vec<_>>().join("\n");
    assert!(differences.is_empty(), "{} of {count} differ:\n{shown}", differences.len());
}
