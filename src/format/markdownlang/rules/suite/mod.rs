//! The rules of tests: in their own files, and in front matter.

pub mod invalid_test;
pub mod invalid_test_input;
pub mod invalid_test_output;
pub mod invalid_test_pattern;
pub mod missing_test_program;
pub mod unknown_test_key;

use super::{duplicate_key, visible, yaml_syntax};
use crate::format::markdownlang::suite::{Flaw, Subject};
use crate::format::{Context, front_matter};
use crate::rule::{Diagnostic, Report, Rule};
use crate::yaml::Tree;

type Check = fn(&Subject, &mut Report);

static RULES: &[(&Rule, Check)] = &[
    (&unknown_test_key::RULE, unknown_test_key::check),
    (&invalid_test::RULE, invalid_test::check),
    (&invalid_test_pattern::RULE, invalid_test_pattern::check),
    (&missing_test_program::RULE, missing_test_program::check),
    (&invalid_test_input::RULE, invalid_test_input::check),
    (&invalid_test_output::RULE, invalid_test_output::check),
];

pub fn all() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().map(|(rule, _)| *rule)
}

/// Whether a rule is about tests, so that its findings don't keep the program from running.
pub fn concerns_tests(rule: &Rule) -> bool {
    all().any(|own| own == rule)
}

/// Reports every finding about tests.
pub fn check(subject: &Subject, report: &mut Report) {
    for (_, check) in RULES {
        if (subject.cx.cancelled)() {
            return;
        }
        check(subject, report);
    }
}

/// Reports the flaws that a rule covers.
fn flaws(
    rule: &'static Rule,
    subject: &Subject,
    report: &mut Report,
    offer: impl Fn(&Flaw, &mut Diagnostic),
) {
    for flaw in subject.cases.flaws.iter().filter(|flaw| *flaw.rule == *rule) {
        let span = subject.written.mark(&flaw.pointer, flaw.part);
        offer(flaw, report.add(rule, span, flaw.message.clone()));
    }
}

/// The rules on YAML that test files share with front matter.
pub fn of_yaml() -> impl Iterator<Item = &'static Rule> {
    [&yaml_syntax::RULE, &duplicate_key::RULE].into_iter()
}

/// Reports every finding in a test file: mistakes in its YAML hide all others.
pub fn check_file(cx: &Context, tree: &Tree, report: &mut Report) {
    let text = cx.source.slice(0..cx.source.len());
    front_matter::report_tree(&yaml_syntax::RULE, &text, tree, 0, report, |_| true);
    if let Some(root) = &tree.root {
        duplicate_key::report_tree(root, &text, 0, report);
    }
    if !tree.errors.is_empty() {
        return;
    }
    let first = report.diagnostics.len();
    if let Some(subject) = Subject::of_file(cx, cx.source, tree) {
        check(&subject, report);
    }
    let empty = |finding: &&mut Diagnostic| finding.span.is_empty();
    for finding in report.diagnostics.iter_mut().skip(first).filter(empty) {
        finding.span = visible(cx.source, finding.span.start);
    }
}
