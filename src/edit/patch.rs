//! `*** Begin Patch` … `*** End Patch`: files that are added, deleted, moved and updated.

use super::block::{Block, Dialect, Operation, Path, Split, Subject};
use super::lines::indentation;
use super::reason::Reason;
use crate::text::Span;

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const ENVIRONMENT: &str = "*** Environment ID:";
const ADD: &str = "*** Add File: ";
const DELETE: &str = "*** Delete File: ";
const UPDATE: &str = "*** Update File: ";
const MOVE: &str = "*** Move to: ";
const END_OF_FILE: &str = "*** End of File";

/// Whether a reply contains such a patch.
pub fn is_patch(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim();
        line == BEGIN || [ADD, DELETE, UPDATE].iter().any(|mark| line.starts_with(mark.trim_end()))
    })
}

/// The changes of a patch, one block each; an update has one for every hunk.
pub fn read(text: &str) -> Vec<Block> {
    let mut reader = Reader::default();
    let mut at = 0;
    let mut indent = "";
    let end = text.trim_end().len();
    for line in text.split_inclusive('\n') {
        if !reader.open {
            indent = indent_of(text.get(at..).unwrap_or_default());
        }
        at += line.len();
        let plain = line.strip_prefix(indent).unwrap_or(line);
        // No context follows the last change.
        let plain = if at >= end && plain.trim() == END { plain.trim_start() } else { plain };
        reader.line(at - plain.len()..at, plain.trim_end_matches(['\n', '\r']));
    }
    reader.close_file();
    if reader.open {
        // Without its end, a patch may have been truncated anywhere.
        reader
            .blocks
            .iter_mut()
            .skip(reader.first)
            .for_each(|block| block.error = Some(Reason::UnterminatedBlock));
    }
    reader.blocks
}

/// The indentation of all lines of the patch that the text begins with, if it does.
fn indent_of(text: &str) -> &str {
    let indent = indentation(text);
    if indent.is_empty() || text.lines().next().map(str::trim) != Some(BEGIN) {
        return "";
    }
    let mut lines = text.lines();
    let carried = |line: &str| line.trim().is_empty() || line.starts_with(indent);
    let all = lines.by_ref().take_while(|line| line.trim() != END).all(carried);
    if all { indent } else { "" }
}

/// Content without lines that don't begin with `+`, except for blank lines between such lines:
/// models forget their sign. `None` if there are other lines.
pub fn added(lines: &str) -> Option<String> {
    let (mut content, mut blanks) = (String::new(), 0);
    for line in lines.lines() {
        if line.trim().is_empty() {
            blanks += usize::from(!content.is_empty());
            continue;
        }
        let line = line.strip_prefix('+')?;
        content.extend(std::iter::repeat_n('\n', std::mem::take(&mut blanks)));
        content.push_str(line);
        content.push('\n');
    }
    Some(content)
}

struct File {
    path: Path,
    operation: Operation,
    span: Span,
    /// The lines below the name of an added file.
    lines: String,
    /// The blocks so far.
    hunks: usize,
    error: Option<Reason>,
}

#[derive(Default)]
struct Hunk {
    span: Span,
    anchors: Vec<String>,
    search: String,
    replace: String,
    at_end: bool,
    /// Blank lines that may be context, or only precede the next hunk.
    blanks: usize,
    /// A line is context only because it has no sign.
    unsigned: bool,
}

#[derive(Default)]
struct Reader {
    blocks: Vec<Block>,
    file: Option<File>,
    hunk: Option<Hunk>,
    /// A patch has begun but not ended; this is the first of its blocks.
    open: bool,
    first: usize,
}

impl Reader {
    fn line(&mut self, span: Span, line: &str) {
        let updates = |file: &File| matches!(file.operation, Operation::Edit | Operation::Move(_));
        // The lines of an update have a sign in front, so an indented marker is context.
        let updated = self.file.as_ref().is_some_and(updates);
        let mark = if updated { line.trim_end() } else { line.trim() };
        for (header, operation) in
            [(ADD, Operation::Create), (DELETE, Operation::Delete), (UPDATE, Operation::Edit)]
        {
            if let Some(name) = mark.strip_prefix(header.trim_end()) {
                self.close_file();
                let text = name.trim().to_owned();
                let end = span.start + line.trim_end().len();
                let path = Path { span: end - text.len()..end, text, inherited: false };
                let (lines, hunks, error) = (String::new(), 0, None);
                self.file = Some(File { path, operation, span, lines, hunks, error });
                return;
            }
        }
        match mark {
            BEGIN => {
                self.close_file();
                (self.open, self.first) = (true, self.blocks.len());
                return;
            }
            END => {
                self.open = false;
                return self.close_file();
            }
            _ => {}
        }
        let Some(file) = &mut self.file else {
            if self.open && !mark.is_empty() && !mark.starts_with(ENVIRONMENT) {
                self.blocks.push(Block {
                    span: span.start..span.start + line.len(),
                    error: Some(Reason::MalformedPatch),
                    ..Block::of(Dialect::ApplyPatch, "", "")
                });
            }
            return;
        };
        file.span.end = span.end;
        match file.operation {
            Operation::Create | Operation::Delete if mark == END_OF_FILE => {}
            Operation::Create => {
                file.lines.push_str(line);
                file.lines.push('\n');
            }
            Operation::Edit | Operation::Move(_) => self.update(span, line, mark),
            // The old lines say nothing new.
            Operation::Delete if mark.is_empty() || line.starts_with('-') => {}
            Operation::Delete
            | Operation::Write
            | Operation::Replace
            | Operation::Listing { .. }
            | Operation::Lazy
            | Operation::Lines(_) => file.error = Some(Reason::MalformedPatch),
        }
    }

