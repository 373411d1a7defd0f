//! Keywords that belong together: `if`, its `else` and its `end`.

use crate::format::markdownlang::Program;
use crate::template::node::{Action, BranchKeyword, Node};
use crate::text::Span;

/// The keywords of the block whose keyword touches `offset`, in order; empty elsewhere. `break` and
/// `continue` belong to their `range`.
pub fn family(program: &Program, offset: usize) -> Vec<Span> {
    for piece in program.pieces(&(offset..offset)) {
        let Some(local) = offset.checked_sub(piece.start) else { continue };
        let touches = |span: &Span| span.start <= local && local <= span.end;
        // The innermost first: `break` is in every block up to its `range`.
        let blocks = piece.template.blocks_at(local);
        let found =
            blocks.into_iter().rev().map(keywords_of).find(|keywords| keywords.iter().any(touches));
        if let Some(found) = found {
            return found.iter().map(|span| piece.absolute(span)).collect();
        }
    }
    Vec::new()
}

fn keywords_of(node: &Node) -> Vec<Span> {
    let keyword = |action: &Action| action.keyword.clone();
    let mut found = Vec::new();
    match node {
        Node::Branch(branch) => {
            for arm in &branch.arms {
                found.extend(keyword(&arm.action));
                found.extend(arm.second_keyword.clone());
                if branch.keyword == BranchKeyword::Range {
                    jumps(&arm.body, &mut found);
                }
            }
            found.extend(branch.end.as_ref().and_then(keyword));
        }
        Node::Definition(definition) => {
            found.extend(keyword(&definition.action));
            found.extend(definition.end.as_ref().and_then(keyword));
        }
        _ => {}
    }
    found
}

/// `break` and `continue` that leave the range around these nodes.
fn jumps(nodes: &[Node], found: &mut Vec<Span>) {
    for node in nodes {
        match node {
            Node::Break(action) | Node::Continue(action) => found.extend(action.keyword.clone()),
            Node::Branch(branch) if branch.keyword != BranchKeyword::Range => {
                branch.arms.iter().for_each(|arm| jumps(&arm.body, found))
            }
            _ => {}
        }
    }
}
