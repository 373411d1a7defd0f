//! Code lenses: applicable edits above their blocks; the verdicts on an agent file above its first
//! line; Run and Test above programs and their tests.

use crate::answer::{Occurrence, Runnable};
use crate::client::{Kind, catalog};
use crate::document::Document;
use crate::format::Context;
use crate::format::agent::{loaded, verdict};
use crate::format::markdownlang::{self, FORMAT};
use crate::format::selectors;
use crate::ide::apply::{Application, applications};
use crate::ide::{opaque, references, verdicts};
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

/// The programs and tests that a client can run.
pub fn runnables(document: &Document, cx: &Context) -> Vec<Runnable> {
    let mut found = document.model().runnables(cx);
    found.sort_by_key(|runnable| runnable.span.start);
    found
}

/// The verdicts on an agent file, above its first line.
pub fn summary(document: &Document, cx: &Context) -> Option<Summary> {
    let (kind, verdicts) = verdicts::verdicts(document, cx)?;
    let target = verdicts.iter().find_map(|verdict| verdict.place).unwrap_or_default();
    if verdicts.is_empty() {
        return None;
    }
    let mut title = verdict::summary(&verdicts);
    if kind == Kind::Memory {
        let names = verdicts.iter().map(|verdict| verdict.client.as_str());
        let clients: Vec<_> = names.filter_map(|name| catalog().named(name)).collect();
        let loads = loaded::memory(cx, &clients);
        title.extend(loaded::summary(&loads).map(|loads| format!(" · {loads}")));
    }
    Some(Summary { span: 0..0, title, target })
}

/// How often something is referred to.
#[derive(Debug, Clone, PartialEq)]
pub struct Referred {
    /// The start of the heading, or of the program's name.
    pub offset: usize,
    pub title: String,
    pub places: Vec<Occurrence>,
}

/// The references to headings and to the program, if the settings ask for them. Items without
/// references get no lens.
pub fn referred(document: &Document, cx: &Context) -> Vec<Referred> {
    if !cx.config.options().reference_lenses {
        return Vec::new();
    }
    let mut found: Vec<(usize, Vec<Occurrence>)> = selectors::references::by_heading(cx)
        .into_iter()
        .filter(|(offset, _)| !opaque::holds(document, *offset))
        .collect();
    if document.format().name == FORMAT.name
        && let Some(name) = &markdownlang::header(cx.source).name
    {
        let offset = name.span.start;
        found.push((offset, references::references(document, cx, offset, false)));
    }
    found.retain(|(_, places)| !places.is_empty());
    found.sort_by_key(|(offset, _)| *offset);
    let referred = |(offset, places): (usize, Vec<Occurrence>)| {
        let count = places.len();
        let title =
            if count == 1 { "1 reference".to_owned() } else { format!("{count} references") };
        Referred { offset, title, places }
    };
    found.into_iter().map(referred).collect()
}
