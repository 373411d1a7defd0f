//! Completion in front matter. It looks at the lines before the cursor rather than the tree, so
//! that it works while the text isn't valid YAML yet, before the closing `---` exists, and in files
//! that aren't programs yet.

mod front_matter_cursor;
pub(super) mod imports;
pub(super) mod keys;
mod schema;
mod typing;
pub(super) mod values;

use super::suite;
use crate::answer::Completion;
use crate::format::Context;
use crate::yaml::{Place, Segment};
pub(super) use front_matter_cursor::FrontMatterCursor;
pub(super) use typing::Typing;
pub use values::transport;

/// The completions at `offset`; `program` is whether the document is already a program.
pub fn complete(cx: &Context, offset: usize, program: bool) -> Vec<Completion> {
    if let Some(found) = front_matter_cursor::skeleton(cx, offset) {
        return found;
    }
    let Some(front_matter) = FrontMatterCursor::read(cx, offset, program) else {
        return Vec::new();
    };
    let typing = Typing::new(cx, &front_matter, offset);
    let mut found = dispatch(&typing);
    // If nothing fits, offer the keys of the program: the cursor is probably indented too far.
    if !found.iter().any(|item| item.label.starts_with(&typing.typed))
        && let Some(margin) = typing.at_margin()
    {
        found.extend(
            keys::fields(&margin).into_iter().filter(|item| item.label.starts_with(&typing.typed)),
        );
    }
    found.retain(|item| item.edit.text != typing.written() || item.snippet.is_some());
    found
}

fn dispatch(typing: &Typing) -> Vec<Completion> {
    let context = &typing.context;
    let path: Vec<String> = context
        .path
        .iter()
        .map(|segment| match segment {
            Segment::Key(key) => key.clone(),
            Segment::Index(index) => index.to_string(),
        })
        .collect();
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    match (path.as_slice(), context.place, context.key.as_deref()) {
        (_, Place::Comment, _) => Vec::new(),
        ([], Place::Key, _) => keys::fields(typing),
        ([], Place::Value, Some(key @ ("input" | "output"))) => schema::root(typing, key),
        ([], Place::Value, Some("imports")) => imports::list(typing),
        ([], Place::Value, Some("mcp_servers")) => keys::new_server(typing),
        ([], Place::Value, Some(key)) => values::field(typing, key),
        (["config"], Place::Key, _) => keys::config(typing),
        (["config"], Place::Value, Some(key)) => values::config(typing, key),
        (["imports"], ..) | (["imports", _], Place::Item, _) => imports::item(typing),
        (["mcp_servers"], Place::Key | Place::NewItem, _) => keys::new_server(typing),
        (["mcp_servers", _], Place::Item, _) if context.flow => keys::new_server(typing),
        (["mcp_servers", _], Place::Key | Place::Item, _) => keys::server(typing),
        (["mcp_servers", _], Place::Value, Some(key)) => values::server(typing, key),
        ([suite::FIELD, ..], ..) => suite::inside(typing, &path),
        ([field @ ("input" | "output"), inside @ ..], ..) => schema::inside(typing, field, inside),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
