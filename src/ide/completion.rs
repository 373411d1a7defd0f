//! Completion: the format's items, and files and headings inside link destinations.

use std::path::Path;

use percent_encoding::percent_decode_str;

use crate::answer::{Completion, CompletionKind};
use crate::document::Document;
use crate::format::{Context, selectors};
use crate::ide::links::anchor;
use crate::ide::opaque;
use crate::ide::symbols::headings;
use crate::markdown::front::BOM;
use crate::markdown::{BlockKind, SectionKind};
use crate::source::Source;
use crate::text::{Edit, Span};
use crate::world::{self, EntryKind};

/// The completions at `offset`.
pub fn completions(document: &Document, cx: &Context, offset: usize) -> Vec<Completion> {
    // No completions before a byte order mark: they would be inserted after the cursor.
    if offset < BOM.len()
        && BOM.bytes().enumerate().all(|(at, byte)| cx.source.text().get_byte(at) == Some(byte))
    {
        return Vec::new();
    }
    let mut found = document.model().complete(cx, offset);
    if found.is_empty()
        && !opaque::holds(document, offset)
        && let Some(typed) = link_destination(cx.source, offset)
    {
        found = destinations(cx, typed);
    }
    if found.is_empty() && !opaque::holds(document, offset) {
        found = selectors::complete::complete(cx, offset);
    }
    found
}

/// The part of a link destination before the cursor: after `](` or `]: ` on the same line, outside
/// code.
fn link_destination(source: &Source, offset: usize) -> Option<Span> {
    let placed = source.section_at(offset)?;
    if matches!(placed.section.kind, SectionKind::Front(_)) {
        return None;
    }
    let local = offset - placed.start;
    let in_code = |block: &crate::markdown::Block| {
        matches!(block.kind, BlockKind::Code { .. })
            && block.span.start < local
            && local <= block.span.end
    };
    if source.blocks(placed).blocks.iter().any(in_code) {
        return None;
    }
    let line = source.line_span(offset).start..offset;
    let text = source.slice(line.clone());
    let inline = text.rfind("](").map(|at| at + 2);
    let definition = text.starts_with('[').then(|| text.find("]:")).flatten().map(|at| {
        at + 2 + usize::from(text.get(at + 2..).is_some_and(|rest| rest.starts_with(' ')))
    });
    let start = inline.max(definition)?;
    let typed = text.get(start..)?;
    let open =
        !typed.contains([')', ' ', '\t', '"']) && text.get(..start)?.matches('`').count() % 2 == 0;
    open.then_some(line.start + start..offset)
}

fn destinations(cx: &Context, typed: Span) -> Vec<Completion> {
    let text = cx.source.slice(typed.clone()).into_owned();
    match text.split_once('#') {
        Some(("", _)) => anchors(cx.source, typed.start + 1..typed.end),
        Some((file, _)) => {
            let path = cx
                .path
                .map(|path| world::resolve(path, &percent_decode_str(file).decode_utf8_lossy()));
            let source = path.and_then(|path| cx.world.read(&path).ok());
            source.map_or_else(Vec::new, |source| {
                anchors(&source, typed.start + file.len() + 1..typed.end)
            })
        }
        None => {
            let mut found = cx.path.map_or_else(Vec::new, |path| {
                paths(cx, path, &text, &typed, |name| !name.starts_with('.'))
            });
            if text.is_empty() {
                found.push(Completion {
                    label: "#".to_owned(),
                    kind: CompletionKind::Heading,
                    detail: Some("a heading of this document".to_owned()),
                    documentation: None,
                    edit: Edit::replace(typed, "#"),
                    snippet: None,
                    rank: 0,
                    more: true,
                });
            }
            found
        }
    }
}

fn anchors(source: &Source, span: Span) -> Vec<Completion> {
    let mut seen = std::collections::HashMap::new();
    let found = headings(source).enumerate().map(|(index, heading)| {
        let base = anchor(heading.title);
        let count: &mut usize = seen.entry(base.clone()).or_default();
        let label = if *count == 0 { base } else { format!("{base}-{count}") };
        *count += 1;
        Completion {
            edit: Edit::replace(span.clone(), label.clone()),
            label,
            kind: CompletionKind::Heading,
            detail: Some(format!("{} {}", "#".repeat(heading.level.into()), heading.title)),
            documentation: None,
            snippet: None,
            rank: u32::try_from(index).unwrap_or(u32::MAX),
            more: false,
        }
    });
    found.filter(|item| !item.label.is_empty()).collect()
}

/// The files and folders that can complete `typed` in the document at `from`. The last part of the
/// path is replaced; `keep` filters entries by name.
pub fn paths(
    cx: &Context,
    from: &Path,
    text: &str,
    typed: &Span,
    keep: impl Fn(&str) -> bool,
) -> Vec<Completion> {
    let (folder, name) = text
        .rsplit_once('/')
        .map_or(("", text), |(folder, name)| (if folder.is_empty() { "/" } else { folder }, name));
    let span = typed.end - name.len()..typed.end;
    let own = from.file_name();
    let entries =
        cx.world.list(&world::resolve(from, &percent_decode_str(folder).decode_utf8_lossy()));
    let same_folder = matches!(folder, "" | ".");
    let found = entries.into_iter().filter(|entry| {
        keep(&entry.name) && !(same_folder && own.is_some_and(|own| own == entry.name.as_str()))
    });
    found
        .map(|entry| {
            let is_folder = entry.kind == EntryKind::Folder;
            let written = entry.name.replace(' ', "%20") + if is_folder { "/" } else { "" };
            Completion {
                label: written.clone(),
                kind: if is_folder { CompletionKind::Folder } else { CompletionKind::File },
                detail: None,
                documentation: None,
                edit: Edit::replace(span.clone(), written),
                snippet: None,
                rank: u32::from(is_folder),
                more: is_folder,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::world::Memory;

    #[test]
    fn no_completions_before_a_byte_order_mark() {
        let (config, world) = (Config::default(), Memory::default());
        for path in ["/w/program.md", "/w/p.ll.md", "/w/reply.md"] {
            for text in ["", "---\n", "[", "#"] {
                let (text, path) = (format!("{BOM}{text}"), Path::new(path));
                let document = Document::new(&text, Some(path), &config);
                let cx = Context::new(document.source(), Some(path), &world, &config);
                for offset in [0, BOM.len()] {
                    for item in completions(&document, &cx, offset) {
                        assert!(
                            item.edit.span.start <= offset && offset <= item.edit.span.end,
                            "{path:?} {text:?} {offset}: {item:?}"
                        );
                    }
                }
            }
        }
    }
}
