//! Completion of selectors, part by part: documents, kinds of nodes with their counts, indices with
//! their text.

use super::hover::preview;
use super::names::Names;
use super::target::{Target, called, targets};
use crate::answer::{Completion, CompletionKind};
use crate::format::Context;
use crate::markdown::{BlockKind, SectionKind};
use crate::selector::command;
use crate::selector::mention::{Mention, is_path};
use crate::selector::page::{MAX_WORDS, pages, word_count};
use crate::selector::{BlockType, Node, NodeKind, Query, SegmentKind, Selector, parse, resolve};
use crate::text::{Edit, Span};

/// At most this many documents are offered, and this many nodes of one kind.
const MOST: usize = 200;

/// The context of the cursor.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    /// An argument of a command that names these files.
    Command(Vec<String>),
    Code,
    /// Running text, or a value in front matter.
    Text,
}

/// The completions at `offset`.
pub fn complete(cx: &Context, offset: usize) -> Vec<Completion> {
    let line = cx.source.line_span(offset);
    let before = cx.source.slice(line.start..offset);
    let start = before.rfind(|letter: char| !is_path(letter)).map_or(0, |at| {
        at + before.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
    });
    let typed = before.get(start..).unwrap_or_default();
    let Some(place) = place(cx, offset, &line, &before, start) else { return Vec::new() };
    let span = line.start + start..offset;
    match typed.split_once("::") {
        Some((name, path)) => {
            let name = name.to_ascii_lowercase();
            let target = match &place {
                Place::Command(files) if !files.is_empty() => {
                    in_files(cx, files).into_iter().find(|target| target.name == name)
                }
                _ => called(cx, &name).list.into_iter().next(),
            };
            target.map_or_else(Vec::new, |target| parts(cx, &target, path, span.end))
        }
        None => match place {
            Place::Command(files) => {
                let mut found: Vec<Completion> = in_files(cx, &files)
                    .into_iter()
                    .next()
                    .map_or_else(Vec::new, |target| parts(cx, &target, typed, span.end));
                found.extend(documents(cx, &span, typed));
                found
            }
            Place::Code if !typed.is_empty() => documents(cx, &span, typed),
            Place::Code | Place::Text => Vec::new(),
        },
    }
}

fn in_files(cx: &Context, files: &[String]) -> Vec<Target> {
    let mention = Mention {
        span: 0..0,
        selector: Ok(Selector::default()),
        certain: true,
        files: files.into(),
        in_command: true,
    };
    targets(cx, &mention).list
}

/// The context of `offset`, if a selector can be written there; the typed text begins at `start` of
/// its line.
fn place(cx: &Context, offset: usize, line: &Span, before: &str, start: usize) -> Option<Place> {
    let placed = cx.source.section_at(offset)?;
    if matches!(placed.section.kind, SectionKind::Front(_)) {
        return Some(Place::Text);
    }
    let files = |text: &str| {
        command::arguments(text)
            .unwrap_or_default()
            .into_iter()
            .map(|word| word.text)
            .filter(|word| command::is_file(word))
            .collect()
    };
    let local = offset - placed.start;
    let blocks = &cx.source.blocks(placed).blocks;
    let inside =
        |block: &&crate::markdown::Block| block.span.start < local && local <= block.span.end;
    let code = blocks.iter().filter(inside).find_map(|block| match &block.kind {
        BlockKind::Code { info } => Some(command::is_shell(info.as_deref())),
        _ => None,
    });
    if let Some(shell) = code {
        let behind = before.get(..start)?.trim_end_matches(['\'', '"']);
        let typed = before.get(start..)?;
        return (shell && command::expects_argument(&format!("{behind}{typed}")))
            .then(|| Place::Command(files(&cx.source.slice(line.clone()))));
    }
    if before.matches('`').count().is_multiple_of(2) {
        return Some(Place::Text);
    }
    let open = before.rfind('`')? + 1;
    let inside = before.get(open..)?;
    if open == start {
        return Some(Place::Code);
    }
    let rest = cx.source.slice(offset..line.end);
    let whole = format!("{inside}{}", rest.split('`').next().unwrap_or_default());
    command::expects_argument(&inside.replace(['\'', '"'], ""))
        .then(|| Place::Command(files(&whole)))
}

/// The documents whose names start with the typed text.
fn documents(cx: &Context, span: &Span, typed: &str) -> Vec<Completion> {
    let typed = typed.to_ascii_lowercase();
    let mut all = Names::of(cx.world).all();
    all.extend(cx.path.map(|path| (super::names::name(path), 1)));
    all.sort();
    all.dedup_by(|a, b| a.0 == b.0);
    let fitting = all.into_iter().filter(|(name, _)| name.starts_with(&typed)).take(MOST);
    fitting
        .map(|(name, count)| Completion {
            label: format!("{name}::"),
            kind: CompletionKind::File,
            detail: (count > 1).then(|| format!("{count} files")),
            documentation: None,
            edit: Edit::replace(span.clone(), format!("{name}::")),
            snippet: None,
            rank: 100,
            more: true,
        })
        .collect()
}

