//! Finds where sections may begin: follows CommonMark's block structure line by line, and keeps
//! only the open blocks.

use super::html::{HtmlEnd, html_start};
use super::line::{
    Line, closes_fence, heading_level, is_setext_underline, is_thematic_break, list_marker,
    opening_fence,
};
use super::section::SectionKind;

/// Reads lines one by one. If only a full parse could decide between two readings of a line, the
/// scanner follows both until they agree again; a section only begins where all readings allow it.
#[derive(Debug)]
pub(super) struct Scanner {
    reading: Reading,
    others: Vec<Reading>,
}

/// The open blocks at the start of a line.
#[derive(Debug, Clone, Default, PartialEq)]
struct Reading {
    containers: Vec<Container>,
    leaf: Leaf,
    after_blank: bool,
    /// The open paragraph begins with `[`, so it may consist of link reference definitions.
    definitions: bool,
    /// The last line is read as a setext underline, but continues a paragraph if only definitions
    /// precede it.
    doubtful: bool,
}

impl Scanner {
    pub(super) fn new() -> Self {
        Self { reading: Reading::default(), others: Vec::new() }
    }

    /// The section that begins with this line, if any: every open block ends at this line, so the
    /// rest reads the same without the text before. Headings at column 0 begin sections; so does
    /// one paragraph in three (depending on its first line alone), so that a long document
    /// without headings isn't one long section.
    pub(super) fn boundary(&self, line: &[u8]) -> Option<SectionKind> {
        let kind = self.reading.boundary(line)?;
        self.others.iter().all(|other| other.boundary(line).is_some()).then_some(kind)
    }

