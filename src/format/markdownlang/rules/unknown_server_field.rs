use super::super::field::{SERVER_FIELDS, find};
use super::Subject;
use crate::declare_rule;
use crate::format::suggestion::{closest, did_you_mean};
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A key of a server in `mcp_servers` that servers do not have. It has no effect: most often it is misspelt, or comes from
    /// the settings of another program.
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
    pub static RULE = "markdownlang/unknown-server-field", Warning, "A key that servers do not have";
}

/// What other programs call them.
const OTHER_NAMES: &[(&str, &str)] =
    &[("type", "transport"), ("cmd", "command"), ("arguments", "args"), ("environment", "env"), ("uri", "url"), ("endpoint", "url"), ("id", "name")];

pub fn check(subject: &Subject, report: &mut Report) {
    for server in &subject.servers {
        for field in server.fields.iter().filter(|field| find(SERVER_FIELDS, &field.key.text).is_none() && !field.key.text.starts_with("x-")) {
            let text = field.key.text.as_str();
            let free = |name: &&str| server.field(name).is_none();
            let other = OTHER_NAMES.iter().find(|(name, _)| *name == text).map(|(_, meant)| *meant).filter(free);
            let meant = other.or_else(|| closest(text, SERVER_FIELDS.iter().map(|key| key.name).filter(free)));
            let shown = if text.is_empty() { "This".to_owned() } else { format!("`{text}`") };
            let message = format!("{shown} is no key of a server and has no effect.{}", did_you_mean(meant));
            let finding = report.add(&RULE, field.key.span.clone(), message);
            if let Some(meant) = meant {
                finding.fix(Fix::suggestion(format!("Rename to `{meant}`"), vec![Edit::replace(field.key.span.clone(), meant)]));
            }
        }
    }
}