/// The completions after the name of a document.
fn parts(cx: &Context, target: &Target, path: &str, end: usize) -> Vec<Completion> {
    if let Some(at) = path.rfind(['?', '&']).filter(|_| path.contains('?')) {
        return queries(end - (path.len() - at - 1)..end);
    }
    let (before, partial) = match path.rsplit_once('/') {
        Some((before, partial)) => (Some(before), partial),
        None => (None, path),
    };
    let context = match before {
        None => None,
        Some(before) => {
            let Ok(selector) = parse(before) else { return Vec::new() };
            let Some(found) = resolve(&target.tree, &selector)
                .into_iter()
                .next()
                .filter(|found| found.pages.is_none())
            else {
                return Vec::new();
            };
            Some(found.node)
        }
    };
    // Editors close brackets automatically.
    let closed = cx.source.slice(end..end + 1) == "]" && partial.contains('[');
    let span = end - partial.len()..end + usize::from(closed);
    let mut found = Vec::new();
    let lower = partial.to_ascii_lowercase();
    let levels = (1..=6).map(SegmentKind::Heading);
    let kinds = [SegmentKind::Root]
        .into_iter()
        .chain(levels)
        .chain([SegmentKind::Section])
        .chain(BlockType::ALL.map(SegmentKind::Block))
        .chain([SegmentKind::Any]);
    for (rank, kind) in (0..).zip(kinds) {
        let below = target.tree.below(context, kind);
        let name = kind.to_string();
        let number = lower.strip_prefix(&name).filter(|rest| rest.starts_with('['));
        if below.is_empty() || number.is_none() && !name.starts_with(&lower) {
            continue;
        }
        if number.is_none() {
            found.push(Completion {
                label: name.clone(),
                kind: CompletionKind::Keyword,
                detail: (kind != SegmentKind::Root).then(|| below.len().to_string()),
                documentation: None,
                edit: Edit::replace(span.clone(), name.clone()),
                snippet: None,
                rank,
                more: false,
            });
        }
        if kind == SegmentKind::Root
            || number.is_none() && (lower.is_empty() || kind == SegmentKind::Any)
        {
            continue;
        }
        let wanted = number.unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
        let fitting = below
            .iter()
            .enumerate()
            .filter(|(place, _)| wanted.is_empty() || place.to_string().starts_with(wanted))
            .take(MOST);
        found.extend(fitting.map(|(place, node)| {
            item(target, &format!("{name}[{place}]"), node, &span, 20 + rank)
        }));
    }
    if let Some(node) =
        context.filter(|_| "page".starts_with(lower.split('[').next().unwrap_or_default()))
    {
        let text = target.source.slice(target.tree.span(node));
        let pages = pages(&text, MAX_WORDS);
        let numbers = pages.iter().enumerate().filter(|_| pages.len() > 1).take(MOST);
        found.extend(numbers.map(|(page, part)| {
            let label = format!("page[{page}]");
            let shown = text.get(part.clone()).unwrap_or_default();
            completion(
                label,
                format!("{} of {} words", word_count(shown), word_count(&text)),
                preview(shown),
                &span,
                90,
            )
        }));
    }
    found
}

fn item(target: &Target, label: &str, node: Node, span: &Span, rank: u32) -> Completion {
    let text = target.source.slice(target.tree.span(node));
    let detail = match node.kind {
        NodeKind::Heading | NodeKind::Section => {
            target.tree.headings.get(node.index).map(|heading| heading.text.clone())
        }
        _ => text
            .lines()
            .find(|line| !line.trim().is_empty())
            .map(|line| line.chars().take(60).collect()),
    };
    completion(label.to_owned(), detail.unwrap_or_default(), preview(&text), span, rank)
}

fn completion(
    label: String,
    detail: String,
    documentation: String,
    span: &Span,
    rank: u32,
) -> Completion {
    Completion {
        kind: CompletionKind::Value,
        detail: Some(detail).filter(|detail| !detail.is_empty()),
        documentation: Some(documentation),
        edit: Edit::replace(span.clone(), label.clone()),
        label,
        snippet: None,
        rank,
        more: false,
    }
}

fn queries(span: Span) -> Vec<Completion> {
    // The options of a selector: all fields of a query.
    let Query { full: _, head: _, tail: _, until: _ } = Query::default();
    let all = [
        ("full=true", "the full text, without a limit"),
        ("head=", "the first lines"),
        ("tail=", "the last lines"),
        ("until=", "the text before the first match of a path inside it"),
    ];
    let each = (0..).zip(all).map(|(rank, (label, detail))| Completion {
        label: label.to_owned(),
        kind: CompletionKind::Key,
        detail: Some(detail.to_owned()),
        documentation: None,
        edit: Edit::replace(span.clone(), label),
        snippet: None,
        rank,
        more: false,
    });
    each.collect()
}
