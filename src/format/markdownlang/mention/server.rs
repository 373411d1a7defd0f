//! Splits a tool's name into server and tool.

use rustc_hash::FxHashMap;

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
    Servers::new(servers).resolve(name)
}

/// Declared servers by name, to resolve many tools.
#[derive(Debug)]
pub struct Servers<'s> {
    named: FxHashMap<&'s str, &'s Server>,
    /// The length of the longest name.
    longest: usize,
}

impl<'s> Servers<'s> {
    pub fn new(servers: &'s [Server]) -> Self {
        let named = servers
            .iter()
            .filter_map(|server| Some((server.name.as_ref()?.text.as_str(), server)))
            .filter(|(name, _)| !name.is_empty());
        let named: FxHashMap<&str, &Server> = named.collect();
        let longest = named.keys().map(|name| name.len()).max().unwrap_or_default();
        Self { named, longest }
    }

    /// See [`resolve`].
    pub fn resolve<'n>(&self, name: &'n str) -> Option<Resolved<'n, 's>> {
        let rest = name.strip_prefix("mcp__")?;
        if let Some(server) = self.named.get(rest) {
            return Some(Resolved { server: Some(server), server_name: rest, tool: None });
        }
        let mut end = rest.floor_char_boundary(self.longest + 2);
        while let Some(at) = rest.get(..end).and_then(|before| before.rfind("__")) {
            let (server_name, tool) = (rest.get(..at)?, rest.get(at + 2..)?);
            if let Some(server) = self.named.get(server_name).filter(|_| !tool.is_empty()) {
                return Some(Resolved { server: Some(server), server_name, tool: Some(tool) });
            }
            // The next two may overlap these.
            end = at + 1;
        }
        let (server_name, behind) =
            rest.split_once("__").map_or((rest, None), |(server, tool)| (server, Some(tool)));
        Some(Resolved { server: None, server_name, tool: behind.filter(|tool| !tool.is_empty()) })
    }
}
