//! `--fix --diff`: what would change.

use std::io::Write;

use similar::TextDiff;

use super::fix::Fixed;
use crate::cli::Status;

/// Prints a unified diff of every changed file.
pub fn print(fixed: &Fixed) -> anyhow::Result<Status> {
    let mut out = std::io::stdout().lock();
    for file in &fixed.files {
        let name = &file.file.shown;
        let diff = TextDiff::from_lines(file.old.as_str(), file.new.as_str());
        write!(out, "{}", diff.unified_diff().header(&format!("a/{name}"), &format!("b/{name}")))?;
    }
    out.flush()?;
    Ok(if fixed.files.is_empty() { Status::Fine } else { Status::Found })
}
