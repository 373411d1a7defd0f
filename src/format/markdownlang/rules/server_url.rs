use super::super::expansion::references;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report, Severity};
use crate::text::Edit;

declare_rule! {
    /// The `url` of a server must start with `http://` or `https://`, because events are sent over
    /// HTTP. WebSocket addresses (`ws://`, `wss://`) are only a warning, because some servers
    /// answer at the same address over HTTP.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// mcp_servers:
    ///   - name: search
    ///     url: localhost:3000/mcp
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
    ///   - name: search
    ///     url: http://localhost:3000/mcp
    /// ---
    ///
    /// Greet {{ .who }}.
    /// ````
    pub static RULE = "markdownlang/server-url", Error, "Server URL without `http://` or `https://`";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for url in context.servers.iter().filter_map(|server| server.url.as_ref()) {
        let text = url.text.trim();
        // The value of an environment variable is only known when the program runs.
        if references(text).next().is_some() && !text.contains("ws://") && !text.contains("wss://")
        {
            continue;
        }
        let scheme = text.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
        let rest = text.split_once("://").map_or(text.trim_start_matches('/'), |(_, rest)| rest);
        let (message, meant) = match scheme.as_deref() {
            Some("http" | "https") if rest.is_empty() || rest.starts_with('/') => {
                ("missing host in the URL".to_owned(), None)
            }
            Some("http" | "https") => continue,
            Some("ws") => (
                "`ws://` is not supported; use the server's `http://` address".to_owned(),
                Some(format!("http://{rest}")),
            ),
            Some("wss") => (
                "`wss://` is not supported; use the server's `https://` address".to_owned(),
                Some(format!("https://{rest}")),
            ),
            Some(other) => {
                (format!("`{other}://` is not supported; use `http://` or `https://`"), None)
            }
            None if text.is_empty() => continue,
            None => (
                "the URL of a server must start with `http://` or `https://`".to_owned(),
                (!rest.is_empty() && !rest.contains(' ')).then(|| format!("http://{rest}")),
            ),
        };
        let finding = report.add(&RULE, url.span.clone(), message);
        if matches!(scheme.as_deref(), Some("ws" | "wss")) {
            finding.severity = Severity::Warning;
        }
        if let Some(meant) = meant {
            finding.fix(Fix::suggestion(
                format!("Replace with `{meant}`"),
                vec![Edit::replace(url.span.clone(), context.print(&url.span, &meant))],
            ));
        }
    }
}
