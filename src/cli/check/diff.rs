//! `--fix --diff`: what would change.

use std::io::Write;

use super::fix::Fixed;
use crate::cli::Status;
use crate::text::lines::unified;

/// Prints a unified diff of every changed file.
pub fn print(fixed: &Fixed) -> anyhow::Result<Status> {
    let mut out = std::io::stdout().lock();
    for file in &fixed.files {
        let name = &file.file.shown;
        write!(out, "--- a/{name}\n+++ b/{name}\n{}", unified(&file.old, &file.new))?;
    }
    out.flush()?;
    Ok(if fixed.files.is_empty() { Status::Fine } else { Status::Found })
}
