//! `agentmd check`: findings in files, for the terminal, for programs and for continuous
//! integration.

mod excerpt;
mod files;
mod fix;
mod github;
mod human;
mod json;
mod jsonl;
mod junit;
mod overlay;
mod pool;
mod progress;
mod report;
mod sarif;
mod settings;
mod spelling;

use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::ValueEnum;
use clap::builder::ArgPredicate;

use super::diff::{self, Change};
use super::{Global, Status, complain, count, note, warn};
use crate::client;
use crate::config::Config;
use crate::document::Document;
use crate::format::plain::rules::UNREADABLE;
use crate::format::{Context, plain};
use crate::ide;
use crate::rule::{Diagnostic, Report, Severity};
use crate::source::Source;
use crate::world::{ReadError, World};
#[cfg(feature = "mcp")]
pub use files::repository;
use files::{File, Stdin};
use overlay::Overlay;
use progress::Progress;
use report::{Checked, Reporter, Silent, Summary, Tally};
use settings::Settings;
use spelling::Spelling;

#[derive(Debug, Default, clap::Args)]
pub struct Arguments {
    /// Files and folders to check; `-` is stdin
    #[arg(value_name = "PATH", default_value = ".", default_value_if("files_from", ArgPredicate::IsPresent, None), value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<PathBuf>,
    /// Also check the files listed in this file, one per line or separated by NUL; `-` is stdin
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    files_from: Option<PathBuf>,
    /// The output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: OutputFormat,
    /// Fail on warnings too, and turn warnings about lost content into errors
    #[arg(long)]
    strict: bool,
    /// Also skip excluded files that are named as PATH: for pre-commit hooks, which name every file
    #[arg(long)]
    force_exclude: bool,
    /// Apply safe fixes; with `--verbose`, also those of hints
    #[arg(long)]
    fix: bool,
    /// Print the changes of `--fix` as a unified diff, without writing them
    #[arg(long, requires = "fix")]
    diff: bool,
    /// Check agent files for these clients: `codex,claude-code`
    #[arg(long = "for", value_name = "CLIENT", value_delimiter = ',')]
    clients: Vec<String>,
    /// Only report these rules, by code or group
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    select: Vec<String>,
    /// Don't report these rules, by code or group
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    ignore: Vec<String>,
    /// Print how often each rule was violated, instead of each finding
    #[arg(long, conflicts_with_all = ["diff", "format"])]
    statistics: bool,
    /// Use this settings file instead of the nearest `agentmd.toml` above each file
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    config: Option<PathBuf>,
    /// Use no settings file
    #[arg(long, conflicts_with = "config")]
    no_config: bool,
    /// The path of the text on stdin
    #[arg(long, value_name = "NAME", value_hint = clap::ValueHint::FilePath)]
    stdin_path: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    /// For the terminal
    #[default]
    Human,
    /// One JSON object
    Json,
    /// One JSON object per line: each file as soon as it's checked, then the summary
    Jsonl,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations for GitHub Actions
    Github,
    /// JUnit XML, for test reports
    Junit,
}

/// The files and how to check them.
struct Run {
    settings: Arc<Settings>,
    world: Overlay,
    files: Vec<File>,
    spelling: Spelling,
    strict: bool,
    quiet: bool,
    verbose: bool,
    /// The report includes the verdicts of clients on each agent file.
    verdicts: bool,
}

/// A run whose files have been found, with the problems on the way.
struct Prepared {
    run: Run,
    stdin: Option<Stdin>,
    /// Paths that don't exist or can't be read.
    wrong: Vec<String>,
    warnings: Vec<String>,
    skipped: Vec<String>,
}

