use rustc_hash::{FxHashMap, FxHashSet};

use super::super::program::Server;
use super::RuleContext;
use super::context::{is_null, slug};
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A server in `mcp_servers` needs a `name`: its tools are called `mcp__{name}__{tool}`.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// mcp_servers:
    ///   - command: npx
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
    pub static RULE = "markdownlang/missing-server-name", Error, "Server without a name";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let mut free = Free::new(&context.servers);
    for (server, entries) in context.servers.iter().zip(context.server_entries()) {
        let entry = entries.iter().rev().find(|entry| entry.key.as_str() == Some("name"));
        let value = entry.and_then(|entry| context.anchors.follow(&entry.value));
        let name = suggested(&mut free, server);
        match (server.field("name"), entry, value) {
            (Some(field), Some(entry), Some(value))
                if is_null(value) || value.as_str().is_some_and(|text| text.trim().is_empty()) =>
            {
                let span = if field.value.is_empty() {
                    field.key.span.clone()
                } else {
                    field.value.clone()
                };
                let finding = report.add(&RULE, span, "empty server name; its tools need one");
                finding.fix(Fix::suggestion(
                    format!("Name it `{name}`"),
                    context.edits(crate::yaml::replace_value(entry, &name)),
                ));
            }
            (Some(_), ..) => {}
            (None, ..) => {
                let span = server
                    .fields
                    .first()
                    .map_or(server.span.clone(), |field| field.key.span.clone());
                let finding = report.add(
                    &RULE,
                    span.clone(),
                    "missing `name` of the server; its tools need one",
                );
                if !server.fields.is_empty() {
                    let local = span.start.saturating_sub(context.offset());
                    finding.fix(Fix::suggestion(
                        format!("Name it `{name}`"),
                        vec![Edit::insert(
                            span.start,
                            format!("name: {name}{}", context.separator(local)),
                        )],
                    ));
                }
            }
        }
    }
}

/// A name from the command or URL: `filesystem` for `@modelcontextprotocol/server-filesystem`.
fn suggested(free: &mut Free, server: &Server) -> String {
    let package = server
        .args
        .iter()
        .map(|arg| arg.text.as_str())
        .find(|arg| arg.contains("server") || arg.contains("mcp"));
    let package = package.or(server.command.as_ref().map(|command| command.text.as_str()));
    let host = server
        .url
        .as_ref()
        .and_then(|url| url.text.split("://").nth(1))
        .and_then(|rest| rest.split(['/', ':']).next());
    let text = package.or(host).unwrap_or("server");
    let last = text.rsplit(['/', '\\']).next().unwrap_or(text).split('@').next().unwrap_or(text);
    let stem = last
        .trim_start_matches("mcp-")
        .trim_start_matches("server-")
        .trim_end_matches("-mcp")
        .trim_end_matches("-server");
    let base = slug(stem).unwrap_or_else(|| "server".to_owned());
    free.name(&base)
}

/// Names that no server has.
pub struct Free<'s> {
    taken: FxHashSet<&'s str>,
    known: FxHashMap<String, String>,
}

impl<'s> Free<'s> {
    pub fn new(servers: &'s [Server]) -> Self {
        let taken = servers.iter().filter_map(|server| Some(server.name.as_ref()?.text.as_str()));
        Self { taken: taken.collect(), known: FxHashMap::default() }
    }

    /// `base`, or `base-2` and so on.
    pub fn name(&mut self, base: &str) -> String {
        let Self { taken, known } = self;
        let found = known.entry(base.to_owned()).or_insert_with(|| {
            let numbered = (2..).map(|number| format!("{base}-{number}"));
            let mut names = std::iter::once(base.to_owned()).chain(numbered);
            names.find(|name| !taken.contains(name.as_str())).unwrap_or_default()
        });
        found.clone()
    }
}
