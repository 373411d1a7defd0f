//! Code lenses: applicable edits above their blocks; the verdicts on an agent file above its first
//! line.

use crate::document::Document;
use crate::format::Context;
use crate::format::agent::verdict;
use crate::ide::apply::{Application, applications};
use crate::ide::verdicts;
use crate::plan::FileChange;
use crate::text::Span;

/// The lenses of a document, in order.
pub fn lenses(
    document: &Document,
    cx: &Context,
    together: &dyn Fn(&FileChange) -> bool,
) -> Vec<Application> {
    applications(document, cx, &(0..cx.source.len()), together)
}

/// The verdicts of clients on an agent file, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    pub span: Span,
    pub title: String,
    /// The first problem for a client.
    pub target: usize,
}

/// The verdicts on an agent file, above its first line.
pub fn summary(document: &Document, cx: &Context) -> Option<Summary> {
    let (_, verdicts) = verdicts::verdicts(document, cx)?;
    let target = verdicts.iter().find_map(|verdict| verdict.place).unwrap_or_default();
    (!verdicts.is_empty()).then(|| Summary {
        span: 0..0,
        title: verdict::summary(&verdicts),
        target,
    })
}
