//! Completion: the format's items, and files and headings inside link destinations.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use percent_encoding::percent_decode_str;
use rustc_hash::FxHashMap;

use crate::answer::{Completion, CompletionKind};
use crate::document::Document;
use crate::format::{Context, selectors};
use crate::ide::links::anchor;
use crate::ide::opaque;
use crate::ide::symbols::{Heading, headings_of};
use crate::markdown::destination::{self, Style};
use crate::markdown::front::BOM;
use crate::markdown::{BlockKind, SectionKind};
use crate::source::Source;
use crate::text::{Edit, Span};
use crate::world::{self, EntryKind};

/// A list of completions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completions {
    pub items: Vec<Completion>,
    /// The list isn't complete: request it again when the typed text changes.
    pub more: bool,
}

/// The limit of listed items; of more, those that fit the typed text best. Longer lists aren't
/// read, and editors ask again after each key.
const MOST: usize = 200;

/// The completions at `offset`.
pub fn completions(document: &Document, cx: &Context, offset: usize) -> Completions {
    let Completions { mut items, more } = all(document, cx, offset);
    if items.len() <= MOST {
        return Completions { items, more };
    }
    items.sort_by_key(|item| item.rank);
    // Most items replace the same text.
    let mut last: (Span, String) = (0..0, String::new());
    let fit = |item: &Completion| {
        let span = item.edit.span.start..offset.max(item.edit.span.start);
        if last.0 != span {
            last = (span.clone(), plain(&cx.source.slice(span)));
        }
        fit(&last.1, &item.label).min(fit(&last.1, &item.edit.text))
    };
    Completions { items: best(items, fit), more: true }
}

/// How well an item fits the typed text; smaller is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Begins,
    Contains,
    /// The typed letters occur in order.
    Spells,
    Not,
}

