//! Dialects that address lines by number: Mentat's two, and hashline, whose numbers carry a
//! checksum.

use super::json::Json;
use super::{Draft, Fault, content};
use crate::edit::{
    self, Block, Dialect, Extent, LAST_LINE, Operation, Path, Reason, Split, Warning, hashline,
};
use crate::reply::lines::Line;
use crate::text::Span;

/// Removes the line numbers from the text of a whole file. If they don't begin with 1, it's a part
/// of the file. Refuses text whose line breaks are escaped.
pub(super) fn unnumber(block: &mut Block, exists: &dyn Fn(&str) -> bool) {
    let creates = matches!(block.operation, Operation::Create | Operation::Write);
    let listed = matches!(block.operation, Operation::Listing { .. });
    let inserts = block.operation == Operation::Edit && block.hint.is_none();
    let (Some(path), [split]) = (&block.path, block.splits.as_mut_slice()) else { return };
    if !(creates || listed || inserts) || !split.search.is_empty() {
        return;
    }
    if edit::is_code(&path.text) && content::has_escaped_breaks(&split.replace) {
        block.error = block.error.or(Some(Reason::Escaped));
        return;
    }
    let Some(plain) = edit::without_listed_numbers(&split.replace, &path.text) else { return };
    match &mut block.operation {
        Operation::Listing { extent } if plain.first != 1 && exists(&path.text) => {
            *extent = Extent::Part;
        }
        _ if plain.first != 1 => block.error = block.error.or(Some(Reason::LinesByNumber)),
        _ => {}
    }
    split.replace = plain.text;
    block.warnings.push(Warning::Repaired);
}

/// Whether the edits of a call are anchored at lines with checksums.
pub(super) fn is_hashline(items: &[Json]) -> bool {
    items.first().is_some_and(|item| {
        item.get("pos").is_some() && item.get("op").is_some() || item.get("anchor").is_some()
    })
}

/// The line after which a tool inserts text at a line: Roo's before that line, counted from 1, or at
/// the end for 0; Serena's before that line, counted from 0. Others are unknown.
pub(super) fn line_after(tool: &str, line: usize) -> Option<usize> {
    match tool {
        "insert_content" | "insert_line" => Some(line.checked_sub(1).unwrap_or(LAST_LINE)),
        "insert_at_line" => Some(line),
        _ => None,
    }
}

/// Edits at `11#KT`, all of them located in the original file: `replace` for a line or a range,
/// `append` after a line, `prepend` before one.
pub(super) fn hashline(items: &[Json], path: &Path, span: Span, draft: &mut Draft) {
    for item in items {
        let text = |key: &str| item.get(key).and_then(|value| value.string());
        let op = text("op").unwrap_or_else(|| "replace".to_owned());
        let anchors: Vec<String> =
            ["pos", "anchor", "end"].iter().filter_map(|key| text(key)).collect();
        let places: Option<Vec<usize>> =
            anchors.iter().map(|text| hashline::anchor(text).map(|(line, _)| line)).collect();
        let lines = match (op.as_str(), places.as_deref()) {
            ("replace", Some([line])) => Some(*line..line + 1),
            ("replace", Some([first, last])) if first <= last => Some(*first..last + 1),
            ("append", Some([line])) => Some(line + 1..line + 1),
            ("prepend", Some([line])) => Some(*line..*line),
            _ => None,
        };
        let new =
            item.get("lines").or_else(|| item.get("content")).map(|value| match value.items() {
                Some(items) => items
                    .iter()
                    .filter_map(Json::string)
                    .map(|line| format!("{line}\n"))
                    .collect::<String>(),
                None => {
                    value.string().map(|text| super::call::whole_lines(&text)).unwrap_or_default()
                }
            });
        let (Some(lines), Some(new)) = (lines, new) else {
            let fault = Fault::new(
                span.clone(),
                Reason::UnknownCall,
                "an edit of the list has no valid anchors",
            );
            draft.faults.push(Fault { file: Some(path.text.clone()), ..fault });
            continue;
        };
        draft.block(Block {
            operation: Operation::Lines(lines),
            span: span.clone(),
            path: Some(path.clone()),
            splits: vec![Split::new("", new)],
            anchors,
            ..Block::of(Dialect::Hashline, "", "")
        });
    }
}