    fn update(&mut self, span: Span, line: &str, mark: &str) {
        if let (Some(name), Some(file)) = (mark.strip_prefix(MOVE.trim_end()), &mut self.file) {
            file.operation = Operation::Move(name.trim().to_owned());
            return;
        }
        if mark == END_OF_FILE {
            if let Some(hunk) = &mut self.hunk {
                hunk.at_end = true;
            }
            return;
        }
        if let (true, Some(file)) = (is_header(mark), &mut self.file) {
            file.error = Some(Reason::MalformedPatch);
            return;
        }
        if let Some(anchor) = line.strip_prefix("@@") {
            // Consecutive anchors are nested.
            let nested =
                self.hunk.take_if(|hunk| hunk.search.is_empty() && hunk.replace.is_empty());
            self.close_hunk();
            let mut hunk = nested.unwrap_or_else(|| Hunk { span: span.clone(), ..Hunk::default() });
            let anchor = anchor.trim().trim_end_matches("@@").trim();
            if is_anchor(anchor) {
                hunk.anchors.push(anchor.to_owned());
            }
            self.hunk = Some(hunk);
            return;
        }
        let hunk = self.hunk.get_or_insert_with(|| Hunk { span: span.clone(), ..Hunk::default() });
        if line.trim().is_empty() {
            hunk.blanks += 1;
            return;
        }
        hunk.span.end = span.end;
        for _ in 0..std::mem::take(&mut hunk.blanks) {
            hunk.search.push('\n');
            hunk.replace.push('\n');
        }
        let (old, new, content) = match line.split_at_checked(1) {
            Some(("-", rest)) => (true, false, rest),
            Some(("+", rest)) => (false, true, rest),
            Some((" ", rest)) => (true, true, rest),
            _ => {
                hunk.unsigned = true;
                (true, true, line)
            }
        };
        for (takes, side) in [(old, &mut hunk.search), (new, &mut hunk.replace)] {
            if takes {
                side.push_str(content);
                side.push('\n');
            }
        }
    }

    fn close_hunk(&mut self) {
        let (Some(hunk), Some(file)) = (self.hunk.take(), &mut self.file) else { return };
        // Context alone changes nothing, but text between the hunks isn't context.
        if hunk.search == hunk.replace {
            if hunk.unsigned {
                file.error = Some(Reason::MalformedPatch);
            }
            return;
        }
        file.hunks += 1;
        let split = Split {
            search: hunk.search,
            replace: hunk.replace,
            at_end: hunk.at_end,
            final_break: None,
        };
        self.blocks.push(block(file, hunk.span, split, hunk.anchors));
    }

    fn close_file(&mut self) {
        self.close_hunk();
        let Some(mut file) = self.file.take() else { return };
        let (start, changed) = (self.blocks.len() - file.hunks, file.hunks > 0);
        if !changed {
            let content = added(&file.lines);
            if content.is_none() {
                file.error = Some(Reason::MalformedPatch);
            }
            if matches!(file.operation, Operation::Edit) {
                file.error = Some(Reason::MalformedPatch);
            }
            let split = Split::new("", content.unwrap_or_default());
            self.blocks.push(block(&file, file.span.clone(), split, Vec::new()));
        }
        // A part of the file's changes that can't be read may be in any of its lines.
        let blocks = self.blocks.iter_mut().skip(start);
        blocks.for_each(|block| block.error = file.error);
    }
}

/// Whether a line is written like a header: `*** Rename File: a.py`
fn is_header(line: &str) -> bool {
    let name = line.strip_prefix("*** ").and_then(|rest| rest.split_once(':'));
    name.is_some_and(|(name, _)| name.starts_with(char::is_uppercase))
}

/// Whether text after `@@` names a line: numbers and dots don't.
pub(super) fn is_anchor(text: &str) -> bool {
    let counts = ["lines", "line"].iter().find_map(|word| text.strip_prefix(word));
    !text.starts_with('-') && counts.unwrap_or(text).contains(char::is_alphabetic)
}

fn block(file: &File, span: Span, split: Split, anchors: Vec<String>) -> Block {
    Block {
        dialect: Dialect::ApplyPatch,
        span,
        path: Some(file.path.clone()),
        operation: file.operation.clone(),
        subject: Subject::File,
        splits: vec![split],
        hint: None,
        all: false,
        count: None,
        candidates: Vec::new(),
        anchors,
        error: None,
        warnings: Vec::new(),
    }
}
