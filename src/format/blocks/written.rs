//! How blocks are written, line by line: their markers with their places, and lines that were meant
//! to be markers.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::edit::{self, Block, Dialect, Marker, MarkerKind, Pair, Subject};
use crate::source::Source;
use crate::suggestion::closest;
use crate::text::Span;

/// The blocks of a piece of text, and lines that were meant to belong to one. Offsets count from
/// its start.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Passage {
    pub blocks: Vec<Arc<Written>>,
    pub strays: Vec<Stray>,
}

/// A block and the lines that make it one.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    pub block: Block,
    pub head: Mark,
    pub dividers: Vec<Mark>,
    pub end: Option<Mark>,
    /// The whole lines between the path and the head.
    pub gap: Span,
    /// It is written exactly as LLMD writes blocks: nothing to report.
    pub plain: bool,
}

/// A block of a part at its place in the document, made on first use: a document has many, and a
/// key press looks at few.
#[derive(Debug, Clone)]
pub struct InPlace {
    written: Arc<Written>,
    start: usize,
    block: OnceLock<Box<Block>>,
}

impl InPlace {
    /// The block of a part that begins at `start`.
    pub fn new(written: &Arc<Written>, start: usize) -> Self {
        Self { written: Arc::clone(written), start, block: OnceLock::new() }
    }

    /// Another block at the same place.
    pub fn with(&self, block: Block) -> Self {
        Self { block: OnceLock::from(Box::new(block)), ..self.clone() }
    }

    /// The span of the block.
    pub fn span(&self) -> Span {
        let Span { start, end } = &self.written.block.span;
        start + self.start..end + self.start
    }
}

impl Deref for InPlace {
    type Target = Block;

    fn deref(&self) -> &Block {
        self.block.get_or_init(|| Box::new(self.written.block.clone().shifted(self.start)))
    }
}

impl PartialEq for InPlace {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

/// A block of a document.
#[derive(Debug, Clone, Copy)]
pub enum BlockOf<'a> {
    Known(&'a Block),
    Placed(&'a InPlace),
}

impl<'a> BlockOf<'a> {
    /// The block, whose places may count from the start of the document or of the part.
    pub fn somewhere(self) -> &'a Block {
        match self {
            Self::Known(block) => block,
            Self::Placed(block) => block.block.get().map_or(&block.written.block, |block| &**block),
        }
    }

    /// The span of the block.
    pub fn span(self) -> Span {
        match self {
            Self::Known(block) => block.span.clone(),
            Self::Placed(block) => block.span(),
        }
    }

    pub fn get(self) -> &'a Block {
        match self {
            Self::Known(block) => block,
            Self::Placed(block) => block,
        }
    }
}

impl Deref for BlockOf<'_> {
    type Target = Block;

    fn deref(&self) -> &Block {
        self.get()
    }
}

/// A line that is a marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The line, without its line break.
    pub line: Span,
    /// Without leading and trailing whitespace.
    pub span: Span,
    pub marker: Marker,
}

/// A line outside every block that looks like a marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stray {
    pub span: Span,
    /// The word after the run.
    pub name: Span,
    pub word: String,
    pub kind: StrayKind,
    /// The block that is still open at this line.
    pub block: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StrayKind {
    /// `<<<<<< SERACH`
    UnknownHead,
    /// `>>>>>> REPLCE`
    UnknownEnd,
    /// `>>>>>> REPLACE` without a head.
    Orphan,
}

impl Mark {
    #[must_use]
    pub fn shifted(&self, by: usize) -> Self {
        let shift = |span: &Span| span.start + by..span.end + by;
        Self { line: shift(&self.line), span: shift(&self.span), marker: self.marker.clone() }
    }

    /// The characters of the run.
    pub fn run(&self) -> Span {
        self.span.start..self.span.start + self.marker.length
    }

    /// The amount of leading whitespace.
    pub fn indent(&self) -> usize {
        self.span.start - self.line.start
    }
}

impl Stray {
    #[must_use]
    pub fn shifted(&self, by: usize) -> Self {
        let shift = |span: &Span| span.start + by..span.end + by;
        Self { span: shift(&self.span), name: shift(&self.name), ..self.clone() }
    }
}

/// Whether a line may be a marker, or was meant as one.
pub fn is_like_marker(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(['<', '>', '=', '-', '+']) && (mark(line).is_some() || stray(line).is_some())
}

/// The marker on a line; conflict markers without a name don't count.
pub fn mark(line: &str) -> Option<Marker> {
    edit::marker(line).filter(|marker| {
        !matches!(marker.kind, MarkerKind::Head(Pair::Conflict) | MarkerKind::End(Pair::Conflict))
    })
}

