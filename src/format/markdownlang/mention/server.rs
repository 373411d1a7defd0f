//! Splits a tool's name into server and tool.

use super::super::program::Server;

/// The parts of a tool's name, in bytes of the name.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved<'n, 's> {
    /// The declared server with this name.
    pub server: Option<&'s Server>,
    pub server_name: &'n str,
    /// `None` if only the server is named.
    pub tool: Option<&'n str>,
}

impl Resolved<'_, '_> {
    /// `mcp__server__tool`: the general form of tool names.
    pub fn is_pattern(&self) -> bool {
        let tool = |tool: &str| matches!(tool, "tool" | "tool_name" | "tool-name");
        self.server.is_none()
            && matches!(self.server_name, "server" | "server_name" | "server-name")
            && self.tool.is_none_or(tool)
    }
}

/// Splits `mcp__server__tool`: the longest declared name that fits is the server; without one, the
/// text before the first `__`.
pub fn resolve<'n, 's>(name: &'n str, servers: &'s [Server]) -> Option<Resolved<'n, 's>> {
    let rest = name.strip_prefix("mcp__")?;
    let tool = |rest: &'n str| rest.strip_prefix("__").filter(|tool| !tool.is_empty());
    let fits = |server: &&'s Server| {
        let own = server.name.as_ref().map_or("", |name| name.text.as_str());
        !own.is_empty()
            && rest.strip_prefix(own).is_some_and(|rest| rest.is_empty() || tool(rest).is_some())
    };
    let length = |server: &&Server| server.name.as_ref().map_or(0, |name| name.text.len());
    if let Some(server) = servers.iter().filter(fits).max_by_key(length) {
        let (server_name, behind) = rest.split_at_checked(length(&server))?;
        return Some(Resolved { server: Some(server), server_name, tool: tool(behind) });
    }
    let (server_name, behind) =
        rest.split_once("__").map_or((rest, None), |(server, tool)| (server, Some(tool)));
    Some(Resolved { server: None, server_name, tool: behind.filter(|tool| !tool.is_empty()) })
}
