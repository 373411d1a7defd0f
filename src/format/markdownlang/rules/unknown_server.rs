use std::collections::HashMap;

use super::super::mention::{self, MentionKind, PYTHON, Resolved};
use super::super::{declaration, known};
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::{closest, did_you_mean_or};
use crate::text::Edit;

declare_rule! {
    /// The body mentions a tool whose server isn't declared in the front matter.
    ///
    /// `mcp__{server}__{tool}` is a tool of the server with that name in `mcp_servers`. Without the
    /// server, the body tells the model to use a tool that it doesn't have. Text in code counts as
    /// well, because the model reads it too.
    ///
    /// Correct the name, or declare the server. A declared server that the body never mentions is
    /// fine: the model sees its tools anyway.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// mcp_servers:
    ///   - name: people
    ///     url: http://localhost:3000/mcp
    /// ---
    ///
    /// Look up {{ .who }} with mcp__poeple__find and greet them.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { who: { type: string } }, required: [who] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// mcp_servers:
    ///   - name: people
    ///     url: http://localhost:3000/mcp
    /// ---
    ///
    /// Look up {{ .who }} with mcp__people__find and greet them.
    /// ````
    pub static RULE = "markdownlang/unknown-server", Warning, "Tool of an undeclared server";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    // With an incomplete list of servers, half of the tools would be unknown.
    if context
        .entry("mcp_servers")
        .is_some_and(|entry| context.is_broken(&context.absolute(&entry.span)))
    {
        return;
    }
    let mut declarations: HashMap<String, Option<Fix>> = HashMap::new();
    let servers = mention::Servers::new(&context.servers);
    for found in context.mentions() {
        let MentionKind::Tool { name, .. } = &found.kind else { continue };
        let parts = servers.resolve(name).filter(|parts| !parts.is_pattern());
        let Some(Resolved { server: None, server_name, tool }) = parts else { continue };
        if server_name == PYTHON {
            let message = "unknown server `python`; the built-in interpreter is the tool `python`";
            let fix = Fix::suggestion(
                "Use the built-in `python` tool",
                vec![Edit::replace(found.span.clone(), PYTHON)],
            );
            report.add(&RULE, found.span.clone(), message).fix(fix);
            continue;
        }
        let meant = meant(context, server_name, tool);
        let finding = report.add(
            &RULE,
            found.span.clone(),
            format!(
                "unknown server `{server_name}`{}",
                did_you_mean_or(
                    meant.as_deref(),
                    "declare it in `mcp_servers`, or remove the tool"
                )
            ),
        );
        if let Some(meant) = meant {
            finding.fix(Fix::suggestion(
                format!("Replace with `{meant}`"),
                vec![Edit::replace(found.span.clone(), meant)],
            ));
        }
        let declare = || declaration::declare(&context.yaml, context.program, server_name);
        if let Some(fix) = declarations.entry(server_name.to_owned()).or_insert_with(declare) {
            finding.fix(fix.clone());
        }
    }
}

/// The intended name of the tool: of a server with a similar name, or with one `_` instead of two.
fn meant(context: &RuleContext, server: &str, tool: Option<&str>) -> Option<String> {
    let names = || {
        context
            .servers
            .iter()
            .filter_map(|server| server.name.as_ref())
            .map(|name| name.text.as_str())
            .filter(|name| !name.is_empty())
    };
    let joined = || {
        let mut known =
            names().filter_map(|name| Some((name, server.strip_prefix(name)?.strip_prefix('_')?)));
        let (name, rest) = known.find(|(_, rest)| !rest.is_empty())?;
        Some(format!(
            "mcp__{name}__{rest}{}",
            tool.map(|tool| format!("__{tool}")).unwrap_or_default()
        ))
    };
    if let Some(joined) = joined() {
        return Some(joined);
    }
    // A published server with this name isn't a misspelling of another one.
    let other =
        || names().filter(|name| known::named(server).is_none() || known::named(name).is_none());
    let name = closest(server, other())?;
    Some(tool.map_or_else(|| format!("mcp__{name}"), |tool| format!("mcp__{name}__{tool}")))
}
