//! `agentmd convert`: converts other files to agent markdown.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ValueEnum;

use super::input::Input;
use super::write::write_atomically;
use super::{Global, Status, complain, note};
use crate::format::duckflow::write;
use crate::format::markdownlang;
use crate::source::Source;
use crate::text;
use crate::world::Disk;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The file to convert; `-` is stdin
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    file: PathBuf,
    /// The output format
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Target,
    /// Write to this file instead of stdout; imports are relative to it
    #[arg(long, short, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Replace an existing output file
    #[arg(long, requires = "output")]
    force: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Target {
    /// A markdownlang program, from a skill (`SKILL.md`)
    Markdownlang,
    /// A Duckflow reply with markers, from JSON or from one with unordered markers
    Duckflow,
    /// JSON, from a Duckflow reply
    Json,
}

pub fn run(arguments: &Arguments, global: &Global) -> anyhow::Result<Status> {
    let input = Input::read(&arguments.file)?;
    if let Some(offset) = input.broken {
        anyhow::bail!("{} is not UTF-8: invalid byte at offset {offset}", input.shown);
    }
    let target = arguments.output.as_ref().map(std::path::absolute).transpose()?;
    let converted = match arguments.to {
        Target::Markdownlang => program(&input, target.as_deref()),
        Target::Duckflow => reply(&input, write::Target::Markers),
        Target::Json => reply(&input, write::Target::Json),
    };
    let (text, notes) = match converted {
        Ok(converted) => converted,
        Err(message) => {
            complain(&format!("{}: {message}", input.shown));
            return Ok(Status::Found);
        }
    };
    match (&arguments.output, &target) {
        (Some(shown), Some(path)) => {
            // Broken links count as well.
            if path.symlink_metadata().is_ok() && !arguments.force {
                complain(&format!("{} exists; `--force` replaces it", shown.display()));
                return Ok(Status::Found);
            }
            write_atomically(path, &text)
                .with_context(|| format!("cannot write {}", shown.display()))?;
        }
        _ => {
            let mut out = std::io::stdout().lock();
            out.write_all(text.as_bytes())?;
            out.flush()?;
        }
    }
    if !global.quiet {
        notes.iter().for_each(|said| note(said));
    }
    Ok(Status::Fine)
}

/// The result of a conversion with warnings, or the reason for its failure.
type Converted = Result<(String, Vec<String>), String>;

fn program(input: &Input, target: Option<&Path>) -> Converted {
    let converted = markdownlang::convert::convert(
        &Source::new(&input.text),
        input.path.as_deref(),
        target,
        &Disk::default(),
    )?;
    let text = text::apply(&input.text, &converted.edits).map_err(|error| error.to_string())?;
    Ok((text, converted.notes))
}

fn reply(input: &Input, target: write::Target) -> Converted {
    write::convert(&input.text, target)
}