    /// Reads one line, without its line break.
    pub(super) fn read(&mut self, line: &[u8]) {
        for other in &mut self.others {
            other.read(line);
            other.doubtful = false;
        }
        self.reading.read(line);
        if std::mem::take(&mut self.reading.doubtful) && self.others.len() < 8 {
            self.others.push(Reading {
                leaf: Leaf::Paragraph,
                definitions: false,
                ..self.reading.clone()
            });
        }
        let reading = &self.reading;
        self.others.retain(|other| other != reading);
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Container {
    Quote,
    /// `width`: the indentation that keeps a line inside. `empty`: only the marker so far.
    Item {
        width: usize,
        empty: bool,
    },
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
enum Leaf {
    #[default]
    None,
    Paragraph,
    Fence {
        char: u8,
        length: usize,
    },
    Html(HtmlEnd),
}

impl Reading {
    fn boundary(&self, line: &[u8]) -> Option<SectionKind> {
        let first = line.first()?;
        if self.containers.is_empty() && matches!(self.leaf, Leaf::Fence { .. } | Leaf::Html(_)) {
            return None;
        }
        if let Some(level) = heading_level(line) {
            return Some(SectionKind::Heading(level));
        }
        let text = first.is_ascii_alphabetic()
            || !first.is_ascii()
            || *first == b'[' && line.get(1).is_some_and(u8::is_ascii_uppercase);
        (self.after_blank && text && is_landmark(line)).then_some(SectionKind::Text)
    }

    fn read(&mut self, line: &[u8]) {
        let mut cursor = Line::new(line);
        let matched = self.match_containers(&mut cursor);
        let all_matched = matched == self.containers.len();
        if all_matched && self.continue_leaf(&cursor) {
            return;
        }
        self.after_blank = false;
        let mut in_paragraph = self.leaf == Leaf::Paragraph;
        let mut kept = matched;
        loop {
            let content = cursor.content();
            if content.is_empty() {
                break;
            }
            if cursor.indent() >= 4 {
                if in_paragraph {
                    return;
                }
                return self.open_leaf(kept, Leaf::None);
            }
            if content.starts_with(b">") {
                cursor.skip_indent();
                cursor.skip_bytes(1);
                skip_one_blank(&mut cursor);
                self.push(&mut kept, Container::Quote);
                in_paragraph = false;
                continue;
            }
            if heading_level(content).is_some() {
                return self.open_leaf(kept, Leaf::None);
            }
            if let Some((char, length)) = opening_fence(content) {
                return self.open_leaf(kept, Leaf::Fence { char, length });
            }
            if let Some(end) = html_start(content, in_paragraph) {
                let ends_here = end != HtmlEnd::Blank && end.is_in(content);
                return self.open_leaf(kept, if ends_here { Leaf::None } else { Leaf::Html(end) });
            }
            let same_paragraph = in_paragraph && all_matched;
            if same_paragraph && is_setext_underline(content) {
                self.doubtful = self.definitions;
                return self.open_leaf(kept, Leaf::None);
            }
            if is_thematic_break(content) {
                return self.open_leaf(kept, Leaf::None);
            }
            if let Some((marker, number)) = list_marker(content) {
                let indent = cursor.indent();
                let mut after = cursor;
                after.skip_indent();
                after.skip_bytes(marker);
                let empty = after.is_blank();
                if same_paragraph && (empty || number.is_some_and(|number| number != 1)) {
                    break;
                }
                let blanks = after.indent();
                let blanks = if empty || blanks > 4 { 1 } else { blanks };
                after.skip_columns(blanks);
                self.push(&mut kept, Container::Item { width: indent + marker + blanks, empty });
                in_paragraph = false;
                cursor = after;
                continue;
            }
            break;
        }
        if cursor.is_blank() {
            self.open_leaf(kept, Leaf::None);
            self.after_blank = true;
        } else if !in_paragraph {
            self.open_leaf(kept, Leaf::Paragraph);
            self.definitions = cursor.content().starts_with(b"[");
        } else if all_matched {
            self.leaf = Leaf::Paragraph;
        }
    }

    /// The number of open containers that this line continues; moves the cursor after their
    /// markers.
    fn match_containers(&mut self, cursor: &mut Line) -> usize {
        let mut matched = 0;
        for container in &mut self.containers {
            match container {
                Container::Quote => {
                    if cursor.indent() > 3 || !cursor.content().starts_with(b">") {
                        break;
                    }
                    cursor.skip_indent();
                    cursor.skip_bytes(1);
                    skip_one_blank(cursor);
                }
                Container::Item { width, empty } => {
                    if cursor.is_blank() {
                        if *empty {
                            break;
                        }
                    } else if cursor.indent() >= *width {
                        cursor.skip_columns(*width);
                        *empty = false;
                    } else {
                        break;
                    }
                }
            }
            matched += 1;
        }
        matched
    }

    /// Whether an open fence or HTML block takes the whole line.
    fn continue_leaf(&mut self, cursor: &Line) -> bool {
        match self.leaf {
            Leaf::Fence { char, length } => {
                if cursor.indent() <= 3 && closes_fence(cursor.content(), char, length) {
                    self.leaf = Leaf::None;
                }
            }
            Leaf::Html(end) => {
                if end == HtmlEnd::Blank && cursor.is_blank() {
                    return false;
                }
                if end.is_in(cursor.content()) {
                    self.leaf = Leaf::None;
                }
            }
            Leaf::None | Leaf::Paragraph => return false,
        }
        self.after_blank = false;
        true
    }

    fn open_leaf(&mut self, kept: usize, leaf: Leaf) {
        self.containers.truncate(kept);
        self.leaf = leaf;
    }

    fn push(&mut self, kept: &mut usize, container: Container) {
        self.containers.truncate(*kept);
        // A limit on tracking, not on parsing: deeper markers are content of the innermost
        // container.
        if self.containers.len() < 512 {
            self.containers.push(container);
        }
        *kept = self.containers.len();
        self.leaf = Leaf::None;
    }
}

fn skip_one_blank(cursor: &mut Line) {
    if cursor.indent() > 0 {
        cursor.skip_columns(1);
    }
}

/// True for about one line in three, depending on the line's bytes (FNV-1a).
fn is_landmark(line: &[u8]) -> bool {
    let hash = line.iter().take(64).fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash >> 32).is_multiple_of(3)
}
