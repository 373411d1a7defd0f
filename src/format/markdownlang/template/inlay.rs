//! Inlay hints: the types of variables at their declarations, and of `.` where a block changes it.

use super::hover::informative;
use super::{Piece, uses};
use crate::answer::Inlay;
use crate::format::Context;
use crate::format::markdownlang::Program;
use crate::template::node::{BranchKeyword, Node};
use crate::text::Span;

/// A longer hint hides the text that it explains.
const LONGEST: usize = 40;

/// The hints in `span`.
pub fn inlays(program: &Program, cx: &Context, span: &Span) -> Vec<Inlay> {
    let mut found = Vec::new();
    for (declaration, kind) in uses::declarations(program, cx, span) {
        found.extend(informative(program, &kind).map(|summary| hint(declaration.end, &summary)));
    }
    let types = uses::dots(program, cx, span);
    for piece in program.pieces(span) {
        if (cx.cancelled)() {
            break;
        }
        let mut changes = Vec::new();
        dots(&piece.template.nodes, &piece, span, &mut changes);
        for (condition, inside) in changes {
            let dot = types
                .binary_search_by_key(&inside, |(at, _)| *at)
                .ok()
                .and_then(|index| types.get(index));
            found.extend(
                dot.and_then(|(_, dot)| informative(program, dot))
                    .map(|summary| hint(condition, &summary)),
            );
        }
    }
    found
}

fn hint(offset: usize, summary: &str) -> Inlay {
    let short = summary.char_indices().nth(LONGEST).and_then(|(end, _)| summary.get(..end));
    let tooltip = short.map(|_| format!("```\n{summary}\n```"));
    Inlay {
        offset,
        label: format!(": {}{}", short.unwrap_or(summary), if short.is_some() { "…" } else { "" }),
        tooltip,
    }
}

/// The ends of the conditions that change `.`, and a location where it has the new value.
fn dots(nodes: &[Node], piece: &Piece, span: &Span, found: &mut Vec<(usize, usize)>) {
    for node in nodes {
        let whole = piece.absolute(&node.span());
        if whole.end < span.start || span.end < whole.start {
            continue;
        }
        match node {
            Node::Branch(branch) => {
                for arm in &branch.arms {
                    let changes = branch.keyword != BranchKeyword::If;
                    // Variables have separate hints.
                    let condition = arm.condition.as_ref().filter(|condition| {
                        changes && arm.action.closed && condition.declarations.is_empty()
                    });
                    let last = condition.and_then(|condition| condition.commands.last());
                    if let Some(last) = last.filter(|last| !last.span.is_empty()) {
                        let offset = piece.start + last.span.end;
                        if span.start <= offset && offset <= span.end {
                            found.push((offset, piece.start + arm.action.span.end));
                        }
                    }
                    dots(&arm.body, piece, span, found);
                }
            }
            Node::Definition(definition) => dots(&definition.body, piece, span, found),
            _ => {}
        }
    }
}
