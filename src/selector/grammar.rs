//! The grammar of selectors (SEL-2, SEL-5, SEL-8 to SEL-10, SEL-17).

use std::fmt;

use crate::text::Span;

/// A selector. Spans are bytes of what was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector {
    /// As it was written; it is compared without regard to case.
    pub namespace: Option<String>,
    /// Never empty.
    pub segments: Vec<Segment>,
    /// `?full=true`
    pub full: bool,
    pub warnings: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    pub kind: SegmentKind,
    /// `None`: every match.
    pub index: Option<usize>,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SegmentKind {
    Root,
    Heading(u8),
    Section,
    Block(BlockType),
    Page,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BlockType {
    Paragraph,
    List,
    Code,
    Table,
    Blockquote,
}

/// Why something is no selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub kind: ProblemKind,
    /// The characters that are wrong.
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
    /// As it stands in JSON.
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
    pub const ALL: [Self; 5] = [Self::Paragraph, Self::List, Self::Code, Self::Table, Self::Blockquote];

    pub fn name(self) -> &'static str {
        match self {
            Self::Paragraph => "paragraph",
            Self::List => "list",
            Self::Code => "code",
            Self::Table => "table",
            Self::Blockquote => "blockquote",
        }
    }

    fn named(name: &str) -> Option<Self> {
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
            Self::Block(kind) => write!(formatter, "block:{}", kind.name()),
            Self::Page => formatter.write_str("page"),
        }
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            Some(index) if self.kind != SegmentKind::Root => write!(formatter, "{}[{index}]", self.kind),
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
        formatter.write_str(if self.full { "?full=true" } else { "" })
    }
}

/// Reads a selector.
///
/// # Errors
/// Says where the first mistake is.
pub fn parse(text: &str) -> Result<Selector, Problem> {
    let trimmed = text.trim();
    let offset = text.len() - text.trim_start().len();
    if trimmed.is_empty() {
        return Err(problem(ProblemKind::Empty, 0..text.len(), "The selector is empty."));
    }
    let (path, query) = trimmed.split_once('?').map_or((trimmed, None), |(path, query)| (path, Some(query)));
    let (namespace, path, start) = match path.split_once("::") {
        Some((namespace, rest)) => {
            let span = offset..offset + namespace.len();
            if namespace.is_empty() || namespace.contains(['/', '[', ']', ':']) || namespace.contains(char::is_whitespace) {
                return Err(problem(ProblemKind::BadNamespace, span, format!("`{namespace}` is no name of a document.")));
            }
            (Some(namespace.to_owned()), rest, offset + namespace.len() + 2)
        }
        None => (None, path, offset),
    };
    let mut segments = Vec::new();
    let mut at = start;
    for part in path.split('/') {
        let span = at..at + part.len();
        segments.push(segment(part, &span)?);
        at = span.end + 1;
    }
    check_order(&segments)?;
    let mut warnings = Vec::new();
    let full = match query {
        Some(query) => read_query(query, offset + trimmed.len() - query.len(), &mut warnings)?,
        None => false,
    };
    Ok(Selector { namespace, segments, full, warnings })
}

fn problem(kind: ProblemKind, span: Span, message: impl Into<String>) -> Problem {
    Problem { kind, span, message: message.into() }
}

fn segment(text: &str, span: &Span) -> Result<Segment, Problem> {
    let (name, index, index_span) = match text.split_once('[') {
        Some((name, rest)) => {
            let place = span.start + name.len()..span.end;
            let Some(index) = rest.strip_suffix(']') else {
                return Err(problem(ProblemKind::BadIndex, place, format!("`{text}` has no closing `]`.")));
            };
            (name, Some(index), place)
        }
        None => match text.rsplit_once('.') {
            // `h2.1` of later versions.
            Some((name, index)) if !name.is_empty() => (name, Some(index), span.start + name.len()..span.end),
            _ => (text, None, span.clone()),
        },
    };
    let kind = kind(name).ok_or_else(|| {
        let place = span.start..span.start + name.len();
        problem(
            ProblemKind::UnknownSegment,
            place,
            format!("`{name}` is no part of a selector: write `root`, `heading:h2`, `section`, `block:code` or `page`."),
        )
    })?;
    let index = match index {
        None => None,
        Some(digits) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            // An index that no document has is one that nothing matches.
            Some(digits.parse().unwrap_or(usize::MAX))
        }
        Some(other) => return Err(problem(ProblemKind::BadIndex, index_span, format!("`{other}` is no index: write a number from 0."))),
    };
    Ok(Segment { kind, index, span: span.clone() })
}

fn kind(name: &str) -> Option<SegmentKind> {
    let name = name.to_ascii_lowercase();
    let heading = |name: &str| match name.strip_prefix('h').map(str::as_bytes) {
        Some([level @ b'1'..=b'6']) => Some(SegmentKind::Heading(level - b'0')),
        _ => None,
    };
    match name.as_str() {
        "root" => Some(SegmentKind::Root),
        "section" => Some(SegmentKind::Section),
        "page" => Some(SegmentKind::Page),
        other => match other.split_once(':') {
            Some(("heading", level)) => heading(level),
            Some(("block", kind)) => BlockType::named(kind).map(SegmentKind::Block),
            Some(_) => None,
            None => heading(other).or_else(|| BlockType::named(other).map(SegmentKind::Block)),
        },
    }
}

fn check_order(segments: &[Segment]) -> Result<(), Problem> {
    for (index, segment) in segments.iter().enumerate() {
        let message = match segment.kind {
            SegmentKind::Root if index > 0 => "`root` stands first, or not at all.",
            SegmentKind::Page if index == 0 => "A page is a page of something: `section[0]/page[1]`.",
            SegmentKind::Page if index + 1 < segments.len() => "Nothing stands behind a page.",
            SegmentKind::Root if segment.index.is_some_and(|index| index > 0) => "A document has one root.",
            _ => continue,
        };
        return Err(problem(ProblemKind::MisplacedSegment, segment.span.clone(), message));
    }
    Ok(())
}

/// Whether everything is asked for.
fn read_query(query: &str, at: usize, warnings: &mut Vec<String>) -> Result<bool, Problem> {
    let (mut full, mut seen) = (None, Vec::new());
    let mut start = at;
    for part in query.split('&') {
        let span = start..start + part.len();
        start = span.end + 1;
        let Some((key, value)) = part.split_once('=').filter(|(key, value)| !key.is_empty() && !value.is_empty()) else {
            return Err(problem(ProblemKind::MalformedQuery, span, format!("`{part}` is no `key=value`.")));
        };
        if seen.contains(&key) {
            warnings.push(format!("`{key}` is said more than once; the first counts."));
            continue;
        }
        seen.push(key);
        match (key, value.to_ascii_lowercase().as_str()) {
            ("full", "true") => full = Some(true),
            ("full", "false") => {
                warnings.push("`full=false` is what holds without it.".to_owned());
                full = Some(false);
            }
            ("full", _) => return Err(problem(ProblemKind::MalformedQuery, span, format!("`{value}` is neither `true` nor `false`."))),
            _ => warnings.push(format!("There is no query `{key}`.")),
        }
    }
    Ok(full.unwrap_or_default())
}
