//! `agentmd convert`: converts other files to agent markdown, and agent files of one client to
//! those of another.

mod agents;
pub mod bundle;
mod formats;

use std::path::PathBuf;

use clap::ValueEnum;

use super::{Global, Status};
use crate::format::agent::convert;
use crate::suggestion::{closest, did_you_mean};

pub use agents::write_below;

#[derive(Debug, clap::Args)]
#[command(after_help = "KIND is the name of a client and what it reads: `claude-agent`, \
                        `copilot-prompt`, `cursor-rule`, `gemini-command`, `codex-skill`. \
                        Files are written to that client's place next to the file that is \
                        converted.\n\nFormats are printed: `markdownlang`, a program from a skill; \
                        `duckflow`, a reply with markers from JSON; `json`, from a Duckflow reply.")]
pub struct Arguments {
    /// The files and folders to convert; `-` is stdin
    #[arg(required = true, value_name = "FILE", value_hint = clap::ValueHint::AnyPath)]
    files: Vec<PathBuf>,
    /// What to convert to: a kind of agent file, or a format
    #[arg(long, value_name = "KIND")]
    to: String,
    /// The client, if KIND doesn't name it
    #[arg(long = "for", value_name = "CLIENT")]
    client: Option<String>,
    /// The kind of the files, if their paths don't tell: `claude-agent`
    #[arg(long, value_name = "KIND")]
    from: Option<String>,
    /// Write to this file; `-` is stdout
    #[arg(long, short, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Print what would change, as a diff
    #[arg(long)]
    dry_run: bool,
    /// Replace existing files
    #[arg(long)]
    force: bool,
    /// Write what can be converted, even if other files can't
    #[arg(long)]
    partial: bool,
    /// The format of the answer
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The files that were written, and what was dropped
    #[default]
    Human,
    /// One JSON object
    Json,
}

pub fn run(arguments: &Arguments, global: &Global) -> anyhow::Result<Status> {
    if let Some(target) = formats::Target::named(&arguments.to) {
        return formats::run(arguments, target, global);
    }
    let to = convert::named(&arguments.to, arguments.client.as_deref()).map_err(|error| {
        let formats = formats::Target::NAMES;
        let near = closest(&arguments.to, formats.iter().copied());
        let far = !error.to_string().contains("did you mean");
        match near {
            Some(_) => anyhow::anyhow!("unknown kind `{}`{}", arguments.to, did_you_mean(near)),
            None if far => anyhow::anyhow!("{error}; or a format: {}", formats.join(", ")),
            None => error.into(),
        }
    })?;
    agents::run(arguments, to, global)
}
