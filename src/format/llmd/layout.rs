//! How an LLMD document is made up, with the place of everything (LLMD-2 to LLMD-9). One pass over its lines: fences and
//! edit blocks are opaque, so nothing in them is taken for a heading.

use crate::edit::{self, Block, MarkerKind, Pair, marker};
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
    /// `{% include 'path' %}`
    pub includes: Vec<Include>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// The whole line, its break excluded.
    pub span: Span,
    /// The text behind the marks, or behind `Project:`.
    pub name: Span,
    pub text: String,
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

#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    pub block: Block,
    pub role: Role,
    /// The entry that it stands in.
    pub entry: Option<usize>,
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
    pub text: String,
}

/// The sections in their order, by how their headings begin.
pub static SECTIONS: &[(&str, SectionKind)] = &[
    ("Meta: LLMD", SectionKind::Meta),
    ("Mission", SectionKind::Mission),
    ("Code Context", SectionKind::CodeContext),
    ("Changelog", SectionKind::Changelog),
    ("Conversation Thread", SectionKind::Conversation),
];

/// Takes a document apart. `bare`: it is a reply with blocks alone, all of them live.
pub fn layout(text: &str, bare: bool) -> Layout {
    let mut reader = Reader { out: Layout::default(), fence: None, ends: ends(text), opaque: None };
    let mut at = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let bare_line = line.trim_end_matches(['\n', '\r']);
        let mark = if index == 0 && bare_line.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        reader.line(index, at + mark..at + bare_line.len(), at + line.len(), bare_line.get(mark..).unwrap_or_default());
        at += line.len();
    }
    reader.close(text.len());
    let mut out = reader.out;
    out.blocks = blocks(text, &out, bare);
    out
}

/// For every line that begins an edit block, the line that ends it.
fn ends(text: &str) -> Vec<Option<usize>> {
    let marks: Vec<_> = text.split('\n').map(|line| marker(line.trim_end_matches('\r')).filter(|mark| !is_conflict(&mark.kind))).collect();
    let mut ends = vec![None; marks.len()];
    let mut open: Option<(usize, usize)> = None;
    for (index, mark) in marks.iter().enumerate() {
        let Some(mark) = mark else { continue };
        match mark.kind {
            MarkerKind::Head(_) if open.is_none_or(|(_, length)| mark.length == length) => open = Some((index, mark.length)),
            MarkerKind::End(_) => {
                if let Some((start, length)) = open
                    && mark.length == length
                {
                    if let Some(slot) = ends.get_mut(start) {
                        *slot = Some(index);
                    }
                    open = None;
                }
            }
            _ => {}
        }
    }
    ends
}

fn is_conflict(kind: &MarkerKind) -> bool {
    matches!(kind, MarkerKind::Head(Pair::Conflict) | MarkerKind::End(Pair::Conflict))
}

struct Reader {
    out: Layout,
    /// The fence that is open, and whether it belongs to a file.
    fence: Option<(Fence, bool)>,
    ends: Vec<Option<usize>>,
    /// The line that ends the edit block that is open.
    opaque: Option<usize>,
}

impl Reader {
    fn line(&mut self, index: usize, span: Span, next: usize, line: &str) {
        if let Some(end) = self.opaque {
            if index == end {
                self.opaque = None;
            }
            return;
        }
        if let Some((fence, _)) = &mut self.fence {
            if closes(line, &fence.mark) {
                fence.span.end = span.end;
                fence.closed = true;
                self.close_fence();
            } else {
                fence.span.end = span.end;
                fence.content.end = next;
            }
            return;
        }
        if let Some(end) = self.ends.get(index).copied().flatten() {
            self.opaque = Some(end);
            return;
        }
        if let Some((mark, info)) = opens(line) {
            let info = span.start + line.len() - info.len()..span.end;
            let fence = Fence { span: span.start..next, mark: mark.to_owned(), info, content: next..next, closed: false };
            self.fence = Some((fence, self.in_section(SectionKind::CodeContext)));
            return;
        }
        self.heading(&span, next, line);
        self.speaker(&span, line);
        self.include(&span, line);
    }

    fn in_section(&self, kind: SectionKind) -> bool {
        self.out.sections.last().is_some_and(|section| section.kind == kind)
    }

    fn heading(&mut self, span: &Span, next: usize, line: &str) {
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        let Some(rest) = line.get(level..).filter(|rest| level > 0 && rest.starts_with([' ', '\t'])) else { return };
        let name = rest.trim().trim_end_matches('#').trim_end();
        let start = span.start + level + (rest.len() - rest.trim_start().len());
        let heading = |name: Span, text: &str| Heading { span: span.clone(), name, text: text.to_owned() };
        let whole = heading(start..start + name.len(), name);
        let talking = self.in_section(SectionKind::Conversation);
        match level {
            1 if self.out.project.is_none() && !talking => {
                if let Some(project) = name.strip_prefix("Project:") {
                    let trimmed = project.trim();
                    let end = start + name.len();
                    self.out.project = Some(heading(end - trimmed.len()..end, trimmed));
                }
            }
            2 if !talking || kind_of(name) != SectionKind::Unknown => {
                self.close(span.start);
                self.out.sections.push(Section { kind: kind_of(name), heading: whole, body: next..next });
            }
            3 if self.in_section(SectionKind::CodeContext) => {
                self.close_file(span.start);
                self.out.files.push(File { heading: whole, body: next..next, fences: Vec::new() });
            }
            3 if talking => {
                if let Some(number) = name.strip_prefix("Entry") {
                    self.close_entry(span.start);
                    let number = number.trim().parse().ok();
                    self.out.entries.push(Entry { heading: whole, number, body: next..next, human: None, assistant: None });
                }
            }
            _ => {}
        }
    }

