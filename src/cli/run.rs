//! `agentmd run`: executes a markdownlang program.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use indicatif::ProgressBar;
use serde_json::Value;

use super::input::program_input;
use super::write::{folder_exists, write_atomically};
use super::{Global, Status, agree, complain, debug, trust, warn};
use crate::config::Config;
use crate::run::journal::{Journal, Level};
use crate::run::mcp::{Pool, Processes};
use crate::run::prices::Prices;
use crate::run::program::{self, Loaded, Program};
use crate::run::provider::{Provider, Settings};
use crate::run::summary::{Calls, Summary};
use crate::run::tape::{Record, Replay, Tape};
use crate::run::{Options, Outcome, Run, agreement};
use crate::world::Disk;

/// The default model.
pub(super) const MODEL: &str = "gpt-4o";

#[derive(Debug, clap::Args)]
#[command(args_override_self = true)]
#[command(
    after_help = "A program may start other programs, its MCP servers: `--debug` prints them with \
        their arguments. The program's text and the results of its tools are sent to the provider \
        of the model.\n\nFlags may have one dash, and `run` is optional: `agentmd -program a.md \
        -input '{}'`.\n\nExit status: 1 if the program has errors, its input doesn't match, or it \
        has no valid output; 2 for a usage error."
)]
pub struct Arguments {
    /// The markdownlang program, a `.md` file
    #[arg(value_name = "PROGRAM", value_hint = clap::ValueHint::FilePath)]
    file: Option<PathBuf>,
    /// The same as PROGRAM
    #[arg(long, value_name = "PROGRAM", conflicts_with = "file", value_hint = clap::ValueHint::FilePath)]
    program: Option<PathBuf>,
    /// The input [default: `{}`]
    #[arg(long, value_name = "JSON", conflicts_with = "input_file")]
    input: Option<String>,
    /// The file with the input; `-` is stdin
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    input_file: Option<PathBuf>,
    /// Write the output to this file, atomically
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// The model for programs that don't name one [default: gpt-4o]
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// The API of the provider: `openai`, `openai-responses`, `anthropic`, `gemini` or `ollama`
    /// [default: by the model's name]
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
    /// The API key [default: `OPENAI_API_KEY` or the provider's own variable, which other users of
    /// the machine can't see]
    #[arg(long, value_name = "KEY")]
    api_key: Option<String>,
    /// The URL of the provider [default: `OPENAI_BASE_URL` or the provider's own variable]
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Without an input, use the `sample` of the program
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true", value_parser = boolean, hide_default_value = true)]
    sample: bool,
    /// Write all requests and replies to this folder, without secrets
    #[arg(long, value_name = "DIR", conflicts_with = "replay", value_hint = clap::ValueHint::DirPath)]
    record: Option<PathBuf>,
    /// Read the replies from this folder: nothing is sent or started
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    replay: Option<PathBuf>,
    /// End the run before a request if it has cost this many dollars
    #[arg(long, value_name = "DOLLARS", value_parser = dollars)]
    max_cost: Option<f64>,
    /// Allow what the program starts now, without asking
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true", value_parser = boolean, hide_default_value = true)]
    trust: bool,
    /// The limit of tool calls at the same time
    #[arg(long, value_name = "NUMBER", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=128))]
    parallel: u16,
    /// The time limit of a tool call, for servers without a `timeout`
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds)]
    mcp_timeout: Duration,
    /// The time limit for a server to start, for servers without a `timeout`
    #[arg(long, value_name = "SECONDS", default_value = "120", value_parser = seconds)]
    mcp_start_timeout: Duration,
    /// Stream replies and report progress on stderr [default: on a terminal]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", value_parser = boolean)]
    progress: Option<bool>,
    /// The limit of requests to the model per program, including those for tool calls
    #[arg(long, value_name = "NUMBER", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    max_iterations: u16,
    /// The time limit of the run
    #[arg(long, value_name = "SECONDS", default_value = "1800", value_parser = seconds)]
    timeout: Duration,
    /// The time limit of one answer of the model
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = seconds)]
    request_timeout: Duration,
    /// Run programs without a `description`, too
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true", value_parser = boolean, hide_default_value = true)]
    lenient: bool,
    /// Fail if an MCP server doesn't start
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true", value_parser = boolean, hide_default_value = true)]
    strict_mcp: bool,
    /// Print a summary to stderr, as JSON
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true", value_parser = boolean, hide_default_value = true)]
    summary: bool,
    /// Log everything that is started, asked and answered on stderr
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
        _ => Err("must be `true` or `false`".to_owned()),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 =
        text.trim_end_matches('s').parse().map_err(|_| "must be a number of seconds".to_owned())?;
    let duration = Duration::try_from_secs_f64(number)
        .ok()
        .filter(|duration| !duration.is_zero() && *duration <= Duration::from_secs(31_536_000));
    duration.ok_or_else(|| "must be a number of seconds, more than 0 and at most a year".to_owned())
}

