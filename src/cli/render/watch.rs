//! `--watch`: renders again when a file changes.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{Arguments, is_stdin, once};
use crate::cli::{Global, Status, complain, is_broken_pipe, note};

/// How often the files are checked.
const PAUSE: Duration = Duration::from_millis(150);

/// Differs after the file has changed.
type Stamp = Option<(SystemTime, u64)>;

fn stamp(path: &Path) -> Stamp {
    let data = std::fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}

/// Renders now and after every change. Errors are shown, and don't end the watch.
///
/// # Errors
/// If an input is stdin, or the output is closed.
pub fn watch(arguments: &Arguments, global: &Global) -> anyhow::Result<Status> {
    let files: Vec<&PathBuf> =
        std::iter::once(&arguments.program).chain(&arguments.input_file).collect();
    anyhow::ensure!(
        !files.iter().any(|path| is_stdin(path)),
        "`--watch` can't watch stdin; name a file"
    );
    let terminal = std::io::stdout().is_terminal();
    let mut seen: Option<Vec<Stamp>> = None;
    loop {
        let now: Vec<Stamp> = files.iter().map(|path| stamp(path)).collect();
        if seen.as_ref() != Some(&now) {
            if terminal {
                // Clears the screen and its history.
                write!(std::io::stdout(), "\x1b[2J\x1b[3J\x1b[H")?;
            }
            match once(arguments, global) {
                Ok(_) => {}
                Err(error) if is_broken_pipe(&error) => return Err(error),
                Err(error) => complain(&format!("{error:#}")),
            }
            if !global.quiet {
                note(&format!("watching {}", arguments.program.display()));
            }
            seen = Some(now);
        }
        std::thread::sleep(PAUSE);
    }
}