fn prepare(arguments: &Arguments) -> anyhow::Result<Prepared> {
    let settings = Arc::new(Settings::new(arguments)?);
    let (stdin, mut paths): (Vec<_>, Vec<_>) =
        arguments.paths.iter().cloned().partition(|path| path.as_os_str() == "-");
    anyhow::ensure!(
        arguments.stdin_path.is_none() || !stdin.is_empty(),
        "`--stdin-path` names the text of `-`, which is not among the paths"
    );
    let whole_call = paths.is_empty() && arguments.files_from.is_none();
    anyhow::ensure!(
        stdin.is_empty() || !arguments.fix || whole_call,
        "`--fix` can't fix both stdin and files in one call"
    );
    anyhow::ensure!(
        !arguments.diff || arguments.format == OutputFormat::Human,
        "`--diff` prints a unified diff: use it without `--format`"
    );

    if arguments.force_exclude {
        paths.retain(|path| !settings.excludes_file(path));
    }
    let mut wrong = Vec::new();
    if let Some(list) = &arguments.files_from {
        anyhow::ensure!(
            stdin.is_empty() || list.as_os_str() != "-",
            "stdin can't be both a document and the list of `--files-from`"
        );
        let listed = files::listed(list)?;
        wrong = listed.wrong;
        paths.extend(listed.paths.into_iter().filter(|path| !settings.excludes_file(path)));
    }

    let mut found = files::find(&paths, &settings);
    found.wrong.splice(0..0, wrong);
    let mut world = Overlay::default();
    let stdin = match stdin.is_empty() {
        true => None,
        false => Some(files::stdin(arguments.stdin_path.as_deref())?),
    };
    if let Some(Stdin { file, text, .. }) = &stdin {
        world.insert(file.path.clone(), text.clone());
        found.files.retain(|other| other.path != file.path);
        if !(arguments.force_exclude && settings.excludes_file(&file.path)) {
            found.files.push(file.clone());
        }
        found.files.sort();
    }
    let mut spelling = Spelling::new(paths.iter().chain(&arguments.stdin_path));
    // Unusable kinds in a settings file are reported as findings in it.
    let folders = found.files.iter().filter_map(|file| file.path.parent());
    let unusable = settings.unusable_kinds(folders);
    let folders = found.files.iter().filter_map(|file| file.path.parent());
    let budgets = settings.budgets(folders, &paths);
    found.files.extend(unusable.keys().chain(&budgets).map(|path| File {
        shown: spelling.of(path),
        path: path.clone(),
        nameless: false,
    }));
    found.files.sort();
    found.files.dedup_by(|a, b| a.path == b.path);
    spelling.know(&found.files);
    let whole = paths.iter().any(|path| path.is_dir());
    world.know(found.files.iter().map(|file| file.path.clone()).collect(), whole);
    let rest = unusable.iter().flat_map(|(file, schemas)| std::iter::once(file).chain(schemas));
    let named: Vec<PathBuf> =
        paths.iter().chain(&arguments.stdin_path).chain(rest).cloned().collect();
    world.stay_inside(&named);
    let run = Run {
        settings,
        world,
        files: found.files,
        spelling,
        strict: arguments.strict,
        quiet: false,
        verbose: false,
        verdicts: false,
    };
    let (wrong, warnings, skipped) = (found.wrong, found.warnings, found.skipped);
    Ok(Prepared { run, stdin, wrong, warnings, skipped })
}

/// The findings in files and the verdicts of clients, as `--format json` prints them; also why some
/// files were not checked.
///
/// # Errors
/// If a client is unknown, or the settings can't be used.
#[cfg(feature = "mcp")]
pub fn answer(
    paths: Vec<PathBuf>,
    clients: Vec<String>,
) -> anyhow::Result<(serde_json::Value, Vec<String>)> {
    let Prepared { mut run, wrong, skipped, .. } =
        prepare(&Arguments { paths, clients, ..Arguments::default() })?;
    (run.quiet, run.verdicts) = (true, true);
    let mut out = Vec::new();
    report(&run, &json::Json, 0, &mut out)?;
    let settings = run.settings.problems().into_iter().chain(run.settings.unknown());
    let missing = wrong.into_iter().chain(skipped).chain(settings).collect();
    Ok((serde_json::from_slice(&out)?, missing))
}

