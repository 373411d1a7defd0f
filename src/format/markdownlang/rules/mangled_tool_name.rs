use super::super::mention::MentionKind;
use super::Subject;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// The name of a tool was changed by a Markdown formatter.
    ///
    /// Some formatters take `mcp__filesystem__read_file` for bold text and write
    /// `mcp**filesystem**read_file`, or put backslashes before its underscores. The model reads the
    /// characters as they stand, and no tool has that name.
    ///
    /// Write the name with underscores; in backticks formatters leave it alone.
    ///
    /// ````markdown bad
    /// ---
    /// name: read
    /// description: Reads a file
    /// input: { type: object, properties: { path: { type: string } }, required: [path] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// mcp_servers:
    ///   - name: filesystem
    ///     command: npx
    ///     args: ["-y", "@modelcontextprotocol/server-filesystem", "."]
    /// ---
    ///
    /// Read {{ .path }} using the mcp**filesystem**read_file tool.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: read
    /// description: Reads a file
    /// input: { type: object, properties: { path: { type: string } }, required: [path] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// mcp_servers:
    ///   - name: filesystem
    ///     command: npx
    ///     args: ["-y", "@modelcontextprotocol/server-filesystem", "."]
    /// ---
    ///
    /// Read {{ .path }} using the `mcp__filesystem__read_file` tool.
    /// ````
    pub static RULE = "markdownlang/mangled-tool-name", Hint, "The name of a tool that a formatter changed";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for found in subject.mentions() {
        let MentionKind::Tool { name, mangled: true } = &found.kind else { continue };
        let message = format!(
            "This is meant to be the tool `{name}`, and a formatter changed its underscores. Write them again."
        );
        let fix = Fix::safe(
            format!("Replace with `{name}`"),
            vec![Edit::replace(found.span.clone(), name.as_str())],
        );
        report.add(&RULE, found.span.clone(), message).fix(fix);
    }
}
