//! Finds where sections may begin: reads lines as CommonMark's block structure does, and keeps
//! nothing but what is open.

use super::html::{HtmlEnd, html_start};
use super::line::{
    Line, closes_fence, heading_level, is_setext_underline, is_thematic_break, list_marker,
    opening_fence,
};
use super::section::SectionKind;

/// Reads lines one by one. Where a line can be read in two ways that only a full parse tells apart,
/// both are followed until they agree again; a section begins only where all readings allow it.
#[derive(Debug)]
pub(super) struct Scanner {
    reading: Reading,
    others: Vec<Reading>,
}

/// The block structure that is open at the start of a line.
#[derive(Debug, Clone, Default, PartialEq)]
struct Reading {
    containers: Vec<Container>,
    leaf: Leaf,
    after_blank: bool,
    /// The open paragraph begins with `[`, so that all of it may be link reference definitions.
    definitions: bool,
    /// The last line is read as a setext underline, but continues a paragraph if definitions are
    /// all that precedes it.
    doubtful: bool,
}

impl Scanner {
    pub(super) fn new() -> Self {
        Self { reading: Reading::default(), others: Vec::new() }
    }

    /// The section that begins with this line, if one does: at this line every open block ends, so
    /// what follows reads the same without what precedes. Headings at column 0 begin sections; so
    /// does one paragraph in sixteen (which one depends on its own first line alone), lest a long
    /// text without headings be one long section.
    pub(super) fn boundary(&self, line: &[u8]) -> Option<SectionKind> {
        let kind = self.reading.boundary(line)?;
        self.others.iter().all(|other| other.boundary(line).is_some()).then_some(kind)
    }

    /// Takes in one line, given without its line break.
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
    /// `width`: the columns that a line must be indented to stay inside. `empty`: nothing but the
    /// marker so far.
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

    /// How many open containers this line stays in; the cursor moves behind their markers.
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
        // A limit on what is tracked, not on what is read: deeper markers are content of the
        // innermost container.
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

/// True for about one line in sixteen, by the line's own bytes (FNV-1a).
fn is_landmark(line: &[u8]) -> bool {
    let hash = line.iter().take(64).fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash >> 32).is_multiple_of(16)
}
