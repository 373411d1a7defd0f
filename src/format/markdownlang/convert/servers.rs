//! The servers whose tools a skill uses.

use super::skill::Skill;
use crate::format::markdownlang::known::{self, Known, Start};
use crate::format::markdownlang::mention::{MentionKind, mentions, named, resolve};
use crate::yaml;

/// A server to declare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    pub name: String,
    /// The entries after the name, one per line.
    pub entries: String,
}

/// How the specification's mapping starts `fetch`.
fn fetch() -> Start {
    Start::Command { command: "npx", args: vec!["-y", "@modelcontextprotocol/server-fetch"] }
}

/// The placeholder endpoint of an unknown server.
const ENDPOINT: Start = Start::Url { url: "http://localhost:3000/mcp" };

/// The equivalents of coding agents' built-in tools.
const BUILT_IN: &[(&str, &str)] = &[
    ("Read", "filesystem"),
    ("Write", "filesystem"),
    ("Edit", "filesystem"),
    ("MultiEdit", "filesystem"),
    ("Glob", "filesystem"),
    ("Grep", "filesystem"),
    ("LS", "filesystem"),
    ("WebFetch", "fetch"),
];

/// The servers of a skill, in the order of their mentions.
pub fn find(skill: &Skill, notes: &mut Vec<String>) -> Vec<Server> {
    let mut names: Vec<String> = Vec::new();
    for tool in &skill.tools {
        let bare = tool.split('(').next().unwrap_or_default();
        let known =
            BUILT_IN.iter().find(|(name, _)| *name == bare).map(|(_, server)| (*server).to_owned());
        let git = (bare == "Bash" && tool.contains("(git")).then(|| "git".to_owned());
        names.extend(
            known.or(git).or_else(|| resolve(tool, &[]).map(|parts| parts.server_name.to_owned())),
        );
    }
    for mention in mentions(&skill.body) {
        if let MentionKind::Tool { name, .. } = mention.kind {
            let parts = resolve(&name, &[]).filter(|parts| !parts.is_pattern());
            names.extend(parts.map(|parts| parts.server_name.to_owned()));
        }
    }
    names.extend(spoken(&skill.body).map(|known| known.name.to_owned()));
    let mut found: Vec<Server> = Vec::new();
    for name in names {
        if found.iter().all(|server| server.name != name) && !name.is_empty() {
            let known = known::named(&name);
            let start = known.map_or(ENDPOINT, |known| {
                if known.name == "fetch" { fetch() } else { known.start.clone() }
            });
            match known {
                None => notes.push(format!("the server `{name}` is unknown; add its command or URL")),
                Some(known) if known.name == "fetch" => notes.push(format!(
                    "the server `{name}` is started as in the specification; the published package starts with `uvx mcp-server-fetch`"
                )),
                Some(_) => {}
            }
            found.push(Server { name, entries: start.entries() });
        }
    }
    found
}

/// `the fetch tool`, `filesystem server`, `github MCP`: servers published under these names.
fn spoken(body: &str) -> impl Iterator<Item = &'static Known> {
    let spoken = |known: &&'static Known| {
        named(body, known.name).into_iter().any(|span| {
            let behind =
                body.get(span.end..).unwrap_or_default().trim_start_matches(['`', '*', '"']);
            let next = behind.trim_start();
            let word = next
                .split(|character: char| !character.is_alphanumeric())
                .next()
                .unwrap_or_default();
            next.len() < behind.len()
                && matches!(word.to_lowercase().as_str(), "tool" | "tools" | "server" | "mcp")
        })
    };
    known::SERVERS.iter().filter(spoken)
}

impl Server {
    /// The item in `mcp_servers`.
    pub fn item(&self) -> String {
        format!(
            "  - name: {}\n    {}\n",
            yaml::print_scalar(&self.name),
            self.entries.replace('\n', "\n    ")
        )
    }
}
