//! What a file that is dropped or pasted into a document becomes: a link, an import, or an item of a
//! context pack.

use std::path::Path;

use crate::answer::Insertion;
use crate::document::Document;
use crate::format::Context;
use crate::format::agent::names::relative;
use crate::ide::opaque;
use crate::text::Edit;

/// The ways to insert a file at `offset`, the usual first.
pub fn insertions(document: &Document, cx: &Context, offset: usize, file: &Path) -> Vec<Insertion> {
    if cx.path == Some(file) {
        return Vec::new();
    }
    let mut found = document.model().insertions(cx, offset, file);
    let in_front = cx.source.front_matter().is_some_and(|front| offset < front.span.end);
    if !in_front && !opaque::holds(document, offset) {
        found.extend(link(cx, offset, file));
    }
    found
}

fn link(cx: &Context, offset: usize, file: &Path) -> Option<Insertion> {
    let path = relative(cx.path?.parent()?, file)?;
    let name = file.file_name()?.to_str()?;
    let label = name.replace(['[', ']'], "");
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let image = ["png", "jpg", "jpeg", "gif", "svg", "webp"].contains(&ending);
    let path = if path.starts_with("../") { path } else { format!("./{path}") };
    let destination = match path.contains([' ', '(', ')', '<', '>']) {
        true => format!("<{}>", path.replace('<', "%3C").replace('>', "%3E")),
        false => path,
    };
    let mark = if image { "!" } else { "" };
    Some(Insertion {
        title: if image { "Insert image" } else { "Insert link" }.to_owned(),
        kind: "link",
        edit: Edit::insert(offset, format!("{mark}[{label}]({destination})")),
    })
}
