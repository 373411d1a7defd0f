//! The command line: a thin caller of the same functions as the server. One file per command.
//!
//! Machine output goes to stdout, messages and progress to stderr. A command ends with a
//! [`Status`]; an error that reaches [`main`] is a usage error.

#[cfg(feature = "run")]
mod agree;
mod apply;
mod check;
mod completions;
mod context;
mod convert;
mod cost;
mod diff;
mod documents;
mod explain;
#[cfg(feature = "run")]
mod flags;
mod graph;
mod index;
mod input;
mod junit;
mod loaded;
mod manual;
#[cfg(feature = "mcp")]
mod mcp;
mod new;
mod output;
mod render;
mod parse;
#[cfg(feature = "run")]
mod run;
mod select;
mod self_check;
mod server;
mod sync;
#[cfg(feature = "run")]
mod test;
mod transaction;
#[cfg(feature = "run")]
mod trust;
mod version;
mod workspace;
mod write;

use std::ffi::OsString;
use std::io::ErrorKind;
use std::process::ExitCode;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};

use crate::text::is_unprintable;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// A language server and command line for agent markdown.
#[derive(Debug, Parser)]
#[command(name = "agentmd", styles = STYLES, max_term_width = 100)]
#[command(after_help = "Exit status: 0 success, 1 findings or failures, 2 usage error.")]
#[command(arg_required_else_help = true)]
struct Cli {
    #[command(flatten)]
    global: Global,
    /// Print the version
    #[arg(long, short = 'V')]
    version: bool,
    /// With --version: print commit, features and target too, as JSON
    #[arg(long, requires = "version")]
    json: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

/// Options of every command.
#[derive(Debug, Clone, clap::Args)]
struct Global {
    /// When to use colors; `NO_COLOR` is honoured
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        help_heading = "Global options"
    )]
    color: Color,
    /// Print nothing but results
    #[arg(long, short, global = true, conflicts_with = "verbose", help_heading = "Global options")]
    quiet: bool,
    /// Print more: hints and progress
    #[arg(long, short, global = true, help_heading = "Global options")]
    verbose: bool,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the language server on stdin and stdout
    Server(server::Arguments),
    /// Check agent markdown files, and fix them
    Check(check::Arguments),
    /// Parse a file and print its content as JSON
    Parse(parse::Arguments),
    /// List everything that can be selected in Markdown files, as JSON
    Index(index::Arguments),
    /// Print the selected parts of Markdown files, as JSON
    Select(select::Arguments),
    /// Apply a model's reply to files, all or nothing
    Apply(apply::Arguments),
    /// Make a context pack from parts of files, or update one
    Context(context::Arguments),
    /// Write a new skill, agent, command, prompt, rule or program
    New(new::Arguments),
    /// Convert agent files for other clients, and other files to agent markdown
    Convert(convert::Arguments),
    /// Show what clients load when they work on a file, in order, and where they stop
    Loaded(loaded::Arguments),
    /// Count the tokens of agent files: always loaded, on a match, on demand
    Cost(cost::Arguments),
    /// Draw who uses whom: memory files, agents, skills, commands, programs, files
    Graph(graph::Arguments),
    /// Keep copies of agent files for other clients up to date
    Sync(sync::Arguments),
    /// Render the body of a markdownlang program with an input
    Render(render::Arguments),
    /// Run a markdownlang program: ask the model, call tools, print the result as JSON
    #[cfg(feature = "run")]
    Run(Box<run::Arguments>),
    /// Run the cases of markdownlang programs against recorded replies, or live
    #[cfg(feature = "run")]
    Test(test::Arguments),
    /// Accept the agreement that `run` requires
    #[cfg(feature = "run")]
    Agree(agree::Arguments),
    /// Show which program, settings and editors are in use, and what is wrong with them
    SelfCheck(self_check::Arguments),
    /// Answer coding agents over the Model Context Protocol, on stdin and stdout
    #[cfg(feature = "mcp")]
    Mcp(mcp::Arguments),
    /// Explain a finding, with a bad and a good example
    Explain(explain::Arguments),
    /// Print a completion script for a shell
    Completions(completions::Arguments),
    /// Write the manual pages of all commands into a folder
    #[command(hide = true)]
    Manual(manual::Arguments),
}

