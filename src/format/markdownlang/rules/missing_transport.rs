use super::RuleContext;
use super::context::is_null;
use super::unknown_server_field::misspelt_transport;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::did_you_mean;
use crate::text::Edit;

declare_rule! {
    /// A server is started with `command` or reached at `url`. This one has neither, or its
    /// `transport` needs the one that is missing.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// mcp_servers:
    ///   - name: filesystem
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
    pub static RULE = "markdownlang/missing-transport", Error, "Server without `command` or `url`";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (server, entries) in context.servers.iter().zip(context.server_entries()) {
        let has = |key: &str| {
            entries.iter().any(|entry| {
                entry.key.as_str() == Some(key)
                    && context.anchors.follow(&entry.value).is_some_and(|node| !is_null(node))
            })
        };
        let (command, url) = (has("command"), has("url"));
        let (needed, transport): (&[&str], _) = match server.transport.as_ref() {
            Some(transport)
                if matches!(transport.text.as_str(), "sse" | "http") && command && !url =>
            {
                (&["url"], Some(transport))
            }
            Some(transport) if transport.text == "command" && url && !command => {
                (&["command"], Some(transport))
            }
            _ if command || url => continue,
            _ => (&["command", "url"], None),
        };
        if let Some((key, meant)) =
            misspelt_transport(server).filter(|(_, meant)| needed.contains(meant))
        {
            let message = format!(
                "unknown key `{}` in a server without `command` or `url`{}",
                key.text,
                did_you_mean(Some(meant))
            );
            let finding = report.add(&RULE, key.span.clone(), message);
            finding.fix(Fix::suggestion(
                format!("Rename to `{meant}`"),
                vec![Edit::replace(key.span.clone(), meant)],
            ));
            continue;
        }
        let place = transport.or(server.name.as_ref()).map(|text| text.span.clone());
        let span = place
            .or_else(|| server.fields.first().map(|field| field.key.span.clone()))
            .unwrap_or_else(|| server.span.clone());
        let message = match (needed, transport) {
            ([one], Some(transport)) => format!(
                "the transport `{}` needs a `{one}`, which this server lacks",
                transport.text
            ),
            _ => "missing `command` or `url` of the server".to_owned(),
        };
        let finding = report.add(&RULE, span, message);
        if let Some(transport) = transport {
            let other = if command { "command" } else { "sse" };
            finding.fix(Fix::suggestion(
                format!("Replace with `{other}`"),
                vec![Edit::replace(transport.span.clone(), other)],
            ));
            continue;
        }
        // A key without a value waits for the author.
        if entries.iter().any(|entry| {
            matches!(entry.key.as_str(), Some("command" | "url"))
                && needed.contains(&entry.key.as_str().unwrap_or_default())
        }) {
            continue;
        }
        let Some(first) = server.fields.first() else { continue };
        let local = first.span.start.saturating_sub(context.offset());
        for key in needed {
            let (value, snippet) = if *key == "url" {
                ("http://localhost:3000/mcp", "${1:http://localhost:3000/mcp}")
            } else {
                ("npx", "${1:npx}")
            };
            let separator = context.separator(local);
            let edit = Edit::insert(first.span.end, format!("{separator}{key}: {value}"));
            finding.fix(
                Fix::suggestion(format!("Add a `{key}`"), vec![edit])
                    .with_snippet(format!("{separator}{key}: {snippet}")),
            );
        }
    }
}
