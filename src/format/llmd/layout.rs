//! How an LLMD document is made up, with the place of everything (LLMD-2 to LLMD-9). One pass over
//! the lines that say something: fences and edit blocks are opaque, so nothing in them is taken for
//! a heading.

use std::sync::Arc;

use super::event::{Event, EventKind};
use crate::edit::{Block, MarkerKind};
use crate::format::edits::written::{Passage, Written};
use crate::text::Span;

/// A document taken apart. All spans are bytes of the document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Layout {
    /// `# Project: name`
    pub project: Option<Heading>,
    /// Every heading of level 2 outside the conversation, in order.
    pub sections: Vec<Section>,
    /// Under `## Code Context`.
    pub files: Vec<File>,
    /// Under `## Conversation Thread`.
    pub entries: Vec<Entry>,
    pub blocks: Vec<Placed>,
    /// What is read block by block: the body of Meta, what humans and assistants say; those parts
    /// that hold any.
    pub parts: Vec<Part>,
    /// A fence outside every file that nothing closes: the rest of the document is in it.
    pub unclosed: Option<Fence>,
    /// Where the text begins, behind a byte order mark and blanks, and where it ends.
    pub extent: Span,
    /// `{% include 'path' %}`
    pub includes: Vec<Include>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// The whole line, its break excluded.
    pub span: Span,
    /// The text behind the marks, or behind `Project:`.
    pub name: Span,
    pub text: Arc<str>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    pub kind: SectionKind,
    pub heading: Heading,
    /// From the line behind the heading to the next section.
    pub body: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SectionKind {
    Meta,
    Mission,
    CodeContext,
    Changelog,
    Conversation,
    Unknown,
}

/// `### file` and the fences under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    pub heading: Heading,
    pub body: Span,
    pub fences: Vec<Fence>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fence {
    /// From the opening line to the end of the closing one.
    pub span: Span,
    /// The characters that open it.
    pub mark: String,
    pub info: Span,
    /// Whole lines, the last break included.
    pub content: Span,
    pub closed: bool,
}

/// `### Entry 1`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub heading: Heading,
    /// `None` where it is no number.
    pub number: Option<u64>,
    pub body: Span,
    /// From behind `**Human:**` to where the assistant begins.
    pub human: Option<Span>,
    pub assistant: Option<Span>,
}

/// A block in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    pub block: Block,
    pub role: Role,
    /// The entry that it stands in.
    pub entry: Option<usize>,
    /// How it is written, as places of its part.
    pub written: Arc<Written>,
    /// Where that part begins.
    pub start: usize,
}

/// A stretch of text whose blocks are read together.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    pub span: Span,
    pub role: Role,
    pub entry: Option<usize>,
    pub passage: Arc<Passage>,
}

/// What a block is there for (LLMD-9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// It stands in what an assistant says.
    Live,
    /// It stands in what a human says: it is not applied.
    Quoted,
    /// It shows how blocks are written.
    Documentation,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Include {
    pub span: Span,
    pub path: Span,
    pub text: Arc<str>,
}

/// The sections in their order, by how their headings begin.
pub static SECTIONS: &[(&str, SectionKind)] = &[
    ("Meta: LLMD", SectionKind::Meta),
    ("Mission", SectionKind::Mission),
    ("Code Context", SectionKind::CodeContext),
    ("Changelog", SectionKind::Changelog),
    ("Conversation Thread", SectionKind::Conversation),
];

impl SectionKind {
    /// The section that a heading of level 2 begins.
    pub fn of(name: &str) -> Self {
        let known = SECTIONS.iter().find(|(title, kind)| match kind {
            Self::Meta => name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("meta")),
            _ => name.eq_ignore_ascii_case(title),
        });
        known.map_or(Self::Unknown, |(_, kind)| *kind)
    }

    /// The heading of the section; empty for an unknown one.
    pub fn title(self) -> &'static str {
        SECTIONS.iter().find(|(_, kind)| *kind == self).map_or("", |(title, _)| title)
    }
}

impl Layout {
    /// What stands before the first section, then every section: one after another they are the
    /// document.
    pub fn pieces(&self) -> impl Iterator<Item = Span> + '_ {
        let first =
            self.sections.first().map_or(self.extent.end, |section| section.heading.span.start);
        std::iter::once(0..first)
            .chain(self.sections.iter().map(|section| section.heading.span.start..section.body.end))
    }
}

