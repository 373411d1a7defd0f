//! Comments that switch findings off.

use std::cell::LazyCell;

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
    // Read only for a directive in it.
    let front = LazyCell::new(|| source.front_matter());
    for placed in sections.filter(|placed| !placed.section.directives.is_empty()) {
        let in_code = |span: &Span| {
            let read = source.blocks(placed);
            let blocks = read
                .blocks
                .iter()
                .filter(|block| matches!(block.kind, BlockKind::Code { .. }))
                .map(|block| &block.span);
            blocks.chain(&read.quoted).any(|code| code.start <= span.start && span.end <= code.end)
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
            obey(source, placed.start + directive.span.start, &directive.text, found);
        }
    }
}

/// Removes what YAML comments suppress, in a file that is YAML as a whole.
pub fn suppress_yaml(source: &Source, comments: &[Span], found: &mut Vec<Diagnostic>) {
    if found.is_empty() {
        return;
    }
    for comment in comments {
        let text = source.slice(comment.clone());
        if let Some(directive) = text.trim_start_matches(['#', ' ', '\t']).strip_prefix("agentmd-")
        {
            obey(source, comment.start, directive, found);
        }
    }
}

/// Removes what a comment at `start` suppresses; `directive` is its text after `agentmd-`.
fn obey(source: &Source, start: usize, directive: &str, found: &mut Vec<Diagnostic>) {
    let mut words = directive.split([' ', '\t', ',']).filter(|word| !word.is_empty());
    let scope = words.next();
    let codes: Vec<&str> = words.take_while(|word| *word != "--").collect();
    let line = source.line_span(start);
    let lines = match scope {
        Some("disable-file") => 0..source.len(),
        Some("disable-line") => line,
        Some("disable-next-line") => source.line_span(next_line(source, line.end)),
        _ => return,
    };
    found.retain(|diagnostic| {
        let here = lines.start <= diagnostic.span.start && diagnostic.span.start <= lines.end;
        let named = codes.is_empty()
            || codes
                .iter()
                .any(|code| *code == diagnostic.rule.code || *code == diagnostic.rule.group());
        !(here && named)
    });
}

/// Whether a place of the front matter is in a comment, rather than in a value with a `#`.
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
