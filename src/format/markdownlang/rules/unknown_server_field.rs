use super::super::field::{SERVER_FIELDS, find};
use super::super::program::{Server, Text};
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::{closest, did_you_mean};
use crate::text::Edit;

declare_rule! {
    /// A server in `mcp_servers` has a key that servers don't define. It has no effect. Usually it
    /// is misspelled, or comes from the settings of another program.
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
    ///     arg: ["-y", "@modelcontextprotocol/server-filesystem", "."]
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
    pub static RULE = "markdownlang/unknown-server-field", Warning, "Unknown server key";
}

/// Names in other programs.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("type", "transport"),
    ("cmd", "command"),
    ("arguments", "args"),
    ("environment", "env"),
    ("uri", "url"),
    ("endpoint", "url"),
    ("id", "name"),
];

/// The key that an unknown one most likely means, among those that the server doesn't have.
fn meant(server: &Server, text: &str) -> Option<&'static str> {
    let free = |name: &&str| server.field(name).is_none();
    let other =
        OTHER_NAMES.iter().find(|(name, _)| *name == text).map(|(_, meant)| *meant).filter(free);
    other.or_else(|| closest(text, SERVER_FIELDS.iter().map(|key| key.name).filter(free)))
}

/// The unknown key of a server without `command` and `url` that means one of them, and which one.
pub(super) fn misspelt_transport(server: &Server) -> Option<(&Text, &'static str)> {
    if server.field("command").is_some() || server.field("url").is_some() {
        return None;
    }
    server.fields.iter().filter(|field| find(SERVER_FIELDS, &field.key.text).is_none()).find_map(
        |field| {
            let meant = meant(server, &field.key.text)
                .filter(|meant| matches!(*meant, "command" | "url"))?;
            Some((&field.key, meant))
        },
    )
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for server in &context.servers {
        for field in server.fields.iter().filter(|field| {
            find(SERVER_FIELDS, &field.key.text).is_none() && !field.key.text.starts_with("x-")
        }) {
            let text = field.key.text.as_str();
            let meant = meant(server, text);
            // `missing-transport` and `missing-server-name` report keys that mean required ones.
            if misspelt_transport(server).is_some_and(|(key, _)| key.text == text) {
                continue;
            }
            let shown =
                if text.is_empty() { "with an empty name".to_owned() } else { format!("`{text}`") };
            let message =
                format!("unknown server key {shown}, which has no effect{}", did_you_mean(meant));
            let finding = report.add(&RULE, field.key.span.clone(), message);
            if let Some(meant) = meant {
                finding.fix(Fix::suggestion(
                    format!("Rename to `{meant}`"),
                    vec![Edit::replace(field.key.span.clone(), meant)],
                ));
            }
        }
    }
}
