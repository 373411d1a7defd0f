//! Which documents are bare replies with edit blocks (LLMD-1): those in which a model edits a file, and that are no
//! documents of their own. Front matter, a title, or prose about markers speak against it: edit blocks are explained in
//! many places, and nothing is to be found wrong with those.

use std::path::Path;

use super::read::read;
use super::signs;
use crate::source::Source;

/// Whether a document is such a reply.
pub fn recognise(_: Option<&Path>, source: &Source) -> bool {
    if !source.stretches().any(|stretch| signs::any(source, stretch).0) || source.front_matter().is_some() {
        return false;
    }
    let reading = read(source);
    !reading.titled && !reading.explains && reading.groups.iter().any(|(_, group)| group.telling)
}
