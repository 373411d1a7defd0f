//! The report of a test run: for the terminal, for programs, for CI.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Duration;

use clap::builder::styling::{AnsiColor, Style};
use serde_json::{Value, json};

use super::Format;
use crate::cli::junit::escape;
use crate::cli::{count, printable};
use crate::format::markdownlang::suite::Suite;

/// The results of all test files.
#[derive(Debug, Default)]
pub struct Report {
    programs: Vec<(String, String, Vec<Result>)>,
}

/// The result of a case.
#[derive(Debug)]
pub struct Result {
    pub name: String,
    pub line: u32,
    pub took: Duration,
    pub verdict: Verdict,
}

/// The outcome of a case.
#[derive(Debug)]
pub struct Verdict {
    outcome: Outcome,
    message: Option<String>,
    expected: Option<Value>,
    actual: Option<Value>,
    cost: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Passed,
    Failed,
    /// It has no recording.
    Unrecorded,
    /// It couldn't run.
    Error,
}

impl Outcome {
    fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Unrecorded => "unrecorded",
            Self::Error => "error",
        }
    }
}

impl Verdict {
    fn new(outcome: Outcome, message: Option<String>) -> Self {
        Self { outcome, message, expected: None, actual: None, cost: None }
    }

    pub fn passed() -> Self {
        Self::new(Outcome::Passed, None)
    }

    pub fn failed(message: String, expected: Option<Value>, actual: Option<Value>) -> Self {
        Self { expected, actual, ..Self::new(Outcome::Failed, Some(message)) }
    }

    pub fn unrecorded(message: String) -> Self {
        Self::new(Outcome::Unrecorded, Some(message))
    }

    pub fn error(message: String) -> Self {
        Self::new(Outcome::Error, Some(message))
    }

    pub fn with_cost(self, cost: Option<f64>) -> Self {
        Self { cost, ..self }
    }
}

impl Report {
    pub fn add(&mut self, suite: &Suite, results: Vec<Result>) {
        let folder = std::path::Path::new(&suite.shown);
        let name = suite.program.file_name().unwrap_or_default();
        let program = crate::world::slashed(&folder.with_file_name(name));
        self.programs.push((program, suite.shown.clone(), results));
    }

    fn results(&self) -> impl Iterator<Item = &Result> {
        self.programs.iter().flat_map(|(_, _, results)| results)
    }

    fn count(&self, outcome: Outcome) -> usize {
        self.results().filter(|result| result.verdict.outcome == outcome).count()
    }

    pub fn is_empty(&self) -> bool {
        self.results().next().is_none()
    }

    pub fn is_fine(&self) -> bool {
        self.results().all(|result| result.verdict.outcome == Outcome::Passed)
    }

    pub fn print(&self, format: Format) -> std::io::Result<()> {
        let text = match format {
            Format::Human => self.human(),
            Format::Json => format!("{}\n", self.json()),
            Format::Junit => self.junit(),
        };
        let mut out = anstream::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }

    fn human(&self) -> String {
        let mut text = String::new();
        for (program, file, results) in &self.programs {
            // Writing to a string can't fail.
            let _ = writeln!(text, "{}", printable(program));
            let width =
                results.iter().map(|result| result.name.chars().count()).max().unwrap_or_default();
            for result in results {
                let style = match result.verdict.outcome {
                    Outcome::Passed => AnsiColor::Green.on_default(),
                    Outcome::Unrecorded => AnsiColor::Yellow.on_default(),
                    Outcome::Failed | Outcome::Error => AnsiColor::Red.on_default(),
                };
                let style: Style = style.bold();
                let outcome = result.verdict.outcome.name();
                let name = printable(&result.name);
                let took = crate::run::duration::format(result.took);
                let cost = result.verdict.cost.filter(|cost| *cost > 0.0);
                let cost = cost.map(|cost| format!("  ${cost}")).unwrap_or_default();
                let _ = writeln!(
                    text,
                    "  {style}{outcome:<10}{style:#}  {name:<width$}  {took:>8}{cost}"
                );
                if let Some(message) = &result.verdict.message {
                    let place = format!("{file}:{}", result.line);
                    let _ = writeln!(text, "      {}: {}", printable(&place), printable(message));
                }
            }
        }
        if !self.is_empty() {
            let mut parts = vec![format!("{} passed", self.count(Outcome::Passed))];
            for outcome in [Outcome::Failed, Outcome::Unrecorded, Outcome::Error] {
                match (self.count(outcome), outcome) {
                    (0, _) => {}
                    (number, Outcome::Error) => parts.push(count(number, "error")),
                    (number, outcome) => parts.push(format!("{number} {}", outcome.name())),
                }
            }
            let _ = writeln!(text, "\n{}", parts.join(", "));
        }
        text
    }

