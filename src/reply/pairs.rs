//! Elements with old and new text: `<old_text>` and `<new_text>`, `<search>` and `<replace>`.

use super::content::content;
use super::tags::{Tag, attribute_place, closing, end_of_part, tag};
use super::{Draft, call};
use crate::edit::{self, Block, Dialect, Path, Reason, Split};
use crate::text::Span;

/// Pairs of old and new text: exact if every tag is closed, otherwise a best guess.
pub(super) fn pairs(text: &str, region: Span, above: Option<&Path>, draft: &mut Draft) {
    let inside = text.get(region.clone()).unwrap_or_default();
    let exact = exact_pairs(text, &region);
    let blocks = exact.unwrap_or_else(|| {
        edit::read_tags(inside).into_iter().map(|block| block.shifted(region.start)).collect()
    });
    if blocks.is_empty() {
        draft.fault(
            region,
            Reason::MissingDivider,
            "the element contains no pair of old and new text",
        );
        return;
    }
    for block in blocks {
        let path = block.path.clone().or_else(|| above.cloned());
        draft.block(Block {
            error: block.error.or(path.is_none().then_some(Reason::MissingPath)),
            path,
            ..block
        });
    }
}

/// `None` if a tag isn't closed, or is closed more than once.
fn exact_pairs(text: &str, region: &Span) -> Option<Vec<Block>> {
    let mut found: Vec<Block> = Vec::new();
    let mut path: Option<Path> = None;
    let (mut old, mut at): (Option<(Span, Option<usize>, usize)>, usize) = (None, region.start);
    while let Some(start) = text.get(at..region.end)?.find('<').map(|offset| at + offset) {
        let Some(tag) = tag(text, start) else {
            at = start + 1;
            continue;
        };
        if let Some(named) =
            ["path", "file_path", "file"].iter().find_map(|name| attribute_place(text, &tag, name))
        {
            path = Some(named);
        }
        let is_path = matches!(tag.name, "path" | "file_path" | "filename" | "target_file");
        let is_old = matches!(
            tag.name,
            "old_text"
                | "old_string"
                | "old_str"
                | "old_code"
                | "search"
                | "find"
                | "original"
                | "old"
        );
        let is_new = is_new(tag.name);
        if !is_path && !is_old && !is_new {
            at = tag.span.end;
            continue;
        }
        let length = end_of_part(text.get(tag.span.end..region.end)?, tag.name)?;
        let inner = tag.span.end..tag.span.end + length;
        at = inner.end + tag.name.len() + 3;
        let part = text.get(inner.clone())?;
        if is_path {
            let name = part.trim();
            let start = (name.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
            path = Some(Path {
                text: name.to_owned(),
                span: start..start + name.len(),
                inherited: false,
            });
        } else if is_old {
            let line = tag
                .attributes
                .split_once("line=")
                .and_then(|(_, rest)| rest.trim_matches(['"', '\'', ' ']).parse().ok());
            old = Some((inner, line, start));
        } else {
            let (search, hint, from) = old.take()?;
            let whole = |part: &str| match part
                .trim()
                .strip_prefix("<![CDATA[")
                .and_then(|data| data.strip_suffix("]]>"))
            {
                Some(data) => call::whole_lines(&content(data)),
                None => call::whole_lines(&content(part)),
            };
            let split = Split::new(whole(text.get(search)?), whole(part));
            found.push(Block {
                span: from..at,
                path: path.clone(),
                hint,
                splits: vec![split],
                ..Block::of(Dialect::Tags, "", "")
            });
        }
    }
    (!found.is_empty() && old.is_none()).then_some(found)
}

/// The region of a pair of old and new text: to the end of the enclosing element, or to the last of
/// consecutive end tags.
pub(super) fn pair_region(text: &str, tag: &Tag) -> usize {
    if matches!(tag.name, "edit" | "edits" | "change" | "modification" | "file_edit") {
        return closing(text, tag.span.end, tag.name).map_or(text.len(), |close| close.end);
    }
    // Up to the next tag of this name, which begins another pair.
    let from = tag.span.start;
    let next = text.get(tag.span.end..).and_then(|rest| rest.find(&format!("<{}", tag.name)));
    let next = next.map_or(text.len(), |next| tag.span.end + next);
    let pair = text.get(..next).unwrap_or_default();
    end_of_pair(pair, tag).unwrap_or_else(|| {
        let blocks = edit::read_tags(pair.get(from..).unwrap_or_default());
        blocks.first().map_or(tag.span.end, |block| (from + block.span.end).max(tag.span.end))
    })
}

/// Whether an element with this name has the new text.
fn is_new(name: &str) -> bool {
    matches!(
        name,
        "new_text" | "new_string" | "new_str" | "new_code" | "replace" | "updated" | "new"
    )
}

/// The end of the new text that follows an element with the old one.
fn end_of_pair(text: &str, old: &Tag) -> Option<usize> {
    let after = |tag: &Tag| {
        let length = end_of_part(text.get(tag.span.end..)?, tag.name)?;
        Some(tag.span.end + length + tag.name.len() + "</>".len())
    };
    let end = after(old)?;
    let rest = text.get(end..)?;
    let new = tag(text, end + (rest.len() - rest.trim_start().len()))?;
    if is_new(new.name) { after(&new) } else { None }
}

#[cfg(test)]
mod tests {
    use crate::growth;

    #[test]
    fn pairs_below_names_are_read_in_linear_time() {
        let pair = "a.py\n<find>x</find>\n<replace>y</replace>\n";
        growth::is_linear(
            pair,
            2_000,
            |pairs| pair.repeat(pairs),
            |text| {
                std::hint::black_box(crate::reply::read(&text, &[]));
            },
        );
    }
}
