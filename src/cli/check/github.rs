//! Workflow commands that GitHub Actions turns into annotations of a pull request.

use std::fmt::Write;

use super::report::{Checked, Range, Reporter, Summary, relative};
use crate::cli::printable;
use crate::rule::Severity;

pub struct GitHub;

impl GitHub {
    pub fn new() -> Self {
        Self
    }
}

impl Reporter for GitHub {
    fn file(&self, checked: &Checked) -> String {
        let mut out = String::new();
        let file = relative(&checked.file.path);
        for found in checked.diagnostics.iter().filter(|found| found.severity > Severity::Hint) {
            let level = match found.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info | Severity::Hint => "notice",
            };
            let Range { start, end } = Range::of(&checked.source, &found.span);
            let _ = write!(
                out,
                "::{level} file={},line={}",
                property(if checked.file.nameless { &checked.file.shown } else { &file }),
                start.line
            );
            // GitHub only accepts columns of a single line; its end column is inclusive.
            if start.line == end.line {
                let _ = write!(
                    out,
                    ",endLine={},col={},endColumn={}",
                    end.line,
                    start.column,
                    end.column.saturating_sub(1).max(start.column)
                );
            } else {
                let _ = write!(
                    out,
                    ",endLine={}",
                    if end.column == 1 { end.line - 1 } else { end.line }
                );
            }
            let _ = writeln!(out, ",title={}::{}", property(found.rule.code), data(&found.message));
        }
        out
    }

    fn end(&self, _: &Summary) -> String {
        String::new()
    }
}

/// A message in one line. GitHub has an escape for line breaks, and shows every other character
/// verbatim.
fn data(text: &str) -> String {
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| line.split('\r').map(printable).collect::<Vec<_>>().join("\r"))
        .collect();
    lines.join("\n").replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property, which ends at a comma or a colon.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_properties_and_lines_are_escaped() {
        assert_eq!(property("a,b:c%d\r\ne"), "a%2Cb%3Ac%25d%0D%0Ae");
        assert_eq!(data("a,b:c%0A\n"), "a,b:c%250A%0A");
        assert_eq!(data("a\u{1b}[31m\u{202e}"), "a\\u{1b}[31m\\u{202e}");
    }
}
