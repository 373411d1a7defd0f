//! Which documents are agent files: those at a path that a client reads, or one similar to it. The
//! content doesn't matter.

use std::path::Path;

use super::file::looks_like_agent;
use super::misplaced::has_keys;
use crate::client;
use crate::source::Source;

/// Whether the path of a document can only be that of an agent file.
pub fn recognise(path: Option<&Path>, _: &Source) -> bool {
    path.is_some_and(|path| {
        client::roles(path).iter().any(|role| !role.plugin)
            || client::misplaced(path).iter().any(|(_, _, wrong)| wrong.keys.is_empty())
    })
}

/// Whether a document of no other format may be an agent file: it's in a folder that plugins have,
/// or has keys that only agents have or that are expected at its path.
pub fn guess(path: Option<&Path>, source: &Source) -> bool {
    path.is_some_and(|path| {
        !client::roles(path).is_empty()
            || client::misplaced(path).iter().any(|(_, _, wrong)| has_keys(source, &wrong.keys))
            || path.extension().is_some_and(|extension| extension == "mdc")
            || looks_like_agent(source) && !client::is_aside(path)
    })
}
