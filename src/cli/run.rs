//! `agentmd run`: executes a markdownlang program.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::Value;

use super::input::Input;
use super::write::write_atomically;
use super::{Global, Status, agree, complain, debug, warn};
use crate::run::journal::{Journal, Level};
use crate::run::mcp::Processes;
use crate::run::program::{self, Loaded};
use crate::run::provider::{DEFAULT_URL, Provider};
use crate::run::summary::{Calls, Summary};
use crate::run::{Options, Outcome, Run, agreement};
use crate::world::Disk;

/// The model of programs that name none.
const MODEL: &str = "gpt-4o";

#[derive(Debug, clap::Args)]
#[command(args_override_self = true)]
#[command(
    after_help = "A program may start programs of its own, its MCP servers: `--debug` shows which, with their arguments. Its text and \
what its tools give go to the provider of the model.\n\nFlags may have one dash, and `run` may be left out: `agentmd -program a.md -input \
'{}'`.\n\nExit status: 1 where the program has mistakes, its input does not fit, or it gave no valid output; 2 where the call is wrong."
)]
pub struct Arguments {
    /// The markdownlang program, a `.md` file
    #[arg(value_name = "PROGRAM", value_hint = clap::ValueHint::FilePath)]
    file: Option<PathBuf>,
    /// The same
    #[arg(long, value_name = "PROGRAM", conflicts_with = "file", value_hint = clap::ValueHint::FilePath)]
    program: Option<PathBuf>,
    /// The input; `{}` without this option
    #[arg(long, value_name = "JSON", conflicts_with = "input_file")]
    input: Option<String>,
    /// The file that holds the input; `-` is stdin
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    input_file: Option<PathBuf>,
    /// Write the output to this file, all at once or not at all
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// The model of programs that name none [default: gpt-4o]
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// The key for the provider; without this option `OPENAI_API_KEY`, which other users of the
    /// machine cannot see
    #[arg(long, value_name = "KEY")]
    api_key: Option<String>,
    /// Where the provider is; without this option `OPENAI_BASE_URL`, or else OpenAI
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// How often each program may ask the model; calls of tools count
    #[arg(long, value_name = "NUMBER", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    max_iterations: u16,
    /// How long the run may take
    #[arg(long, value_name = "SECONDS", default_value = "1800", value_parser = seconds)]
    timeout: Duration,
    /// How long one answer of the model may take
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = seconds)]
    request_timeout: Duration,
    /// Run programs without a `description`, too
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true", value_parser = boolean, hide_default_value = true)]
    lenient: bool,
    /// Fail when an MCP server does not start
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true", value_parser = boolean, hide_default_value = true)]
    strict_mcp: bool,
    /// Print a summary to stderr, as JSON
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true", value_parser = boolean, hide_default_value = true)]
    summary: bool,
    /// Tell on stderr what is started, asked and answered
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true", value_parser = boolean, hide_default_value = true)]
    debug: bool,
    /// The same as `agentmd agree`
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true", value_parser = boolean, hide = true)]
    agree: bool,
}

/// A flag of Go.
fn boolean(text: &str) -> Result<bool, String> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(false),
        _ => Err("it is `true` or `false`".to_owned()),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 =
        text.trim_end_matches('s').parse().map_err(|_| "it is a number of seconds".to_owned())?;
    let duration = Duration::try_from_secs_f64(number)
        .ok()
        .filter(|duration| !duration.is_zero() && *duration <= Duration::from_secs(31_536_000));
    duration
        .ok_or_else(|| "it is a number of seconds, more than 0 and not more than a year".to_owned())
}

