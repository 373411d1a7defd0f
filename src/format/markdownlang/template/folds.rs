//! Folds of a body: the arms of its blocks, each up to the line before the next one, and its
//! comments.

use crate::answer::{Fold, FoldKind};
use crate::format::Context;
use crate::format::markdownlang::Program;
use crate::template::node::{Action, Node};
use crate::text::Span;

/// The folds of the body.
pub fn folds(program: &Program, cx: &Context) -> Vec<Fold> {
    let mut found = Vec::new();
    for piece in program.pieces(&(0..cx.source.len())) {
        if (cx.cancelled)() {
            break;
        }
        let mut folder = Folder { cx, start: piece.start, found: &mut found };
        folder.nodes(&piece.template.nodes);
    }
    found
}

struct Folder<'a> {
    cx: &'a Context<'a>,
    start: usize,
    found: &'a mut Vec<Fold>,
}

impl Folder<'_> {
    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Comment(action) => self.push(
                    self.start + action.span.start..self.start + action.span.end,
                    FoldKind::Comment,
                ),
                Node::Branch(branch) => {
                    for (index, arm) in branch.arms.iter().enumerate() {
                        let next = branch
                            .arms
                            .get(index + 1)
                            .map(|arm| &arm.action)
                            .or(branch.end.as_ref());
                        self.arm(&arm.action, next);
                        self.nodes(&arm.body);
                    }
                }
                Node::Definition(definition) => {
                    self.arm(&definition.action, definition.end.as_ref());
                    self.nodes(&definition.body);
                }
                _ => {}
            }
        }
    }

    /// From an action to the line before the next one, which stays visible.
    fn arm(&mut self, action: &Action, next: Option<&Action>) {
        let Some(next) = next else { return };
        let (start, line) = (
            self.start + action.span.start,
            self.cx.source.line_span(self.start + next.span.start).start,
        );
        if line > start {
            self.push(start..line, FoldKind::Region);
        }
    }

    fn push(&mut self, span: Span, kind: FoldKind) {
        let text = self.cx.source.slice(span.clone());
        let end = span.start + text.trim_end().len();
        if self.cx.source.line_span(span.start).end < end {
            self.found.push(Fold { span: span.start..end, kind });
        }
    }
}
