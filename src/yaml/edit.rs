//! Edits YAML without touching comments, order and style.

use crate::text::Edit;

use super::line;
use super::node::{Entry, Kind, Mapping, Node, Tree};
use super::path::outer_start;
use super::scalar;

/// Adds `key: value_yaml` to the mapping at `parent_path` (keys and list indices from the root):
/// after the entry `after` if given, otherwise after the last one, before the comments and blank
/// lines that follow it. Creates missing parents.
///
/// Lines of `value_yaml` after its first are indented to the entry; a value that begins with a line
/// break goes below the key: `"
///   type: object"`. Returns no edits if the parent isn't a mapping.
pub fn insert_entry(
    text: &str,
    tree: &Tree,
    parent_path: &[&str],
    key: &str,
    value_yaml: &str,
    after: Option<&str>,
) -> Vec<Edit> {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut owner: Option<&Entry> = None;
    let mut node = tree.root.as_ref();
    let mut missing = parent_path;
    while let (Some(current), Some((segment, rest))) = (node, missing.split_first()) {
        let next = match &current.kind {
            Kind::Mapping(mapping) => {
                mapping.get(segment).inspect(|entry| owner = Some(entry)).map(|entry| &entry.value)
            }
            Kind::Sequence(sequence) => {
                segment.parse::<usize>().ok().and_then(|index| sequence.items.get(index))
            }
            _ => None,
        };
        if next.is_none() {
            break;
        }
        (node, missing) = (next, rest);
    }
    let flow = matches!(node, Some(Node { kind: Kind::Mapping(Mapping { flow: true, .. }), .. }));
    let step = step(text, tree);
    let written = nest(missing, key, value_yaml, flow, step);
    let Some(node) = node else {
        return append_to_empty(text, tree, &written, newline);
    };
    match &node.kind {
        Kind::Mapping(mapping) if flow => vec![into_flow(mapping, node, &written, after)],
        Kind::Mapping(mapping) => into_block(text, mapping, &written, after, newline),
        Kind::Scalar(_)
            if super::resolve::scalar_type(node) == super::resolve::ScalarType::Null =>
        {
            match owner {
                Some(owner) => vec![below(text, owner, &written, newline, step)],
                None => append_to_empty(text, tree, &written, newline),
            }
        }
        _ => Vec::new(),
    }
}

/// Adds an item to the list at a top-level key, which is created if missing: `block` in block
/// style, with its further lines aligned to the first; `flow` between brackets. Returns no edits if
/// the key's value isn't a list.
pub fn append_item(text: &str, tree: &Tree, key: &str, block: &str, flow: &str) -> Vec<Edit> {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let root = tree.root.as_ref().and_then(Node::as_mapping);
    let Some(entry) = root.and_then(|root| root.get(key)) else {
        let braces = root.is_some_and(|root| root.flow);
        let value =
            if braces { format!("[{flow}]") } else { format!("\n  {}", dashed(block, "  ", "\n")) };
        return insert_entry(text, tree, &[], key, &value, None);
    };
    let node = &entry.value;
    match &node.kind {
        Kind::Sequence(sequence) if sequence.flow => match sequence.items.last() {
            Some(last) => vec![Edit::insert(last.span.end, format!(", {flow}"))],
            None => vec![Edit::insert(node.span.start + 1, flow)],
        },
        Kind::Sequence(sequence) => {
            let (Some(first), Some(last)) = (sequence.items.first(), sequence.items.last()) else {
                return Vec::new();
            };
            let dash = text
                .get(..outer_start(first))
                .and_then(|before| before.rfind('-'))
                .unwrap_or_default();
            let lead = " ".repeat(column(text, dash));
            let at = line::end_of_line(text, last.span.end.max(dash + 1));
            vec![Edit::insert(at, format!("{newline}{lead}{}", dashed(block, &lead, newline)))]
        }
        Kind::Scalar(_)
            if super::resolve::scalar_type(node) == super::resolve::ScalarType::Null =>
        {
            vec![below(text, entry, &dashed(block, "", "\n"), newline, step(text, tree))]
        }
        _ => Vec::new(),
    }
}

/// A list item whose dash comes after `lead`.
fn dashed(block: &str, lead: &str, newline: &str) -> String {
    format!("- {}", block.replace('\n', &format!("{newline}{lead}  ")))
}

/// `key: value` inside the missing parents.
fn nest(parents: &[&str], key: &str, value: &str, flow: bool, step: usize) -> String {
    let print =
        |key: &str| if flow { scalar::print_flow_scalar(key) } else { scalar::print_scalar(key) };
    let space = if value.is_empty() || value.starts_with(['\n', '\r']) { "" } else { " " };
    let mut written = format!("{}:{space}{value}", print(key));
    for parent in parents.iter().rev() {
        written = match flow {
            true => format!("{}: {{{written}}}", print(parent)),
            false => {
                let lead = format!("\n{}", " ".repeat(step));
                format!(
                    "{}:{lead}{}",
                    print(parent),
                    written.replace("\r\n", "\n").replace('\n', &lead)
                )
            }
        };
    }
    written
}

/// The document's indentation of nested mappings.
fn step(text: &str, tree: &Tree) -> usize {
    let steps = tree.entries().filter_map(|entry| {
        let mapping = entry.value.as_mapping().filter(|mapping| !mapping.flow)?;
        let inner = column(text, outer_start(&mapping.entries.first()?.key));
        inner
            .checked_sub(column(text, outer_start(&entry.key)))
            .filter(|step| (1..=8).contains(step))
    });
    steps.into_iter().next().unwrap_or(2)
}