/// The exit status of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    /// Success.
    Fine,
    /// Findings or failures.
    Found,
    /// Usage error: wrong arguments, or unreadable input.
    Wrong,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// Runs the program with the arguments of this process.
pub fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if server::is_all(&arguments) {
        return crate::server::run();
    }
    #[cfg(feature = "run")]
    let arguments = flags::rewrite(arguments);
    let cli = Cli::parse_from(arguments);
    match cli.global.color {
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    }
    .write_global();
    if cli.version {
        return end(version::print(cli.json));
    }
    let Some(command) = cli.command else {
        let missing = clap::error::ErrorKind::MissingSubcommand;
        Cli::command().error(missing, "a command is missing; `agentmd --help` lists them").exit()
    };
    end(match command {
        Command::Server(arguments) => return server::run(arguments),
        Command::Check(arguments) => check::run(arguments, &cli.global),
        Command::Parse(arguments) => parse::run(&arguments, &cli.global),
        Command::Index(arguments) => index::run(&arguments, &cli.global),
        Command::Select(arguments) => select::run(&arguments, &cli.global),
        Command::Apply(arguments) => apply::run(&arguments, &cli.global),
        Command::Context(arguments) => context::run(&arguments, &cli.global),
        Command::New(arguments) => new::run(&arguments, &cli.global),
        Command::Convert(arguments) => convert::run(&arguments, &cli.global),
        Command::Loaded(arguments) => loaded::run(&arguments, &cli.global),
        Command::Cost(arguments) => cost::run(&arguments, &cli.global),
        Command::Graph(arguments) => graph::run(&arguments, &cli.global),
        Command::Sync(arguments) => sync::run(&arguments, &cli.global),
        Command::Render(arguments) => render::run(&arguments, &cli.global),
        #[cfg(feature = "run")]
        Command::Run(arguments) => run::run(&arguments, &cli.global),
        #[cfg(feature = "run")]
        Command::Test(arguments) => test::run(&arguments, &cli.global),
        #[cfg(feature = "run")]
        Command::Agree(arguments) => agree::run(&arguments),
        Command::SelfCheck(arguments) => self_check::run(&arguments, &cli.global),
        #[cfg(feature = "mcp")]
        Command::Mcp(arguments) => mcp::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Manual(arguments) => manual::run(&arguments),
    })
}

/// Reports an error, and returns the exit status.
fn end(status: anyhow::Result<Status>) -> ExitCode {
    status
        .unwrap_or_else(|error| {
            if is_broken_pipe(&error) {
                // The reader has closed the pipe: `agentmd explain | head`.
                return Status::Fine;
            }
            complain(&format!("{error:#}"));
            Status::Wrong
        })
        .into()
}

/// Prints an error on stderr.
fn complain(message: &str) {
    say(AnsiColor::Red, "error", message);
}

/// Prints a warning on stderr.
fn warn(message: &str) {
    say(AnsiColor::Yellow, "warning", message);
}

/// Warns about files and folders that could not be read.
fn warn_unread(unread: &[String]) -> Status {
    unread.iter().for_each(|message| warn(message));
    if unread.is_empty() { Status::Fine } else { Status::Found }
}

/// Prints progress on stderr, if requested.
#[cfg(feature = "run")]
fn debug(message: &str) {
    say(AnsiColor::Blue, "debug", message);
}

/// Prints a result on stderr.
fn note(message: &str) {
    say(AnsiColor::Green, "note", message);
}

fn say(color: AnsiColor, level: &str, message: &str) {
    use std::io::Write;
    let style = color.on_default().bold();
    // A closed stderr can't be reported.
    let _ = writeln!(anstream::stderr(), "{style}{level}{style:#}: {}", printable(message));
}

/// The text in one line, without characters that would control a terminal or forge a line of a log:
/// file names come from others. All output except JSON that prints a name or a message goes through
/// here.
fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        if is_unprintable(char) && char != '\t' {
            out.extend(char.escape_default());
        } else {
            out.push(char);
        }
    }
    out
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
    })
}

/// `1 file`, `2 files`.
fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
