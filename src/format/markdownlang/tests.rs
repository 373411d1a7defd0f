//! MDL-1 to MDL-12, MDL-18, MDL-23 and MDL-24 of the conformance list.

mod body;
mod declare;
mod editing;
mod fields;
mod front_matter;
mod imports;
mod laws;
mod limits;
mod mentions;
mod programs;
mod recognition;
mod schemas;
mod servers;
mod specification;
mod types;
mod template;

use std::path::Path;

use crate::config::{Config, Level, Options};
use crate::document::Document;
use crate::format::Context;
use crate::ide::diagnostics::diagnostics;
use crate::rule::{Diagnostic, Severity};
use crate::text::{Span, apply};
use crate::world::Memory;

const PATH: &str = "/w/greet.md";

/// Front matter without mistakes, except for `fields` at its end.
fn program(fields: &str) -> String {
    format!(
        "---\nname: greet\ndescription: Greets a person\n{INPUT}{OUTPUT}{fields}---\n\nGreet {{{{ .who }}}}.\n"
    )
}

const INPUT: &str =
    "input: { type: object, properties: { who: { type: string } }, required: [who] }\n";
const OUTPUT: &str =
    "output: { type: object, properties: { text: { type: string } }, required: [text] }\n";

/// A program without mistakes, except for the replacement of one field.
fn with_field(name: &str, entry: &str) -> String {
    let mut out = String::from("---\n");
    for (field, line) in [
        ("name", "name: greet\n"),
        ("description", "description: Greets a person\n"),
        ("input", INPUT),
        ("output", OUTPUT),
    ] {
        out.push_str(if field == name { entry } else { line });
    }
    out + "---\n\nGreet {{ .who }}.\n"
}

fn world() -> Memory {
    let helper = "---\nname: helper\ndescription: Helps\n".to_owned()
        + INPUT
        + OUTPUT
        + "---\n\nHelp {{ .who }}.\n";
    Memory::default()
        .with("/w/helper.md", &helper)
        .with("/w/notes.txt", "")
        .with("/w/tools/analyzer.md", &helper)
        .with("/up/above.md", &helper)
}

/// The text without the marks, and the spans between `«` and `»`.
fn marked(text: &str) -> (String, Vec<Span>) {
    let (mut plain, mut spans, mut open) = (String::new(), Vec::new(), Vec::new());
    for character in text.chars() {
        match character {
            '«' => open.push(plain.len()),
            '»' => spans.push(open.pop().unwrap()..plain.len()),
            other => plain.push(other),
        }
    }
    spans.sort_by_key(|span| (span.start, span.end));
    (plain, spans)
}

fn config(codes: &[&str]) -> Config {
    let mut options = Options::default();
    for code in codes
        .iter()
        .filter(|code| crate::format::rules().iter().any(|rule| rule.code == **code && rule.off))
    {
        options.rules.insert((*code).to_owned(), Level::Info);
    }
    Config::new("/w".into(), options).unwrap()
}

fn findings_at(path: Option<&str>, text: &str, codes: &[&str]) -> Vec<Diagnostic> {
    let (path, config, world) = (path.map(Path::new), config(codes), world());
    let document = Document::new(text, path, &config);
    diagnostics(&document, &Context::new(document.source(), path, &world, &config))
}

fn findings(text: &str) -> Vec<Diagnostic> {
    findings_at(Some(PATH), text, &[])
}

fn shown(text: &str, code: &str, span: &Span) -> String {
    format!("{code} {span:?} {:?}", text.get(span.clone()).unwrap_or("?"))
}

/// The marked characters have exactly these findings, in document order: with every kind of line
/// break, with a byte order mark, and when the text was typed rather than opened.
#[track_caller]
fn check(text: &str, codes: &[&str]) {
    let variants = [
        text.to_owned(),
        text.replace('\n', "\r\n"),
        format!("\u{feff}{text}"),
        text.trim_end_matches('\n').to_owned(),
    ];
    for text in variants {
        let (text, spans) = marked(&text);
        assert_eq!(spans.len(), codes.len(), "marks and codes");
        let expected: Vec<_> =
            codes.iter().zip(&spans).map(|(code, span)| shown(&text, code, span)).collect();
        let found = findings_at(Some(PATH), &text, codes);
        let all: Vec<_> =
            found.iter().map(|finding| shown(&text, finding.rule.code, &finding.span)).collect();
        assert_eq!(
            all,
            expected,
            "{text}\n{:#?}",
            found.iter().map(|finding| &finding.message).collect::<Vec<_>>()
        );
        for (finding, fix) in
            found.iter().flat_map(|finding| finding.fixes.iter().map(move |fix| (finding, fix)))
        {
            let mended =
                apply(&text, &fix.edits).unwrap_or_else(|error| panic!("`{}`: {error}", fix.title));
            let left = findings_at(Some(PATH), &mended, codes);
            let of_rule = |findings: &[Diagnostic]| {
                findings.iter().filter(|other| other.rule == finding.rule).count()
            };
            let severe = |findings: &[Diagnostic]| {
                findings.iter().filter(|finding| finding.severity == Severity::Error).count()
            };
            let better = of_rule(&left) < of_rule(&found) && severe(&left) <= severe(&found);
            assert!(
                better,
                "`{}` leaves\n{mended}\n{:#?}",
                fix.title,
                left.iter().map(|finding| &finding.message).collect::<Vec<_>>()
            );
        }
    }
}

/// The only finding has a fix with this title that makes this text.
#[track_caller]
fn fixes(text: &str, title: &str, expected: &str) {
    let (text, _) = marked(text);
    let found = findings(&text);
    let titles: Vec<_> =
        found.iter().flat_map(|finding| &finding.fixes).map(|fix| fix.title.as_str()).collect();
    let fix = found.iter().flat_map(|finding| &finding.fixes).find(|fix| fix.title == title);
    let fix = fix.unwrap_or_else(|| {
        panic!(
            "no fix `{title}` but {titles:?} in {:#?}",
            found.iter().map(|finding| &finding.message).collect::<Vec<_>>()
        )
    });
    assert_eq!(apply(&text, &fix.edits).unwrap(), expected);
}
