//! Findings that a client's own editor reports as well: VS Code checks the files that its chat
//! reads.

use super::file::File;
use crate::format::Context;
use crate::rule::{Diagnostic, Severity};

/// Drops findings that VS Code reports for the same file. Errors stay: they affect another client,
/// or more than VS Code reports.
pub fn leave_out(cx: &Context, found: &mut Vec<Diagnostic>) {
    if cx.config.options().vscode_doubles || found.is_empty() {
        return;
    }
    let Some(file) = File::of(cx).filter(|file| !file.guess) else { return };
    let editor = file.readers.iter().find(|role| !role.reads.editor_reports.is_empty());
    let Some(reports) = editor.map(|role| &role.reads.editor_reports) else { return };
    found.retain(|finding| {
        finding.severity == Severity::Error || !reports.iter().any(|code| code == finding.rule.code)
    });
}
