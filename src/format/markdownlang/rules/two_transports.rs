use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;
use crate::yaml;

declare_rule! {
    /// A server is started with `command` or reached at `url`. If it has both, `url` takes
    /// precedence and the command is never started, unless `transport` is `command`.
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
    ///     url: http://localhost:3000/mcp
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
    pub static RULE = "markdownlang/two-transports", Warning, "Server with both `command` and `url`";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (server, entries) in context.servers.iter().zip(context.server_entries()) {
        let (Some(command), Some(url)) = (server.field("command"), server.field("url")) else {
            continue;
        };
        let transport =
            server.transport.as_ref().map_or("auto", |transport| transport.text.as_str());
        let by_command = transport == "command";
        let (unused, used) = if by_command { (url, command) } else { (command, url) };
        let message = format!(
            "this server has both `command` and `url`, and `{}` takes precedence; remove `{}`",
            used.key.text, unused.key.text
        );
        let finding = report.add(&RULE, unused.key.span.clone(), message);
        finding.relate(used.key.span.clone(), format!("`{}` is used", used.key.text));
        let remove = |keys: &[&str], transports: &[&str]| -> Vec<Edit> {
            let goes = |key: &str| {
                keys.contains(&key) || key == "transport" && transports.contains(&transport)
            };
            let found = entries.iter().filter(|entry| entry.key.as_str().is_some_and(goes));
            context
                .edits(found.flat_map(|entry| yaml::remove_entry(&context.yaml, entry)).collect())
        };
        finding.fix(Fix::suggestion(
            "Remove `command`",
            remove(&["command", "args", "env"], &["command"]),
        ));
        finding.fix(Fix::suggestion("Remove `url`", remove(&["url"], &["sse", "http"])));
    }
}
