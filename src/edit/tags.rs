//! `<old_text>` and `<new_text>`: edits as XML, with whatever end tags the model wrote.

use memchr::memmem;

use super::block::{Block, Dialect, Path};
use super::reason::{Reason, Warning};
use super::search_replace::path_above;
use crate::text::Span;

/// The tags of the old text, and of the new one that follows it.
const PAIRS: &[(&str, &str)] = &[("old_text", "new_text"), ("old_string", "new_string"), ("old_str", "new_str")];
/// Tags that hold a path.
const PATHS: &[&str] = &["path", "file_path", "filename", "file"];

/// Longer tags are none.
const LONGEST: usize = 400;

/// Every pair of tags in a text, in order.
pub fn read(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let Some((old, new)) = PAIRS.iter().copied().find(|(old, _)| text.contains(&format!("<{old}"))) else { return blocks };
    let (opening, following) = (format!("<{old}"), format!("<{new}"));
    let finder = memmem::Finder::new(&opening);
    let mut at = 0;
    while let Some(start) = text.as_bytes().get(at..).and_then(|rest| finder.find(rest)).map(|found| at + found) {
        at = start + opening.len();
        let Some((inside, tag)) = tag(text, at) else { continue };
        let next = text.get(inside..).and_then(|rest| rest.find(&opening)).map_or(text.len(), |found| inside + found);
        let second = text.get(inside..next).and_then(|rest| rest.find(&following)).map(|found| inside + found);
        let mut block = Block::of(Dialect::Tags, "", "");
        block.path = path(text, blocks.last().map_or(0, |block| block.span.end), start).or_else(|| {
            let known = blocks.last().and_then(|block| block.path.clone())?;
            block.warnings.push(Warning::InheritedPath);
            Some(Path { inherited: true, ..known })
        });
        block.hint = attribute(tag, "line").and_then(|line| line.parse().ok());
        let parts = second.and_then(|second| {
            let (content, _) = self::tag(text, second + following.len())?;
            let end = content + text.get(content..next)?.find("</")?;
            Some((inside..before_end(text, inside..second), content..end))
        });
        match parts {
            Some((old, new)) => {
                block.span = start..text.get(new.end..).and_then(|rest| rest.find('>')).map_or(text.len(), |found| new.end + found + 1);
                let part = |span: Span| text.get(span).map(whole_lines).unwrap_or_default();
                block.splits = vec![super::Split::new(part(old), part(new))];
            }
            None => {
                block.span = start..next;
                block.error = Some(if second.is_some() { Reason::UnterminatedBlock } else { Reason::MissingDivider });
            }
        }
        at = block.span.end.max(at);
        blocks.push(block);
    }
    blocks
}

/// Behind the `>` of a tag whose name ends at `at`, and its attributes. A name that goes on is another tag.
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

/// The content in front of the last end tag, whatever its name.
fn before_end(text: &str, span: Span) -> usize {
    text.get(span.clone()).and_then(|inside| inside.rfind("</")).map_or(span.end, |found| span.start + found)
}

/// The line breaks that set a tag apart are not part of what it holds.
fn whole_lines(text: &str) -> String {
    let text = text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n')).unwrap_or(text);
    // The blanks in front of an end tag on a line of its own.
    let text =
        text.rfind('\n').filter(|at| text.get(at + 1..).is_some_and(|rest| rest.trim().is_empty())).and_then(|at| text.get(..=at)).unwrap_or(text);
    if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}

/// `<path>src/a.rs</path>` or a line with a path, between the block before and this one.
fn path(text: &str, from: usize, to: usize) -> Option<Path> {
    let above = text.get(from..to)?;
    let tagged = PATHS.iter().filter_map(|name| {
        let start = above.rfind(&format!("<{name}>"))? + name.len() + 2;
        let inner = above.get(start..)?;
        let raw = inner.get(..inner.find("</")?)?;
        let name = raw.trim();
        let at = from + start + (raw.len() - raw.trim_start().len());
        (!name.is_empty()).then(|| Path { text: name.to_owned(), span: at..at + name.len(), inherited: false })
    });
    let attributed = || {
        let start = above.rfind("path=\"")? + "path=\"".len();
        let name = above.get(start..)?.split('"').next().filter(|name| !name.is_empty())?;
        Some(Path { text: name.to_owned(), span: from + start..from + start + name.len(), inherited: false })
    };
    tagged.max_by_key(|path| path.span.start).or_else(attributed).or_else(|| path_above(text, from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_as_xml_with_any_end_tags() {
        let text = "<edit>\n<path>src/a.rs</path>\n<old_text line=\"23\">\nlet a = 1;\n</old_text>\n<new_text>\nlet a = 2;\n</new_text>\n\n<old_text>\nb\n</old_test>\n<new_text>\n</parameter></invoke>\n";
        let blocks = read(text);
        let said: Vec<_> =
            blocks.iter().map(|block| (block.splits[0].search.as_str(), block.splits[0].replace.as_str(), block.hint, block.error)).collect();
        assert_eq!(said, [("let a = 1;\n", "let a = 2;\n", Some(23), None), ("b\n", "", None, None)]);
        assert!(blocks.iter().all(|block| block.path.as_ref().is_some_and(|path| path.text == "src/a.rs")));
        assert_eq!(&text[blocks[0].path.as_ref().unwrap().span.clone()], "src/a.rs");
    }

    #[test]
    fn a_text_that_is_cut_off_is_no_edit() {
        assert_eq!(read("<old_text>a</old_text><new_text>b")[0].error, Some(Reason::UnterminatedBlock));
        assert_eq!(read("<old_text>a</old_text>")[0].error, Some(Reason::MissingDivider));
        assert!(read("<old_texts>a</old_texts>").is_empty());
    }
}
