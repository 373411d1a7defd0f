//! Verdicts: how each client reads an agent file.

use crate::client::Kind;
use crate::document::Document;
use crate::format::agent::verdict;
pub use crate::format::agent::verdict::Verdict;
use crate::format::{Context, agent};

/// The kind of an agent file, and how each of the selected clients reads it.
pub fn verdicts(document: &Document, cx: &Context) -> Option<(Kind, Vec<Verdict>)> {
    (document.format().name == agent::FORMAT.name).then(|| verdict::verdicts(cx)).flatten()
}
