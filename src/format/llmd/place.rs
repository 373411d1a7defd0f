//! The part of a document that contains an offset.

use super::Project;
use super::layout::{Entry, File, Include, Placed, Role, Section};
use crate::text::Span;

fn at<T>(items: &[T], offset: usize, span: impl Fn(&T) -> Span) -> Option<&T> {
    let index = items.partition_point(|item| span(item).start <= offset).checked_sub(1)?;
    items.get(index).filter(|item| offset <= span(item).end)
}

impl Project {
    pub(super) fn section_at(&self, offset: usize) -> Option<&Section> {
        at(&self.layout.sections, offset, |section| section.heading.span.start..section.body.end)
    }

    pub(super) fn file_at(&self, offset: usize) -> Option<&File> {
        at(&self.layout.files, offset, |file| file.heading.span.start..file.body.end)
    }

    pub(super) fn entry_at(&self, offset: usize) -> Option<&Entry> {
        at(&self.layout.entries, offset, |entry| entry.heading.span.start..entry.body.end)
    }

    /// The block at `offset`, including its markers, but not the examples in the Meta section.
    pub(super) fn block_at(&self, offset: usize) -> Option<&Placed> {
        at(&self.layout.blocks, offset, |placed| placed.block.span())
            .filter(|placed| placed.role != Role::Documentation)
    }

    /// The block whose path is at `offset`.
    pub(super) fn path_at(&self, offset: usize) -> Option<&Placed> {
        let index =
            self.layout.blocks.partition_point(|placed| placed.block.span().start <= offset);
        let placed =
            self.layout.blocks.get(index).filter(|placed| placed.role != Role::Documentation)?;
        placed
            .own_path()
            .filter(|path| path.span.start <= offset && offset <= path.span.end)
            .map(|_| placed)
    }

    pub(super) fn include_at(&self, offset: usize) -> Option<&Include> {
        at(&self.layout.includes, offset, |include| include.span.clone())
    }
}

impl Placed {
    /// The path written for this very block.
    pub fn own_path(&self) -> Option<&crate::edit::Path> {
        self.block
            .path
            .as_ref()
            .filter(|path| !path.inherited && path.span.end <= self.block.span().start)
    }

    /// From its path, if it has its own, to its end.
    pub fn whole(&self) -> Span {
        self.own_path().map_or(self.block.span().start, |path| path.span.start)
            ..self.block.span().end
    }
}
