//! Well-known published MCP servers: how to start each one, and the tools that its documentation
//! names. Without a documented or stable list, no tools are listed.

use std::sync::LazyLock;

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// A published server.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// Its usual name.
    pub name: &'static str,
    /// Its purpose, in a few words.
    pub about: &'static str,
    pub start: Start,
    /// Each with its purpose.
    #[serde(deserialize_with = "pairs")]
    pub tools: Vec<(String, String)>,
}

/// How to reach a server.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Start {
    Command { command: &'static str, args: Vec<&'static str> },
    Url { url: &'static str },
}

/// The entries of an object, in its order.
fn pairs<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(String, String)>, D::Error> {
    let entries = Map::deserialize(from)?.into_iter();
    entries
        .map(|(name, about)| match about {
            Value::String(about) => Ok((name, about)),
            _ => Err(serde::de::Error::custom("the purpose of a tool is a string")),
        })
        .collect()
}

static DATA: &str = include_str!("servers.json");

/// All known servers.
pub static SERVERS: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let read = serde_json::from_str(DATA);
    debug_assert!(read.is_ok(), "{read:?}");
    read.unwrap_or_default()
});

/// The published server with this name; `_` and `-` are equivalent.
pub fn named(name: &str) -> Option<&'static Known> {
    let folded = |name: &str| name.replace('_', "-").to_ascii_lowercase();
    SERVERS.iter().find(|known| folded(known.name) == folded(name))
}

/// The specification's name for the package of `fetch`.
const SPECIFIED_FETCH: &str = "@modelcontextprotocol/server-fetch";

/// The published server that these arguments start, regardless of its name.
pub fn started_by<'a>(mut arguments: impl Iterator<Item = &'a str>) -> Option<&'static Known> {
    arguments.find_map(|argument| {
        let package = argument
            .rsplit_once('@')
            .map_or(argument, |(name, _)| if name.is_empty() { argument } else { name });
        let package = if package == SPECIFIED_FETCH { "mcp-server-fetch" } else { package };
        SERVERS.iter().find(|known| {
            known.start.package().is_some_and(|own| own == argument || own == package)
        })
    })
}

impl Start {
    /// The package that contains the server.
    fn package(&self) -> Option<&'static str> {
        match self {
            Self::Command { args, .. } => args.iter().copied().find(|word| !word.starts_with('-')),
            Self::Url { .. } => None,
        }
    }

    /// The entries after the name in `mcp_servers`, one per line.
    pub fn entries(&self) -> String {
        match self {
            Self::Command { command, args } => {
                let quoted: Vec<String> =
                    args.iter().map(|argument| crate::yaml::quote(argument)).collect();
                format!("command: {command}\nargs: [{}]", quoted.join(", "))
            }
            Self::Url { url } => format!("url: {url}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_is_complete() {
        let known: Vec<Known> = serde_json::from_str(DATA).unwrap();
        assert!(known.len() > 8, "{}", known.len());
        assert!(known.iter().all(|known| !known.about.is_empty()));
        let first = known.first().and_then(|known| known.tools.first()).unwrap();
        assert_eq!(first.0, "read_file");
    }

    #[test]
    fn servers_are_known_by_name_and_by_package() {
        for (name, expected) in [
            ("filesystem", Some("filesystem")),
            ("sequential_thinking", Some("sequential-thinking")),
            ("files", None),
        ] {
            assert_eq!(named(name).map(|known| known.name), expected);
        }
        for (arguments, expected) in [
            (&["-y", "@modelcontextprotocol/server-filesystem", "/tmp"][..], Some("filesystem")),
            (&["-y", "@modelcontextprotocol/server-filesystem@1.2.3"], Some("filesystem")),
            (&["mcp-server-git@latest"], Some("git")),
            (&["-y", "@modelcontextprotocol/server-fetch"], Some("fetch")),
            (&["--flag", "@other/server"], None),
            (&[], None),
        ] {
            assert_eq!(
                started_by(arguments.iter().copied()).map(|known| known.name),
                expected,
                "{arguments:?}"
            );
        }
    }
}
