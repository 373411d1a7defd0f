//! Hover: the nodes that a selector selects.

use super::target::{Target, resolved};
use crate::answer::Hover;
use crate::format::Context;
use crate::selector::mention;
use crate::selector::page::{MAX_WORDS, pages, word_count};
use crate::selector::{Content, Match};

/// At most this many lines of a node are shown.
const LINES: usize = 30;
/// And this many characters of each.
const COLUMNS: usize = 400;
/// At most this many nodes are listed.
const MOST: usize = 10;

/// The nodes that the selector at `offset` selects.
pub fn hover(cx: &Context, offset: usize) -> Option<Hover> {
    let mention = mention::at(cx.source, offset)?;
    let (target, selector) = resolved(cx, &mention)?;
    let found = target.contents(selector);
    let markdown = match found.as_slice() {
        [] => return None,
        [(only, content)] => format!(
            "{}\n\n{}",
            title(&target, only, content),
            preview(&target.source.slice(content.span.clone()))
        ),
        several => {
            let listed = several.iter().take(MOST).map(|(each, content)| {
                let text = target.source.slice(content.span.clone());
                let line: String = text
                    .lines()
                    .find(|line| !line.trim().is_empty())
                    .unwrap_or_default()
                    .chars()
                    .take(60)
                    .collect();
                format!("- `{}::{}` {}", target.name, target.tree.path(each.node), code(&line))
            });
            let listed = listed.collect::<Vec<_>>().join("\n");
            let more = several.len().saturating_sub(MOST);
            let more = if more > 0 { format!("\n- and {more} more") } else { String::new() };
            format!("**{} matches** in {}\n\n{listed}{more}", several.len(), place(&target))
        }
    };
    Some(Hover { span: mention.span, markdown })
}

/// The name of a node, and its size.
fn title(target: &Target, found: &Match, content: &Content) -> String {
    let text = target.source.slice(target.tree.span(found.node));
    let (words, count) = (word_count(&text), pages(&text, MAX_WORDS).len());
    let size = if words == 1 { "1 word".to_owned() } else { format!("{words} words") };
    let size = match (content.page, count) {
        (Some(page), _) => format!("page {page} of {count}, {size} in all"),
        (None, 1) => size,
        (None, _) => format!("{size}, {count} pages"),
    };
    format!("**`{}::{}`** · {size} · {}", target.name, target.tree.path(found.node), place(target))
}

fn place(target: &Target) -> String {
    let name = target
        .path
        .as_ref()
        .and_then(|path| path.file_name())
        .map(|name| name.to_string_lossy().into_owned());
    name.map_or_else(|| "this document".to_owned(), |name| code(&name))
}

/// Verbatim text, in a fence that it can't close.
pub fn preview(text: &str) -> String {
    let mut shown: Vec<String> =
        text.lines().take(LINES).map(|line| line.chars().take(COLUMNS).collect()).collect();
    if text.lines().nth(LINES).is_some() {
        shown.push("…".to_owned());
    }
    let shown = shown.join("\n");
    let longest = shown.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}markdown\n{}\n{fence}", shown.trim_end())
}

/// A code span for any text.
fn code(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.as_str() {
        "" => String::new(),
        text if text.contains('`') => format!("`` {text} ``"),
        text => format!("`{text}`"),
    }
}
