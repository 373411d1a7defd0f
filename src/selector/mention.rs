//! Mentions: selectors written in a document, in code spans, in command lines, in text and in front
//! matter.
//!
//! Text that only looks similar, such as `std::vec`, isn't a mention: the path after `::` must be
//! valid, or begin with an unmistakable word. A mention never crosses a section, so each section is
//! read once.

use std::sync::{Arc, LazyLock, OnceLock};

use memchr::memmem;

use super::command::{self, Word};
use super::grammar::{Problem, Selector};
use super::namespace::namespace;
use super::parser::{is_namespace, parse};
use crate::markdown::{BlockKind, SectionKind, Trace};
use crate::source::{Placed, Source};
use crate::text::Span;

/// A selector written in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The selector, without its surroundings.
    pub span: Span,
    pub selector: Result<Selector, Problem>,
    /// It's unmistakable: it is in a command, or contains `heading:` or `block:`.
    pub certain: bool,
    /// The files named by the same command.
    pub files: Box<[String]>,
    /// It is in a command.
    pub in_command: bool,
}

impl Mention {
    /// The same mention, moved `by` bytes further.
    #[must_use]
    fn shifted(&self, by: usize) -> Self {
        Self { span: self.span.start + by..self.span.end + by, ..self.clone() }
    }

    /// The documents that it refers to: by its namespace, or the files next to it.
    pub fn names(&self) -> Vec<String> {
        let said = self.selector.as_ref().ok().and_then(|selector| selector.namespace.clone());
        match said {
            Some(name) => vec![name.to_ascii_lowercase()],
            None => self
                .files
                .iter()
                .map(|file| namespace(file.rsplit(['/', '\\']).next().unwrap_or(file)))
                .collect(),
        }
    }
}

/// Cached mentions of a run of sections.
#[derive(Debug, Default)]
struct Notes(OnceLock<Box<[Mention]>>);

/// Cached mentions of a section.
#[derive(Debug, Default)]
struct Noted(Box<[Mention]>);

/// Shared by all sections without mentions, which are most of them.
static NONE: LazyLock<Arc<Noted>> = LazyLock::new(Arc::default);

/// Every mention of a document, in order, with spans in the document.
pub fn all(source: &Source) -> Vec<Mention> {
    let mut found = Vec::new();
    for stretch in source.stretches().filter(|stretch| stretch.may_have(Trace::Selector)) {
        let notes = stretch.memo().get::<Notes>();
        let own = notes.0.get_or_init(|| {
            let each = stretch.sections().flat_map(|placed| {
                let own = of_section(source, placed);
                own.into_iter().map(move |mention| mention.shifted(placed.start - stretch.start))
            });
            each.collect()
        });
        found.extend(own.iter().map(|mention| mention.shifted(stretch.start)));
    }
    found
}

/// The mention at `offset`.
pub fn at(source: &Source, offset: usize) -> Option<Mention> {
    let placed = source.section_at(offset)?;
    let local = offset.checked_sub(placed.start)?;
    let found = of_section(source, placed)
        .into_iter()
        .find(|mention| mention.span.start <= local && local <= mention.span.end)?;
    Some(found.shifted(placed.start))
}

fn of_section(source: &Source, placed: Placed) -> Vec<Mention> {
    if !placed.section.may_have(Trace::Selector) {
        return Vec::new();
    }
    let found = placed.section.memo.share(|| {
        let text = source.section_text(placed);
        if matches!(placed.section.kind, SectionKind::Front(_)) {
            return Arc::new(Noted(in_prose(&text, &[]).into()));
        }
        let blocks = &source.blocks(placed).blocks;
        let code = blocks.iter().filter_map(|block| match &block.kind {
            BlockKind::Code { info } => {
                Some((block.span.clone(), command::is_shell(info.as_deref())))
            }
            _ => None,
        });
        match mentions(&text, &code.collect::<Vec<_>>()) {
            none if none.is_empty() => Arc::clone(&NONE),
            found => Arc::new(Noted(found.into())),
        }
    });
    found.0.to_vec()
}

