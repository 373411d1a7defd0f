//! Templates that a body defines, for outlines.

use crate::answer::{Symbol, SymbolKind};
use crate::format::Context;
use crate::format::markdownlang::Program;
use crate::template::node::{Definition, Node};
use crate::text::Span;

/// One symbol for each `define` and `block` with a name, those inside another one below it.
pub fn symbols(program: &Program, cx: &Context) -> Vec<Symbol> {
    let pieces = program.pieces(&(0..cx.source.len())).take_while(|_| !(cx.cancelled)());
    pieces.flat_map(|piece| nodes(&piece.template.nodes, piece.start)).collect()
}

fn nodes(list: &[Node], start: usize) -> Vec<Symbol> {
    let mut found = Vec::new();
    for node in list {
        match node {
            Node::Definition(definition) => {
                let children = nodes(&definition.body, start);
                found.extend(symbol(definition, start, &node.span(), children));
            }
            Node::Branch(branch) => {
                found.extend(branch.arms.iter().flat_map(|arm| nodes(&arm.body, start)))
            }
            _ => {}
        }
    }
    found
}

fn symbol(
    definition: &Definition,
    start: usize,
    span: &Span,
    children: Vec<Symbol>,
) -> Option<Symbol> {
    let absolute = |span: &Span| start + span.start..start + span.end;
    let name = definition.name.value.split_whitespace().collect::<Vec<_>>().join(" ");
    let detail = if definition.argument.is_some() { "block" } else { "define" };
    (!name.is_empty()).then(|| Symbol {
        name,
        detail: Some(detail.to_owned()),
        kind: SymbolKind::Template,
        span: absolute(span),
        selection: absolute(&definition.name.span),
        children,
    })
}
