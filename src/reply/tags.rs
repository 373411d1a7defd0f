//! Tags as models write them, and where their elements end.

use crate::edit::Path;
use crate::text::Span;

/// A longer tag isn't a tag.
const LONGEST: usize = 2000;

/// The bar at both ends of a mark.
pub(super) const BAR: char = '｜';

/// A tag that opens an element.
#[derive(Debug)]
pub(super) struct Tag<'t> {
    pub name: &'t str,
    pub attributes: &'t str,
    /// Where it begins and ends.
    pub span: Span,
    pub closed: bool,
}

/// The tag that begins at `at`.
pub(super) fn tag(text: &str, at: usize) -> Option<Tag<'_>> {
    let rest = text.get(at..text.floor_char_boundary(at.saturating_add(LONGEST)))?;
    let inner = rest.strip_prefix('<')?;
    // DeepSeek's tags begin with a mark: `<｜DSML｜invoke name="edit">`
    let mark = inner
        .strip_prefix(BAR)
        .and_then(|rest| rest.split_once(BAR))
        .map_or(0, |(mark, _)| mark.len() + 2 * BAR.len_utf8());
    let rest = inner.get(mark..)?;
    let end = rest
        .find(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '_' | '-' | ':'));
    let name = inner.get(..mark + end?).filter(|name| name.len() > mark)?;
    let after = inner.get(name.len()..)?;
    let mut quote = None;
    let end = after.char_indices().find(|(_, letter)| {
        match (quote, *letter) {
            (None, '"' | '\'') => quote = Some(*letter),
            (Some(open), letter) if open == letter => quote = None,
            (None, '>') => return true,
            _ => {}
        }
        false
    })?;
    let attributes = after.get(..end.0)?;
    let apart = attributes.is_empty() || attributes.starts_with([' ', '\t', '\n', '\r', '/']);
    let closed = attributes.trim_end().ends_with('/');
    (apart && !attributes.contains('<')).then_some(Tag {
        name,
        attributes: attributes.trim_end().trim_end_matches('/'),
        span: at..at + 1 + name.len() + end.0 + 1,
        closed,
    })
}

pub(super) fn pairs_of(attributes: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = attributes;
    while let Some((name, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let Some(quote) = after.chars().next().filter(|quote| matches!(quote, '"' | '\'')) else {
            break;
        };
        let Some((value, tail)) = after.get(1..).and_then(|inner| inner.split_once(quote)) else {
            break;
        };
        found.push((name.trim(), value));
        rest = tail;
    }
    found
}

pub(super) fn attribute<'t>(attributes: &'t str, name: &str) -> Option<&'t str> {
    pairs_of(attributes)
        .into_iter()
        .find(|(key, _)| key.eq_ignore_ascii_case(name))
        .map(|(_, value)| value)
}

pub(super) fn attribute_place(text: &str, tag: &Tag, name: &str) -> Option<Path> {
    let value = attribute(tag.attributes, name).filter(|value| !value.is_empty())?;
    let start = (value.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    Some(Path { text: decode(value), span: start..start + value.len(), inherited: false })
}

/// The closing tag of an element whose content begins at `from`; nested elements with the same name
/// are skipped.
pub(super) fn closing(text: &str, from: usize, name: &str) -> Option<Span> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let (mut depth, mut at) = (0_usize, from);
    loop {
        let rest = text.get(at..)?;
        let end = rest.find(&close)?;
        if let Some(data) = rest.get(..end)?.rfind("<![CDATA[")
            && !rest.get(data..end)?.contains("]]>")
        {
            at += data + rest.get(data..)?.find("]]>")? + 3;
            continue;
        }
        let inner = rest.get(..end)?.match_indices(&open).filter(|(at, _)| {
            rest.get(at + open.len()..)
                .is_some_and(|after| after.starts_with(['>', ' ', '\t', '\n', '\r']))
        });
        depth += inner.count();
        if depth == 0 {
            return Some(at + end..at + end + close.len());
        }
        depth -= 1;
        at += end + close.len();
    }
}

pub(super) fn first_closing(text: &str, from: usize, name: &str) -> Option<Span> {
    let close = format!("</{name}>");
    let start = from + text.get(from..)?.find(&close)?;
    Some(start..start + close.len())
}

/// The last closing tag that begins or ends a line, as one that a sentence mentions doesn't.
pub(super) fn last_close(text: &str, close: &str) -> Option<usize> {
    text.rmatch_indices(close).map(|(at, _)| at).find(|at| {
        let before = text.get(..*at).unwrap_or_default().trim_end_matches([' ', '\t']);
        let after =
            text.get(at + close.len()..).unwrap_or_default().trim_start_matches([' ', '\t']);
        (before.is_empty() || before.ends_with('\n'))
            || after.is_empty()
            || after.starts_with(['\n', '\r', '<'])
    })
}

/// The number of tags that open an element with this name.
pub(super) fn openings(text: &str, name: &str) -> usize {
    let open = format!("<{name}");
    let rest = text.split(&open).skip(1);
    rest.filter(|rest| rest.starts_with(['>', ' ', '\t', '\n'])).count()
}

/// The end of a part's text within the rest of its call.
pub(super) fn end_of_part(inside: &str, name: &str) -> Option<usize> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let ends = inside.match_indices(&close).map(|(at, _)| at);
    let opens = |at: usize, text: &str| {
        text.get(at + open.len()..).is_some_and(|rest| rest.starts_with(['>', ' ', '\t', '\n']))
    };
    let starts = inside.match_indices(&open).map(|(at, _)| at).filter(|at| opens(*at, inside));
    // Consecutive parts with one name: each ends before the next one begins.
    let mut depth = 0_usize;
    let mut starts = starts.peekable();
    for end in ends {
        while starts.next_if(|start| *start < end).is_some() {
            depth += 1;
        }
        if depth == 0 {
            // Too many closing tags: the end is ambiguous, unless the next part begins here.
            let rest = inside.get(end + close.len()..).unwrap_or_default();
            let next = rest.match_indices(&open).map(|(at, _)| at).find(|at| opens(*at, rest));
            let between = rest.get(..next.unwrap_or(rest.len())).unwrap_or_default();
            return last_close(between, &close).is_none().then_some(end);
        }
        depth -= 1;
    }
    None
}

pub(super) fn decode(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}
