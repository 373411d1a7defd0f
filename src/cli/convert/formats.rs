//! Other formats: a skill becomes a program, JSON a Duckflow reply, and the reverse.

use std::io::Write;
use std::path::Path;

use anyhow::Context;

use super::{Arguments, Format};
use crate::cli::input::Input;
use crate::cli::write::{folder_exists, write_atomically};
use crate::cli::{Global, Status, complain, note};
use crate::format::duckflow::write;
use crate::format::markdownlang;
use crate::source::Source;
use crate::text;
use crate::world::Disk;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A markdownlang program, from a skill (`SKILL.md`)
    Markdownlang,
    /// A Duckflow reply with markers, from JSON or from one with unordered markers
    Duckflow,
    /// JSON, from a Duckflow reply
    Json,
}

impl Target {
    pub const NAMES: &[&str] = &["markdownlang", "duckflow", "json"];

    pub fn named(name: &str) -> Option<Self> {
        match name {
            "markdownlang" => Some(Self::Markdownlang),
            "duckflow" => Some(Self::Duckflow),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

/// Converts one file, and prints it unless the call names an output file.
pub fn run(arguments: &Arguments, to: Target, global: &Global) -> anyhow::Result<Status> {
    let [file] = arguments.files.as_slice() else {
        anyhow::bail!("`--to {}` converts one file at a time", arguments.to);
    };
    let agents = [
        (arguments.dry_run, "--dry-run"),
        (arguments.partial, "--partial"),
        (arguments.from.is_some(), "--from"),
        (arguments.client.is_some(), "--for"),
        (arguments.format == Format::Json, "--format json"),
    ];
    if let Some((_, option)) = agents.into_iter().find(|(given, _)| *given) {
        anyhow::bail!("`{option}` is only for agent files, not for `--to {}`", arguments.to);
    }
    anyhow::ensure!(!arguments.force || arguments.output.is_some(), "`--force` needs `--output`");
    let output = arguments.output.as_ref().filter(|path| path.as_os_str() != "-");
    let input = Input::read(file)?;
    if let Some(offset) = input.broken {
        anyhow::bail!("{} is not UTF-8: invalid byte at offset {offset}", input.shown);
    }
    let target = output.map(std::path::absolute).transpose()?;
    let converted = match to {
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
    match (output, &target) {
        (Some(shown), Some(path)) => {
            // Broken links count as well.
            if path.symlink_metadata().is_ok() && !arguments.force {
                complain(&format!("{} exists; `--force` replaces it", shown.display()));
                return Ok(Status::Found);
            }
            folder_exists(shown)?;
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
