//! The context of rules: a document, its files and its blocks.

use std::cell::Cell;

use super::super::Project;
use super::super::files::ContextFiles;
use super::super::layout::{Fence, File, Layout, Role, SECTIONS, Section, SectionKind};
use super::mission::{self, Mission};
use crate::format::Context;
use crate::format::blocks::chain::Manner;
use crate::format::blocks::check::{self, Item};
use crate::format::blocks::written::BlockOf;
use crate::suggestion::closest;
use crate::text::Span;

/// The document being checked.
pub struct RuleContext<'a> {
    pub project: &'a Project,
    pub cx: &'a Context<'a>,
    pub blocks: check::RuleContext<'a>,
    /// A rule needs entries that were left out.
    pub lacks_entries: Cell<bool>,
}

impl<'a> RuleContext<'a> {
    pub(super) fn new(
        project: &'a Project,
        cx: &'a Context<'a>,
        files: &'a ContextFiles<'a>,
    ) -> Self {
        let blocks = blocks(project, cx, files);
        Self { project, cx, blocks, lacks_entries: Cell::new(false) }
    }

    pub fn layout(&self) -> &'a Layout {
        &self.project.layout
    }

    pub fn text(&self, span: &Span) -> String {
        self.cx.source.slice(span.clone()).into_owned()
    }

    /// The outcome of the blocks for the mission.
    pub fn missions(&self) -> Vec<Mission<'_>> {
        mission::evaluate(self)
    }

    /// The first non-blank line.
    pub fn first_line(&self) -> Option<Span> {
        let extent = &self.layout().extent;
        (!extent.is_empty()).then(|| extent.start..self.cx.source.line_span(extent.start).end)
    }

    /// The unclosed fence, and the file that it belongs to.
    pub fn open_fence(&self) -> Option<(&'a Fence, Option<&'a File>)> {
        let layout = self.layout();
        if let Some(fence) = &layout.unclosed {
            return Some((fence, None));
        }
        let file = layout.files.last()?;
        file.fences.last().filter(|fence| !fence.closed).map(|fence| (fence, Some(file)))
    }

    /// Whether an entry is empty and the next one has its number: its heading is duplicated.
    pub fn is_doubled(&self, entry: usize) -> bool {
        let entries = &self.layout().entries;
        let (Some(own), Some(next)) = (entries.get(entry), entries.get(entry + 1)) else {
            return false;
        };
        own.number == next.number && self.text(&own.body).trim().is_empty()
    }

    /// Whether each section that blocks can change appears exactly once: otherwise its text may be
    /// in another one.
    pub fn is_whole(&self) -> bool {
        let once = |kind: SectionKind| {
            self.layout().sections.iter().filter(|section| section.kind == kind).count() == 1
        };
        [SectionKind::Mission, SectionKind::CodeContext, SectionKind::Changelog]
            .into_iter()
            .all(once)
    }

    /// The section that an unknown heading was meant to start.
    pub fn meant(&self, section: &Section) -> Option<SectionKind> {
        let there =
            |kind: SectionKind| self.layout().sections.iter().any(|section| section.kind == kind);
        let missing = || SECTIONS.iter().filter(|(_, kind)| !there(*kind)).map(|(name, _)| *name);
        let written = &section.heading.text;
        // `Mission Statement`, `Context Code`
        let has_words = |name: &&str| {
            let has = |word: &str| {
                let mut words = written.split(|letter: char| !letter.is_alphanumeric());
                words.any(|other| other.eq_ignore_ascii_case(word))
            };
            name.split(' ').all(has)
        };
        let name = closest(written, missing()).or_else(|| missing().find(has_words))?;
        SECTIONS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
    }

    /// Whether an unknown heading was meant to start this section.
    pub fn is_meant(&self, kind: SectionKind) -> bool {
        self.layout().sections.iter().any(|section| {
            section.kind == SectionKind::Unknown && self.meant(section) == Some(kind)
        })
    }
}

/// The blocks in the conversation. Those of the last answer are live; earlier ones have been
/// applied, or never will be.
fn blocks<'a>(
    project: &'a Project,
    cx: &'a Context<'a>,
    files: &'a ContextFiles<'a>,
) -> check::RuleContext<'a> {
    let layout = &project.layout;
    let last = layout.entries.iter().rposition(|entry| entry.assistant.is_some());
    let said = layout.parts.iter().filter(|part| part.role != Role::Documentation);
    let (mut items, mut strays) = (Vec::new(), Vec::new());
    let mut placed = layout.blocks.iter().filter(|placed| placed.role != Role::Documentation);
    for part in said {
        for written in &part.passage.blocks {
            let Some(placed) = placed.next() else { break };
            items.push(Item {
                block: BlockOf::Placed(&placed.block),
                written,
                start: part.span.start,
                part: part.span.clone(),
                quoted: part.role == Role::Quoted,
                current: part.entry == last,
            });
        }
        if part.role == Role::Live {
            strays.extend(part.passage.strays.iter().map(|stray| stray.shifted(part.span.start)));
        }
    }
    check::RuleContext::new(cx, Manner::Llmd, items, strays, files)
}