pub fn run(arguments: Arguments, global: &Global) -> anyhow::Result<Status> {
    let Prepared { mut run, stdin, wrong, warnings, skipped } = prepare(&arguments)?;
    let mut status = if wrong.is_empty() { Status::Fine } else { Status::Wrong };
    wrong.iter().for_each(|message| complain(message));
    warnings.iter().for_each(|message| warn(message));
    for message in &skipped {
        warn(message);
        status = status.max(Status::Found);
    }
    (run.quiet, run.verbose) = (global.quiet, global.verbose);
    run.verdicts = matches!(arguments.format, OutputFormat::Json | OutputFormat::Jsonl)
        || arguments.format == OutputFormat::Human && !arguments.clients.is_empty();
    let mut fixed = fix::Fixed::default();
    if arguments.fix {
        fixed = fix::all(&mut run);
        if arguments.diff {
            return Ok(status.max(show(&run, &fixed, arguments.strict)?));
        }
        status = status.max(match &stdin {
            Some(stdin) => fix::print(&run, stdin)?,
            None => fix::write(&mut run, &mut fixed),
        });
    }
    let reporter = reporter(&arguments, global, &fixed);
    let summary = if arguments.fix && stdin.is_some() {
        report(&run, reporter.as_ref(), fixed.count(), &mut anstream::stderr())?
    } else if arguments.format == OutputFormat::Human {
        report(&run, reporter.as_ref(), fixed.count(), &mut anstream::stdout())?
    } else {
        report(&run, reporter.as_ref(), fixed.count(), &mut std::io::stdout().lock())?
    };
    if summary.fails(arguments.strict) {
        status = status.max(Status::Found);
    }
    if summary.crashed > 0 {
        status = Status::Wrong;
    }
    Ok(status.max(problems(&run)))
}

/// Prints what `--fix` would change, and whether that leaves errors.
fn show(run: &Run, fixed: &fix::Fixed, strict: bool) -> anyhow::Result<Status> {
    let changes: Vec<Change> = fixed
        .files
        .iter()
        .map(|change| Change {
            shown: &change.file.shown,
            path: (!change.file.nameless).then_some(&change.file.path),
            old: &change.old,
            new: &change.new,
        })
        .collect();
    diff::print(&changes)?;
    let summary = report(run, &Silent, 0, &mut std::io::sink())?;
    let errors = match strict {
        true => summary.of(Severity::Error) + summary.of(Severity::Warning),
        false => summary.of(Severity::Error),
    };
    if errors > 0 && !run.quiet {
        note(&format!(
            "{} without a safe fix; `agentmd check` shows what is wrong",
            count(errors, if strict { "finding" } else { "error" })
        ));
    }
    let status = match summary.crashed {
        0 if changes.is_empty() && errors == 0 => Status::Fine,
        0 => Status::Found,
        _ => Status::Wrong,
    };
    Ok(status.max(problems(run)))
}

/// Reports unusable settings, and names in settings that mean nothing.
fn problems(run: &Run) -> Status {
    let problems = run.settings.problems();
    problems.iter().for_each(|problem| {
        complain(&format!("{}; the files below it were not checked", problem.trim_end()))
    });
    let unknown = run.settings.unknown();
    unknown.iter().for_each(|message| complain(message));
    if problems.is_empty() && unknown.is_empty() { Status::Fine } else { Status::Wrong }
}

fn reporter(arguments: &Arguments, global: &Global, fixed: &fix::Fixed) -> Box<dyn Reporter> {
    match arguments.format {
        OutputFormat::Human => Box::new(human::Human::new(arguments, global, fixed)),
        OutputFormat::Json => Box::new(json::Json),
        OutputFormat::Jsonl => Box::new(jsonl::JsonLines),
        OutputFormat::Junit => Box::new(junit::JUnit),
        OutputFormat::Sarif => Box::new(sarif::Sarif::new()),
        OutputFormat::Github => Box::new(github::GitHub::new()),
    }
}

