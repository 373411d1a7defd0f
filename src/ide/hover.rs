//! Hover: the format's content, otherwise the target of a link.

use crate::answer::{Hover, LinkTarget};
use crate::document::Document;
use crate::format::{Context, selectors};
use crate::ide::blocks;
use crate::ide::definition::{heading_span, link_at, with};
use crate::ide::links::target;
use crate::ide::opaque;
use crate::ide::symbols::headings;
use crate::world::ReadError;

/// The hover for the item at `offset`.
pub fn hover(document: &Document, cx: &Context, offset: usize) -> Option<Hover> {
    let own = own_hover(document, cx, offset);
    let found = if own.is_some() || opaque::holds(document, offset) {
        own
    } else {
        selectors::hover::hover(cx, offset).or_else(|| link_hover(cx, offset))
    };
    found.map(|hover| Hover { span: with(hover.span, offset), ..hover })
}

/// The block's effect, then the format's content for the item in it.
fn own_hover(document: &Document, cx: &Context, offset: usize) -> Option<Hover> {
    match (blocks::hover::hover(document, cx, offset), document.model().hover(cx, offset)) {
        (Some(block), Some(own)) => Some(Hover {
            markdown: format!("{}\n\n---\n\n{}", block.markdown, own.markdown),
            ..own
        }),
        (block, own) => block.or(own),
    }
}

fn link_hover(cx: &Context, offset: usize) -> Option<Hover> {
    let (span, destination, _) = link_at(cx, offset)?;
    let markdown = match target(cx.path, &destination)? {
        LinkTarget::Url(url) => format!("<{url}>"),
        LinkTarget::File { path, fragment } => {
            let own = cx.path == Some(&path);
            let read = if own { Ok(cx.source.clone()) } else { cx.world.read(&path) };
            let name = if own { "this document".to_owned() } else { format!("`{destination}`") };
            match (read, fragment) {
                (Err(ReadError::Folder), _) => format!("Folder {name}"),
                (Err(error), _) => format!("{name}: {error}"),
                (Ok(source), Some(fragment)) => match heading_span(&source, &fragment) {
                    Some(span) => format!(
                        "**{}**\n\nin {name}",
                        source.slice(span).trim_start_matches('#').trim()
                    ),
                    None => format!("No heading `#{fragment}` in {name}"),
                },
                (Ok(source), None) => match headings(&source).next() {
                    Some(first) => format!("**{}**\n\n{name}", first.title),
                    None => name,
                },
            }
        }
    };
    Some(Hover { span, markdown })
}