/// Puts a document together from the lines that say something. Blocks are read by `passage`, part
/// by part.
pub(super) fn assemble(
    events: &[Event],
    extent: Span,
    passage: &mut dyn FnMut(&Span) -> Arc<Passage>,
) -> Layout {
    let mut reader = Reader {
        out: Layout { extent: extent.clone(), ..Layout::default() },
        fence: None,
        indented: false,
        marked: Vec::new(),
    };
    let ends = ends(events);
    let mut index = 0;
    while let Some(event) = events.get(index) {
        index = match ends.get(index).copied().flatten().filter(|_| reader.is_opaque()) {
            Some(end) => {
                reader.marked.push(event.line.start);
                end + 1
            }
            None => {
                reader.event(event);
                index + 1
            }
        };
    }
    reader.close(extent.end);
    let Reader { mut out, marked, .. } = reader;
    out.parts = parts(&out, &marked, passage);
    for part in &out.parts {
        let blocks = part.passage.blocks.iter().map(|written| Placed {
            block: written.block.clone().shifted(part.span.start),
            role: part.role,
            entry: part.entry,
            written: Arc::clone(written),
            start: part.span.start,
        });
        out.blocks.extend(blocks);
    }
    out
}

/// For every event that begins an edit block, the one that ends it: the next end of its length,
/// unless a head of its length stands before that.
fn ends(events: &[Event]) -> Vec<Option<usize>> {
    let mut ends = vec![None; events.len()];
    let mut next: std::collections::HashMap<usize, Option<usize>> =
        std::collections::HashMap::new();
    for (index, event) in events.iter().enumerate().rev() {
        let EventKind::Marker(Some(marker)) = &event.kind else { continue };
        match marker.kind {
            MarkerKind::End(_) => drop(next.insert(marker.length, Some(index))),
            MarkerKind::Head(_) => {
                if let Some(slot) = ends.get_mut(index) {
                    *slot = next.insert(marker.length, None).flatten();
                }
            }
            MarkerKind::Divider => {}
        }
    }
    ends
}

struct Reader {
    out: Layout,
    /// The fence that is open, and whether it belongs to a file.
    fence: Option<(Fence, bool)>,
    /// It stands in an item of a list, or looks like it.
    indented: bool,
    /// Where lines stand that are markers or were meant as such.
    marked: Vec<usize>,
}

impl Reader {
    /// Whether a block hides what is in it here: the text of files is no block, however it looks.
    fn is_opaque(&self) -> bool {
        self.in_section(SectionKind::Conversation)
            || self.fence.is_none() && !self.in_section(SectionKind::CodeContext)
    }

    fn event(&mut self, event: &Event) {
        // A fence in an item of a list ends with the item.
        if self.indented
            && matches!(event.kind, EventKind::Heading { top: true, .. })
            && let Some((fence, _)) = &mut self.fence
        {
            (fence.content.end, fence.span.end, fence.closed) =
                (event.line.start, event.line.start, true);
            self.close_fence(event.line.start);
        }
        if let EventKind::Marker(_) = event.kind {
            self.marked.push(event.line.start);
        }
        if let Some((fence, _)) = &mut self.fence {
            if let EventKind::Fence { mark, length, closes: true, .. } = &event.kind
                && fence.mark.as_bytes().first() == Some(mark)
                && *length >= fence.mark.len()
            {
                fence.span.end = event.line.end;
                fence.content.end = event.line.start;
                fence.closed = true;
                self.close_fence(event.line.start);
            }
            return;
        }
        match &event.kind {
            EventKind::Fence { mark, length, info, indent, opens: true, .. } => {
                self.indented = *indent > 0;
                let mark = char::from(*mark).to_string().repeat(*length);
                let fence = Fence {
                    span: event.line.start..event.next,
                    mark,
                    info: info.clone(),
                    content: event.next..event.next,
                    closed: false,
                };
                self.fence = Some((fence, self.in_section(SectionKind::CodeContext)));
            }
            EventKind::Heading { level, name, text, section, .. } => {
                self.heading(event, *level, name, text, *section)
            }
            EventKind::Human(mark) => self.speaker(event, *mark, false),
            EventKind::Assistant(mark) => self.speaker(event, *mark, true),
            EventKind::Include { span, path, text } => {
                self.out.includes.push(Include {
                    span: span.clone(),
                    path: path.clone(),
                    text: Arc::clone(text),
                });
            }
            EventKind::Fence { .. } | EventKind::Marker(_) => {}
        }
    }

    fn in_section(&self, kind: SectionKind) -> bool {
        self.out.sections.last().is_some_and(|section| section.kind == kind)
    }

