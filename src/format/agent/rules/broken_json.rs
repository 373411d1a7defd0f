use crate::client::Client;
use crate::declare_rule;
use crate::format::agent::names::{self, Mention, Word};
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::Claim;
use crate::rule::Report;
use crate::rule::Severity;
use crate::world::Knowledge;

declare_rule! {
    /// A JSON file that this file depends on can't be parsed: the manifest of its plugin, the list of
    /// plugins of the repository, or the configuration of the MCP servers whose tools it names. The
    /// client ignores that file, so the plugin isn't loaded or the servers don't start.
    ///
    /// The message has the line and the column of the error. In a whole workspace, the error is reported
    /// in the file itself ([configuration/broken-json](../configuration/broken-json.md)), and this is a hint. Comments and trailing commas are not
    /// reported.
    ///
    /// ````json file=../../.mcp.json
    /// {"mcpServers": {"kettle": {"command": "kettle"}}
    /// ````
    ///
    /// ````markdown bad path=.claude/agents/cook.md clients=claude-code
    /// ---
    /// name: cook
    /// description: Cooks
    /// tools: Read, mcp__kettle__boil
    /// ---
    ///
    /// Cook.
    /// ````
    ///
    /// ````markdown good path=.claude/agents/cook.md clients=claude-code
    /// ---
    /// name: cook
    /// description: Cooks
    /// tools: Read
    /// ---
    ///
    /// Cook.
    /// ````
    pub static RULE = "agent/broken-json", Warning, "Configuration file is not valid JSON";
}

/// Reports each file once.
pub fn check(subject: &Subject, mentions: &[Mention], report: &mut Report) {
    let cx = subject.cx;
    let roles = names::readers(&subject.file);
    let servers = |mention: &&Mention| match &mention.word {
        Word::Server(_) => true,
        Word::Tool(tool) => {
            names::in_tool(tool).is_some_and(|(server, _)| !names::is_plugin_server(server))
        }
        _ => false,
    };
    let mut found = Vec::new();
    if let Some(first) = mentions.iter().find(servers) {
        let clients: Vec<&Client> = roles.iter().map(|role| role.client).collect();
        let broken = names::servers(cx, &clients).broken;
        found.extend(broken.into_iter().map(|broken| (first.span.clone(), broken)));
    }
    let mut manifests = Vec::new();
    for role in roles.iter().filter(|role| role.plugin) {
        let own = role.client.plugin_marker.as_ref();
        manifests.extend(own.map(|own| names::base(subject.file.path, role).join(own)));
        let list = role.client.plugin_list.as_ref().zip(cx.root());
        manifests.extend(list.map(|(list, root)| root.join(list)));
    }
    manifests.sort();
    manifests.dedup();
    for manifest in manifests {
        let broken = names::broken(cx.world, &manifest);
        found.extend(broken.map(|broken| (subject.first_line(), broken)));
    }
    found.dedup_by(|next, kept| next.1 == kept.1);
    for (span, broken) in found {
        let root = cx.root();
        let short = root.as_ref().and_then(|root| broken.path.strip_prefix(root).ok());
        let path = crate::world::slashed(short.unwrap_or(&broken.path));
        let words = format!("`{path}` is not valid JSON: {}", broken.message);
        let finding = report.add(&RULE, span, words);
        // With all files, the error is reported where it is.
        let told = cx.world.knowledge() == Knowledge::All;
        finding.severity =
            subject.weigh(Claim::Text, if told { Severity::Hint } else { Severity::Warning });
    }
}
