//! The prompt of a program as the model would read it, with an input; and an agent file as its
//! clients read it.

use serde_json::Value;

use crate::document::Document;
use crate::format::Context;
use crate::format::markdownlang::{self, FORMAT};
use crate::ide::verdicts::{self, Verdict};
use crate::schema;
use crate::template::{self, render::Limits, types::Types};
use crate::text::Span;

/// A rendered program.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    /// The prompt; `None` if the template can't be rendered.
    pub text: Option<String>,
    pub input: Value,
    /// The input is the program's `sample`.
    pub sample: bool,
    pub problems: Vec<Problem>,
}

/// Why a preview differs from what the model would read, or is incomplete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where in the document; `None` if the input is wrong.
    pub span: Option<Span>,
    pub message: String,
    /// A run would fail.
    pub fails: bool,
}

impl Problem {
    fn new(span: Option<Span>, message: String, fails: bool) -> Self {
        Self { span, message, fails }
    }
}

/// Renders a program with an input, else with its sample, else with an empty object. `None` if the
/// document isn't a program.
pub fn preview(document: &Document, cx: &Context, input: Option<Value>) -> Option<Preview> {
    if document.format().name != FORMAT.name {
        return None;
    }
    let header = markdownlang::header(cx.source);
    let (start, body) = markdownlang::prompt::body(cx.source, &header)?;
    let place = |span: &Span| Some(start + span.start..start + span.end);
    let sample = if input.is_none() { header.sample() } else { None };
    let is_sample = sample.is_some();
    let input = input.or(sample).unwrap_or_else(|| Value::Object(serde_json::Map::new()));

    let template = template::parse(&body, &[]);
    let mut problems: Vec<Problem> = template
        .errors
        .iter()
        .map(|error| Problem::new(place(&error.span), error.message.clone(), true))
        .collect();
    let schema = header.schemas().input.as_ref().map(|schema| &schema.value);
    if let Some(Ok(compiled)) = schema.map(schema::compile) {
        let wrong = compiled.errors(&input).into_iter();
        problems.extend(wrong.map(|error| {
            let message = format!("input{}: {}", error.pointer, error.message);
            Problem::new(None, message, true)
        }));
    }
    let mut text = None;
    if template.errors.is_empty() {
        let typed = Types::new(schema).with_integers(&input);
        match template::render(&template, &body, &typed, &Limits::default()) {
            Ok(rendered) => {
                problems.extend(rendered.missing.iter().map(|span| {
                    let message = "prints `<no value>`: the input has no value for it".to_owned();
                    Problem::new(place(span), message, false)
                }));
                text = Some(rendered.text);
            }
            Err(error) => problems.push(Problem::new(place(&error.span), error.message, true)),
        }
    }
    Some(Preview { text, input, sample: is_sample, problems })
}

/// An agent file as its clients read it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// What follows the front matter.
    pub text: String,
    pub kind: &'static str,
    pub verdicts: Vec<Verdict>,
}

/// How clients read an agent file; `None` for any other document.
pub fn reading(document: &Document, cx: &Context) -> Option<Reading> {
    let (kind, verdicts) = verdicts::verdicts(document, cx)?;
    let start = cx.source.front_matter().map_or(0, |front| front.span.end);
    let text = cx.source.slice(start..cx.source.len()).trim_start_matches(['\r', '\n']).to_owned();
    Some(Reading { text, kind: kind.name(), verdicts })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Preview, preview};
    use crate::config::Config;
    use crate::document::Document;
    use crate::format::Context;
    use crate::world::Memory;

    const PROGRAM: &str = "---\nname: greet\ndescription: Greets\ninput: { type: object, properties: { who: { type: string }, mood: { type: string } }, required: [who] }\noutput: { type: object }\nsample: { who: Ada }\n---\n\nGreet {{ .who }}.{{ with .mood }} Be {{ . }}.{{ end }}\n";

    fn of(text: &str, input: Option<serde_json::Value>) -> Option<Preview> {
        let config = Config::default();
        let document = Document::new(text, None, &config);
        let world = Memory::default();
        preview(&document, &Context::new(document.source(), None, &world, &config), input)
    }

    #[test]
    fn a_program_is_shown_with_its_sample_or_the_given_input() {
        let shown = of(PROGRAM, None).unwrap();
        assert_eq!((shown.text.as_deref(), shown.sample), (Some("Greet Ada.\n"), true));
        assert_eq!(shown.problems, []);
        let shown = of(PROGRAM, Some(json!({ "who": "Bo", "mood": "brief" }))).unwrap();
        assert_eq!((shown.text.as_deref(), shown.sample), (Some("Greet Bo. Be brief.\n"), false));
    }

    #[test]
    fn problems_are_listed_with_their_places() {
        let shown = of(PROGRAM, Some(json!({}))).unwrap();
        let problems: Vec<_> = shown.problems.iter().map(|one| (&one.span, one.fails)).collect();
        let at = PROGRAM.find(".who").unwrap();
        // The input doesn't match the schema, and the prompt has a gap.
        assert_eq!(problems, [(&None, true), (&Some(at..at + 4), false)]);
        assert_eq!(shown.text.as_deref(), Some("Greet <no value>.\n"));
        let broken = PROGRAM.replace("{{ end }}", "");
        let shown = of(&broken, None).unwrap();
        assert_eq!(shown.text, None);
        assert!(shown.problems.iter().any(|one| one.fails && one.span.is_some()));
        assert_eq!(of("# No program\n", None), None);
    }
}
