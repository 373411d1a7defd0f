//! Conversions of an agent file for the other clients that a workspace uses.

use std::path::PathBuf;

use crate::client::{Client, catalog};
use crate::document::Document;
use crate::format::agent::convert::{self, Place};
use crate::format::{Context, agent};
use crate::plan::FileChange;
use crate::text::Span;
use crate::world::slashed;

/// A conversion that can be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    pub title: String,
    to: Place,
}

/// The conversions of a document, if `span` is at its top: in its front matter or on its first
/// line. Nothing is converted yet.
pub fn offers(document: &Document, cx: &Context, span: &Span) -> Vec<Offer> {
    let source = cx.source;
    let top = source.front_matter().map_or(source.line_span(0), |front| front.span);
    if document.format().name != agent::FORMAT.name || span.start > top.end {
        return Vec::new();
    }
    let Some(origin) =
        cx.path.and_then(|path| convert::origin(&cx.root().unwrap_or_default(), path, None))
    else {
        return Vec::new();
    };
    let used = clients(cx);
    let mut found: Vec<Offer> = Vec::new();
    for to in convert::targets(origin.place) {
        let offer = Offer { title: format!("Convert to {}", to.words()), to };
        if used.iter().any(|client| std::ptr::eq(*client, to.client))
            && !found.iter().any(|other| other.title == offer.title)
        {
            found.push(offer);
        }
    }
    found
}

/// The clients that the settings name, otherwise those that the workspace has files of.
fn clients(cx: &Context) -> Vec<&'static Client> {
    let named = &cx.config.options().clients;
    if !named.is_empty() {
        return named.iter().filter_map(|name| catalog().named(name)).collect();
    }
    let Some(root) = cx.root() else { return Vec::new() };
    let used = |client: &&Client| {
        client.signs.iter().any(|sign| cx.world.kind(&root.join(sign)).is_some())
    };
    catalog().clients.iter().filter(used).collect()
}

/// The new file of a conversion, and everything that the other client has no counterpart for, a
/// line each.
///
/// # Errors
/// If the file can't be converted, or the new one already exists.
pub fn change(cx: &Context, offer: &Offer) -> Result<(FileChange, Vec<String>), String> {
    let path = cx.path.ok_or("the document isn't saved")?;
    let origin = convert::origin(&cx.root().unwrap_or_default(), path, None)
        .ok_or("no client reads this path")?;
    let text = cx.source.text().to_string();
    let around = Some((cx.world, path));
    let conversion =
        convert::convert_at(&text, &origin, offer.to, around).map_err(|it| it.to_string())?;
    let root = origin.root.or_else(|| cx.root()).ok_or("the folder of the file is unknown")?;
    let target: PathBuf = root.join(&conversion.path);
    if cx.world.kind(&target).is_some() {
        return Err(format!("{} exists", conversion.path));
    }
    let name = target.strip_prefix(&root).map_or_else(|_| slashed(&target), slashed);
    let dropped = conversion.dropped.iter().map(|one| one.said("without")).collect();
    Ok((FileChange::new(target, &name, None, Some(&conversion.text)), dropped))
}
