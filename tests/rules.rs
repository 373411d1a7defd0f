//! Checks the examples in the rules' pages: every bad example gives exactly its rule's code, every
//! good one gives no findings, and every fix of a bad example removes its finding and adds none.

use std::path::{Path, PathBuf};

use agentmd::config::{Config, Level, Options};
use agentmd::document::Document;
use agentmd::format::{self, Context};
use agentmd::ide;
use agentmd::rule::fixture::Fixture;
use agentmd::rule::{Diagnostic, Example, Rule};
use agentmd::text::apply;
use agentmd::world::{Memory, resolve};

const PATH: &str = "/w/program.md";

/// The settings of an example: they enable the rule, use the clients that the example names, and
/// set the format of an empty reply, which can't be detected.
fn config(rule: &Rule, clients: Option<&str>) -> Config {
    let clients =
        clients.into_iter().flat_map(|names| names.split(',')).map(str::to_owned).collect();
    let mut options = Options { clients, ..Options::default() };
    if rule.off {
        options.rules.insert(rule.code.to_owned(), Level::Warning);
    }
    if rule.code == "duckflow/empty" {
        options.formats.insert("*.md".to_owned(), "duckflow".to_owned());
    }
    Config::new(PathBuf::from("/w"), options).unwrap()
}

fn findings(rule: &Rule, example: &Example, text: &str) -> Vec<Diagnostic> {
    let config = config(rule, example.clients);
    let path = &example.path.map_or_else(|| PathBuf::from(PATH), |path| Path::new("/w").join(path));
    let mut world = Memory::default().in_folder("/w").with(path, text);
    // Files that the pages assume to exist.
    if rule.group() == "agent" {
        world = world
            .with("/w/.claude-plugin/plugin.json", "{}")
            .with("/w/.claude/skills/bake-bread/scripts/knead.py", "");
    }
    if rule.code == "markdownlang/python-unavailable" {
        world = world.without_python();
    }
    for (name, content) in rule.files() {
        world = world.with(resolve(path, name), &content);
    }
    let document = Document::new(text, Some(path), &config);
    ide::diagnostics::diagnostics(
        &document,
        &Context::new(document.source(), Some(path), &world, &config),
    )
}

fn shown(findings: &[Diagnostic]) -> Vec<String> {
    findings
        .iter()
        .map(|finding| format!("{} {:?} {}", finding.rule.code, finding.span, finding.message))
        .collect()
}

#[test]
fn every_example_is_right() {
    let mut wrong = Vec::new();
    for rule in format::rules() {
        let (bad, good) = (rule.placed_examples("bad"), rule.placed_examples("good"));
        if rule.code == "markdown/unreadable" {
            continue;
        }
        if bad.is_empty() || good.is_empty() {
            wrong.push(format!("{} has no examples", rule.code));
        }
        for example in good {
            let text = &example.text;
            let found = findings(rule, &example, text);
            if !found.is_empty() {
                wrong.push(format!(
                    "the good example of {} gives {:#?}\n{text}",
                    rule.code,
                    shown(&found)
                ));
            }
        }
        for example in bad {
            let text = &example.text;
            let found = findings(rule, &example, text);
            if found.is_empty() || found.iter().any(|finding| finding.rule != rule) {
                wrong.push(format!(
                    "the bad example of {} gives {:#?}\n{text}",
                    rule.code,
                    shown(&found)
                ));
            }
            for fix in found.iter().flat_map(|finding| &finding.fixes) {
                let mended = apply(text, &fix.edits).unwrap();
                let left = findings(rule, &example, &mended);
                if left.len() >= found.len() || left.iter().any(|finding| finding.rule != rule) {
                    wrong.push(format!(
                        "after `{}`, {} gives {:#?}\n{mended}",
                        fix.title,
                        rule.code,
                        shown(&left)
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Code scanning and editors show the pages outside of `docs/`.
#[test]
fn links_of_a_page_work_outside_of_docs() {
    let named = |code: &str| format::rules().into_iter().find(|rule| rule.code == code).unwrap();
    for (code, link) in [
        ("agent/broken-json", "/blob/main/docs/rules/configuration/broken-json.md)"),
        ("agent/unknown-key", "/blob/main/docs/rules/agent/unused-key.md)"),
        ("markdownlang/invalid-test-pattern", "(https://docs.rs/regex/latest/regex/#syntax)"),
        ("markdownlang/python-unavailable", "/blob/main/docs/python.md)"),
        // Examples stay as they are.
        ("agent/outside-link", "\nRead [about tea](../../../docs/tea.md).\n"),
    ] {
        let page = agentmd::rule::page::standalone(named(code));
        assert!(page.contains(link), "{page}");
    }
}

#[test]
fn every_rule_is_described() {
    for rule in format::rules() {
        let (group, name) = rule.code.split_once('/').unwrap();
        let kebab = |word: &str| {
            !word.is_empty()
                && word.chars().all(|letter| {
                    letter.is_ascii_lowercase() || letter == '-' || letter.is_ascii_digit()
                })
        };
        assert!(kebab(group) && kebab(name), "{}", rule.code);
        assert!(
            !rule.summary.is_empty() && !rule.summary.ends_with('.'),
            "{}: {}",
            rule.code,
            rule.summary
        );
        assert!(!rule.page.trim().is_empty(), "{}", rule.code);
        // A fence is either an example or another file, which determines its heading.
        let is_both = |line: &&str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            words.first().is_some_and(|word| word.starts_with("```"))
                && words.iter().any(|word| matches!(*word, "bad" | "good"))
                && words.iter().any(|word| word.starts_with("file="))
        };
        assert_eq!(rule.page.lines().find(is_both), None, "{}", rule.code);
        for name in rule.page.split_whitespace().filter_map(|word| word.strip_prefix("within=")) {
            assert!(Fixture::named(name).is_some(), "{}: {name}", rule.code);
        }
    }
}

/// Status lines truncate messages after about this many characters.
const SHORT: usize = 60;

#[test]
fn messages_make_their_point_first() {
    let mut late = Vec::new();
    for rule in format::rules() {
        for example in rule.placed_examples("bad") {
            for finding in findings(rule, &example, &example.text) {
                // By then, the first clause must have ended, or the mistake must have been named.
                let start: String = finding.message.chars().take(SHORT).collect();
                let whole = finding.message.chars().count() <= SHORT;
                if !(whole || start.contains(['`', ',', ';', ':', '('])) {
                    late.push(format!("{}: {}", rule.code, finding.message));
                }
            }
        }
    }
    late.dedup();
    assert!(late.is_empty(), "{}", late.join("\n"));
}
