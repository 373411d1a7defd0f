//! JSON Lines output: the objects of [`Json`], one per line, so that a reader can begin at once.

use super::json::{Json, summary_of};
use super::report::{Checked, Reporter, Summary};

/// One object per file that has findings or is an agent file; the last line is the summary.
pub struct JsonLines;

impl Reporter for JsonLines {
    fn file(&self, checked: &Checked) -> String {
        let mut line = Json.file(checked);
        if !line.is_empty() {
            line.push('\n');
        }
        line
    }

    fn end(&self, summary: &Summary) -> String {
        format!("{{\"version\":1,\"summary\":{}}}\n", summary_of(summary))
    }
}