pub(super) fn dollars(text: &str) -> Result<f64, String> {
    let number = text.trim_start_matches('$').parse::<f64>().ok();
    number
        .filter(|number| number.is_finite() && *number > 0.0)
        .ok_or_else(|| "must be a number of dollars, more than 0".to_owned())
}

pub fn run(arguments: &Arguments, global: &Global) -> anyhow::Result<Status> {
    if arguments.agree {
        let status = agree::run(&agree::Arguments {})?;
        if status != Status::Fine || (arguments.file.is_none() && arguments.program.is_none()) {
            return Ok(status);
        }
    }
    match attempt(arguments, global) {
        Err(error) if arguments.summary && !super::is_broken_pipe(&error) => {
            let text = format!("{error:#}");
            complain(&text);
            refuse(arguments, &text);
            Ok(Status::Wrong)
        }
        status => status,
    }
}

/// The summary of a run that didn't begin.
fn refuse(arguments: &Arguments, error: &str) {
    if arguments.summary {
        let path = arguments.file.as_ref().or(arguments.program.as_ref());
        let shown = path.map(|path| path.display().to_string()).unwrap_or_default();
        let model = arguments.model.as_deref().unwrap_or(MODEL);
        print_summary(&Summary::refused(&shown, model, error));
    }
}

fn attempt(arguments: &Arguments, global: &Global) -> anyhow::Result<Status> {
    let path = program_path(arguments)?;
    let shown = path.display().to_string();
    let given = program_input(arguments.input.as_deref(), arguments.input_file.as_deref())?;
    if let Some(output) = &arguments.output {
        check_output(output)?;
    }
    let tape = tape(arguments)?;
    let recorded = match &tape {
        Some(Tape::Replay(replay)) => replay.model(),
        _ => None,
    };
    let replays = recorded.is_some();
    let named = arguments.model.clone().filter(|model| !model.trim().is_empty());
    let model = named.clone().or(recorded).unwrap_or_else(|| MODEL.to_owned());

    let (journal, progress) = journal(arguments, global);
    let settings = Settings {
        provider: arguments.provider.clone(),
        base_url: arguments.base_url.clone().filter(|url| !url.trim().is_empty()),
        key: arguments.api_key.clone().filter(|key| !key.trim().is_empty()),
        timeout: arguments.request_timeout,
    };
    let provider = Provider::new(settings, Arc::clone(&journal), tape);
    let provider = provider.map_err(|error| anyhow::anyhow!(journal.hide(&error)))?;

    let home = agree::home()?;
    if let Err(missing) = agreement::check(&home) {
        complain(&missing.to_string());
        let mut err = anstream::stderr();
        // A closed stderr can't be reported.
        let _ = writeln!(err, "\nTo accept the agreement, run: {} agree", own_name());
        refuse(arguments, &missing.to_string());
        return Ok(Status::Found);
    }

    let world = Disk::default();
    let absolute = std::path::absolute(&path).with_context(|| shown.clone())?;
    let Loaded { program, warnings } =
        match program::load(&absolute, &shown, &world, arguments.lenient) {
            Ok(loaded) => loaded,
            Err(flaws) => {
                flaws.iter().for_each(|flaw| complain(flaw));
                refuse(arguments, flaws.first().map_or("", String::as_str));
                return Ok(Status::Found);
            }
        };
    warnings.iter().for_each(|warning| journal.warn(warning));
    let input = match given {
        Some(input) => input,
        None if arguments.sample => program
            .sample
            .clone()
            .with_context(|| format!("{shown} has no `sample` in its front matter"))?,
        None => Value::Object(serde_json::Map::new()),
    };
    let own = program.model.as_deref().unwrap_or(&model);
    if program.input.allows(&input) {
        let other = arguments.provider.as_deref().is_some_and(|name| !name.starts_with("openai"));
        anyhow::ensure!(
            !other || replays || named.is_some() || program.model.is_some(),
            "missing model; name one of your provider with `--model`"
        );
        provider.check(own).map_err(|error| anyhow::anyhow!(journal.hide(&error)))?;
        let place = provider.shown(own);
        if !replays
            && let Err(refusal) =
                trust::permit(&program, &absolute, &home, &place, arguments.trust)?
        {
            complain(&refusal);
            refuse(arguments, &refusal);
            return Ok(Status::Found);
        }
    }

    let options = Options {
        model,
        max_iterations: arguments.max_iterations.into(),
        timeout: arguments.timeout,
        strict_servers: arguments.strict_mcp,
        max_cost: arguments.max_cost,
        parallel: arguments.parallel.into(),
        server_start: arguments.mcp_start_timeout,
        tool_call: arguments.mcp_timeout,
    };
    let prices = prices(&absolute)?;
    let outcome = execute(provider, options, journal, prices, &program, input)?;
    if let Some(progress) = progress {
        progress.finish_and_clear();
    }
    end(arguments, outcome)
}

