//! `<old_text>` and `<new_text>`, `<search>` and `<replace>`, arguments of calls: edits as XML,
//! even with wrong end tags.

use std::collections::HashMap;

use memchr::memmem;

use super::block::{Block, Dialect, Path};
use super::reason::{Reason, Warning};
use super::search_replace::{PATH_TAGS, path_above};
use crate::text::Span;

/// Names of the old text, and of the new one that follows it.
struct Pair {
    old: &'static str,
    new: &'static str,
    /// Other text has such tags too: one alone proves nothing.
    common: bool,
}

const PAIRS: &[Pair] = &[
    Pair { old: "old_text", new: "new_text", common: false },
    Pair { old: "old_string", new: "new_string", common: false },
    Pair { old: "old_str", new: "new_str", common: false },
    Pair { old: "old_code", new: "new_code", common: false },
    Pair { old: "search", new: "replace", common: true },
    Pair { old: "find", new: "replace", common: true },
    Pair { old: "original", new: "updated", common: true },
    Pair { old: "old", new: "new", common: true },
];

/// Longer names aren't tags.
const LONGEST: usize = 400;

/// Every pair of tags, in order.
pub fn read(text: &str) -> Vec<Block> {
    if !text.contains("</") {
        return Vec::new();
    }
    let all = PAIRS
        .iter()
        .flat_map(|pair| [(pair, pair.old, pair.new, false), (pair, pair.old, pair.new, true)]);
    all.map(|(pair, old, new, call)| of_pair(text, &opening(old, call), &opening(new, call), pair))
        .find(|blocks| !blocks.is_empty())
        .unwrap_or_default()
}

/// How a tag begins, or the argument of a call.
fn opening(name: &str, call: bool) -> String {
    if call { format!("<parameter name=\"{name}\"") } else { format!("<{name}") }
}

fn of_pair(text: &str, opening: &str, following: &str, pair: &Pair) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let (first, second) = (memmem::Finder::new(opening), memmem::Finder::new(following));
    let find = |finder: &memmem::Finder, span: Span| {
        text.as_bytes()
            .get(span.clone())
            .and_then(|rest| finder.find(rest))
            .map(|found| span.start + found)
    };
    let mut at = 0;
    while let Some(start) = find(&first, at..text.len()) {
        at = start + opening.len();
        let Some((inside, tag)) = tag(text, at) else { continue };
        let next = find(&first, inside..text.len()).unwrap_or(text.len());
        let second = find(&second, inside..next);
        if second.is_none() && pair.common {
            continue;
        }
        let mut block = Block::of(Dialect::Tags, "", "");
        block.path =
            path(text, blocks.last().map_or(0, |block| block.span.end), start).or_else(|| {
                let known = blocks.last().and_then(|block| block.path.clone())?;
                block.warnings.push(Warning::InheritedPath);
                Some(Path { inherited: true, ..known })
            });
        if block.path.is_none() && pair.common {
            continue;
        }
        block.hint = attribute(tag, "line").and_then(|line| line.parse().ok());
        let parts = second.and_then(|second| {
            let (content, _) = self::tag(text, second + following.len())?;
            Some((
                inside..end_of_old(text, inside..second, pair.old),
                content..end_of_new(text, content..next, pair.new)?,
            ))
        });
        match parts {
            Some((old, new)) => {
                block.span = start
                    ..text
                        .get(new.end..)
                        .and_then(|rest| rest.find('>'))
                        .map_or(text.len(), |found| new.end + found + 1);
                let part = |span: Span| {
                    text.get(span)
                        .map(|text| whole_lines(without_wrapping(text)))
                        .unwrap_or_default()
                };
                block.splits = vec![super::Split::new(part(old), part(new))];
            }
            None => {
                block.span = start..next;
                block.error = Some(if second.is_some() {
                    Reason::UnterminatedBlock
                } else {
                    Reason::MissingDivider
                });
            }
        }
        at = block.span.end.max(at);
        blocks.push(block);
    }
    blocks
}

/// After the `>` of a tag whose name ends at `at`, and its attributes. A longer name is another
/// tag.
fn tag(text: &str, at: usize) -> Option<(usize, &str)> {
    let rest = text.get(at..text.floor_char_boundary(at + LONGEST))?;
    let end = rest.find('>')?;
    let attributes = rest.get(..end)?;
    let apart = attributes.is_empty() || attributes.starts_with(char::is_whitespace);
    (apart && !attributes.contains(['<', '\n'])).then_some((at + end + 1, attributes))
}

fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let rest = tag.split_once(name)?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    rest.get(1..)?.split(quote).next()
}

/// The end of the old text: its own end tag, or the last one with any name.
fn end_of_old(text: &str, span: Span, name: &str) -> usize {
    let inside = text.get(span.clone()).unwrap_or_default();
    inside
        .rfind(&format!("</{name}>"))
        .or_else(|| inside.rfind("</"))
        .map_or(span.end, |found| span.start + found)
}

/// The end of the new text: its own end tag, that of a call, or the first that ends its line and
/// closes no element of the text.
fn end_of_new(text: &str, span: Span, name: &str) -> Option<usize> {
    let inside = text.get(span.clone())?;
    let own = inside.find(&format!("</{name}>"));
    let found = own.or_else(|| inside.find("</parameter>")).or_else(|| unpaired_end(inside))?;
    Some(span.start + found)
}