/// The blocks written with SEARCH and REPLACE.
pub fn read(text: &str) -> Passage {
    let lines = lines(text);
    let mut passage = Passage::default();
    for mut block in
        edit::read(text).into_iter().filter(|block| block.dialect == Dialect::SearchReplace)
    {
        let first = lines.partition_point(|line| line.end < block.span.start);
        if block.subject == Subject::File
            && block.path.as_ref().is_none_or(|path| path.inherited)
            && let Some(path) = word_above(text, &lines, first)
        {
            block.warnings.retain(|warning| *warning != edit::Warning::InheritedPath);
            block.path = Some(path);
        }
        let last =
            lines.partition_point(|line| line.start < block.span.end.max(block.span.start + 1));
        let mut marks = lines
            .get(first..last)
            .unwrap_or_default()
            .iter()
            .filter_map(|line| read_mark(text, line));
        let Some(head) = marks.next() else { continue };
        let mut rest: Vec<Mark> = marks.collect();
        let is_end = |mark: &Mark| {
            matches!(mark.marker.kind, MarkerKind::End(_))
                && block.error != Some(edit::Reason::UnterminatedBlock)
        };
        let end = if rest.last().is_some_and(is_end) { rest.pop() } else { None };
        rest.retain(|mark| mark.marker.kind == MarkerKind::Divider);
        let gap = gap(&lines, &block, first);
        let mut written = Written { block, head, dividers: rest, end, gap, plain: false };
        written.plain = written.is_plain(text);
        passage.blocks.push(Arc::new(written));
    }
    passage.strays = strays(text, &lines, &passage.blocks);
    passage
}

/// A word directly above a head that is a file name without an extension: `gradlew`
fn word_above(text: &str, lines: &[Span], head: usize) -> Option<edit::Path> {
    let line = lines.get(head.checked_sub(1)?)?;
    let content = text.get(line.clone())?;
    let word = edit::naming::word(content.trim()).filter(|_| !content.trim().ends_with(':'))?;
    let start = line.start + content.find(word)?;
    Some(edit::Path { text: word.to_owned(), span: start..start + word.len(), inherited: false })
}

fn lines(text: &str) -> Vec<Span> {
    let mut at = 0;
    let line = |line: &str| {
        let start = at;
        at += line.len();
        start..start + line.trim_end_matches(['\n', '\r']).len()
    };
    text.split_inclusive('\n').map(line).collect()
}

fn read_mark(text: &str, line: &Span) -> Option<Mark> {
    let content = text.get(line.clone())?;
    let marker = mark(content)?;
    let start = line.start + (content.len() - content.trim_start().len());
    Some(Mark { line: line.clone(), span: start..start + content.trim().len(), marker })
}

/// The lines between the path of a block and its head in line `head`.
fn gap(lines: &[Span], block: &Block, head: usize) -> Span {
    let start = lines.get(head).map_or(0, |line| line.start);
    let path = block.path.as_ref().filter(|path| !path.inherited && path.span.end <= start);
    let line = path.map(|path| lines.partition_point(|line| line.end < path.span.start));
    let next = line.and_then(|line| lines.get(line + 1)).map_or(start, |line| line.start);
    next.min(start)..start
}

fn strays(text: &str, lines: &[Span], blocks: &[Arc<Written>]) -> Vec<Stray> {
    let (mut found, mut next) = (Vec::new(), 0);
    let mut open = false;
    for line in lines {
        while blocks.get(next).is_some_and(|written| written.block.span.end <= line.start) {
            next += 1;
            open = false;
        }
        let inside = blocks.get(next).filter(|written| written.block.span.start <= line.start);
        let unended = inside.is_some_and(|written| written.end.is_none());
        if inside.is_some() && !unended {
            continue;
        }
        let content = text.get(line.clone()).unwrap_or_default();
        let start = line.start + (content.len() - content.trim_start().len());
        let span = start..start + content.trim().len();
        let place = |name: &Span, kind: StrayKind| Stray {
            span: span.clone(),
            name: start + name.start..start + name.end,
            word: content.trim().get(name.clone()).unwrap_or_default().to_owned(),
            kind,
            block: unended.then_some(next),
        };
        match mark(content) {
            Some(marker) => {
                // The end of a block with a misspelt head is not reported: the head is.
                if matches!(marker.kind, MarkerKind::End(_))
                    && !std::mem::take(&mut open)
                    && !unended
                {
                    found.push(place(&(marker.length..content.trim().len()), StrayKind::Orphan));
                }
            }
            None => {
                let Some((kind, name)) = stray(content.trim()) else { continue };
                open |= kind == StrayKind::UnknownHead;
                if kind == StrayKind::UnknownEnd && std::mem::take(&mut open) {
                    continue;
                }
                found.push(place(&name, kind));
            }
        }
    }
    found
}

