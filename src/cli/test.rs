//! `agentmd test`: runs the cases of programs, against recorded replies or live.

mod report;

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::ValueEnum;
use serde_json::{Value, json};

use super::run::{MODEL, execute, own_name, prices};
use super::{Global, Status, agree, complain, trust, warn};
use crate::format::markdownlang;
use crate::format::markdownlang::suite::{self, Case, Suite};
use crate::run::journal::{Journal, Level};
use crate::run::program::{self, Loaded, Program};
use crate::run::provider::{Provider, Settings};
use crate::run::tape::{Mismatch, Record, Replay, Tape};
use crate::run::{Options, Outcome, agreement, mcp};
use crate::source::Source;
use crate::world::{Disk, is_markdown};
use report::{Report, Result, Verdict};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "The cases of `name.md` are in `name.test.yaml` or in `tests` of its front \
        matter, their recordings in `name.recordings`. Without `--live`, nothing is sent or started, and no key is needed.\n\n\
        Exit status: 1 if a case fails or has no recording, or if there are no cases; 2 if a test \
        file can't be read."
)]
pub struct Arguments {
    /// Test files, programs, or folders that contain them
    #[arg(value_name = "PATH", default_value = ".", value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<PathBuf>,
    /// Ask the model, and record its replies
    #[arg(long)]
    live: bool,
    /// Only cases whose name contains this
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Only the case whose name is exactly that of `--filter`
    #[arg(long, requires = "filter")]
    exact: bool,
    /// The format of the report
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
    /// With `--live`: the model for programs that don't name one [default: gpt-4o]
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// With `--live`: the API of the provider
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
    /// With `--live`: the URL of the provider
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// With `--live`: end a case before a request if it has cost this many dollars
    #[arg(long, value_name = "DOLLARS", value_parser = super::run::dollars)]
    max_cost: Option<f64>,
    /// With `--live`: allow what the programs start now, without asking
    #[arg(long)]
    trust: bool,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Format {
    #[default]
    Human,
    Json,
    Junit,
}

/// The time limit of a case.
const TIMEOUT: Duration = Duration::from_secs(1_800);
/// The time limit of an answer.
const ANSWER: Duration = Duration::from_secs(600);
const MAX_ITERATIONS: usize = 10;
const PARALLEL: usize = 8;

pub fn run(arguments: &Arguments, global: &Global) -> anyhow::Result<Status> {
    let files = files(&arguments.paths)?;
    let mut suites = Vec::new();
    let mut sound = true;
    for (path, shown) in files {
        let text =
            std::fs::read_to_string(&path).with_context(|| format!("cannot read {shown}"))?;
        let suite = match suite::is_suite(&path) {
            true => Some(Suite::of_file(&path, &shown, &text)),
            false => of_front_matter(&path, &shown, &text),
        };
        match suite {
            None => {}
            Some(Ok(suite)) => suites.push(suite),
            Some(Err(flaws)) => {
                sound = false;
                flaws.iter().for_each(|flaw| complain(flaw));
            }
        }
    }
    sound &= is_unambiguous(&suites);
    if !sound {
        return Ok(Status::Wrong);
    }
    if arguments.live
        && let Err(missing) = agreement::check(&agree::home()?)
    {
        complain(&missing.to_string());
        let mut err = anstream::stderr();
        // A closed stderr can't be reported.
        let _ = writeln!(err, "\nTo accept the agreement, run: {} agree", own_name());
        return Ok(Status::Found);
    }
    let mut report = Report::default();
    for suite in &suites {
        let mut results = Vec::new();
        let wanted = suite.cases.iter().filter(|(_, case)| arguments.selects(case));
        let wanted: Vec<&(u32, Case)> = wanted.collect();
        if wanted.is_empty() {
            continue;
        }
        let runner = Runner { arguments, global, suite };
        let loaded = runner.load(&suite.program);
        for (line, case) in wanted {
            let began = Instant::now();
            let (verdict, interrupted) = match &loaded {
                Ok(program) => runner.case(program, case),
                Err(error) => (Verdict::error(error.clone()), None),
            };
            results.push(Result {
                name: case.name.clone(),
                line: *line,
                took: began.elapsed(),
                verdict,
            });
            if let Some(signal) = interrupted {
                report.add(suite, results);
                report.print(arguments.format)?;
                // The parent process sees that this one was killed.
                let _ = signal_hook::low_level::emulate_default_handler(signal);
                return Ok(Status::Found);
            }
        }
        report.add(suite, results);
    }
    report.print(arguments.format)?;
    if report.is_empty() {
        complain(&match arguments.filter.as_deref().filter(|_| !suites.is_empty()) {
            Some(name) if arguments.exact => format!("no case is named `{name}`"),
            Some(text) => format!("no case's name contains `{text}`"),
            None => "no cases found; a program `name.md` has them in `tests` or in \
                `name.test.yaml`"
                .to_owned(),
        });
        return Ok(Status::Found);
    }
    Ok(if report.is_fine() { Status::Fine } else { Status::Found })
}

impl Arguments {
    fn selects(&self, case: &Case) -> bool {
        self.filter.as_deref().is_none_or(|text| match self.exact {
            true => case.name == text,
            false => case.name.contains(text),
        })
    }
}

/// The tests in the front matter of a program; `None` if the file has none, or isn't a program.
fn of_front_matter(
    path: &Path,
    shown: &str,
    text: &str,
) -> Option<std::result::Result<Suite, Vec<String>>> {
    // Most Markdown files have no tests, so don't parse them.
    if !text.contains(suite::FIELD) {
        return None;
    }
    let source = Source::new(text);
    if !(markdownlang::FORMAT.recognise)(Some(path), &source) {
        return None;
    }
    Suite::of_front_matter(path, shown, &source, &markdownlang::header(&source))
}

/// Whether every case has its own recording. A program may have tests in its front matter and in a
/// file.
fn is_unambiguous(suites: &[Suite]) -> bool {
    let mut known: HashMap<PathBuf, String> = HashMap::new();
    let mut sound = true;
    for suite in suites {
        for (line, case) in &suite.cases {
            let place = format!("{}:{line}", suite.shown);
            if let Some(other) = known.insert(suite.recording(case), place.clone()) {
                complain(&format!("{place}: duplicate case `{}`, also in {other}", case.name));
                sound = false;
            }
        }
    }
    sound
}

/// The test files and the programs that may have tests, and how to name them.
fn files(paths: &[PathBuf]) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let mut found: Vec<(PathBuf, String)> = Vec::new();
    for path in paths {
        let shown = path.display();
        if path.is_dir() {
            let mut walk = ignore::WalkBuilder::new(path);
            walk.hidden(true).sort_by_file_path(Path::cmp);
            for entry in walk.build() {
                let entry = entry.with_context(|| format!("cannot read {shown}"))?;
                let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                let is_suite = suite::is_suite(entry.path());
                if !is_file || !is_suite && !is_markdown(entry.path()) {
                    continue;
                }
                let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
                let (path, shown) = named(entry.path())?;
                // Other tools have files with such names, too.
                let ours = match is_suite {
                    true => suite::is_ours(&text),
                    false => of_front_matter(&path, &shown, &text).is_some(),
                };
                if ours {
                    found.push((path, shown));
                }
            }
            continue;
        }
        anyhow::ensure!(path.exists(), "{shown}: no such file");
        if suite::is_suite(path) {
            found.push(named(path)?);
        } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md")) {
            let text =
                std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
            let (absolute, name) = named(path)?;
            let own = of_front_matter(&absolute, &name, &text).map(|_| (absolute, name));
            let file = suite::of_program(path).find(|file| file.is_file());
            let file = file.map(|file| named(&file)).transpose()?;
            if own.is_none() && file.is_none() {
                let wanted = suite::of_program(path).next().unwrap_or_default();
                anyhow::bail!("{shown} has no cases; write them in {}", wanted.display());
            }
            found.extend(own.into_iter().chain(file));
        } else {
            anyhow::bail!("{shown} is neither a program nor a test file: `.md` or `.test.yaml`");
        }
    }
    found.dedup_by(|one, other| one.0 == other.0);
    Ok(found)
}

