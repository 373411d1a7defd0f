//! `agentmd manual`: manual pages, for archives and packages.

use std::path::PathBuf;

use anyhow::Context;
use clap::CommandFactory;

use super::{Cli, Status};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The folder; created if missing
    folder: PathBuf,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Status> {
    let place = || arguments.folder.display().to_string();
    std::fs::create_dir_all(&arguments.folder).with_context(place)?;
    clap_mangen::generate_to(Cli::command(), &arguments.folder).with_context(place)?;
    Ok(Status::Fine)
}
