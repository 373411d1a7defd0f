//! `agentmd parse`: the content of a file as JSON.

use std::io::Write;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};

use super::input::Input;
use super::{Global, Status, warn};
use crate::config::{Config, Options};
use crate::format::plain::rules::UNREADABLE;
use crate::format::{Context, Format, context, duckflow, edits, llmd, markdownlang, plain};
use crate::source::Source;
use crate::world::Disk;

/// Parses documents of one format.
type Reader = fn(&Context) -> Value;

/// The parser of each format: a line adds one.
static READERS: &[(&str, Reader)] = &[
    ("markdownlang", markdownlang::parse::parse),
    ("duckflow", duckflow::parse::parse),
    ("llmd", llmd::parse::parse),
    ("context", context::parse::parse),
    (REPLY, edits::parse::parse),
];
const AUTO: &str = "auto";
const REPLY: &str = "reply";

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
    PossibleValuesParser::new(std::iter::once(AUTO).chain(READERS.iter().map(|(name, _)| *name)))
}

pub fn run(arguments: &Arguments, global: &Global) -> anyhow::Result<Status> {
    let input = Input::read(&arguments.file)?;
    let source = Source::new(&input.text);
    let config = Config::new(std::env::current_dir()?, Options::default())?;
    let world = Disk::default();
    let cx = Context::new(&source, input.path.as_deref(), &world, &config);
    let name = match arguments.format.as_str() {
        AUTO => match Format::of(input.path.as_deref(), &source, &config).name {
            // JSON isn't Markdown, so such a reply isn't detected as a document.
            name if name == plain::FORMAT.name && duckflow::reply::is_json(&input.text) => {
                duckflow::FORMAT.name
            }
            name if name == edits::FORMAT.name
                || name == plain::FORMAT.name && edits::parse::is_reply(&cx) =>
            {
                REPLY
            }
            name => name,
        },
        name => name,
    };
    let reader = READERS.iter().find(|(known, _)| *known == name).map(|(_, reader)| reader);
    let mut answer = reader.map_or_else(|| unread(name, &source), |reader| reader(&cx));
    if let (Some(offset), Some(errors)) =
        (input.broken, answer.get_mut("errors").and_then(Value::as_array_mut))
    {
        let message = format!("invalid UTF-8 at offset {offset}; such bytes are read as U+FFFD");
        // The bytes before it are the same in the text.
        errors.insert(
            0,
            markdownlang::parse::error(
                UNREADABLE.code,
                &message,
                &source,
                &(offset..offset + '\u{fffd}'.len_utf8()),
            ),
        );
    }
    if !global.quiet && reader.is_none() {
        let way = if duckflow::reply::has_markers(&input.text) {
            "it contains markers of a reply, which `--as duckflow` parses"
        } else {
            "`--as` sets the format"
        };
        warn(&format!("{}: cannot parse {name} documents; {way}", input.shown));
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

/// The answer for a document without a parser.
fn unread(name: &str, source: &Source) -> Value {
    let known: Vec<String> = READERS.iter().map(|(name, _)| format!("`--as {name}`")).collect();
    let way = match duckflow::reply::has_markers(&source.text().to_string()) {
        true => {
            format!("it contains markers of a reply; use `--as {}`", duckflow::FORMAT.name)
        }
        false => format!("set the format: {}", known.join(", ")),
    };
    let message = format!("cannot parse a document detected as `{name}`; {way}");
    json!({ "format": name, "errors": [markdownlang::parse::error("parse/no-reader", &message, source, &source.line_span(0))] })
}
