//! The structure of an LLMD document, with the location of every part (LLMD-2 to LLMD-9). A single
//! pass over the structuring lines: fences and edit blocks are opaque, so nothing in them becomes a
//! heading.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::event::{Event, EventKind, is_like_entry, numbered};
use crate::edit::MarkerKind;
use crate::format::blocks::written::{InPlace, Passage, Written};
use crate::text::Span;

/// The parts of a document. All spans are bytes of the document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Layout {
    /// `# Project: name`
    pub project: Option<Heading>,
    /// Every level-2 heading outside the conversation, in order.
    pub sections: Vec<Section>,
    /// Under `## Code Context`.
    pub files: Vec<File>,
    /// Under `## Conversation Thread`.
    pub entries: Vec<Entry>,
    pub blocks: Vec<Placed>,
    /// The parts that contain markers: the body of Meta, and the turns of humans and assistants.
    pub parts: Vec<Part>,
    /// An unclosed fence outside every file: it contains the rest of the document.
    pub unclosed: Option<Fence>,
    /// The text without byte order mark and surrounding whitespace.
    pub extent: Span,
    /// `{% include 'path' %}`
    pub includes: Vec<Include>,
    /// Where an entry was meant to begin, but doesn't.
    pub strays: Vec<Stray>,
    /// Where a section was meant to begin, but doesn't: lines outside the conversation.
    pub meant: Vec<(SectionKind, Span)>,
}

/// A line of the conversation that was meant to begin an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stray {
    pub span: Span,
    pub kind: StrayKind,
    /// How many entries begin before it.
    pub entries: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StrayKind {
    /// A heading with other marks or letters.
    Heading,
    /// A speaker before the first entry.
    Speaker,
    /// A human who speaks again after the assistant.
    Turn,
    /// The same, but the name isn't read as a human's.
    User,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// The whole line, excluding its break.
    pub span: Span,
    /// The text after the marks, or after `Project:`.
    pub name: Span,
    pub text: Arc<str>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    pub kind: SectionKind,
    pub heading: Heading,
    /// From the line after the heading to the next section.
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
    /// Whole lines, including the last break.
    pub content: Span,
    pub closed: bool,
}

/// `### Entry 1`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub heading: Heading,
    /// `None` if it isn't a number.
    pub number: Option<u64>,
    /// The digits of the number, or the text in its place.
    pub digits: Span,
    /// The text after the number.
    pub title: Span,
    pub body: Span,
    /// From after `**Human:**` to where the assistant begins.
    pub human: Option<Span>,
    pub assistant: Option<Span>,
    /// Where a human speaks again in the assistant's turn, up to where the assistant continues.
    pub asides: Vec<Span>,
}

impl Heading {
    fn shifted(&self, by: usize) -> Self {
        Self { span: moved(&self.span, by), name: moved(&self.name, by), text: self.text.clone() }
    }
}

impl Entry {
    /// The same in a document that has `by` bytes before this one.
    pub(super) fn shifted(&self, by: usize) -> Self {
        Self {
            heading: self.heading.shifted(by),
            number: self.number,
            digits: moved(&self.digits, by),
            title: moved(&self.title, by),
            body: moved(&self.body, by),
            human: self.human.as_ref().map(|span| moved(span, by)),
            assistant: self.assistant.as_ref().map(|span| moved(span, by)),
            asides: self.asides.iter().map(|span| moved(span, by)).collect(),
        }
    }
}

impl Part {
    /// The same in a document that has `by` bytes and `entries` entries before this one.
    pub(super) fn shifted(&self, by: usize, entries: usize) -> Self {
        Self {
            span: moved(&self.span, by),
            role: self.role,
            entry: self.entry.map(|entry| entry + entries),
            passage: Arc::clone(&self.passage),
        }
    }
}

impl Stray {
    /// The same in a document that has `by` bytes and `entries` entries before this one.
    pub(super) fn shifted(&self, by: usize, entries: usize) -> Self {
        Self { span: moved(&self.span, by), kind: self.kind, entries: self.entries + entries }
    }
}

