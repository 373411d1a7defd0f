//! Folds: every entry and list item of the front matter with more than one line.

use super::Program;
use super::field::{FIELDS, Holds, find};
use crate::answer::{Fold, FoldKind};
use crate::format::Context;
use crate::text::Span;
use crate::yaml::{Kind, Node};

/// Deeper nodes are not folded.
const DEEPEST: usize = 64;

/// The folds of the front matter, in order; one for each first line.
pub fn folds(program: &Program, cx: &Context) -> Vec<Fold> {
    let mut walk = Walk { program, cx, found: Vec::new() };
    if let Some(root) = &program.tree().root {
        walk.node(root, 0);
    }
    let mut found = walk.found;
    found.sort_by_key(|fold| (fold.span.start, std::cmp::Reverse(fold.span.end)));
    let mut last = None;
    found.retain(|fold| {
        let line = cx.source.line_span(fold.span.start).start;
        last.replace(line) != Some(line)
    });
    found
}

struct Walk<'a> {
    program: &'a Program,
    cx: &'a Context<'a>,
    found: Vec<Fold>,
}

impl Walk<'_> {
    fn node(&mut self, node: &Node, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        match &node.kind {
            Kind::Mapping(mapping) => {
                for entry in &mapping.entries {
                    let key = entry.key.as_str().and_then(|name| find(FIELDS, name));
                    let imports = depth == 0 && key.is_some_and(|key| key.holds == Holds::Imports);
                    self.push(
                        &entry.span,
                        if imports { FoldKind::Imports } else { FoldKind::Region },
                    );
                    self.node(&entry.value, depth + 1);
                }
            }
            Kind::Sequence(sequence) => {
                for item in &sequence.items {
                    self.push(&item.span, FoldKind::Region);
                    self.node(item, depth + 1);
                }
            }
            _ => {}
        }
    }

    fn push(&mut self, span: &Span, kind: FoldKind) {
        let span = self.program.absolute(span);
        let text = self.cx.source.slice(span.clone());
        let end = span.start + text.trim_end().len();
        if self.cx.source.line_span(span.start).end < end {
            self.found.push(Fold { span: span.start..end, kind });
        }
    }
}
