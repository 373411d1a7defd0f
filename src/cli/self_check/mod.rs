//! `agentmd self-check`: which program, settings and editors are in use, and which of them are
//! probably a mistake. It only reads, and starts nothing.

mod editors;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Serialize;

use super::version::{self, Version};
use super::{Global, Status, count, printable, warn};
use crate::client::Client;
use crate::config::{Config, Options, kinds, overrides};
use crate::format::agent::{loaded, sync};
use crate::format::names;
use crate::source::Source;
use crate::text::{Encoding, Span};
use crate::world::{Disk, canonicalize, is_program, read_rules};
use editors::{Configured, Roots};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Nothing is started: editors are recognised by their configuration files. Exit \
        status: 1 if something is probably not as you want it."
)]
pub struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A program that a shell finds.
#[derive(Debug, Serialize)]
struct Found {
    path: PathBuf,
    /// Whether it is the program that is running.
    this: bool,
}

#[derive(Debug, Serialize)]
struct Program {
    path: PathBuf,
    #[serde(flatten)]
    version: Version,
}

#[derive(Debug, Serialize)]
struct Answer {
    version: u32,
    program: Program,
    on_path: Vec<Found>,
    settings: Option<PathBuf>,
    clients: Vec<String>,
    editors: Vec<Configured>,
    problems: Vec<String>,
}

pub fn run(arguments: &Arguments, global: &Global) -> anyhow::Result<Status> {
    let folder = std::env::current_dir().context("the current folder is unknown")?;
    let path = std::env::current_exe().context("the path of this program is unknown")?;
    let mut problems = Vec::new();
    let on_path = on_path(&path);
    if let Some(problem) = problem_of(&on_path) {
        problems.push(problem);
    }
    let settings = Config::find(&folder);
    let config = match settings.as_deref().map(Config::from_file).transpose() {
        Ok(Some(config)) => config,
        Ok(None) => Config::new(folder.clone(), Options::default())?,
        Err(error) => {
            problems.push(error.to_string());
            Config::new(folder.clone(), Options::default())?
        }
    };
    if let Some(file) = &settings {
        let unknown = names::unknown_in(config.options()).into_iter();
        problems.extend(unknown.map(|unknown| format!("{}: {unknown}", file.display())));
        problems.extend(unusable(file));
    }
    let root = settings.as_deref().and_then(Path::parent).unwrap_or(&folder);
    let clients = loaded::clients(&Disk::default(), root, &config);
    let home = std::env::home_dir().filter(|home| home.is_absolute());
    let editors =
        home.map(|home| editors::find(&Roots::new(home, root.to_owned()))).unwrap_or_default();
    let answer = Answer {
        version: 1,
        program: Program { path, version: version::THIS },
        on_path,
        settings,
        clients: clients.iter().map(|client| client.name.clone()).collect(),
        editors,
        problems,
    };
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
    } else {
        out.write_all(human(&answer, &config, &clients).as_bytes())?;
        drop(out);
        if !global.quiet {
            answer.problems.iter().for_each(|problem| warn(problem));
        }
    }
    Ok(if answer.problems.is_empty() { Status::Fine } else { Status::Found })
}

/// What `check` reports in a settings file: kinds, overrides and sync entries that can't be used.
fn unusable(file: &Path) -> Vec<String> {
    let Ok(text) = read_rules(file) else { return Vec::new() };
    let root = file.parent().unwrap_or(Path::new(""));
    let read = |path: &Path| read_rules(path).map_err(|error| error.to_string());
    let source = Source::new(&text);
    let mut found = kinds::problems(&text, root, &read);
    found.extend(overrides::problems(&text));
    found.extend(sync::problems(&text));
    found.sort_by_key(|(span, _)| span.start);
    let place = |(span, message): (Span, String)| {
        let line = source.position(span.start, Encoding::Utf8).line + 1;
        format!("{}:{line}: {message}", file.display())
    };
    found.into_iter().map(place).collect()
}

/// The programs that the name `agentmd` refers to, in the order in which a shell looks for them.
fn on_path(this: &Path) -> Vec<Found> {
    let name = format!("agentmd{}", std::env::consts::EXE_SUFFIX);
    let real = |path: &Path| canonicalize(path).ok();
    let this = real(this);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut found: Vec<Found> = Vec::new();
    for folder in std::env::split_paths(&path) {
        let path = folder.join(&name);
        if is_program(&path) && !found.iter().any(|found| found.path == path) {
            let same = this.is_some() && real(&path) == this;
            found.push(Found { path, this: same });
        }
    }
    found
}

fn problem_of(on_path: &[Found]) -> Option<String> {
    match on_path.first() {
        None => Some(
            "no folder of `PATH` contains agentmd, so editors that start it by name don't find it"
                .to_owned(),
        ),
        Some(first) if !first.this => Some(format!(
            "editors and shells start another program: {} comes first in `PATH`",
            first.path.display()
        )),
        Some(_) => None,
    }
}

fn human(answer: &Answer, config: &Config, clients: &[&'static Client]) -> String {
    let Version { version, commit, features, target } = answer.program.version;
    let mut build = vec![target.to_owned()];
    build.extend(commit.map(|commit| format!("commit {commit}")));
    build.extend((!features.is_empty()).then(|| format!("with {}", features.join(", "))));
    let mut rows = vec![
        ("program", answer.program.path.display().to_string()),
        ("version", format!("{version} ({})", build.join(", "))),
    ];
    rows.extend(answer.on_path.iter().map(|found| {
        let which = if found.this { "this program" } else { "another program" };
        ("on PATH", format!("{} ({which})", found.path.display()))
    }));
    let settings = answer
        .settings
        .as_ref()
        .map_or_else(|| "none: the defaults apply".to_owned(), |path| path.display().to_string());
    rows.push(("settings", settings));
    let labels: Vec<&str> = clients.iter().map(|client| client.title.as_str()).collect();
    let reason = match clients {
        _ if !config.options().clients.is_empty() => "by settings",
        [only] if only.name == "spec" => "no client's files found",
        _ => "by their files",
    };
    rows.push(("clients", format!("{} ({reason})", labels.join(", "))));
    if answer.editors.is_empty() {
        rows.push(("editors", "none is configured to start agentmd".to_owned()));
    }
    rows.extend(answer.editors.iter().map(|configured| {
        let line = configured.line.map(|line| format!(":{line}")).unwrap_or_default();
        ("editors", format!("{}: {}{line}", configured.editor, configured.path.display()))
    }));
    let mut out = String::new();
    let mut previous = "";
    for (name, text) in rows {
        let name = if name == previous { "" } else { name };
        previous = if name.is_empty() { previous } else { name };
        out.push_str(&format!("{name:<10}{}\n", printable(&text)));
    }
    if answer.problems.is_empty() {
        out.push_str("\nNothing is wrong.\n");
    } else {
        out.push_str(&format!("\n{}:\n", count(answer.problems.len(), "problem")));
    }
    out
}
