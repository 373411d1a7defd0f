//! Duckflow within a reply that may contain other dialects as well.

use super::layout::{End, Layout, layout};
use super::mark::{self, MarkKind, known};
use super::plan::{FILE_ACTIONS, Wanted, holds_edit_blocks, meant, read, unquoted, unsigned};
use crate::edit::{self, Block, Dialect, Operation, Path, Reason, Split};
use crate::reply::{Content, Grammar};
use crate::text::Span;

/// Duckflow, as read from a whole reply.
#[derive(Debug)]
pub struct Duckflow;

impl Grammar for Duckflow {
    fn is_marker(&self, line: &str) -> bool {
        line.contains('[') && mark::marks(line).first().is_some_and(|mark| known(&mark.kind))
    }

    fn content(&self, text: &str, line: Span) -> Content {
        let here = text.get(line.clone()).unwrap_or_default();
        match mark::marks(here).first().map(|mark| &mark.kind) {
            Some(MarkKind::ContentStart { index, .. }) => {
                let rest = text.get(line.end..).unwrap_or_default();
                let own = |kind: &MarkKind| matches!(kind, MarkKind::ContentEnd { index: other, .. } if other == index);
                marker(rest, own).map_or(Content::Open, |end| Content::To(line.end + end))
            }
            // Text after the last section may be anything.
            Some(MarkKind::Section(_)) => {
                let rest = text.get(line.end..).unwrap_or_default();
                if marker(rest, known).is_some() { Content::Notes } else { Content::None }
            }
            _ => Content::None,
        }
    }

    fn operations(&self, text: &str) -> Vec<Block> {
        let reader = |span: Span| std::borrow::Cow::Borrowed(text.get(span).unwrap_or_default());
        let layout = layout(&reader, text.len(), mark::marks(text));
        let mut found: Vec<Block> = Vec::new();
        for index in layout.actions.keys() {
            blocks(&layout, &reader, *index, &mut found);
        }
        found
    }
}

/// The end of the first line that is a marker of any kind.
fn marker(text: &str, is_meant: impl Fn(&MarkKind) -> bool) -> Option<usize> {
    let mut at = 0;
    text.split_inclusive(['\n', '\r']).find_map(|line| {
        let start = at;
        at += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        let meant = line.contains('[')
            && mark::marks(line).first().is_some_and(|mark| is_meant(&mark.kind));
        meant.then_some(start + line.len())
    })
}

fn blocks(layout: &Layout, text: super::layout::Reader, index: u64, found: &mut Vec<Block>) {
    let Some(action) = layout.actions.get(&index) else { return };
    let first = layout.marks.get(action.first).map_or(0..0, |mark| mark.line.clone());
    let end = action.contents.last().and_then(|content| layout.contents.get(*content)).and_then(
        |content| match content.end {
            End::Mark(end) => layout.marks.get(end).map(|mark| mark.line.end),
            _ => Some(content.span.end),
        },
    );
    let span = first.start..end.unwrap_or(first.end).max(first.end);
    let place = action
        .parameters
        .first()
        .and_then(|parameter| layout.marks.get(parameter.mark))
        .map_or(first, |mark| mark.value.clone());
    let block =
        |operation: Operation, path: Option<String>, content: &str, error: Option<Reason>| Block {
            operation,
            span: span.clone(),
            path: path.map(|text| Path { text, span: place.clone(), inherited: false }),
            splits: vec![Split::new("", content)],
            error,
            ..Block::of(Dialect::Duckflow, "", "")
        };
    let wanted = match read(layout, text, index) {
        Ok(wanted) => wanted,
        Err((reason, _, path)) => {
            let reason = edit::Reason::ALL
                .into_iter()
                .find(|known| crate::plan::Reason::from(*known) == reason)
                .unwrap_or(Reason::Ambiguous);
            return found.push(block(Operation::Write, path, "", Some(reason)));
        }
    };
    let Wanted { kind, path, content } = wanted;
    if meant(&kind).is_some() {
        return found.push(block(Operation::Write, path, "", Some(Reason::UnknownCall)));
    }
    if !FILE_ACTIONS.contains(&kind.as_str()) {
        return;
    }
    let error = match &path {
        None => Some(Reason::MissingPath),
        Some(path) if unquoted(path).or(unsigned(path)).is_some() => Some(Reason::MissingPath),
        _ => None,
    };
    match (kind.as_str(), content) {
        ("delete_file", _) => found.push(block(Operation::Delete, path, "", error)),
        (_, None) => found.push(block(Operation::Create, path, "", Some(Reason::MissingDivider))),
        (_, Some(content)) if holds_edit_blocks(&content) && !edit::read(&content).is_empty() => {
            let path = block(Operation::Edit, path, "", None).path;
            found.extend(edit::read(&content).into_iter().map(|inner| Block {
                path: path.clone(),
                span: span.clone(),
                error: inner.error.or(error),
                ..inner
            }));
        }
        ("edit_file", Some(content)) => {
            found.push(block(Operation::Replace, path, &content, error))
        }
        (_, Some(content)) => found.push(block(Operation::Create, path, &content, error)),
    }
}
