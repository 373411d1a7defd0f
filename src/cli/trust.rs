//! Asks whether a program may start its servers, before the first time and after each change.

use std::io::{BufRead, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;

use super::printable;
use crate::config::FILE_NAME;
use crate::run::program::Program;
use crate::run::trust::{Plan, Standing};

/// The limit of a typed line.
const LONGEST_LINE: u64 = 4_096;

/// Whether a program may start its servers, and send their results to a provider; if not, why.
/// `trusted`: the user has allowed it with a flag.
///
/// # Errors
/// If the permission can't be recorded, or stdin can't be read.
pub fn permit(
    program: &Arc<Program>,
    path: &Path,
    home: &Path,
    provider: &str,
    trusted: bool,
) -> anyhow::Result<Result<(), String>> {
    let plan = Plan::new(program, &own_folders(path));
    let standing = plan.standing(home, &program.path);
    if standing == Standing::Allowed {
        return Ok(Ok(()));
    }
    let shown = &program.shown;
    let record = || {
        plan.allow(home, &program.path)
            .with_context(|| format!("cannot record in {} what you allow", home.display()))
    };
    if trusted {
        record()?;
        return Ok(Ok(()));
    }
    if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() {
        if ask(&plan, shown, provider, standing)? {
            record()?;
            return Ok(Ok(()));
        }
        return Ok(Err("you did not allow it; nothing was started or sent".to_owned()));
    }
    let what = plan.lines.join("; ");
    Ok(match (standing, plan.foreign.first()) {
        (Standing::Changed, _) => Err(format!(
            "what `{shown}` starts has changed since you allowed it: {what}; run it on a terminal, \
                or with `--trust` to allow it"
        )),
        (_, Some(foreign)) => Err(format!(
            "`{shown}` imports {}, outside of this workspace, which starts servers: {what}; run it \
                on a terminal, or with `--trust` to allow it",
            foreign.display()
        )),
        // Naming the program is the permission, as it is for a script.
        (_, None) => Ok(()),
    })
}

fn ask(plan: &Plan, shown: &str, provider: &str, standing: Standing) -> anyhow::Result<bool> {
    let mut err = anstream::stderr();
    let changed = if standing == Standing::Changed { " has changed. It" } else { "" };
    writeln!(err, "`{}`{changed} starts programs on this machine:\n", printable(shown))?;
    for line in &plan.lines {
        writeln!(err, "  {}", printable(line))?;
    }
    writeln!(
        err,
        "\nIts text, your input and the results of its tools are sent to {}.",
        printable(provider)
    )?;
    write!(err, "Allow this until it changes? [y/N] ")?;
    err.flush()?;
    let mut typed = String::new();
    std::io::stdin()
        .lock()
        .take(LONGEST_LINE)
        .read_line(&mut typed)
        .context("cannot read stdin")?;
    Ok(matches!(typed.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

/// The folders that the user works in: the current one, the program's, and the repository's.
fn own_folders(program: &Path) -> Vec<PathBuf> {
    let canonical = |path: &Path| crate::world::canonicalize(path).ok();
    let folder = program.parent().and_then(canonical);
    let marks = [".git", FILE_NAME];
    let root = folder
        .iter()
        .flat_map(|folder| folder.ancestors())
        .find(|folder| marks.iter().any(|mark| folder.join(mark).exists()));
    let current = std::env::current_dir().ok().and_then(|folder| canonical(&folder));
    // The root of the file system contains everything.
    let folders = root.map(Path::to_owned).into_iter().chain(folder.clone()).chain(current);
    folders.filter(|folder| folder.parent().is_some()).collect()
}
