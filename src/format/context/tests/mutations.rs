//! Packs broken by every possible single mistake: they are read, their spans are right, and one
//! mistake gives one finding or two.

use std::path::Path;

use crate::config::Config;
use crate::document::Document;
use crate::format::Context;
use crate::ide;
use crate::rule::Diagnostic;
use crate::text;
use crate::world::Memory;

/// A pack without mistakes.
const GOOD: &str = "# Prompt 🦆\n\n## Context\n\n### Code (from src/a.rs:1-2)\n```rust\nfn a() {\n}\n```\n\n### Repl-History\n```lisp\n> (a)\n日本\n```\n\n### File (from b (1).md)\n````markdown\n```\nx\n```\n````\n\n### Error (from src/a.rs:2-2)\n```text\nboom\n```\n\n## Request\n\nMend it.\n";

fn findings(text: &str) -> Vec<Diagnostic> {
    let (config, path) = (Config::default(), Path::new("/w/p.md"));
    let world = Memory::default()
        .with("/w/src/a.rs", "fn a() {\n}\n")
        .with("/w/b (1).md", "```\nx\n```\n")
        .in_folder("/w");
    let document = Document::new(text, Some(path), &config);
    let cx = Context::new(document.source(), Some(path), &world, &config);
    for offset in (0..text.len()).filter(|offset| text.is_char_boundary(*offset)) {
        ide::hover::hover(&document, &cx, offset);
        ide::completion::completions(&document, &cx, offset);
    }
    let found = ide::diagnostics::diagnostics(&document, &cx);
    for finding in &found {
        assert!(
            text.get(finding.span.clone()).is_some_and(|part| !part.is_empty()),
            "{} {:?}",
            finding.rule.code,
            finding.span
        );
        for fix in &finding.fixes {
            text::apply(text, &fix.edits)
                .unwrap_or_else(|error| panic!("{}: {}: {error}", finding.rule.code, fix.title));
        }
    }
    found
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

#[test]
fn one_mistake_gives_few_findings() {
    assert_eq!(findings(GOOD), []);
    let mutations: [fn(&str) -> String; 5] = [
        |line| format!("{line}{line}"),
        |_| String::new(),
        |line| format!("\n{line}"),
        |line| line.to_lowercase(),
        |line| format!("  {line}"),
    ];
    for (at, line) in lines(GOOD).iter().enumerate() {
        for (number, mutate) in mutations.iter().enumerate() {
            let text: String = lines(GOOD)
                .iter()
                .enumerate()
                .map(|(index, line)| if index == at { mutate(line) } else { (*line).to_owned() })
                .collect();
            let found = findings(&text);
            let codes: Vec<&str> = found.iter().map(|finding| finding.rule.code).collect();
            assert!(codes.len() <= 2, "{number} on {line:?}: {codes:?}\n{text}");
        }
    }
}

#[test]
fn a_pack_cut_anywhere_is_read() {
    for at in (0..GOOD.len()).filter(|at| GOOD.is_char_boundary(*at)) {
        let codes: Vec<&str> =
            findings(&GOOD[..at]).iter().map(|finding| finding.rule.code).collect();
        assert!(codes.len() <= 2, "cut at {at}: {codes:?}");
    }
}

#[test]
fn a_fix_adds_no_findings() {
    for (old, new) in [
        ("1-2", "1-3"),
        ("1-2", "2-1"),
        ("fn a() {\n", "fn b() {\n"),
        ("src/a.rs:1", "src/b.rs:1"),
        ("Error", "Eror"),
        ("(1).md)\n", "(1).md)\n\n"),
        ("boom\n```", "boom\n````"),
        ("boom\n```", "boom"),
        ("日本", "```\n日本\n```"),
        ("2-2)", "2-2"),
    ] {
        let text = GOOD.replacen(old, new, 1);
        let found = findings(&text);
        assert_eq!(found.len(), 1, "{new}: {found:#?}");
        for fix in &found[0].fixes {
            let mended = text::apply(&text, &fix.edits).unwrap();
            assert_eq!(findings(&mended), [], "{}\n{mended}", fix.title);
        }
    }
}
