//! `*** Begin Patch` … `*** End Patch`: files that are added, deleted, moved and updated.

use super::block::{Block, Dialect, Operation, Path, Split, Subject};
use super::reason::Reason;
use crate::text::Span;

const ADD: &str = "*** Add File: ";
const DELETE: &str = "*** Delete File: ";
const UPDATE: &str = "*** Update File: ";
const MOVE: &str = "*** Move to: ";
const END_OF_FILE: &str = "*** End of File";

/// Whether a reply contains such a patch.
pub fn is_patch(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim();
        line == "*** Begin Patch"
            || [ADD, DELETE, UPDATE].iter().any(|mark| line.starts_with(mark.trim_end()))
    })
}

/// The changes of a patch, one block each; an update has one for every hunk.
pub fn read(text: &str) -> Vec<Block> {
    let mut reader = Reader { blocks: Vec::new(), file: None, hunk: None, open: false, first: 0 };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let span = at..at + line.len();
        at = span.end;
        reader.line(span, line.trim_end_matches(['\n', '\r']));
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

struct File {
    path: Path,
    operation: Operation,
    span: Span,
    /// The content of an added file.
    content: String,
    /// The blocks so far.
    hunks: usize,
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
}

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
        let trimmed = line.trim();
        for (mark, operation) in
            [(ADD, Operation::Create), (DELETE, Operation::Delete), (UPDATE, Operation::Edit)]
        {
            if let Some(name) = trimmed.strip_prefix(mark.trim_end()) {
                self.close_file();
                let text = name.trim().to_owned();
                let start = span.start + line.len() - text.len();
                let path = Path { span: start..start + text.len(), text, inherited: false };
                self.file = Some(File { path, operation, span, content: String::new(), hunks: 0 });
                return;
            }
        }
        match trimmed {
            "*** Begin Patch" => {
                self.close_file();
                (self.open, self.first) = (true, self.blocks.len());
                return;
            }
            "*** End Patch" => {
                self.open = false;
                return self.close_file();
            }
            _ => {}
        }
        let Some(file) = &mut self.file else { return };
        file.span.end = span.end;
        match file.operation {
            Operation::Create => {
                if let Some(content) = line.strip_prefix('+') {
                    file.content.push_str(content);
                    file.content.push('\n');
                }
            }
            Operation::Edit | Operation::Move(_) => self.update(span, line, trimmed),
            Operation::Delete
            | Operation::Write
            | Operation::Replace
            | Operation::Listing { .. }
            | Operation::Lazy
            | Operation::Lines(_) => {}
        }
    }

    fn update(&mut self, span: Span, line: &str, trimmed: &str) {
        if let (Some(name), Some(file)) = (trimmed.strip_prefix(MOVE.trim_end()), &mut self.file) {
            file.operation = Operation::Move(name.trim().to_owned());
            return;
        }
        if trimmed == END_OF_FILE {
            if let Some(hunk) = &mut self.hunk {
                hunk.at_end = true;
            }
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
            _ => (true, true, line),
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
        // Context alone changes nothing.
        if hunk.search == hunk.replace {
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
        let Some(file) = self.file.take() else { return };
        let whole = matches!(file.operation, Operation::Create | Operation::Delete);
        if whole || file.hunks == 0 {
            let mut made =
                block(&file, file.span.clone(), Split::new("", file.content.clone()), Vec::new());
            if !whole && matches!(file.operation, Operation::Edit) {
                made.error = Some(Reason::MissingDivider);
            }
            self.blocks.push(made);
        }
    }
}

/// Whether text after `@@` names a line: numbers and dots don't.
fn is_anchor(text: &str) -> bool {
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