/// If a trimmed line looks like a marker with an unknown name, its kind and the place of the name.
fn stray(line: &str) -> Option<(StrayKind, Span)> {
    let first = line.chars().next().filter(|first| matches!(first, '<' | '>'))?;
    let length = line.bytes().take_while(|byte| char::from(*byte) == first).count();
    let rest = line.get(length..)?;
    let word = rest.trim_start();
    let start = line.len() - word.len();
    // `SEARCH MISSION`, `CHANGE LOG`
    let spaced = word.replacen(' ', "_", 1);
    let is_word = !word.is_empty()
        && spaced.bytes().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-'));
    let shouted = word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
        && word.len() >= 3
        && word != "HEAD";
    let names = if first == '<' { HEADS } else { ENDS };
    let meant = is_word && (shouted || closest(&spaced, names.iter().copied()).is_some());
    let kind = if first == '<' { StrayKind::UnknownHead } else { StrayKind::UnknownEnd };
    ((5..=9).contains(&length) && meant).then_some((kind, start..line.len()))
}

/// The names of heads and ends in LLMD.
pub const HEADS: &[&str] = &["SEARCH", "SEARCH_MISSION", "CHANGELOG"];
pub const ENDS: &[&str] = &["REPLACE", "REPLACE_MISSION", "CHANGELOG"];

/// Whether a line was meant to end a block, but isn't a marker:
/// `>>>>>>`, `> REPLACE`, `<<<<<< REPLACE`, `>>>>>> END CHANGELOG`
pub fn is_like_end(line: &str, name: &str) -> bool {
    let line = line.trim();
    let sign = |letter: char| matches!(letter, '<' | '>' | '+');
    let word = line.trim_matches(sign).trim();
    let signs = line.len() - line.trim_start_matches(sign).len();
    let mut words = word.split([' ', ':']).filter(|word| !word.is_empty());
    let is_own = words.clone().any(|word| closest(word, [name]).is_some());
    let shouted = word.bytes().all(|byte| byte.is_ascii_uppercase() || b" _:-".contains(&byte));
    match words.clone().count() {
        0 => signs >= 5 && signs == line.len(),
        1..=3 => {
            let ends = signs >= 3 && words.any(|word| word == "END");
            signs > 0 && shouted && (is_own || ends)
        }
        _ => false,
    }
}

/// The names in the head and the end of a kind of block.
pub fn names(pair: Pair) -> (&'static str, &'static str) {
    match pair {
        Pair::Search | Pair::Conflict => ("SEARCH", "REPLACE"),
        Pair::Mission => ("SEARCH_MISSION", "REPLACE_MISSION"),
        Pair::Changelog => ("CHANGELOG", "CHANGELOG"),
    }
}

impl Written {
    /// How a block of a document is written; if it has no markers, its first line serves as its
    /// head.
    pub fn of(source: &Source, block: &Block) -> Option<Self> {
        let start = source.line_span(block.span.start).start;
        let span = start..source.line_span(block.span.end.max(block.span.start)).end;
        let text = source.slice(span.clone());
        let lines = lines(&text);
        let mut marks: Vec<Mark> = lines
            .iter()
            .filter_map(|line| read_mark(&text, line))
            .map(|mark| mark.shifted(start))
            .collect();
        if block.dialect != Dialect::SearchReplace || marks.is_empty() {
            marks.clear();
            let line = source.line_span(block.span.start);
            let marker = Marker {
                kind: MarkerKind::Head(Pair::Search),
                length: 0,
                line: None,
                recovered: false,
            };
            marks.push(Mark { line: line.clone(), span: line, marker });
        }
        let head = marks.remove(0);
        let is_end = |mark: &Mark| {
            matches!(mark.marker.kind, MarkerKind::End(_))
                && block.error != Some(edit::Reason::UnterminatedBlock)
        };
        let end = if marks.last().is_some_and(is_end) { marks.pop() } else { None };
        marks.retain(|mark| mark.marker.kind == MarkerKind::Divider);
        Some(Self {
            block: block.clone(),
            gap: head.line.start..head.line.start,
            head,
            dividers: marks,
            end,
            plain: false,
        })
    }

    /// The kind of block that its head begins.
    pub fn pair(&self) -> Pair {
        match self.head.marker.kind {
            MarkerKind::Head(pair) => pair,
            _ => Pair::Search,
        }
    }

    /// Whether all of it, including the path, is exactly as LLMD writes it.
    fn is_plain(&self, text: &str) -> bool {
        let (head, end) = names(self.pair());
        let whole = |mark: &Mark, wanted: &str, run: char| {
            let content = text.get(mark.line.clone()).unwrap_or_default();
            mark.marker.length == 6
                && content.get(6..).map(str::trim_start) == Some(wanted)
                && content.starts_with(run)
                && content.len() == 7 + wanted.len()
        };
        let divided = match self.dividers.as_slice() {
            [] => self.pair() == Pair::Changelog,
            [divider] => {
                text.get(divider.line.clone()) == Some("=======") && self.pair() != Pair::Changelog
            }
            _ => false,
        };
        let ended = self.end.as_ref().is_some_and(|mark| whole(mark, end, '>'));
        self.block.error.is_none()
            && self.gap.is_empty()
            && divided
            && ended
            && whole(&self.head, head, '<')
    }

    /// Every marker, in order.
    pub fn marks(&self) -> impl Iterator<Item = &Mark> {
        std::iter::once(&self.head).chain(&self.dividers).chain(&self.end)
    }
}