/// The same entry at a column, with the document's line breaks.
fn indented(written: &str, column: usize, newline: &str) -> String {
    let lead = " ".repeat(column);
    let lines: Vec<String> = written
        .lines()
        .map(|line| if line.is_empty() { String::new() } else { format!("{lead}{line}") })
        .collect();
    lines.join(newline)
}

fn column(text: &str, offset: usize) -> usize {
    text.get(line::start_of_line(text, offset)..offset).unwrap_or_default().chars().count()
}

fn sibling<'t>(mapping: &'t Mapping, after: Option<&str>) -> Option<&'t Entry> {
    after
        .and_then(|key| mapping.get(key))
        .or_else(|| mapping.entries.iter().max_by_key(|entry| entry.span.end))
}

fn into_block(
    text: &str,
    mapping: &Mapping,
    written: &str,
    after: Option<&str>,
    newline: &str,
) -> Vec<Edit> {
    let (Some(first), Some(sibling)) = (mapping.entries.first(), sibling(mapping, after)) else {
        return Vec::new();
    };
    let at = line::end_of_line(text, sibling.span.end);
    let written = indented(written, column(text, outer_start(&first.key)), newline);
    vec![Edit { span: at..at, text: format!("{newline}{written}") }]
}

fn into_flow(mapping: &Mapping, node: &Node, written: &str, after: Option<&str>) -> Edit {
    match sibling(mapping, after) {
        Some(sibling) => {
            Edit { span: sibling.span.end..sibling.span.end, text: format!(", {written}") }
        }
        None => Edit { span: node.span.start + 1..node.span.start + 1, text: written.to_string() },
    }
}

/// The first entry of a parent that has no value, or `null`.
fn below(text: &str, owner: &Entry, written: &str, newline: &str, step: usize) -> Edit {
    let written = indented(written, column(text, outer_start(&owner.key)) + step, newline);
    if owner.value.is_absent() {
        let at = line::end_of_line(text, owner.span.end);
        return Edit { span: at..at, text: format!("{newline}{written}") };
    }
    let start = line::trim_end(text, owner.key.span.end..owner.value.span.start);
    Edit { span: start..owner.value.span.end, text: format!("{newline}{written}") }
}

/// The first entry of an empty document: after its comments.
fn append_to_empty(text: &str, tree: &Tree, written: &str, newline: &str) -> Vec<Edit> {
    let written = indented(written, 0, newline);
    let marker = line::first_content(text, 0..text.len())
        .filter(|line| text.get(line.start..line.end).is_some_and(|text| text.trim_end() == "---"));
    let last = marker.map(|line| line.end).max(tree.comments.last().map(|comment| comment.end));
    let edit = match last {
        Some(at) => Edit { span: at..at, text: format!("{newline}{written}") },
        None => Edit { span: 0..0, text: format!("{written}{newline}") },
    };
    vec![edit]
}

/// Removes an entry: its whole lines including their comment if it is alone on them; in flow style,
/// with one comma.
pub fn remove_entry(text: &str, entry: &Entry) -> Vec<Edit> {
    let mut start = outer_start(&entry.key);
    // `? key`
    let lead = line::start_of_line(text, start);
    if text
        .get(lead..start)
        .is_some_and(|lead| lead.trim_start().starts_with("? ") && lead.trim().len() == 1)
    {
        start = line::skip_blanks(text, lead..start);
    }
    vec![remove(text, start, entry.span.end)]
}

/// Removes a list item: its whole lines including their comment, or its part of a flow sequence
/// with one comma.
pub fn remove_item(text: &str, item: &Node) -> Vec<Edit> {
    let start = outer_start(item);
    let dash = text.get(..start).unwrap_or_default().trim_end();
    let separated =
        dash.ends_with('-') && !text.get(dash.len()..start).unwrap_or_default().is_empty();
    let empty = item.is_absent() && dash.ends_with('-');
    let end = item.span.end.max(start);
    vec![remove(text, if separated || empty { dash.len() - 1 } else { start }, end)]
}

fn remove(text: &str, start: usize, end: usize) -> Edit {
    let bytes = text.as_bytes();
    let empty = |span| Edit { span, text: String::new() };
    let line_start = line::start_of_line(text, start);
    let line_end = line::end_of_line(text, end);
    let rest = line::skip_blanks(text, end..line_end);
    let alone_behind = rest == line_end || bytes.get(rest) == Some(&b'#');
    if alone_behind && line::skip_blanks(text, line_start..start) == start {
        let next = line::next_line(text, end);
        // Without a line break after it, the one before it is removed.
        return match next == line_end {
            true => empty(line::trim_break(text, line_start)..line_end),
            false => empty(line_start..next),
        };
    }
    let before = line::trim_end(text, 0..start);
    let after = line::skip_space(text, end);
    if bytes.get(after) == Some(&b',') {
        return empty(start..line::skip_space(text, after + 1));
    }
    if before > 0 && bytes.get(before - 1) == Some(&b',') {
        return empty(before - 1..end);
    }
    // `- a: 1` with more entries below: the next one moves up to the dash.
    let next = line::next_line(text, end);
    let content = line::skip_blanks(text, next..line::end_of_line(text, next));
    if alone_behind
        && content > next
        && content - next == start - line_start
        && content < line::end_of_line(text, next)
    {
        return empty(start..content);
    }
    empty(start..end)
}

/// Replaces an entry's value with `new`; an absent one is inserted after the colon.
pub fn replace_value(entry: &Entry, new: &str) -> Vec<Edit> {
    let span = entry.value.span.clone();
    let text = match entry.value.is_absent() {
        true if span.start == entry.key.span.end => format!(": {new}"),
        true => format!(" {new}"),
        false => new.to_string(),
    };
    vec![Edit { span, text }]
}