fn unpaired_end(text: &str) -> Option<usize> {
    let sign = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | ':' | '.');
    let mut open: HashMap<&str, usize> = HashMap::new();
    for (at, _) in text.match_indices('<') {
        let rest = text.get(at + 1..).unwrap_or_default();
        let (inner, closes) = rest.strip_prefix('/').map_or((rest, false), |inner| (inner, true));
        let end = inner.find(|letter| !sign(letter)).unwrap_or(inner.len());
        let Some((name, after)) = inner.split_at_checked(end).filter(|(name, _)| !name.is_empty())
        else {
            continue;
        };
        let count = open.entry(name).or_default();
        if !closes {
            *count += 1;
        } else if *count > 0 {
            *count -= 1;
        } else if after.strip_prefix('>').is_some_and(|after| {
            let after = after.trim_start_matches([' ', '\t']);
            after.is_empty() || after.starts_with(['\n', '\r', '<'])
        }) {
            return Some(at);
        }
    }
    None
}

/// Without CDATA markers around literal text.
fn without_wrapping(text: &str) -> &str {
    let inner = text.trim().strip_prefix("<![CDATA[").and_then(|inner| inner.strip_suffix("]]>"));
    inner.unwrap_or(text)
}

/// Line breaks next to a tag aren't part of its content.
fn whole_lines(text: &str) -> String {
    let text = text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n')).unwrap_or(text);
    // The whitespace before an end tag on its own line.
    let text = text
        .rfind('\n')
        .filter(|at| text.get(at + 1..).is_some_and(|rest| rest.trim().is_empty()))
        .and_then(|at| text.get(..=at))
        .unwrap_or(text);
    if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}

/// `<path>src/a.rs</path>`, `<edit path="src/a.rs">` or a line with a path, between the block
/// before and this one.
fn path(text: &str, from: usize, to: usize) -> Option<Path> {
    let above = text.get(from..to)?;
    let found = |start: usize, end: char| {
        let raw = above.get(start..)?.split(end).next()?;
        let name = raw.trim();
        let at = from + start + (raw.len() - raw.trim_start().len());
        (!name.is_empty() && name.len() < LONGEST).then(|| Path {
            text: name.to_owned(),
            span: at..at + name.len(),
            inherited: false,
        })
    };
    let behind = |mark: String| above.rfind(&mark).map(|at| at + mark.len());
    let tagged = PATH_TAGS
        .iter()
        .flat_map(|name| [format!("<{name}>"), format!("<parameter name=\"{name}\">")]);
    let tagged = tagged.filter_map(|mark| found(behind(mark)?, '<'));
    let attributed = ["path", "file", "file_path", "filename"]
        .iter()
        .filter_map(|name| found(behind(format!(" {name}=\""))?, '"'));
    tagged
        .chain(attributed)
        .max_by_key(|path| path.span.start)
        .or_else(|| path_above(text, from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_as_xml_with_any_end_tags() {
        let text = "<edit>\n<path>src/a.rs</path>\n<old_text line=\"23\">\nlet a = 1;\n</old_text>\n<new_text>\nlet a = 2;\n</new_text>\n\n<old_text>\nb\n</old_test>\n<new_text>\n</parameter></invoke>\n";
        let blocks = read(text);
        let said: Vec<_> = blocks
            .iter()
            .map(|block| {
                (
                    block.splits[0].search.as_str(),
                    block.splits[0].replace.as_str(),
                    block.hint,
                    block.error,
                )
            })
            .collect();
        assert_eq!(
            said,
            [("let a = 1;\n", "let a = 2;\n", Some(23), None), ("b\n", "", None, None)]
        );
        assert!(
            blocks
                .iter()
                .all(|block| block.path.as_ref().is_some_and(|path| path.text == "src/a.rs"))
        );
        assert_eq!(&text[blocks[0].path.as_ref().unwrap().span.clone()], "src/a.rs");
    }

    #[test]
    fn markup_is_text() {
        let blocks = read(
            "<path>a.html</path>\n<old_text><p>x</p></old_text>\n<new_text>\n<p>y</p>\n<b>z</b>\n</new_text>\n",
        );
        assert_eq!(
            blocks[0].splits[0],
            crate::edit::Split::new("<p>x</p>\n", "<p>y</p>\n<b>z</b>\n")
        );
        let blocks = read(
            "<edit file='a'>\n<search>\n<![CDATA[\n<a>\n]]></search>\n<replace>b</replace>\n</edit>\n",
        );
        assert!(blocks.is_empty(), "nothing names a file: {blocks:?}");
        let blocks = read(
            "<edit file=\"a.xml\">\n<search>\n<![CDATA[\n<a>\n]]></search>\n<replace>b</replace>\n</edit>\n",
        );
        assert_eq!(blocks[0].splits[0], crate::edit::Split::new("<a>\n", "b\n"));
        assert!(read("<search>words</search> in <replace>").is_empty());
    }

    #[test]
    fn truncated_text_is_not_an_edit() {
        assert_eq!(
            read("<old_text>a</old_text><new_text>b")[0].error,
            Some(Reason::UnterminatedBlock)
        );
        for cut in ["<p>b</p>", "<p>b</p>\n</new_te", "s = \"</b>\"", "<b\n>x</b>\n"] {
            let text = format!("<old_text>a</old_text>\n<new_text>\n{cut}");
            assert_eq!(read(&text)[0].error, Some(Reason::UnterminatedBlock), "{cut}");
        }
        assert_eq!(read("<old_text>a</old_text>")[0].error, Some(Reason::MissingDivider));
        assert!(read("<old_texts>a</old_texts>").is_empty());
    }
}