/// Every mention in text with these code blocks, in order; each block is marked as shell or not.
pub fn mentions(text: &str, code: &[(Span, bool)]) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut taken: Vec<Span> = code.iter().map(|(span, _)| span.clone()).collect();
    for (span, _) in code.iter().filter(|(_, shell)| *shell) {
        let body = text.get(span.clone()).unwrap_or_default();
        let mut start = span.start;
        for line in body.split_inclusive(['\n', '\r']) {
            in_command(line, start, &mut found);
            start += line.len();
        }
    }
    for span in code_spans(text, &taken) {
        in_code(text, &span, &mut found);
        taken.push(span);
    }
    taken.sort_by_key(|span| span.start);
    found.extend(in_prose(text, &taken));
    found.sort_by_key(|mention| (mention.span.start, mention.span.end));
    found.dedup_by(|a, b| a.span.start < b.span.end);
    found
}

/// The contents of code spans on one line, outside code blocks.
pub(super) fn code_spans(text: &str, blocks: &[Span]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut line_start = 0;
    let mut block = 0;
    for line in text.split_inclusive(['\n', '\r']) {
        let start = line_start;
        line_start += line.len();
        while blocks.get(block).is_some_and(|block| block.end <= start) {
            block += 1;
        }
        if !line.contains('`') || blocks.get(block).is_some_and(|block| block.start < line_start) {
            continue;
        }
        let mut at = 0;
        let run = |at: usize| {
            line.get(at..).map_or(0, |rest| rest.len() - rest.trim_start_matches('`').len())
        };
        // Unclosed backtick runs: each length is searched once.
        let mut unclosed = [false; 8];
        while let Some(open) =
            line.get(at..).and_then(|rest| rest.find('`')).map(|found| at + found)
        {
            let length = run(open);
            let inside = open + length;
            let known = unclosed.get_mut(length);
            if known.as_ref().is_none_or(|known| **known) {
                at = inside;
                continue;
            }
            let mut search = inside;
            let close = loop {
                let Some(next) =
                    line.get(search..).and_then(|rest| rest.find('`')).map(|found| search + found)
                else {
                    break None;
                };
                let other = run(next);
                if other == length {
                    break Some(next);
                }
                search = next + other;
            };
            match close {
                Some(close) => {
                    found.push(start + inside..start + close);
                    at = close + length;
                }
                None => {
                    if let Some(known) = known {
                        *known = true;
                    }
                    at = inside;
                }
            }
        }
    }
    found
}

/// The content of a code span: a selector, or a command with selectors.
fn in_code(text: &str, span: &Span, found: &mut Vec<Mention>) {
    let inside = text.get(span.clone()).unwrap_or_default();
    let trimmed = inside.trim();
    let start = span.start + (inside.len() - inside.trim_start().len());
    if trimmed.contains(char::is_whitespace) {
        in_command(inside, span.start, found);
        return;
    }
    let Some(likeness) = likeness(trimmed) else { return };
    let selector = parse(trimmed);
    found.push(Mention {
        span: start..start + trimmed.len(),
        selector,
        certain: likeness == Likeness::Certain,
        files: Box::default(),
        in_command: false,
    });
}

/// The selectors of a command line.
fn in_command(line: &str, start: usize, found: &mut Vec<Mention>) {
    let Some(arguments) = command::arguments(line) else { return };
    let (files, selectors): (Vec<&Word>, Vec<&Word>) =
        arguments.iter().partition(|word| command::is_file(&word.text));
    let files: Box<[String]> = files.into_iter().map(|word| word.text.clone()).collect();
    for word in selectors {
        let selector = parse(&word.text);
        // Anything else may be a folder.
        if selector.is_err() && likeness(&word.text).is_none() && !word.text.contains('[') {
            continue;
        }
        // Quotes inside a word shift its offsets.
        let same = line.get(word.span.clone()).is_some_and(|written| written == word.text);
        let selector = selector.map_err(|problem| {
            if same { problem } else { Problem { span: 0..word.span.len(), ..problem } }
        });
        let span = start + word.span.start..start + word.span.end;
        found.push(Mention {
            span,
            selector,
            certain: true,
            files: files.clone(),
            in_command: true,
        });
    }
}

