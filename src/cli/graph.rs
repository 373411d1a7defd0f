//! `agentmd graph`: which files use which, unused files, and files that a client finds twice.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::ValueEnum;
use parking_lot::Mutex;

use super::workspace::{Scope, Workspace};
use super::{Global, Status};
use crate::config::Config;
use crate::ide::graph::graph;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The folders; names are relative to the nearest folder with all of them
    #[arg(value_name = "PATH", default_value = ".", value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<PathBuf>,
    /// The output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: OutputFormat,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    /// A flowchart for Markdown
    #[default]
    Mermaid,
    /// For Graphviz
    Dot,
    /// One JSON object
    Json,
}

pub fn run(arguments: &Arguments, _: &Global) -> anyhow::Result<Status> {
    let (mut files, mut folders, mut unread) = (Vec::new(), Vec::new(), Vec::new());
    for path in &arguments.paths {
        anyhow::ensure!(path.exists(), "{}: no such file or folder", path.display());
        let mut workspace = Workspace::of(path, &Scope::default())?;
        workspace.find_files();
        folders.push(workspace.folder().to_owned());
        files.append(&mut workspace.files);
        unread.append(&mut workspace.unread);
    }
    files.sort();
    files.dedup();
    let folder = around(&folders).context("the folders have none in common")?.to_owned();
    let mut workspace = Workspace::of(&folder, &Scope::default())?;
    workspace.files = files;
    let known: Mutex<HashMap<PathBuf, Arc<Config>>> = Mutex::default();
    let own = Arc::new(workspace.config.clone());
    let config = |path: &Path| {
        let folder = if path == workspace.root { path } else { path.parent().unwrap_or(path) };
        let mut known = known.lock();
        let config = known.entry(folder.to_owned()).or_insert_with(|| {
            let file = Config::find(folder).filter(|file| Some(file.as_path()) != own.file());
            file.and_then(|file| Config::from_file(&file).ok())
                .map_or_else(|| Arc::clone(&own), Arc::new)
        });
        Arc::clone(config)
    };
    let known = workspace.known();
    let found = graph(&known, &folder, &config, &|| false);
    let mut out = std::io::stdout().lock();
    match arguments.format {
        OutputFormat::Mermaid => write!(out, "{}", found.mermaid())?,
        OutputFormat::Dot => write!(out, "{}", found.dot())?,
        OutputFormat::Json => writeln!(out, "{}", serde_json::to_string(&found)?)?,
    }
    out.flush()?;
    Ok(super::warn_unread(&unread))
}

/// The nearest folder that contains all of these.
fn around(folders: &[PathBuf]) -> Option<&Path> {
    let holds = |folder: &&Path| folders.iter().all(|other| other.starts_with(folder));
    folders.first()?.ancestors().find(holds)
}