impl Include {
    /// The same in a document that has `by` bytes before this one.
    pub(super) fn shifted(&self, by: usize) -> Self {
        Self { span: moved(&self.span, by), path: moved(&self.path, by), text: self.text.clone() }
    }
}

fn moved(span: &Span, by: usize) -> Span {
    span.start + by..span.end + by
}

/// A block and its context.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    pub block: InPlace,
    pub role: Role,
    /// The entry that contains it.
    pub entry: Option<usize>,
    /// The parsed block, as offsets in its part.
    pub written: Arc<Written>,
    /// The offset of that part.
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

/// The role of a block (LLMD-9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Written by an assistant.
    Live,
    /// Written by a human, and not applied.
    Quoted,
    /// An example of how to write blocks.
    Documentation,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Include {
    pub span: Span,
    pub path: Span,
    pub text: Arc<str>,
}

/// The sections in order, by the start of their headings.
pub static SECTIONS: &[(&str, SectionKind)] = &[
    ("Meta: LLMD", SectionKind::Meta),
    ("Mission", SectionKind::Mission),
    ("Code Context", SectionKind::CodeContext),
    ("Changelog", SectionKind::Changelog),
    ("Conversation Thread", SectionKind::Conversation),
];

impl SectionKind {
    /// The section that a level-2 heading starts.
    pub fn of(name: &str) -> Self {
        let known = SECTIONS.iter().find(|(title, kind)| match kind {
            Self::Meta => name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("meta")),
            _ => name.eq_ignore_ascii_case(title),
        });
        known.map_or(Self::Unknown, |(_, kind)| *kind)
    }

    /// The known section with this name.
    pub fn meant(name: &str) -> Option<Self> {
        let kind = Self::of(name);
        let is_meta = || name.get("meta".len()..).is_some_and(|rest| rest.starts_with(':'));
        (kind != Self::Unknown && (kind != Self::Meta || is_meta())).then_some(kind)
    }

    /// The heading of the section; empty for an unknown one.
    pub fn title(self) -> &'static str {
        SECTIONS.iter().find(|(_, kind)| *kind == self).map_or("", |(title, _)| title)
    }
}

impl Layout {
    /// The text before the first section, then every section: concatenated, they are the document.
    pub fn pieces(&self) -> impl Iterator<Item = Span> + '_ {
        let first =
            self.sections.first().map_or(self.extent.end, |section| section.heading.span.start);
        std::iter::once(0..first)
            .chain(self.sections.iter().map(|section| section.heading.span.start..section.body.end))
    }
}

/// A structuring line, and the offset that its spans count from.
type At<'a> = (usize, &'a Event);

/// Assembles a document from its structuring lines. `passage` reads the blocks, part by part.
pub(super) fn assemble(
    events: &[At],
    extent: Span,
    passage: &mut dyn FnMut(&Span) -> Arc<Passage>,
) -> Layout {
    read(events, extent, false, passage).0
}

/// The state at the end of a part of a document, which affects the text after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Border {
    /// It ends in the conversation.
    pub talks: bool,
    /// A fence or an edit block is open.
    pub open: bool,
}

/// Assembles a part of a document, which may begin in the conversation, at an entry. The section
/// that it begins in is the first one.
pub(super) fn read(
    events: &[At],
    extent: Span,
    talks: bool,
    passage: &mut dyn FnMut(&Span) -> Arc<Passage>,
) -> (Layout, Border) {
    let mut reader = Reader {
        out: Layout { extent: extent.clone(), ..Layout::default() },
        fence: None,
        indented: false,
        marked: Vec::new(),
    };
    if talks {
        let heading = Heading { span: 0..0, name: 0..0, text: Arc::from("") };
        reader.out.sections.push(Section { kind: SectionKind::Conversation, heading, body: 0..0 });
    }
    let (ends, open) = ends(events);
    let mut index = 0;
    while let Some((start, event)) = events.get(index) {
        index = match ends.get(index).copied().flatten().filter(|_| reader.is_opaque()) {
            Some(end) => {
                reader.marked.push(event.line.start + start);
                end + 1
            }
            None => {
                reader.event(&event.shifted(*start));
                index + 1
            }
        };
    }
    let border = Border {
        talks: reader.in_section(SectionKind::Conversation),
        open: open || reader.fence.is_some(),
    };
    reader.close(extent.end);
    let Reader { mut out, marked, .. } = reader;
    out.parts = parts(&out, &marked, passage);
    out.blocks = placed(&out.parts);
    (out, border)
}

