//! Comments that suppress findings.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashSet};

use super::Diagnostic;
use crate::markdown::{BlockKind, SectionKind};
use crate::source::{FrontMatter, Source, Stretch};
use crate::text::Span;

/// Removes suppressed findings: `agentmd-disable-file`, `agentmd-disable-line` and
/// `agentmd-disable-next-line`, followed by codes or groups, or by nothing for all. `opaque`: text
/// that isn't Markdown, in order and disjoint. Files that a reply writes may contain such comments,
/// which are about those files.
pub fn suppress<'a>(
    source: &Source,
    opaque: impl FnOnce() -> &'a [Span],
    found: &mut Vec<Diagnostic>,
) {
    if found.is_empty() {
        return;
    }
    let opaque = LazyCell::new(opaque);
    let is_opaque = |offset: usize| {
        let first = opaque.partition_point(|other| other.end <= offset);
        opaque.get(first).is_some_and(|other| other.start <= offset)
    };
    let stretches = source.stretches().filter(Stretch::has_directives);
    let sections = stretches.flat_map(Stretch::sections);
    // Only parsed if it contains a directive.
    let front = LazyCell::new(|| source.front_matter());
    let mut off = Off::default();
    for placed in sections.filter(|placed| !placed.section.directives.is_empty()) {
        let codes = LazyCell::new(|| {
            let read = source.blocks(placed);
            let blocks = read
                .blocks
                .iter()
                .filter(|block| matches!(block.kind, BlockKind::Code { .. }))
                .map(|block| &block.span);
            reaching(blocks.chain(&read.quoted))
        });
        let in_code = |span: &Span| {
            let before = codes.partition_point(|code| code.start <= span.start);
            let nearest = before.checked_sub(1).and_then(|index| codes.get(index));
            nearest.is_some_and(|code| span.end <= code.end)
        };
        let is_comment = |span: &Span| match placed.section.kind {
            SectionKind::Front(_) => front
                .as_ref()
                .is_some_and(|front| is_yaml_comment(front, placed.start + span.start)),
            _ => !in_code(span) && !is_opaque(placed.start + span.start),
        };
        for directive in
            placed.section.directives.iter().filter(|directive| is_comment(&directive.span))
        {
            off.add(source, placed.start + directive.span.start, &directive.text);
        }
    }
    found.retain(|diagnostic| !off.names(diagnostic));
}

/// The suppressed codes of the file and of its lines.
#[derive(Default)]
struct Off {
    file: Codes,
    /// By the start of the line, with its end.
    lines: BTreeMap<usize, (usize, Codes)>,
}

#[derive(Default)]
struct Codes {
    all: bool,
    /// Codes and groups.
    some: HashSet<String>,
}

impl Off {
    /// Adds the codes that a comment at `start` suppresses; `directive` is its text after
    /// `agentmd-`.
    fn add(&mut self, source: &Source, start: usize, directive: &str) {
        let mut words = directive.split([' ', '\t', ',']).filter(|word| !word.is_empty());
        let scope = words.next();
        let line = source.line_span(start);
        let codes = match scope {
            Some("disable-file") => &mut self.file,
            Some("disable-line") => self.in_line(line),
            Some("disable-next-line") => {
                self.in_line(source.line_span(next_line(source, line.end)))
            }
            _ => return,
        };
        codes.add(words.take_while(|word| *word != "--"));
    }

    fn in_line(&mut self, line: Span) -> &mut Codes {
        &mut self.lines.entry(line.start).or_insert_with(|| (line.end, Codes::default())).1
    }

    fn names(&self, diagnostic: &Diagnostic) -> bool {
        let start = diagnostic.span.start;
        let line = self.lines.range(..=start).next_back();
        let line = line.filter(|(_, (end, _))| start <= *end);
        self.file.name(diagnostic) || line.is_some_and(|(_, (_, codes))| codes.name(diagnostic))
    }
}

impl Codes {
    /// Adds the codes of a comment; without any, it means all.
    fn add<'c>(&mut self, codes: impl Iterator<Item = &'c str>) {
        let mut codes = codes.peekable();
        self.all |= codes.peek().is_none();
        self.some.extend(codes.map(str::to_owned));
    }

    fn name(&self, diagnostic: &Diagnostic) -> bool {
        self.all
            || self.some.contains(diagnostic.rule.code)
            || self.some.contains(diagnostic.rule.group())
    }
}

/// Sorted spans, each extended to the farthest end so far: a position that lies in any span lies in
/// the last one that starts before it.
fn reaching<'s>(spans: impl Iterator<Item = &'s Span>) -> Vec<Span> {
    let mut spans: Vec<Span> = spans.cloned().collect();
    spans.sort_by_key(|span| span.start);
    let mut end = 0;
    for span in &mut spans {
        end = end.max(span.end);
        span.end = end;
    }
    spans
}

/// Removes what YAML comments suppress, in a file that is YAML as a whole.
pub fn suppress_yaml(source: &Source, comments: &[Span], found: &mut Vec<Diagnostic>) {
    if found.is_empty() {
        return;
    }
    let mut off = Off::default();
    for comment in comments {
        let text = source.slice(comment.clone());
        if let Some(directive) = text.trim_start_matches(['#', ' ', '\t']).strip_prefix("agentmd-")
        {
            off.add(source, comment.start, directive);
        }
    }
    found.retain(|diagnostic| !off.names(diagnostic));
}

/// Whether an offset in the front matter is in a comment, rather than in a value with a `#`.
fn is_yaml_comment(front: &FrontMatter, offset: usize) -> bool {
    if !front.yaml_span.contains(&offset) {
        return true;
    }
    let offset = offset - front.yaml_span.start;
    front.tree.comments.iter().any(|comment| comment.contains(&offset))
}

/// Whether a document has any comment that suppresses findings.
pub fn is_used(source: &Source) -> bool {
    source.stretches().any(|stretch| stretch.has_directives())
}

/// The start of the line after the one that ends at `end`.
fn next_line(source: &Source, end: usize) -> usize {
    let pair = source.slice(end..(end + 2).min(source.len())) == "\r\n";
    (end + 1 + usize::from(pair)).min(source.len())
}