fn named(path: &Path) -> anyhow::Result<(PathBuf, String)> {
    let plain = path.strip_prefix(".").unwrap_or(path);
    let absolute = std::path::absolute(path).with_context(|| plain.display().to_string())?;
    Ok((absolute, crate::world::slashed(plain)))
}

struct Runner<'a> {
    arguments: &'a Arguments,
    global: &'a Global,
    suite: &'a Suite,
}

type Interruption = Option<i32>;

impl Runner<'_> {
    fn load(&self, path: &Path) -> std::result::Result<Arc<Program>, String> {
        let folder = self.suite.path.parent().unwrap_or(Path::new(""));
        let own = path.strip_prefix(folder).unwrap_or(path);
        let shown = Path::new(&self.suite.shown).with_file_name(own);
        let shown = crate::world::slashed(&shown);
        let loaded = program::load(path, &shown, &Disk::default(), false);
        loaded.map(|Loaded { program, .. }| program).map_err(|flaws| flaws.join("; "))
    }

    fn case(&self, program: &Arc<Program>, case: &Case) -> (Verdict, Interruption) {
        let input = case.input.clone().or_else(|| program.sample.clone());
        let input = input.unwrap_or_else(|| json!({}));
        let folder = self.suite.recording(case);
        let command = format!(
            "record it with `agentmd test {} --live --exact --filter{}{}`",
            quoted(&self.suite.shown),
            if case.name.starts_with('-') { "=" } else { " " },
            quoted(&case.name)
        );
        let outcome = match self.execute(program, case, &folder, &command, input.clone()) {
            Ok(outcome) => outcome,
            Err(verdict) => return (*verdict, None),
        };
        if outcome.signal.is_some() {
            return (Verdict::error("the run was interrupted".to_owned()), outcome.signal);
        }
        let cost = outcome.cost;
        // A problem with the recording isn't the failure that the case expects.
        if let Some(mismatch) = outcome.mismatch.get() {
            return (Verdict::failed(mismatch.clone(), None, None), None);
        }
        let verdict = match (outcome.result, &case.expect.error) {
            (Ok(output), Some(_)) => Verdict::failed(
                format!("the run was expected to fail, but its output is {output}"),
                None,
                Some(output),
            ),
            (Err(error), Some(part)) if error.contains(part.as_str()) => Verdict::passed(),
            (Err(error), Some(part)) => Verdict::failed(
                format!("the run failed with another error than `{part}`: {error}"),
                Some(Value::from(part.as_str())),
                Some(Value::from(error)),
            ),
            (Err(error), None) => Verdict::failed(error, None, None),
            (Ok(output), None) => {
                let mut differences = case.expect.differences(&output);
                if differences.is_empty()
                    && let Some(judge) = &case.expect.judge
                {
                    let path = self.suite.path.with_file_name(&judge.program);
                    let criteria = judge.criteria.as_deref();
                    return self.judge(
                        &path,
                        case,
                        &folder.join("judge"),
                        &command,
                        &input,
                        &output,
                        criteria,
                        cost,
                    );
                }
                match differences.is_empty() {
                    true => Verdict::passed(),
                    false => {
                        let message: Vec<String> =
                            differences.iter().map(|found| found.message.clone()).collect();
                        let first = differences.swap_remove(0);
                        Verdict::failed(message.join("; "), first.expected, first.actual)
                    }
                }
            }
        };
        (verdict.with_cost(cost), None)
    }

    #[expect(clippy::too_many_arguments, reason = "each is a different thing")]
    fn judge(
        &self,
        path: &Path,
        case: &Case,
        folder: &Path,
        command: &str,
        input: &Value,
        output: &Value,
        criteria: Option<&str>,
        cost: Option<f64>,
    ) -> (Verdict, Interruption) {
        let program = match self.load(path) {
            Ok(program) => program,
            Err(error) => return (Verdict::error(format!("the judge can't run: {error}")), None),
        };
        let mut question = json!({ "input": input, "output": output });
        if let Some(criteria) = criteria {
            question["criteria"] = Value::from(criteria);
        }
        let outcome = match self.execute(&program, case, folder, command, question) {
            Ok(outcome) => outcome,
            Err(verdict) => return (*verdict, None),
        };
        let cost = cost.zip(outcome.cost).map(|(own, judge)| own + judge);
        let verdict = match outcome.result {
            Err(error) => Verdict::error(format!("the judge failed: {error}")),
            Ok(judgement) => match judgement.get("pass").and_then(Value::as_bool) {
                Some(true) => Verdict::passed(),
                Some(false) => {
                    let reason = judgement.get("reason").and_then(Value::as_str);
                    let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
                    Verdict::failed(
                        format!("`{}` rejects the output{reason}", program.name),
                        None,
                        Some(output.clone()),
                    )
                }
                None => Verdict::error(format!(
                    "the output of a judge needs `pass`, `true` or `false`, but `{}` returned {judgement}",
                    program.name
                )),
            },
        };
        (verdict.with_cost(cost), outcome.signal)
    }

    /// Runs a program for a case: against its recording, or live.
    fn execute(
        &self,
        program: &Arc<Program>,
        case: &Case,
        folder: &Path,
        command: &str,
        input: Value,
    ) -> std::result::Result<Executed, Box<Verdict>> {
        let quiet = self.global.quiet;
        let journal = Arc::new(Journal::new(false, move |level, message| {
            if level == Level::Warning && !quiet {
                warn(message);
            }
        }));
        let named = case.model.clone().or_else(|| self.arguments.model.clone());
        // The new recording replaces the old one only if the run reaches its end.
        let fresh = folder.with_extension("new");
        let (tape, recorded, mismatch) = if self.arguments.live {
            let _ = std::fs::remove_dir_all(&fresh);
            let record = Record::new(&fresh).map_err(Verdict::error)?;
            (Tape::Record(record), None, Mismatch::default())
        } else {
            let replay = Replay::new(folder, command);
            // An input that doesn't match is refused before anything is recorded.
            let replay = match replay {
                Err(error) if program.input.allows(&input) => {
                    return Err(Verdict::unrecorded(error).into());
                }
                Err(_) => Replay::empty(folder, command),
                Ok(replay) => replay,
            };
            let (model, mismatch) = (replay.model(), replay.mismatch());
            (Tape::Replay(replay), model, mismatch)
        };
        let model = named.or(recorded).unwrap_or_else(|| MODEL.to_owned());
        let wrong = |error: String| Verdict::error(journal.hide(&error));
        let settings = Settings {
            provider: self.arguments.provider.clone(),
            base_url: self.arguments.base_url.clone(),
            key: None,
            timeout: ANSWER,
        };
        let provider = Provider::new(settings, Arc::clone(&journal), Some(tape)).map_err(wrong)?;
        let own = program.model.clone().unwrap_or_else(|| model.clone());
        if self.arguments.live && program.input.allows(&input) {
            provider.check(&own).map_err(wrong)?;
            let place = provider.shown(&own);
            let home = agree::home().map_err(|error| Verdict::error(error.to_string()))?;
            let permitted =
                trust::permit(program, &program.path, &home, &place, self.arguments.trust);
            permitted
                .map_err(|error| Verdict::error(format!("{error:#}")))?
                .map_err(Verdict::error)?;
        }
        let options = Options {
            model,
            max_iterations: MAX_ITERATIONS,
            timeout: TIMEOUT,
            strict_servers: self.arguments.live,
            max_cost: self.arguments.max_cost,
            parallel: PARALLEL,
            server_start: mcp::START,
            tool_call: mcp::CALL,
        };
        let prices = prices(&program.path).map_err(|error| Verdict::error(format!("{error:#}")))?;
        let outcome = execute(provider, options, journal, prices, program, input)
            .map_err(|error| Verdict::error(format!("{error:#}")))?;
        let Outcome { result, summary, signal } = outcome;
        if self.arguments.live {
            replace(&fresh, folder, signal.is_none()).map_err(|error| {
                Verdict::error(format!("cannot write {}: {error}", folder.display()))
            })?;
        }
        Ok(Executed { result, signal, cost: summary.cost(), mismatch })
    }
}

/// Quotes a word for a shell. Every shell knows double quotes; if these would expand something,
/// single quotes are used, which Unix shells know.
fn quoted(word: &str) -> String {
    let is_plain = |char: char| char.is_alphanumeric() || "_-./=:@+,".contains(char);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    match word.contains(['"', '$', '`', '\\', '!', '%']) {
        true => format!("'{}'", word.replace('\'', "'\\''")),
        false => format!("\"{word}\""),
    }
}

struct Executed {
    result: std::result::Result<Value, String>,
    signal: Option<i32>,
    cost: Option<f64>,
    mismatch: Mismatch,
}

/// Puts a new recording in the place of the old one, or removes it.
fn replace(fresh: &Path, folder: &Path, done: bool) -> std::io::Result<()> {
    let is_empty = std::fs::read_dir(fresh)?.next().is_none();
    if !done || is_empty {
        return std::fs::remove_dir_all(fresh);
    }
    // The judge's recording is inside, and is replaced after this one.
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::rename(fresh, folder)
}
