//! A converted glob matches the same files in the other client.

use proptest::prelude::*;

use crate::client::dialect;
use crate::client::loading::GlobReading;
use crate::format::agent::convert::globs::{Translated, translate};
use crate::format::agent::convert::{places, scope};

/// The readings of all rules with globs, each once.
fn readings() -> Vec<(&'static str, &'static GlobReading)> {
    let mut found: Vec<(&str, &GlobReading)> = Vec::new();
    for place in places().filter(|place| scope::glob_key(place.reads).is_some()) {
        if place.reads.loads.is_empty() {
            continue;
        }
        found.push((place.client.name.as_str(), &place.reads.globs));
    }
    found
}

fn matches(reading: &GlobReading, globs: &[String], path: &str) -> bool {
    dialect::find(reading, globs, path).is_some()
}

fn glob() -> impl Strategy<Value = String> {
    let part = proptest::sample::select(vec![
        "**",
        "*",
        "*.ts",
        "src",
        "deep",
        "x.ts",
        "a.md",
        "s*",
        "{src,docs}",
        "*.{ts,md}",
        "[ab].md",
        "?.ts",
    ]);
    let ends = proptest::sample::select(vec!["", "/", "/**", "/*", "/**/*"]);
    let begins = proptest::sample::select(vec!["", "", "/", "**/"]);
    let parts = proptest::collection::vec(part, 1..4);
    (begins, parts, ends).prop_map(|(begin, parts, end)| format!("{begin}{}{end}", parts.join("/")))
}

fn path() -> impl Strategy<Value = String> {
    let folder = proptest::sample::select(vec!["src", "deep", "docs", "a", "s1"]);
    let file = proptest::sample::select(vec!["x.ts", "a.md", "b.md", "y.js", "s.ts"]);
    (proptest::collection::vec(folder, 0..4), file)
        .prop_map(|(folders, file)| folders.into_iter().chain([file]).collect::<Vec<_>>().join("/"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn translated_globs_match_the_same_files_or_are_lost(
        (from, to) in (proptest::sample::select(readings()), proptest::sample::select(readings())),
        glob in glob(),
        paths in proptest::collection::vec(path(), 12),
    ) {
        let Translated::Globs { globs, .. } = translate(from.1, to.1, &glob) else { return Ok(()) };
        for path in paths {
            if matches(from.1, std::slice::from_ref(&glob), &path) {
                prop_assert!(
                    matches(to.1, &globs, &path),
                    "{} `{glob}` matches {path}; {} `{globs:?}` doesn't", from.0, to.0
                );
            }
        }
    }
}

#[test]
fn globs_are_written_as_simply_as_possible() {
    let reading = |name: &str| {
        readings()
            .into_iter()
            .find(|(client, _)| *client == name)
            .map(|(_, reading)| reading)
            .unwrap()
    };
    for (from, to, glob, expected) in [
        ("claude-code", "cursor", "*.ts", &["**/*.ts"][..]),
        ("claude-code", "cursor", "src/", &["**/src/**"]),
        ("claude-code", "cursor", "x.ts", &["**/x.ts"]),
        ("claude-code", "cursor", "src", &["**/src", "**/src/**"]),
        ("claude-code", "cursor", "/src/**/*.ts", &["src/**/*.ts"]),
        ("claude-code", "cursor", "src/**/*.ts", &["src/**/*.ts"]),
        ("claude-code", "copilot", "*.ts", &["*.ts"]),
        ("copilot", "kiro", "*.ts", &["**/*.ts"]),
        ("copilot", "claude-code", "deep/*.ts", &["**/deep/*.ts"]),
        ("copilot", "claude-code", "*.ts", &["*.ts"]),
        ("cursor", "claude-code", "src/**/*.ts", &["src/**/*.ts"]),
        ("cursor", "claude-code", "docs/**", &["docs/**"]),
        ("cursor", "copilot", "src/**/*.ts", &["src/**/*.ts"]),
        ("cursor", "windsurf", "{src,docs}/*.ts", &["{src,docs}/*.ts"]),
    ] {
        let Translated::Globs { globs, .. } = translate(reading(from), reading(to), glob) else {
            panic!("{from} {glob} for {to} is lost");
        };
        assert_eq!(globs, expected, "{from} {glob} for {to}");
    }
    // It excludes files that others match.
    let lost = translate(reading("claude-code"), reading("cursor"), "!src/x.ts");
    assert_eq!(lost, Translated::Lost);
}
