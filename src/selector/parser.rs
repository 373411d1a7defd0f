//! Parses selectors.

use rustc_hash::FxHashSet;

use super::grammar::{
    BlockType, Index, Problem, ProblemKind, Query, Segment, SegmentKind, Selector,
};
use crate::suggestion::closest;
use crate::text::Span;

/// Parses a selector.
///
/// # Errors
/// Returns the first error with its span.
pub fn parse(text: &str) -> Result<Selector, Problem> {
    let trimmed = text.trim();
    let offset = text.len() - text.trim_start().len();
    if trimmed.is_empty() {
        return Err(problem(ProblemKind::Empty, 0..text.len(), "the selector is empty"));
    }
    let (address, query) =
        trimmed.split_once('?').map_or((trimmed, None), |(path, query)| (path, Some(query)));
    let (namespace, path, start) = match address.split_once("::") {
        Some((namespace, rest)) => {
            if !is_namespace(namespace) {
                let message = match namespace {
                    "" => "a document name must precede `::`".to_owned(),
                    name => format!("`{}` is not a document name", short(name)),
                };
                return Err(problem(
                    ProblemKind::BadNamespace,
                    offset..offset + namespace.len(),
                    message,
                ));
            }
            (Some(namespace.to_owned()), rest, offset + namespace.len() + 2)
        }
        None => (None, address, offset),
    };
    let segments = path_segments(path, start)?;
    let mut warnings = Vec::new();
    let query = match query {
        Some(query) => read_query(query, offset + trimmed.len() - query.len(), &mut warnings)?,
        None => Query::default(),
    };
    Ok(Selector { namespace, segments, query, warnings })
}

/// Whether the text can come before `::`.
pub fn is_namespace(name: &str) -> bool {
    !name.is_empty() && !name.contains(['/', '[', ']', ':']) && !name.contains(char::is_whitespace)
}

/// An excerpt of a long text.
pub(super) fn short(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

fn problem(kind: ProblemKind, span: Span, message: impl Into<String>) -> Problem {
    Problem { kind, span, message: message.into() }
}

fn path_segments(path: &str, start: usize) -> Result<Vec<Segment>, Problem> {
    let mut segments = Vec::new();
    let mut at = start;
    for part in path.split('/') {
        let span = at..at + part.len();
        segments.push(segment(part, &span)?);
        at = span.end + 1;
    }
    check_order(&segments)?;
    Ok(segments)
}

fn segment(text: &str, span: &Span) -> Result<Segment, Problem> {
    let (name, index, index_span) = match text.split_once('[') {
        Some((name, rest)) => {
            let place = span.start + name.len()..span.end;
            let Some(index) = rest.strip_suffix(']') else {
                return Err(problem(
                    ProblemKind::BadIndex,
                    place,
                    format!("`{}` has no closing `]`", short(text)),
                ));
            };
            (name, Some(index), place)
        }
        None => match text.split_once('.') {
            // `h2.1` in later versions.
            Some((name, index)) if !name.is_empty() => {
                (name, Some(index), span.start + name.len()..span.end)
            }
            _ => (text, None, span.clone()),
        },
    };
    let kind = kind(name).ok_or_else(|| {
        let place = span.start..span.start + name.len();
        let words = "write `root`, `heading:h2`, `section`, `block:code` or `page`";
        let message = match name {
            "" => format!("missing part of the path; {words}"),
            name if is_level(name) => {
                format!("unknown part `{}`; headings have the levels 1 to 6", short(name))
            }
            name => match similar(name) {
                Some(known) => format!("unknown part `{}`; did you mean `{known}`?", short(name)),
                None => format!("unknown part `{}`; {words}", short(name)),
            },
        };
        problem(ProblemKind::UnknownSegment, place, message)
    })?;
    let index = match index {
        None => None,
        Some(written) => Some(read_index(written).ok_or_else(|| {
            let what = match written {
                "" => "the index is empty".to_owned(),
                written => format!("`{}` is not an index", short(written)),
            };
            let message = format!("{what}; write a number from 0, a range `1-3` or a list `0,2`");
            problem(ProblemKind::BadIndex, index_span, message)
        })?),
    };
    Ok(Segment { kind, index, span: span.clone() })
}

/// `1`, `1-3`, `0,2`
fn read_index(text: &str) -> Option<Index> {
    let stretch = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (number(first)?, number(last)?);
        (first <= last).then_some((first, last))
    };
    text.split(',')
        .map(stretch)
        .collect::<Option<Vec<_>>>()
        .map(|stretches| Index::new(stretches, text))
}

/// A number of any length; all numbers beyond the size of documents are equal.
fn number(digits: &str) -> Option<usize> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(usize::MAX))
}

