use std::collections::HashMap;

use super::super::mention::{self, MentionKind, PYTHON, Resolved};
use super::super::{declaration, known};
use super::Subject;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::{closest, did_you_mean_or};
use crate::text::Edit;

declare_rule! {
    /// A tool is named whose server the front matter does not declare.
    ///
    /// `mcp__{server}__{tool}` is a tool of the server of that name in `mcp_servers`. Without the
    /// server the model is told to use a tool that it does not have. Text in code counts as well:
    /// the model reads it like the rest.
    ///
    /// Correct the name, or declare the server. A server that is declared and never named is no
    /// mistake: the model sees its tools whether the body speaks of them or not.
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
    pub static RULE = "markdownlang/unknown-server", Warning, "A tool of a server that is not declared";
}

pub fn check(subject: &Subject, report: &mut Report) {
    // Half a list of servers would make half of the tools unknown.
    if subject
        .entry("mcp_servers")
        .is_some_and(|entry| subject.is_broken(&subject.absolute(&entry.span)))
    {
        return;
    }
    let mut declarations: HashMap<String, Option<Fix>> = HashMap::new();
    for found in subject.mentions() {
        let MentionKind::Tool { name, .. } = &found.kind else { continue };
        let parts = mention::resolve(name, &subject.servers).filter(|parts| !parts.is_pattern());
        let Some(Resolved { server: None, server_name, tool }) = parts else { continue };
        if server_name == PYTHON {
            let message = "There is no server `python`. The built-in interpreter needs none: its tool is called `python`.";
            let fix = Fix::suggestion(
                "Name the built-in `python` tool",
                vec![Edit::replace(found.span.clone(), PYTHON)],
            );
            report.add(&RULE, found.span.clone(), message).fix(fix);
            continue;
        }
        let meant = meant(subject, server_name, tool);
        let finding = report.add(
            &RULE,
            found.span.clone(),
            format!(
                "There is no server `{server_name}` in `mcp_servers`.{}",
                did_you_mean_or(meant.as_deref(), "Declare it there, or leave the tool out.")
            ),
        );
        if let Some(meant) = meant {
            finding.fix(Fix::suggestion(
                format!("Replace with `{meant}`"),
                vec![Edit::replace(found.span.clone(), meant)],
            ));
        }
        let declare = || declaration::declare(&subject.yaml, subject.program, server_name);
        if let Some(fix) = declarations.entry(server_name.to_owned()).or_insert_with(declare) {
            finding.fix(fix.clone());
        }
    }
}

/// The name of a tool that was meant: of a server whose name is almost this one, or with one `_`
/// where two belong.
fn meant(subject: &Subject, server: &str, tool: Option<&str>) -> Option<String> {
    let names = || {
        subject
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
    // A server that is published under this name is not another one misspelt.
    let other =
        || names().filter(|name| known::named(server).is_none() || known::named(name).is_none());
    let name = closest(server, other())?;
    Some(tool.map_or_else(|| format!("mcp__{name}"), |tool| format!("mcp__{name}__{tool}")))
}