/// The selectors of running text: a name, `::` and a path.
fn in_prose(text: &str, taken: &[Span]) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut end = 0;
    for colons in memmem::find_iter(text.as_bytes(), "::") {
        let covered = taken.partition_point(|span| span.end <= colons);
        if colons < end || taken.get(covered).is_some_and(|span| span.start <= colons) {
            continue;
        }
        let before = text.get(..colons).unwrap_or_default();
        let name_start = before
            .rfind(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-')))
            .map_or(0, |at| {
                at + before.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
            });
        let around = before.get(..name_start).and_then(|before| before.chars().next_back());
        // `a.b::root`, `x/y::root` and `a::b::root` are not selectors.
        if name_start == colons
            || around.is_some_and(|around| matches!(around, '.' | '/' | '\\' | ':' | '@' | '$'))
        {
            continue;
        }
        let rest = text.get(colons + 2..).unwrap_or_default();
        let length = rest.find(|letter: char| !is_path(letter)).unwrap_or(rest.len());
        let path = rest
            .get(..length)
            .unwrap_or_default()
            .trim_end_matches(['.', ',', ':', '?', '-', '/', '&', '=']);
        // The bracket of a surrounding list or link.
        let mut path = path;
        while path.ends_with(']') && path.matches(']').count() > path.matches('[').count() {
            path = path.get(..path.len() - 1).unwrap_or_default();
        }
        end = colons + 2 + path.len();
        let span = name_start..end;
        let written = text.get(span.clone()).unwrap_or_default();
        if let Some(likeness) = likeness(written) {
            found.push(Mention {
                span,
                selector: parse(written),
                certain: likeness == Likeness::Certain,
                files: Box::default(),
                in_command: false,
            });
        }
    }
    found
}

/// Characters of a selector's path.
pub fn is_path(letter: char) -> bool {
    letter.is_ascii_alphanumeric()
        || matches!(letter, ':' | '*' | '[' | ']' | '/' | '.' | ',' | '-' | '?' | '=' | '&' | '_')
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Likeness {
    /// Unmistakable.
    Certain,
    /// A selector if such a document exists.
    Likely,
}

/// How much a word looks like a selector.
fn likeness(text: &str) -> Option<Likeness> {
    let (name, path) = match text.split_once("::") {
        Some((name, path)) => (Some(name), path),
        None => (None, text),
    };
    if name.is_some_and(|name| {
        !is_namespace(name)
            || !name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-'))
    }) {
        return None;
    }
    let level = |rest: &str| rest.starts_with(|digit: char| digit.is_ascii_digit());
    let certain = path.strip_prefix("heading:h").is_some_and(level)
        || path.strip_prefix("block:").is_some_and(is_block);
    if certain {
        return Some(Likeness::Certain);
    }
    name?;
    let word =
        path.find(['[', '/', '?', '.']).map_or(path, |end| path.get(..end).unwrap_or_default());
    let behind = path.get(word.len()..).unwrap_or_default();
    let indexed = behind.starts_with(['[', '.'])
        && behind
            .get(1..)
            .is_some_and(|rest| rest.starts_with(|digit: char| digit.is_ascii_digit()));
    let likely = match word {
        "root" | "section" => behind.is_empty() || !behind.starts_with('.') || indexed,
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "code" | "list" | "table" | "para"
        | "paragraph" | "quote" | "blockquote" | "*" => indexed,
        _ => false,
    };
    (likely && parse(text).is_ok()).then_some(Likeness::Likely)
}

/// `code[0]`, `code`, `codes[1`: a type, or nearly one.
fn is_block(rest: &str) -> bool {
    let word: String = rest.chars().take_while(char::is_ascii_alphabetic).take(20).collect();
    let known = ["paragraph", "list", "code", "table", "blockquote", "para", "quote"];
    known.iter().any(|known| {
        strsim::damerau_levenshtein(&word, known)
            <= usize::from(known.len() > 3) + usize::from(known.len() > 6)
    })
}
