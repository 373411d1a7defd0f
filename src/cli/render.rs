//! `agentmd render`: the body of a program rendered with an input, as the model would see it.

mod watch;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::Value;

use super::input::{Input, program_input};
use super::{Global, Status, complain, warn};
use crate::format::markdownlang::{self, program::Header};
use crate::schema;
use crate::source::Source;
use crate::template::{self, render::Limits, types::Types};
use crate::text::{Encoding, Span};
use crate::yaml;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "The body begins after the closing `---` and an optional blank line; the rest is \
        rendered without additions or omissions.\n\nThe input is checked against the program's \
        `input` schema first. Exit status: 1 if it doesn't match, or if the template can't be \
        rendered."
)]
pub struct Arguments {
    /// The markdownlang program; `-` is stdin
    #[arg(value_name = "PROGRAM", value_hint = clap::ValueHint::FilePath)]
    program: PathBuf,
    /// The input [default: `{}`]
    #[arg(long, value_name = "JSON", conflicts_with = "input_file", allow_negative_numbers = true)]
    input: Option<String>,
    /// The file with the input; `-` is stdin
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    input_file: Option<PathBuf>,
    /// Without an input, use the `sample` of the program
    #[arg(long)]
    sample: bool,
    /// Render again whenever the program or the input file changes, until interrupted
    #[arg(long)]
    watch: bool,
}

pub fn run(arguments: &Arguments, global: &Global) -> anyhow::Result<Status> {
    let twice =
        is_stdin(&arguments.program) && arguments.input_file.as_deref().is_some_and(is_stdin);
    anyhow::ensure!(!twice, "stdin can't be both the program and the input");
    if arguments.watch {
        return watch::watch(arguments, global);
    }
    once(arguments, global)
}

fn once(arguments: &Arguments, global: &Global) -> anyhow::Result<Status> {
    let file = File::read(&arguments.program)?;
    let given = program_input(arguments.input.as_deref(), arguments.input_file.as_deref())?;

    let program = markdownlang::header(&file.source);
    let input = match given {
        Some(input) => input,
        None if arguments.sample => program
            .sample()
            .with_context(|| format!("{} has no `sample` in its front matter", file.shown))?,
        // No input means an empty object, as in the original.
        None => Value::Object(serde_json::Map::new()),
    };
    let no_program = "not a markdownlang program; a program begins with front matter that has \
        `name`, `description`, `input` and `output`";
    let (start, body) = markdownlang::prompt::body(&file.source, &program)
        .with_context(|| format!("{}: {no_program}", file.shown))?;
    anyhow::ensure!(
        ["input", "output"].iter().any(|field| program.entry(field).is_some()),
        "{}: {no_program}",
        file.shown
    );
    if !program.tree().errors.is_empty() && !global.quiet {
        warn(&format!(
            "{}: the front matter has YAML errors; run `agentmd check` for details",
            file.shown
        ));
    }

    let template = template::parse(&body, &[]);
    let mut fine = true;
    for error in &template.errors {
        fine = false;
        complain(
            &file.message(&(start + error.span.start..start + error.span.end), &error.message),
        );
    }
    fine &= fits(&program, &file, &input, global);
    if !fine {
        return Ok(Status::Found);
    }

    let schema = program.schemas().input.as_ref().map(|schema| &schema.value);
    let input = Types::new(schema).with_integers(&input);
    let rendered = match template::render(&template, &body, &input, &Limits::default()) {
        Ok(rendered) => rendered,
        Err(error) => {
            complain(
                &file.message(&(start + error.span.start..start + error.span.end), &error.message),
            );
            return Ok(Status::Found);
        }
    };
    for span in rendered.missing.iter().filter(|_| !global.quiet) {
        let message = format!(
            "`{}` prints `<no value>`: the input has no value for it",
            brief(body.get(span.clone()).unwrap_or(""))
        );
        warn(&file.message(&(start + span.start..start + span.end), &message));
    }
    let mut out = std::io::stdout().lock();
    out.write_all(rendered.text.as_bytes())?;
    out.flush()?;
    Ok(Status::Fine)
}

/// A pipeline in one line, truncated if it's long.
fn brief(pipeline: &str) -> String {
    let line = pipeline.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or("")),
        None => line,
    }
}

/// Whether the input matches the program's schema; reports errors.
fn fits(program: &Header, file: &File, input: &Value, global: &Global) -> bool {
    let Some(entry) = program.entry("input") else {
        if !global.quiet {
            warn(&format!(
                "{}: the program has no `input` schema, so the input is not checked",
                file.shown
            ));
        }
        return true;
    };
    let Some(schema) = &program.schemas().input else {
        complain(&file.message(
            &program.absolute(&entry.value.span),
            "`input` is not a valid JSON Schema; run `agentmd check` for details",
        ));
        return false;
    };
    match schema::compile(&schema.value) {
        Err(errors) => {
            let anchors = program.tree().anchors();
            for error in errors {
                let target = yaml::locate(&entry.value, &error.pointer, &anchors);
                let span = target
                    .map_or(entry.key.span.clone(), |target| target.key.unwrap_or(target.value));
                complain(&file.message(
                    &program.absolute(&span),
                    &format!("the `input` schema is not valid: {}", error.message),
                ));
            }
            false
        }
        Ok(compiled) => {
            let errors = compiled.errors(input);
            for error in &errors {
                complain(&format!("input{}: {}", error.pointer, error.message));
            }
            errors.is_empty()
        }
    }
}

/// A program's text and its name for messages.
struct File {
    shown: String,
    source: Source,
}

impl File {
    fn read(path: &Path) -> anyhow::Result<Self> {
        let input = Input::read_utf8(path)?;
        Ok(Self { source: Source::new(&input.text), shown: input.shown })
    }

    /// `file:line:column: message`, counted from 1, in characters.
    fn message(&self, span: &Span, message: &str) -> String {
        let position = self.source.position(span.start, Encoding::Utf32);
        format!("{}:{}:{}: {message}", self.shown, position.line + 1, position.column + 1)
    }
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}