/// The type that a word of a path means.
pub(super) fn kind(name: &str) -> Option<SegmentKind> {
    // The longest word has 16 letters.
    if name.len() > 32 {
        return None;
    }
    let name = name.to_ascii_lowercase();
    let heading = |name: &str| match name.strip_prefix('h').map(str::as_bytes) {
        Some([level @ b'1'..=b'6']) => Some(SegmentKind::Heading(level - b'0')),
        _ => None,
    };
    match name.as_str() {
        "root" => Some(SegmentKind::Root),
        "section" => Some(SegmentKind::Section),
        "page" => Some(SegmentKind::Page),
        "*" => Some(SegmentKind::Any),
        other => match other.split_once(':') {
            Some(("heading", level)) => heading(level),
            Some(("block", kind)) => BlockType::named(kind).map(SegmentKind::Block),
            Some(_) => None,
            None => heading(other).or_else(|| BlockType::named(other).map(SegmentKind::Block)),
        },
    }
}

/// The word of a path that a misspelled one is similar to.
pub(super) fn similar(name: &str) -> Option<&'static str> {
    let blocks = BlockType::ALL.into_iter();
    let words = blocks.clone().map(BlockType::word).chain(blocks.map(BlockType::name));
    closest(name, ["root", "section", "page"].into_iter().chain(words)).filter(|_| !is_level(name))
}

/// Whether this is a heading of a level, which may not exist: `heading:h7`
fn is_level(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let level = name.strip_prefix("heading:").unwrap_or(&name).trim_start_matches('h');
    level.len() < name.len() && number(level).is_some()
}

fn check_order(segments: &[Segment]) -> Result<(), Problem> {
    for (index, segment) in segments.iter().enumerate() {
        let message = match segment.kind {
            SegmentKind::Root if index > 0 => "`root` is only valid as the first part",
            SegmentKind::Page if index == 0 => "a page needs a parent: `section[0]/page[1]`",
            SegmentKind::Page if index + 1 < segments.len() => "nothing can follow a page",
            SegmentKind::Root if segment.index.as_ref().is_some_and(|index| index.last() > 0) => {
                "a document has one root"
            }
            _ => continue,
        };
        return Err(problem(ProblemKind::MisplacedSegment, segment.span.clone(), message));
    }
    Ok(())
}

/// The query.
fn read_query(text: &str, at: usize, warnings: &mut Vec<String>) -> Result<Query, Problem> {
    let mut query = Query::default();
    let (mut seen, mut said) = (FxHashSet::default(), FxHashSet::default());
    let mut warn = |message: String| {
        if said.insert(message.clone()) {
            warnings.push(message);
        }
    };
    let mut start = at;
    for part in text.split('&') {
        let span = start..start + part.len();
        start = span.end + 1;
        let malformed =
            |message: String| problem(ProblemKind::MalformedQuery, span.clone(), message);
        let Some((key, value)) =
            part.split_once('=').filter(|(key, value)| !key.is_empty() && !value.is_empty())
        else {
            return Err(malformed(format!("`{}` is not a `key=value`", short(part))));
        };
        let key = key.to_ascii_lowercase();
        let lines = || {
            number(value)
                .ok_or_else(|| malformed(format!("`{}` is not a number of lines", short(value))))
        };
        if !seen.insert(key.clone()) {
            warn(format!("`{}` is repeated; the first one is used", short(&key)));
            continue;
        }
        match (key.as_str(), value.to_ascii_lowercase().as_str()) {
            ("full", "true") => query.full = true,
            ("full", "false") => warn("`full=false` is the default".to_owned()),
            ("full", _) => {
                return Err(malformed(format!("`{}` is neither `true` nor `false`", short(value))));
            }
            ("head", _) => query.head = Some(lines()?),
            ("tail", _) => query.tail = Some(lines()?),
            ("until", _) => query.until = Some(Box::new(until(value, span.end - value.len())?)),
            _ => warn(format!("unknown query `{}`", short(&key))),
        }
    }
    Ok(query)
}

/// The path of `until=`.
fn until(text: &str, at: usize) -> Result<Selector, Problem> {
    let wrong = |span: Span, message: &str| problem(ProblemKind::MalformedQuery, span, message);
    if text.contains("::") {
        return Err(wrong(
            at..at + text.len(),
            "`until` takes a path inside the node, without a document",
        ));
    }
    let segments = path_segments(text, at).map_err(|inner| wrong(inner.span, &inner.message))?;
    if let Some(last) =
        segments.last().filter(|last| matches!(last.kind, SegmentKind::Page | SegmentKind::Root))
    {
        return Err(wrong(last.span.clone(), "`until` takes a heading, a section or a block"));
    }
    Ok(Selector { segments, ..Selector::default() })
}