    fn json(&self) -> Value {
        let programs: Vec<Value> = self
            .programs
            .iter()
            .map(|(program, file, results)| {
                let cases: Vec<Value> = results.iter().map(case).collect();
                json!({ "path": program, "file": file, "cases": cases })
            })
            .collect();
        json!({ "programs": programs, "summary": {
            "passed": self.count(Outcome::Passed),
            "failed": self.count(Outcome::Failed),
            "unrecorded": self.count(Outcome::Unrecorded),
            "errors": self.count(Outcome::Error),
        } })
    }

    fn junit(&self) -> String {
        let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let number = |results: &mut dyn Iterator<Item = &Result>| {
            let (mut all, mut failures, mut errors) = (0, 0, 0);
            for result in results {
                all += 1;
                failures += usize::from(result.verdict.outcome == Outcome::Failed);
                errors += usize::from(matches!(
                    result.verdict.outcome,
                    Outcome::Error | Outcome::Unrecorded
                ));
            }
            format!("tests=\"{all}\" failures=\"{failures}\" errors=\"{errors}\"")
        };
        // Writing to a string can't fail.
        let _ = writeln!(text, "<testsuites {}>", number(&mut self.results()));
        for (program, file, results) in &self.programs {
            let _ = writeln!(
                text,
                "  <testsuite name=\"{}\" {}>",
                escape(program),
                number(&mut results.iter())
            );
            for result in results {
                let start = format!(
                    "    <testcase name=\"{}\" classname=\"{}\" file=\"{}\" line=\"{}\" time=\"{:.3}\"",
                    escape(&result.name),
                    escape(program),
                    escape(file),
                    result.line,
                    result.took.as_secs_f64()
                );
                let message = escape(result.verdict.message.as_deref().unwrap_or_default());
                let element = match result.verdict.outcome {
                    Outcome::Passed => {
                        let _ = writeln!(text, "{start}/>");
                        continue;
                    }
                    Outcome::Failed => "failure",
                    Outcome::Unrecorded | Outcome::Error => "error",
                };
                let kind = result.verdict.outcome.name();
                let _ = writeln!(
                    text,
                    "{start}>\n      <{element} type=\"{kind}\" message=\"{message}\"/>\n    </testcase>"
                );
            }
            text.push_str("  </testsuite>\n");
        }
        text.push_str("</testsuites>\n");
        text
    }
}

fn case(result: &Result) -> Value {
    let verdict = &result.verdict;
    let mut case =
        json!({ "name": result.name, "line": result.line, "outcome": verdict.outcome.name() });
    let entries = [
        ("expected", verdict.expected.clone()),
        ("actual", verdict.actual.clone()),
        ("message", verdict.message.clone().map(Value::from)),
        ("duration_ms", u64::try_from(result.took.as_millis()).ok().map(Value::from)),
        ("cost", verdict.cost.map(Value::from)),
    ];
    for (name, value) in entries {
        if let Some(value) = value {
            case[name] = value;
        }
    }
    case
}