/// The blocks of parts.
pub(super) fn placed(parts: &[Part]) -> Vec<Placed> {
    let mut blocks = Vec::with_capacity(parts.iter().map(|part| part.passage.blocks.len()).sum());
    for part in parts {
        blocks.extend(part.passage.blocks.iter().map(|written| Placed {
            block: InPlace::new(written, part.span.start),
            role: part.role,
            entry: part.entry,
            written: Arc::clone(written),
            start: part.span.start,
        }));
    }
    blocks
}

/// For every event that begins an edit block, the one that ends it: the next end of the same
/// length, unless another head of that length comes first. Also returns whether a head has neither
/// after it.
fn ends(events: &[At]) -> (Vec<Option<usize>>, bool) {
    let mut ends = vec![None; events.len()];
    let mut next: FxHashMap<usize, Option<usize>> = FxHashMap::default();
    let mut open = false;
    for (index, (_, event)) in events.iter().enumerate().rev() {
        let EventKind::Marker(Some(marker)) = &event.kind else { continue };
        match marker.kind {
            MarkerKind::End(_) => drop(next.insert(marker.length, Some(index))),
            MarkerKind::Head(_) => {
                let end = next.insert(marker.length, None);
                open |= end.is_none();
                if let Some(slot) = ends.get_mut(index) {
                    *slot = end.flatten();
                }
            }
            MarkerKind::Divider => {}
        }
    }
    (ends, open)
}

struct Reader {
    out: Layout,
    /// The open fence, and whether it belongs to a file.
    fence: Option<(Fence, bool)>,
    /// The fence is in a list item, or appears to be.
    indented: bool,
    /// The lines that are markers or were meant as markers.
    marked: Vec<usize>,
}

impl Reader {
    /// Whether the content of blocks is opaque here: in the text of files, blocks are just text.
    fn is_opaque(&self) -> bool {
        self.in_section(SectionKind::Conversation)
            || self.fence.is_none() && !self.in_section(SectionKind::CodeContext)
    }