pub fn run(arguments: &Arguments, global: &Global) -> anyhow::Result<Status> {
    if arguments.agree {
        let status = agree::run(&agree::Arguments {})?;
        if status != Status::Fine || (arguments.file.is_none() && arguments.program.is_none()) {
            return Ok(status);
        }
    }
    let path = program_path(arguments)?;
    let shown = path.display().to_string();
    let input = read_input(arguments)?;
    if let Some(output) = &arguments.output {
        check_output(output)?;
    }
    let model = arguments
        .model
        .clone()
        .filter(|model| !model.trim().is_empty())
        .unwrap_or_else(|| MODEL.to_owned());

    let quiet = global.quiet;
    let journal = Arc::new(Journal::new(arguments.debug, move |level, message| match level {
        Level::Warning if quiet => {}
        Level::Warning => warn(message),
        Level::Debug => debug(message),
    }));
    let from_environment =
        |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let key = arguments
        .api_key
        .clone()
        .filter(|key| !key.trim().is_empty())
        .or_else(|| from_environment("OPENAI_API_KEY"));
    let base = arguments
        .base_url
        .clone()
        .filter(|url| !url.trim().is_empty())
        .or_else(|| from_environment("OPENAI_BASE_URL"));
    let provider = Provider::new(
        base.as_deref().unwrap_or(DEFAULT_URL),
        key.as_deref(),
        arguments.request_timeout,
        Arc::clone(&journal),
    );
    let provider = provider.map_err(|error| anyhow::anyhow!(journal.hide(&error)))?;

    if let Err(missing) = agreement::check(&agree::home()?) {
        complain(&missing.to_string());
        let mut err = anstream::stderr();
        // Nobody can be told that stderr is closed.
        let _ = writeln!(err, "\nTo accept the agreement, run: {} agree", own_name());
        return Ok(Status::Found);
    }

    let world = Disk::default();
    let absolute = std::path::absolute(&path).with_context(|| shown.clone())?;
    let Loaded { program, warnings } =
        match program::load(&absolute, &shown, &world, arguments.lenient) {
            Ok(loaded) => loaded,
            Err(flaws) => {
                flaws.iter().for_each(|flaw| complain(flaw));
                if arguments.summary {
                    print_summary(&Summary::refused(
                        &shown,
                        &model,
                        flaws.first().map_or("", String::as_str),
                    ));
                }
                return Ok(Status::Found);
            }
        };
    warnings.iter().for_each(|warning| journal.warn(warning));
    if key.is_none() && base.is_none() && program.input.allows(&input) {
        anyhow::bail!(
            "there is no key for OpenAI: set `OPENAI_API_KEY`, or name another provider with `--base-url`"
        );
    }

    let options = Options {
        model,
        max_iterations: arguments.max_iterations.into(),
        timeout: arguments.timeout,
        strict_servers: arguments.strict_mcp,
    };
    let run = Run {
        provider,
        options,
        journal,
        processes: Processes::default(),
        calls: Calls::default(),
        began: Instant::now(),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("no threads can be started")?;
    let outcome = runtime.block_on(run.execute(&program, input, signal()));
    runtime.shutdown_background();
    end(arguments, outcome)
}

fn end(arguments: &Arguments, outcome: Outcome) -> anyhow::Result<Status> {
    let status = match &outcome.result {
        Ok(output) => {
            let text = format!("{output:#}\n");
            match &arguments.output {
                None => {
                    print(&text)?;
                    Status::Fine
                }
                Some(path) => match write_atomically(path, &text) {
                    Ok(()) => Status::Fine,
                    Err(error) => {
                        complain(&format!(
                            "cannot write {}, so here is the output: {error:#}",
                            path.display()
                        ));
                        // It has cost something.
                        print(&text)?;
                        Status::Found
                    }
                },
            }
        }
        Err(error) => {
            complain(error);
            Status::Found
        }
    };
    if arguments.summary {
        print_summary(&outcome.summary);
    }
    if let Some(signal) = outcome.signal {
        // Whoever waits for this process learns that it was ended.
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }
    Ok(status)
}

fn print(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// The program that is named, as long as it can be one.
fn program_path(arguments: &Arguments) -> anyhow::Result<PathBuf> {
    let path = arguments.file.as_ref().or(arguments.program.as_ref());
    let path = path.context("which program? Name it: `agentmd run PROGRAM.md`")?;
    let shown = path.display();
    anyhow::ensure!(
        path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md")),
        "{shown} is no program: its name does not end in `.md`"
    );
    anyhow::ensure!(path.exists(), "{shown}: no such file");
    anyhow::ensure!(path.is_file(), "{shown} is not a file");
    Ok(path.clone())
}

fn read_input(arguments: &Arguments) -> anyhow::Result<Value> {
    let (name, text) = match (&arguments.input, &arguments.input_file) {
        (Some(text), _) => ("`--input`".to_owned(), text.clone()),
        (None, Some(path)) => {
            let input = Input::read(path)?;
            (input.shown, input.text)
        }
        (None, None) => return Ok(Value::Object(serde_json::Map::new())),
    };
    if text.trim().is_empty() {
        return Ok(Value::Object(serde_json::Map::new()));
    }
    serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(&text))
        .with_context(|| format!("{name} is not JSON"))
}

/// Whether the output can be written, as far as that can be said before there is any.
fn check_output(path: &Path) -> anyhow::Result<()> {
    anyhow::ensure!(!path.is_dir(), "cannot write {}: it is a folder", path.display());
    let folder =
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    anyhow::ensure!(
        folder.is_dir(),
        "cannot write {}: there is no folder {}",
        path.display(),
        folder.display()
    );
    Ok(())
}

fn print_summary(summary: &Summary) {
    // Nobody can be told that stderr is closed.
    let _ = writeln!(anstream::stderr(), "{}", summary.text());
}

/// What this program is called where it was called: it may have been given the original's name.
fn own_name() -> &'static str {
    let name = std::env::args_os().next().map(PathBuf::from);
    let name = name.as_deref().and_then(Path::file_stem);
    if name.is_some_and(|name| name == "markdownlang") { "markdownlang" } else { "agentmd" }
}

/// Waits for somebody who ends the process.
#[cfg(unix)]
async fn signal() -> i32 {
    use tokio::signal::unix::{SignalKind, signal};
    let listen = |kind: SignalKind| async move {
        match signal(kind) {
            Ok(mut came) => _ = came.recv().await,
            Err(_) => std::future::pending().await,
        }
        kind.as_raw_value()
    };
    tokio::select! {
        came = listen(SignalKind::interrupt()) => came,
        came = listen(SignalKind::terminate()) => came,
        came = listen(SignalKind::hangup()) => came,
    }
}

/// Waits for somebody who ends the process.
#[cfg(not(unix))]
async fn signal() -> i32 {
    match tokio::signal::ctrl_c().await {
        Ok(()) => signal_hook::consts::SIGINT,
        Err(_) => std::future::pending().await,
    }
}
