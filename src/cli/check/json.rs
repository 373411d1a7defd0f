//! JSON output: its shape is a contract.

use std::fmt::Write;

use serde::Serialize;

use super::report::{Checked, Range, Reporter, Summary, related_source};
use crate::client::{Kind, Outcome};
use crate::rule::{Diagnostic, Severity};
use crate::text::is_unprintable;

/// One object with every checked file that has findings or is an agent file, a file per line.
pub struct Json;

#[derive(Serialize)]
struct JsonFile<'a> {
    path: &'a str,
    format: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    verdicts: Vec<JsonVerdict<'a>>,
    diagnostics: Vec<JsonDiagnostic<'a>>,
}

#[derive(Serialize)]
struct JsonVerdict<'a> {
    client: &'a str,
    outcome: Outcome,
    reasons: &'a [String],
}

#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    code: &'a str,
    severity: Severity,
    message: &'a str,
    range: Range,
    fixes: Vec<JsonFix<'a>>,
    related: Vec<JsonRelated<'a>>,
}

#[derive(Serialize)]
struct JsonFix<'a> {
    title: &'a str,
    safe: bool,
    edits: Vec<JsonEdit<'a>>,
}

#[derive(Serialize)]
struct JsonEdit<'a> {
    range: Range,
    text: &'a str,
}

#[derive(Serialize)]
struct JsonRelated<'a> {
    /// Absent: the same file.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// Absent: the other file can't be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
    message: &'a str,
}

#[derive(Serialize)]
struct JsonSummary {
    files: usize,
    errors: usize,
    warnings: usize,
    infos: usize,
    hints: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed: Option<usize>,
}

impl Reporter for Json {
    fn begin(&self) -> String {
        "{\"version\":1,\"files\":[\n".to_owned()
    }

    fn file(&self, checked: &Checked) -> String {
        if checked.diagnostics.is_empty() && checked.verdicts.is_none() {
            return String::new();
        }
        let kind = checked.verdicts.as_ref().map(|(kind, _)| *kind);
        let verdicts = checked.verdicts.iter().flat_map(|(_, verdicts)| verdicts);
        let verdicts = verdicts
            .map(|verdict| JsonVerdict {
                client: &verdict.client,
                outcome: verdict.outcome,
                reasons: &verdict.reasons,
            })
            .collect();
        let diagnostics =
            checked.diagnostics.iter().map(|found| diagnostic(checked, found)).collect();
        to_string(&JsonFile {
            path: &checked.file.shown,
            format: checked.format,
            kind,
            verdicts,
            diagnostics,
        })
    }

    fn between(&self) -> &'static str {
        ",\n"
    }

    fn end(&self, summary: &Summary) -> String {
        format!("\n],\"summary\":{}}}\n", summary_of(summary))
    }
}

/// The summary as an object.
pub fn summary_of(summary: &Summary) -> String {
    to_string(&JsonSummary {
        files: summary.files,
        errors: summary.of(Severity::Error),
        warnings: summary.of(Severity::Warning),
        infos: summary.of(Severity::Info),
        hints: summary.of(Severity::Hint),
        fixed: Some(summary.fixed).filter(|fixed| *fixed > 0),
    })
}

fn diagnostic<'a>(checked: &Checked, found: &'a Diagnostic) -> JsonDiagnostic<'a> {
    let edits = |fix: &'a crate::rule::Fix| {
        fix.edits
            .iter()
            .map(|edit| JsonEdit {
                range: Range::of(&checked.source, &edit.span),
                text: &edit.text,
            })
            .collect()
    };
    JsonDiagnostic {
        code: found.rule.code,
        severity: found.severity,
        message: &found.message,
        range: Range::of(&checked.source, &found.span),
        fixes: found
            .fixes
            .iter()
            .map(|fix| JsonFix { title: &fix.title, safe: fix.safe, edits: edits(fix) })
            .collect(),
        related: found
            .related
            .iter()
            .map(|related| JsonRelated {
                path: related.path.as_deref().map(|path| checked.spelling.of(path)),
                range: related_source(checked, related)
                    .map(|(source, _)| Range::of(&source, &related.span)),
                message: &related.message,
            })
            .collect(),
    }
}

/// Structs of strings and numbers always serialize. Characters that steer a terminal are escaped;
/// JSON has them only in strings.
pub fn to_string(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).unwrap_or_default();
    if !text.contains(is_unprintable) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match is_unprintable(char) {
            true => _ = write!(out, "\\u{:04x}", u32::from(char)),
            false => out.push(char),
        }
    }
    out
}
