//! `agentmd parse`: the content of a file as JSON.

use std::io::Write;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};

use super::input::Input;
use super::{Global, Status, warn};
use crate::config::{Config, Options};
use crate::format::parse::{self, Parse};
use crate::format::plain::rules::UNREADABLE;
use crate::format::{Context, Format, duckflow, plain};
use crate::source::Source;
use crate::world::Disk;

const AUTO: &str = "auto";

/// Errors in the content are part of the answer; they don't change the exit status.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Errors in the content are part of the answer: the exit status is still 0. It is \
        2 if the file can't be read."
)]
pub struct Arguments {
    /// The file to read; `-` is stdin
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    file: PathBuf,
    /// The format; `auto` detects it
    #[arg(long = "as", value_name = "FORMAT", default_value = AUTO, value_parser = formats())]
    format: String,
    /// Print JSON on several lines
    #[arg(long)]
    pretty: bool,
}

fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(std::iter::once(AUTO).chain(parse::all().map(|parse| parse.name)))
}

pub fn run(arguments: &Arguments, global: &Global) -> anyhow::Result<Status> {
    let input = Input::read(&arguments.file)?;
    let source = Source::new(&input.text);
    let config = Config::new(std::env::current_dir()?, Options::default())?;
    let world = Disk::default();
    let cx = Context::new(&source, input.path.as_deref(), &world, &config);
    let (name, reader) = reader(&arguments.format, &cx);
    let mut answer = reader.map_or_else(|| unread(name, &source), |parse| (parse.read)(&cx));
    if let (Some(offset), Some(errors)) =
        (input.broken, answer.get_mut("errors").and_then(Value::as_array_mut))
    {
        let message = format!("invalid UTF-8 at offset {offset}; such bytes are read as U+FFFD");
        // The bytes before it are the same in the text.
        errors.insert(
            0,
            parse::error(
                UNREADABLE.code,
                &message,
                &source,
                &(offset..offset + '\u{fffd}'.len_utf8()),
            ),
        );
    }
    if !global.quiet && reader.is_none() {
        let way = if duckflow::reply::has_markers(&input.text) {
            "; it contains markers of a reply, which `--as duckflow` parses"
        } else if name == plain::FORMAT.name {
            "; `--as` sets the format"
        } else {
            ""
        };
        warn(&format!("{}: `parse` doesn't read {name} files{way}", input.shown));
    }
    let printed = if arguments.pretty {
        serde_json::to_string_pretty(&answer)?
    } else {
        serde_json::to_string(&answer)?
    };
    let mut out = std::io::stdout().lock();
    writeln!(out, "{printed}")?;
    out.flush()?;
    Ok(Status::Fine)
}

/// The name of a document's format, and its parser, if it has one.
fn reader<'a>(wanted: &'a str, cx: &Context) -> (&'a str, Option<&'static Parse>) {
    if wanted != AUTO {
        return (wanted, parse::all().find(|parse| parse.name == wanted));
    }
    let format = Format::of(cx.path, cx.source, cx.config);
    let own = format.parse.as_ref();
    let accepts = || parse::all().find(|parse| (parse.accepts)(cx));
    (format.name, own.or_else(|| accepts().filter(|_| format.name == plain::FORMAT.name)))
}

/// The answer for a document without a parser.
fn unread(name: &str, source: &Source) -> Value {
    let known: Vec<String> = parse::all().map(|parse| format!("`--as {}`", parse.name)).collect();
    let way = match duckflow::reply::has_markers(&source.text().to_string()) {
        true => {
            format!("it contains markers of a reply; use `--as {}`", duckflow::FORMAT.name)
        }
        false if name == plain::FORMAT.name => format!("set the format: {}", known.join(", ")),
        false => format!("`parse` doesn't read {name} files"),
    };
    let message = format!("cannot parse a document detected as `{name}`; {way}");
    json!({ "format": name, "errors": [parse::error("parse/no-reader", &message, source, &source.line_span(0))] })
}
