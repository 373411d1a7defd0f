//! `agentmd agree`: accepts the agreement that `agentmd run` asks for.

use std::io::{BufRead, Read, Write};
use std::path::PathBuf;

use anyhow::Context;

use super::{Status, complain};
use crate::run::agreement;

/// The limit of a typed line.
const LONGEST_LINE: u64 = 4_096;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Shows one of sixteen phrases and reads it from stdin. The phrase must match \
        exactly; acceptance is recorded in `.markdownlang-agreement.json` in your home folder. \
        Exit status: 1 if the text doesn't match."
)]
pub struct Arguments {}

pub fn run(Arguments {}: &Arguments) -> anyhow::Result<Status> {
    let home = home()?;
    let index = agreement::draw();
    let phrase = agreement::PHRASES.get(index).copied().unwrap_or_default();
    let mut out = std::io::stdout().lock();
    write!(
        out,
        "markdownlang Trans Rights Agreement\n\nBefore using markdownlang, you must agree to the following:\n\n"
    )?;
    write!(out, "{phrase}\n\nType the above phrase exactly to accept: ")?;
    out.flush()?;
    let mut typed = String::new();
    let read = std::io::stdin().lock().take(LONGEST_LINE).read_line(&mut typed);
    if let Err(error) = read
        && error.kind() != std::io::ErrorKind::InvalidData
    {
        return Err(error).context("cannot read <stdin>");
    }
    writeln!(out)?;
    if !agreement::is_accepted(index, &typed) {
        complain("the text does not match the phrase; nothing was accepted");
        return Ok(Status::Found);
    }
    agreement::accept(&home, index)
        .with_context(|| format!("cannot write {}", agreement::file(&home).display()))?;
    writeln!(out, "Agreement accepted. You can now use markdownlang.")?;
    Ok(Status::Fine)
}

/// The user's home folder.
pub fn home() -> anyhow::Result<PathBuf> {
    let name = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    let home = std::env::var_os(name).filter(|home| !home.is_empty());
    home.map(PathBuf::from)
        .with_context(|| format!("{name} is not set; it names the folder of the agreement file"))
}
