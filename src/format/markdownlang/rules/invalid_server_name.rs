use super::RuleContext;
use super::context::slug;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// The name of a server is part of its tools' names, `mcp__{name}__{tool}`, so it may only
    /// contain letters, digits, `_` and `-`.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// mcp_servers:
    ///   - name: file system
    ///     command: npx
    ///     args: ["-y", "@modelcontextprotocol/server-filesystem", "."]
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// mcp_servers:
    ///   - name: filesystem
    ///     command: npx
    ///     args: ["-y", "@modelcontextprotocol/server-filesystem", "."]
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/invalid-server-name", Error, "Server name not valid in tool names";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for name in context.servers.iter().filter_map(|server| server.name.as_ref()) {
        let valid = name
            .text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
        if valid || name.text.trim().is_empty() {
            continue;
        }
        let finding = report.add(
            &RULE,
            name.span.clone(),
            "invalid server name; use only letters, digits, `_` and `-`, as for tools",
        );
        if let Some(slug) = slug(&name.text) {
            finding.fix(Fix::suggestion(
                format!("Rename to `{slug}`"),
                vec![Edit::replace(name.span.clone(), context.print(&name.span, &slug))],
            ));
        }
    }
}
