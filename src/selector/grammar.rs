//! The grammar of selectors (SEL-2, SEL-5, SEL-8 to SEL-10, SEL-17).

use std::fmt;

use crate::text::Span;

/// A selector. Spans are bytes of its source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selector {
    /// As written; compared ignoring case.
    pub namespace: Option<String>,
    /// Never empty.
    pub segments: Vec<Segment>,
    pub query: Query,
    pub warnings: Vec<String>,
}

/// The requested amount of a node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// `full=true`: all of it.
    pub full: bool,
    /// `head=10`: the first lines.
    pub head: Option<usize>,
    /// `tail=10`: the last lines.
    pub tail: Option<usize>,
    /// `until=heading:h3[0]`: everything before the first match of a path inside the node. No
    /// namespace, no query.
    pub until: Option<Box<Selector>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    pub kind: SegmentKind,
    /// `None`: every match.
    pub index: Option<Index>,
    pub span: Span,
}

/// Selects among several matches: `1`, `1-3`, `0,2,5-7`. Indices are whole numbers from 0; one too
/// large for a machine matches nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    /// The first and last index of each range, as written.
    stretches: Vec<(usize, usize)>,
    /// The text, if a number in it is too large for a machine.
    written: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SegmentKind {
    Root,
    Heading(u8),
    Section,
    Block(BlockType),
    /// `*`: blocks of every type.
    Any,
    Page,
}

impl Index {
    /// The match at one index.
    pub fn one(place: usize) -> Self {
        Self { stretches: vec![(place, place)], written: None }
    }

    pub(super) fn new(stretches: Vec<(usize, usize)>, text: &str) -> Self {
        let is_huge = stretches.iter().any(|(_, last)| *last == usize::MAX);
        Self { stretches, written: is_huge.then(|| text.to_owned()) }
    }

    /// Whether it is a list, such as `0,2`.
    pub fn is_list(&self) -> bool {
        self.stretches.len() > 1
    }

    /// The items of a list that select nothing among `count` matches.
    pub fn beyond(&self, count: usize) -> Option<Self> {
        let is_beyond = |(first, _): &(usize, usize)| *first >= count;
        let found = || self.stretches.iter().copied().filter(is_beyond);
        if !self.is_list() || found().next().is_none() {
            return None;
        }
        let written = self.written.as_ref().map(|written| {
            let items = written.split(',').zip(&self.stretches);
            let beyond: Vec<&str> =
                items.filter(|(_, item)| is_beyond(item)).map(|(text, _)| text).collect();
            beyond.join(",")
        });
        Some(Self { stretches: found().collect(), written })
    }

    /// The index, if only one is selected.
    pub fn single(&self) -> Option<usize> {
        match self.stretches.as_slice() {
            [(first, last)] if first == last => Some(*first),
            _ => None,
        }
    }

    /// The largest selected index.
    pub fn last(&self) -> usize {
        self.stretches.iter().map(|(_, last)| *last).max().unwrap_or_default()
    }

    /// The selected indices among `count` matches, sorted, without duplicates.
    pub fn places(&self, count: usize) -> Vec<usize> {
        let mut inside: Vec<(usize, usize)> = self
            .stretches
            .iter()
            .filter(|(first, _)| *first < count)
            .map(|(first, last)| (*first, (*last).min(count - 1)))
            .collect();
        inside.sort_unstable();
        let mut next = 0;
        let mut found = Vec::new();
        for (first, last) in inside {
            found.extend(first.max(next)..last + 1);
            next = next.max(last + 1);
        }
        found
    }
}

impl fmt::Display for Index {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(written) = &self.written {
            return formatter.write_str(written);
        }
        for (index, (first, last)) in self.stretches.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            match first == last {
                true => write!(formatter, "{comma}{first}")?,
                false => write!(formatter, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BlockType {
    Paragraph,
    List,
    Code,
    Table,
    Blockquote,
}

/// A syntax error in a selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub kind: ProblemKind,
    /// The wrong characters.
    pub span: Span,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProblemKind {
    Empty,
    BadNamespace,
    UnknownSegment,
    BadIndex,
    MisplacedSegment,
    MalformedQuery,
}

impl ProblemKind {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "EMPTY_SELECTOR",
            Self::BadNamespace => "INVALID_NAMESPACE",
            Self::UnknownSegment => "UNKNOWN_SEGMENT",
            Self::BadIndex => "INVALID_INDEX",
            Self::MisplacedSegment => "MISPLACED_SEGMENT",
            Self::MalformedQuery => "MALFORMED_QUERY",
        }
    }
}

impl BlockType {
    pub const ALL: [Self; 5] =
        [Self::Paragraph, Self::List, Self::Code, Self::Table, Self::Blockquote];

    pub fn name(self) -> &'static str {
        match self {
            Self::Paragraph => "paragraph",
            Self::List => "list",
            Self::Code => "code",
            Self::Table => "table",
            Self::Blockquote => "blockquote",
        }
    }

    /// How a path writes it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Paragraph => "block:paragraph",
            Self::List => "block:list",
            Self::Code => "block:code",
            Self::Table => "block:table",
            Self::Blockquote => "block:blockquote",
        }
    }

    /// The type with a name or an abbreviation of it.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "para" => Some(Self::Paragraph),
            "quote" => Some(Self::Blockquote),
            _ => Self::ALL.into_iter().find(|kind| kind.name() == name),
        }
    }
}

impl fmt::Display for SegmentKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => formatter.write_str("root"),
            Self::Heading(level) => write!(formatter, "heading:h{level}"),
            Self::Section => formatter.write_str("section"),
            Self::Block(kind) => formatter.write_str(kind.word()),
            Self::Any => formatter.write_str("*"),
            Self::Page => formatter.write_str("page"),
        }
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.index {
            Some(index) if self.kind != SegmentKind::Root => {
                write!(formatter, "{}[{index}]", self.kind)
            }
            _ => write!(formatter, "{}", self.kind),
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(namespace) = &self.namespace {
            write!(formatter, "{namespace}::")?;
        }
        for (index, segment) in self.segments.iter().enumerate() {
            write!(formatter, "{}{segment}", if index > 0 { "/" } else { "" })?;
        }
        let Query { full, head, tail, until } = &self.query;
        let mut sign = '?';
        let mut write = |key: &str, value: &dyn fmt::Display| {
            let written = write!(formatter, "{sign}{key}={value}");
            sign = '&';
            written
        };
        if *full {
            write("full", &true)?;
        }
        head.iter().try_for_each(|lines| write("head", lines))?;
        tail.iter().try_for_each(|lines| write("tail", lines))?;
        until.iter().try_for_each(|until| write("until", until))
    }
}
