//! Names: what agent files declare (skills, agents, commands, prompts, workflows, servers, plugins)
//! and where they mention each other.
//!
//! - [`declared`]: the name of a file, from its path and its front matter
//! - [`scan`], [`mentions`]: what a section and a document mention
//! - [`index`]: which files declare and mention a name, kept in the world
//! - [`resolve`]: the declarations that a mention leads to, for each client
//! - [`json`], [`servers`], [`plugins`], [`settings`]: the configuration files around agent files;
//!   [`in_json`]: requests in them
//! - the others answer requests; [`graph`] has everything at once

mod calls;
mod complete;
mod configured;
mod declared;
mod definition;
mod duplicates;
mod graph;
mod hover;
pub mod in_json;
mod index;
pub(in crate::format::agent) mod json;
mod linked;
mod marketplace;
mod mentions;
mod moves;
pub(in crate::format::agent) mod paths;
mod places;
mod plugin_servers;
mod plugins;
mod references;
mod rename;
mod resolve;
mod scan;
mod servers;
mod settings;
mod variables;
mod workspace;

pub use calls::{callable, callers, calls};
pub use complete::{complete, known, names, server_names};
pub use declared::{Declaration, base, declaration, name, symbol};
pub use definition::{definition, links};
pub use duplicates::{Duplicate, duplicate};
pub use graph::{Graph, Use, graph};
pub use hover::hover;
pub use index::Index;
pub use json::{Broken, broken, error as json_error};
pub use marketplace::Marketplace;
pub use mentions::{Mention, Place, Word, at, of};
pub use paths::relative;
pub use places::complete as complete_places;
pub use plugin_servers::{all as plugin_servers, split as plugin_server};
pub use plugins::is_listed;
pub use references::{occurrences, references};
pub use rename::{renamable, rename};
pub use resolve::{
    NAMES, Plugins, Resolved, Target, has_own, is_on_disk, lacks, nearest, note, plugin_names,
    readers, resolve, resolve_among,
};
pub use servers::{Servers, as_in_tools, in_tool, is_plugin_server, listed as servers};
pub use workspace::Names;

#[cfg(test)]
mod tests;
