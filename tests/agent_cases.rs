//! Small workspaces with agent files, and the findings expected in them. The cases are read from a
//! folder next to the project. Any finding above a hint in an unexpected place fails a case.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agentmd::config::{Config, Options};
use agentmd::document::Document;
use agentmd::format::Context;
use agentmd::ide;
use agentmd::rule::{Diagnostic, Severity};
use agentmd::text::{Encoding, apply};
use agentmd::world::{Memory, World};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct Case {
    id: String,
    clients: Vec<String>,
    files: BTreeMap<String, String>,
    expect: Vec<Expected>,
    #[serde(default)]
    silent: bool,
    #[serde(default)]
    at_most: Option<usize>,
    #[serde(default)]
    no_safe_fix: bool,
    #[serde(default)]
    span: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Expected {
    path: String,
    line: usize,
    text_of_span: String,
    what: String,
}

struct Found {
    path: String,
    text: String,
    diagnostics: Vec<Diagnostic>,
}

fn check(case: &Case) -> Vec<Found> {
    let root = PathBuf::from("/w");
    let all: Vec<String> =
        agentmd::client::catalog().clients.iter().map(|client| client.name.clone()).collect();
    let clients = case
        .clients
        .iter()
        .filter(|name| *name != "none")
        .flat_map(|name| if name == "all" { all.clone() } else { vec![name.clone()] });
    let options = Options { clients: clients.collect(), ..Options::default() };
    let config = Config::new(root.clone(), options).unwrap();
    let world =
        case.files.iter().fold(Memory::default().in_folder(&root), |world, (path, text)| {
            world.with(root.join(path), text)
        });
    let check = |(path, text): (&String, &String)| {
        let full = root.join(path);
        let document = Document::from_source(world.read(&full).unwrap(), Some(&full), &config);
        let diagnostics = ide::diagnostics::diagnostics(
            &document,
            &Context::new(document.source(), Some(&full), &world, &config),
        );
        Found { path: path.clone(), text: text.clone(), diagnostics }
    };
    case.files.iter().map(check).collect()
}

/// The lines, counted from 1, in which a finding must be.
fn allowed(case: &Case, expected: &Expected) -> std::ops::RangeInclusive<usize> {
    let text = &case.files[&expected.path];
    let lines: Vec<&str> = text.lines().collect();
    match case.span.as_deref() {
        Some("file") => 1..=lines.len().max(1),
        Some("front-matter") => {
            1..=lines
                .iter()
                .enumerate()
                .filter(|(_, line)| **line == "---")
                .nth(1)
                .map_or(lines.len(), |(at, _)| at + 1)
        }
        Some("value") => {
            let key = |line: &&&str| {
                !line.starts_with([' ', '-']) && line.contains(':') || **line == "---"
            };
            let first = lines[..expected.line]
                .iter()
                .rposition(|line| key(&line))
                .map_or(expected.line, |at| at + 1);
            let next = lines[expected.line..]
                .iter()
                .position(|line| key(&line))
                .map_or(lines.len(), |at| expected.line + at);
            first..=next
        }
        _ => expected.line..=expected.line,
    }
}

fn problems(case: &Case) -> Vec<String> {
    let found = check(case);
    let mut wrong = Vec::new();
    let mut count = 0;
    let mut met = vec![false; case.expect.len()];
    for file in &found {
        let document = Document::new(&file.text, None, &Config::default());
        for diagnostic in &file.diagnostics {
            let source = document.source();
            let line = |at: usize| source.position(at, Encoding::Utf8).line as usize + 1;
            let lines = line(diagnostic.span.start)..=line(diagnostic.span.end);
            let mut here = false;
            for (index, expected) in
                case.expect.iter().enumerate().filter(|(_, expected)| expected.path == file.path)
            {
                let places = allowed(case, expected);
                let touches = lines.start() <= places.end() && places.start() <= lines.end();
                let exact = case.span.is_some() || {
                    let start = source.offset(
                        agentmd::text::Position { line: expected.line as u32 - 1, column: 0 },
                        Encoding::Utf8,
                    );
                    let at = file.text[start..].find(&expected.text_of_span).unwrap() + start;
                    diagnostic.span.start <= at + expected.text_of_span.len()
                        && at <= diagnostic.span.end
                };
                if touches && exact {
                    met[index] = true;
                    here = true;
                }
            }
            if diagnostic.severity > Severity::Hint {
                count += 1;
                if !here {
                    wrong.push(format!(
                        "unexpected {} {:?} {}",
                        diagnostic.rule.code, diagnostic.severity, diagnostic.message
                    ));
                }
            }
        }
        if case.no_safe_fix
            && file.diagnostics.iter().any(|found| found.fixes.iter().any(|fix| fix.safe))
        {
            wrong.push("a fix is safe".to_owned());
        }
        // Every safe fix must apply.
        for fix in
            file.diagnostics.iter().filter_map(|found| found.fixes.iter().find(|fix| fix.safe))
        {
            assert!(apply(&file.text, &fix.edits).is_ok(), "{}", case.id);
        }
    }
    wrong.extend(
        case.expect
            .iter()
            .zip(met)
            .filter(|(_, met)| !met)
            .map(|(expected, _)| format!("{} was not found", expected.what)),
    );
    if case.silent && count > 0 {
        wrong.push(format!("{count} findings in a silent case"));
    }
    if case.at_most.is_some_and(|most| count > most) {
        wrong.push(format!("{count} findings"));
    }
    wrong
}

#[test]
fn known_cases() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/agent-files.jsonl");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: no agent file cases next to the project");
        return;
    };
    let cases: Vec<Case> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!cases.is_empty());
    let wrong: Vec<String> = cases
        .iter()
        .map(|case| (case, problems(case)))
        .filter(|(_, wrong)| !wrong.is_empty())
        .map(|(case, wrong)| format!("{}: {}", case.id, wrong.join("; ")))
        .collect();
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
