//! Inserts a file that is dropped or pasted into a document: as a link, an import, or an item of a
//! context pack.

use std::path::Path;

use crate::answer::Insertion;
use crate::document::Document;
use crate::format::Context;
use crate::format::agent::names::relative;
use crate::ide::opaque;
use crate::markdown::destination::{self, Style};
use crate::text::Edit;

/// The ways to insert a file at `offset`, the most common first.
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
    let destination = match path.contains([' ', '(', ')']) {
        true => format!("<{}>", destination::write(&path, Style::Brackets)),
        false => destination::write(&path, Style::Bare),
    };
    let mark = if image { "!" } else { "" };
    Some(Insertion {
        title: if image { "Insert image" } else { "Insert link" }.to_owned(),
        kind: "link",
        edit: Edit::insert(offset, format!("{mark}[{label}]({destination})")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::LinkTarget;
    use crate::config::Config;
    use crate::ide::links::target;
    use crate::source::Source;
    use crate::text::apply;
    use crate::world::Memory;

    #[test]
    fn an_inserted_link_leads_to_the_file() {
        let (config, world) = (Config::default(), Memory::default().in_folder("/w"));
        let path = Path::new("/w/notes.md");
        for name in ["a b (1).md", "50% #1?.md", "<x>&amp;.md", "a\\b`c.md", "日本 🦆.png", "x.md"]
        {
            let file = Path::new("/w").join(name);
            let document = Document::new("See \r\n", Some(path), &config);
            let cx = Context::new(document.source(), Some(path), &world, &config);
            let found = insertions(&document, &cx, 4, &file).pop().unwrap();
            let text = apply("See \r\n", &[found.edit]).unwrap();
            let source = Source::new(&text);
            let placed = source.sections().next().unwrap();
            let links = &source.blocks(placed).links;
            let found = links.first().and_then(|link| target(Some(path), &link.destination));
            assert_eq!(found, Some(LinkTarget::File { path: file, fragment: None }), "{text}");
        }
    }
}
