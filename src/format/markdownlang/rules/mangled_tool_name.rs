use super::super::mention::MentionKind;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A Markdown formatter changed the name of a tool.
    ///
    /// Some formatters read `mcp__filesystem__read_file` as bold text and write
    /// `mcp**filesystem**read_file`, or put backslashes before its underscores. The model sees
    /// those characters, and no tool has that name.
    ///
    /// Write the name with underscores; formatters leave it alone in backticks.
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
    pub static RULE = "markdownlang/mangled-tool-name", Hint, "Tool name changed by a formatter";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for found in context.mentions() {
        let MentionKind::Tool { name, mangled: true } = &found.kind else { continue };
        let message =
            format!("a formatter changed the underscores of the tool `{name}`; restore them");
        let fix = Fix::safe(
            format!("Replace with `{name}`"),
            vec![Edit::replace(found.span.clone(), name.as_str())],
        );
        report.add(&RULE, found.span.clone(), message).fix(fix);
    }
}