/// Reads the operation that begins with `@ src/a.py starting_line=2 ending_line=4`; returns the
/// index of the line after it.
pub(super) fn mentat(lines: &[Line], index: usize, draft: &mut Draft) -> Option<usize> {
    let line = lines.get(index)?;
    let rest = line.text.strip_prefix("@ ")?.trim();
    let (name, arguments) = rest.split_once(' ').unwrap_or((rest, ""));
    let number = |key: &str| {
        arguments
            .split_whitespace()
            .find_map(|word| word.strip_prefix(key)?.strip_prefix('=')?.parse::<usize>().ok())
    };
    let (start, end, insert) =
        (number("starting_line"), number("ending_line"), number("insert_line"));
    let at = line.span.start + line.text.find(name)?;
    let path = Path { text: name.to_owned(), span: at..at + name.len(), inherited: false };
    let block = |operation: Operation, span: Span, text: String| Block {
        operation,
        span,
        path: Some(path.clone()),
        splits: vec![Split::new("", text)],
        ..Block::of(Dialect::Mentat, "", "")
    };
    let word = arguments.trim();
    if word == "-" {
        draft.block(block(Operation::Delete, line.span.start..line.end(), String::new()));
        return Some(index + 1);
    }
    let creates = word == "+";
    if !creates && start.is_none() && insert.is_none() {
        // `@ a.py new.py` renames a file.
        let named = !word.is_empty()
            && !word.contains([' ', '='])
            && crate::edit::naming::is_file_name(word)
            && crate::edit::naming::is_file_name(name);
        if !named {
            return None;
        }
        draft.block(block(
            Operation::Move(word.to_owned()),
            line.span.start..line.end(),
            String::new(),
        ));
        return Some(index + 1);
    }
    let close = (index + 1..lines.len())
        .find(|at| lines.get(*at).is_some_and(|line| line.text.trim_end() == "@"));
    let Some(close) = close else {
        draft.fault(
            line.span.start..line.end(),
            Reason::UnterminatedBlock,
            "the block has no closing `@`",
        );
        return Some(lines.len());
    };
    let text: String = lines
        .get(index + 1..close)
        .unwrap_or_default()
        .iter()
        .map(|line| format!("{}\n", line.text))
        .collect();
    let span = line.span.start..lines.get(close).map_or(line.end(), Line::end);
    draft.block(match (creates, insert, start) {
        (true, ..) => block(Operation::Create, span, text),
        (_, Some(line), _) => {
            Block { dialect: Dialect::Mentat, ..block(Operation::Lines(line..line), span, text) }
        }
        (_, _, Some(start)) => {
            block(Operation::Lines(start.saturating_sub(1)..end.unwrap_or(start)), span, text)
        }
        _ => return None,
    });
    Some(close + 1)
}

/// Reads a block `@@start` … `@@end`; returns the index of the line after it.
pub(super) fn mentat_json(lines: &[Line], index: usize, draft: &mut Draft) -> Option<usize> {
    let first = lines.get(index).filter(|line| line.text.trim() == "@@start")?;
    let find = |word: &str| {
        (index + 1..lines.len())
            .find(|at| lines.get(*at).is_some_and(|line| line.text.trim_end() == word))
    };
    let Some(end) = find("@@end") else {
        draft.fault(
            first.span.start..first.end(),
            Reason::UnterminatedBlock,
            "the block has no `@@end`",
        );
        return Some(lines.len());
    };
    let code = find("@@code").filter(|code| *code < end);
    let join =
        |lines: &[Line]| lines.iter().map(|line| format!("{}\n", line.text)).collect::<String>();
    let head = join(lines.get(index + 1..code.unwrap_or(end)).unwrap_or_default());
    let text =
        code.map(|code| join(lines.get(code + 1..end).unwrap_or_default())).unwrap_or_default();
    let span = first.span.start..lines.get(end).map_or(first.end(), Line::end);
    let at = lines.get(index + 1).map_or(first.span.end, |line| line.span.start);
    let Some(value) = super::json::first(head.trim_start(), at).filter(Json::is_object) else {
        draft.fault(span, Reason::InvalidJson, "the block's header is not valid JSON");
        return Some(end + 1);
    };
    let string = |key: &str| value.get(key).and_then(|value| value.string());
    let number = |key: &str| value.get(key).and_then(|value| value.number());
    let place = value
        .get("file")
        .map_or(span.clone(), |value| value.span().start + 1..value.span().end.saturating_sub(1));
    let path = string("file").map(|text| Path { text, span: place, inherited: false });
    let block = |operation: Operation, text: String| Block {
        operation,
        span: span.clone(),
        path: path.clone(),
        splits: vec![Split::new("", text)],
        ..Block::of(Dialect::Mentat, "", "")
    };
    let made = match (string("action").as_deref(), number("start-line"), number("end-line")) {
        (Some("replace"), Some(start), Some(end)) => {
            Some(block(Operation::Lines(start.saturating_sub(1)..end), text))
        }
        (Some("delete"), Some(start), Some(end)) => {
            Some(block(Operation::Lines(start.saturating_sub(1)..end), String::new()))
        }
        (Some("insert"), ..) => {
            number("insert-after-line").map(|line| block(Operation::Lines(line..line), text))
        }
        (Some("create-file"), ..) => Some(block(Operation::Create, text)),
        (Some("delete-file"), ..) => Some(block(Operation::Delete, String::new())),
        (Some("rename-file"), ..) => {
            string("name").map(|to| block(Operation::Move(to), String::new()))
        }
        _ => None,
    };
    match made {
        Some(block) => draft.block(block),
        None => draft.fault(
            span,
            Reason::UnknownCall,
            "the block's header does not name a known action and its lines",
        ),
    }
    Some(end + 1)
}
