//! Hover: the purpose of a section, the meaning of a marker, the target of an include.

use super::Project;
use super::layout::{Role, SectionKind};
use super::links::included;
use super::plan::name_of;
use crate::answer::Hover;
use crate::edit::{MarkerKind, Pair};
use crate::format::Context;
use crate::text::{Encoding, Span};

/// The hover at `offset`.
pub(super) fn hover(project: &Project, cx: &Context, offset: usize) -> Option<Hover> {
    let found = |span: Span, markdown: String| Some(Hover { span, markdown });
    if let Some(placed) = project.block_at(offset) {
        let holds = |span: &Span| span.start <= offset && offset <= span.end;
        let mark = placed
            .written
            .marks()
            .map(|mark| mark.shifted(placed.start))
            .find(|mark| holds(&mark.span))?;
        let mut page = marker(mark.marker.kind, placed.written.pair()).to_owned();
        if placed.role == Role::Quoted {
            page.push_str("\n\nIt is in what the human says, so it is not applied.");
        }
        return found(mark.span, page);
    }
    if let Some(include) = project.include_at(offset) {
        let page = match included(cx, &include.text) {
            Some(path) => match cx.world.read(&path) {
                Ok(source) => format!(
                    "Includes `{}`: {}.",
                    include.text,
                    lines(source.line_count(), source.is_empty())
                ),
                Err(error) => format!("`{}` cannot be read: the file {error}.", include.text),
            },
            None => format!("`{}` does not exist.", include.text),
        };
        return found(include.span.clone(), page);
    }
    if let Some(file) = project.file_at(offset).filter(|file| offset <= file.heading.span.end) {
        let fence = file.fences.first()?;
        let row = |at: usize| cx.source.position(at, Encoding::Utf8).line as usize;
        let count = row(fence.content.end).saturating_sub(row(fence.content.start));
        let page = format!(
            "`{}`, as the assistant knows it: {}. Blocks for this file are applied to the fence below.",
            name_of(file),
            lines(count + 1, count == 0)
        );
        return found(file.heading.span.clone(), page);
    }
    if let Some(entry) = project.entry_at(offset).filter(|entry| offset <= entry.heading.span.end) {
        let blocks = project.layout.blocks.iter().filter(|placed| placed.role == Role::Live);
        let own = blocks
            .filter(|placed| {
                entry.body.start <= placed.block.span().start
                    && placed.block.span().end <= entry.body.end
            })
            .count();
        let blocks = match own {
            0 => "no blocks".to_owned(),
            1 => "1 block".to_owned(),
            count => format!("{count} blocks"),
        };
        return found(
            entry.heading.span.clone(),
            format!(
                "A question and its answer, with {blocks}. The blocks of the last answer are the ones to apply."
            ),
        );
    }
    let section =
        project.section_at(offset).filter(|section| offset <= section.heading.span.end)?;
    found(section.heading.span.clone(), documentation(section.kind)?.to_owned())
}

fn lines(count: usize, empty: bool) -> String {
    match count {
        _ if empty => "no lines".to_owned(),
        2 => "1 line".to_owned(),
        count => format!("{} lines", count.saturating_sub(1)),
    }
}

/// The purpose of a section.
pub(super) fn documentation(kind: SectionKind) -> Option<&'static str> {
    Some(match kind {
        SectionKind::Meta => {
            "**Meta**: tells the assistant what LLMD is and how blocks are written. Blocks in it are examples, and never applied."
        }
        SectionKind::Mission => {
            "**Mission**: the purpose of the project. A `SEARCH_MISSION` block replaces it."
        }
        SectionKind::CodeContext => {
            "**Code Context**: the files of the project, each a `### path` with its contents in one fence. agentmd looks here first for the file of a block."
        }
        SectionKind::Changelog => {
            "**Changelog**: the changes so far, as a list. A `CHANGELOG` block adds an item at the end."
        }
        SectionKind::Conversation => {
            "**Conversation Thread**: entries `### Entry 1`, `### Entry 2`, each with `**Human:**` and `**Assistant:**`."
        }
        SectionKind::Unknown => return None,
    })
}

fn marker(kind: MarkerKind, pair: Pair) -> &'static str {
    match (kind, pair) {
        (MarkerKind::Head(_), Pair::Search | Pair::Conflict) => {
            "**SEARCH**: the lines below, down to `=======`, must appear exactly once in the file named on the line above, as whole consecutive lines. If empty, the block creates a file or appends to it."
        }
        (MarkerKind::Head(_), Pair::Mission) => {
            "**SEARCH_MISSION**: the whole current mission of the project, down to `=======`."
        }
        (MarkerKind::Head(_), Pair::Changelog) => {
            "**CHANGELOG**: the lines below become one item at the end of the changelog."
        }
        (MarkerKind::Divider, _) => {
            "The text above is replaced with the text below. If the text below is empty, the text above is deleted."
        }
        (MarkerKind::End(_), Pair::Search | Pair::Conflict) => {
            "**REPLACE**: ends the block. The text above, up to `=======`, replaces the SEARCH text."
        }
        (MarkerKind::End(_), Pair::Mission) => {
            "**REPLACE_MISSION**: ends the block. The text above, up to `=======`, becomes the mission."
        }
        (MarkerKind::End(_), Pair::Changelog) => "**CHANGELOG**: ends the block.",
    }
}