    fn heading(
        &mut self,
        event: &Event,
        level: usize,
        name: &Span,
        text: &Arc<str>,
        kind: SectionKind,
    ) {
        let heading = |name: Span, text: Arc<str>| Heading { span: event.line.clone(), name, text };
        let talking = self.in_section(SectionKind::Conversation);
        match level {
            1 if self.out.project.is_none() && !talking => {
                if let Some(project) = text.strip_prefix("Project:") {
                    let trimmed = project.trim();
                    self.out.project = Some(heading(
                        name.end - project.trim_start().len()..name.end,
                        trimmed.into(),
                    ));
                }
            }
            2 if !talking || self.is_late_section(kind) => {
                self.close(event.line.start);
                self.out.sections.push(Section {
                    kind,
                    heading: heading(name.clone(), Arc::clone(text)),
                    body: event.next..event.next,
                });
            }
            3 if self.in_section(SectionKind::CodeContext) => {
                self.close_file(event.line.start);
                self.out.files.push(File {
                    heading: heading(name.clone(), Arc::clone(text)),
                    body: event.next..event.next,
                    fences: Vec::new(),
                });
            }
            3 if talking => {
                if let Some(number) = text.strip_prefix("Entry") {
                    self.close_entry(event.line.start);
                    let number = number.trim().parse().ok();
                    let heading = heading(name.clone(), Arc::clone(text));
                    self.out.entries.push(Entry {
                        heading,
                        number,
                        body: event.next..event.next,
                        human: None,
                        assistant: None,
                    });
                }
            }
            _ => {}
        }
    }

    /// What stands in the conversation is talk, except a section that the document has not had yet.
    fn is_late_section(&self, kind: SectionKind) -> bool {
        let known = || self.out.sections.iter().any(|section| section.kind == kind);
        kind == SectionKind::Conversation || kind != SectionKind::Unknown && !known()
    }

    fn speaker(&mut self, event: &Event, mark: usize, assistant: bool) {
        if !self.in_section(SectionKind::Conversation) {
            return;
        }
        let Some(entry) =
            self.out.entries.last_mut().filter(|entry| entry.body.start == entry.body.end)
        else {
            return;
        };
        let (own, other) = if assistant {
            (&mut entry.assistant, &mut entry.human)
        } else {
            (&mut entry.human, &mut entry.assistant)
        };
        if own.is_none() {
            if let Some(other) = other {
                other.end = event.line.start;
            }
            *own = Some(event.line.start + mark..event.line.end);
        }
    }

    /// The fence that is open ends at `end`, or has ended.
    fn close_fence(&mut self, end: usize) {
        let Some((mut fence, of_file)) = self.fence.take() else { return };
        if !fence.closed {
            (fence.span.end, fence.content.end) = (end, end.max(fence.content.start));
        }
        match self.out.files.last_mut().filter(|_| of_file) {
            Some(file) => file.fences.push(fence),
            None if !fence.closed => self.out.unclosed = Some(fence),
            None => {}
        }
    }

    fn close_file(&mut self, end: usize) {
        if let Some(file) =
            self.out.files.last_mut().filter(|file| file.body.end == file.body.start)
        {
            file.body.end = end.max(file.body.start);
        }
    }

    fn close_entry(&mut self, end: usize) {
        if let Some(entry) =
            self.out.entries.last_mut().filter(|entry| entry.body.end == entry.body.start)
        {
            entry.body.end = end.max(entry.body.start);
            let last = [&mut entry.human, &mut entry.assistant]
                .into_iter()
                .flatten()
                .max_by_key(|span| span.start);
            if let Some(last) = last {
                last.end = end.max(last.start);
            }
        }
    }

    /// A section ends at `end`, and whatever is open in it.
    fn close(&mut self, end: usize) {
        self.close_fence(end);
        if self.in_section(SectionKind::CodeContext) {
            self.close_file(end);
        }
        if self.in_section(SectionKind::Conversation) {
            self.close_entry(end);
        }
        if let Some(section) = self.out.sections.last_mut() {
            section.body.end = end.max(section.body.start);
        }
    }
}

/// The parts of a document that hold markers, in order.
fn parts(
    layout: &Layout,
    marked: &[usize],
    passage: &mut dyn FnMut(&Span) -> Arc<Passage>,
) -> Vec<Part> {
    let mut found = Vec::new();
    let mut take = |span: &Span, role: Role, entry: Option<usize>| {
        let first = marked.partition_point(|at| *at < span.start);
        if marked.get(first).is_some_and(|at| *at < span.end) {
            found.push(Part { span: span.clone(), role, entry, passage: passage(span) });
        }
    };
    for section in layout.sections.iter().filter(|section| section.kind == SectionKind::Meta) {
        take(&section.body, Role::Documentation, None);
    }
    for (index, entry) in layout.entries.iter().enumerate() {
        for (said, role) in [(&entry.human, Role::Quoted), (&entry.assistant, Role::Live)] {
            said.iter().for_each(|span| take(span, role, Some(index)));
        }
    }
    found.sort_by_key(|part| part.span.start);
    found
}
