//! `agentmd cost`: the tokens of agent files: always loaded, loaded on a match, on demand.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::loaded::OutputFormat;
use super::workspace::{Scope, Workspace};
use super::{Global, Status, complain, printable};
use crate::format::agent::loaded::cost::{self, Cost, When};
use crate::format::agent::loaded::grouped;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Tokens are estimated as a quarter of the bytes, and marked with `~`; --exact \
        counts those of clients whose vocabulary is public."
)]
pub struct Arguments {
    /// The folder in which clients are started
    #[arg(value_name = "PATH", default_value = ".", value_hint = clap::ValueHint::AnyPath)]
    path: PathBuf,
    #[command(flatten)]
    scope: Scope,
    /// Fail if a client always loads more tokens than this [default: `always` in `[budget]` of
    /// agentmd.toml]
    #[arg(long, value_name = "N")]
    budget: Option<usize>,
    /// List every file
    #[arg(long)]
    files: bool,
    /// The output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: OutputFormat,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

pub fn run(arguments: &Arguments, global: &Global) -> anyhow::Result<Status> {
    let Costs { costs, budget: set, unread } = answer(&arguments.path, &arguments.scope)?;
    let budget = arguments.budget.or(set);
    let mut out = anstream::stdout().lock();
    if arguments.json || arguments.format == OutputFormat::Json {
        let mut answer = json!({ "clients": costs });
        if let (Some(budget), Some(answer)) = (budget, answer.as_object_mut()) {
            answer.insert("budget".to_owned(), budget.into());
        }
        writeln!(out, "{answer}")?;
    } else {
        table(&costs, &mut out)?;
        if arguments.files || global.verbose {
            files(&costs, &mut out)?;
        }
    }
    out.flush()?;
    let mut status = super::warn_unread(&unread);
    for cost in &costs {
        if let Some(budget) = budget.filter(|budget| cost.always > *budget) {
            let (always, budget) = (grouped(cost.always), grouped(budget));
            let name = title(cost);
            complain(&format!("{name} always loads {always} tokens; the budget is {budget}"));
            status = Status::Found;
        }
    }
    Ok(status)
}

/// The cost of agent files, and the files that it may be missing.
pub struct Costs {
    pub costs: Vec<Cost>,
    /// The budget of the settings.
    pub budget: Option<usize>,
    /// What could not be read, and why.
    pub unread: Vec<String>,
}

/// What agent files cost clients that are started in a folder.
///
/// # Errors
/// If a client, the settings or the folder can't be used.
pub fn answer(path: &Path, scope: &Scope) -> anyhow::Result<Costs> {
    anyhow::ensure!(path.exists(), "{}: no such file or folder", path.display());
    let mut workspace = Workspace::of(path, scope)?;
    workspace.find_files();
    let start = workspace.folder().to_owned();
    let question = workspace.question(start, None);
    let costs = cost::costs(&question, &workspace.clients);
    let set = workspace.config.options().budget.always;
    let unread = workspace.unread;
    Ok(Costs { costs, budget: (set > 0).then_some(set), unread })
}

fn title(cost: &Cost) -> &str {
    let client = crate::client::catalog().named(&cost.client);
    client.map_or(cost.client.as_str(), |client| &client.title)
}

/// The mark of a client's tokens if they are estimated.
fn about(cost: &Cost) -> &'static str {
    if cost.files.first().is_none_or(|file| file.counted == "bytes/4") { "~" } else { "" }
}

fn table(costs: &[Cost], out: &mut impl Write) -> std::io::Result<()> {
    let head = ["", "always", "on a match", "on demand"].map(str::to_owned);
    let mut rows = vec![head];
    for cost in costs {
        let about = about(cost);
        let number = |tokens| format!("{about}{}", grouped(tokens));
        let numbers = [cost.always, cost.matched, cost.on_demand].map(number);
        let [always, matched, demand] = numbers;
        rows.push([title(cost).to_owned(), always, matched, demand]);
    }
    let mut widths = [0_usize; 4];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    for row in &rows {
        let mut line = String::new();
        for (at, (cell, width)) in row.iter().zip(widths).enumerate() {
            let cell =
                if at == 0 { format!("{cell:<width$}") } else { format!("  {cell:>width$}") };
            line.push_str(&cell);
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn files(costs: &[Cost], out: &mut impl Write) -> std::io::Result<()> {
    for cost in costs {
        writeln!(out, "\n{}", title(cost))?;
        for when in [When::Always, When::Match, When::Demand] {
            for file in cost.files.iter().filter(|file| file.when == when) {
                let listed = if file.listing { "  (its line in a list)" } else { "" };
                let tokens = grouped(file.tokens);
                let line = format!(
                    "  {tokens:>8}  {:<7} {:<12} {}{listed}",
                    when.name(),
                    file.kind,
                    file.path
                );
                writeln!(out, "{}", printable(&line))?;
            }
        }
    }
    Ok(())
}