/// Checks every file and prints the findings, file by file in order.
fn report(
    run: &Run,
    reporter: &dyn Reporter,
    fixed: usize,
    out: &mut dyn Write,
) -> anyhow::Result<Summary> {
    let mut summary = Summary { fixed, ..Summary::default() };
    let started = Instant::now();
    let progress = Progress::new(run.files.len(), run.quiet);
    let mut result = out.write_all(reporter.begin().as_bytes());
    let mut first = true;
    let work = |index: usize| {
        let file = run.files.get(index)?;
        // A panic is a bug: report it, and continue with the next file.
        let checked = catch_unwind(AssertUnwindSafe(|| {
            run.check(file).map(|checked| {
                (reporter.file(&checked), Tally::of(&checked, reporter.shows_hints()))
            })
        }));
        if checked.is_err() {
            complain(&format!(
                "{}: the check of this file crashed, which is a bug in agentmd; please report it",
                file.shown
            ));
        }
        Some(checked)
    };
    pool::ordered(run.files.len(), &progress, work, |answer| {
        match answer {
            Some(Ok(Some((text, tally)))) => {
                summary.add(tally);
                if !text.is_empty() {
                    let between = if std::mem::take(&mut first) { "" } else { reporter.between() };
                    result = progress.suspend(|| {
                        out.write_all(between.as_bytes())
                            .and_then(|()| out.write_all(text.as_bytes()))
                    });
                }
            }
            Some(Err(_)) => summary.crashed += 1,
            _ => {}
        }
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    drop(progress);
    if run.verbose {
        note(&format!("checked {} in {:.1?}", count(summary.files, "file"), started.elapsed()));
    }
    summary.unusable = !run.settings.problems().is_empty();
    summary.misread = !run.settings.unknown().is_empty();
    let result = result
        .and_then(|()| out.write_all(reporter.end(&summary).as_bytes()))
        .and_then(|()| out.flush());
    match result {
        // The reader has closed the pipe; the findings so far still count.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(summary),
        result => Ok(result.map(|()| summary)?),
    }
}

impl Run {
    /// The settings of a file.
    fn config(&self, file: &File) -> Option<Arc<Config>> {
        self.settings.of(file.path.parent().unwrap_or(&file.path))
    }

    /// Checks one file; `None` if its settings can't be used.
    fn check<'a>(&'a self, file: &'a File) -> Option<Checked<'a>> {
        let config = self.config(file)?;
        Some(match self.world.read(&file.path) {
            Ok(source) => self.check_source(file, source, &config),
            Err(error) => {
                let diagnostics = self.unreadable(file, &error, &config).into_iter().collect();
                Checked {
                    file,
                    source: Source::new(""),
                    format: plain::FORMAT.name,
                    diagnostics,
                    verdicts: None,
                    world: &self.world,
                    spelling: &self.spelling,
                }
            }
        })
    }

    fn check_source<'a>(&'a self, file: &'a File, source: Source, config: &Config) -> Checked<'a> {
        let path = (!file.nameless).then_some(file.path.as_path());
        let document = Document::from_source(source, path, config);
        let cx = Context::new(document.source(), path, &self.world, config);
        let mut diagnostics = ide::diagnostics::diagnostics(&document, &cx);
        let verdicts = self.verdicts.then(|| ide::verdicts::verdicts(&document, &cx)).flatten();
        diagnostics.retain(|diagnostic| self.settings.shows(diagnostic.rule));
        for diagnostic in diagnostics.iter_mut().filter(|diagnostic| {
            self.strict && diagnostic.rule.strict && diagnostic.severity == Severity::Warning
        }) {
            diagnostic.severity = Severity::Error;
        }
        Checked {
            file,
            source: document.source().clone(),
            format: document.format().name,
            diagnostics,
            verdicts,
            world: &self.world,
            spelling: &self.spelling,
        }
    }

    fn unreadable(&self, file: &File, error: &ReadError, config: &Config) -> Option<Diagnostic> {
        let severity = config
            .severity(&UNREADABLE, Some(&file.path))
            .filter(|_| self.settings.shows(&UNREADABLE))?;
        let mut report = Report::default();
        let utf16 = matches!(error, ReadError::NotUtf8 { offset: 0 }) && is_utf16(&file.path);
        let words = if utf16 { "the file is UTF-16, not UTF-8".to_owned() } else { why(error) };
        // Editors and people can read it anyway.
        let harmless = || client::roles(client::place(&self.world, &file.path)).is_empty();
        let is_chosen = || config.chosen_severity(&UNREADABLE, Some(&file.path)).is_some();
        let severity = if utf16 && !is_chosen() && harmless() { Severity::Hint } else { severity };
        report.add(&UNREADABLE, 0..0, format!("{words}, so it was not checked")).severity =
            severity;
        report.diagnostics.pop()
    }
}

/// Whether a file begins with the byte order mark of UTF-16.
fn is_utf16(path: &Path) -> bool {
    let mut mark = [0; 2];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut mark));
    read.is_ok() && matches!(mark, [0xff, 0xfe] | [0xfe, 0xff])
}

/// Why a file can't be read, as the beginning of a message.
fn why(error: &ReadError) -> String {
    match error {
        ReadError::Missing => "the file no longer exists".to_owned(),
        ReadError::Io(message) => format!("cannot read the file ({message})"),
        ReadError::Folder
        | ReadError::NotUtf8 { .. }
        | ReadError::TooLarge { .. }
        | ReadError::Irregular
        | ReadError::Symlink
        | ReadError::Outside => format!("the file {error}"),
    }
}
