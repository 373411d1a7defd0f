//! JUnit XML: a test suite for each file, a test case for each finding.

use super::report::{Checked, Range, Reporter, Summary};
use crate::cli::junit::{Case, Failure, suite};
use crate::rule::Severity;

pub struct JUnit;

impl Reporter for JUnit {
    fn begin(&self) -> String {
        crate::cli::junit::BEGIN.to_owned()
    }

    /// Errors and warnings are failures; a file without them is one passed case, so that a report
    /// of a clean run isn't empty.
    fn file(&self, checked: &Checked) -> String {
        let path = &checked.file.shown;
        let mut cases: Vec<Case> = checked
            .diagnostics
            .iter()
            .filter(|found| found.severity >= Severity::Warning)
            .map(|found| {
                let start = Range::of(&checked.source, &found.span).start;
                Case {
                    name: format!("{}:{}:{}", found.rule.code, start.line, start.column),
                    class: path.clone(),
                    seconds: None,
                    failure: Some(Failure {
                        kind: found.severity.name().to_owned(),
                        message: found.message.clone(),
                        text: format!("{path}:{}:{}: {}", start.line, start.column, found.message),
                    }),
                }
            })
            .collect();
        if cases.is_empty() {
            cases.push(Case { name: "check".to_owned(), class: path.clone(), ..Case::default() });
        }
        suite(path, &cases)
    }

    fn end(&self, _: &Summary) -> String {
        crate::cli::junit::END.to_owned()
    }
}