/// The lowercase letters and digits of `text`. Editors match other characters in different ways.
fn plain(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn fit(typed: &str, name: &str) -> Fit {
    if typed.is_empty() {
        return Fit::Begins;
    }
    let name = plain(name);
    let mut letters = name.chars();
    match name.find(typed) {
        Some(0) => Fit::Begins,
        Some(_) => Fit::Contains,
        None if typed.chars().all(|letter| letters.any(|other| other == letter)) => Fit::Spells,
        None => Fit::Not,
    }
}

/// The items that fit best, at most [`MOST`], in their order.
fn best<T>(items: Vec<T>, mut fit: impl FnMut(&T) -> Fit) -> Vec<T> {
    let fits: Vec<Fit> = items.iter().map(&mut fit).collect();
    let count = |wanted: Fit| fits.iter().filter(|fit| **fit == wanted).count();
    // As many of each kind as fit after the better ones.
    let mut left = MOST;
    let mut room = [Fit::Begins, Fit::Contains, Fit::Spells].map(|kind| {
        let taken = count(kind).min(left);
        left -= taken;
        taken
    });
    let mut is_kept = |fit: &Fit| {
        let room = room.get_mut(*fit as usize).filter(|room| **room > 0);
        room.map(|room| *room -= 1).is_some()
    };
    items.into_iter().zip(&fits).filter(|(_, fit)| is_kept(fit)).map(|(item, _)| item).collect()
}

fn all(document: &Document, cx: &Context, offset: usize) -> Completions {
    let only = |items: Vec<Completion>| Completions { items, more: false };
    // No completions before a byte order mark: they would be inserted after the cursor.
    if offset < BOM.len()
        && BOM.bytes().enumerate().all(|(at, byte)| cx.source.text().get_byte(at) == Some(byte))
    {
        return Completions::default();
    }
    let mut found = only(document.model().complete(cx, offset));
    if found.items.is_empty()
        && !opaque::holds(document, offset)
        && let Some((typed, style)) = link_destination(cx.source, offset)
    {
        found = destinations(cx, typed, style);
    }
    if found.items.is_empty() && !found.more && !opaque::holds(document, offset) {
        found = only(selectors::complete::complete(cx, offset));
    }
    found
}

/// The part of a link destination before the cursor, and how it is written: after `](` or `]: ` on
/// the same line, outside code.
fn link_destination(source: &Source, offset: usize) -> Option<(Span, Style)> {
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
    // What follows `[^1]:` is a footnote.
    let defines = text.starts_with('[') && !text.starts_with("[^");
    let definition = defines.then(|| text.find("]:")).flatten().map(|at| {
        at + 2 + usize::from(text.get(at + 2..).is_some_and(|rest| rest.starts_with(' ')))
    });
    let start = inline.max(definition)?;
    let typed = text.get(start..)?;
    let (start, style, ends): (_, _, &[char]) = match typed.strip_prefix('<') {
        Some(_) => (start + 1, Style::Brackets, &['<', '>']),
        None => (start, Style::Bare, &[')', ' ', '\t', '"']),
    };
    let open = !text.get(start..)?.contains(ends)
        && text.get(..start)?.matches('`').count().is_multiple_of(2);
    open.then_some((line.start + start..offset, style))
}

fn destinations(cx: &Context, typed: Span, style: Style) -> Completions {
    let text = cx.source.slice(typed.clone()).into_owned();
    match text.split_once('#') {
        Some(("", name)) => anchors(cx.source, name, typed.start + 1..typed.end),
        Some((file, name)) => {
            let path = cx
                .path
                .map(|path| world::resolve(path, &percent_decode_str(file).decode_utf8_lossy()));
            let source = path.and_then(|path| cx.world.read(&path).ok());
            source.map_or_else(Completions::default, |source| {
                anchors(&source, name, typed.start + file.len() + 1..typed.end)
            })
        }
        None => {
            let mut found =
                cx.path.map_or_else(Vec::new, |path| paths(cx, path, &text, &typed, style));
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
            Completions { items: found, more: false }
        }
    }
}

/// The anchors of the headings in a stretch, in order. A document may have very many.
struct Anchors(Vec<Box<str>>);

/// The headings of a document that fit the typed part of an anchor.
fn anchors(source: &Source, typed: &str, span: Span) -> Completions {
    let stretches: Vec<_> = source.stretches().collect();
    let known: Vec<Arc<Anchors>> = stretches
        .iter()
        .map(|stretch| {
            stretch.memo().get_or(|| {
                let headings = stretch.sections().flat_map(|placed| headings_of(source, placed));
                Anchors(headings.map(|heading| anchor(heading.title).into_boxed_str()).collect())
            })
        })
        .collect();
    let mut seen: FxHashMap<&str, usize> = FxHashMap::default();
    let mut found = Vec::new();
    for (stretch, anchors) in known.iter().enumerate() {
        for (index, anchor) in anchors.0.iter().enumerate() {
            let count = seen.entry(anchor).or_default();
            let label = match *count {
                0 => Cow::Borrowed(&**anchor),
                count => Cow::Owned(format!("{anchor}-{count}")),
            };
            *count += 1;
            if !label.is_empty() {
                found.push((stretch, index, label));
            }
        }
    }
    let more = found.len() > MOST;
    if more {
        let typed = plain(typed);
        found = best(found, |(_, _, label)| fit(&typed, label));
    }
    // Items of the same stretch are consecutive.
    let mut headings: (usize, Vec<Heading>) = (usize::MAX, Vec::new());
    let item = |(rank, (stretch, index, label)): (usize, (usize, usize, Cow<str>))| {
        if headings.0 != stretch {
            let sections = stretches.get(stretch)?.sections();
            headings = (stretch, sections.flat_map(|placed| headings_of(source, placed)).collect());
        }
        let heading = headings.1.get(index)?;
        Some(Completion {
            edit: Edit::replace(span.clone(), label.clone()),
            label: label.into_owned(),
            kind: CompletionKind::Heading,
            detail: Some(format!("{} {}", "#".repeat(heading.level.into()), heading.title)),
            documentation: None,
            snippet: None,
            rank: u32::try_from(rank).unwrap_or(u32::MAX),
            more: false,
        })
    };
    Completions { items: found.into_iter().enumerate().filter_map(item).collect(), more }
}

/// The files and folders that can complete `typed` in the document at `from`. The last part of the
/// path is replaced.
fn paths(cx: &Context, from: &Path, text: &str, typed: &Span, style: Style) -> Vec<Completion> {
    let (folder, name) = text
        .rsplit_once('/')
        .map_or(("", text), |(folder, name)| (if folder.is_empty() { "/" } else { folder }, name));
    let span = typed.end - name.len()..typed.end;
    let own = from.file_name();
    let entries =
        cx.world.list(&world::resolve(from, &percent_decode_str(folder).decode_utf8_lossy()));
    let same_folder = matches!(folder, "" | ".");
    let found = entries.into_iter().filter(|entry| {
        let is_own = same_folder && own.is_some_and(|own| own == entry.name.as_str());
        !is_own && !entry.name.starts_with('.')
    });
    found
        .map(|entry| {
            let is_folder = entry.kind == EntryKind::Folder;
            let name = destination::write(&entry.name, style);
            let written = name + if is_folder { "/" } else { "" };
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
    fn of_many_headings_only_matching_ones_are_listed() {
        let (config, world) = (Config::default(), Memory::default());
        let list = |headings: usize, typed: &str| {
            let headings: String =
                (0..headings).map(|at| format!("## Part {at} of {}\n\n", at % 7)).collect();
            let text = format!("[a](#{typed}\n\n# Title\n\n# Title\n\n{headings}");
            let document = Document::new(&text, None, &config);
            let cx = Context::new(document.source(), None, &world, &config);
            let found = completions(&document, &cx, "[a](#".len() + typed.len());
            let labels: Vec<String> = found.items.into_iter().map(|item| item.label).collect();
            (labels, found.more)
        };
        // A short list is complete, regardless of the typed text: the editor filters it.
        let (labels, more) = list(100, "zzz");
        assert_eq!((labels.len(), more), (102, false));
        assert_eq!(labels[..3], ["title", "title-1", "part-0-of-0"]);
        let (labels, more) = list(1000, "");
        assert_eq!((labels.len(), more, labels[0].as_str()), (MOST, true, "title"));
        let (labels, more) = list(1000, "part-99");
        assert_eq!((labels.len(), more, labels[0].as_str()), (11 + 17, true, "part-99-of-1"));
        // Letters in order, ignoring case; prefix matches first, in the order of the document.
        let (labels, _) = list(1000, "T1");
        assert_eq!((labels.len(), labels[0].as_str()), (MOST, "title-1"));
        assert_eq!(list(1000, "zzz"), (Vec::new(), true));
    }

    /// The text after accepting each completion of a file or folder at `$0`.
    fn accepted(text: &str, names: &[&str]) -> Vec<String> {
        let config = Config::default();
        let folder = Memory::default().in_folder("/w");
        let world = names.iter().fold(folder, |world, name| world.with(format!("/w/{name}"), ""));
        let (offset, text) = (text.find("$0").unwrap(), text.replacen("$0", "", 1));
        let path = Path::new("/w/notes.md");
        let document = Document::new(&text, Some(path), &config);
        let cx = Context::new(document.source(), Some(path), &world, &config);
        let found = completions(&document, &cx, offset).items.into_iter();
        let files =
            found.filter(|item| matches!(item.kind, CompletionKind::File | CompletionKind::Folder));
        files.map(|item| crate::text::apply(&text, &[item.edit]).unwrap()).collect()
    }

    #[test]
    fn destinations_keep_their_brackets() {
        let names = ["a b (1).md", "ab.md"];
        for (text, expected) in [
            ("🦆 [x](<$0>)\n", "🦆 [x](<a b (1).md>)\n"),
            ("[x](<a$0>)\n", "[x](<a b (1).md>)\n"),
            ("[x](<a b$0>)\n", "[x](<a b (1).md>)\n"),
            ("[x](<a b$0\n", "[x](<a b (1).md\n"),
            ("[x](<./a$0>)\n", "[x](<./a b (1).md>)\n"),
            ("[x]: <a$0>\r\n", "[x]: <a b (1).md>\r\n"),
            ("[x](a$0)\n", "[x](a%20b%20%281%29.md)\n"),
            ("[x]: $0\n", "[x]: a%20b%20%281%29.md\n"),
            ("[x](<ab.md> $0)\n", ""),
            ("[x](<ab.md>$0)\n", ""),
            ("[^1]: $0\n", ""),
            ("[^1]: a$0\n", ""),
        ] {
            let found = accepted(text, &names);
            let first = found.iter().find(|text| text.contains("1"));
            assert_eq!(first.map_or("", |text| text), expected, "{text}: {found:?}");
            assert!(expected.is_empty() == found.is_empty(), "{text}: {found:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn written_destinations_lead_to_their_file(name in "[-ab() \\[\\]#?%&;<>\\\\`*_{}$|\"'~!:日🦆\u{1}\u{a0}.]{1,8}") {
            let name = format!("{}x.md", name.trim_start().replace(['.'], ""));
            for text in ["[t]($0)\n", "[t](<$0>)\n", "[t]: $0\n", "[t]: <$0>\n", "- [t](./$0 \"u\")\n"] {
                let found = accepted(text, &[&name]);
                proptest::prop_assert_eq!(found.len(), 1);
                let source = Source::new(&found[0]);
                let placed = source.sections().next().unwrap();
                let blocks = source.blocks(placed);
                let link = blocks.links.first();
                let target = link.and_then(|link| {
                    crate::ide::links::target(Some(Path::new("/w/notes.md")), &link.destination)
                });
                let expected = crate::answer::LinkTarget::File { path: Path::new("/w").join(&name), fragment: None };
                proptest::prop_assert_eq!(target, Some(expected), "{}", found[0]);
            }
        }
    }

    #[test]
    fn no_completions_before_a_byte_order_mark() {
        let (config, world) = (Config::default(), Memory::default());
        for path in ["/w/program.md", "/w/p.ll.md", "/w/reply.md"] {
            for text in ["", "---\n", "[", "#"] {
                let (text, path) = (format!("{BOM}{text}"), Path::new(path));
                let document = Document::new(&text, Some(path), &config);
                let cx = Context::new(document.source(), Some(path), &world, &config);
                for offset in [0, BOM.len()] {
                    for item in completions(&document, &cx, offset).items {
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
