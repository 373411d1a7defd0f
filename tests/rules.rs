//! The pages of the rules are true: every bad example gives exactly its code, every good one gives nothing, and every fix
//! of a bad example removes its finding and adds none.

use std::path::{Path, PathBuf};

use agentmd::config::{Config, Level, Options};
use agentmd::document::Document;
use agentmd::format::{self, Context};
use agentmd::ide;
use agentmd::rule::{Diagnostic, Rule};
use agentmd::text::apply;
use agentmd::world::{Memory, resolve};

const PATH: &str = "/w/program.md";

/// The settings of an example: the rule is on, and a reply that has nothing of one is one.
fn config(rule: &Rule) -> Config {
    let mut options = Options::default();
    if rule.off {
        options.rules.insert(rule.code.to_owned(), Level::Warning);
    }
    if rule.code == "duckflow/empty" {
        options.formats.insert("*.md".to_owned(), "duckflow".to_owned());
    }
    Config::new(PathBuf::from("/w"), options).unwrap()
}

fn findings(rule: &Rule, text: &str) -> Vec<Diagnostic> {
    let config = config(rule);
    let path = Path::new(PATH);
    let mut world = Memory::default().with(path, text);
    for (name, content) in rule.files() {
        world = world.with(resolve(path, name), &content);
    }
    let document = Document::new(text, Some(path), &config);
    ide::diagnostics::diagnostics(&document, &Context::new(document.source(), Some(path), &world, &config))
}

fn shown(findings: &[Diagnostic]) -> Vec<String> {
    findings.iter().map(|finding| format!("{} {:?} {}", finding.rule.code, finding.span, finding.message)).collect()
}

#[test]
fn every_page_is_true() {
    let mut wrong = Vec::new();
    for rule in format::rules() {
        let (bad, good) = (rule.examples("bad"), rule.examples("good"));
        if rule.code == "markdown/unreadable" {
            continue;
        }
        if bad.is_empty() || good.is_empty() {
            wrong.push(format!("{} has no examples", rule.code));
        }
        for text in good {
            let found = findings(rule, &text);
            if !found.is_empty() {
                wrong.push(format!("the good example of {} gives {:#?}\n{text}", rule.code, shown(&found)));
            }
        }
        for text in bad {
            let found = findings(rule, &text);
            if found.is_empty() || found.iter().any(|finding| finding.rule != rule) {
                wrong.push(format!("the bad example of {} gives {:#?}\n{text}", rule.code, shown(&found)));
            }
            for fix in found.iter().flat_map(|finding| &finding.fixes) {
                let mended = apply(&text, &fix.edits).unwrap();
                let left = findings(rule, &mended);
                if left.len() >= found.len() || left.iter().any(|finding| finding.rule != rule) {
                    wrong.push(format!("after `{}`, {} gives {:#?}\n{mended}", fix.title, rule.code, shown(&left)));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_rule_is_described() {
    for rule in format::rules() {
        let (group, name) = rule.code.split_once('/').unwrap();
        let kebab =
            |word: &str| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-' || letter.is_ascii_digit());
        assert!(kebab(group) && kebab(name), "{}", rule.code);
        assert!(!rule.summary.is_empty() && !rule.summary.ends_with('.'), "{}: {}", rule.code, rule.summary);
        assert!(!rule.page.trim().is_empty(), "{}", rule.code);
    }
}
