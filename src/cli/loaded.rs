//! `agentmd loaded`: what clients load when they work on a file, in order, and where they stop.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::json;

use super::workspace::{Scope, Workspace, absolute};
use super::{Global, Status, printable};
use crate::format::agent::loaded::{self, Cut, Limit, Load, Question, grouped};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Tokens are estimated as a quarter of the bytes, and marked with `~`; --exact \
        counts those of clients whose vocabulary is public."
)]
pub struct Arguments {
    /// The file or folder that clients work on; it need not exist
    #[arg(value_name = "PATH", default_value = ".", value_hint = clap::ValueHint::AnyPath)]
    path: PathBuf,
    /// The folder in which clients are started [default: the folder of PATH]
    #[arg(long, value_name = "FOLDER", value_hint = clap::ValueHint::DirPath)]
    from: Option<PathBuf>,
    #[command(flatten)]
    scope: Scope,
    /// The output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: OutputFormat,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// For people
    #[default]
    Human,
    /// One JSON object
    Json,
}

pub fn run(arguments: &Arguments, _: &Global) -> anyhow::Result<Status> {
    let (loads, unread) = answer(&arguments.path, arguments.from.as_deref(), &arguments.scope)?;
    let mut out = anstream::stdout().lock();
    if arguments.json || arguments.format == OutputFormat::Json {
        let shown = arguments.path.display().to_string();
        let answer = json!({ "path": shown, "clients": loads });
        writeln!(out, "{answer}")?;
    } else {
        for (at, load) in loads.iter().enumerate() {
            if at > 0 {
                writeln!(out)?;
            }
            print(load, &mut out)?;
        }
    }
    out.flush()?;
    Ok(super::warn_unread(&unread))
}

/// What clients load when they work on a path, started in `from` or in its folder; and what could
/// not be read, and why.
///
/// # Errors
/// If a client, the settings or a folder can't be used.
pub fn answer(
    path: &Path,
    from: Option<&Path>,
    scope: &Scope,
) -> anyhow::Result<(Vec<Load>, Vec<String>)> {
    let mut workspace = Workspace::of(path, scope)?;
    let start = match from {
        Some(from) => {
            let from = absolute(from)?;
            anyhow::ensure!(from.is_dir(), "{} is not a folder", from.display());
            from
        }
        None => workspace.folder().to_owned(),
    };
    if workspace
        .clients
        .iter()
        .any(|client| client.loading.below == crate::client::loading::Below::Always)
    {
        workspace.find_files();
    }
    let path = (!workspace.path.is_dir()).then(|| workspace.path.clone());
    let question = Question { assumed: from.is_none(), ..workspace.question(start, path) };
    let loads = loaded::loaded(&question, &workspace.clients);
    Ok((loads, workspace.unread))
}

fn print(load: &Load, out: &mut impl Write) -> std::io::Result<()> {
    let title = crate::client::catalog().named(&load.client).map_or("", |client| &client.title);
    let about = if load.counted == "bytes/4" { "~" } else { "" };
    let sum = grouped(load.tokens);
    let counted = &load.counted;
    let files = super::count(load.files.len(), "entry").replace("entrys", "entries");
    writeln!(out, "{title}: {files}, {about}{sum} tokens ({counted})")?;
    let width = load.files.iter().map(|file| grouped(file.tokens).len()).max().unwrap_or(1);
    for file in &load.files {
        let tokens = grouped(file.tokens);
        let mut line = format!("  {tokens:>width$}  {:<12} {}", file.why.name(), file.path);
        if let Some(by) = &file.by {
            line.push_str(&format!("  imported by {by}"));
        }
        if let Some(pattern) = &file.pattern {
            line.push_str(&format!("  matches {pattern}"));
        }
        if let Some(cut) = &file.cut {
            line.push_str(&stops(cut));
        }
        writeln!(out, "{}", printable(&line))?;
    }
    for limit in &load.limits {
        writeln!(out, "  {}", printable(&limited(limit)))?;
    }
    for problem in &load.problems {
        let line = problem.line.map(|line| format!(":{line}")).unwrap_or_default();
        let text = format!("{}{line}: {}", problem.path, problem.message);
        writeln!(out, "  ! {}", printable(&text))?;
    }
    Ok(())
}

fn stops(cut: &Cut) -> String {
    let limit = grouped(cut.limit);
    match cut.bytes {
        0 => format!("  not read: the limit of {limit} is reached before"),
        _ => format!("  stops in line {}: the limit of {limit} is reached", cut.line),
    }
}

fn limited(limit: &Limit) -> String {
    let unit = serde_json::to_value(limit.unit).ok();
    let unit = unit.as_ref().and_then(|unit| unit.as_str()).unwrap_or_default();
    let mut text =
        format!("{}: {} of {} {unit}", limit.of, grouped(limit.used), grouped(limit.limit));
    if !limit.text.is_empty() {
        text.push_str(&format!(" ({})", limit.text));
    }
    if !limit.trimmed.is_empty() {
        let count = super::count(limit.trimmed.len(), "description");
        text.push_str(&format!("; {count} cut"));
    }
    if !limit.dropped.is_empty() {
        text.push_str(&format!("; without descriptions or left out: {}", few(&limit.dropped)));
    }
    text
}

/// The first names of a list.
fn few(names: &[String]) -> String {
    const MOST: usize = 5;
    let first = names.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = names.len().saturating_sub(MOST);
    if more == 0 { first } else { format!("{first} and {more} more") }
}
