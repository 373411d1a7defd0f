use std::cell::OnceCell;
use std::collections::BTreeSet;

use crate::client::{Client, Role};
use crate::declare_rule;
use crate::format::agent::names::{self, Mention, Place, Word};
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::{Claim, Sign};
use crate::rule::Report;
use crate::rule::{Fix, Severity};
use crate::suggestion::{closest, did_you_mean};
use crate::text::Edit;

declare_rule! {
    /// A tool belongs to an MCP server that the project doesn't configure, and it configures one
    /// with a similar name. The agent doesn't get the tool.
    ///
    /// A server that isn't similar to any may be one of your own, so it isn't reported. One of a plugin,
    /// `mcp__plugin_PLUGIN_SERVER`, is reported if the plugin is in the workspace and doesn't have it.
    ///
    /// ````json file=../../.mcp.json
    /// {"mcpServers": {"kettle": {"command": "kettle"}}}
    /// ````
    ///
    /// ````markdown bad path=.claude/agents/cook.md clients=claude-code
    /// ---
    /// name: cook
    /// description: Cooks
    /// tools: Read, mcp__ketle__boil
    /// ---
    ///
    /// Cook.
    /// ````
    ///
    /// ````markdown good path=.claude/agents/cook.md clients=claude-code
    /// ---
    /// name: cook
    /// description: Cooks
    /// tools: Read, mcp__kettle__boil
    /// ---
    ///
    /// Cook.
    /// ````
    pub static RULE = "agent/unknown-server", Warning, "Unknown MCP server";
}

/// With more wrong letters, it's probably another server.
const MOST_MISTAKES: usize = 2;

/// Reports each unknown server once.
pub fn check(subject: &Subject, mentions: &[Mention], report: &mut Report) {
    let cx = subject.cx;
    let roles = names::readers(&subject.file);
    let clients: Vec<&Client> = roles.iter().map(|role| role.client).collect();
    let mut known: Option<names::Servers> = None;
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let all = OnceCell::new();
    for mention in mentions {
        let Place::Front(_) = &mention.place else { continue };
        let (server, at) = match &mention.word {
            Word::Server(name) => (name.as_str(), 0),
            Word::Tool(tool) => match names::in_tool(tool) {
                Some(found) => found,
                None => continue,
            },
            _ => continue,
        };
        let wild = server.contains(['*', '.', '$', '{']);
        // The name of a set of tools isn't that of a server.
        let set = roles.iter().any(|role| {
            let names = &role.client.tools.names;
            names.keys().any(|name| name.split('/').next() == Some(server))
        });
        if wild || set || seen.contains(server) {
            continue;
        }
        if names::is_plugin_server(server) {
            let all = || all.get_or_init(|| names::plugin_servers(subject.cx)).as_slice();
            if let Some(dead) = of_plugin(subject, &roles, mention, server, &all) {
                seen.insert(server.to_owned());
                dead.report(subject, mention.span.start + at, report);
            }
            continue;
        }
        let known = known.get_or_insert_with(|| names::servers(cx, &clients));
        if !known.any || !known.broken.is_empty() {
            return;
        }
        let resolved = names::resolve(cx, &roles, mention);
        if !resolved.found.is_empty() || resolved.built_in {
            continue;
        }
        seen.insert(server.to_owned());
        let all: Vec<String> =
            known.all.iter().map(|server| names::as_in_tools(&server.name)).collect();
        // A prefix of another name isn't a mistake: servers have short and long names.
        let near = closest(server, all.iter().map(String::as_str))
            .filter(|near| strsim::damerau_levenshtein(server, near) <= MOST_MISTAKES);
        let Some(near) = near else { continue };
        let words = format!("unknown MCP server `{server}`");
        let dead = Dead { words, length: server.len(), near: Some(near.to_owned()) };
        dead.report(subject, mention.span.start + at, report);
    }
}

struct Dead {
    words: String,
    length: usize,
    near: Option<String>,
}

impl Dead {
    fn report(&self, subject: &Subject, start: usize, report: &mut Report) {
        let span = start..start + self.length;
        let words = format!("{}{}", self.words, did_you_mean(self.near.as_deref()));
        let finding = report.add(&RULE, span.clone(), words);
        finding.severity = subject.weigh(Claim::Name(Sign::Others), Severity::Warning);
        if let Some(near) = &self.near {
            let edits = vec![Edit::replace(span, near.as_str())];
            finding.fix(Fix::suggestion(format!("Change to `{near}`"), edits));
        }
    }
}

/// A server that its plugin in the workspace doesn't have, or one with a name similar to that of a
/// server of such a plugin.
fn of_plugin<'a>(
    subject: &Subject,
    roles: &[Role],
    mention: &Mention,
    server: &str,
    all: &dyn Fn() -> &'a [String],
) -> Option<Dead> {
    let cx = subject.cx;
    let (known, resolved) = (names::plugin_server(cx, server), names::resolve(cx, roles, mention));
    if !resolved.found.is_empty() || known.is_some() && resolved.built_in {
        return None;
    }
    let near = closest(server, all().iter().map(String::as_str))
        .filter(|near| strsim::damerau_levenshtein(server, near) <= MOST_MISTAKES);
    let words = match &known {
        Some(known) => {
            let name = server.get(known.server_at.clone()).unwrap_or_default();
            format!("the plugin `{}` has no MCP server `{name}`", known.plugin)
        }
        None => format!("unknown MCP server `{server}`"),
    };
    let near = near.map(ToOwned::to_owned);
    (known.is_some() || near.is_some()).then_some(Dead { words, length: server.len(), near })
}