    fn speaker(&mut self, span: &Span, line: &str) {
        if !self.in_section(SectionKind::Conversation) {
            return;
        }
        let Some(entry) = self.out.entries.last_mut() else { return };
        let from = |mark: &str| span.start + mark.len();
        if line.starts_with(HUMAN) && entry.human.is_none() {
            entry.human = Some(from(HUMAN)..span.end);
        } else if line.starts_with(ASSISTANT) && entry.assistant.is_none() {
            if let Some(human) = &mut entry.human {
                human.end = span.start;
            }
            entry.assistant = Some(from(ASSISTANT)..span.end);
        }
    }

    fn include(&mut self, span: &Span, line: &str) {
        let Some(open) = line.find("{%") else { return };
        let inside = line.get(open + 2..).and_then(|rest| rest.split_once("%}")).map(|(inside, _)| inside);
        let Some(quoted) = inside.and_then(|inside| inside.trim().strip_prefix("include")).map(str::trim) else { return };
        let quote = quoted.chars().next().filter(|quote| matches!(quote, '\'' | '"'));
        let Some(path) = quote.and_then(|quote| quoted.strip_prefix(quote)?.strip_suffix(quote)) else { return };
        let Some(at) = line.find(path).filter(|_| !path.is_empty()) else { return };
        let end = line.find("%}").map_or(line.len(), |close| close + 2);
        let path_span = span.start + at..span.start + at + path.len();
        self.out.includes.push(Include { span: span.start + open..span.start + end, path: path_span, text: path.to_owned() });
    }

    fn close_fence(&mut self) {
        if let Some((fence, of_file)) = self.fence.take()
            && of_file
            && let Some(file) = self.out.files.last_mut()
        {
            file.fences.push(fence);
        }
    }

    fn close_file(&mut self, end: usize) {
        if let Some(file) = self.out.files.last_mut().filter(|file| file.body.end == file.body.start) {
            file.body.end = end.max(file.body.start);
        }
    }

    fn close_entry(&mut self, end: usize) {
        if let Some(entry) = self.out.entries.last_mut().filter(|entry| entry.body.end == entry.body.start) {
            entry.body.end = end.max(entry.body.start);
            if let Some(last) = entry.assistant.as_mut().or(entry.human.as_mut()) {
                last.end = end.max(last.start);
            }
        }
    }

    /// A section ends at `end`, and whatever is open in it.
    fn close(&mut self, end: usize) {
        self.close_fence();
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

const HUMAN: &str = "**Human:**";
const ASSISTANT: &str = "**Assistant:**";

fn kind_of(name: &str) -> SectionKind {
    let lower = name.to_ascii_lowercase();
    let known = SECTIONS.iter().find(|(title, kind)| match kind {
        SectionKind::Meta => lower.starts_with("meta"),
        _ => lower == title.to_ascii_lowercase(),
    });
    known.map_or(SectionKind::Unknown, |(_, kind)| *kind)
}

/// The characters and the info string of an opening fence.
fn opens(line: &str) -> Option<(&str, &str)> {
    let text = line.trim_start_matches(' ');
    let first = text.chars().next().filter(|first| matches!(first, '`' | '~'))?;
    let length = text.bytes().take_while(|byte| char::from(*byte) == first).count();
    let (mark, info) = text.split_at_checked(length)?;
    let open = length >= 3 && line.len() - text.len() <= 3 && !(first == '`' && info.contains('`'));
    open.then_some((mark, info.trim()))
}

fn closes(line: &str, mark: &str) -> bool {
    let text = line.trim();
    text.len() >= mark.len() && text.starts_with(mark) && text.chars().all(|character| mark.starts_with(character))
}

/// The blocks of a document, each with what it is there for.
fn blocks(text: &str, layout: &Layout, bare: bool) -> Vec<Placed> {
    let mut found = Vec::new();
    if bare {
        return edit::read(text).into_iter().map(|block| Placed { block, role: Role::Live, entry: None }).collect();
    }
    let mut take = |span: &Span, role: Role, entry: Option<usize>| {
        for block in edit::read(text.get(span.clone()).unwrap_or_default()) {
            found.push(Placed { block: block.shifted(span.start), role, entry });
        }
    };
    for section in layout.sections.iter().filter(|section| section.kind == SectionKind::Meta) {
        take(&section.body, Role::Documentation, None);
    }
    for (index, entry) in layout.entries.iter().enumerate() {
        if let Some(human) = &entry.human {
            take(human, Role::Quoted, Some(index));
        }
        if let Some(assistant) = &entry.assistant {
            take(assistant, Role::Live, Some(index));
        }
    }
    found.sort_by_key(|placed| placed.block.span.start);
    found
}