/// Runs a program to its end.
///
/// # Errors
/// If no threads can be started.
pub(super) fn execute(
    provider: Provider,
    options: Options,
    journal: Arc<Journal>,
    prices: Prices,
    program: &Arc<Program>,
    input: Value,
) -> anyhow::Result<Outcome> {
    let run = Run {
        provider,
        options,
        journal,
        pool: Pool::default(),
        processes: Processes::default(),
        calls: Calls::default(),
        prices,
        began: Instant::now(),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("cannot start threads")?;
    let outcome = runtime.block_on(run.execute(program, input, signal()));
    runtime.shutdown_background();
    Ok(outcome)
}

/// The published prices, and those of the settings for a program.
pub(super) fn prices(program: &Path) -> anyhow::Result<Prices> {
    let file = program.parent().and_then(Config::find);
    let own = match file {
        Some(file) => Config::from_file(&file)?.prices().clone(),
        None => std::collections::BTreeMap::new(),
    };
    Ok(Prices::new(own))
}

fn tape(arguments: &Arguments) -> anyhow::Result<Option<Tape>> {
    let tape = match (&arguments.record, &arguments.replay) {
        (Some(folder), _) => Tape::Record(Record::new(folder).map_err(anyhow::Error::msg)?),
        (None, Some(folder)) => {
            let advice = format!("record again with `--record {}`", folder.display());
            Tape::Replay(Replay::new(folder, &advice).map_err(anyhow::Error::msg)?)
        }
        (None, None) => return Ok(None),
    };
    Ok(Some(tape))
}

/// The log, and the line with the progress on a terminal.
fn journal(arguments: &Arguments, global: &Global) -> (Arc<Journal>, Option<ProgressBar>) {
    let quiet = global.quiet;
    let on_terminal = std::io::stderr().is_terminal() && !arguments.debug && !quiet;
    let shows = arguments.progress.unwrap_or(on_terminal);
    let bar = (shows && on_terminal).then(ProgressBar::new_spinner);
    let line = bar.clone();
    let aside = move |print: &dyn Fn()| match &line {
        Some(line) => line.suspend(print),
        None => print(),
    };
    let (line, begun) = (bar.clone(), std::sync::Once::new());
    let journal = Journal::new(arguments.debug, move |level, message| match level {
        Level::Warning if quiet => {}
        Level::Warning => aside(&|| warn(message)),
        Level::Debug => aside(&|| debug(message)),
        Level::Progress => match &line {
            Some(line) => {
                // Not earlier: it would write over questions.
                begun.call_once(|| line.enable_steady_tick(Duration::from_millis(100)));
                line.set_message(super::printable(message));
            }
            None => super::note(message),
        },
    });
    (Arc::new(journal.with_progress(shows)), bar)
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
                        // The output has cost money, so don't lose it.
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
        // The parent process sees that this one was killed.
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }
    Ok(status)
}

fn print(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// The named program, if it can be one.
fn program_path(arguments: &Arguments) -> anyhow::Result<PathBuf> {
    let path = arguments.file.as_ref().or(arguments.program.as_ref());
    let path = path.context("missing program; use `agentmd run PROGRAM.md`")?;
    let shown = path.display();
    anyhow::ensure!(
        path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md")),
        "{shown} is not a program: its name must end in `.md`"
    );
    anyhow::ensure!(path.exists(), "{shown}: no such file");
    anyhow::ensure!(path.is_file(), "{shown} is not a file");
    Ok(path.clone())
}

/// Whether the output can be written, as far as that can be known in advance.
fn check_output(path: &Path) -> anyhow::Result<()> {
    anyhow::ensure!(!path.is_dir(), "cannot write {}: it is a folder", path.display());
    folder_exists(path)
}

fn print_summary(summary: &Summary) {
    // A closed stderr can't be reported.
    let _ = writeln!(anstream::stderr(), "{}", summary.text());
}

/// The name by which this program was called, which may be the original's.
pub(super) fn own_name() -> &'static str {
    let name = std::env::args_os().next().map(PathBuf::from);
    let name = name.as_deref().and_then(Path::file_stem);
    if name.is_some_and(|name| name == "markdownlang") { "markdownlang" } else { "agentmd" }
}

/// Waits for a signal to end the process.
#[cfg(unix)]
pub(super) async fn signal() -> i32 {
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

/// Waits for a signal to end the process.
#[cfg(not(unix))]
pub(super) async fn signal() -> i32 {
    match tokio::signal::ctrl_c().await {
        Ok(()) => signal_hook::consts::SIGINT,
        Err(_) => std::future::pending().await,
    }
}