    fn event(&mut self, event: &Event) {
        // A fence in a list item ends with the item.
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
            EventKind::Entry(span) => self.stray(span.clone(), StrayKind::Heading),
            EventKind::Section(kind) => self.meant(*kind, event.line.clone()),
            EventKind::Human(mark) => self.speaker(event, *mark, false),
            EventKind::Assistant(mark) => self.speaker(event, *mark, true),
            EventKind::User(mark) => self.user(event, *mark),
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

    /// A line was meant to begin a section.
    fn meant(&mut self, kind: SectionKind, line: Span) {
        if !self.in_section(SectionKind::Conversation) {
            self.out.meant.push((kind, line));
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
        if !(level == 3 && text.starts_with("Entry")) && is_like_entry(text) {
            self.stray(event.line.clone(), StrayKind::Heading);
        }
        if level != 2
            && let Some(kind) = SectionKind::meant(text)
        {
            self.meant(kind, event.line.clone());
        }
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
                    let (digits, title) = numbered(number, name.end);
                    let number = text
                        .get(digits.start - name.start..digits.end - name.start)
                        .and_then(|digits| digits.parse().ok());
                    let heading = heading(name.clone(), Arc::clone(text));
                    self.out.entries.push(Entry {
                        heading,
                        number,
                        digits,
                        title,
                        body: event.next..event.next,
                        human: None,
                        assistant: None,
                        asides: Vec::new(),
                    });
                }
            }
            _ => {}
        }
    }

    /// A heading in the conversation is conversation, unless the document doesn't have that section
    /// yet.
    fn is_late_section(&self, kind: SectionKind) -> bool {
        let known = || self.out.sections.iter().any(|section| section.kind == kind);
        kind == SectionKind::Conversation || kind != SectionKind::Unknown && !known()
    }

    fn speaker(&mut self, event: &Event, mark: usize, assistant: bool) {
        if !self.in_section(SectionKind::Conversation) {
            return;
        }
        let mark = event.line.start + mark..event.line.end;
        let name = event.line.start..mark.start;
        let Some(entry) =
            self.out.entries.last_mut().filter(|entry| entry.body.start == entry.body.end)
        else {
            if self.out.strays.is_empty() {
                self.stray(name, StrayKind::Speaker);
            }
            return;
        };
        let talks = entry
            .assistant
            .as_ref()
            .is_some_and(|last| entry.human.as_ref().is_some_and(|human| human.start < last.start));
        let open = entry.asides.last_mut().filter(|aside| aside.start == aside.end);
        match (open, assistant) {
            (Some(aside), true) => return aside.end = event.line.start,
            (None, false) if talks => {
                entry.asides.push(event.line.start..event.line.start);
                let entries = self.out.entries.len();
                if self.out.strays.last().is_none_or(|stray| stray.entries != entries) {
                    self.stray(name, StrayKind::Turn);
                }
                return;
            }
            _ => {}
        }
        let (own, other) = if assistant {
            (&mut entry.assistant, &mut entry.human)
        } else {
            (&mut entry.human, &mut entry.assistant)
        };
        if own.is_none() {
            if let Some(other) = other {
                other.end = event.line.start;
            }
            *own = Some(mark);
        }
    }

    /// A line that may begin a human's turn after the assistant's.
    fn user(&mut self, event: &Event, mark: usize) {
        let open = self.out.entries.last().filter(|entry| entry.body.start == entry.body.end);
        if open.is_some_and(|entry| entry.assistant.is_some()) {
            self.stray(event.line.start..event.line.start + mark, StrayKind::User);
        }
    }

    fn stray(&mut self, span: Span, kind: StrayKind) {
        if self.in_section(SectionKind::Conversation) {
            self.out.strays.push(Stray { span, kind, entries: self.out.entries.len() });
        }
    }

    /// Closes the open fence at `end`, unless it's already closed.
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
            let open = entry.asides.last_mut().filter(|aside| aside.start == aside.end);
            if let Some(aside) = open {
                aside.end = end.max(aside.start);
            }
        }
    }

    /// Ends the current section at `end`, with everything open in it.
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

/// The parts of a document that contain markers, in order.
fn parts(
    layout: &Layout,
    marked: &[usize],
    passage: &mut dyn FnMut(&Span) -> Arc<Passage>,
) -> Vec<Part> {
    let mut found = Vec::new();
    // Nearly all parts follow one another.
    let (mut next, mut before) = (0, 0);
    let mut take = |span: &Span, role: Role, entry: Option<usize>| {
        if span.start < std::mem::replace(&mut before, span.start) {
            next = 0;
        }
        while marked.get(next).is_some_and(|at| *at < span.start) {
            next += 1;
        }
        if marked.get(next).is_some_and(|at| *at < span.end) {
            found.push(Part { span: span.clone(), role, entry, passage: passage(span) });
        }
    };
    for section in layout.sections.iter().filter(|section| section.kind == SectionKind::Meta) {
        take(&section.body, Role::Documentation, None);
    }
    for (index, entry) in layout.entries.iter().enumerate() {
        if let Some(human) = &entry.human {
            take(human, Role::Quoted, Some(index));
        }
        let Some(assistant) = &entry.assistant else { continue };
        let mut start = assistant.start;
        for aside in &entry.asides {
            take(&(start..aside.start), Role::Live, Some(index));
            take(aside, Role::Quoted, Some(index));
            start = aside.end;
        }
        take(&(start..assistant.end.max(start)), Role::Live, Some(index));
    }
    found.sort_by_key(|part| part.span.start);
    found
}
