use super::super::field::TRANSPORTS;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::{closest, did_you_mean};
use crate::text::Edit;

declare_rule! {
    /// `transport` is `auto`, `command`, `sse` or `http`.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// mcp_servers:
    ///   - name: filesystem
    ///     command: npx
    ///     args: ["-y", "@modelcontextprotocol/server-filesystem", "."]
    ///     transport: stdio
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
    ///     transport: command
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/unknown-transport", Error, "Unknown transport";
}

/// Names in other programs.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("stdio", "command"),
    ("process", "command"),
    ("local", "command"),
    ("streamablehttp", "http"),
    ("streamable-http", "http"),
    ("https", "http"),
];

pub fn check(context: &RuleContext, report: &mut Report) {
    for transport in context.servers.iter().filter_map(|server| server.transport.as_ref()) {
        let text = transport.text.as_str();
        if TRANSPORTS.contains(&text) {
            continue;
        }
        let other = OTHER_NAMES
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(text))
            .map(|(_, meant)| *meant);
        let meant = other.or_else(|| closest(text, TRANSPORTS.iter().copied()));
        let message = format!(
            "unknown transport `{text}`; use `auto`, `command`, `sse` or `http`{}",
            did_you_mean(meant)
        );
        let finding = report.add(&RULE, transport.span.clone(), message);
        if let Some(meant) = meant {
            finding.fix(Fix::suggestion(
                format!("Replace with `{meant}`"),
                vec![Edit::replace(transport.span.clone(), meant)],
            ));
        }
    }
}
