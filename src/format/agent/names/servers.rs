//! MCP servers: where they are configured, and the server in the name of a tool.

use std::path::{Path, PathBuf};

use super::json;
use crate::client::{Client, catalog};
use crate::format::Context;
use crate::source::Source;
use crate::text::Span;
use crate::yaml::Node;

/// A configured server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    pub name: String,
    pub path: PathBuf,
    /// The name, without quotes, in the file.
    pub span: Span,
}

/// The servers of the workspace.
#[derive(Debug, Default)]
pub struct Servers {
    pub all: Vec<Server>,
    /// Whether a file that configures servers exists.
    pub any: bool,
    /// Files with errors: there may be more servers.
    pub broken: Vec<json::Broken>,
}

/// The servers that clients read: those of the workspace, and of the plugin that a document is in.
pub fn listed(cx: &Context, clients: &[&Client]) -> Servers {
    let mut found = Servers::default();
    let Some(root) = cx.root() else { return found };
    let mut files: Vec<(PathBuf, &str)> = Vec::new();
    for client in clients {
        for file in &client.servers {
            files.push((root.join(&file.file), &file.key));
        }
    }
    let folders = cx.path.into_iter().flat_map(Path::ancestors).skip(1);
    for folder in folders.take_while(|folder| folder.starts_with(&root) && **folder != *root) {
        for file in clients.iter().flat_map(|client| &client.servers) {
            files.push((folder.join(&file.file), &file.key));
        }
        files.push((folder.join(".claude-plugin/plugin.json"), "mcpServers"));
    }
    files.push((root.join(".claude-plugin/plugin.json"), "mcpServers"));
    files.sort();
    files.dedup();
    for (path, key) in files {
        if cx.world.kind(&path).is_none() {
            continue;
        }
        let Ok(json) = json::read(cx.world, &path) else {
            found.broken.extend(json::broken(cx.world, &path));
            continue;
        };
        if json.error.is_some() {
            found.broken.extend(json::broken(cx.world, &path));
        }
        let Some(entry) = json.tree.get(key) else { continue };
        found.any = true;
        for server in entry.value.as_mapping().map(|map| map.entries.as_slice()).unwrap_or_default()
        {
            if let Some((name, span)) = text(&server.key) {
                found.all.push(Server { name, path: path.clone(), span });
            }
        }
    }
    found
}

/// The text of a string, and its span without quotes.
pub fn text(node: &Node) -> Option<(String, Span)> {
    let text = node.as_str()?;
    let quotes = node.span.len() == text.len() + 2;
    let span = if quotes { node.span.start + 1..node.span.end - 1 } else { node.span.clone() };
    (quotes || node.span.len() == text.len()).then(|| (text.to_owned(), span))
}

/// The servers that a document declares in its own front matter.
pub fn own(source: &Source) -> Vec<(String, Span)> {
    let Some(front) = source.front_matter() else { return Vec::new() };
    let by = front.yaml_span.start;
    let mut found = Vec::new();
    for key in ["mcpServers", "mcp-servers", "mcp_servers"] {
        let Some(entry) = front.tree.get(key) else { continue };
        let maps = entry.value.as_mapping().into_iter().chain(
            entry
                .value
                .as_sequence()
                .into_iter()
                .flat_map(|list| &list.items)
                .filter_map(Node::as_mapping),
        );
        for entry in maps.flat_map(|map| &map.entries) {
            if let Some((name, span)) = text(&entry.key) {
                found.push((name, span.start + by..span.end + by));
            }
        }
    }
    found
}

/// A name as it appears in the names of tools: characters other than letters, digits, `_` and `-`
/// become `_`.
pub fn as_in_tools(name: &str) -> String {
    let letter = |letter: char| {
        if letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-') { letter } else { '_' }
    };
    name.chars().map(letter).collect()
}

/// The server in the name of a tool, as written, and its offset.
pub fn in_tool(tool: &str) -> Option<(&str, usize)> {
    if let Some(rest) = tool.strip_prefix("mcp__") {
        let server = rest.split("__").next().unwrap_or(rest);
        return (!server.is_empty()).then_some((server, "mcp__".len()));
    }
    let (server, _) = tool.split_once('/')?;
    (!server.is_empty()).then_some((server, 0))
}

/// Whether a server comes with a plugin, or with the client itself.
pub fn is_plugin_server(server: &str) -> bool {
    const OWN: &[&str] = &["ide", "computer-use", "cowork", "codex_apps"];
    server.starts_with("plugin_") || server.starts_with("claude_") || OWN.contains(&server)
}

/// The clients of the catalog that have files for servers.
pub fn clients() -> Vec<&'static Client> {
    catalog().clients.iter().filter(|client| !client.servers.is_empty()).collect()
}
